r"""How many symmetries there can be at most: jets of the equations at one point.

.. math:: \partial^\alpha\bigl(A_a X^a + B^j{}_a\,\partial_j X^a\bigr) = 0, \quad |\alpha| \le k
   \quad\Longrightarrow\quad \dim\{X\} \le N - \operatorname{rank} M_k(q)

$M_k(q)$ are the coefficients of the $N$ derivatives of $X$ up to order $k + 1$ at the point $q$. A Killing field is known
everywhere by its 1-jet at a point, because the equations give all higher derivatives; so the kernel of $M_k$ has no room for
anything but 1-jets, and every independent symmetry takes one dimension of it. The rank is certified in ball arithmetic.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb, prod
from typing import TypeAlias

import symengine

from anholonomy.symbolic.calculus import partial
from anholonomy.symbolic.expressions import Expr, Symbol, Vector, zero
from anholonomy.symbolic.matrices.sampled_rank import certified_rows
from anholonomy.symbolic.numbers.residues import rank_below
from anholonomy.symbolic.orbits.orbit import Orbit
from anholonomy.symbolic.patience import check

__all__ = ["symmetry_bound"]

Powers: TypeAlias = tuple[int, ...]
"""How often each coordinate is differentiated by."""

Part: TypeAlias = tuple[Vector, Sequence[Vector]]
"""For one direction $a$: the coefficients $A_{e,a}$, and the list of $B^j{}_{e,a}$ for each equation $e$."""

MAX_COLUMNS = 120
"""Unknowns up to which the rank is found exactly."""
MAX_MODULAR = 700
"""Unknowns up to which the rank is certified, in balls and modulo a prime."""
MAX_OPERATIONS = 2_000_000
"""Operations of equations up to which these are evaluated at all."""


def symmetry_bound(
    parts: Sequence[Part], coordinates: Sequence[Symbol], known: int, on: Orbit | None = None
) -> int | None:
    """An upper bound for the number of independent solutions of first-order equations that contain Killing's.

    Orders are raised until the bound is ``known``, the number already found, or the equations grow large; None where
    not even the first order is small enough.
    """
    best = None
    for order in range(1, 5):
        unknowns = [(a, beta) for a in range(len(parts)) for beta in _up_to(order + 1, len(coordinates))]
        if len(unknowns) > MAX_MODULAR:
            break
        place = {each: k for k, each in enumerate(unknowns)}
        rows = []
        for e in range(len(parts[0][0])):
            for alpha in _up_to(order, len(coordinates)):
                row = [zero] * len(unknowns)
                for each, coefficient in _differentiated(parts, e, alpha, coordinates).items():
                    row[place[each]] = coefficient
                rows.append(tuple(row))
                check()
        if (
            len(unknowns) > MAX_COLUMNS
            and symengine.count_ops(*(entry for row in rows for entry in row)) > MAX_OPERATIONS
        ):
            break
        rank = _rank(rows, on)
        if rank is None:
            break
        bound = len(unknowns) - rank
        best = bound if best is None else min(best, bound)
        if best <= known:
            break
    return best


def _rank(rows: Sequence[Vector], on: Orbit | None) -> int | None:
    """A certified lower bound of the rank; None where it would take too long."""
    found = rank_below(rows, on.known if on else None)
    if found is not None or len(rows[0]) > MAX_COLUMNS:
        return found
    return len(certified_rows(rows, points=1, on=on))


def _differentiated(
    parts: Sequence[Part], e: int, alpha: Powers, coordinates: Sequence[Symbol]
) -> dict[tuple[int, Powers], Expr]:
    r"""The coefficients of $\partial^\beta X^a$ in the $\alpha$-th derivative of equation $e$, by Leibniz' rule."""
    row: dict[tuple[int, Powers], Expr] = {}
    for gamma in _below(alpha):
        times = prod(comb(i, j) for i, j in zip(alpha, gamma, strict=True))
        rest = tuple(i - j for i, j in zip(alpha, gamma, strict=True))
        for a, (values, slopes) in enumerate(parts):
            pairs = [(gamma, values[e]), *((_raised(gamma, j), B) for j, B in enumerate(slopes[e]))]
            for beta, coefficient in pairs:
                if coefficient != 0 and (part := _derivative(coefficient, rest, tuple(coordinates))) != 0:
                    row[a, beta] = row.get((a, beta), zero) + times * part
    return row


@lru_cache(maxsize=4096)
def _derivative(f: Expr, powers: Powers, coordinates: tuple[Symbol, ...]) -> Expr:
    for i, count in enumerate(powers):
        if count:
            lower = (*powers[:i], count - 1, *powers[i + 1 :])
            return partial(_derivative(f, lower, coordinates), coordinates[i])
    return f


def _up_to(order: int, n: int) -> list[Powers]:
    chosen = (c for k in range(order + 1) for c in combinations_with_replacement(range(n), k))
    return [tuple(c.count(i) for i in range(n)) for c in chosen]


@lru_cache(maxsize=4096)
def _below(alpha: Powers) -> list[Powers]:
    return [gamma for gamma in _up_to(sum(alpha), len(alpha)) if all(j <= i for i, j in zip(alpha, gamma, strict=True))]


def _raised(gamma: Powers, j: int) -> Powers:
    return (*gamma[:j], gamma[j] + 1, *gamma[j + 1 :])
