r"""Route: an invariant density that is a function of the invariants of the symmetries, few variables where the configurations have many.

.. math::
   \theta_b = Y_a(S_b{}^a) + S_b{}^a\operatorname{div}Y_a + G_D^{cd}\,\bigl(g([X_b, X_c]_K, X_d) + \nu(X_b, X_c, X_d)\bigr), \qquad X_b = S_b{}^aY_a

Fields, metric and volume are left alone by the symmetries, so that $\theta_b$ is a function of the invariants, and a density $N(\gamma)$ with
$X_b(\ln N) = -\theta_b$ is one of the full system and of the reduced one, whose volume is that of the configurations carried down. Conversely a
density of the full system may be averaged over a compact group of symmetries, and is then one of these.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import symengine

from anholonomy.algebra.calculus import along, jacobian
from anholonomy.algebra.expressions import Expr, Matrix, Vector, dot, identity, matrix_vector, nodes_of, zero
from anholonomy.algebra.linear_algebra.symbolic import determinant, inverse, nullspace_on
from anholonomy.algebra.normal_forms.canonical import Canonical, NoNormalForm
from anholonomy.algebra.redundant_coordinates import square_in, without_square
from anholonomy.algebra.short_forms_on_groups import shortened
from anholonomy.algebra.simplification.simplify import readable
from anholonomy.base.caching import cached_property
from anholonomy.base.deadlines import ASIDE, check, effort
from anholonomy.base.errors import NotSupportedError, TimeLimitError
from anholonomy.base.verdict import Verdict
from anholonomy.equations.reduction.quotient import Quotient, quotient
from anholonomy.equations.reduction.spatial import seen_from_space
from anholonomy.findings import Finding, Identity, Quantity, Scope
from anholonomy.geometry.brackets import bracket
from anholonomy.laws.divergence import Divergence
from anholonomy.laws.primitives import primitive_along, seems_positive
from anholonomy.laws.prolongation.bracket_closure import ValuedField
from anholonomy.laws.reduced_motion import ReducedMotion, reduced_motion
from anholonomy.measures.density.problem import Decision, DensityProblem

__all__ = [
    "OrbitDivergence",
    "has_no_drift",
    "is_redundant_with_roots",
    "is_redundant_without_roots",
    "modulo_symmetries",
    "modulo_symmetries_at_a_glance",
]


def modulo_symmetries(problem: DensityProblem) -> Decision | None:
    r"""Proven, if a density that the symmetries leave alone is found in the invariants."""
    motion = problem.motion
    if not has_no_drift(motion):
        return None
    try:
        found = OrbitDivergence(quotient(motion.model))
        proof = found.proven(problem.claim)
        return None if proof is None else Decision(proof[0], *found.logarithms_above(proof[1], motion))
    except (NotSupportedError, NoNormalForm):
        return None


def modulo_symmetries_at_a_glance(problem: DensityProblem) -> Decision | None:
    """The same within seconds; the problem remembers where these were too few."""
    try:
        with effort(ASIDE):
            return modulo_symmetries(problem)
    except TimeLimitError:
        check()
        problem.unfinished.append("modulo symmetries")
        return None


def is_redundant_without_roots(problem: DensityProblem) -> bool:
    """True if coordinates are redundant and no root of them occurs: then functions of the invariants are shorter than any others."""
    return _is_redundant(problem) and not _has_roots(problem.motion)


def is_redundant_with_roots(problem: DensityProblem) -> bool:
    """True if roots of redundant coordinates occur, which make functions of the invariants long."""
    return _is_redundant(problem) and _has_roots(problem.motion)


def _is_redundant(problem: DensityProblem) -> bool:
    on = problem.motion.on
    return on is not None and bool(on.tied)


def _has_roots(motion: ReducedMotion) -> bool:
    """True if roots of coordinates occur; seen from space there are none of these."""
    model = seen_from_space(motion.model)[0]
    if model is not motion.model:
        return False
    entries = (model.lagrangian, *(e for row in motion.span_ba for e in row))
    powers = (node for e in entries for node in nodes_of(e, symengine.Pow))
    return any(not isinstance(node.args[1], symengine.Integer) for node in powers)


def has_no_drift(motion: ReducedMotion) -> bool:
    """True if nothing but the admissible fields moves the system: no time, no forces, no inhomogeneous constraints."""
    model = motion.model
    return not motion.mentions_time and all(e == 0 for e in (*model.forces_a, *model.offset_n))


@final
@dataclass(frozen=True)
class OrbitDivergence:
    """The admissible fields over the invariants, with the divergence along them."""

    quotient: Quotient

    @cached_property
    def motion(self) -> ReducedMotion:
        return reduced_motion(self.quotient.base)

    @cached_property
    def spread_a(self) -> Vector:
        r"""$\operatorname{div}Y_a$ in the volume of the configurations."""
        return self.quotient.space.vector(self.quotient.carried.spread_a)

    @cached_property
    def _lowered(self) -> Matrix:
        return tuple(matrix_vector(self.quotient.metric_ab, row) for row in self.motion.span_ba)

    @cached_property
    def metric_ab(self) -> Matrix:
        r"""$g(X_a, X_b)$."""
        return tuple(tuple(readable(dot(low, row)) for row in self.motion.span_ba) for low in self._lowered)

    @cached_property
    def determinant(self) -> Expr:
        """The determinant of the metric, with the square of that invariant eliminated which gives it most factors."""
        return max(self._ways, key=_factors)

    @cached_property
    def _ways(self) -> tuple[Expr, ...]:
        whole = self.quotient.shortest(determinant(self.metric_ab))
        squares = (square_in(e, [s]) for e in self.quotient.space.relations for s in sorted(e.free_symbols, key=str))
        return (whole, *(without_square(whole, *found) for found in squares if found is not None))

    @cached_property
    def inverse_ab(self) -> Matrix:
        r"""$G_D^{ab}$."""
        return self.quotient.inverse_ab if self._is_whole else inverse(self.metric_ab)

    @cached_property
    def fields(self) -> tuple[ValuedField, ...]:
        r"""$X_b$ with $-\theta_b$; the components are those on the invariants."""
        motion = self.motion
        return tuple(
            ValuedField(f"X({u.name})", (*rates.values(), zero), rates, self.shortest(-self._theta(b)))
            for b, (u, rates) in enumerate(zip(motion.speeds, motion.fields, strict=True))
        )

    def shortest(self, value: Expr) -> Expr:
        """A function of the invariants over the determinant, of the lowest degree that their relations allow."""
        if not self._is_whole:
            return readable(value)
        return self.quotient.shortest(value).xreplace({self._ways[0]: self.determinant})

    def logarithms_above(self, logarithm: Expr, motion: ReducedMotion) -> tuple[Expr, Expr]:
        r"""The logarithms of the densities of $dq\,d\pi$ and of $dq\,du$ for the full system's own speeds, in the names of its group.

        With $u_{\text{here}} = Tu$ they are $\ln N - \ln|\det T|$ and $\ln N + \ln\det G + \ln|\det T|$.
        """
        turned, named = self._logarithm_of_change(motion), dict(self.quotient.space.named)
        pair = self.in_one_way(logarithm - turned), self.logarithm_of_density(logarithm + turned)
        return pair[0].xreplace(named), pair[1].xreplace(named)

    def logarithm_of_density(self, logarithm: Expr) -> Expr:
        r"""$\ln N + \ln\det G$, of the density of $dq\,du$."""
        return self.in_one_way(logarithm + _logarithm_of_factors(self.determinant))

    def in_one_way(self, value: Expr) -> Expr:
        """Logarithms of functions that are equal, or opposite, on the invariants in one and the same form."""
        on, found = self.motion.on, {}
        for node in nodes_of(value, symengine.log):
            (P,) = node.args
            found[node] = symengine.log(self.quotient.shortest(P if seems_positive(P, on) else -P))
        return value.xreplace(found)

    def _logarithm_of_change(self, motion: ReducedMotion) -> Expr:
        quotient = self.quotient
        if self._is_whole and motion.span_ba == quotient.carried.span_above:
            return zero
        if not quotient.carried.has_own_directions:
            return self._logarithm_by_volumes(motion)
        own = dict(zip(quotient.carried.speeds, quotient.carried.speeds_of(motion.velocities), strict=True))
        here = [u.xreplace(own) for u in self.motion.speeds_of_velocities.values()]
        slopes = jacobian(here, motion.speeds)
        if quotient.carried.turned_ba is None:
            return _logarithm_of_factors(determinant(tuple(map(quotient.space.vector, slopes))))
        # Of a turn no entry is an invariant, but the determinant is one.
        return _logarithm_of_factors(quotient.space.written(shortened(determinant(slopes), motion.on)))

    def _logarithm_by_volumes(self, motion: ReducedMotion) -> Expr:
        r"""$\ln|\det T|$ from $\det G_{\text{there}} = (\det T)^2\det G_{\text{here}}$, where the speeds here are no velocities."""
        there = self.quotient.space.written(shortened(Divergence(motion).determinant, motion.on))
        return (_logarithm_of_factors(there) - _logarithm_of_factors(self.determinant)) / 2

    def proven(self, claim: str) -> tuple[Finding, Expr] | None:
        r"""A density in closed form, as a finding with $\ln N$ of the volume and the momenta of these speeds."""
        coordinates, on, fields = self.quotient.space.coordinates, self.motion.on, self.fields
        rates, values = [each.rates for each in fields], [each.value for each in fields]
        found = primitive_along(coordinates, rates, values, [self.determinant], on)
        if found is None:
            return None
        misfits = tuple(along(found, each.rates) - each.value for each in fields)
        name = "X(ln N) + div for every admissible field X, modulo symmetries"
        evidence = Identity(name, misfits, r"X_a(\ln N) + \theta_a", on)
        return Finding(claim, Verdict.PROVEN, (evidence,), Scope.of(misfits, on)), found

    def misfits(self) -> list[Quantity]:
        r"""$f^b\theta_b$ where $f^bX_b$ moves no invariant, as no function of these changes along it; all must vanish.

        For left-invariant systems no invariants are left, and the criterion is that of Kozlov and Jovanović: every $\theta_b$ is zero.
        """
        fields, count = self.fields, len(self.fields)
        columns = list(zip(*(each.rates.values() for each in fields), strict=True))
        still = nullspace_on(columns, self.motion.on) if columns else identity(count)
        values = [each.value for each in fields]
        return [Quantity("the divergence along what moves no invariant", dot(f, values), r"f^b\theta_b") for f in still]

    @cached_property
    def _is_whole(self) -> bool:
        return self.motion.span_ba == identity(len(self.quotient.carried.speeds))

    def _theta(self, b: int) -> Expr:
        motion, row = self.motion, self.motion.span_ba[b]
        total = symengine.Add(*map(along, row, motion.model.frame.fields)) + dot(row, self.spread_a)
        for c in range(len(motion.span_ba)):
            total = total + dot(self.inverse_ab[c], self.lowered_bracket(b, c))
        return total

    def lowered_bracket(self, b: int, c: int) -> Vector:
        r"""$g([X_b, X_c], X_d)$ for each $d$."""
        motion, S = self.motion, self.motion.span_ba
        inside = bracket(motion.model.frame, S[b], S[c], motion.fields[b], motion.fields[c])
        bent = self._outside(S[b], S[c])
        return tuple(dot(inside, low) + dot(bent, row) for low, row in zip(self._lowered, S, strict=True))

    def _outside(self, X: Vector, Y: Vector) -> Vector:
        r"""$X^aY^b\nu_{abd}$."""
        total = [zero] * len(X)
        for (a, b), (lower, _) in self.quotient.outside.items():
            weight = X[a] * Y[b] - X[b] * Y[a]
            total = [t + weight * e for t, e in zip(total, lower, strict=True)]
        return tuple(total)


def _logarithm_of_factors(value: Expr) -> Expr:
    """The logarithm of the size of a function as a sum over its factors, of which each may have either sign."""
    forms = Canonical([value])
    total = zero
    for polynomial, sign in zip(forms.quotient(value), (1, -1), strict=True):
        unit, factors = forms.ring.lift(polynomial).factor()
        total = total + sign * symengine.log(symengine.Rational(abs(int(unit.p)), int(unit.q)))
        total = total + symengine.Add(
            *(sign * int(power) * symengine.log(forms.ring.expanded(factor)) for factor, power in factors)
        )
    return total


def _factors(value: Expr) -> int:
    try:
        forms = Canonical([value])
        return len(forms.quotient(value).num.factor()[1])
    except NoNormalForm:
        return 0
