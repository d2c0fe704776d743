r"""Generalized speeds in terms of velocities: the kinematic differential equations the other way round.

.. math:: K_{\dot q}\,\dot q + K_u u + f = 0 \quad\Longrightarrow\quad u = u(q, \dot q, t)

A speed that no equation mentions has a coordinate of its own, which SymPy leaves out because it can be ignored; it is
put back, so that the speed is its velocity. An equation that mentions no further speed is a constraint. Where there are
such, the speeds are defined by least squares, $K_u^{\mathsf T} K_u u = -K_u^{\mathsf T}(K_{\dot q}\,\dot q + f)$, which is
regular wherever the speeds are: $v = \dot x\cos\theta + \dot y\sin\theta$ and not $\dot x/\cos\theta$. Whether two
expressions mean the same motion is asked where the constraints hold, with the velocities that they determine put in.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import final

import symengine

from anholonomy.algebra.calculus import jacobian
from anholonomy.algebra.expressions import Expr, Symbol, dot, free_symbols, symbol, zero
from anholonomy.algebra.linear_algebra.symbolic import independent_rows, solve
from anholonomy.base.errors import DeclarationError

__all__ = ["Kinematics", "solve_kinematics"]


@final
@dataclass(frozen=True)
class Kinematics:
    """Speeds in velocities, names of coordinates put back, and equations that are left as constraints.

    ``definitions`` are regular and what the motion is written with. ``reduced`` says what the speeds, and the velocities
    that the constraints determine, equal in the other velocities where the constraints hold; it may have poles, and is
    what identities are tested with.
    """

    definitions: dict[Symbol, Expr]
    reduced: dict[Symbol, Expr]
    added: tuple[str, ...]
    constraints: tuple[Expr, ...]


def solve_kinematics(
    rows: Sequence[Expr], speeds: Sequence[Symbol], moving: Collection[Symbol], free: Callable[[str], str]
) -> Kinematics:
    """Solve the rows for the speeds; ``free`` makes a name that nobody has, ``moving`` are coordinates and time."""
    K = jacobian(rows, speeds)
    if free_symbols(entry for row in K for entry in row) & set(speeds):
        raise DeclarationError(
            "the kinematic differential equations are not linear in the speeds; write them linearly."
        )
    found, left = _easily(list(rows), speeds, set(moving))
    unknown = [u for u in speeds if u not in found]
    K = jacobian(left, unknown)
    columns = independent_rows(tuple(zip(*K, strict=True))) if unknown and left else ()
    added = []
    for k, u in enumerate(unknown):
        if k not in columns:
            name = free(f"q_{u.name}")
            found[u] = symbol(f"{name}'")
            added.append(name)
    wanted = [unknown[k] for k in columns]
    left = [row.xreplace(found) for row in left]
    best: dict[Symbol, Expr] = {}
    if wanted:
        K = jacobian(left, wanted)
        chosen = independent_rows(K)
        rest = [-row.xreplace(dict.fromkeys(wanted, zero)) for row in left]
        (solution,) = solve([K[i] for i in chosen], [[rest[i] for i in chosen]])
        found |= dict(zip(wanted, solution, strict=True))
        if len(chosen) < len(left):
            columns_K = list(zip(*K, strict=True))
            (solution,) = solve(
                [[dot(a, b) for b in columns_K] for a in columns_K], [[dot(a, rest) for a in columns_K]]
            )
            best = dict(zip(wanted, solution, strict=True))
        left = [row.xreplace(found) for i, row in enumerate(left) if i not in chosen]
    complete = {u: value.xreplace(found) for u, value in found.items()}
    definitions = {u: value.xreplace(found | best) for u, value in (found | best).items()}
    constraints = tuple(row for row in left if row != 0)
    determined = _determined(constraints, free_symbols(complete.values()))
    reduced = {u: value.xreplace(determined) for u, value in complete.items()} | determined
    return Kinematics(definitions, reduced, tuple(added), constraints)


def _determined(rows: Sequence[Expr], used: Collection[Symbol]) -> dict[Symbol, Expr]:
    """Velocities that the constraints determine, in the others; those not ``used`` in the speeds are solved for first."""
    velocities = sorted((s for s in free_symbols(rows) if s.name.endswith("'")), key=lambda s: (s in used, s.name))
    slopes = jacobian(rows, velocities)
    if not velocities or free_symbols(entry for row in slopes for entry in row) & set(velocities):
        return {}
    columns = independent_rows(tuple(zip(*slopes, strict=True)))
    chosen = independent_rows(slopes)
    solved = [velocities[k] for k in columns]
    rest = [-rows[i].xreplace(dict.fromkeys(solved, zero)) for i in chosen]
    (solution,) = solve([[slopes[i][k] for k in columns] for i in chosen], [rest])
    return dict(zip(solved, solution, strict=True))


def _easily(rows: list[Expr], speeds: Sequence[Symbol], moving: set[Symbol]) -> tuple[dict[Symbol, Expr], list[Expr]]:
    """Speeds that stand alone in a row with a constant before them, numbers preferred; and the other rows."""
    found: dict[Symbol, Expr] = {}
    while candidates := _alone(rows, speeds, moving):
        _, place, u, coefficient = candidates[0]
        found[u] = symengine.expand(-rows[place].xreplace({u: zero}) / coefficient)
        rows = [row.xreplace({u: found[u]}) for k, row in enumerate(rows) if k != place]
    return found, [symengine.expand(row) for row in rows if symengine.expand(row) != 0]


def _alone(rows: Sequence[Expr], speeds: Sequence[Symbol], moving: set[Symbol]) -> list[tuple[bool, int, Symbol, Expr]]:
    """Rows with one speed and a constant before it, the best first."""
    found = []
    for place, row in enumerate(rows):
        present = [u for u in speeds if u in row.free_symbols]
        if len(present) != 1:
            continue
        ((coefficient,),) = jacobian([row], present)
        if coefficient != 0 and not coefficient.free_symbols & moving:
            found.append((not isinstance(coefficient, symengine.Number), place, present[0], coefficient))
    return sorted(found, key=lambda candidate: candidate[:2])
