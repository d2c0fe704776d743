r"""A path that is an extremal: where it begins, with which momenta, how long it is, and what is known of it.

Its ends may have other names, an angle and full turns of it, a quaternion and its negative:

.. math:: \theta \sim \theta + 2\pi k, \qquad q \sim -q
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING, Any, final

import numpy as np

from anholonomy.algebra.expressions import symbol
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import ArgumentError, NotSupportedError, UnknownNameError, quoted
from anholonomy.base.verdict import Verdict
from anholonomy.findings import Finding, Reason
from anholonomy.geometry.groups import SO3
from anholonomy.language.answers import Part, Readable, Row
from anholonomy.language.arguments import expect_number, is_list
from anholonomy.language.suggestions import near_symbol
from anholonomy.motion.problem.one_motion import FEW_SAMPLES
from anholonomy.programs.backends.base import Array
from anholonomy.system.model import Model
from anholonomy.vakonomic.sampled_path import course_of_motion, course_of_points
from anholonomy.vakonomic.shortest_paths.abnormal import is_abnormal_along
from anholonomy.vakonomic.shortest_paths.conjugate_and_cut import SHORTER, Cut, cut, first_conjugate_time
from anholonomy.vakonomic.shortest_paths.hamiltonian_flow import HamiltonianFlow, flow_of

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["Extremal", "Report", "ends", "turned"]

_COARSE = 1e4
"""How much worse a path through points is than a motion."""


@final
@dataclass(frozen=True, repr=False, eq=False)
class Extremal(Readable):
    """A shortest path, or one of least action, with its momenta.

    Attributes
    ----------
    system
        The system whose constraints it obeys.
    first, momenta
        Coordinates and momenta at the start, in the order of the system's coordinates and directions.
    duration
        The time it takes; that of a shortest path is its length.
    report
        How well it was found.
    points
        Times, coordinates and momenta of the best path where no extremal was found; otherwise None.

    Examples
    --------
    >>> from anholonomy.catalogue import heisenberg
    >>> path = heisenberg().paths.shortest({"x": 0, "y": 0, "z": 0}, {"x": 0, "y": 0, "z": 1})
    >>> round(path.length**2 / 3.141592653589793, 9)       # the circle that encloses half of z
    2.0
    """

    system: Any
    first: tuple[float, ...]
    momenta: tuple[float, ...]
    duration: float
    report: Report = field(default_factory=lambda: Report(True, 0.0))
    points: tuple[Array, Array, Array] | None = None

    @cached_property
    def _flow(self) -> HamiltonianFlow:
        return flow_of(self.system.model)

    @property
    def covector(self) -> dict[str, float]:
        """The momenta at the start, by direction."""
        return dict(zip(self.system.model.directions, self.momenta, strict=True))

    @cached_property
    def data(self) -> xr.Dataset:
        """Coordinates ``q``, momenta ``covector``, velocities and multipliers over time, with action and length so far."""
        import xarray as xr

        e, model = self._flow, self.system.model
        times, q, p, so_far = self._sampled()
        found = self._velocities(times, q, p)
        width = len(model.velocities)
        variables: dict[str, Any] = {
            "q": (("time", "coordinate"), q),
            "covector": (("time", "direction"), p),
            "velocity": (("time", "direction"), found[:, :width]),
        }
        if e.costates:
            variables["costate"] = (("time", "constraint"), found[:, width:])
        variables |= {name: (("time",), values) for name, values in so_far.items()}
        labels = {"coordinate": [s.name for s in model.coordinates], "direction": list(model.directions)}
        labels |= {"constraint": [c.label for c in e.model.constraints]} if e.costates else {}
        return xr.Dataset(
            variables, coords={"time": times, **labels}, attrs={"system": model.name, "outcome": str(self.report)}
        )

    def _velocities(self, times: Array, q: Array, p: Array) -> Array:
        """Velocities and multipliers; of an abnormal path the velocities of its points, and no multipliers."""
        if not self.report.abnormal:
            return self._flow.value(self._flow.velocities, times, np.concatenate([q, p], axis=1).T).T
        back = np.linalg.pinv(self._flow.anchors(times, q.T).transpose(0, 2, 1))
        w = np.einsum("kai,ki->ka", back, np.gradient(q, times, axis=0, edge_order=2))
        return np.concatenate([w, np.full((len(times), len(self._flow.costates)), np.nan)], axis=1)

    def _sampled(self) -> tuple[Array, Array, Array, dict[str, Array]]:
        if self.points is not None:
            times = self.points[0]  # lengths, where the path is one
            return *self.points, {"length": times, "action": times / 2} if self.report.abnormal else {}
        times, width = np.linspace(0.0, self.duration, FEW_SAMPLES), len(self.first)
        states = self._flow.along(self._flow.measured, np.array([*self.first, *self.momenta, 0.0, 0.0]), times)
        return times, states[:, :width], states[:, width:-2], {"action": states[:, -2], "length": states[:, -1]}

    @cached_property
    def run(self) -> Any:
        """The same as a motion by the vakonomic principle, which the simulator integrates from the start."""
        if self.points is not None:
            raise NotSupportedError(f"{self.system.name}: {self.report}. Its points are in `path.data`.")
        start = {q: float(v) for q, v in zip(self.data["coordinate"].values, self.first, strict=True)}
        w = dict(
            zip((s.name for s in self.system.model.velocities), self.data["velocity"].values[0].tolist(), strict=True)
        )
        times = self.data["time"].values
        return self.system.simulate({**start, **w, **self.multiplier, "t": 0.0}, times=times, by="vakonomic")

    @cached_property
    def multiplier(self) -> dict[str, float]:
        r"""The vakonomic multipliers $\mu_\nu$ at the start."""
        names = [mu.name for mu in self._flow.costates]
        return dict(zip(names, self.data["costate"].values[0].tolist(), strict=True)) if names else {}

    @property
    def length(self) -> float:
        r"""$\int\sqrt{2T}\,dt$, the length in the kinetic metric."""
        return self._last("length")

    @property
    def cost(self) -> float:
        r"""The action $\int L\,dt$; half the length for a shortest path, whose speed is one."""
        return self._last("action")

    def _last(self, name: str) -> float:
        if name not in self.data:
            raise NotSupportedError(f"{self.system.name}: {self.report}; such a path has no {name}.")
        return float(self.data[name].values[-1])

    @property
    def end(self) -> dict[str, float]:
        """Where it ends."""
        return dict(
            zip((str(name) for name in self.data["coordinate"].values), self.data["q"].values[-1].tolist(), strict=True)
        )

    def conjugate_time(self, until: float | None = None) -> float | None:
        """The first time at which neighbouring extremals meet it, looked for up to ``until`` (by default its end); None where none do.

        After that time it is no shortest path. For the Heisenberg system it is the cut time itself.
        """
        return first_conjugate_time(self._flow, np.array([*self.first, *self.momenta]), self._until(until))

    def _until(self, until: float | None) -> float:
        """How far neighbours are looked at; a path without momenta has none."""
        if self.points is not None:
            raise NotSupportedError(
                f"{self.system.name}: {self.report}; neighbouring extremals are those of a path with momenta."
            )
        if until is None:
            return self.duration
        return expect_number(until, f"{self.system.name}: `until`", "a positive number", above=0, refusal=ArgumentError)

    def cut(self, until: float | None = None, modulo: Sequence[str] | str = (), starts: int = 12) -> Cut:
        """Beyond which time it is not shortest, and why; looked for up to ``until``, by default its end.

        That it is shortest before is not proven: hundreds of other extremals and some paths between its points were compared.

        >>> from anholonomy.catalogue import heisenberg
        >>> arc = heisenberg().paths.extremal({"x": 0, "y": 0, "z": 0}, {"x": 1, "y": 0, "z": 0.5}, until=8)
        >>> print(arc.cut())
        it is not shortest beyond t = 6.283185307: neighbouring extremals meet it there; before, no shorter one was found
        """
        return cut(self, self._until(until), starts, turned(self.system.model, modulo))

    def cut_time(self, until: float | None = None, modulo: Sequence[str] | str = (), starts: int = 12) -> float | None:
        """The time of `cut`; None where no shorter path was found to any of its points up to ``until``."""
        return self.cut(until, modulo, starts).time

    def is_shortest(self, starts: int = 12, modulo: Sequence[str] | str = ()) -> Finding:
        """Whether no path between its ends is shorter: refuted by one that is, and unknown where none was found."""
        claim = "no admissible path between its ends is shorter"
        ends = (dict(zip(self.end, self.first, strict=True)), self.end)
        other = self.system.paths.shortest(*ends, starts=starts, modulo=modulo)
        if other.report.converged and other.length < self.length * (1 - SHORTER):
            found = (
                f"one of length {other.length:.10g} instead of {self.length:.10g}, with the covector {other.covector}"
            )
            return Finding(claim, Verdict.REFUTED, (Reason(found),))
        when = self.conjugate_time() if self.points is None else None
        if when is not None and when < self.duration * (1 - SHORTER):
            return Finding(
                claim, Verdict.REFUTED, (Reason(f"neighbouring extremals meet it at t = {when:.10g} already"),)
            )
        return Finding.unknown(claim, f"none was found from {starts} guesses")

    def is_strictly_abnormal(self) -> Finding:
        """Whether it is an extremal of the constraints alone and no normal one goes the same way.

        >>> from anholonomy.catalogue import martinet
        >>> line = martinet().paths.shortest({"x": 0, "y": 0, "z": 0}, {"x": 1, "y": 0, "z": 0})
        >>> line.is_strictly_abnormal().is_refuted
        True
        """
        claim = "the path is strictly abnormal: no normal extremal goes along it"
        if self.points is None:
            return Finding(claim, Verdict.REFUTED, (Reason("it is a normal extremal, with momenta that are known"),))
        first = self.is_abnormal()
        if not first:
            return Finding(claim, first.verdict, first.evidence)
        whole = self.system.paths.abnormal().strict
        return Finding(claim, whole.verdict, whole.evidence)

    def is_abnormal(self) -> Finding:
        """Whether it is an extremal of the constraints alone, whatever the action is; it may be one of both kinds.

        >>> from anholonomy.catalogue import martinet
        >>> line = martinet().paths.shortest({"x": 0, "y": 0, "z": 0}, {"x": 1, "y": 0, "z": 0})
        >>> line.is_abnormal().is_proven
        True
        """
        if self.points is None:
            return is_abnormal_along(self.system.model, course_of_motion(self.run))
        times, q, _ = self.points
        return is_abnormal_along(self.system.model, course_of_points(self.system.model, times, q), _COARSE)

    def plot(self, ax: Any = None) -> Any:
        """The usual picture of its motion; into axes of Matplotlib, or a file such as ``"path.png"``."""
        return self.run.plot(ax)

    def as_rows(self) -> Iterable[Part]:
        size = f"a path of length {self.length:.10g} and action {self.cost:.10g}; "
        known = self.points is None or self.report.abnormal
        yield Row(f"{self.system.name}: ", size if known else "", self.report)


@final
@dataclass(frozen=True, repr=False)
class Report(Readable):
    """How a path was found.

    Attributes
    ----------
    converged
        Whether an extremal leads to the end.
    residual
        The largest coordinate by which the end is missed.
    iterations
        Corrections of the momenta at the start.
    candidates
        Extremals of different action that lead to the end; the path is the one with the least.
    worst, by_shooting
        Where none does: the coordinate that is missed most, and what the best extremal missed.
    abnormal
        Whether the path is an extremal of the constraints alone, no normal one having been found.
    turns
        By how many full turns angles end elsewhere than given, in words.
    """

    converged: bool
    residual: float
    iterations: int = 0
    candidates: int = 1
    worst: str = ""
    by_shooting: float = float("nan")
    turns: str = ""
    abnormal: bool = False

    def as_rows(self) -> Iterable[Part]:
        if self.abnormal:
            return [
                f"an abnormal extremal that misses the end by {self.residual:.1g}, which has no momenta; no normal one was found, and whether "
                "it is the shortest path is not known from that (`system.paths.abnormal().regular` says whether its small pieces are)"
            ]
        if self.converged:
            others = f", the least of {self.candidates}" if self.candidates > 1 else ""
            turns = f"; {self.turns}" if self.turns else ""
            return [f"an extremal{others} that misses the end by {self.residual:.1g}{turns}"]
        shot = "" if np.isnan(self.by_shooting) else f", and extremals near it by {self.by_shooting:.1g} at best"
        return [
            f"no extremal was found that leads to the end: the best path misses it by {self.residual:.1g} in {self.worst}{shot}; "
            "try more `starts` or an end that is nearer, or it is abnormal (`system.paths.abnormal()` says where such paths are)"
        ]


def turned(model: Model, modulo: object) -> tuple[str, ...]:
    """The coordinates that count modulo full turns, as a user names them."""
    names = [modulo] if isinstance(modulo, str) else list(modulo) if is_list(modulo) else None  # type: ignore[call-overload]
    if names is None:
        raise ArgumentError(f"{model.name}: `modulo` is {quoted(modulo)}; give a list of angles.")
    known = [q.name for q in model.coordinates]
    for name in names:
        if str(name) not in known:
            near = near_symbol(str(name), known)
            hint = f"did you mean {near}?" if near else f"there are {', '.join(known)}."
            raise UnknownNameError(
                f"{model.name}: `modulo` has {quoted(name)}, which is no coordinate of this system; {hint}"
            )
        if symbol(str(name)) in model.redundant_coordinates and not isinstance(model.group, SO3):
            raise ArgumentError(f"{model.name}: `modulo` has {name}, which is no angle; leave it out.")
    return tuple(dict.fromkeys(map(str, names)))


def ends(model: Model, first: Array, last: Array, names: Sequence[str]) -> Iterator[tuple[Array, str]]:
    """The end at the full turns nearest to the start, and at the next ones to the other side, with words for each."""
    places = [q.name for q in model.coordinates]
    flips = [name for name in names if symbol(name) in model.redundant_coordinates]
    angles = [name for name in names if name not in flips]
    choices = []
    for name in angles:
        k = places.index(name)
        nearest = round((first[k] - last[k]) / math.tau)
        beyond = -1 if last[k] + math.tau * nearest > first[k] else 1
        choices.append((nearest, nearest + beyond))
    signs = (1, -1) if flips else (1,)
    for sign, turns in product(signs, product(*choices)):
        end = last.copy()
        if sign < 0 and model.group is not None:
            own = [places.index(q.name) for q in model.group.coordinates]
            end[own] = -end[own]
        for name, turn in zip(angles, turns, strict=True):
            end[places.index(name)] += math.tau * turn
        said = [f"{name} ends {turn:+d} full turns on" for name, turn in zip(angles, turns, strict=True) if turn]
        said += ["the attitude ends as the opposite quaternion"] if sign < 0 else []
        yield np.asarray(end), ", ".join(said)
