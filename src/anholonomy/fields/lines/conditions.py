r"""Conditions at the ends of an axis, linear in a field and its derivative, which determine the values there.

.. math:: \alpha\,u + \beta\,u_s = g(t) \quad\Longrightarrow\quad u_{\text{end}} = R\,u_{\text{kept}} + Q\,g(t)
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import NDArray

from anholonomy.fields.lines.axes import Axis
from anholonomy.fields.parsing import Words
from anholonomy.refusals import IllPosedSystem, UnknownName
from anholonomy.symbolic.calculus import partial
from anholonomy.symbolic.expressions import Expr, Symbol, symbol, zero

if TYPE_CHECKING:
    from anholonomy.fields.field import Field

__all__ = ["BoundaryCondition", "BoundaryConditions", "read_conditions"]

_END = re.compile(r"\s*(\w+)\s*=\s*(.+?)\s*")


@final
@dataclass(frozen=True)
class BoundaryCondition:
    """``value * u + slope * u_s = given``; ``given`` None means whatever it was at the start."""

    value: float
    slope: float
    given: Expr | None


@final
@dataclass(frozen=True, eq=False)
class BoundaryConditions:
    """The ends of an axis for one field: which points are kept, and how the others follow."""

    kept: slice
    matrix: NDArray[Any]
    given: NDArray[Any]
    conditions: tuple[BoundaryCondition | None, BoundaryCondition | None]

    @property
    def places(self) -> list[int]:
        """The points that follow from the others."""
        return [
            place for place, condition in ((0, self.conditions[0]), (-1, self.conditions[1])) if condition is not None
        ]

    @classmethod
    def of(
        cls, axis: Axis, conditions: tuple[BoundaryCondition | None, BoundaryCondition | None], name: str
    ) -> BoundaryConditions:
        low, high = (condition is not None for condition in conditions)
        kept = slice(int(low), axis.size - int(high))
        inner = list(range(axis.size))[kept]
        R = np.zeros((axis.size, len(inner)))
        R[inner, range(len(inner))] = 1.0
        Q = np.zeros((axis.size, 2))
        places = [place for place, is_there in ((0, low), (axis.size - 1, high)) if is_there]
        if places:
            slopes = axis.first[places, :]
            D = slopes.toarray() if hasattr(slopes, "toarray") else np.asarray(slopes)
            told = [condition for condition in conditions if condition is not None]
            rows = np.array([c.slope for c in told])[:, None] * D
            for k, (place, c) in enumerate(zip(places, told, strict=True)):
                rows[k, place] += c.value
            own = rows[:, places]
            if abs(np.linalg.det(own)) < 1e-12 * np.abs(own).max(initial=1e-300) ** len(places):
                raise IllPosedSystem(
                    f"{name}: the conditions at the ends of {axis.name} do not determine the field there."
                )
            R[places] = -np.linalg.solve(own, rows[:, inner])
            Q[np.ix_(places, [0 if place == 0 else 1 for place in places])] = np.linalg.inv(own)
        return cls(kept, R, Q, conditions)


def read_conditions(
    field: Field, axes: Sequence[Axis], boundary: Any, needed: Mapping[tuple[int, str], bool]
) -> dict[tuple[int, str], tuple[BoundaryCondition | None, BoundaryCondition | None]]:
    """For each field and axis a condition at either end, None where the equations need none."""
    if not isinstance(boundary, Mapping):
        raise IllPosedSystem(
            f"{field.name}: the boundary is {boundary!r:.60}; give a dict such as {{'s=0': 'u = 0', 's=1': 'u_s = 0'}}."
        )
    by_name = {axis.name: axis for axis in axes}
    found: dict[tuple[int, str, int], BoundaryCondition] = {}
    whose: dict[tuple[int, str, int], bool] = {}
    # What is said of one end goes before what is said of both.
    for key, said in sorted(boundary.items(), key=lambda item: item[0] not in by_name):
        if key in by_name and said == "periodic":
            continue
        axis, sides = _sides(field, by_name, str(key))
        if axis.periodic:
            raise IllPosedSystem(f"{field.name}: {axis.name} is periodic and has no end for {key!r}; drop one of them.")
        for side in sides:
            text = said[side] if len(sides) == 2 and isinstance(said, tuple) and len(said) == 2 else said
            for i, condition in _told(field, axis, text, f"the condition at {key}"):
                place, is_one = (i, axis.name, side), len(sides) == 1
                if whose.get(place) is is_one:
                    raise IllPosedSystem(
                        f"{field.name}: {field.jets.fields[i]} has two conditions at {axis.name}={axis.points[-side]:g}; drop one."
                    )
                found[place], whose[place] = condition, is_one
    for (i, name), is_needed in needed.items():
        for side in (0, 1):
            if is_needed and not by_name[name].periodic and (i, name, side) not in found:
                end = by_name[name].points[-side]
                raise IllPosedSystem(
                    f"{field.name}: {field.jets.fields[i]} has no condition at {name}={end:g}; add one to `boundary`, "
                    f"such as '{name}={end:g}': '{field.jets.fields[i]} = 0'."
                )
    return {
        (i, axis.name): (found.get((i, axis.name, 0)), found.get((i, axis.name, 1)))
        for i in range(len(field.jets.fields))
        for axis in axes
    }


def _sides(field: Field, axes: Mapping[str, Axis], key: str) -> tuple[Axis, tuple[int, ...]]:
    """The axis and which of its ends a key such as ``s=0`` means; the name alone means both."""
    if key in axes:
        return axes[key], (0, 1)
    met = _END.fullmatch(key)
    if met is None or met[1] not in axes:
        raise UnknownName(f"{field.name}: {key!r} names no end of the grid; write one as '{next(iter(axes))}=0'.")
    axis = axes[met[1]]
    value = _number(Words(field.name, field.jets, frozenset(field.constants)).read(met[2], f"the end {key}"), field)
    low, high = axis.points[0], axis.points[-1]
    for side, end in enumerate((low, high)):
        if value is not None and abs(value - end) <= 1e-9 * max(1.0, abs(high - low)):
            return axis, (side,)
    raise UnknownName(f"{field.name}: {key!r} is no end of {axis.name}, which runs from {low:g} to {high:g}.")


def _told(field: Field, axis: Axis, said: Any, what: str) -> list[tuple[int, BoundaryCondition]]:
    jets, name = field.jets, axis.name
    a = [p.name for p in jets.parameters].index(name)
    if said == "fixed":
        return [(i, BoundaryCondition(1.0, 0.0, None)) for i in range(len(jets.fields))]
    words = Words(field.name, jets, frozenset(field.constants))
    if said == "free":
        told = [row[a] for row in field.momentum_ia if row[a] != 0]
    else:
        told = [words.read_equation(each, what) for each in (said if isinstance(said, list | tuple) else [said])]
    found = []
    for value in told:
        used = [i for i, u in enumerate(jets.fields) if not value.free_symbols.isdisjoint((u, jets.of(i, (a,))))]
        if not used:
            raise IllPosedSystem(
                f"{field.name}: {what} has no field and no derivative along {name}; write one such as '{jets.fields[0]} = 0'."
            )
        if len(used) > 1:
            raise IllPosedSystem(
                f"{field.name}: {what} speaks of {len(used)} fields; give a condition for each by itself."
            )
        (i,) = used
        found.append((i, _linear(field, value, jets.fields[i], jets.of(i, (a,)), what)))
    return found


def _linear(field: Field, value: Expr, u: Symbol, slope: Symbol, what: str) -> BoundaryCondition:
    slopes = [partial(value, s) for s in (u, slope)]
    for name, number in field.constant_items:
        if number is None and any(symbol(name) in each.free_symbols for each in slopes):
            raise IllPosedSystem(f"{field.name}: the constant {name} has no value; give one in `constants`.")
    parts = [_number(each, field) for each in slopes]
    rest = value.xreplace({u: zero, slope: zero})
    if None in parts or not rest.free_symbols.isdisjoint(field.jets.names):
        raise IllPosedSystem(f"{field.name}: {what} must be linear in {u} and {slope}, with constants before them.")
    return BoundaryCondition(float(parts[0] or 0.0), float(parts[1] or 0.0), -rest)


def _number(value: Expr, field: Field) -> float | None:
    """An expression in constants as a number."""
    values = {symbol(name): number for name, number in field.constant_items if number is not None}
    known = value.xreplace(values)
    return None if known.free_symbols else float(known)
