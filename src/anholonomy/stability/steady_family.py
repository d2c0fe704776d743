r"""Families of steady motions, followed in a coordinate, a velocity or a parameter, with their folds, crossings and changes of stability.

.. math:: F(Y) = 0, \qquad \tau\cdot(Y - Y_0) = s, \qquad Y = (q, u, c, \lambda)

Where the followed quantity $\lambda$ may be given freely, all members are found at once. Otherwise $\lambda$ is an unknown like the others, and the
family is followed along its own arc, also where it turns back; where more than one direction is free, value by value as far as it goes.
A fold is where $\tau_\lambda$ changes its sign; where the derivative of $F$ loses one more rank, another family crosses: the determinant of
its rows with the tangent changes its sign. Both points solve larger equations, by Newton's method and to rounding:

.. math:: F = 0,\ F' v = 0,\ v_\lambda = 0,\ |v| = 1; \qquad F + \beta\varphi = 0,\ F'^{\mathsf T}\varphi = 0,\ |\varphi| = 1
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, final

import numpy as np

from anholonomy.base.caching import cached_property
from anholonomy.base.errors import IntegrationError
from anholonomy.base.notebook import Shown
from anholonomy.base.tolerances import CLEAR, EXACT, HALF, NOTHING, snapped
from anholonomy.programs.backends.base import Array
from anholonomy.show.picture_files import kept_in_file
from anholonomy.stability.linear_part import LinearPart, linear_part
from anholonomy.stability.linearization import GROWTH, verdict_of
from anholonomy.stability.states_by_name import parameter_places

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.figure import Figure

    from anholonomy.stability.steady_motion import SteadyMotion

__all__ = ["Arc", "SteadyFamily", "Critical", "follow", "value_of"]

_JUMP = 8.0
"""Neighbours that are so many times farther apart than is usual belong to different families."""
_WORSE = 10.0
"""Coordinates are exchanged for others where they describe the motion so many times worse than at the beginning."""
_BEND = 0.15
"""How far the tangent may turn in one step, in radians."""
_SHORTEST = 1e-7
"""Steps along a family below which it is not followed further."""
_AGAIN = 0.02
"""A family has come back to its beginning within this part of a unit step."""
_NODES = (1 - np.cos(np.pi * np.arange(9) / 8)) / 2
"""Where between two neighbours members are looked at."""
_NEWTON, _DIFFERENCE, _SAME = 25, 1e-5, 1e-2
"""Steps of Newton's method for folds and crossings, differences for their derivatives, and at which part of a step both are one point."""
_ASIDE = (1e-2, 3e-3, 1e-3)
"""How far from a crossing the other family is looked for, in units."""
_UNUSUAL, _SHARP = 3.0, 0.5
"""Steps so many times longer than usual, and angles in radians between tangents, that tell two families."""
_LOOKS, _NARROWER, _NARROW = 40, 1e-4, 1e-7
"""How often, how much narrower each time, and where the last look is: smooth functions are straight lines there."""


def follow(origin: SteadyMotion, name: str, start: float, stop: float, points: int) -> SteadyFamily:
    """The family through a steady motion, whose ``given`` has the name unless it is a parameter."""
    values = np.linspace(start, stop, points)
    y, p, left = _solved(origin, name, values, np.repeat(origin.unknowns[None], points, axis=0))
    if (left <= NOTHING).all() and _is_one_family(values, y):
        found = SteadyFamily(origin, name, values, y, p, span=(start, stop))
        if not found.turns_sharply:
            return found
    return _along_arc(origin, name, start, stop, points) or _step_by_step(origin, name, values)


def _along_arc(origin: SteadyMotion, name: str, start: float, stop: float, points: int) -> SteadyFamily | None:
    """The family along its arc, None where it has none."""
    low, high = sorted((start, stop))
    arc = Arc(origin, name, max(high - low, 1e-12))
    along = followed_arc(arc, low, high, points)
    if along is None or len(along[0]) < 2:
        return None
    Y = np.array([place.Y for place in along[0]])
    Y = Y[::-1] if (Y[-1, -1] < Y[0, -1]) != (stop < start) else Y
    y, p, _ = arc.posed(Y)
    return SteadyFamily(origin, name, Y[:, -1] * arc.unit, y, p, arc, tuple(along[1]), (start, stop))


def _is_one_family(values: Array, y: Array) -> bool:
    """Whether neighbours are near each other."""
    steps = np.abs(np.diff(y, axis=0)).max(axis=1)
    return bool((steps <= _JUMP * max(float(np.median(steps)), 1e-9)).all())


def value_of(origin: SteadyMotion, name: str) -> float:
    """The value of what is followed at a steady motion."""
    if name in origin.given:
        return origin.given[name]
    return float(origin.p[parameter_places(origin.field.model, [name])[0]])


def _with_value(origin: SteadyMotion, name: str, values: Array) -> tuple[Array, Array]:
    """Parameters and given values where one of them is followed, a row for each of its values."""
    p = np.repeat(origin.p[None], len(values), axis=0)
    given = np.repeat(np.array([list(origin.given.values())]).reshape(1, -1), len(values), axis=0)
    if name in origin.given:
        given[:, list(origin.given).index(name)] = values
    else:
        p[:, parameter_places(origin.field.model, [name])] = values[:, None]
    return p, given


def _solved(origin: SteadyMotion, name: str, values: Array, guesses: Array) -> tuple[Array, Array, Array]:
    """Members of a family at values of what is followed, from guesses, with their parameters and what is left of the equations."""
    p, given = _with_value(origin, name, values)
    y, left = origin.equations.solve(guesses, p, given)
    return y, origin.equations.parameters(y, p), left


@final
@dataclass(frozen=True, eq=False)
class SteadyFamily(Shown):
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
    span
        The values between which it was to be followed.
    """

    origin: SteadyMotion
    name: str
    values: Array
    unknowns: Array
    parameters: Array
    arc: Arc | None = None
    ends: tuple[str, ...] = ()
    span: tuple[float, float] | None = None

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
        return tuple(float(Y[-1]) * self.arc.unit for Y in folds(*self._places)) if self.arc is not None else ()

    @cached_property
    def branch_points(self) -> tuple[float, ...]:
        """The values where another family of steady motions crosses this one."""
        return tuple(float(Y[-1]) * self._places[0].unit for Y in branch_points(*self._places))

    @property
    def turns_sharply(self) -> bool:
        """Whether neighbours lie on two families that cross: unusually far apart, with tangents that differ."""
        steps = np.abs(np.diff(self.unknowns, axis=0)).max(axis=1)
        if float(steps.max()) <= _UNUSUAL * max(float(np.median(steps)), 1e-9):
            return False
        tangents = [place.tangent for place in self._places[1]]
        return any(float(a @ b) < np.cos(_SHARP) for a, b in pairwise(tangents))

    def crossing(
        self,
        value: float | None = None,
        start: float | None = None,
        stop: float | None = None,
        points: int = 200,
    ) -> SteadyFamily:
        """The family that crosses this one at a branch point: the first, or the one nearest to a value.

        It is followed between the same values as this one, or between others.

        >>> from anholonomy import System
        >>> hoop = System(coordinates=["a"], lagrangian="a'^2/2 + W^2*sin(a)^2/2 + cos(a)", parameters={"W": 0.5}, name="hoop")
        >>> bottom = hoop.stability.steady_motion(near={"a": 0}).follow("W", 0.2, 2, points=50)
        >>> aside = bottom.crossing()
        >>> aside.folds, round(float(abs(aside.data["state"].sel(name="a")).max()), 6)
        ((1.0,), 1.318116)
        """
        arc, places = self._places
        found = branch_points(arc, places)
        name, model = self.name, self.origin.field.model.name
        if not found:
            raise IntegrationError(f"{model}: no other family crosses this one; `branch_points` is empty.")
        Y = found[0] if value is None else min(found, key=lambda each: abs(float(each[-1]) * arc.unit - value))
        low, high = self.span or (float(self.values[0]), float(self.values[-1]))
        beside = beside_crossing(arc, places, Y)
        if beside is not None:
            y, p, given = arc.posed(beside[None])
            origin = self.origin.at(y[0], dict(zip(self.origin.given, map(float, given[0]), strict=True)), 0.0, p[0])
            other = _along_arc(origin, name, low if start is None else start, high if stop is None else stop, points)
            if other is not None:
                return other
        raise IntegrationError(
            f"{model}: the family that crosses at {name} = {float(Y[-1]) * arc.unit:.9g} was not found; follow a steady motion beside it."
        )

    @property
    def verdicts(self) -> tuple[str, ...]:
        """The linear stability at each value, by eigenvalues in doubles; ``branch[k].verdict`` decides it for one of them.

        Zeros count to the family that is followed; over a parameter, if they count to one in the middle. Where the equations kink in the middle, all are ``"undecided"``.
        """
        found = tuple(verdict_of(row, part.A) for row, part in zip(self.eigenvalues, self._parts, strict=True))
        if self._in_the_middle == "undecided":
            return ("undecided",) * len(found)
        idle = np.abs(self.eigenvalues).min(axis=1, initial=np.inf) <= GROWTH * np.abs(self.eigenvalues).max(
            axis=1, initial=0.0
        )
        # A family over a coordinate or a velocity explains a zero itself; one over a parameter does not.
        over_parameter = self.name in self.origin.field.model.parameters
        doubtful = over_parameter and self._in_the_middle == "marginal" and found[len(found) // 2] == "stable"
        return tuple("marginal" if no and v == "stable" and doubtful else v for v, no in zip(found, idle, strict=True))

    @cached_property
    def _in_the_middle(self) -> str:
        """What is decided of the member in the middle; nothing unless that matters."""
        first = self[len(self) // 2].linearization.first_approximation
        if first is None or first.state is None:
            return ""
        return "undecided" if first.switch else self[len(self) // 2].verdict

    @property
    def _usual(self) -> str:
        """The verdict of most: single ones may lie within rounding of another."""
        return max(self.verdicts, key=self.verdicts.count)

    @cached_property
    def critical(self) -> tuple[Critical, ...]:
        """Where stability changes, to rounding."""
        return crossings(self)

    @cached_property
    def data(self) -> xr.Dataset:
        """States and eigenvalues over the values."""
        import xarray as xr

        width = self.origin.x.size
        z = self.origin.field.at(self.unknowns[:, :width], self.parameters).z
        inputs = list(self.origin.inputs)
        places = parameter_places(self.origin.field.model, inputs)
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
        from anholonomy.show.figures.eigenvalues import eigenvalue_figure
        from anholonomy.show.labels import rate_units, unit_in

        model = self.origin.field.model
        rates = dict(zip(("growth", "frequency"), rate_units(model), strict=True))
        critical = [each.value for each in self.critical]
        return eigenvalue_figure(
            self.data, critical, figure, self.folds, lambda name: rates.get(name) or unit_in(model, name)
        )

    def __str__(self) -> str:
        head = f"{self.origin.field.model.name}: {len(self)} steady motions, {self.name} {self._course}"
        marks = [f"  {each}" for each in self.critical] or [f"  {_said(self._usual)} throughout"]
        marks += [f"  folds at {self.name} = {fold:.12g}" for fold in self.folds]
        marks += [f"  another family crosses at {self.name} = {value:.12g}" for value in self.branch_points]
        return "\n".join([head, *marks, *(f"  {end}" for end in self.ends)])

    @property
    def _course(self) -> str:
        """The values from one end to the other, with those where it turns back."""
        ends = [f"{self.values[0]:.6g}", *(f"{fold:.6g}" for fold in self.folds), f"{self.values[-1]:.6g}"]
        if len(ends) == 3:
            return f"from {ends[0]} to {ends[1]} and back to {ends[2]}"
        return f"from {' to '.join(ends)}"

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
        y, p, _ = _solved(self.origin, self.name, values, guesses)
        return y, p, values

    def at(self, value: float) -> SteadyMotion:
        """The member of the family at a value; of several, the one nearest in value."""
        k = int(np.argmin(np.abs(self.values - value)))
        y, p, _ = _solved(self.origin, self.name, np.array([value]), self.unknowns[[k]])
        given = {**self.origin.given, **({self.name: value} if self.name in self.origin.given else {})}
        return self.origin.at(y[0], given, 0.0, p[0])


def _said(verdict: str) -> str:
    """A verdict in words that claim no more than eigenvalues in doubles show."""
    return f"linearly {verdict}" if verdict != "undecided" else "undecided: the equations kink or jump there"


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
        return f"{self.value:.15g}: {self.kind}{pair}, linearly {self.before} to {self.after}"


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


# Along the arc of a family.


@final
@dataclass(frozen=True, eq=False)
class Arc:
    """The equations of a family, in unknowns whose last is the followed value in units of ``unit``."""

    origin: SteadyMotion
    name: str
    unit: float

    def posed(self, Y: Array) -> tuple[Array, Array, Array]:
        """Unknowns, parameters and given values, a row for each point."""
        p, given = _with_value(self.origin, self.name, Y[:, -1] * self.unit)
        return Y[:, :-1], self.origin.equations.parameters(Y[:, :-1], p), given

    def equations(self, Y: Array) -> tuple[Array, Array, Array]:
        """What must vanish at points, its derivatives, and the size of its terms."""
        y, p, given = self.posed(Y)
        F, J, size = self.origin.equations.equations(y, p, given)
        if self.name in self.origin.given:
            column = np.zeros_like(F)
            column[:, F.shape[1] - given.shape[1] + list(self.origin.given).index(self.name)] = -1.0
        else:
            column = self._by_parameter(y, p)
        return F, np.concatenate([J, column[:, :, None] * self.unit], axis=2), size

    def _by_parameter(self, y: Array, p: Array) -> Array:
        origin = self.origin
        width = origin.x.size
        slopes = origin.field.jet(y[:, :width], p, (self.name,)).slopes
        z, rate = slopes.z[:, :, width], slopes.rate[:, :, width].copy()
        for k, each in enumerate(origin.symmetries):
            rate -= y[:, [width + k]] * (z @ each.matrix.T)
        return np.concatenate([rate, slopes.held[:, :, width], z[:, list(origin.equations.given)]], axis=1)

    def place(self, Y: Array, along: Array) -> Place | None:
        """A point of the family with its tangent, which goes on as ``along``; None where more than one direction is free."""
        return self._placed(Y, self.equations(Y[None])[1][0], along)

    def places(self, Y: Array) -> list[Place]:
        """Those of many points, which follow each other."""
        found: list[Place] = []
        along = Y[min(1, len(Y) - 1)] - Y[0]
        for row, J in zip(Y, self.equations(Y)[1], strict=True):
            if (place := self._placed(row, J, along)) is not None:
                found.append(place)
                along = place.tangent
        return found

    def _placed(self, Y: Array, J: Array, along: Array) -> Place | None:
        if not np.isfinite(J).all():
            return None
        U, s, V = np.linalg.svd(J)
        free = J.shape[1] - int((s > HALF * s[0]).sum())
        if free > 2 or len(s) < len(V) - 1:
            return None
        null = V[len(V) - max(free, 1) :]
        tangent = null.T @ (null @ along) if free == 2 else null[-1]
        if np.linalg.norm(tangent) < 1e-12:
            return None
        tangent = tangent / np.linalg.norm(tangent) * (1.0 if tangent @ along >= 0 else -1.0)
        k = len(V) - 2
        return Place(Y, tangent, float(s[k]), float(s[0]), J, U)

    def corrected(self, guess: Array, normal: Array) -> Array | None:
        """The point of the family in a plane through a guess, None where Newton's method does not find one near by."""
        Y, best = guess.copy(), np.inf
        for _ in range(12):
            F, J, size = (each[0] for each in self.equations(Y[None]))
            left = float(np.abs(F).max()) / size
            if not np.isfinite(left) or not np.isfinite(J).all():
                return None
            if left <= EXACT or (left <= NOTHING and left > 0.3 * best):
                return Y if np.linalg.norm(Y - guess) < 0.5 * (1 + np.linalg.norm(guess)) else None
            best = min(best, left)
            whole, right = np.vstack([J, normal]), np.append(F, normal @ (Y - guess))
            Y = Y - np.linalg.lstsq(whole, right, rcond=1e-12)[0]
        return None

    def between(self, a: Array, b: Array, share: float) -> Array | None:
        """A point of the family between two neighbours."""
        return self.corrected(a + share * (b - a), (b - a) / np.linalg.norm(b - a))

    def first_tangent(self, Y: Array) -> Array | None:
        """The only direction of the family at its beginning, toward larger values; None where several are free."""
        J = self.equations(Y[None])[1][0]
        if not np.isfinite(J).all():
            return None
        _, s, V = np.linalg.svd(J)
        if int((s > HALF * s[0]).sum()) != J.shape[1] - 1:
            return None
        tangent = V[-1] if V[-1][-1] >= 0 else -V[-1]
        return np.asarray(tangent)


@final
@dataclass(frozen=True, eq=False)
class Place:
    """A point of a family with its tangent, the smallest singular value of the derivatives that is not zero, the largest, and the left vectors."""

    Y: Array
    tangent: Array
    size: float
    largest: float
    J: Array
    U: Array


def followed_arc(arc: Arc, low: float, high: float, points: int) -> tuple[list[Place], list[str]] | None:
    """The places of the family between two values, from one end to the other, and why it ends before them; None where it has no arc."""
    origin = arc.origin
    begin = np.append(origin.unknowns, snapped(value_of(origin, arc.name), low, high) / arc.unit)
    tangent = arc.first_tangent(begin)
    if tangent is None or (first := arc.place(begin, tangent)) is None:
        return None
    span = (low / arc.unit, high / arc.unit)
    ends: list[str] = []
    after, loop = _march(arc, first, tangent, span, points, ends)
    before = [] if loop else _march(arc, first, -tangent, span, points, ends)[0]
    turned = [replace(each, tangent=-each.tangent) for each in before[::-1]]
    return [*turned, *([first] if span[0] <= begin[-1] <= span[1] else []), *after], ends


def _march(
    arc: Arc, first: Place, along: Array, span: tuple[float, float], points: int, ends: list[str]
) -> tuple[list[Place], bool]:
    """One way along the arc until it leaves the values asked for, comes back to where it began, or goes no further."""
    now = replace(first, tangent=along)
    found: list[Place] = []
    inside, longest = span[0] <= now.Y[-1] <= span[1], 2.0 / points
    step = longest / 4
    while len(found) < 5 * points:
        trial = arc.corrected(now.Y + step * now.tangent, now.tangent)
        then = arc.place(trial, now.tangent) if trial is not None else None
        if then is None or np.arccos(np.clip(then.tangent @ now.tangent, -1, 1)) > _BEND:
            step /= 2
            if step < _SHORTEST:
                ends.append(_why(arc, now, trial))
                return found, False
            continue
        if span[0] <= then.Y[-1] <= span[1]:
            inside = True
        elif inside:
            edge = span[0] if then.Y[-1] < span[0] else span[1]
            last = _at_value(arc, now.Y, then.Y, edge)
            if last is not None and np.linalg.norm(last - now.Y) > 1e-9 and (end := arc.place(last, now.tangent)):
                found.append(end)
            return found, False
        if inside:
            found.append(then)
        if len(found) > 5 and _passes(now.Y, then.Y, first.Y):
            ends.append("the family comes back to where it began")
            return found, True
        now, step = then, min(1.5 * step, longest * _freedom(now, then))
    ends.append(f"{5 * points} motions were found before its end; ask for more `points`")
    return found, False


def _freedom(now: Place, then: Place) -> float:
    """Longer steps where the followed value hardly changes beside the states, as long as the family is nearly straight."""
    return 1.0 / max(abs(float(then.tangent[-1])), 0.05)


def _at_value(arc: Arc, a: Array, b: Array, value: float) -> Array | None:
    normal = np.zeros(a.size)
    normal[-1] = 1.0
    share = (value - a[-1]) / (b[-1] - a[-1])
    guess = a + share * (b - a)
    guess[-1] = value
    return arc.corrected(guess, normal)


def _passes(a: Array, b: Array, point: Array) -> bool:
    """Whether a step leads past a point."""
    way = b - a
    share = float(np.clip((point - a) @ way / (way @ way), 0, 1))
    return bool(np.linalg.norm(a + share * way - point) < _AGAIN * np.linalg.norm(way) + 1e-9)


def _why(arc: Arc, now: Place, trial: Array | None) -> str:
    at = f"{arc.name} = {float(now.Y[-1]) * arc.unit:.9g}"
    J = arc.equations((now.Y + 1e-6 * now.tangent)[None])[1]
    if not np.isfinite(J).all():
        return f"the family ends near {at}, where the equations of motion cease to be finite"
    if trial is not None:
        return f"the family ends near {at}, where more directions become free"
    return f"the family ends near {at}, where it can be continued no further"


def folds(arc: Arc, places: Sequence[Place]) -> tuple[Array, ...]:
    """The points where the followed value turns back, to rounding."""
    found = []
    for a, b in pairwise(places):
        if a.tangent[-1] * b.tangent[-1] < 0:
            point = _fold(arc, a, b)
            # Where another family crosses, as at a pitchfork, the equations of a fold are singular, and those of the crossing are not.
            crossed = _crossing(arc, a, b) if _signed(a, b) < 0 else None
            if crossed is not None and (
                point is None or np.linalg.norm(point - crossed) < _SAME * np.linalg.norm(b.Y - a.Y)
            ):
                point = crossed
            if point is None:
                point = _zero_along(arc, a, b, lambda place: float(place.tangent[-1]))
            if point is not None:
                found.append(point)
    return tuple(found)


def branch_points(arc: Arc, places: Sequence[Place]) -> tuple[Array, ...]:
    """The points where another family crosses, to rounding.

    Where symmetries leave further directions free all along, the singular value is rounding, and its sign says nothing.
    """
    found = []
    for a, b in pairwise(place for place in places if place.size > HALF * place.largest):
        if _signed(a, b) < 0:
            point = _crossing(arc, a, b)
            if point is None:
                point = _zero_along(arc, a, b, lambda place, a=a: _signed(a, place))  # type: ignore[misc]
            if point is not None:
                found.append(point)
    return tuple(found)


def _fold(arc: Arc, a: Place, b: Place) -> Array | None:
    """The fold between two neighbours."""
    share = a.tangent[-1] / (a.tangent[-1] - b.tangent[-1])
    Y, v = a.Y + share * (b.Y - a.Y), a.tangent + share * (b.tangent - a.tangent)
    m = Y.size

    def equations(X: Array) -> tuple[Array, Array]:
        Y, v = X[:m], X[m:]
        F, J, bent = _second_order(arc, Y)
        last = np.eye(m)[-1]
        rows = [
            np.hstack([J, np.zeros_like(J)]),
            np.hstack([np.einsum("kij,j->ik", bent, v), J]),
            np.concatenate([np.zeros(m), 2 * v])[None],
            np.concatenate([np.zeros(m), last])[None],
        ]
        return np.concatenate([F, J @ v, [v @ v - 1, v[-1]]]), np.vstack(rows)

    return _solved_between(equations, np.concatenate([Y, v / np.linalg.norm(v)]), a, b)


def _crossing(arc: Arc, a: Place, b: Place) -> Array | None:
    """The point between two neighbours where another family crosses."""
    low, high = _signed(a, a), _signed(a, b)
    Y = a.Y + low / (low - high) * (b.Y - a.Y)
    m, n = Y.size, len(a.J)
    J = arc.equations(Y[None])[1][0]
    if n < m - 1 or not np.isfinite(J).all():
        return None
    left = np.linalg.svd(J)[0][:, m - 2]

    def equations(X: Array) -> tuple[Array, Array]:
        Y, beta, phi = X[:m], X[m], X[m + 1 :]
        F, J, bent = _second_order(arc, Y)
        rows = [
            np.hstack([J, phi[:, None], beta * np.eye(n)]),
            np.hstack([np.einsum("kij,i->jk", bent, phi), np.zeros((m, 1)), J.T]),
            np.concatenate([np.zeros(m + 1), 2 * phi])[None],
        ]
        return np.concatenate([F + beta * phi, J.T @ phi, [phi @ phi - 1]]), np.vstack(rows)

    return _solved_between(equations, np.concatenate([Y, [0.0], left]), a, b)


def beside_crossing(arc: Arc, places: Sequence[Place], Y: Array) -> Array | None:
    r"""A point beside a crossing on the other family, whose direction solves $\varphi F''(d, d) = 0$; None if it is not found."""
    nearest = min(places, key=lambda place: float(np.linalg.norm(place.Y - Y)))
    _, J, bent = _second_order(arc, Y)
    U, _, V = np.linalg.svd(J)
    phi, null = U[:, Y.size - 2], V[-2:]
    along = null.T @ (null @ nearest.tangent)
    along = along / np.linalg.norm(along)
    other = null.T @ np.array([-(null[1] @ along), null[0] @ along])
    form = np.einsum("i,kij->kj", phi, bent)
    mixed, own = float(along @ (form + form.T) @ other), float(other @ form @ other)
    if max(abs(mixed), abs(own)) <= HALF * max(float(np.abs(form).max()), 1e-300):
        return None
    direction = -own * along + mixed * other
    direction = direction / np.linalg.norm(direction)
    for length in _ASIDE:
        for side in (1, -1):
            point = arc.corrected(Y + side * length * direction, direction)
            if point is not None and (point - Y) @ direction * side > length / 2:
                return point
    return None


def _second_order(arc: Arc, Y: Array) -> tuple[Array, Array, Array]:
    """What must vanish, its derivatives, and their changes along each unknown, by differences: they only lead Newton's steps."""
    steps = _DIFFERENCE * np.eye(Y.size) * (1 + np.abs(Y))
    F, J, _ = arc.equations(np.vstack([Y[None], Y + steps, Y - steps]))
    m = Y.size
    bent = (J[1 : m + 1] - J[m + 1 :]) / (2 * np.diag(steps))[:, None, None]
    return F[0], J[0], bent


def _solved_between(equations: Callable[[Array], tuple[Array, Array]], X: Array, a: Place, b: Place) -> Array | None:
    """The point of a solution by Newton's method near two neighbours, or None if there is none to rounding."""
    m, best, found = a.Y.size, np.inf, X
    for _ in range(_NEWTON):
        R, D = equations(X)
        if not (np.isfinite(R).all() and np.isfinite(D).all()):
            return None
        left = float(np.abs(R).max())
        if left < best:
            best, found = left, X
        elif best <= NOTHING:
            break
        X = X - np.linalg.lstsq(D, R, rcond=1e-10)[0]
    reach = float(np.linalg.norm(b.Y - a.Y))
    near = np.linalg.norm(found[:m] - (a.Y + b.Y) / 2) <= reach
    return found[:m] if near and best <= NOTHING * max(a.largest, b.largest, 1.0) else None


def _signed(start: Place, place: Place) -> float:
    """The volume that the derivatives and the tangent span, positive at the start: it changes its sign where they lose a rank.

    If there are more equations than are needed, those combinations count that are independent at the start.
    """
    basis = start.U[:, : start.Y.size - 1]
    here, there = (np.linalg.det(np.vstack([basis.T @ each.J, each.tangent])) for each in (start, place))
    return float(there if here >= 0 else -there)


def _zero_along(arc: Arc, a: Place, b: Place, function: Callable[[Place], float]) -> Array | None:
    """Between two neighbours; None where the function jumps instead."""
    from scipy.optimize import brentq

    def value(share: float) -> float:
        place = _place_along(arc, a, b, share)
        if place is None:
            raise ArithmeticError
        return function(place)

    low, high = function(a), function(b)
    try:
        share = float(brentq(value, 0.0, 1.0, xtol=1e-14, rtol=1e-14))
        place = _place_along(arc, a, b, share)
    except (ArithmeticError, ValueError):
        return None
    if place is None or abs(function(place)) > CLEAR + 1e-3 * max(abs(low), abs(high)):
        return None
    return place.Y


def _place_along(arc: Arc, a: Place, b: Place, share: float) -> Place | None:
    if share in (0.0, 1.0):
        return a if share == 0.0 else b
    Y = arc.between(a.Y, b.Y, share)
    return None if Y is None else arc.place(Y, a.tangent)


# Value by value, where more than one direction is free.


def _step_by_step(origin: SteadyMotion, name: str, values: Array) -> SteadyFamily:
    """From the value of the origin to both ends, each point from those before it, as far as it goes."""
    now = value_of(origin, name)
    begin = int(np.argmin(np.abs(values - now)))
    ends: list[str] = []
    after = _walk(origin, name, values[begin:], ends)
    before = _walk(origin, name, values[: begin + 1][::-1], ends)
    found = {value: (y, p) for value, y, p in (*before[::-1], *after)}
    if not found:
        raise IntegrationError(
            f"{origin.field.model.name}: this steady motion, with {name} = {now:.6g}, has no neighbours with {name} from {values[0]:.6g} to "
            f"{values[-1]:.6g}; follow another quantity, or other values."
        )
    at = np.array(sorted(found, reverse=bool(values[-1] < values[0])))
    return SteadyFamily(
        origin,
        name,
        at,
        np.array([found[v][0] for v in at]),
        np.array([found[v][1] for v in at]),
        ends=tuple(ends),
        span=(float(values[0]), float(values[-1])),
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
        y, p, left = _solved(origin, name, np.array([goal]), guess[None])
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


# Where the stability of a family changes, to rounding.
#
# .. math:: \prod_{\lambda\neq 0}\lambda = 0, \qquad \mathrm{Re}\,\lambda = 0, \qquad (\lambda_i - \lambda_j)^2 = 0
#
# An eigenvalue passes through zero, a pair crosses the imaginary axis (Hopf), or two pairs collide on it, as in systems that keep their
# energy. The first and the last are zeros of polynomials in the entries of the matrix, and so smooth where eigenvalues are not. Families
# of steady motions have eigenvalues that are zero throughout; these are left out.


def crossings(branch: SteadyFamily) -> tuple[Critical, ...]:
    """The changes, in order of the values."""
    rows = branch.eigenvalues
    zeros = [int((np.abs(row) <= _small(row)).sum()) for row in rows]
    idle = min(zeros)
    telling = [i for i, count in enumerate(zeros) if count == idle]  # a value may be critical itself
    return tuple(each for i, j in pairwise(telling) for each in _changes(branch, i, j, idle))


def _changes(branch: SteadyFamily, i: int, j: int, idle: int) -> Iterator[Critical]:
    """Changes between two neighbours."""
    low, high = branch.eigenvalues[i], branch.eigenvalues[j]
    changed = _growing(high) - _growing(low)

    def located(function: Callable[[np.ndarray], float], kind: str) -> Critical:
        value, there = _zero_between(branch, i, j, function)
        nearest = there[np.lexsort((np.abs(there.imag), np.abs(there.real)))]
        telling = [v for v in nearest if abs(v) > _small(there)] if kind != "real" else [0j]
        return Critical(value, kind, complex(telling[0]), verdict_of(low), verdict_of(high))

    found = list[Critical]()
    if _product(low, idle) * _product(high, idle) < 0:
        found.append(located(lambda row: _product(row, idle), "real"))
        changed -= int(np.sign(changed))
    neutral = min(_neutral(low), _neutral(high))
    few, many = sorted(int((_pairs(row, neutral) > _small(row)).sum()) for row in (low, high))
    for k in range(few, many):
        if all(len(pairs := _pairs(row, neutral)) > k and abs(pairs[k]) > _small(row) for row in (low, high)):
            found.append(located(lambda row, k=k: _entry(_pairs(row, neutral), k), "Hopf"))  # type: ignore[misc]
            changed -= 2 * int(np.sign(changed))
    if changed and not found and _gap(low) * _gap(high) < 0:
        found.append(located(_gap, "collision"))
    yield from sorted(found, key=lambda each: abs(each.value - branch.values[i]))


def _small(row: np.ndarray) -> float:
    return GROWTH * max(float(np.abs(row).max(initial=0.0)), 1e-300)


def _growing(row: np.ndarray) -> int:
    return int((row.real > _small(row)).sum())


def _product(row: np.ndarray, idle: int) -> float:
    """The product of the eigenvalues that are not idle: a coefficient of the characteristic polynomial."""
    return float(np.poly(row)[len(row) - idle].real)


def _pairs(row: np.ndarray, neutral: int) -> np.ndarray:
    """The real parts of complex pairs, the largest first, without as many as stay on the imaginary axis."""
    real = row.real[row.imag > _small(row)]
    return np.sort(real[np.argsort(np.abs(real))[neutral:]])[::-1]


def _neutral(row: np.ndarray) -> int:
    """How many pairs are on the imaginary axis."""
    return int((np.abs(_pairs(row, 0)) <= _small(row)).sum())


def _entry(values: np.ndarray, k: int) -> float:
    return float(values[k]) if len(values) > k else np.inf


def _gap(row: np.ndarray) -> float:
    r"""$(\lambda_1 - \lambda_2)^2$ of the pair above the real axis that is nearest to meeting on the imaginary one.

    It is smooth where they meet: less than zero on the axis, more beside it.
    """
    small = _small(row)
    upper = row[row.imag > small]
    pairs = [(a, b) for k, a in enumerate(upper) for b in upper[k + 1 :] if abs((a + b).real) <= 1e3 * small]
    a, b = min(pairs, key=lambda pair: abs(pair[0] - pair[1]), default=(np.inf, 0.0))
    return float(((a - b) ** 2).real)


def _zero_between(
    branch: SteadyFamily, i: int, j: int, function: Callable[[np.ndarray], float]
) -> tuple[float, np.ndarray]:
    """Between two neighbours, with the eigenvalues there: several members at once, and narrower about the zero of their interpolant."""
    low, high, zero, aside = 0.0, 1.0, 0.5, (0.0, 1.0)
    for _ in range(_LOOKS):
        shares = low + (high - low) * _NODES
        f = np.array([function(row) for row in _spectra(branch, i, j, shares)[1]])
        changes = np.flatnonzero(np.sign(f[:-1]) != np.sign(f[1:]))
        if not changes.size:  # the interpolant led astray
            low, high = aside
            continue
        k = int(changes[0])
        aside, zero = (float(shares[k]), float(shares[k + 1])), _zero_of_interpolant(shares, f, k)
        if high - low <= _NARROW:
            break
        reach = _NARROWER * (high - low)
        low, high = max(aside[0], zero - reach), min(aside[1], zero + reach)
    values, rows = _spectra(branch, i, j, np.array([zero]))
    return float(values[0]), rows[0]


def _spectra(branch: SteadyFamily, i: int, j: int, shares: np.ndarray) -> tuple[np.ndarray, list[np.ndarray]]:
    """The values and the eigenvalues of members between two neighbours."""
    y, p, values = branch.between(i, j, shares)
    width = branch.origin.x.size
    jet = branch.origin.field.jet(y[:, :width], p)
    parts = (linear_part(jet, k, width, branch.origin.symmetries) for k in range(len(y)))
    return values, [np.asarray(np.linalg.eigvals(part.A)) for part in parts]


def _zero_of_interpolant(shares: np.ndarray, f: np.ndarray, k: int) -> float:
    """The zero between node ``k`` and the next of the polynomial through all, by bisection; their middle where one is not finite."""
    weights = np.where(np.arange(len(f)) % 2, -1.0, 1.0)
    weights[[0, -1]] /= 2  # those of Chebyshev's points of the second kind
    low, high = float(shares[k]), float(shares[k + 1])
    middle = (low + high) / 2
    while np.isfinite(f).all() and low < middle < high:
        c = weights / (middle - shares)
        low, high = (low, middle) if ((c @ f) / c.sum() > 0) == (f[k + 1] > f[k]) else (middle, high)
        middle = (low + high) / 2
    return middle
