r"""Proof that a steady motion is stable in Lyapunov's sense, modulo its symmetries: by eigenvalues, normal forms or conserved quantities.

.. math:: \mathrm{Re}\,\lambda > 0 \ \text{(refuted)}, \qquad D^2V > 0 \ \text{or}\ \mathrm{Re}\,\lambda < 0 \ \text{but for a family (proven)}

Eigenvalues on the imaginary axis prove nothing. Zeros are harmless where they are as many as the family of steady motions has dimensions and
everything else decays (Lyapunov and Malkin). What oscillates needs conserved quantities with a critical point of a combination that is definite
where the others are held:

.. math:: dV = 0, \quad V = \mu^i C_i + \nu^j g_j, \qquad D^2V|_W > 0, \quad W = \ker dC \cap \ker dg \,/\, \mathfrak g'

Then $V$ with a multiple of the squares of the other $C_i - C_i(z_0)$ is a function of Lyapunov's on the motions modulo the symmetries
$\mathfrak g'$ that keep all of the $C_i$. Only quantities that are proven to be conserved are used: on constraints, momenta need not be.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, final

import numpy as np
import symengine

from anholonomy.algebra.calculus import partial
from anholonomy.algebra.expressions import Expr, free_symbols, time
from anholonomy.algebra.numbers.balls import precision
from anholonomy.algebra.numbers.doubles import kernel, split
from anholonomy.algebra.numbers.local_series import LocalArithmetic, NoSeries
from anholonomy.algebra.switching import switches
from anholonomy.base.errors import Error
from anholonomy.base.tolerances import CLEAR, HALF, NOTHING
from anholonomy.base.verdict import Verdict
from anholonomy.findings import Finding
from anholonomy.findings.evidence import AbstractEvidence, Reason
from anholonomy.language.answers import Part
from anholonomy.language.writing import brief, to_text
from anholonomy.programs.backends import fast_function
from anholonomy.programs.backends.base import Array
from anholonomy.programs.derivatives import against_covector, along_direction
from anholonomy.programs.of_equations import Compiled
from anholonomy.stability.centre_manifold import centre_term
from anholonomy.stability.centre_pair import LyapunovCoefficient, lyapunov_coefficient
from anholonomy.stability.exact_linear import exact_linear
from anholonomy.stability.exact_roots import Roots
from anholonomy.stability.exact_state import DIGITS, ExactState, values_and_speed_rates
from anholonomy.stability.first_approximation import Spectrum, independent
from anholonomy.stability.flat_minimum import ENERGY, first_term, potential_term
from anholonomy.stability.hamiltonian_rest import BirkhoffForm, birkhoff_form
from anholonomy.stability.linear_part import LinearPart
from anholonomy.stability.piecewise_motion import piecewise_evidence
from anholonomy.stability.plane_rest import PlaneRest, plane_rest
from anholonomy.stability.rest_energy import amended_evidence, rest_evidence

if TYPE_CHECKING:
    from anholonomy.stability.steady_motion import SteadyMotion

__all__ = ["Definite", "stability_of"]

_STATES = 3
"""States at which it is seen what symmetries do to a law."""
_AT_MOTION = 1e-12
"""What a switch may be at the motion and count as zero there; one that is taken for elsewhere leaves more unknown."""
_NEAR = 0.2
"""How far from the steady motion symmetries are tried on the quantities: far beyond rounding, and where all is finite."""


def stability_of(steady: SteadyMotion, time_limit: float | None) -> Finding:
    """By eigenvalues where they decide, then by the centre manifold, energies and normal forms, and otherwise by what is conserved."""
    claim = f"the steady motion of {steady.field.model.name} is stable modulo its symmetries"
    linearization = steady.linearization
    first = linearization.first_approximation
    if first is None or first.state is None:
        return Finding.unknown(claim, first.why if first is not None else "it is not steady")
    if first.spectrum is None:
        found = piecewise_evidence(first.state, linearization.part, linearization.labels) if first.switch else None
        if found is None and first.switch and (rest := rest_evidence(first.state, smooth=False)) is not None:
            found = rest.verdict, rest
        return Finding(claim, found[0], (found[1],)) if found is not None else Finding.unknown(claim, first.why)
    spectrum, roots = first.spectrum, first.spectrum.roots
    if (
        (switch := _switch_elsewhere(steady)) is not None
        and roots is not None
        and not roots.right
        and roots.zero + roots.axis
    ):
        return _beside_a_switch(steady, first.state, claim, spectrum, switch, time_limit)
    if first.verdict is not Verdict.UNKNOWN:
        return Finding(claim, first.verdict, (spectrum,))
    if roots is not None and (roots.right, roots.zero, roots.axis) == (0, 1, 0):
        centre = centre_term(first.state)
        if centre is not None and centre.verdict is not Verdict.UNKNOWN:
            return Finding(claim, centre.verdict, (centre,))
    rest = rest_evidence(first.state)
    if rest is not None and not rest.plain:
        return Finding(claim, rest.verdict, (rest,))
    normal = _by_normal_form(first.state, roots) if rest is None else None
    if normal is not None:
        return Finding(claim, normal.verdict, (normal,))
    potential = potential_term(first.state)
    if potential is not None and roots is not None and roots.zero and potential.verdict is not Verdict.UNKNOWN:
        return Finding(claim, potential.verdict, (potential,))
    laws, why = _laws(steady, time_limit)
    laws = [each for each in laws if _is_smooth_there(each[1], first.state)]
    # A law that the symmetries change, as the axis of an ellipse, says nothing modulo these, and may stand in the way of others.
    still = [each for each in laws if _is_left_alone(each[1], steady)]
    family = _explained_by(still, spectrum, first.state, linearization.part)
    if family is not None:
        return Finding(claim, Verdict.PROVEN, (family,))
    definite = definite_combination(steady, laws)
    if definite is None and len(still) < len(laws):
        definite = definite_combination(steady, still)
    if definite is not None:
        return Finding(claim, Verdict.PROVEN, (definite,))
    for name, law in still:
        term = first_term(first.state, name, law, linearization.part.carried)
        if term is not None and term.verdict is not Verdict.UNKNOWN:
            return Finding(claim, term.verdict, (term,))
    rest = rest or amended_evidence(first.state)
    if rest is not None:
        return Finding(claim, rest.verdict, (rest,))
    names = ", ".join(name for name, _ in laws)
    tried = f"no combination of {names} is definite there" if laws else "nothing is known to be conserved"
    return Finding(claim, Verdict.UNKNOWN, (spectrum, Reason(f"{tried}{why}")))


def _switch_elsewhere(steady: SteadyMotion) -> Expr | None:
    """What changes its sign in a kink or a jump of the declaration that does not lie at the motion; None where there is no such thing."""
    model = steady.field.model
    declared = (
        *([model.lagrangian] if model.momenta_a is None else model.momenta_a),
        *model.forces_a,
        *(c.expression for c in model.constraints),
    )
    values = {s: steady.state.get(s.name, model.parameters.get(s.name)) for s in free_symbols(declared)}
    known = {s: symengine.RealDouble(float(v)) for s, v in values.items() if v is not None}
    for each in dict.fromkeys(u for e in declared for u in switches(e)):
        try:
            if abs(complex(each.xreplace(known))) > _AT_MOTION:
                return each
        except (RuntimeError, ValueError, TypeError):
            return each
    return None


def _beside_a_switch(
    steady: SteadyMotion, state: ExactState, claim: str, spectrum: Spectrum, switch: Expr, time_limit: float | None
) -> Finding:
    """Eigenvalues that do not decide, where other formulas hold at some distance: symmetries, and what is tried at points, may be those of one piece.

    A centre manifold and a definite second variation of a conserved quantity need no more than a neighbourhood.
    """
    roots = spectrum.roots
    if roots is not None and (roots.zero, roots.axis) == (1, 0):
        centre = centre_term(state)
        if centre is not None and centre.verdict is not Verdict.UNKNOWN:
            return Finding(claim, centre.verdict, (centre,))
    if not steady.symmetries:
        laws, _ = _laws(steady, time_limit)
        definite = definite_combination(steady, [each for each in laws if _is_smooth_there(each[1], state)])
        if definite is not None:
            return Finding(claim, Verdict.PROVEN, (definite,))
    why = f"other formulas hold where {brief(switch)} has another sign, and what is tried at points near by is no proof then"
    return Finding(claim, Verdict.UNKNOWN, (spectrum, Reason(why)))


def _by_normal_form(state: ExactState, roots: Roots | None) -> BirkhoffForm | PlaneRest | LyapunovCoefficient | None:
    """What the first terms of a normal form decide, or None."""
    found = birkhoff_form(state) or plane_rest(state)
    if found is not None or roots is None or (roots.right, roots.zero, roots.axis) != (0, 0, 2):
        return found
    pair = lyapunov_coefficient(state)
    return pair if pair is not None and pair.verdict is not Verdict.UNKNOWN else None


def _is_smooth_there(law: Expr, state: ExactState) -> bool:
    """Whether a law has a power series at the state, so that its second variation is that of a smooth function."""
    do = LocalArithmetic(2)
    try:
        with precision(DIGITS):
            x = [do.variable(value, k) for k, value in enumerate(state.x)]
            values_and_speed_rates(state.field, x, state.p, do, (law,))
    except (NoSeries, ArithmeticError, KeyError, ValueError):
        return False
    return True


def _explained_by(
    laws: Sequence[tuple[str, Expr]], spectrum: Spectrum, state: ExactState, part: LinearPart
) -> Spectrum | None:
    """The spectrum with zeros explained by conserved quantities, each level of which has one steady motion, if all else decays."""
    if not laws:
        return None
    try:
        with precision(DIGITS):
            slopes = exact_linear(state, part, functions=[each for _, each in laws]).slopes
            explained = replace(spectrum, family=independent(slopes))
    except (NoSeries, ArithmeticError, KeyError, ValueError):
        return None
    return explained if explained.decays else None


def _laws(steady: SteadyMotion, time_limit: float | None) -> tuple[list[tuple[str, Expr]], str]:
    """What is proven to be conserved, by short names."""
    from anholonomy.laws.conserved import conserved

    model = steady.field.model
    try:
        found = conserved(model, time_limit=time_limit)
    except Error as trouble:
        return [], f" ({trouble})"
    laws = [law for law in found if law and time not in free_symbols([law.expression])]
    energies, others = [law for law in laws if law.kind == "energy"], [law for law in laws if law.kind != "energy"]
    named = [(ENERGY, law.expression) for law in energies]
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
            try:
                slopes = [c * complex(partial(F, s).xreplace(at)) for c, s in moved]
            except (RuntimeError, TypeError, ValueError):  # no number there
                return False
            if abs(sum(slopes)) > HALF * (1 + sum(map(abs, slopes))):
                return False
    return True


@final
@dataclass(frozen=True, repr=False)
class Definite(AbstractEvidence):
    """A conserved combination whose second variation is definite: its words and the rows of its matrix."""

    combination: str
    held: tuple[str, ...]
    rows: tuple[tuple[float, ...], ...]

    @property
    def matrix(self) -> Array:
        """The second variation."""
        return np.array(self.rows, dtype=float).reshape(len(self.rows), len(self.rows))

    @property
    def eigenvalues(self) -> Array:
        """Of the second variation, of one sign; none where nothing is left to vary."""
        return np.asarray(np.linalg.eigvalsh(self.matrix))

    def check(self) -> Verdict:
        return Verdict.PROVEN if is_definite(self.matrix) else Verdict.UNKNOWN

    def as_rows(self) -> Iterable[Part]:
        where = (
            f" among motions with the same {' and '.join(name.removeprefix('the ') for name in self.held)}"
            if self.held
            else ""
        )
        if not self.matrix.size:
            return [f"what is conserved leaves it no neighbours but those that symmetries carry it to{where}"]
        low, high = np.abs(self.eigenvalues).min(), np.abs(self.eigenvalues).max()
        extreme = "least" if self.eigenvalues[0] > 0 else "greatest"
        return [
            f"{self.combination}, which is conserved, is {extreme}{where} (second variation from {low:.3g} to {high:.3g})"
        ]


def is_definite(matrix: Array) -> bool:
    """Whether all eigenvalues have one sign, far from rounding."""
    if not matrix.size:
        return True
    found = np.linalg.eigvalsh(matrix)
    return bool((found > 0).all() or (found < 0).all()) and float(np.abs(found).min() / np.abs(found).max()) > CLEAR


def definite_combination(steady: SteadyMotion, laws: Sequence[tuple[str, Expr]]) -> Definite | None:
    """A combination of conserved quantities that is definite at a steady motion; None where there is none."""
    if not laws:
        return None
    function = _Conserved(steady, [each for _, each in laws])
    x = steady.x
    G = function.slopes(x)
    size = np.linalg.norm(G, axis=1)
    varies = size > NOTHING * max(1.0, float(size.max()))
    size = np.where(varies, size, 1.0)
    scaled = np.where(varies[:, None], G / size[:, None], 0.0)
    critical = kernel(scaled.T, 1.0).T / size
    if not len(critical):
        return None
    W = kernel(scaled, 1.0)
    B = _away_from(W, _kept(steady, function, critical[:, : len(laws)]))
    forms = [B.T @ function.bend(x, row) @ B for row in critical]
    best = _most_definite(forms)
    if best is None:
        return None
    weights = (best[0] @ critical)[: len(laws)]
    used = [k for k in range(len(laws)) if abs(weights[k]) > 1e-9 * np.abs(weights).max()]
    moving = [laws[k][0] for k in range(len(laws)) if varies[k]]
    held = tuple(name for name in moving if len(used) > 1 or name != laws[used[0]][0])
    return Definite(
        _said([(weights[k] / weights[used[0]], laws[k][0]) for k in used]),
        held,
        tuple(map(tuple, (best[1] / weights[used[0]]).tolist())),
    )


@final
class _Conserved:
    """Conserved quantities, then what holds positions, as functions of $x$."""

    def __init__(self, steady: SteadyMotion, laws: Sequence[Expr]) -> None:
        field = steady.field
        program = Compiled(field.equations).values_of((*laws, *field.equations.observables.positions))
        pulled = against_covector(program)
        self.count, self.width, self.p = len(program.outputs), len(program.states), steady.p
        self._values, self._slopes = fast_function(program), fast_function(pulled)
        self._bend = fast_function(along_direction(pulled, pulled.states[: self.width]))

    def values(self, states: Array) -> Array:
        """A row for each state."""
        return np.asarray(self._values(0.0, states.T, np.repeat(self.p[:, None], len(states), axis=1)).T)

    def slopes(self, x: Array) -> Array:
        """A row for each."""
        inputs = np.hstack([np.tile(x, (self.count, 1)), np.eye(self.count)])
        return np.asarray(self._slopes(0.0, inputs.T, np.repeat(self.p[:, None], self.count, axis=1)).T)

    def bend(self, x: Array, weights: Array) -> Array:
        """The second derivatives of a combination."""
        n = self.width
        inputs = np.hstack([np.tile(np.concatenate([x, weights]), (n, 1)), np.eye(n)])
        out = self._bend(0.0, inputs.T, np.repeat(self.p[:, None], n, axis=1))[n:]
        return np.asarray((out + out.T) / 2)


def _kept(steady: SteadyMotion, function: _Conserved, critical: Array) -> Array:
    r"""The directions at the steady motion of symmetries that keep what is critical, and only turn how far the quantities are from there.

    .. math:: \Xi(F) = A\,(F - F_0), \qquad A^{\mathsf T} = -A, \qquad w A = 0 \quad\text{for}\quad V = w\cdot F

    Then $V$ and $|F - F_0|^2$ are the same all along the orbit of the symmetry, and so is a proof: of the rotations of a free
    body, which turn its momentum, those about the momentum remain.
    """
    field, found, count = steady.field, steady.symmetries, critical.shape[1]
    if not found:
        return np.empty((steady.x.size, 0))
    rng = np.random.default_rng(7)
    planes = [(i, j) for i in range(count) for j in range(i)]
    states = field.on_positions(steady.x + _NEAR * rng.normal(size=(8 + len(planes), steady.x.size)), steady.p)
    jet, rows = field.jet(states, steady.p), []
    away = function.values(states)[:, :count] - function.values(steady.x[None])[:, :count]
    for k, state in enumerate(states):
        fields = np.stack([each.at(jet.z[k]) for each in found], axis=1)
        v = np.linalg.lstsq(jet.slopes.z[k], fields, rcond=None)[0]
        G = function.slopes(state)[:count]
        turned = np.zeros((count, len(planes)))
        for column, (i, j) in enumerate(planes):
            turned[i, column], turned[j, column] = -away[k, j], away[k, i]
        rows.append(np.hstack([G @ v, turned]) / np.maximum(np.linalg.norm(G, axis=1), 1e-300)[:, None])
    for w in critical:  # w A, a row for each of its entries
        idle = np.zeros((count, len(found) + len(planes)))
        for column, (i, j) in enumerate(planes, len(found)):
            idle[j, column], idle[i, column] = w[i], -w[j]
        rows.append(idle / max(float(np.linalg.norm(w)), 1e-300))
    combined = kernel(np.vstack(rows), 1.0)[: len(found)]
    here = field.jet(steady.x[None], steady.p)
    fields = np.stack([each.at(here.z[0]) for each in found], axis=1) @ combined
    return np.asarray(np.linalg.lstsq(here.slopes.z[0], fields, rcond=None)[0])


def _away_from(W: Array, S: Array) -> Array:
    """A basis of what is left of a space beside some of its directions."""
    inside = W.T @ S
    if not inside.size:
        return W
    return np.asarray(W @ split(inside, 1.0)[1])


def _most_definite(forms: Sequence[Array]) -> tuple[Array, Array] | None:
    """A combination of quadratic forms that is definite, looked for by the least eigenvalue, which is concave."""
    from scipy.optimize import minimize

    for k, form in enumerate(forms):
        if is_definite(form):
            return np.eye(len(forms))[k], form
    if len(forms) < 2 or not forms[0].size:
        return None
    size = max(float(np.abs(form).max()) for form in forms)
    if not size:
        return None

    def least(c: Array) -> float:
        whole = sum(a * form for a, form in zip(c, forms, strict=True))
        return -float(np.linalg.eigvalsh(whole)[0]) / (size * max(float(np.linalg.norm(c)), 1e-12))

    for start in (*np.eye(len(forms)), *-np.eye(len(forms)), *np.random.default_rng(2).normal(size=(6, len(forms)))):
        c = np.asarray(minimize(least, start, method="Nelder-Mead").x)
        whole = np.asarray(sum(a * form for a, form in zip(c, forms, strict=True)))
        if is_definite(whole):
            return c, whole
    return None


def _said(terms: Sequence[tuple[float, str]]) -> str:
    """A sum with its coefficients, names that are sums in brackets."""
    parts = []
    for c, name in terms:
        whole = f"({name})" if len(terms) > 1 and (" + " in name or " - " in name or name[0].isdigit()) else name
        size = "" if abs(abs(c) - 1) < 1e-12 else f"{abs(c):.6g} "
        parts.append(f"{'-' if c < 0 else '+'} {size}{whole}")
    return " ".join(parts).removeprefix("+ ")
