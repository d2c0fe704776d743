"""A plan as a user holds it: the motion, its controls and cost, the verdict, a report, pictures with obstacles and the body."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar, final

import numpy as np

from anholonomy.algebra.expressions import symbol
from anholonomy.base.caching import cached_property
from anholonomy.base.notebook import Shown
from anholonomy.motion.trajectory import Trajectory
from anholonomy.plans.collocation import Curve, function_of
from anholonomy.plans.task import Task
from anholonomy.plans.verification import Judged
from anholonomy.programs.backends.base import Array
from anholonomy.programs.program import lower
from anholonomy.system.model import Model
from anholonomy.system.scene import scene_tables

if TYPE_CHECKING:
    import xarray as xr

    from anholonomy.show.animation import Animation

__all__ = ["Plan"]

M = TypeVar("M", bound=Trajectory)
_POSTURES = 13
"""How often the body is drawn along its way."""
_DRAWN = 60
"""Points of an obstacle's outline in an animation."""
_FINE = 241
"""Points of the grid on each axis."""
_OUTLINE = 3
"""Points that bound an area."""
_AROUND, _NEAR = 0.6, 0.15
"""How far around the motion obstacles are filled, or drawn as lines, as a part of its extent."""


@final
@dataclass(frozen=True, eq=False, repr=False)
class Plan(Shown, Generic[M]):
    """What ``system.plan`` returns: the cheapest admissible motion that was found from one state to another, carried out.

    >>> from anholonomy.catalogue import skate
    >>> plan = skate().plan({"x": 0, "y": 0, "theta": 0}, {"x": 1, "y": 1, "theta": "pi/2"}, cost="time", bounds={"u": (-1, 1), "omega": (-1, 1)})
    >>> plan.converged, round(plan.duration, 4), bool(abs(plan.run["y"][-1] - 1) < 1e-6)
    (True, 1.5708, True)
    """

    declared: Model
    judged: Judged
    motion: Callable[[xr.Dataset], M]

    @cached_property
    def run(self) -> M:
        """The motion, integrated with the controls of the plan."""
        return self.motion(self.judged.carried.dataset(self.declared))

    @property
    def cost(self) -> float:
        """What the plan costs."""
        return self.judged.cost

    @property
    def duration(self) -> float:
        """How long it takes."""
        return self.curve.duration

    @property
    def converged(self) -> bool:
        """Whether it keeps its limits, reaches the end when carried out, and cannot be improved by small changes."""
        return self.judged.converged

    @property
    def verdict(self) -> str:
        """A sentence: what was reached, or what is violated and by how much."""
        return self.judged.verdict

    @property
    def mismatch(self) -> dict[str, float]:
        """By how much the motion misses each value of the end."""
        return self.judged.carried.mismatch

    @property
    def residual(self) -> float:
        """The largest difference between the motion and the collocated curve, beside the size of each state."""
        return self.judged.carried.residual

    @property
    def curve(self) -> Curve:
        """The states and controls as they were collocated."""
        return self.judged.carried.curve

    @property
    def rows(self) -> list[tuple[str, str]]:
        """The report as rows of name and text."""
        return self.judged.lines

    @property
    def report(self) -> str:
        """How it was found, what it costs, and how well it does when it is carried out."""
        width = max(len(name) for name, _ in self.rows)
        return "\n".join(f"{name:<{width}}  {text}" for name, text in self.rows)

    def __str__(self) -> str:
        return self.report

    def __repr__(self) -> str:
        return f"Plan({self.declared.name!r}: cost {self.cost:.6g}, T = {self.duration:.6g}; {self.verdict.split(': ', 1)[-1]})"

    def plot(self, ax: Any = None) -> Any:
        """The way between obstacles, the controls between their bounds, the coordinates; ``plan.plot("plan.png")`` keeps it."""
        from anholonomy.show.figures.plan import plot_plan

        t = self.judged.task
        bounds = zip(t.limits.low[t.width :].tolist(), t.limits.high[t.width :].tolist(), strict=True)
        controls = {u.name: (self.run[u.name], *pair) for u, pair in zip(t.controlled.controls, bounds, strict=True)}
        return plot_plan(self.run, controls, self._outlines(True), self._postures, ax)

    def animate(
        self,
        path: str | Path | None = None,
        *,
        scene: Sequence[Mapping[str, Any]] | None = None,
        frames: int | None = None,
        follow: bool | None = None,
        playback: float | None = None,
    ) -> Animation:
        """The motion as a film, as `Motion.animate` makes it, with the obstacles of the plane drawn on the ground."""
        from anholonomy.show.animation import animate
        from anholonomy.show.animation.default_scene import usual_scene

        own = scene_tables(self.declared.scene or usual_scene(self.declared)) if scene is None else [*scene]
        film = animate(
            self.run,
            scene=[*own, *map(_polyline, self._outlines(False))],
            frames=frames,
            follow=follow,
            playback=playback,
        )
        if path is not None:
            film.save(path)
        return film

    def _outlines(self, closed: bool) -> list[np.ndarray]:
        if self._plane is None:
            return []
        path = np.column_stack([self.run[name].values for name in self._plane])
        around = np.vstack([path, *self._postures])
        return _outlines(self.judged.task, self._plane, around, closed)

    @cached_property
    def _postures(self) -> list[np.ndarray]:
        carried = self.judged.carried
        some = np.linspace(0, carried.times.size - 1, _POSTURES).astype(int)
        return (
            []
            if self._plane is None
            else _postures(self.judged.task, self._plane, carried.times[some], carried.states[some])
        )

    @cached_property
    def _plane(self) -> tuple[str, str] | None:
        """The coordinates of the plane in which the way is drawn, if there are two."""
        from anholonomy.show.figures.path import drawn_coordinates

        plane = drawn_coordinates(self.run)
        return plane if all(name in self.run.data["coordinate"] for name in plane) else None


def _polyline(outline: np.ndarray) -> dict[str, Any]:
    kept = outline[np.linspace(0, len(outline) - 1, min(len(outline), _DRAWN)).astype(int)]
    middle = kept.mean(axis=0)
    points = [[repr(float(x)), repr(float(y)), "0"] for x, y in kept - middle]
    place = [*(repr(float(each)) for each in middle), "0"]
    return {"shape": "polyline", "position": place, "points": points, "colour": "accent"}


def _outlines(task: Task, plane: tuple[str, str], path: Array, closed: bool) -> list[Array]:
    """The lines that bound obstacles in the plane of two coordinates, around a path (time, 2); others are left out.

    Those that leave the picture are ``closed`` along its rim.
    """
    middle, reach = (path.max(axis=0) + path.min(axis=0)) / 2, float(np.ptp(path, axis=0).max()) or 1.0
    size = (0.5 + (_AROUND if closed else _NEAR)) * reach
    return list(_lines(task, plane, middle - size, middle + size, closed))


def _lines(task: Task, plane: tuple[str, str], low: Array, high: Array, closed: bool) -> Iterator[Array]:
    from contourpy import contour_generator

    c, inputs = task.controlled, tuple(map(symbol, plane))
    x, y = (np.linspace(low[k], high[k], _FINE) for k in (0, 1))
    grid = np.stack(np.meshgrid(x, y)).reshape(2, -1)
    for outside in task.limits.obstacles:
        if outside.free_symbols <= {*inputs, *c.parameters}:
            values = function_of(lower(inputs, c.parameters, (), (outside,)))(0.0, grid, c.values).reshape(_FINE, _FINE)
            if closed:
                values[[0, -1]], values[:, [0, -1]] = np.abs(values).max(), np.abs(values).max()
            yield from map(np.asarray, contour_generator(x, y, values).lines(0.0))


def _postures(task: Task, plane: tuple[str, str], times: Array, states: Array) -> list[Array]:
    """The points of the body at some states, (point, 2) each; none where the body is a point or lies in no plane."""
    c, body = task.controlled, task.limits.body
    if len(body) < _OUTLINE:
        return []
    own = tuple(map(symbol, plane))
    places = tuple(point.get(s, s) for point in body for s in own)
    used = {s for place in places for s in place.free_symbols}
    if not used <= {*c.states, *c.parameters}:
        return []
    values = function_of(lower(c.states, c.parameters, (), places))(times, states.T, c.values)
    return [column.reshape(-1, 2) for column in values.T]
