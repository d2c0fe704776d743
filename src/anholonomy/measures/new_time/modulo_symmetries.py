r"""Route: the bracket of the system modulo its symmetries becomes a Poisson bracket in a new time, decided in the invariants.

.. math::
   [\rho_a, \rho_b] - C_{ab}{}^d\rho_d - \psi_a\rho_b + \psi_b\rho_a = 0, \qquad
   \sum_{abc} \bigl(\rho_c(C_{ab}{}^d) - \psi_cC_{ab}{}^d - C_{ab}{}^eC_{ec}{}^d\bigr) = 0 \ \ (\text{cyclic}), \qquad \psi_a = \rho_a(\ln f)

with $\rho_a$ the admissible fields on the invariants. A bracket may be changed by what leaves the motion alone, $\{M_a, M_b\} \to \{M_a, M_b\} - T_{abc}u^c$ with $T$
antisymmetric in all indices: $C_{ab}{}^d = G^{de}g([X_a, X_b], X_e) + T_{abc}G^{cd}$. The first equations are linear in $\psi$ and $T$ and determine them; the others
are checked. Then $f^{-1}\{\,,\}$ obeys Jacobi's identity and the reduced motion is Hamiltonian in $d\tau = f\,dt$: so Chaplygin's ball is
modulo turns about the vertical, as Borisov and Mamaev found, though over its base, all rotations, it is not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from typing import final

import symengine

from anholonomy.algebra.calculus import along
from anholonomy.algebra.expressions import Expr, Vector, dot, matrix_vector, zero
from anholonomy.algebra.linear_algebra.sampled import certified_rows
from anholonomy.algebra.linear_algebra.symbolic import solve
from anholonomy.base.caching import cached_property
from anholonomy.base.deadlines import patience
from anholonomy.base.errors import NotSupportedError, TimeLimitError
from anholonomy.base.verdict import Verdict
from anholonomy.equations.almost_poisson import AlmostPoisson
from anholonomy.equations.reduction.in_momenta import quotient_bracket
from anholonomy.equations.reduction.quotient import Quotient
from anholonomy.findings import Finding, Identity, Quantity, Scope, vanishing
from anholonomy.geometry.frame import Frame
from anholonomy.laws.primitives import primitive_along
from anholonomy.laws.prolongation.bracket_closure import BracketClosure, ValuedField
from anholonomy.laws.reduced_motion import reduced_motion
from anholonomy.measures.density.modulo_symmetries import OrbitDivergence, has_no_drift
from anholonomy.measures.new_time.no_multiplier_by_rank import third_of
from anholonomy.measures.new_time.reduced_bracket import ReducedBracket

__all__ = ["bracket_over_orbits"]

_LONGEST = 4_000
"""Operations up to which a solution is written with the lowest degree in the invariants."""


def bracket_over_orbits(quotient: Quotient, time_limit: float | None) -> ReducedBracket:
    """The decision, within a time."""
    model = quotient.model
    if not has_no_drift(reduced_motion(model)):
        raise NotSupportedError(
            f"{model.name}: forces, time or inhomogeneous constraints act, so that its motion is not that of a bracket."
        )
    claim = f"the bracket of {model.name} modulo symmetries is Poisson in a new time"
    search, logarithm = _Search(OrbitDivergence(quotient)), None
    try:
        with patience(time_limit):
            finding, logarithm = search.decided(claim)
    except (TimeLimitError, KeyboardInterrupt) as trouble:
        finding = Finding.unknown(claim, trouble)
        return ReducedBracket(finding, quotient.base, (), None, quotient_bracket(quotient))
    form = search.gauged(quotient_bracket(quotient))
    closure = search.closure if finding and logarithm is None else None
    return ReducedBracket(finding, quotient.base, (), logarithm, form, hull=closure)


@final
@dataclass(frozen=True)
class _Search:
    below: OrbitDivergence

    @property
    def size(self) -> int:
        return len(self.below.motion.speeds)

    @cached_property
    def triples(self) -> tuple[tuple[int, int, int], ...]:
        """The components of $T$."""
        return tuple(combinations(range(self.size), 3))

    @cached_property
    def given(self) -> dict[tuple[int, int], Vector]:
        r"""$G^{de}g([X_a, X_b], X_e)$."""
        below, found = self.below, {}
        for a, b in combinations(range(self.size), 2):
            row = matrix_vector(below.inverse_ab, below.lowered_bracket(a, b))
            found[a, b] = tuple(map(below.shortest, row))
        return found

    def _part(self, triple: tuple[int, int, int], a: int, b: int) -> Vector:
        r"""The change of $C_{ab}$ with a component of $T$: $\pm G^{cd}$ for each $d$, or zero."""
        if (third := third_of(triple, a, b)) is None:
            return (zero,) * self.size
        c, sign = third
        return tuple(sign * e for e in self.below.inverse_ab[c])

    def _over_coordinates(self) -> Iterator[tuple[str, Vector, Expr]]:
        r"""Rows $(A, r)$ of $A(\psi, T) = r$ from $\{\gamma, M_a, M_b\}$, each with a name."""
        motion = self.below.motion
        rho = motion.fields
        for (a, b), C in self.given.items():
            for q in motion.coordinates:
                slopes, column = [zero] * self.size, [each[q] for each in rho]
                slopes[a], slopes[b] = column[b], -column[a]
                own = along(column[b], rho[a]) - along(column[a], rho[b])
                bent = (dot(self._part(triple, a, b), column) for triple in self.triples)
                yield f"{{{q.name}, M{a + 1}, M{b + 1}}}", (*slopes, *bent), own - dot(C, column)

    @cached_property
    def rows(self) -> list[tuple[str, Vector, Expr]]:
        return list(self._over_coordinates())

    @cached_property
    def unknowns(self) -> tuple[Vector, Vector, bool]:
        r"""$\psi$, $T$ and whether the equations leave no other choice; $T = 0$ where they leave it open."""
        n, on = self.size, self.below.motion.on
        for width in dict.fromkeys((n + len(self.triples), n)):
            cut = [row[:width] for _, row, _ in self.rows]
            chosen = certified_rows(cut, on=on) if cut else ()
            if len(chosen) == width:
                (found,) = solve([cut[k] for k in chosen], [[self.rows[k][2] for k in chosen]])
                found = tuple(self.below.shortest(e) if symengine.count_ops(e) <= _LONGEST else e for e in found)
                return found[:n], found[n:] or (zero,) * len(self.triples), True
        return (zero,) * n, (zero,) * len(self.triples), not self.below.motion.coordinates

    @cached_property
    def structure(self) -> dict[tuple[int, int], Vector]:
        r"""$C_{ab}{}^d$ with $T$."""
        T, found = self.unknowns[1], {}
        for (a, b), row in self.given.items():
            parts = [self._part(triple, a, b) for triple in self.triples]
            found[a, b] = (
                tuple(e + dot(T, [part[d] for part in parts]) for d, e in enumerate(row))
                if any(t != 0 for t in T)
                else row
            )
            found[b, a] = tuple(-e for e in found[a, b])
        return found

    def _over_momenta(self) -> Iterator[Quantity]:
        r"""The Jacobiators of three momenta."""
        C, psi, rho, m = self.structure, self.unknowns[0], self.below.motion.fields, self.size
        for a, b, c in self.triples:
            for d in range(m):
                total = zero
                for x, y, z in ((a, b, c), (b, c, a), (c, a, b)):
                    inner = symengine.Add(*(C[x, y][e] * C[e, z][d] for e in range(m) if e != z))
                    total = total + along(C[x, y][d], rho[z]) - inner - psi[z] * C[x, y][d]
                yield Quantity(f"the Jacobiator {{M{a + 1}, M{b + 1}, M{c + 1}}} on M{d + 1}", total)

    def decided(self, claim: str) -> tuple[Finding, Expr | None]:
        motion, on = self.below.motion, self.below.motion.on
        psi, T, settled = self.unknowns
        both = (*psi, *T)
        left = [Quantity(f"the Jacobiator {name}", dot(row, both) - right) for name, row, right in self.rows]
        jacobi = vanishing(claim, "every Jacobiator", (*left, *self._over_momenta()), on)
        if not jacobi:
            if settled or not jacobi.is_refuted:
                return jacobi, None
            why = "the equations leave the multiplier open, and a constant one does not do"
            return Finding.unknown(claim, why), None
        found = primitive_along(motion.coordinates, motion.fields, psi, [self.below.determinant], on)
        if found is None:
            fits = vanishing(claim, "the misfit of every bracket", self.closure.mismatches(), on)
            both = (*jacobi.evidence, *fits.evidence)
            return (replace(fits, evidence=both, scope=fits.scope.also(jacobi.scope)) if fits else fits), None
        misfits = tuple(along(found, rates) - value for rates, value in zip(motion.fields, psi, strict=True))
        evidence = (*jacobi.evidence, Identity("d(ln f) on every field", misfits, "", on))
        scope = Scope.of(misfits, on).also(jacobi.scope)
        return Finding(claim, Verdict.PROVEN, evidence, scope), self.below.in_one_way(found)

    @cached_property
    def closure(self) -> BracketClosure:
        r"""The fields on the invariants with $X_a(\ln f) = \psi_a$, and their brackets."""
        motion = self.below.motion
        chart = Frame([q.name for q in motion.coordinates])
        pairs = zip(motion.speeds, motion.fields, self.unknowns[0], strict=True)
        fields = (ValuedField(f"X({u.name})", (*rates.values(), zero), rates, value) for u, rates, value in pairs)
        return BracketClosure(chart, tuple(fields), motion.on)

    def gauged(self, form: AlmostPoisson) -> AlmostPoisson:
        r"""The bracket with $\{M_a, M_b\} - T_{abc}u^c$."""
        T = self.unknowns[1]
        if all(t == 0 for t in T):
            return form
        rows, n = [list(row) for row in form.matrix_xy], len(form.model.coordinates)
        for t, triple in zip(T, self.triples, strict=True):
            for a, b, c in (triple, triple[1:] + triple[:1], triple[2:] + triple[:2]):
                rows[n + a][n + b] = rows[n + a][n + b] - t * form.velocities[c]
                rows[n + b][n + a] = rows[n + b][n + a] + t * form.velocities[c]
        return replace(form, matrix_xy=tuple(map(tuple, rows)))
