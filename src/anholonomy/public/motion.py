"""`Motion`: a computed motion that can be read, drawn, continued and saved."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, final

from anholonomy.base.errors import Error, UnknownNameError, quoted
from anholonomy.base.former_names import refuse_attribute
from anholonomy.base.notebook import folded, framed, picture, table
from anholonomy.equations.derivation import Derivation
from anholonomy.equations.principles.base import AbstractPrinciple
from anholonomy.language.suggestions import did_you_mean, same_name
from anholonomy.motion.trajectory import Trajectory
from anholonomy.public.options import SimulationOptions, read_options
from anholonomy.show.progress import watching
from anholonomy.system.units.to_si import events_in_si, in_si, time_in_si

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes

    from anholonomy.motion.simulate import Record
    from anholonomy.public.system import System
    from anholonomy.show.animation import Animation
    from anholonomy.stability.poincare_section import Section

__all__ = ["Motion", "motion_of"]

_FIGURES = ("phase", "momenta", "reactions", "velocities", "energy", "path")
"""Words for figures; the first three are the names of nothing that is drawn over time."""


@final
@dataclass(frozen=True, eq=False, repr=False)
class Motion(Trajectory):
    """A computed motion, indexed by the user's names.

    >>> from anholonomy.catalogue import chaplygin_sleigh
    >>> run = chaplygin_sleigh().simulate({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}, until=20)
    >>> run["theta"].dims
    ('time',)
    >>> bool(abs(run.constraint_residual).max() < 1e-14)
    True
    """

    system: System = field(kw_only=True)
    """The system whose motion this is."""

    @classmethod
    def _of(cls, system: System, source: xr.Dataset | Record) -> Motion:
        """The motion of a system that has been computed."""
        return cls(source, system.model, system=system)

    if not TYPE_CHECKING:  # which would let every name pass

        def __getattr__(self, name: str) -> NoReturn:
            refuse_attribute(self, name)

    def at(self, times: float | Sequence[float]) -> Motion:
        """The motion at other times within its own, integrated again between its samples: it stays on group and constraints.

        >>> from anholonomy.catalogue import skate
        >>> run = skate().simulate({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}, times=[0, 6, 12])
        >>> bool(abs(run.at([1, 2])["theta"] - [0.5, 1.0]).max() < 1e-15)
        True
        """
        from anholonomy.motion.further_times import resampled

        return Motion._of(self.system, resampled(self, time_in_si(times, "times")))

    def continue_to(
        self,
        until: float,
        *,
        events: Mapping[str, Any] | None = None,
        stop: str | Sequence[str] | None = None,
        inputs: Any = None,
        progress: Callable[[float], None] | None = None,
    ) -> Motion:
        """The motion continued from its end, with the samples and events it has, and as many samples in a time further on.

        Whatever ended it, an event, Ctrl-C or its last time, it goes on by the same principle, tolerance, limits and events;
        ``events``, ``stop`` and ``inputs`` replace those. The outcome is that of the new end.

        >>> from anholonomy.catalogue import skate
        >>> run = skate().simulate({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}, times=[0, 6, 12])
        >>> run.continue_to(until=24).time.values.tolist()
        [0.0, 6.0, 12.0, 18.0, 24.0]
        """
        from anholonomy.motion.further_times import continued, continuing

        events, inputs = events_in_si(self.model, events), in_si(self.model, inputs)
        problem = continuing(self, time_in_si(until, "until"), events, stop, inputs)
        with watching(progress) as report:
            return Motion._of(self.system, continued(self, problem, report))

    def section(self, condition: str, direction: int = 0) -> Section:
        """The Poincaré section of the motion: its states where a condition such as ``"theta = 0"`` is met, located to rounding.

        ``direction`` 1 keeps those where the left side rises beyond the right, -1 those where it falls.

        >>> from anholonomy import System
        >>> swing = System(name="swing", coordinates=["a"], lagrangian="a'^2/2 - 2*a^2")
        >>> section = swing.simulate({"a": 0.3, "a'": 0}, until=10).section("a = 0", direction=1)
        >>> section["time"].values.round(9).tolist(), section["a'"].values.round(9).tolist()
        ([2.35619449, 5.497787144, 8.639379797], [0.6, 0.6, 0.6])
        """
        from anholonomy.stability.poincare_section import section_of

        return section_of(self, condition, direction)

    def sensitivity(self, unknown: Sequence[str], of: Sequence[str] | None = None) -> xr.DataArray:
        """The derivatives of the motion by parameters and by coordinates and velocities at its start, (time, quantity, unknown).

        Exact to the accuracy of the motion: they are carried along it. ``of`` names what is differentiated, as `run[…]` takes it; by
        default coordinates and velocities. A start moves on the constraints: what of it can, first coordinates, then velocities, stays.

        >>> from anholonomy import System
        >>> fall = System(name="fall", coordinates=["z"], lagrangian="z'^2/2 - g*z", parameters={"g": 9.81})
        >>> run = fall.simulate({"z": 0, "z'": 4}, times=[0, 1, 2])
        >>> run.sensitivity(["g", "z'"], of=["z"]).values[:, 0].round(9).tolist()
        [[0.0, 0.0], [-0.5, 1.0], [-2.0, 2.0]]
        """
        from anholonomy.fitting.sensitivity import sensitivity_of

        return sensitivity_of(self, unknown, of)

    def plot(self, of: Any = None, ax: Axes | Iterable[Axes] | str | Path | None = None) -> Any:
        """The usual picture: the path, the coordinates by kind and size, and the errors in a small panel; returns the axes.

        It is drawn into so many axes, or one (which gets the path), or kept in a file, ``run.plot("motion.png")``.

        A list of names and expressions chooses what is drawn over time instead, as in
        ``run.plot(["theta", "x'*cos(theta)"], "speed.png")``: those of similar size in one panel, or all into one axes. A word chooses a figure:
        ``"phase"`` velocities against coordinates, ``"momenta"``, ``"reactions"``, ``"velocities"`` and ``"energy"`` over time, ``"path"``.
        """
        from anholonomy.show.figures import plot_chosen, plot_motion

        if (word := self._figure(of)) is not None:
            return self._drawn(word, ax)

        if isinstance(of, list | tuple) and any(isinstance(each, str) for each in of):
            return plot_chosen(self, {str(each): self[each] for each in of}, ax=ax)
        if of is not None and ax is not None:
            raise UnknownNameError(f"{quoted(of)} chooses nothing to draw; give a list of names, such as ['energy'].")
        if isinstance(of, str) and of and not Path(of).suffix:
            raise UnknownNameError(
                f"cannot draw {of:.60}: the figures are {', '.join(_FIGURES)}; to draw a quantity over time, put it in a list, as in "
                f"run.plot([{of[:60]!r}]), and a file has an ending, as in 'motion.png'."
            )
        return plot_motion(self, ax=of if ax is None else ax)

    def _figure(self, of: Any) -> str | None:
        """The word for a figure; in a list, as the command line gives it, one that names nothing else."""
        if isinstance(of, list | tuple) and len(of) == 1 and of[0] in _FIGURES[:3]:
            of = None if of[0] in self.model.names else of[0]
        return of if isinstance(of, str) and of in _FIGURES else None

    def _drawn(self, word: str, ax: Any) -> Any:
        from anholonomy.show.figures import plot_chosen, plot_energy, plot_path, plot_phase, plot_velocities
        from anholonomy.show.labels import declared_kinds
        from anholonomy.show.panels import momenta, reactions

        if word == "phase":
            return plot_phase(self, ax=ax)
        if word in ("momenta", "reactions"):
            curves, units = (momenta if word == "momenta" else reactions)(self)
            kinds = declared_kinds(self.model)
            return plot_chosen(self, curves, ax, units, word, {name: kinds.get(name[2:], "") for name in curves})
        draw = {"velocities": plot_velocities, "energy": plot_energy, "path": plot_path}[word]
        return draw(self, ax=ax)

    def _repr_html_(self) -> str:
        """What a notebook shows: the picture, the film if the system can be drawn, and how it went."""
        from anholonomy.show.text.summary import summary

        try:
            film = self.animate()._repr_html_() if self.data["time"].size > 1 else ""
        except Error:  # it needs a scene
            film = ""
        how = folded("how it went", table(summary(self)))
        return framed(picture(self), film, how, folded("the data", str(self.data._repr_html_())))

    def player(self, *, height: int = 420, **words: Any) -> Any:
        """The film as a widget of a notebook (Jupyter, VS Code, marimo), whose ``time`` and ``film`` can be set; words are those of `animate`.

        It needs anywidget, which the extra ``notebook`` brings.
        """
        from anholonomy.reports.widgets import player_widget

        return player_widget(self.animate(**words).film, height)

    def animate(
        self,
        path: str | Path | None = None,
        *,
        scene: Sequence[Mapping[str, Any]] | None = None,
        frames: int | None = None,
        follow: bool | None = None,
        playback: float | None = None,
    ) -> Animation:
        """The motion as a film, which a notebook shows and ``path`` (.html, .gif, .mp4) keeps.

        It draws ``scene``, by default the system's own; a system with coordinates x and y needs none. ``frames`` are evenly
        spaced, ``playback`` is the motion's time in a second, and with ``follow`` the camera goes along.

        >>> from anholonomy.catalogue import skate
        >>> run = skate().simulate({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}, until=12)
        >>> run.animate()
        Animation('skate', 361 frames, t = 0 … 12)
        """
        from anholonomy.show.animation import animate

        film = animate(self, scene=scene, frames=frames, follow=follow, playback=playback)
        if path is not None:
            film.save(path)
        return film


def motion_of(
    system: System,
    how: Derivation | AbstractPrinciple | str | None,
    start: Mapping[str, object] | None,
    until: float | None,
    times: Sequence[float] | None,
    options: Mapping[str, Any],
) -> Motion:
    """The motion by a derivation, or by a principle (by default the one with the shortest program), as `System.simulate` explains.

    The system of the motion is the one it was asked of, unless parameters were changed, whose values the problem has checked.
    """
    from anholonomy.motion.discrete import METHODS
    from anholonomy.motion.integrators import INTEGRATORS
    from anholonomy.motion.problem.one_motion import derivation_for, pose
    from anholonomy.motion.simulate import simulate

    model = system.model
    given = read_options(model, "simulate", options, SimulationOptions, "start", "until", "times", "by")
    start, until, times = in_si(model, start), time_in_si(until, "until"), time_in_si(times, "times")
    progress = given.pop("progress", None)
    if (integrator := given.get("integrator")) is not None:
        name = same_name(integrator, [*INTEGRATORS, *METHODS])
        if name is None:
            guess = did_you_mean(integrator, [*INTEGRATORS, *METHODS])
            raise UnknownNameError(
                f"there is no integrator {quoted(integrator)}; {guess}there are {', '.join(INTEGRATORS)}, and the discrete methods "
                f"{', '.join(METHODS)}."
            )
        if name in METHODS:
            return _discrete(system, how, start, until, times, {**given, "integrator": name}, progress)
    if beyond := [name for name in ("step", "every") if given.pop(name, None) is not None]:
        raise UnknownNameError(
            f"{system.name}: {beyond[0]} belongs to a discrete method, such as integrator='dla-midpoint'; choose one, or use max_step."
        )
    derivation = how if isinstance(how, Derivation) else derivation_for(model, how)
    problem = pose(model, derivation, start, until, times, **given)
    with watching(progress) as report:
        return Motion._of(system._like(problem.declared, is_checked=True), simulate(problem, report))


_OF_DISCRETE = ("integrator", "step", "every", "parameters")


def _discrete(
    system: System, how: object, start: Any, until: Any, times: Any, given: Mapping[str, Any], progress: Any
) -> Motion:
    """The motion by a discrete method, in equal steps."""
    from anholonomy.motion.discrete.motion import discrete_motion

    method = given["integrator"]
    refused = [*(name for name in given if name not in _OF_DISCRETE), *(["times"] if times is not None else [])]
    refused += ["by"] if how is not None else []
    if refused:
        raise UnknownNameError(
            f"{system.name}: the discrete method {method} does not take {refused[0]}; it takes start, until, step, every and parameters."
        )
    if given.get("step") is None:
        raise UnknownNameError(f"{system.name}: the discrete method {method} needs `step`, the length of its steps.")
    with watching(progress) as report:
        problem, data = discrete_motion(
            system.model, method, start, until, given["step"], given.get("every", 1), given.get("parameters"), report
        )
    return Motion._of(system._like(problem.declared), data)
