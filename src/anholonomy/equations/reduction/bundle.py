r"""Trivial bundles: a frame that is a product, the directions of a fibre in it, and what is left without them.

.. math:: [E_i, E_j] = c_{ij}{}^k E_k, \qquad [E_A, E_B] = C_{AB}{}^D E_D, \qquad [E_i, E_A] = 0

A fibre is a union of factors of the frame: coordinates that are translated, groups that act on themselves. The base is
the product of the other factors.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from math import prod
from typing import TypeAlias

import symengine

from anholonomy.algebra.calculus import partial
from anholonomy.algebra.expressions import Expr, Symbol, Vector, unused, zero
from anholonomy.algebra.simplification.simplify import simplify
from anholonomy.algebra.switching import has_corners
from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.errors import NotSupportedError
from anholonomy.geometry.frame import Frame
from anholonomy.geometry.groups import AbstractGroup, Circle, Product, Rn
from anholonomy.system.constraints import Constraint, Kind
from anholonomy.system.model import Model

__all__ = [
    "Directions",
    "base_group",
    "by_degree",
    "factors",
    "fibre_choices",
    "group_factors",
    "identity_of",
    "moved",
    "restricted_frame",
    "restricted_invariants",
]

Directions: TypeAlias = tuple[int, ...]
"""Positions of directions in a frame."""


@lru_cache(maxsize=64)
def factors(frame: Frame) -> tuple[Directions, ...]:
    """The finest splitting of the frame: directions stay together that do not commute or move a common coordinate.

    >>> from anholonomy.geometry.groups import Rn, SO3
    >>> factors((SO3() * Rn("x", "y")).frame)
    ((0, 1, 2), (3,), (4,))
    """
    blocks: list[set[int]] = [{a} for a in range(frame.size)]
    for tied in _ties(frame):
        touched = [block for block in blocks if block & tied]
        blocks = [block for block in blocks if not block & tied] + [set().union(*touched)]
    return tuple(sorted(tuple(sorted(block)) for block in blocks))


def _ties(frame: Frame) -> Iterator[set[int]]:
    for column in zip(*frame.anchor_ai, strict=True):
        yield {a for a, entry in enumerate(column) if entry != 0}
    for a, plane in enumerate(frame.structure_abd):
        for b, row in enumerate(plane):
            if any(entry != 0 for entry in row):
                yield {a, b, *(d for d, entry in enumerate(row) if entry != 0)}


def moved(frame: Frame, directions: Sequence[int]) -> tuple[Symbol, ...]:
    """The coordinates that some of the directions move."""
    rows = [frame.anchor_ai[a] for a in directions]
    return tuple(q for i, q in enumerate(frame.coordinates) if any(row[i] != 0 for row in rows))


def fibre_choices(blocks: Sequence[Directions], count: int) -> Iterator[Directions]:
    """Directions among which a fibre of ``count`` may be looked for, larger groups first.

    Directions that are factors by themselves may be more than are needed where no group takes part.
    """
    groups = [block for block in blocks if len(block) > 1]
    single = [block[0] for block in blocks if len(block) == 1]
    for size in range(len(groups), -1, -1):
        for chosen in combinations(groups, size):
            whole = tuple(a for block in chosen for a in block)
            rest = count - len(whole)
            if not chosen:
                if len(single) >= count:
                    yield tuple(single)
            elif rest >= 0:
                for more in combinations(single, rest):
                    yield tuple(sorted((*whole, *more)))


def restricted_frame(frame: Frame, kept: Sequence[int]) -> Frame:
    """The product of the factors that are kept."""
    coordinates = moved(frame, kept)
    places = [frame.coordinates.index(q) for q in coordinates]
    anchor_ai = tuple(tuple(frame.anchor_ai[a][i] for i in places) for a in kept)
    structure = frame.structure_abd
    if len(coordinates) == len(kept) and all(entry == int(a == i) for a, row in enumerate(anchor_ai) for i, entry in enumerate(row)):  # fmt: skip
        return Frame.chart(coordinates)
    constants = tuple(tuple(tuple(structure[a][b][d] for d in kept) for b in kept) for a in kept)
    origin = tuple(frame.origin[i] for i in places) if frame.origin else ()
    invariants = tuple(value for value in frame.invariants if value.free_symbols <= set(coordinates))
    named = {name: value for name, value in frame.named.items() if value.free_symbols <= set(coordinates)}
    labels = [frame.labels[a] for a in kept]
    return Frame.with_structure(coordinates, anchor_ai, constants, labels, origin, invariants, named)


def group_factors(model: Model) -> tuple[AbstractGroup, ...]:
    """The groups that a system is declared on, side by side."""
    if model.group is None:
        return ()
    return model.group.factors if isinstance(model.group, Product) else (model.group,)


def base_group(model: Model, kept: Sequence[int]) -> AbstractGroup | None:
    """What is kept of the groups, in its order; None where that only translates and counts as coordinates.

    Of translations and angles some may be kept, of other groups all or none.
    """
    speeds = {model.velocities[a] for a in kept}
    parts: list[AbstractGroup] = []
    for g in group_factors(model):
        if isinstance(g, Rn | Circle):
            names = [q.name for q, w in zip(g.coordinates, g.speeds, strict=True) if w in speeds]
            parts += [type(g)(*names)] if names else []
        elif speeds.issuperset(g.speeds):
            parts.append(g)
    return None if all(isinstance(g, Rn | Circle) for g in parts) else prod(parts[1:], start=parts[0])


def identity_of(model: Model) -> dict[Symbol, Expr]:
    """The neutral element of every group that is more than translations, by coordinate."""
    return {
        q: symengine.Integer(int(value)) if float(value).is_integer() else symengine.RealDouble(float(value))
        for g in group_factors(model)
        if not g.frame.is_chart
        for q, value in zip(g.coordinates, g.identity, strict=True)
    }


def restricted_invariants(model: Model, frame: Frame) -> tuple[Constraint, ...]:
    """What holds for redundant coordinates of the base."""
    known = set(frame.coordinates)
    flat = (zero,) * frame.size
    return tuple(
        Constraint(c.label, zero, Kind.POSITION, flat, zero, c.position, c.position)
        for c in model.invariants
        if c.position is not None and c.position.free_symbols <= known
    )


def by_degree(
    functions: Sequence[Expr], velocities: Sequence[Symbol], what: str, polynomials: bool = False
) -> dict[int, Vector]:
    r"""The parts of functions that are homogeneous in the velocities of degree 2, 1 and 0; refused where there is more, or the parts must be polynomials.

    With $f(s) = f(q, sv)$ and $f^{(3)} = 0$ they are $\tfrac12f''$, $f' - f''$ and $f - f' + \tfrac12f''$ at $s = 1$; at rest,
    $s = 0$, the function may be written as a quotient of zeros.

    >>> v = symengine.Symbol("v")
    >>> by_degree([3 * (1 + v) ** 2], [v], "it")
    {2: (3*v**2,), 1: (6*v,), 0: (3,)}
    """
    scale = unused("s", {s.name for f in functions for s in f.free_symbols}.__contains__)
    stretched, here = {v: scale * v for v in velocities}, {scale: symengine.Integer(1)}
    parts: dict[int, list[Expr]] = {2: [], 1: [], 0: []}
    for f in functions:
        first = partial(f.xreplace(stretched), scale)
        second = partial(first, scale)
        if not is_zero(partial(second, scale)):
            raise NotSupportedError(
                f"{what} is no polynomial of degree two in the velocities, so it has no parts by degree."
            )
        slope, bend = first.xreplace(here), second.xreplace(here)
        for degree, part in ((2, bend / 2), (1, slope - bend), (0, f - slope + bend / 2)):
            parts[degree].append(simplify(part))
            if polynomials and not _is_polynomial(parts[degree][-1], velocities, degree):
                raise NotSupportedError(
                    f"{what} is no polynomial of degree two in the velocities, so it has no parts by degree."
                )
    return {degree: tuple(values) for degree, values in parts.items()}


def _is_polynomial(part: Expr, velocities: Sequence[Symbol], degree: int) -> bool:
    """Whether a part that grows with a power of the velocities is a polynomial: friction $v/|v|$ grows with the power zero and is none."""
    if has_corners(part, velocities):
        return False
    slopes = [part]
    for _ in range(degree + 1):
        slopes = [partial(e, v) for e in slopes for v in velocities if v in e.free_symbols]
    return all(is_zero(e) for e in slopes)
