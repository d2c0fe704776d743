"""`System`: it has a model, the verbs, and three accessors.

The nouns a user holds and the arrow between them: a `System` is derived to `Equations`, these are simulated to a `Motion`.

Each is plain data of a room below with verbs: a `Model`, `EquationsOfMotion`, a `Trajectory`. They live above all rooms, so that
the data need not know what can be done with it, and together, because a motion knows its system.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from sys import float_info
from typing import TYPE_CHECKING, Any, Literal, final, overload

from anholonomy.algebra.numbers.balls import precision
from anholonomy.base.caching import cached_property
from anholonomy.base.deadlines import LIMIT, patience
from anholonomy.base.errors import GaveUp, IllPosedSystem, NotCovered, Refusal, UnknownName
from anholonomy.equations.derivation import Derivation
from anholonomy.equations.equations_of_motion import EquationsOfMotion
from anholonomy.equations.principles import formulation, suited
from anholonomy.equations.principles.base import AbstractFormulation
from anholonomy.motion.dataset.one_motion import model_of
from anholonomy.public.declaration import Declaration, words_of_file
from anholonomy.public.equations import Exports
from anholonomy.public.motion import Drawn
from anholonomy.public.questions import Sectioned, Sensitive
from anholonomy.show.progress import watching
from anholonomy.system.declaration.inputs import refuse_inputs
from anholonomy.system.declaration.toml import from_toml
from anholonomy.system.model import Model
from anholonomy.system.states.complete_state import complete_state
from anholonomy.system.units.to_si import with_spoken_verbs

if TYPE_CHECKING:
    from anholonomy.measures.new_time.over_base import Hamiltonization
    from anholonomy.measures.new_time.reduced_bracket import ReducedBracket
    from anholonomy.measures.reduced_systems import Reduced, ReducedByGroup
    from anholonomy.plans.plan import Plan

__all__ = ["Equations", "Motion", "System", "load"]


@final
@with_spoken_verbs(below=Model)
@dataclass(frozen=True, init=False, repr=False, eq=False)
class System(Declaration):
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
        Where a motion begins unless told otherwise: numbers by name, or texts such as ``"pi/2"``.
    inputs
        Names of what acts from outside through the forces, ``forces={"phi": "tau"}, inputs=["tau"]``; `simulate` takes a signal for each.
    units
        Names with coherent SI units, ``{"m": "kg"}``; values such as ``"12 kg"`` bring theirs. Terms must then fit together.
    functions
        Functions that stay unspecified, with their arguments: ``["V(x, y)"]``. Lagrangian and forces may call them so;
        `with_functions` writes them out, for numbers.
    redundant
        What to do with constraints that follow from others: ``"refuse"``; ``"drop"``, which uses those that are farthest from dependent;
        or ``"keep"`` them for the principles that allow it, which then pass through states where constraints become dependent.

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
        the kinetic energy a sum of squares and the speeds momenta. Otherwise the software chooses, regular ``at`` a state.
        """
        point = None
        if at is not None:
            with precision(30):
                point = {s: float(v.mid()) for s, v in complete_state(self, at).items()}
        principle = suited(self) if by is None else formulation(by)
        return Equations.of(self, Derivation.of(self, principle, speeds, point))

    def simulate(
        self,
        start: Mapping[str, object] | None = None,
        until: float | None = None,
        times: Sequence[float] | None = None,
        *,
        by: str | AbstractFormulation | None = None,
        parameters: Mapping[str, float] | None = None,
        tolerance: float = float_info.epsilon,
        integrator: str | None = None,
        project: bool = False,
        events: Mapping[str, Any] | None = None,
        stop: str | Sequence[str] = (),
        max_step: float | None = None,
        breaks: Sequence[float] = (),
        inputs: Any = None,
        sampling: float | None = None,
        progress: Callable[[float], None] | None = None,
    ) -> Motion:
        """The motion from ``start``, up to ``until`` or at ``times``.

        Without ``start`` it begins where the system declares. Velocities that the constraints determine may be left out of
        ``start``. A start that violates them is refused with the nearest admissible one, or projected onto them with
        ``project=True``. The default integrates reduced equations, Kane's or Hamel's, whichever are shorter, at machine
        precision. ``progress`` is called with the fraction done; by default a long integration shows a bar on a terminal.
        Ctrl-C returns what was computed so far.

        ``events`` names functions of the state, such as ``{"upright": "theta"}``, which may use multipliers (``lambda1``),
        accelerations (``x''``), reactions (``reaction_x``) and ``energy``; the times at which they pass through zero are in
        ``motion.events``, and so is the loss of a one-sided constraint. Those named in ``stop`` end the motion.

        Steps are as long as tolerance and functions of time allow, at most ``max_step``; none leads over a time in ``breaks``.

        ``inputs`` has signals: numbers, texts of feedback, data, functions of time and state, held for ``sampling`` or asked all the time.
        """
        asked = {word: value for word, value in locals().items() if word not in ("self", "by")}
        from anholonomy.motion.problem.one_motion import derivation_for

        return _motion(self, derivation_for(self, by), **asked)

    def discrete(
        self,
        method: str,
        start: Mapping[str, object] | None = None,
        until: float | None = None,
        *,
        step: float,
        every: int = 1,
        parameters: Mapping[str, float] | None = None,
        progress: Callable[[float], None] | None = None,
    ) -> Motion:
        """The motion by a discrete method of nonholonomic mechanics, such as ``"dla-midpoint"``, in equal steps no longer than ``step``.

        These are for study: `simulate` is more accurate at the same cost. The nodes are what the motion has, or ``every`` so many.

        >>> from anholonomy.catalogue import nonholonomic_oscillator
        >>> nonholonomic_oscillator().discrete("gni", {"x": 1, "y": 0, "z": 0, "x'": 0.9, "y'": 1.6}, until=1, step=0.1).is_complete
        True
        """
        from anholonomy.motion.discrete.motion import discrete_motion

        with watching(progress) as report:
            problem, data = discrete_motion(self, method, start, until, step, every, parameters, report)
        return Motion(data, System._of(problem.declared, self.assembly))

    def plan(
        self,
        start: Mapping[str, object] | None,
        end: Mapping[str, object],
        cost: Any = "effort",
        bounds: Mapping[Any, Any] | None = None,
        horizon: float | None = None,
        *,
        obstacles: Sequence[str] | None = None,
        body: Sequence[Mapping[str, Any]] | None = None,
        inputs: Mapping[Any, Any] | None = None,
        speeds: Mapping[Any, Any] | Sequence[Any] | str | None = None,
        modulo: str | Sequence[str] = (),
        guess: Any = None,
        tolerance: float = 1e-6,
        limit: float | None = LIMIT,
        progress: Callable[[float], None] | None = None,
    ) -> Plan[Motion]:
        """The cheapest admissible motion from ``start`` to ``end`` that was found, with its controls; needs the extra ``plan``.

        What is controlled are the speeds, declared, chosen or given as ``speeds``; or, with ``inputs`` such as ``{"phi": "tau"}``,
        forces by coordinate, and then start and end have velocities too. What the end leaves out is free, and so is the time
        without a ``horizon``. The ``cost`` is ``"time"``, ``"effort"``, ``"length"`` or an expression to be summed over time.
        ``bounds`` are pairs by name. ``obstacles`` are inequalities that hold outside, for the configuration or for the points of a
        ``body``. Angles in ``modulo`` end at any full turn. A ``guess`` is a plan, a motion, or a dict of values over time.

        The plan is refined until it reaches the end to the ``tolerance`` when it is carried out. After ``limit`` seconds, or
        Ctrl-C, it is the best so far, and `Plan.verdict` says what it violates.

        >>> from anholonomy.catalogue import heisenberg
        >>> plan = heisenberg().plan({"x": 0, "y": 0, "z": 0}, {"x": 0, "y": 0, "z": 1}, cost="effort", horizon=1)
        >>> plan.converged, round(plan.cost, 5)
        (True, 6.28319)
        """
        asked = {word: value for word, value in locals().items() if word not in ("self", "progress", "guess")}
        from anholonomy.plans.plan import Plan
        from anholonomy.plans.planning import planned

        with watching(progress, "planning") as report:
            found = planned(self, guess=getattr(guess, "curve", guess), progress=report, **asked)
        return Plan(self, found, lambda data: Motion(data, self))

    @overload
    def reduced(self, fibre: Sequence[Any] | None = None) -> Reduced: ...
    @overload
    def reduced(self, *, by: Literal["group"], names: Sequence[str] | None = None) -> ReducedByGroup: ...
    @overload
    def reduced(self, fibre: Sequence[Any] | None = None, *, by: str) -> Reduced | ReducedByGroup: ...
    def reduced(
        self, fibre: Sequence[Any] | None = None, *, by: str = "fibre", names: Sequence[str] | None = None
    ) -> Reduced | ReducedByGroup:
        """The system on a base: without constraints, and without as many coordinates that appear nowhere.

        ``fibre`` names those coordinates; by default the software chooses. Refused where something depends on them.

        ``by="group"`` needs no fibre: it divides by all translations and turns that leave the system alone and returns a `ReducedByGroup`, in
        speeds and invariants, for which ``names`` may be given.

        >>> from anholonomy.catalogue import chaplygin_ball, chaplygin_sleigh
        >>> reduced = chaplygin_sleigh().reduced(fibre=["y"])
        >>> reduced.base, [str(q) for q in reduced.base.coordinates]
        (System('Chaplygin sleigh, base', 2 coordinates, 0 constraints), ['x', 'theta'])
        >>> list(chaplygin_ball().reduced(by="group").invariants)
        ['gamma1', 'gamma2', 'gamma3']
        """
        from anholonomy.equations.reduction.cyclic import Reduction, frame_over_fibre
        from anholonomy.equations.reduction.quotient import quotient
        from anholonomy.measures.reduced_systems import Reduced, ReducedByGroup

        if by == "group":
            if fibre is not None:
                raise IllPosedSystem(f"{self.name}: a group leaves no fibre to choose; say fibre=… or by='group'.")
            found = quotient(self, names)
            return ReducedByGroup(self, System._of(found.base), found)
        if by != "fibre" or names is not None:
            raise UnknownName(
                f"{self.name}: by={by!r:.40} means nothing with these words; say by='fibre' or by='group', which takes names."
            )
        if why := formulation("chaplygin").obstacle(self):
            raise NotCovered(f"{self.name}: the reduction to a base {why}; reduced(by='group') needs no connection.")
        reduction = Reduction.of(self, frame_over_fibre(self, fibre=fibre))
        return Reduced(self, System._of(reduction.base_model()), reduction)

    def hamiltonize(
        self, fibre: Sequence[Any] | None = None, limit: float | None = LIMIT
    ) -> Hamiltonization | ReducedBracket:
        r"""Whether the system is Lagrangian in a new time, $d\tau = f\,dt$: Chaplygin's multiplier, or the equation that fails.

        Constraints are reduced to a base first, over ``fibre`` as in `reduced`; where none is named and the answer is no, over other fibres and
        modulo all symmetries, as Chaplygin's ball needs. After ``limit`` seconds the answer is unknown.

        >>> from anholonomy.catalogue import free_particle
        >>> h = free_particle().hamiltonize()
        >>> h.verdict, h.multiplier
        (<Verdict.PROVEN: 'proven'>, (1 + x**2)**(-1/2))
        """
        from anholonomy.measures.hamiltonize import changed_time
        from anholonomy.measures.new_time.reduced_bracket import undecided_bracket

        refuse_inputs(self, "a Lagrangian in a new time")
        if self.momenta_a is not None:
            raise NotCovered(f"{self.name} has no Lagrangian, so none in a new time; `find_lagrangian` looks for one.")
        try:
            with patience(limit):
                return changed_time(self, fibre, System._of)
        except (GaveUp, KeyboardInterrupt) as trouble:
            return undecided_bracket(self, trouble)


def load(path: str | Path) -> System:
    """The system that a TOML file declares; a refusal names the file."""
    words = words_of_file(path)
    try:
        return System(**words)
    except Refusal as problem:
        raise type(problem)(f"{path}: {problem}") from None


@final
@with_spoken_verbs()
@dataclass(frozen=True, kw_only=True, repr=False)
class Equations(Exports):
    """What ``system.derive()`` returns: equations of motion that can be read, exported and simulated.

    >>> from anholonomy.catalogue import skate
    >>> equations = skate().derive("kane", speeds={"v": "x'*cos(theta) + y'*sin(theta)", "w": "theta'"})
    >>> run = equations.simulate({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}, until=12)
    >>> bool(abs(run["v"] - 1).max() < 1e-14), run.system is equations.model
    (True, True)
    """

    derivation: Derivation

    @classmethod
    def of(cls, system: System, derivation: Derivation) -> Equations:
        """The equations of a system by a derivation."""
        derived = derivation.equations
        words = {each.name: getattr(derived, each.name) for each in fields(EquationsOfMotion)}
        return cls(**words | {"model": system}, derivation=derivation)

    @property
    def system(self) -> System:
        """The system whose equations these are."""
        assert isinstance(self.model, System)
        return self.model

    def simulate(
        self,
        start: Mapping[str, object] | None = None,
        until: float | None = None,
        times: Sequence[float] | None = None,
        **options: Any,
    ) -> Motion:
        """The motion by these equations and in their speeds, which `Motion` then has by name; options as for `System.simulate`.

        Where the speeds fail, the motion goes on by the same principle in a frame that the software chooses on the spot.
        """
        if unknown := options.keys() - _OPTIONS:
            raise UnknownName(f"simulate has no option {sorted(unknown)[0]!r}; its options are {', '.join(_OPTIONS)}.")
        return _motion(self.system, self.derivation, start, until, times, **options)


_OPTIONS = tuple(inspect.signature(System.simulate).parameters)[5:]


@final
@with_spoken_verbs()
@dataclass(frozen=True, eq=False, repr=False)
class Motion(Drawn, Sectioned, Sensitive):
    """A computed motion, indexed by the user's names.

    >>> from anholonomy.catalogue import chaplygin_sleigh
    >>> run = chaplygin_sleigh().simulate({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}, until=20)
    >>> run["theta"].dims
    ('time',)
    >>> bool(abs(run.constraint_residual).max() < 1e-14)
    True
    """

    @cached_property
    def system(self) -> System:
        """The system whose motion this is; that of a loaded motion is read from the declaration stored with it."""
        if isinstance(self.declared, System):
            return self.declared
        model_of(self.data)  # refused where the data are those of another
        return System(**from_toml(self.data.attrs["declaration"], "the trajectory's declaration"))

    def at(self, times: float | Sequence[float]) -> Motion:
        """The motion at other times within its own, integrated again between its samples: it stays on group and constraints.

        >>> from anholonomy.catalogue import skate
        >>> run = skate().simulate({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}, times=[0, 6, 12])
        >>> bool(abs(run.at([1, 2])["theta"] - [0.5, 1.0]).max() < 1e-15)
        True
        """
        from anholonomy.motion.further_times import resampled

        return Motion(resampled(self, times), self.declared)

    def go_on(
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
        >>> run.go_on(until=24).time.values.tolist()
        [0.0, 6.0, 12.0, 18.0, 24.0]
        """
        from anholonomy.motion.further_times import continued, continuing

        problem = continuing(self, until, events, stop, inputs)
        with watching(progress) as report:
            return Motion(continued(self, problem, report), self.declared)


def _motion(
    system: System,
    derivation: Derivation,
    start: Mapping[str, object] | None,
    until: float | None,
    times: Sequence[float] | None,
    progress: Callable[[float], None] | None = None,
    **asked: Any,
) -> Motion:
    """Pose the problem, integrate it; the system of the motion is the one it was asked of, unless parameters were changed."""
    from anholonomy.motion.problem.one_motion import pose
    from anholonomy.motion.simulate import simulate

    problem = pose(system, derivation, start, until, times, **asked)
    declared = (
        problem.declared if isinstance(problem.declared, System) else System._of(problem.declared, system.assembly)
    )
    with watching(progress) as report:
        return Motion(simulate(problem, report), declared)
