r"""Stability by the first approximation, decided: roots counted exactly or in balls, zeros explained by a family that is there.

.. math:: \mathrm{Re}\,\lambda > 0 \ \text{(unstable)}, \qquad
          \mathrm{Re}\,\lambda < 0 \ \text{but for $k$ zeros and a family of dimension $k$ (stable, Lyapunov and Malkin)}

A family of dimension $k$ is there if $k$ conserved quantities have independent slopes (then every level of them has a fixed point on the
centre manifold), or if a line of states satisfies the equations.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import final

import flint
import numpy as np

from anholonomy.algebra.expressions import Expr
from anholonomy.algebra.numbers.balls import precision
from anholonomy.algebra.numbers.local_series import (
    Coefficient,
    LocalArithmetic,
    NoSeries,
    SwitchHere,
    is_zero,
    rational,
)
from anholonomy.base.notebook import Shown
from anholonomy.base.verdict import Verdict
from anholonomy.findings.evidence import AbstractEvidence
from anholonomy.language.answers import Part
from anholonomy.motion.vector_field import VectorField
from anholonomy.programs.backends.base import Array
from anholonomy.stability.affine_symmetries import Symmetry
from anholonomy.stability.exact_linear import (
    ExactLinear,
    echelon,
    exact_linear,
    is_exact,
    is_positive,
    kernel,
    transposed,
)
from anholonomy.stability.exact_roots import Roots, characteristic, complex_roots, count_roots, grows
from anholonomy.stability.exact_state import (
    DIGITS,
    ExactState,
    exact_state,
    residuals,
    values_and_speed_rates,
    values_at,
)
from anholonomy.stability.exact_symmetries import is_conserved
from anholonomy.stability.linear_part import LinearPart

__all__ = ["FirstApproximation", "Spectrum", "first_approximation"]

_ALONG = (Fraction(1, 53), Fraction(-1, 47), Fraction(1, 100_003), Fraction(-1, 10**20 + 39))
"""Where on a line it is tried whether its states are steady."""


@final
@dataclass(frozen=True, repr=False)
class Spectrum(AbstractEvidence):
    """A characteristic polynomial, in fractions or balls, and how many of its zeros a family of steady motions explains.

    Attributes
    ----------
    polynomial
        The coefficients, from the constant on.
    family
        The dimension of the family of steady motions, as far as it is proven.
    shown
        The eigenvalues in doubles, which are shown and decide nothing.
    """

    polynomial: tuple[Coefficient, ...]
    family: int
    shown: tuple[complex, ...] = field(default=(), compare=False)

    def check(self) -> Verdict:
        return Verdict.PROVEN if self.grows or self.decays else Verdict.UNKNOWN

    @property
    def roots(self) -> Roots | None:
        """Where the eigenvalues lie, or None if that is not decided."""
        with precision(DIGITS):
            return count_roots(self.polynomial, self.family)

    @property
    def grows(self) -> bool:
        """True if an eigenvalue has a positive real part."""
        with precision(DIGITS):
            return grows(self.polynomial, self.family)

    @property
    def decays(self) -> bool:
        """True if all decay but as many zeros as the family has dimensions."""
        found = self.roots
        if found is None or found.right or found.axis or not (found.left or found.zero):
            return False
        return found.zero == self.family

    @property
    def eigenvalues(self) -> np.ndarray:
        """In doubles, from the one that grows fastest on."""
        if self.polynomial and all(isinstance(c, flint.fmpq) for c in self.polynomial):
            roots = complex_roots(flint.fmpq_poly(list(self.polynomial)))
            values = np.array([complex(root) for root, count in roots for _ in range(count)])
        else:
            values = np.array(self.shown)
        return np.asarray(values[np.argsort(-values.real)])

    def as_rows(self) -> Iterable[Part]:
        found = self.eigenvalues
        if self.grows:
            swings = f" ± {abs(found[0].imag):.6g}i" if abs(found[0].imag) > 1e-9 * abs(found[0]) else ""
            return [f"the linear part has the eigenvalue {found[0].real:.6g}{swings}"]
        if self.decays:
            order = sorted(found, key=abs)[self.family :]
            if not order:
                return [f"all motions near by are of the family of steady motions, of dimension {self.family}"]
            zeros = f" but those of the family of steady motions, {self.family} in number," if self.family else ""
            return [f"all eigenvalues{zeros} decay, the slowest at {max(v.real for v in order):.6g}"]
        roots = self.roots
        if roots is not None and roots.axis == 0 and roots.zero > self.family:
            return ["the linear part has zero eigenvalues that no family of steady motions is proven to explain"]
        return ["the linear part neither grows nor decays"]


@final
@dataclass(frozen=True, eq=False)
class FirstApproximation(Shown):
    """The exact state, its linear part and what they decide.

    Attributes
    ----------
    why
        Why they do not decide.
    switch
        Whether the equations kink or jump there.
    least
        Whether all eigenvalues are zero and the energy, which is conserved, is least.
    """

    state: ExactState | None
    linear: ExactLinear | None
    spectrum: Spectrum | None
    why: str = ""
    switch: bool = False
    least: bool = False

    @property
    def verdict(self) -> Verdict:
        """By eigenvalues alone."""
        if self.spectrum is None:
            return Verdict.UNKNOWN
        return Verdict.REFUTED if self.spectrum.grows else Verdict.of(True if self.spectrum.decays else None)


def first_approximation(
    field: VectorField, symmetries: tuple[Symmetry, ...], x: Array, p: Array, part: LinearPart
) -> FirstApproximation:
    """Decide what the linear part decides of a steady motion."""
    y = np.concatenate([x, part.pace])
    state = exact_state(field, symmetries, y, p, _slopes(field, symmetries, y, p))
    if state is None:
        return FirstApproximation(None, None, None, "no steady motion is proven to be there in exact numbers")
    energy = field.equations.observables.energy
    try:
        with precision(DIGITS):
            try:
                linear = exact_linear(state, part, functions=energy)
            except SwitchHere:
                linear, energy = exact_linear(state, part), ()
            polynomial = tuple(characteristic(linear.A))
            family = _family(state, linear, polynomial, energy, part.carried, x, p)
    except SwitchHere as switch:
        return FirstApproximation(
            state,
            None,
            None,
            f"the equations kink or jump there ({switch.name}), so that they have no linear part",
            True,
        )
    except (NoSeries, ArithmeticError, KeyError, ValueError) as trouble:
        return FirstApproximation(state, None, None, f"the linear part is not decided there: {trouble}")
    shown = tuple(complex(v) for v in np.linalg.eigvals(part.A)) if part.A.size and np.isfinite(part.A).all() else ()
    spectrum = Spectrum(polynomial, family, shown)
    least = bool(energy) and not spectrum.decays and _is_least(state, spectrum, energy[0], part.carried, x, p)
    return FirstApproximation(state, linear, spectrum, least=least)


def _is_least(state: ExactState, spectrum: Spectrum, energy: Expr, carried: Sequence[int], x: Array, p: Array) -> bool:
    """Whether nothing oscillates or decays, and the energy is least where what symmetries carry stays."""
    roots = spectrum.roots
    if roots is None or roots.right or roots.left or roots.axis or state.field.equations.observables.positions:
        return False
    free = [k for k in range(len(state.x)) if k not in carried]
    if any(place >= len(state.field.model.coordinates) for place in carried):
        return False
    do = LocalArithmetic(2)
    with precision(DIGITS):
        try:
            start = [do.variable(v, k) for k, v in enumerate(state.x)]
            E = values_and_speed_rates(state.field, start, state.p, do, (energy,))[0][0]
        except (NoSeries, ArithmeticError, KeyError, ValueError):
            return False
        if not all(is_zero(E.coefficient(k)) for k in range(len(state.x))):
            return False
        bend = [[E.coefficient(i, j) * (2 if i == j else 1) for j in free] for i in free]
        return is_positive(bend) and is_conserved(state.field, energy, x, p)


def _slopes(field: VectorField, symmetries: Sequence[Symmetry], y: Array, p: Array) -> Array:
    """Derivatives of the residuals in doubles."""
    width = len(field.equations.state)
    jet = field.jet(y[None, :width], p)
    turned, columns = jet.slopes.rate[0].copy(), []
    for c, each in zip(y[width:], symmetries, strict=True):
        turned = turned - c * each.matrix @ jet.slopes.z[0]
        columns.append(-each.at(jet.z[0]))
    more = np.stack(columns, axis=1) if columns else np.empty((len(turned), 0))
    still = np.zeros((jet.held.shape[1], len(columns)))
    return np.vstack([np.hstack([turned, more]), np.hstack([jet.slopes.held[0], still])])


def _family(
    state: ExactState,
    linear: ExactLinear,
    polynomial: Sequence[Coefficient],
    energy: Sequence[Expr],
    carried: Sequence[int],
    x: Array,
    p: Array,
) -> int:
    """Return the dimension of the family of steady motions as far as it is proven and needed."""
    found = count_roots(polynomial)
    if found is not None and found.zero == 0:
        return 0
    if energy and independent(linear.slopes) == 1 and is_conserved(state.field, energy[0], x, p):
        by_energy = count_roots(polynomial, 1)
        if by_energy is not None and by_energy.zero == 1:
            return 1
    return _lines(state, found.zero, carried) if found is not None and state.rational and is_exact(linear.A) else 0


def independent(rows: Sequence[Sequence[Coefficient]]) -> int:
    """Return how many rows are proven independent."""
    found = echelon(transposed([list(row) for row in rows])) if rows and rows[0] else None
    return 0 if found is None else len(found[1])


def _lines(state: ExactState, zeros: int, carried: Sequence[int]) -> int:
    """Return ``zeros`` if a plane of states of that dimension modulo the symmetries satisfies the equations, otherwise 0."""
    if any(place >= len(state.field.model.coordinates) for place in carried):
        return 0
    do = LocalArithmetic(1)
    y = [*state.x, *state.pace]
    series = residuals(state.field, state.symmetries, [do.variable(v, k) for k, v in enumerate(y)], state.p, do)
    J = [[each.coefficient(k) for k in range(len(y))] for each in series]
    if not is_exact(J):
        return 0
    # Symmetries move the coordinates that they carry, so these may stay.
    basis = kernel([*J, *([rational(int(k == place)) for k in range(len(y))] for place in carried)], len(y))
    if len(basis) != zeros:
        return 0
    rng = random.Random(3)
    mixed = [[rng.randrange(-97, 98) for _ in basis] for _ in range(2)]
    for at in _ALONG:
        for weights in (*np.eye(len(basis), dtype=int).tolist(), *mixed):
            moved = [
                c + sum((rational(at * w) * v[k] for w, v in zip(weights, basis, strict=True)), rational(0))
                for k, c in enumerate(y)
            ]
            left = values_at(state.field, state.symmetries, moved, state.p)
            if left is None or not all(is_zero(each) for each in left):
                return 0
    return zeros
