r"""Whether a steady motion is stable, modulo its symmetries, in Lyapunov's sense: proven, refuted or unknown.

.. math:: \mathrm{Re}\,\lambda > 0 \ \text{(refuted)}, \qquad D^2V > 0 \ \text{or}\ \mathrm{Re}\,\lambda < 0 \ \text{but for a family (proven)}

Eigenvalues on the imaginary axis prove nothing. Zeros are harmless where they are as many as the family of steady motions has dimensions and
everything else decays (Lyapunov and Malkin); what oscillates needs a conserved quantity that is least or greatest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
import symengine

from anholonomy.analysis.conserved import conserved
from anholonomy.compile.backends.base import Array
from anholonomy.findings import Finding
from anholonomy.findings.evidence import AbstractEvidence, Reason
from anholonomy.findings.words import in_words
from anholonomy.language.writing import to_text
from anholonomy.refusals import Refusal
from anholonomy.stability.second_variation import definite_combination
from anholonomy.stability.steady import Steadiness, SteadyMotion
from anholonomy.symbolic.calculus import partial
from anholonomy.symbolic.expressions import Expr, free_symbols, time
from anholonomy.symbolic.numbers.subspaces import kernel
from anholonomy.tolerances import HALF
from anholonomy.verdict import Verdict

__all__ = ["Spectrum", "stability_of"]

_CLEAR = 1e-5
"""Real parts that prove something, beside the largest eigenvalue."""
_STATES = 3
"""States at which it is seen what symmetries do to a law."""
_STEP, _PULL = 0.1, 0.2
"""How far neighbours in a family are looked for, and how far from there they may be, beside it."""


@final
@dataclass(frozen=True, repr=False)
class Spectrum(AbstractEvidence):
    """The rows of the linear part, and the dimension of the family of steady motions through the one in question."""

    rows: tuple[tuple[float, ...], ...]
    family: int

    def check(self) -> Verdict:
        return Verdict.PROVEN if self.grows or self.decays else Verdict.UNKNOWN

    @property
    def eigenvalues(self) -> np.ndarray:
        """From the one that grows fastest on."""
        found = np.linalg.eigvals(np.array(self.rows).reshape(len(self.rows), -1))
        return np.asarray(found[np.argsort(-found.real)])

    @property
    def _clear(self) -> float:
        return _CLEAR * max(float(np.abs(self.eigenvalues).max(initial=0.0)), 1e-300)

    @property
    def grows(self) -> bool:
        """Whether an eigenvalue has a positive real part, far from rounding."""
        return bool((self.eigenvalues.real > self._clear).any())

    @property
    def decays(self) -> bool:
        """Whether all decay but as many zeros as the family has dimensions."""
        found = self.eigenvalues
        idle = np.abs(found) <= self._clear
        return bool((found[~idle].real < -self._clear).all() and idle.sum() == self.family and (~idle).any())

    def lines(self, whole: bool = False) -> list[str]:
        """What decides."""
        found = self.eigenvalues
        if self.grows:
            swings = f" ± {abs(found[0].imag):.6g}i" if abs(found[0].imag) > self._clear else ""
            return [f"the linear part has the eigenvalue {found[0].real:.6g}{swings}"]
        if self.decays:
            slowest = found[np.abs(found) > self._clear][0].real
            zeros = f" but those of the family of steady motions, {self.family} in number," if self.family else ""
            return [f"all eigenvalues{zeros} decay, the slowest at {slowest:.6g}"]
        return ["the linear part neither grows nor decays"]

    def latex(self) -> str:
        return in_words(self.text())


def stability_of(steady: SteadyMotion, limit: float | None) -> Finding:
    """By eigenvalues where they decide, and by what is conserved otherwise."""
    claim = f"the steady motion of {steady.field.model.name} is stable modulo its symmetries"
    spectrum = Spectrum(tuple(map(tuple, steady.linearization.part.A.tolist())), family_dimension(steady))
    if spectrum.grows:
        return Finding(claim, Verdict.REFUTED, (spectrum,))
    if spectrum.decays:
        return Finding(claim, Verdict.PROVEN, (spectrum,))
    laws, why = _laws(steady, limit)
    # A law that the symmetries change, as the axis of an ellipse, says nothing modulo these, and may stand in the way of others.
    still = [each for each in laws if _is_left_alone(each[1], steady)]
    found = definite_combination(steady, laws)
    if found is None and len(still) < len(laws):
        found = definite_combination(steady, still)
    if found is not None:
        return Finding(claim, Verdict.PROVEN, (found,))
    names = ", ".join(name for name, _ in laws)
    tried = f"no combination of {names} is definite there" if laws else "nothing is known to be conserved"
    return Finding(claim, Verdict.UNKNOWN, (spectrum, Reason(f"{tried}{why}")))


def _laws(steady: SteadyMotion, limit: float | None) -> tuple[list[tuple[str, Expr]], str]:
    """What is proven to be conserved, by short names."""
    model = steady.field.model
    try:
        found = conserved(model, limit=limit)
    except Refusal as trouble:
        return [], f" ({trouble})"
    laws = [law for law in found if law and time not in free_symbols([law.expression])]
    energies, others = [law for law in laws if law.kind == "energy"], [law for law in laws if law.kind != "energy"]
    named = [("the energy", law.expression) for law in energies]
    # Laws whose coefficients solve the same equations have the same quantities near a state.
    values = {each: "" if law.coefficients else to_text(law.named) for law in others for each in law.near(steady.state)}
    named += [
        (text if 0 < len(text) < 40 else f"integral {k}", each) for k, (each, text) in enumerate(values.items(), 1)
    ]
    return named, f" ({found.gave_up})" if found.gave_up else ""


def _is_left_alone(F: Expr, steady: SteadyMotion) -> bool:
    """Whether the symmetries do not change a law, as doubles see it at some states."""
    names, rng = {s.name: s for s in F.free_symbols}, np.random.default_rng(1)
    for each in steady.symmetries:
        for z in rng.uniform(0.5, 1.5, (_STATES, len(each.names))):
            at = {s: symengine.RealDouble(rng.uniform(0.5, 1.5)) for s in F.free_symbols}
            at |= {names[n]: symengine.RealDouble(value) for n, value in zip(each.names, z, strict=True) if n in names}
            moved = [(c, names[n]) for n, c in zip(each.names, each.at(z), strict=True) if n in names and c]
            slopes = [c * complex(partial(F, s).xreplace(at)) for c, s in moved]
            if abs(sum(slopes)) > HALF * (1 + sum(map(abs, slopes))):
                return False
    return True


def family_dimension(steady: SteadyMotion) -> int:
    """How many dimensions the steady motions near by have modulo the symmetries; -1 where that changes from one to the next."""
    equations = Steadiness(steady.field, steady.symmetries, ())
    dimension, tangent = _dimension(equations, steady.moving, steady.p)
    # A zero of the linear part that is none of the family, as of y^3, pulls the neighbours back.
    for way in (*tangent.T, *-tangent.T):
        near = steady.moving + _STEP * way
        y, left = equations.solve(near[None], steady.p, np.empty((1, 0)))
        pulled = float(np.linalg.norm(y[0] - near))
        if left[0] > 1e-11 or pulled > _PULL * _STEP or _dimension(equations, y[0], steady.p)[0] != dimension:
            return -1
    return dimension


def _dimension(equations: Steadiness, y: Array, p: Array) -> tuple[int, Array]:
    width = equations.width
    _, J, _ = equations.equations(y[None], p, np.empty((1, 0)))
    null = kernel(J[0], tolerance=HALF)
    z = equations.field.at(y[None, :width], p).z[0]
    carried = (
        np.stack([each.at(z) for each in equations.symmetries], axis=1)
        if equations.symmetries
        else np.zeros((z.size, 0))
    )
    moved = equations.field.jet(y[None, :width], p).slopes.z[0] @ null[:width]
    rank = np.linalg.matrix_rank(np.hstack([moved, carried]), tol=1e-7) - (
        np.linalg.matrix_rank(carried, tol=1e-9) if carried.size else 0
    )
    return int(rank), np.asarray(null)
