"""Fields on a grid of one or two axes: values at all points from those that are kept, and derivatives."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import NDArray

from anholonomy.compile.backends import fast_function
from anholonomy.compile.program import lower
from anholonomy.fields.lines.axes import Axis
from anholonomy.fields.lines.conditions import BoundaryCondition, BoundaryConditions
from anholonomy.fields.parsing import Words
from anholonomy.refusals import IllPosedSystem
from anholonomy.symbolic.calculus import partial
from anholonomy.symbolic.expressions import Expr, Symbol, symbol, time

if TYPE_CHECKING:
    from anholonomy.fields.field import Field

__all__ = ["Lattice", "function_of", "numbers_of", "on_clock"]

Values = NDArray[Any]


@final
@dataclass(frozen=True, eq=False)
class Lattice:
    """The grid of a field, with its ends.

    Attributes
    ----------
    clock
        The parameter that is time; None for a field at rest.
    """

    field: Field
    axes: tuple[Axis, ...]
    ends: Mapping[tuple[int, str], BoundaryConditions]
    clock: Symbol | None

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(axis.size for axis in self.axes)

    @property
    def mesh(self) -> list[Values]:
        """The parameters at all points."""
        return list(np.meshgrid(*(axis.points for axis in self.axes), indexing="ij"))

    def kept(self, i: int) -> tuple[slice, ...]:
        """The points of a field that its conditions do not determine."""
        return tuple(self.ends[i, axis.name].kept for axis in self.axes)

    def whole(self, i: int, kept: Values, given: Sequence[Values]) -> Values:
        """All values from those kept and what the conditions demand along each axis."""
        value = kept
        for k, axis in enumerate(self.axes):
            ends = self.ends[i, axis.name]
            moved = np.moveaxis(value, k, 0)
            full = np.empty((axis.size, *moved.shape[1:]))
            full[ends.kept] = moved
            for place in ends.places:
                full[place] = np.tensordot(ends.matrix[place], moved, 1) + np.tensordot(ends.given[place], given[k], 1)
            value = np.moveaxis(full, 0, k)
        return value

    def derived(self, values: Values, way: Sequence[int]) -> Values:
        """The derivative in directions, each an index of an axis."""
        for k, axis in enumerate(self.axes):
            if count := sum(1 for each in way if each == k):
                moved = np.moveaxis(values, k, 0)
                flat = axis.derivative(count) @ moved.reshape(axis.size, -1)
                values = np.moveaxis(flat.reshape(moved.shape), 0, k)
        return values

    def integral(self, density: Values) -> float:
        value = density
        for axis in self.axes:
            value = np.tensordot(axis.weights, value, 1)
        return float(value)

    def boundary(self, i: int, start: Values, rate: bool = False) -> Callable[[float], list[Values]]:
        """What the conditions of a field demand, as a function of time; or the rate of that."""
        parts = [self._along(i, k, start, rate) for k in range(len(self.axes))]
        return lambda t: [part(t) for part in parts]

    def _along(self, i: int, k: int, start: Values, rate: bool) -> Callable[[float], Values]:
        """A row for either end of one axis; other axes before it are whole, those after it kept."""
        axis = self.axes[k]
        ends = self.ends[i, axis.name]
        others = [
            each.points if j < k else each.points[self.ends[i, each.name].kept]
            for j, each in enumerate(self.axes)
            if j != k
        ]
        sides = [
            self._side(i, k, side, condition, others, start, rate) for side, condition in enumerate(ends.conditions)
        ]
        return lambda t: np.stack([side(t) for side in sides])

    def _side(
        self,
        i: int,
        k: int,
        side: int,
        condition: BoundaryCondition | None,
        others: list[Values],
        start: Values,
        rate: bool,
    ) -> Callable[[float], Values]:
        shape = tuple(points.size for points in others)
        if condition is None or (condition.given is None and rate):
            return lambda t: np.zeros(shape)
        if condition.given is None:
            cut = [slice(None) if j < k else self.ends[i, axis.name].kept for j, axis in enumerate(self.axes)]
            cut[k] = slice(0, 1) if side == 0 else slice(-1, None)
            fixed = start[tuple(cut)].reshape(shape)
            return lambda t: fixed
        value = condition.given
        if rate:
            value = partial(value, self.clock) if self.clock is not None else value * 0
        names = [symbol(axis.name) for j, axis in enumerate(self.axes) if j != k]
        here = symbol(self.axes[k].name)
        value = value.xreplace({here: symbol_value(self.axes[k].points[-side if side else 0])})
        function = function_of(self.field, [value], names, self.clock)
        mesh = [each.ravel() for each in np.meshgrid(*others, indexing="ij")] if others else []
        points = np.array(mesh).reshape(len(names), -1) if names else np.zeros((0, 1))
        return lambda t: np.broadcast_to(function(t, points)[0], (points.shape[1],)).reshape(shape)


def symbol_value(value: float) -> Expr:
    import symengine

    return symengine.RealDouble(float(value))


def on_clock(clock: Symbol | None) -> dict[Symbol, Symbol]:
    """Names for programs, whose time is always t: whatever else is called t makes way."""
    if clock == time:
        return {}
    return {time: symbol("$t")} | ({} if clock is None else {clock: time})


def function_of(
    field: Field, outputs: Sequence[Expr], inputs: Sequence[Symbol], clock: Symbol | None, steps: Sequence[Any] = ()
) -> Callable[[float, Values], Values]:
    """Compiled functions of time and of arrays, at the values of the constants."""
    missing = [name for name, value in field.constant_items if value is None]
    used = {s for each in (*outputs, *(source for step in steps for source in step.sources)) for s in each.free_symbols}
    names = on_clock(clock)
    if free := [name for name in missing if not used.isdisjoint((symbol(name), names.get(symbol(name))))]:
        raise IllPosedSystem(f"{field.name}: the constant {free[0]} has no value; give one in `constants`.")
    outputs = tuple(each.xreplace(names) for each in outputs)
    states, constants = (tuple(names.get(s, s) for s in part) for part in (inputs, field.constant_symbols))
    program = lower(states, constants, steps, outputs)
    compiled = fast_function(program)
    p = np.array([0.0 if value is None else value for _, value in field.constant_items])

    def function(t: float, x: Values) -> Values:
        if not len(inputs):
            return np.repeat(compiled(t, np.zeros(0), p)[:, None], x.shape[1], axis=1)
        return np.asarray(compiled(np.full(x.shape[1], t), x, p[:, None] * np.ones(x.shape[1])))

    return function


def numbers_of(field: Field, lattice: Lattice, given: Any, what: str, at: float = 0.0) -> Values:
    """An array over the grid from a text in the parameters, a number, an array, or a function of the mesh."""
    if isinstance(given, np.ndarray | list) or hasattr(given, "values"):
        try:
            array = np.asarray(getattr(given, "values", given), dtype=float)
        except (TypeError, ValueError):
            raise IllPosedSystem(
                f"{field.name}: {what} is no array of numbers; give one of the grid's shape."
            ) from None
        if not np.isfinite(array).all():
            raise IllPosedSystem(f"{field.name}: {what} has entries that are not finite; give numbers.")
        if array.shape != lattice.shape:
            raise IllPosedSystem(f"{field.name}: {what} has the shape {array.shape}; the grid has {lattice.shape}.")
        return array.copy()
    words = Words(field.name, field.jets, frozenset(field.constants))
    value = words.read(given, what, 0)
    if not value.free_symbols.isdisjoint(field.jets.fields):
        raise IllPosedSystem(f"{field.name}: {what} must be a function of the parameters alone.")
    names = [symbol(axis.name) for axis in lattice.axes]
    points = np.array([each.ravel() for each in lattice.mesh])
    values = function_of(field, [value], names, lattice.clock)(at, points)[0]
    if not np.isfinite(values).all():
        worst = points[:, np.argmin(np.isfinite(values))]
        place = ", ".join(f"{name} = {number:g}" for name, number in zip(names, worst, strict=True))
        raise IllPosedSystem(f"{field.name}: {what} is not finite at {place}; give a text that is.")
    return np.array(values.reshape(lattice.shape))
