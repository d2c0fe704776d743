"""Where a system lives: coordinates, a group, or both, with the frame of its velocities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

from anholonomy.algebra.expressions import Expr, Symbol, symbol, zero
from anholonomy.base.errors import DeclarationError
from anholonomy.geometry.frame import Frame
from anholonomy.geometry.groups import AbstractGroup, Rn, as_group
from anholonomy.language import check_name
from anholonomy.language.arguments import name_of
from anholonomy.system.constraints import Constraint, Kind

__all__ = ["Configuration", "configuration"]

_KINDS = ("length", "angle", "")


@final
@dataclass(frozen=True)
class Configuration:
    """Coordinates with their kinds, the frame and its velocities, invariants, and names for functions on a group."""

    kinds: tuple[str, ...]
    frame: Frame
    velocities: tuple[Symbol, ...]
    group: AbstractGroup | None
    invariants: tuple[Constraint, ...]
    named: Mapping[Symbol, Expr]

    @property
    def coordinates(self) -> list[str]:
        return [q.name for q in self.frame.coordinates]

    @property
    def names(self) -> set[str]:
        """Every name that is taken."""
        return {*self.coordinates, *self.directions, *(s.name for s in (*self.velocities, *self.named)), "t"}

    @property
    def directions(self) -> list[str]:
        """What forces are keyed by: a coordinate, or a speed of a group."""
        return [w.name.removesuffix("'") for w in self.velocities]


def configuration(
    name: str, coordinates: Sequence[Any] | Mapping[Any, str], group: AbstractGroup | str | None
) -> Configuration:
    """The configuration space of a declaration: a group's coordinates first, then those that are named."""
    if group is None and isinstance(coordinates, Sequence | Mapping) and not coordinates:
        raise DeclarationError(f"{name}: there are no coordinates; give at least one, or a `group`.")
    names, kinds = _coordinates(name, coordinates)
    if group is None:
        frame = Frame.chart([symbol(q) for q in names])
        return Configuration(kinds, frame, tuple(symbol(q + "'") for q in names), None, (), {})
    space = as_group(group)
    whole = space * Rn(*names) if names else space
    spots = ("",) * len(space.coordinates)
    invariants = tuple(_invariant(label, value, whole) for label, value in whole.invariants.items())
    rates = {symbol(f"{q.name}'"): rate for q, rate in whole.frame.coordinate_rates(whole.speeds).items()}
    named = {symbol(label): value for label, value in whole.named.items()}
    if taken := sorted(set(names) & {s.name for s in named}):
        raise DeclarationError(
            f"{name}: the coordinate {taken[0]} has the name of a function on {space.name}; rename it, or give the group a prefix."
        )
    named |= {v: rate for v, rate in rates.items() if v not in whole.speeds}
    return Configuration((*spots, *kinds), whole.frame, whole.speeds, space, invariants, named)


def _invariant(label: str, value: Expr, group: AbstractGroup) -> Constraint:
    """What holds by itself, in the form of a constraint that restricts no velocity."""
    return Constraint(label, zero, Kind.POSITION, (zero,) * group.dimension, zero, value, value)


def _coordinates(name: str, given: Sequence[Any] | Mapping[Any, str]) -> tuple[list[str], tuple[str, ...]]:
    if isinstance(given, str) or not isinstance(given, Sequence | Mapping):
        raise DeclarationError(f"{name}: `coordinates` is {given!r}; give a list of names such as ['x', 'y'].")
    names = [name_of(q, f"{name}: a coordinate") for q in given]
    kinds = tuple(given.values()) if isinstance(given, Mapping) else ("",) * len(names)
    for q, kind in zip(names, kinds, strict=True):
        check_name(q, f"{name}: the coordinate")
        if kind not in _KINDS:
            raise DeclarationError(f"{name}: the coordinate {q} is a {kind!r}; say 'length' or 'angle'.")
    twice = [q for q, count in Counter(names).items() if count > 1]
    if twice:
        raise DeclarationError(f"{name}: the coordinate {twice[0]} is declared twice; keep one.")
    return names, kinds
