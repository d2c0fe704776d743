r"""Families of steady motions, followed in a coordinate, a velocity or a parameter.

Where the followed quantity may be given freely, all points are found at once. Otherwise the family is followed along its own arc (`arc.py`)
and turns back where it folds, or, where more than one direction is free, value by value as far as it goes.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.displays.shown import Shown
from anholonomy.lazy import cached_property
from anholonomy.refusals import IntegrationProblem
from anholonomy.show.pictures import kept_in_file
from anholonomy.stability.arc import Arc, Place, followed_arc, value_of
from anholonomy.stability.linear_part import LinearPart, linear_part
from anholonomy.stability.linearization import verdict_of
from anholonomy.stability.steady import SteadyMotion
from anholonomy.tolerances import EXACT, NOTHING

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

__all__ = ["Branch", "Critical", "follow"]

_JUMP = 8.0
"""Neighbours that are so many times farther apart than is usual belong to different families."""
_WORSE = 10.0
"""Coordinates are exchanged for others where they describe the motion so many times worse than at the beginning."""


@final
@dataclass(frozen=True)
class Critical(Shown):
    """Where the stability of a family changes, and how.

    Attributes
    ----------
    kind
        ``"real"`` for an eigenvalue that passes through zero, ``"Hopf"`` for a pair that crosses the imaginary axis,
        ``"collision"`` for two pairs that meet on it and leave it.
    """

    value: float
    kind: str
    eigenvalue: complex
    before: str
    after: str

    def __str__(self) -> str:
        pair = f" ±{abs(self.eigenvalue.imag):.6g}i" if self.kind != "real" else ""
        return f"{self.value:.15g}: {self.kind}{pair}, {self.before} to {self.after}"


@final
@dataclass(frozen=True, eq=False)
class Branch(Shown):
    """A family of steady motions over values of one quantity.

    Attributes
    ----------
    name
        What is followed.
    values
        Its values.
    arc
        Its equations, where it was followed along its arc and may turn back.
    ends
        Why it goes no further, for an end before the value asked for.
    """

    origin: SteadyMotion
    name: str
    values: Array
    unknowns: Array
    parameters: Array
    arc: Arc | None = None
    ends: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, k: int) -> SteadyMotion:
        value = {self.name: float(self.values[k])} if self.name in self.origin.given else {}
        return self.origin.at(self.unknowns[k], {**self.origin.given, **value}, 0.0, self.parameters[k])

    @cached_property
    def _parts(self) -> list[LinearPart]:
        return _parts(self.origin, self.unknowns, self.parameters)

    @cached_property
    def eigenvalues(self) -> np.ndarray:
        """A row for each value, each column one eigenvalue as it moves, without those of symmetries."""
        return _continued([np.asarray(np.linalg.eigvals(part.A)) for part in self._parts])

    @cached_property
    def _places(self) -> tuple[Arc, list[Place]]:
        """The members with their tangents."""
        arc = self.arc or Arc(self.origin, self.name, max(float(np.ptp(self.values)), 1e-12))
        return arc, arc.places(np.column_stack([self.unknowns, self.values / arc.unit]))

    @cached_property
    def folds(self) -> tuple[float, ...]:
        """The values where the family turns back, to rounding."""
        from anholonomy.stability.folds import folds

        return tuple(float(Y[-1]) * self.arc.unit for Y in folds(*self._places)) if self.arc is not None else ()

    @cached_property
    def branch_points(self) -> tuple[float, ...]:
        """The values where another family of steady motions crosses this one."""
        from anholonomy.stability.folds import branch_points

        return tuple(float(Y[-1]) * self._places[0].unit for Y in branch_points(*self._places))

    @property
    def verdicts(self) -> tuple[str, ...]:
        """The stability at each value."""
        return tuple(verdict_of(row, part.A) for row, part in zip(self.eigenvalues, self._parts, strict=True))

    @property
    def _usual(self) -> str:
        """The verdict of most: single ones may lie within rounding of another."""
        return max(self.verdicts, key=self.verdicts.count)

    @cached_property
    def critical(self) -> tuple[Critical, ...]:
        """Where stability changes, to rounding."""
        from anholonomy.stability.crossings import crossings

        return crossings(self)

    @cached_property
    def data(self) -> xr.Dataset:
        """States and eigenvalues over the values."""
        import xarray as xr

        width = self.origin.x.size
        z = self.origin.field.at(self.unknowns[:, :width], self.parameters).z
        inputs = list(self.origin.inputs)
        places = [[s.name for s in self.origin.field.model.parameter_symbols].index(name) for name in inputs]
        return xr.Dataset(
            {
                "state": (("value", "name"), z),
                **({"inputs": (("value", "input"), self.parameters[:, places])} if inputs else {}),
                "growth": (("value", "eigenvalue"), self.eigenvalues.real),
                "frequency": (("value", "eigenvalue"), self.eigenvalues.imag),
                "verdict": (("value",), list(self.verdicts)),
            },
            coords={
                "value": self.values,
                "name": list(self.origin.field.names),
                **({"input": inputs} if inputs else {}),
            },
            attrs={"system": self.origin.field.model.name, "followed": self.name},
        )

    @kept_in_file
    def plot(self, figure: Any = None) -> Figure:
        """Real and imaginary parts of the eigenvalues over the values, what is stable shaded."""
        from anholonomy.show.figures.stability.eigenvalues import eigenvalue_figure
        from anholonomy.show.units import rate_units, unit_in

        model = self.origin.field.model
        rates = dict(zip(("growth", "frequency"), rate_units(model), strict=True))
        critical = [each.value for each in self.critical]
        return eigenvalue_figure(
            self.data, critical, figure, self.folds, lambda name: rates.get(name) or unit_in(model, name)
        )

    def __str__(self) -> str:
        head = f"{self.origin.field.model.name}: {len(self)} steady motions, {self.name} from {self.values[0]:.6g} to {self.values[-1]:.6g}"
        marks = [f"  {each}" for each in self.critical] or [f"  {self._usual} throughout"]
        marks += [f"  folds at {self.name} = {fold:.12g}" for fold in self.folds]
        marks += [f"  another family crosses at {self.name} = {value:.12g}" for value in self.branch_points]
        return "\n".join([head, *marks, *(f"  {end}" for end in self.ends)])

    def between(self, i: int, j: int, shares: Array) -> tuple[Array, Array, Array]:
        """Unknowns, parameters and the values of members between two neighbours, on the arc where the family has one."""
        ends = np.column_stack([self.unknowns[[i, j]], self.values[[i, j]]])
        if self.arc is not None:
            ends[:, -1] /= self.arc.unit
            on = [self.arc.between(ends[0], ends[1], float(share)) for share in shares]
            if all(each is not None for each in on):
                Y = np.array(on)
                y, p, _ = self.arc.posed(Y)
                return y, p, Y[:, -1] * self.arc.unit
        values = (1 - shares) * self.values[i] + shares * self.values[j]
        guesses = (1 - shares)[:, None] * self.unknowns[i] + shares[:, None] * self.unknowns[j]
        y, p, _ = solved(self, values, guesses)
        return y, p, values

    def at(self, value: float) -> SteadyMotion:
        """The member of the family at a value; of several, the one nearest in value."""
        k = int(np.argmin(np.abs(self.values - value)))
        y, p, _ = solved(self, np.array([value]), self.unknowns[[k]])
        given = {**self.origin.given, **({self.name: value} if self.name in self.origin.given else {})}
        return self.origin.at(y[0], given, 0.0, p[0])


def solved(branch: Branch, values: Array, guesses: Array) -> tuple[Array, Array, Array]:
    """Members of a family at values near by, from guesses, with their parameters and what is left of the equations."""
    return _at_values(branch.origin, branch.name, values, guesses)


def _at_values(origin: SteadyMotion, name: str, values: Array, guesses: Array) -> tuple[Array, Array, Array]:
    equations, p = origin.equations, np.repeat(origin.p[None], len(values), axis=0)
    held = np.repeat(np.array([list(origin.given.values())]).reshape(1, -1), len(values), axis=0)
    if name in origin.given:
        held[:, list(origin.given).index(name)] = values
    else:
        p[:, [s.name for s in origin.field.model.parameter_symbols].index(name)] = values
    y, left = equations.solve(guesses, p, held)
    return y, equations.parameters(y, p), left


def follow(origin: SteadyMotion, name: str, start: float, stop: float, points: int) -> Branch:
    """The family through a steady motion, whose ``given`` has the name unless it is a parameter."""
    values = np.linspace(start, stop, points)
    y, p, left = _at_values(origin, name, values, np.repeat(origin.unknowns[None], points, axis=0))
    if (left <= NOTHING).all() and _is_one_family(values, y):
        return Branch(origin, name, values, y, p)
    low, high = sorted((start, stop))
    arc = Arc(origin, name, max(high - low, 1e-12))
    along = followed_arc(arc, low, high, points)
    if along is None or len(along[0]) < 2:
        return _step_by_step(origin, name, values)
    Y = np.array([place.Y for place in along[0]])
    Y = Y[::-1] if (Y[-1, -1] < Y[0, -1]) != (stop < start) else Y
    y, p, _ = arc.posed(Y)
    return Branch(origin, name, Y[:, -1] * arc.unit, y, p, arc, tuple(along[1]))


def _is_one_family(values: Array, y: Array) -> bool:
    """Whether neighbours are near each other."""
    steps = np.abs(np.diff(y, axis=0)).max(axis=1)
    return bool((steps <= _JUMP * max(float(np.median(steps)), 1e-9)).all())


def _step_by_step(origin: SteadyMotion, name: str, values: Array) -> Branch:
    """From the value of the origin to both ends, each point from those before it, as far as it goes."""
    now = value_of(origin, name)
    begin = int(np.argmin(np.abs(values - now)))
    ends: list[str] = []
    after = _walk(origin, name, values[begin:], ends)
    before = _walk(origin, name, values[: begin + 1][::-1], ends)
    found = {value: (y, p) for value, y, p in (*before[::-1], *after)}
    if not found:
        raise IntegrationProblem(
            f"{origin.field.model.name}: this steady motion, with {name} = {now:.6g}, has no neighbours with {name} from {values[0]:.6g} to "
            f"{values[-1]:.6g}; follow another quantity, or other values."
        )
    at = np.array(sorted(found, reverse=bool(values[-1] < values[0])))
    return Branch(
        origin, name, at, np.array([found[v][0] for v in at]), np.array([found[v][1] for v in at]), ends=tuple(ends)
    )


def _walk(origin: SteadyMotion, name: str, values: Array, ends: list[str]) -> list[tuple[float, Array, Array]]:
    found: list[tuple[float, Array, Array]] = []
    past: list[tuple[float, Array]] = [(value_of(origin, name), origin.unknowns)]
    for value in values:
        y, p, reached = _reach(origin, name, float(value), past)
        if not reached:
            ends.append(f"the family ends near {name} = {past[-1][0]:.9g}, or folds back there")
            break
        past.append((float(value), y))
        found.append((float(value), y, p))
    return found


def _reach(origin: SteadyMotion, name: str, value: float, past: list[tuple[float, Array]]) -> tuple[Array, Array, bool]:
    """From the last points to a value, by halves where one step is too long."""
    goal, tries = value, 0
    while tries < 12:
        guess = _predicted(past, goal)
        y, p, left = _at_values(origin, name, np.array([goal]), guess[None])
        near = np.abs(y[0] - guess).max() <= 0.5 * max(1.0, float(np.abs(guess).max()))
        if left[0] <= NOTHING and near:
            if goal == value:
                return y[0], p[0], True
            past.append((goal, y[0]))
            goal = value
        else:
            goal = (past[-1][0] + goal) / 2
        tries += 1
    return past[-1][1], origin.p, False


def _predicted(past: Sequence[tuple[float, Array]], value: float) -> Array:
    (last, y) = past[-1]
    if len(past) < 2 or abs(last - past[-2][0]) < EXACT:
        return y
    before, earlier = past[-2]
    return np.asarray(y + (y - earlier) * (value - last) / (last - before))


def _parts(origin: SteadyMotion, unknowns: Array, parameters: Array) -> list[LinearPart]:
    """The linear parts at many members, in one set of coordinates as long as it serves."""
    width = origin.x.size
    jet, found = origin.field.jet(unknowns[:, :width], parameters), list[LinearPart]()
    for k in range(len(unknowns)):
        part = None
        if found:
            with suppress(np.linalg.LinAlgError):  # what were coordinates there may not be here
                same = sorted((*found[-1].places, *found[-1].carried))
                part = linear_part(jet, k, width, origin.symmetries, same)
        serves = part is not None and part.condition <= _WORSE * found[0].condition
        found.append(part if part is not None and serves else linear_part(jet, k, width, origin.symmetries))
    return found


def _continued(rows: list[np.ndarray]) -> np.ndarray:
    """Eigenvalues in columns that follow each other with the least change."""
    found = [rows[0][np.lexsort((rows[0].imag, -rows[0].real))]]
    for row in rows[1:]:
        expected = 2 * found[-1] - found[-2] if len(found) > 1 else found[-1]
        found.append(row[_assigned(np.abs(expected[:, None] - row[None, :]))])
    return np.array(found)


def _assigned(distance: Array) -> np.ndarray:
    """For each row the column that belongs to it: the nearest, and where two rows have the same, the shortest distances first."""
    columns = np.asarray(distance.argmin(axis=1))
    if len(set(columns.tolist())) < len(columns):
        distance = distance.copy()
        for _ in range(len(distance)):
            row, column = np.unravel_index(distance.argmin(), distance.shape)
            columns[row] = column
            distance[row], distance[:, column] = np.inf, np.inf
    return columns
