"""The nouns a user holds and the verbs they have: declare, derive, verify, simulate, plot.

`System` is a `Model` with verbs and `Motion` a `Trajectory` with verbs. They live above all rooms, so that the
data they extend need not know what can be done with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

from anholonomy.bodies import with_bodies
from anholonomy.bodies.scenery import scenery
from anholonomy.bodies.tables import parts_toml, read_parts
from anholonomy.disk import write_whole
from anholonomy.equations import Equations
from anholonomy.formulations import formulation, suited
from anholonomy.formulations.base import AbstractFormulation
from anholonomy.formulations.reduction import Reduction, frame_over_fibre
from anholonomy.geometry.groups import AbstractGroup
from anholonomy.language.door import value_of
from anholonomy.questions import Questions
from anholonomy.reduced import Reduced
from anholonomy.refusals import IllPosedSystem, InadmissibleState, NotCovered, Refusal, UnknownName
from anholonomy.show.progress import watching
from anholonomy.simulate.problem import MACHINE, pose
from anholonomy.simulate.reading import model_of
from anholonomy.simulate.simulation import simulate
from anholonomy.simulate.trajectory import Trajectory
from anholonomy.symbolic.balls import precision
from anholonomy.system.checks import check_model
from anholonomy.system.declare import UNNAMED, declare, start_items, with_forces
from anholonomy.system.doubts import warn_of_mistakes, warn_of_values
from anholonomy.system.files import checked_toml, from_toml, read_system
from anholonomy.system.model import Model
from anholonomy.system.moving_frame import MovingFrame
from anholonomy.system.redundancy import revalued
from anholonomy.system.speeds import frame_of_speeds
from anholonomy.system.states import complete_state
from anholonomy.system.substitution import warn_if_substituted
from anholonomy.system.unspecified import with_functions

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from anholonomy.show.animation import Animation

__all__ = ["Motion", "Reduced", "System", "load"]


@final
@dataclass(frozen=True, init=False, repr=False)
class System(Questions):
    r"""A mechanical system with constraints on its velocities, declared once.

    Parameters
    ----------
    name
        What to call it in messages, tables and files; ``"system"`` by default.
    coordinates
        Names, or a dict from name to ``"length"`` or ``"angle"``.
    lagrangian
        Text such as ``"m*x'^2/2 - m*g*x"``, or a SymPy expression.
    constraints
        Equations such as ``"x'*sin(theta) = y'*cos(theta)"``, in a list or a dict with labels. Linear, affine,
        time-dependent, nonlinear in the velocities, on positions alone, or linear in the accelerations
        (``"x'' = -x"``).
    parameters
        Values by name; None leaves a symbol free for derivation.
    forces
        Coordinate to expression: the applied forces that have no potential.
    span
        A basis of the admissible directions: one vector each, a component for each coordinate.
    speeds
        Names for the speeds along ``span``. Without a span, the speeds themselves for derivation, simulation and export: a
        list of velocities such as ``["phil'", "phir'"]``, or a dict of definitions such as
        ``{"v": "x'*cos(theta) + y'*sin(theta)"}``. Without either the software chooses.
    group
        A Lie group such as ``SO3()``, by itself or beside ``coordinates``; its speeds (``w1``, ``w2``, ``w3``) are velocities.
    kinetic, potential
        Instead of a Lagrangian: the matrix of the kinetic energy in the velocities (or its diagonal) and a potential.
    bodies, joints, contacts, loads, gravity
        Instead of a Lagrangian: rigid bodies, what they hang on, roll on and are pushed by, and the strength of gravity
        (along -z) or its vector. Coordinates, constraints, forces and a Lagrangian may be added to theirs.
    momenta
        Coordinate to expression, instead of a Lagrangian: the motion obeys $d\Pi/dt = F$, with ``forces`` for $F$.
    scene
        What an animation draws: a list of shapes, such as ``{"shape": "sphere", "position": ["x", "y", "r"]}``.
    one_sided
        Labels of constraints that push and cannot pull: a motion reports when such a multiplier becomes negative, as the event
        ``"height lost"``. Contacts add theirs.
    start
        Where a motion begins unless `simulate` is told otherwise: coordinates and velocities with numbers, or texts such as
        ``"pi/2"``.
    functions
        Functions that stay unspecified, with their arguments: ``["V(x, y)"]``. Lagrangian and forces may call them so;
        `with_functions` writes them out, for numbers.
    redundant
        What to do with constraints that follow from others: ``"refuse"``, ``"drop"``, or ``"keep"`` them for the
        principles that allow it, which also makes these pass through states where constraints become dependent.

    Raises
    ------
    Refusal
        When the text is no expression or the declaration no well-posed system; the message says what to change.

    Examples
    --------
    >>> skate = System(
    ...     name="skate", coordinates=["x", "y", "theta"],
    ...     lagrangian="m*(x'^2 + y'^2)/2 + I*theta'^2/2",
    ...     constraints=["x'*sin(theta) = y'*cos(theta)"], parameters={"m": 1.0, "I": 0.5})
    >>> print(skate.derive("hamel"))
    skate: equations of motion by hamel
      x' = u1*cos(theta)
      y' = u1*sin(theta)
      m*u1' = 0
      I*theta'' = 0
    >>> skate.verify().agree
    True
    """

    assembly: Mapping[str, Any] = field(default_factory=dict, compare=False)
    """The words of a declaration by bodies, for files; empty where there are none, or forces were changed since."""

    def __init__(
        self,
        *,
        name: str = UNNAMED,
        coordinates: Sequence[Any] | Mapping[Any, str] = (),
        lagrangian: Any = None,
        constraints: Sequence[Any] | Mapping[str, Any] = (),
        parameters: Mapping[Any, float | None] | Iterable[Any] = (),
        forces: Mapping[Any, Any] | None = None,
        span: Sequence[Sequence[Any]] | None = None,
        speeds: Sequence[Any] | Mapping[Any, Any] | None = None,
        momenta: Mapping[Any, Any] | None = None,
        redundant: str = "refuse",
        group: AbstractGroup | str | None = None,
        kinetic: Sequence[Any] | None = None,
        potential: Any = None,
        scene: Sequence[Mapping[str, Any]] | None = None,
        one_sided: Sequence[str] = (),
        start: Mapping[Any, Any] | None = None,
        functions: Sequence[str] = (),
        bodies: Sequence[Any] = (),
        joints: Sequence[Any] = (),
        contacts: Sequence[Any] = (),
        loads: Sequence[Any] = (),
        gravity: Any = None,
    ) -> None:
        words = {word: value for word, value in locals().items() if word != "self"}
        model = _declared(words)
        self._adopt(model, {word: value for word, value in words.items() if bodies and value is not None})
        warn_if_substituted(model)
        warn_of_mistakes(model, built=bool(bodies))

    @classmethod
    def _of(cls, model: Model, assembly: Mapping[str, Any] | None = None) -> System:
        """A model that exists already, with verbs."""
        system = cls.__new__(cls)
        system._adopt(model, assembly)
        return system

    def _adopt(self, model: Model, assembly: Mapping[str, Any] | None = None) -> None:
        check_model(model)
        for each in fields(Model):
            object.__setattr__(self, each.name, getattr(model, each.name))
        object.__setattr__(self, "assembly", assembly or {})

    def with_parameters(self, /, **values: float | None) -> System:
        """The same system with other values; None frees a symbol.

        >>> from anholonomy.catalogue import chaplygin_sleigh
        >>> chaplygin_sleigh().with_parameters(m=2.0).parameters["m"]
        2.0
        """
        if unknown := sorted(set(values) - set(self.parameters)):
            known = ", ".join(self.parameters) or "none"
            raise UnknownName(f"{self.name} has no parameter {unknown[0]!r}; its parameters are {known}.")
        items = tuple(
            (p, value_of(values[p], f"{self.name}: the parameter {p}") if p in values else old)
            for p, old in self.parameter_items
        )
        changed = System._of(revalued(self, items), self.assembly)
        warn_of_values(changed)
        return changed

    def with_start(self, start: Mapping[Any, Any] | None) -> System:
        """The same system whose motions begin elsewhere unless told otherwise; None leaves that open."""
        return System._of(self.with_words(start_items=start_items(self.name, start)), self.assembly)

    def with_forces(
        self,
        forces: Mapping[Any, Any],
        parameters: Mapping[Any, float | None] | Iterable[Any] = (),
        *,
        instead: bool = False,
    ) -> System:
        """The same system with further applied forces, or with these ``instead`` of its own.

        ``parameters`` are those that the forces need; one that the system has already gets another value.

        >>> from anholonomy.catalogue import skate
        >>> braked = skate().with_forces({"x": "-c*x'", "y": "-c*y'"}, parameters={"c": 0.1})
        >>> [str(force) for force in braked.with_forces({"x": 1}).forces_a]
        ["1 - c*x'", "-c*y'", '0']
        """
        return System._of(with_forces(self, forces, parameters, instead))

    def with_functions(self, /, **functions: Any) -> System:
        """The same system with functions written out, each a text in the names of its arguments.

        >>> particle = System(coordinates=["x"], lagrangian="x'^2/2 - V(x)", functions=["V(x)"])
        >>> particle.with_functions(V="9*x").derive().accelerations({"x": 0, "x'": 1})
        {"x''": -9.0}
        """
        return System._of(with_functions(self, functions))

    def derive(
        self,
        by: str | AbstractFormulation | None = None,
        at: Mapping[str, object] | None = None,
        speeds: Mapping[Any, Any] | Sequence[Any] | str | None = None,
    ) -> Equations:
        """The equations of motion by a principle: its name, such as ``"hamel"`` or ``"voronec"``, or an object.

        The default is Hamel's where it covers the system, and Lagrange and d'Alembert's with multipliers otherwise.

        ``speeds`` chooses the speeds of the principles that leave a choice: a dict such as
        ``{"v": "x'*cos(theta) + y'*sin(theta)", "w": "theta'"}``, a list of velocities, or ``"orthonormal"``, which makes
        the kinetic energy a sum of squares and the speeds momenta. Otherwise the software
        chooses; ``at`` is a state where its choice must be regular, by default a generic one.
        """
        principle = suited(self) if by is None else formulation(by)
        point, frame = None, None
        if at is not None:
            with precision(30):
                point = {s: float(v.mid()) for s, v in complete_state(self, at).items()}
        if speeds is not None:
            principle.refuse_unless_covered(self)
            if not principle.takes_speeds:
                raise NotCovered(
                    f"{self.name}: {principle.name} is written in all velocities and leaves no speeds to choose; use another "
                    "principle, such as 'hamel', or leave `speeds` out."
                )
            frame = frame_of_speeds(self, speeds, point)
        elif point is not None:
            frame = principle.frame(self, point, strict=True)
        return Equations.of(principle.derive(self, frame))

    def simulate(
        self,
        start: Mapping[str, object] | None = None,
        until: float | None = None,
        times: Sequence[float] | None = None,
        *,
        by: str | AbstractFormulation | None = None,
        parameters: Mapping[str, float] | None = None,
        tolerance: float = MACHINE,
        integrator: str | None = None,
        project: bool = False,
        events: Mapping[str, Any] | None = None,
        stop: str | Sequence[str] = (),
        max_step: float | None = None,
        breaks: Sequence[float] = (),
        progress: Callable[[float], None] | None = None,
    ) -> Motion:
        """The motion from ``start``, up to ``until`` or at ``times``.

        Without ``start`` it begins where the system declares.         Velocities that the constraints determine may be left out of ``start``. A start that violates them is
        refused with the nearest admissible one, or projected onto them with ``project=True``. The default
        integrates Hamel's reduced equations at machine precision. ``progress`` is called with the fraction done; by
        default a long integration shows a bar on a terminal. Ctrl-C returns what was computed so far.

        ``events`` names functions of the state, such as ``{"upright": "theta"}``, which may use multipliers (``lambda1``),
        accelerations (``x''``), reactions (``reaction_x``) and ``energy``; the times at which they pass through zero are in
        ``motion.events``, and so is the loss of a one-sided constraint. Those named in ``stop`` end the motion.

        Steps are as long as the tolerance and the system's own functions of time allow; ``max_step`` bounds them, and none
        leads over one of the times in ``breaks``.
        """
        if start is None and not self.start:
            raise InadmissibleState(f"{self.name} declares no start; give one, a dict from names to numbers.")
        problem = pose(
            self,
            self.start if start is None else start,
            until,
            times,
            by=by,
            parameters=parameters,
            tolerance=tolerance,
            integrator=integrator,
            project=project,
            events=events,
            stop=stop,
            max_step=max_step,
            breaks=breaks,
        )
        with watching(progress) as report:
            return Motion(simulate(problem, report))

    def reduced(self, fibre: Sequence[Any] | None = None) -> Reduced:
        """The system on a base: without constraints, and without as many coordinates that appear nowhere.

        ``fibre`` names those coordinates; by default the software chooses. Refused where something depends on them.

        >>> from anholonomy.catalogue import chaplygin_sleigh
        >>> reduced = chaplygin_sleigh().reduced(fibre=["y"])
        >>> reduced.base, [str(q) for q in reduced.base.coordinates]
        (System('Chaplygin sleigh, base', 2 coordinates, 0 constraints), ['x', 'theta'])
        """
        if why := formulation("chaplygin").obstacle(self):
            raise NotCovered(f"{self.name}: the reduction to a base {why}.")
        reduction = Reduction.of(self, frame_over_fibre(self, fibre=fibre))
        return Reduced(self, System._of(reduction.base_model()), reduction)

    def seen_from(self, moving: MovingFrame) -> System:
        """The same system in a moving frame of its own: motions correspond by `MovingFrame.fixed_state`.

        Its parameters have the values that they have in this system, whichever they had when the frame was made.
        """
        if not isinstance(moving, MovingFrame):
            raise IllPosedSystem(f"{self.name}: {moving!r:.60} is no moving frame; make one with moving_frame({{…}}).")
        return System._of(moving.model_of(self))

    def save(self, path: str | Path) -> None:
        """Write the declaration as a TOML file that `load` reads back without loss."""
        write_whole(path, self.to_toml())

    def to_toml(self) -> str:
        """The declaration as a TOML text: by bodies, joints, contacts and loads where it was made so."""
        if self.assembly:
            try:
                text = parts_toml(self.assembly, self)
                if _declared(_read(text, self.name)) == self.with_words():
                    return text
            except Refusal:
                pass  # a word that no text can hold
        return checked_toml(self)

    def __repr__(self) -> str:
        sizes = {"coordinate": len(self.coordinates), "constraint": len(self.constraints)}
        counted = (f"{count} {what}{'' if count == 1 else 's'}" for what, count in sizes.items())
        return f"System({self.name!r}, {', '.join(counted)})"


def _declared(words: Mapping[str, Any]) -> Model:
    return declare(**with_bodies(**{"name": UNNAMED, **words}) | scenery(words))


def _read(text: str, source: str) -> dict[str, Any]:
    return read_parts(from_toml(text, source, parts=True), source)


def load(path: str | Path) -> System:
    """The system that a TOML file declares; a refusal names the file."""
    words = read_parts(read_system(path), str(path))
    try:
        return System(**words)
    except Refusal as problem:
        raise type(problem)(f"{path}: {problem}") from None


@final
@dataclass(frozen=True)
class Motion(Trajectory):
    """A computed motion, indexed by the user's names.

    >>> from anholonomy.catalogue import chaplygin_sleigh
    >>> run = chaplygin_sleigh().simulate({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}, until=20)
    >>> run["theta"].dims
    ('time',)
    >>> bool(abs(run.constraint_residual).max() < 1e-14)
    True
    """

    @property
    def system(self) -> System:
        """The system whose motion this is, from the declaration that was stored with it."""
        model_of(self.data)  # refused where the data are those of another
        return System(**from_toml(self.data.attrs["declaration"], "the trajectory's declaration"))

    def at(self, times: float | Sequence[float]) -> Motion:
        """The motion at other times within its own, integrated again between its samples: it stays on group and constraints.

        >>> from anholonomy.catalogue import skate
        >>> run = skate().simulate({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}, times=[0, 6, 12])
        >>> bool(abs(run.at([1, 2])["theta"] - [0.5, 1.0]).max() < 1e-15)
        True
        """
        from anholonomy.simulate.resampling import resampled

        return Motion(resampled(self, times))

    def go_on(
        self,
        until: float,
        *,
        events: Mapping[str, Any] | None = None,
        stop: str | Sequence[str] | None = None,
        progress: Callable[[float], None] | None = None,
    ) -> Motion:
        """The motion continued from its end, with the samples and events it has, and as many samples in a time further on.

        Whatever ended it, an event, Ctrl-C or its last time, it goes on by the same principle, tolerance, limits and events;
        ``events`` and ``stop`` replace those. The outcome is that of the new end.

        >>> from anholonomy.catalogue import skate
        >>> run = skate().simulate({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}, times=[0, 6, 12])
        >>> run.go_on(until=24).time.values.tolist()
        [0.0, 6.0, 12.0, 18.0, 24.0]
        """
        from anholonomy.simulate.continuing import continued, continuing

        problem = continuing(self, until, events, stop)
        with watching(progress) as report:
            return Motion(continued(self, problem, report))

    def plot(self, of: Any = None, ax: Axes | Iterable[Axes] | str | Path | None = None) -> Any:
        """The usual picture: the path, the coordinates by kind and size, and the errors in a small panel; returns the axes.

        It is drawn into so many axes, or one (which gets the path), or kept in a file, ``run.plot("motion.png")``.

        A list of names and expressions chooses what is drawn over time instead, as in
        ``run.plot(["theta", "x'*cos(theta)"], "speed.png")``: those of similar size in one panel, or all into one axes.
        """
        from anholonomy.show.figures import plot_chosen, plot_motion

        if isinstance(of, list | tuple) and any(isinstance(each, str) for each in of):
            return plot_chosen(self.data, {str(each): self[each] for each in of}, ax=ax)
        if of is not None and ax is not None:
            raise UnknownName(f"{of!r:.60} chooses nothing to draw; give a list of names, such as ['energy'].")
        return plot_motion(self.data, ax=of if ax is None else ax)

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

        film = animate(self.data, scene=scene, frames=frames, follow=follow, playback=playback)
        if path is not None:
            film.save(path)
        return film
