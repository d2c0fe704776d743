r"""The reduced system in momenta: its bracket, and its equations as a textbook prints them, in vectors where a body turns.

.. math:: \dot M = M\times w + \dots, \qquad \dot\gamma = \gamma\times w

The momenta obey $\dot M_a = u^bK_{ba}{}^dM_d + R_a$ with $R_a = Y_a(\ell) + u^b(\nu_{bad}u^d + \beta(N_{ba})) + Q_a$, and a multiplier for each constraint that is
kept. Where $K$ is the algebra of rotations the first term is $M\times w$; where three invariants obey $\dot\gamma = \gamma\times w$ they are a vector fixed in space.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import final

import symengine

from anholonomy.algebra.calculus import along, gradient
from anholonomy.algebra.expressions import (
    Expr,
    Matrix,
    Symbol,
    Vector,
    dot,
    identity,
    matrix_vector,
    symbol,
    unused,
    zero,
)
from anholonomy.algebra.linear_algebra.symbolic import inverse
from anholonomy.algebra.simplification.simplify import READABLE, readable, simplify_vector
from anholonomy.algebra.simplification.sums import oriented
from anholonomy.algebra.steps.definitions import inline
from anholonomy.algebra.zero_test import are_all_zero
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import NotSupportedError
from anholonomy.equations.almost_poisson import AlmostPoisson
from anholonomy.equations.principles.hamiltonian import name_momenta
from anholonomy.equations.reduction.quotient import Quotient
from anholonomy.geometry.brackets import bracket
from anholonomy.geometry.groups.so3 import so3_constants
from anholonomy.language.answers import EQUALS, Mark, Part, Row
from anholonomy.system.frames.adapted import adapted_frame

__all__ = ["BookForm", "quotient_bracket"]

_CROSS, _DOT, _PLUS, _TIMES = Mark(" × ", r"\times"), Mark(" · ", r"\cdot"), Mark(" + ", "+"), Mark("*", "")


# The bracket on functions of the invariants and of the momenta along invariant directions.
#
# .. math::
#    \{\gamma_i, M_a\} = Y_a(\gamma_i), \qquad \{M_a, M_b\} = -K_{ab}{}^dM_d - \nu_{abd}u^d - \beta(N_{ab}), \qquad
#    M_a = \frac{\partial\ell}{\partial u^a}, \quad u = G^{-1}(M - b)
#
# It is antisymmetric and gives the motion with the Hamiltonian $h = \tfrac12(M - b)\cdot G^{-1}(M - b) + V$; Jacobi's identity it need not obey.


def momentum_symbols(quotient: Quotient) -> tuple[Symbol, ...]:
    """M1, M2, …, one for each speed, with names that nobody else has."""
    base = quotient.base
    return tuple(unused(f"M{a}", base.names.__contains__) for a, _ in enumerate(base.velocities, 1))


def quotient_bracket(quotient: Quotient) -> AlmostPoisson:
    r"""The Hamiltonian form; where constraints are kept, in the momenta $\pi_b = S_b{}^aM_a$ along the directions $X_b = S_b{}^aY_a$ that these leave."""
    base, frame = quotient.base, adapted_frame(quotient.base)
    if any(e != 0 for e in frame.offset_a):
        raise NotSupportedError(
            f"{quotient.model.name}: its constraints are inhomogeneous, so that its motion is not that of a bracket."
        )
    S = tuple(inline(row, frame.definitions) for row in frame.span_ba)
    M = momentum_symbols(quotient) if identity(len(S)) == S else name_momenta(base, frame)
    linear = matrix_vector(S, quotient.linear_a)
    shifted = [p - b for p, b in zip(M, linear, strict=True)]
    speeds = matrix_vector(_inverse(quotient, S), shifted)
    w = tuple(map(readable, (dot(speeds, column) for column in zip(*S, strict=True))))
    potential, n = quotient.space.written(quotient.carried.potential), len(base.coordinates)
    moving = dict(zip(base.velocities, w, strict=True))
    pushed = matrix_vector(S, [Q.xreplace(moving) for Q in quotient.forces_a])
    return AlmostPoisson(
        model=base,
        momenta=M,
        definitions=simplify_vector(matrix_vector(S, gradient(quotient.lagrangian, base.velocities))),
        velocities=w,
        hamiltonian=readable(dot(shifted, speeds) / 2) + potential,
        matrix_xy=_matrix(quotient, S, w),
        drift_x=(zero,) * (n + len(M)),
        forces_x=(*(zero,) * n, *pushed),
    )


def _inverse(quotient: Quotient, S: Matrix) -> Matrix:
    if identity(len(S)) == S:
        return quotient.inverse_ab
    lowered = [matrix_vector(quotient.metric_ab, row) for row in S]
    return inverse(tuple(tuple(quotient.shortest(dot(low, row)) for row in S) for low in lowered))


def _matrix(quotient: Quotient, S: Matrix, w: Vector) -> Matrix:
    r"""$\{\gamma, \pi_b\} = X_b(\gamma)$ and $\{\pi_b, \pi_c\} = -[X_b, X_c]_K\cdot M - \nu(X_b, X_c, w) - \beta(N_{bc})$."""
    frame = quotient.base.frame
    if identity(len(S)) == S:
        M: Vector = momentum_symbols(quotient)
    else:
        M = tuple(p + b for p, b in zip(matrix_vector(quotient.metric_ab, w), quotient.linear_a, strict=True))
    fields = [frame.direction(row) for row in S]
    width, n = len(frame.coordinates), range(len(S))
    turned = [[zero] * len(n) for _ in n]
    for b, c in combinations(n, 2):
        total = dot(bracket(frame, S[b], S[c], fields[b], fields[c]), M)
        for (i, j), (lower, bent) in quotient.outside.items():
            total = total + (S[b][i] * S[c][j] - S[b][j] * S[c][i]) * (dot(lower, w) + bent)
        turned[b][c], turned[c][b] = -readable(total), readable(total)
    rows = [tuple(field.values()) for field in fields]
    top = [(*(zero,) * width, *(row[i] for row in rows)) for i in range(width)]
    return (*top, *((*(-e for e in row), *right) for row, right in zip(rows, turned, strict=True)))


# The equations as a book has them.


@final
@dataclass(frozen=True)
class BookForm:
    """The lines of a reduced system."""

    quotient: Quotient

    @cached_property
    def momenta(self) -> dict[Symbol, Expr]:
        r"""$M_a = \partial\ell/\partial u^a$."""
        values = simplify_vector(gradient(self.quotient.lagrangian, self.quotient.base.velocities))
        return dict(zip(momentum_symbols(self.quotient), values, strict=True))

    @cached_property
    def rest_a(self) -> Vector:
        r"""$R_a$: what the rates of the momenta have besides the structure $K$, and besides multipliers."""
        base, frame = self.quotient.base, self.quotient.base.frame
        fields = frame.fields
        whole = (along(base.lagrangian, field) + Q for field, Q in zip(fields, base.forces_a, strict=True))
        return tuple(map(self.quotient.shortest, whole))

    @cached_property
    def momentum_rates(self) -> Vector:
        r"""$u^bK_{ba}{}^dM_d + R_a + \lambda_\nu A^\nu{}_a$, in momenta, speeds, invariants and multipliers."""
        base, K, M = self.quotient.base, self.quotient.inside_abd, tuple(self.momenta)
        u, rows = base.velocities, base.matrix_na
        found = []
        for a, rest in enumerate(self.rest_a):
            turned = dot(u, [dot(K[b][a], M) for b in range(len(u))])
            pushed = dot(base.multipliers, [row[a] for row in rows]) if rows else 0
            found.append(self._shorter(turned + rest + pushed))
        return tuple(found)

    def _shorter(self, rate: Expr) -> Expr:
        """A rate in the speeds alone where that is less than half as long: terms of a momentum may cancel others."""
        if symengine.count_ops(rate) > READABLE:
            return rate
        flat = self.quotient.shortest(rate.xreplace(self.momenta))
        return flat if 2 * symengine.count_ops(flat) <= symengine.count_ops(rate) else rate

    @cached_property
    def turns(self) -> bool:
        """Whether the speeds are those of a turning body."""
        return self.quotient.inside_abd == so3_constants()

    @cached_property
    def directions(self) -> tuple[Symbol, ...]:
        r"""Three invariants with $\dot\gamma = \gamma\times w$; empty where there are none."""
        space, frame = self.quotient.space, self.quotient.base.frame
        g = tuple(space.invariants)
        if not self.turns or len(g) != 3:
            return ()
        cross = ((0, g[2], -g[1]), (-g[2], 0, g[0]), (g[1], -g[0], 0))
        apart = (
            e - c for row, line in zip(frame.anchor_ai, cross, strict=True) for e, c in zip(row, line, strict=False)
        )
        return g if are_all_zero(apart, frame.orbit) else ()

    def as_rows(self) -> Iterable[Part]:
        """The definitions of invariants and momenta, and their equations."""
        space = self.quotient.space
        for s, value in (*space.named.items(), *self.momenta.items()):
            yield Row(s, EQUALS, oriented(value))
        for relation in space.relations:
            yield Row(oriented(relation), EQUALS, zero)
        yield from self._rates()

    def _rates(self) -> Iterator[Row]:
        base = self.quotient.base
        M, u, g = map(_stem, (tuple(self.momenta), base.velocities, self.directions))
        along_g = bool(g) and all(entries == self.directions for entries in base.matrix_na)
        if M and u and self.turns and all(e == 0 for e in self.rest_a) and (along_g or not base.constraints):
            pushed = ((_PLUS, each, _TIMES, g) for each in base.multipliers)
            yield Row(_dotted(M), EQUALS, M, _CROSS, u, pushed)
        else:
            for s, rate in zip(self.momenta, self.momentum_rates, strict=True):
                yield Row(_dotted(s), EQUALS, oriented(rate))
        if g and u:
            yield Row(_dotted(g), EQUALS, g, _CROSS, u)
        for q, rate in base.frame.coordinate_rates(base.velocities).items():
            if not (g and u) or q not in self.directions:
                yield Row(_dotted(q), EQUALS, oriented(rate))
        for c in base.constraints:
            vector = along_g and u and c.offset == 0
            yield Row((g, _DOT, u) if vector else oriented(c.expression), EQUALS, zero)


def _dotted(s: Symbol) -> Symbol:
    return symbol(f"{s.name}'")


def _stem(symbols: Sequence[Symbol]) -> Symbol | None:
    """The symbol x for the names x1, x2, x3; None if there are others."""
    names = [s.name for s in symbols]
    stems = {name.rstrip("0123456789") for name in names}
    stem = stems.pop() if len(stems) == 1 else ""
    return symbol(stem) if stem and names == [f"{stem}{k}" for k in (1, 2, 3)] else None
