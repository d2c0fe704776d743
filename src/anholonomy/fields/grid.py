r"""Grids of one or two axes: differences, quadrature, and values at the ends from boundary conditions.

A condition is linear in a field and its derivative. The conditions at both ends of an axis determine the values there from those that are kept:

.. math:: \alpha\,u + \beta\,u_s = g(t) \quad\Longrightarrow\quad u_{\text{end}} = R\,u_{\text{kept}} + Q\,g(t)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias, final

import numpy as np
import symengine
from numpy.typing import NDArray

from anholonomy.algebra.calculus import partial
from anholonomy.algebra.expressions import Expr, Symbol, symbol, time, zero
from anholonomy.base.errors import ArgumentError, UnknownNameError, quoted
from anholonomy.fields.expressions import Words
from anholonomy.language.arguments import expect_mapping, finite
from anholonomy.programs.backends import fast_function
from anholonomy.programs.program import lower

if TYPE_CHECKING:
    from anholonomy.fields.field import Field

__all__ = ["Lattice", "Values", "axes_of", "function_of", "lattice_of", "numbers_of", "on_clock"]

SCHEMES = ("differences", "spectral")
ORDERS = (2, 4, 6)

Values: TypeAlias = NDArray[Any]


def lattice_of(
    field: Field,
    axes: tuple[Axis, ...],
    boundary: Any,
    needed: Mapping[tuple[int, str], bool],
    clock: Symbol | None,
    count: int,
) -> Lattice:
    """The grid of so many fields, multipliers among them, with the conditions that a user gives and those that are ``needed``."""
    conditions = read_conditions(field, axes, boundary, needed)
    ends = {
        (i, axis.name): BoundaryConditions.of(axis, conditions.get((i, axis.name), (None, None)), field.name)
        for i in range(count)
        for axis in axes
    }
    return Lattice(field, axes, ends, clock)


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
        value = value.xreplace({here: symengine.RealDouble(float(self.axes[k].points[-side if side else 0]))})
        function = function_of(self.field, [value], names, self.clock)
        mesh = [each.ravel() for each in np.meshgrid(*others, indexing="ij")] if others else []
        points = np.array(mesh).reshape(len(names), -1) if names else np.zeros((0, 1))
        return lambda t: np.broadcast_to(function(t, points)[0], (points.shape[1],)).reshape(shape)


def numbers_of(field: Field, lattice: Lattice, given: Any, what: str, at: float = 0.0) -> Values:
    """An array over the grid from a text in the parameters, a number, an array, or a function of the mesh."""
    if isinstance(given, np.ndarray | list) or hasattr(given, "values"):
        try:
            array = np.asarray(getattr(given, "values", given), dtype=float)
        except (TypeError, ValueError):
            raise ArgumentError(f"{field.name}: {what} is no array of numbers; give one of the grid's shape.") from None
        if not np.isfinite(array).all():
            raise ArgumentError(f"{field.name}: {what} has entries that are not finite; give numbers.")
        if array.shape != lattice.shape:
            raise ArgumentError(f"{field.name}: {what} has the shape {array.shape}; the grid has {lattice.shape}.")
        return array.copy()
    words = Words(field.name, field.jets, frozenset(field.constants))
    value = words.read(given, what, 0)
    if not value.free_symbols.isdisjoint(field.jets.fields):
        raise ArgumentError(f"{field.name}: {what} must be a function of the parameters alone.")
    names = [symbol(axis.name) for axis in lattice.axes]
    points = np.array([each.ravel() for each in lattice.mesh])
    values = function_of(field, [value], names, lattice.clock)(at, points)[0]
    if not np.isfinite(values).all():
        worst = points[:, np.argmin(np.isfinite(values))]
        place = ", ".join(f"{name} = {number:g}" for name, number in zip(names, worst, strict=True))
        raise ArgumentError(f"{field.name}: {what} is not finite at {place}; give a text that is.")
    return np.array(values.reshape(lattice.shape))


def function_of(
    field: Field, outputs: Sequence[Expr], inputs: Sequence[Symbol], clock: Symbol | None, steps: Sequence[Any] = ()
) -> Callable[[float, Values], Values]:
    """Compiled functions of time and of arrays, at the values of the constants."""
    missing = [name for name, value in field.constant_items if value is None]
    used = {s for each in (*outputs, *(source for step in steps for source in step.sources)) for s in each.free_symbols}
    names = on_clock(clock)
    if free := [name for name in missing if not used.isdisjoint((symbol(name), names.get(symbol(name))))]:
        raise ArgumentError(f"{field.name}: the constant {free[0]} has no value; give one in `constants`.")
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


def on_clock(clock: Symbol | None) -> dict[Symbol, Symbol]:
    """Names for programs, whose time is always t: whatever else is called t makes way."""
    if clock == time:
        return {}
    return {time: symbol("$t")} | ({} if clock is None else {clock: time})


# Conditions at the ends of an axis.


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
    matrix: Values
    given: Values
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
                raise ArgumentError(
                    f"{name}: the conditions at the ends of {axis.name} do not determine the field there."
                )
            R[places] = -np.linalg.solve(own, rows[:, inner])
            Q[np.ix_(places, [0 if place == 0 else 1 for place in places])] = np.linalg.inv(own)
        return cls(kept, R, Q, conditions)


def read_conditions(
    field: Field, axes: Sequence[Axis], boundary: Any, needed: Mapping[tuple[int, str], bool]
) -> dict[tuple[int, str], tuple[BoundaryCondition | None, BoundaryCondition | None]]:
    """For each field and axis a condition at either end, None where the equations need none."""
    expect_mapping(
        boundary,
        f"{field.name}: the boundary",
        "a dict such as {'s=0': 'u = 0', 's=1': 'u_s = 0'}",
        verb="is",
        refusal=ArgumentError,
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
            raise ArgumentError(f"{field.name}: {axis.name} is periodic and has no end for {key!r}; drop one of them.")
        for side in sides:
            text = said[side] if len(sides) == 2 and isinstance(said, tuple) and len(said) == 2 else said
            for i, condition in _told(field, axis, text, f"the condition at {key}"):
                place, is_one = (i, axis.name, side), len(sides) == 1
                if whose.get(place) is is_one:
                    raise ArgumentError(
                        f"{field.name}: {field.jets.fields[i]} has two conditions at {axis.name}={axis.points[-side]:g}; drop one."
                    )
                found[place], whose[place] = condition, is_one
    for (i, name), is_needed in needed.items():
        for side in (0, 1):
            if is_needed and not by_name[name].periodic and (i, name, side) not in found:
                end = by_name[name].points[-side]
                raise ArgumentError(
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
        raise UnknownNameError(f"{field.name}: {key!r} names no end of the grid; write one as '{next(iter(axes))}=0'.")
    axis = axes[met[1]]
    value = _number(Words(field.name, field.jets, frozenset(field.constants)).read(met[2], f"the end {key}"), field)
    low, high = axis.points[0], axis.points[-1]
    for side, end in enumerate((low, high)):
        if value is not None and abs(value - end) <= 1e-9 * max(1.0, abs(high - low)):
            return axis, (side,)
    raise UnknownNameError(f"{field.name}: {key!r} is no end of {axis.name}, which runs from {low:g} to {high:g}.")


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
            raise ArgumentError(
                f"{field.name}: {what} has no field and no derivative along {name}; write one such as '{jets.fields[0]} = 0'."
            )
        if len(used) > 1:
            raise ArgumentError(
                f"{field.name}: {what} speaks of {len(used)} fields; give a condition for each by itself."
            )
        (i,) = used
        found.append((i, _linear(field, value, jets.fields[i], jets.of(i, (a,)), what)))
    return found


def _linear(field: Field, value: Expr, u: Symbol, slope: Symbol, what: str) -> BoundaryCondition:
    slopes = [partial(value, s) for s in (u, slope)]
    for name, number in field.constant_items:
        if number is None and any(symbol(name) in each.free_symbols for each in slopes):
            raise ArgumentError(f"{field.name}: the constant {name} has no value; give one in `constants`.")
    parts = [_number(each, field) for each in slopes]
    rest = value.xreplace({u: zero, slope: zero})
    if None in parts or not rest.free_symbols.isdisjoint(field.jets.names):
        raise ArgumentError(f"{field.name}: {what} must be linear in {u} and {slope}, with constants before them.")
    return BoundaryCondition(float(parts[0] or 0.0), float(parts[1] or 0.0), -rest)


def _number(value: Expr, field: Field) -> float | None:
    """An expression in constants as a number."""
    values = {symbol(name): number for name, number in field.constant_items if number is not None}
    known = value.xreplace(values)
    return None if known.free_symbols else float(known)


# Points along one parameter of space, and what differentiates and integrates there.


@final
@dataclass(frozen=True, eq=False)
class Axis:
    """The points of a parameter with matrices for its first and second derivative, and weights for integrals."""

    name: str
    points: Values
    first: Any
    second: Any
    weights: Values
    periodic: bool

    @property
    def size(self) -> int:
        return self.points.size

    def derivative(self, order: int) -> Any:
        return (None, self.first, self.second)[order]


def axes_of(field: Field, grid: Any, boundary: Any, scheme: str | None, order: int) -> tuple[Axis, ...]:
    """An axis for each parameter of the grid."""
    names = [p.name for p in field.jets.parameters]
    if not isinstance(grid, Mapping) or not grid:
        raise ArgumentError(f"{field.name}: the grid is {quoted(grid)}; give a dict such as {{'s': (0, 1, 400)}}.")
    if unknown := [each for each in grid if each not in names]:
        raise UnknownNameError(
            f"{field.name}: the grid has {unknown[0]!r}, which is no parameter; they are {', '.join(names)}."
        )
    if scheme is not None and scheme not in SCHEMES:
        raise UnknownNameError(f"{field.name}: there is no scheme {quoted(scheme)}; take {' or '.join(SCHEMES)}.")
    if order not in ORDERS:
        raise ArgumentError(f"{field.name}: differences have the order 2, 4 or 6, not {quoted(order)}.")
    said = boundary if isinstance(boundary, Mapping) else {}
    return tuple(
        _axis(field, name, grid[name], said.get(name) == "periodic", scheme, order) for name in names if name in grid
    )


def _axis(field: Field, name: str, given: Any, periodic: bool, scheme: str | None, order: int) -> Axis:
    try:
        low, high, count = given
    except (TypeError, ValueError):
        raise ArgumentError(
            f"{field.name}: grid[{name!r}] is {quoted(given)}; give (from, to, number of points)."
        ) from None
    ends = finite(low), finite(high)
    if None in ends or not ends[0] < ends[1] or not isinstance(count, int | np.integer):  # type: ignore[operator]
        raise ArgumentError(
            f"{field.name}: grid[{name!r}] is {quoted(given)}; give (from, to, number of points), rising."
        )
    if order > 4 and scheme != "spectral" and not periodic:
        raise ArgumentError(
            f"{field.name}: differences of order {order} are unstable at ends; take order=4 or scheme='spectral' along {name}."
        )
    least = order + 3 if scheme != "spectral" else 4
    if count < least:
        raise ArgumentError(
            f"{field.name}: {count} points along {name} are too few for this stencil, which reaches over {least}; give more."
        )
    build: Callable[..., Axis] = {
        (False, False): _differences,
        (False, True): _periodic_differences,
        (True, False): _chebyshev,
        (True, True): _fourier,
    }[scheme == "spectral", periodic]
    return build(name, float(ends[0]), float(ends[1]), int(count), order)  # type: ignore[arg-type]


@lru_cache(maxsize=256)
def _stencil(derivative: int, offsets: tuple[int, ...]) -> Values:
    """Weights at whole offsets, exact until the last moment."""
    from sympy import finite_diff_weights

    return np.array([float(w) for w in finite_diff_weights(derivative, list(offsets), 0)[derivative][-1]])


def _periodic_differences(name: str, low: float, high: float, count: int, order: int) -> Axis:
    import scipy.sparse as sparse

    h = (high - low) / count
    offsets = tuple(range(-order // 2, order // 2 + 1))
    matrices = []
    for k in (1, 2):
        rows = np.repeat(np.arange(count), len(offsets))
        columns = (rows + np.tile(offsets, count)) % count
        values = np.tile(_stencil(k, offsets) / h**k, count)
        matrices.append(sparse.csr_array((values, (rows, columns)), shape=(count, count)))
    first, second = matrices
    return Axis(name, low + h * np.arange(count), first, second, np.full(count, h), True)


def _differences(name: str, low: float, high: float, count: int, order: int) -> Axis:
    """Central differences inside; near the ends as many points as the order needs, all on one side."""
    import scipy.sparse as sparse

    h, half = (high - low) / (count - 1), order // 2
    matrices = []
    for k in (1, 2):
        matrix = sparse.lil_array((count, count))
        for i in range(count):
            if half <= i < count - half:
                offsets = tuple(range(-half, half + 1))
            else:
                reach = order + k
                first = 0 if i < half else count - reach
                offsets = tuple(range(first - i, first - i + reach))
            matrix[[i], [i + j for j in offsets]] = _stencil(k, offsets) / h**k
        matrices.append(matrix.tocsr())
    first, second = matrices
    return Axis(name, np.linspace(low, high, count), first, second, _gregory(count, h), False)


def _gregory(count: int, h: float) -> Values:
    """Weights of order four: the trapezoidal rule with corrected ends."""
    weights = np.full(count, h)
    for k, w in enumerate((3 / 8, 7 / 6, 23 / 24)):
        weights[k], weights[-1 - k] = w * h, w * h
    return weights


def _fourier(name: str, low: float, high: float, count: int, order: int) -> Axis:
    length = high - low
    k = 2j * np.pi / length * np.fft.fftfreq(count, 1 / count)
    odd = np.where(np.arange(count) == count / 2, 0.0, k)  # the highest wave has no first derivative on an even grid
    unit = np.fft.fft(np.eye(count), axis=0)
    first, second = (np.fft.ifft(factor[:, None] * unit, axis=0).real for factor in (odd, k**2))
    points = low + length / count * np.arange(count)
    return Axis(name, points, first, second, np.full(count, length / count), True)


def _chebyshev(name: str, low: float, high: float, count: int, order: int) -> Axis:
    """Points that crowd at the ends, in rising order."""
    n = count - 1
    x = -np.cos(np.pi * np.arange(count) / n)
    c = np.r_[2.0, np.ones(n - 1), 2.0] * (-1.0) ** np.arange(count)
    with np.errstate(divide="ignore", invalid="ignore"):
        D = np.outer(c, 1 / c) / (x[:, None] - x[None, :])
    np.fill_diagonal(D, 0.0)
    np.fill_diagonal(D, -D.sum(axis=1))
    scale = 2 / (high - low)
    # Clenshaw and Curtis: the integrals of the polynomials that pass through the points.
    moments = np.array([2 / (1 - k * k) if k % 2 == 0 else 0.0 for k in range(count)])
    values = np.cos(np.outer(np.arange(count), np.arccos(x)))
    weights = np.linalg.solve(values, moments) / scale
    return Axis(name, low + (x + 1) / scale, D * scale, D @ D * scale**2, weights, False)
