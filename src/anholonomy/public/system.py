"""`System`: a model, the methods that answer questions about it, and three accessors."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Never, NoReturn, Unpack, final, overload

from anholonomy.algebra.expressions import Expr, Symbol
from anholonomy.algebra.numbers.balls import precision
from anholonomy.base.caching import cached_property, fields_only
from anholonomy.base.deadlines import LIMIT, patience
from anholonomy.base.errors import DeclarationError, NotSupportedError, TimeLimitError, quoted
from anholonomy.base.files import write_whole
from anholonomy.base.former_names import refuse_attribute
from anholonomy.base.notebook import Shown
from anholonomy.equations.derivation import Derivation
from anholonomy.equations.principles import formulation, suited
from anholonomy.equations.principles.base import AbstractPrinciple
from anholonomy.public.declaration import Arguments, check, declared, toml_of, with_parameters
from anholonomy.public.equations import Equations
from anholonomy.public.geometry import Geometry
from anholonomy.public.motion import Motion, motion_of
from anholonomy.public.options import EnsembleOptions, SimulationOptions, SweepOptions, refuse_others, refuse_unnamed
from anholonomy.public.paths import Paths
from anholonomy.public.stability import Stability
from anholonomy.system.constraints import Constraint
from anholonomy.system.declaration.declare import start_items, with_forces
from anholonomy.system.declaration.inputs import refuse_inputs, with_inputs
from anholonomy.system.declaration.unspecified_functions import with_functions
from anholonomy.system.frames.adapted import frame_of_speeds
from anholonomy.system.frames.moving import MovingObserver
from anholonomy.system.model import Model
from anholonomy.system.solved_constraints import on_its_level
from anholonomy.system.states.complete_state import complete_state
from anholonomy.system.units.to_si import in_si, time_in_si
from anholonomy.system.warnings import warn_of_values

if TYPE_CHECKING:
    from anholonomy.equations.almost_poisson import AlmostPoisson
    from anholonomy.equations.find_lagrangian import Exactness
    from anholonomy.equations.verification import Verification
    from anholonomy.findings import Finding
    from anholonomy.fitting.fit import Fit
    from anholonomy.laws.closed_form_motion import ClosedMotion
    from anholonomy.laws.law import Laws
    from anholonomy.laws.momentum import MomentumEquation
    from anholonomy.laws.moving_energy import MovingEnergy
    from anholonomy.measures.invariant_measure import InvariantMeasure
    from anholonomy.measures.new_time.over_base import Hamiltonization
    from anholonomy.measures.new_time.reduced_bracket import ReducedBracket
    from anholonomy.measures.reduced_systems import GroupReducedSystem, ReducedSystem
    from anholonomy.motion.trajectory import Trajectory
    from anholonomy.plans.plan import Plan
    from anholonomy.public.ensemble import Ensemble
    from anholonomy.reports.analysis import Page
    from anholonomy.stability.controllability import Controllability
    from anholonomy.stability.linearization import LinearAlong, Linearization
    from anholonomy.stability.steady_motion import SteadyMotion
    from anholonomy.system.units.checking import Dimensions
    from anholonomy.vakonomic.comparison.answer import VakonomicComparison

__all__ = ["System"]


@final
@dataclass(frozen=True, init=False, repr=False, eq=False)
class System(Shown):
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
    Error
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

    model: Model
    _parts: Mapping[str, Any]

    def __init__(self, *unnamed: Never, **arguments: Unpack[Arguments]) -> None:
        refuse_unnamed("System", unnamed, tuple(Arguments.__annotations__))
        model, parts = declared(arguments)
        self._adopt(model, parts)

    @classmethod
    def _of(cls, model: Model, parts: Mapping[str, Any] | None = None, *, is_checked: bool = False) -> System:
        """The system of a model that exists already, checked unless it was."""
        system = cls.__new__(cls)
        system._adopt(model if is_checked else check(model), parts or {})
        return system

    def _adopt(self, model: Model, parts: Mapping[str, Any]) -> None:
        object.__setattr__(self, "model", model)
        object.__setattr__(self, "_parts", parts)

    def _like(self, model: Model, *, is_checked: bool = False) -> System:
        """The system of a model that follows from this one's: this one if the model is its own."""
        if model is self.model or model == self.model:
            return self
        return System._of(model, self._parts, is_checked=is_checked)

    __getstate__ = fields_only

    def __eq__(self, other: object) -> bool:
        return self.model == other.model if isinstance(other, System) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.model)

    if not TYPE_CHECKING:  # which would let every name pass

        def __getattr__(self, name: str) -> NoReturn:
            refuse_attribute(self, name)

    # What it has.

    @property
    def name(self) -> str:
        """What it is called in messages, tables and files."""
        return self.model.name

    @property
    def coordinates(self) -> tuple[Symbol, ...]:
        """The coordinates, those of a group first."""
        return self.model.coordinates

    @property
    def velocities(self) -> tuple[Symbol, ...]:
        """The velocities in the frame of the declaration: rates of coordinates, or speeds of a group."""
        return self.model.velocities

    @property
    def parameters(self) -> Mapping[str, float | None]:
        """The values of the parameters by name; None for a symbol that stays free."""
        return self.model.parameters

    @property
    def lagrangian(self) -> Expr:
        """The Lagrangian; 0 for a system declared by momenta."""
        return self.model.lagrangian

    @property
    def constraints(self) -> tuple[Constraint, ...]:
        """The constraints, classified."""
        return self.model.constraints

    @property
    def forces(self) -> dict[str, Expr]:
        """The applied forces by direction: a coordinate, or a speed of a group."""
        return dict(zip(self.model.directions, self.model.forces_a, strict=True))

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names of what acts from outside through the forces."""
        return self.model.inputs

    @property
    def start(self) -> dict[str, float | str]:
        """Where a motion begins unless a start is given; empty if none was declared."""
        return self.model.start

    @cached_property
    def units(self) -> Dimensions:
        """The dimension of every name as far as kinds and units imply it, and the first term that does not fit, if there is one.

        A declaration with units is refused if a term does not fit; with kinds alone it is warned of (`DimensionWarning`), unless a number may hide a unit.

        >>> System(coordinates={"x": "length"}, lagrangian="m*x'^2/2 - 9.81*m*x", parameters=["m"]).units.misfit
        "the term 981*m*x/100 in the Lagrangian ..."
        """
        from anholonomy.system.units.checking import dimensions_of

        return dimensions_of(self.model)

    # Other systems made from it.

    def with_parameters(self, table: Mapping[Any, Any] | None = None, /, **values: Any) -> System:
        """The same system with other values, by name or in a dict; None frees a symbol.

        >>> from anholonomy.catalogue import chaplygin_sleigh
        >>> chaplygin_sleigh().with_parameters(m=2.0).parameters["m"]
        2.0
        >>> chaplygin_sleigh().with_parameters({"m": 2.0, "a": 0.1}).parameters["a"]
        0.1
        """
        changed = System._of(with_parameters(self.model, table, values), self._parts)
        warn_of_values(changed.model)
        return changed

    def with_start(self, start: Mapping[Any, Any] | None) -> System:
        """The same system whose motions begin elsewhere unless a start is given; None leaves that open."""
        items = start_items(self.name, in_si(self.model, start))
        return System._of(self.model.replaced(start_items=items), self._parts)

    def with_forces(
        self,
        forces: Mapping[Any, Any],
        parameters: Mapping[Any, float | None] | Iterable[Any] = (),
        *,
        inputs: Sequence[Any] = (),
        instead: bool = False,
    ) -> System:
        """The same system with further applied forces, or with these ``instead`` of its own.

        ``parameters`` are those that the forces need; one that the system has already gets another value. So are ``inputs``.

        >>> from anholonomy.catalogue import skate
        >>> braked = skate().with_forces({"x": "-c*x'", "y": "-c*y'"}, parameters={"c": 0.1})
        >>> braked.with_forces({"x": 1}).forces
        {'x': 1 - c*x', 'y': -c*y', 'theta': 0}
        """
        return System._of(with_forces(self.model, forces, in_si(self.model, parameters), inputs, instead))

    def with_inputs(self, /, **signals: Any) -> System:
        """The same system with inputs written out, each a number or a text of feedback: the closed loop as a system of its own.

        >>> from anholonomy import System
        >>> cart = System(coordinates=["x"], lagrangian="x'^2/2", forces={"x": "F"}, inputs=["F"])
        >>> print(cart.with_inputs(F="-4*x - x'").derive())
        system: equations of motion by hamel
          x'' = -x' - 4*x
        """
        return System._of(with_inputs(self.model, signals))

    def with_functions(self, /, **functions: Any) -> System:
        """The same system with functions written out, each a text in the names of its arguments.

        >>> from anholonomy import System
        >>> particle = System(coordinates=["x"], lagrangian="x'^2/2 - V(x)", functions=["V(x)"])
        >>> particle.with_functions(V="9*x").derive().accelerations({"x": 0, "x'": 1})
        {"x''": -9.0}
        """
        return System._of(with_functions(self.model, functions))

    def seen_from(self, observer: MovingObserver) -> System:
        """The same system as a moving observer sees it: motions correspond by `MovingObserver.fixed_state`.

        Its parameters have the values that they have in this system, whichever they had when the observer was made.
        """
        if not isinstance(observer, MovingObserver):
            raise DeclarationError(
                f"{self.name}: {quoted(observer)} is no moving observer; make one with system.geometry.moving_observer({{…}})."
            )
        return System._of(observer.model_of(self.model))

    def reduced(self, fibre: Sequence[Any] | None = None, **others: Never) -> ReducedSystem:
        """The system on a base: without constraints, and without as many coordinates that appear nowhere.

        ``fibre`` names those coordinates; by default the software chooses. It is an error if something depends on them.

        >>> from anholonomy.catalogue import chaplygin_sleigh
        >>> reduced = chaplygin_sleigh().reduced(fibre=["y"])
        >>> reduced.base, [str(q) for q in reduced.base.coordinates]
        (System('Chaplygin sleigh, base', 2 coordinates, 0 constraints), ['x', 'theta'])
        """
        from anholonomy.equations.reduction.cyclic import Reduction, frame_over_fibre
        from anholonomy.measures.reduced_systems import ReducedSystem

        refuse_others(System.reduced, others)
        if why := formulation("chaplygin").obstacle(self.model):
            raise NotSupportedError(
                f"{self.name}: the reduction to a base {why}; reduced_by_group() needs no connection."
            )
        reduction = Reduction.of(self.model, frame_over_fibre(self.model, fibre=fibre))
        return ReducedSystem(self.model, reduction, reduction.base_model(), self._like)

    def reduced_by_group(
        self, names: Sequence[str] | None = None, time_limit: float | None = LIMIT
    ) -> GroupReducedSystem:
        """The system modulo all translations and turns that leave it alone, in speeds and invariants.

        ``names`` are those of the invariants; by default the software chooses them. `TimeLimitError` after ``time_limit`` seconds.

        >>> from anholonomy.catalogue import chaplygin_ball
        >>> list(chaplygin_ball().reduced_by_group().invariants)
        ['gamma1', 'gamma2', 'gamma3']
        """
        from anholonomy.equations.reduction.quotient import quotient
        from anholonomy.measures.reduced_systems import GroupReducedSystem

        with patience(time_in_si(time_limit, "time_limit")):
            found = quotient(self.model, names)
        return GroupReducedSystem(self.model, found, self._like)

    # Equations of motion.

    def derive(
        self,
        by: str | AbstractPrinciple | None = None,
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
                point = {s: float(v.mid()) for s, v in complete_state(self.model, in_si(self.model, at)).items()}
        principle = suited(self.model) if by is None else formulation(by)
        derivation = Derivation.of(self.model, principle, speeds, point)
        return Equations(self, derivation.equations, derivation)

    def verify(self, states: int | Sequence[Mapping[str, object]] = 5, digits: int = 30, seed: int = 0) -> Verification:
        """Every principle against every other, at random admissible states (or those given), in ball arithmetic."""
        from anholonomy.equations.verification import verify

        return verify(self.model, states=states, digits=digits, seed=seed)

    def hamiltonian_form(self, speeds: Mapping[Any, Any] | Sequence[Any] | str | None = None) -> AlmostPoisson:
        """The Hamiltonian form on the constraint submanifold: momenta, Hamiltonian, and the bracket with its Jacobiator.

        The momenta are those of the speeds that ``derive`` would use, or of ``speeds``, given as there. Without ``speeds``, constraints on
        positions are solved first.
        """
        from anholonomy.equations.almost_poisson import almost_poisson

        if speeds is None:
            return almost_poisson(on_its_level(self.model))
        return almost_poisson(self.model, frame_of_speeds(self.model, speeds))

    def find_lagrangian(self) -> Exactness:
        r"""Whether force and momentum come from a Lagrangian (one that contains the forces), and which.

        >>> from anholonomy import System
        >>> damped = System(name="damped", coordinates=["x"], momenta={"x": "exp(k*t)*x'"}, forces={"x": "-exp(k*t)*x"},
        ...                 parameters=["k"])
        >>> print(damped.find_lagrangian())
        L = exp(k*t)*(x'^2 - x^2)/2
        """
        from anholonomy.equations.find_lagrangian import find_lagrangian

        return find_lagrangian(self.model)

    # Motions.

    def simulate(
        self,
        start: Mapping[str, object] | None = None,
        until: float | None = None,
        times: Sequence[float] | None = None,
        *,
        by: str | AbstractPrinciple | None = None,
        **options: Unpack[SimulationOptions],
    ) -> Motion:
        """The motion from ``start``, up to ``until`` or at ``times``.

        Without ``start`` it begins where the system declares. Velocities that the constraints determine may be left out of
        ``start``. A start that violates them is refused with the nearest admissible one. The default integrates reduced equations,
        Kane's or Hamel's, whichever are shorter, at machine precision; ``by`` names another principle.
        Ctrl-C returns what was computed so far.

        Options
        -------
        parameters
            Other values of parameters, by name.
        tolerance
            The error of a step relative to the size of the state; by default the rounding of a double.
        integrator, step, every
            One of `INTEGRATORS`, chosen by size and tolerance otherwise; or a discrete method of nonholonomic mechanics such as
            ``"dla-midpoint"``, in equal steps no longer than ``step``, of which ``every`` so many is kept. These are for study.
        project
            True projects a start that violates the constraints onto them.
        events, stop
            Functions of the state by name, such as ``{"upright": "theta"}``, which may use multipliers (``lambda1``),
            accelerations (``x''``), reactions (``reaction_x``) and ``energy``; the times at which they pass through zero are in
            ``motion.events``, and so is the loss of a one-sided constraint. Those named in ``stop`` end the motion.
        max_step, breaks
            Steps are as long as tolerance and functions of time allow, at most ``max_step``; none leads over a time in ``breaks``.
        inputs, sampling
            Signals: numbers, texts of feedback, data, functions of time and state, held for ``sampling`` or asked all the time.
        progress
            A function that is called with the fraction done; by default a long integration shows a bar on a terminal.

        >>> from anholonomy.catalogue import nonholonomic_oscillator
        >>> start = {"x": 1, "y": 0, "z": 0, "x'": 0.9, "y'": 1.6}
        >>> nonholonomic_oscillator().simulate(start, until=1).is_complete
        True
        >>> nonholonomic_oscillator().simulate(start, until=1, integrator="gni", step=0.1).is_complete
        True
        """
        return motion_of(self, by, start, until, times, options)

    def ensemble(
        self,
        starts: Any = None,
        until: float | None = None,
        times: Sequence[float] | None = None,
        *,
        by: Any = None,
        **options: Unpack[EnsembleOptions],
    ) -> Ensemble:
        """The motions from many ``starts`` at once, on every core: a dict of arrays by name, a table of pandas or xarray, or a list of dicts.

        A number serves all members; velocities that the constraints determine may be left out. ``parameters`` may differ from
        member to member too. Reported are the start and the end, or ``times``; kept are coordinates and velocities, or what
        ``keep`` names. ``inputs`` are numbers, one for each member, texts of feedback or data over time. The other options are those of `simulate`. A member that ends early has its own sentence in `Ensemble.outcome`.
        With a ``store`` (Zarr) members are written block by block and memory stays flat; ``client`` is one of Dask.

        >>> import numpy as np
        >>> from anholonomy.catalogue import chaplygin_sleigh
        >>> starts = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": np.linspace(-2, 2, 101)}
        >>> runs = chaplygin_sleigh().ensemble(starts, until=20, parameters={"a": np.linspace(0.1, 0.3, 101)}, tolerance=1e-8)
        >>> runs
        Ensemble('Chaplygin sleigh': 101 members at 2 times, t = 0 … 20; 101 reached the end)
        """
        from anholonomy.public.ensemble import ensemble_of

        return ensemble_of(self, None, by, starts, until, times, options)

    def sweep(
        self,
        over: Any,
        start: Mapping[str, Any] | None = None,
        until: float | None = None,
        times: Sequence[float] | None = None,
        *,
        by: Any = None,
        **options: Unpack[SweepOptions],
    ) -> Ensemble:
        """The motions over a grid of parameters and starts, ``over={"a": values, "theta'": values}``; or over ``samples`` of ranges, or a list.

        ``summaries`` makes one number of each in the worker: ``{"final speed": "u", "peak": "max of theta", "turn": "time of theta - pi"}``, with
        max, min, mean, time and period; or ``"lyapunov"``. ``keep`` names what is kept over time. With a ``store`` (Zarr) blocks of members
        are written as they are done, and the same call goes on where it was killed; a ``client`` of Dask spreads them over other processes.

        >>> import numpy as np
        >>> from anholonomy.catalogue import skate
        >>> runs = skate().sweep({"theta'": np.linspace(1, 2, 5)}, start={"x": 0, "y": 0, "theta": 0, "x'": 1}, until=10,
        ...                      summaries={"reach": "max of x"})
        >>> abs(runs["reach"] * np.linspace(1, 2, 5) - 1).max().item() < 1e-7       # a circle of radius 1/theta'
        True
        """
        from anholonomy.public.ensemble import sweep_of

        return sweep_of(self, by, over, start, until, times, options)

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
        time_limit: float | None = LIMIT,
        progress: Any = None,
        **others: Never,
    ) -> Plan[Motion]:
        """The cheapest admissible motion from ``start`` to ``end`` that was found, with its controls; needs the extra ``plan``.

        What is controlled are the speeds, declared, chosen or given as ``speeds``; or, with ``inputs`` such as ``{"phi": "tau"}``,
        forces by coordinate, and then start and end have velocities too. What the end leaves out is free, and so is the time
        without a ``horizon``. The ``cost`` is ``"time"``, ``"effort"``, ``"length"`` or an expression to be summed over time.
        ``bounds`` are pairs by name. ``obstacles`` are inequalities that hold outside, for the configuration or for the points of a
        ``body``. Angles in ``modulo`` end at any full turn. A ``guess`` is a plan, a motion, or a dict of values over time.

        The plan is refined until it reaches the end to the ``tolerance`` when it is carried out. After ``time_limit`` seconds, or
        Ctrl-C, it is the best so far, and `Plan.verdict` says what it violates.

        >>> from anholonomy.catalogue import heisenberg
        >>> plan = heisenberg().plan({"x": 0, "y": 0, "z": 0}, {"x": 0, "y": 0, "z": 1}, cost="effort", horizon=1)
        >>> plan.converged, round(plan.cost, 5)
        (True, 6.28319)
        """
        from anholonomy.plans.plan import Plan
        from anholonomy.plans.planning import planned
        from anholonomy.show.progress import watching

        refuse_others(System.plan, others)
        model = self.model
        with watching(progress, "planning") as report:
            found = planned(
                model,
                in_si(model, start),
                in_si(model, end),
                cost,
                in_si(model, bounds),
                time_in_si(horizon, "horizon"),
                obstacles=obstacles,
                body=body,
                inputs=inputs,
                speeds=speeds,
                modulo=modulo,
                guess=getattr(guess, "curve", guess),
                tolerance=tolerance,
                time_limit=time_in_si(time_limit, "time_limit"),
                progress=report,
            )
        return Plan(model, found, lambda data: Motion._of(self, data))

    def fit(
        self,
        data: Any,
        estimate: Sequence[str],
        start: Mapping[str, object] | None = None,
        *,
        observed: Sequence[str] | None = None,
        sigma: Any = None,
        bounds: Mapping[str, tuple[float | None, float | None]] | None = None,
        inputs: Any = None,
        modulo: str | Sequence[str] = (),
        progress: Any = None,
    ) -> Fit[System, Motion]:
        """Parameters and starts from measured motion, by least squares with exact sensitivities; their covariance; what is identifiable.

        ``data`` has times in ``time`` and columns named by coordinates, velocities or expressions of what a motion has: an xarray
        Dataset or DataArray, a DataFrame, a dict of lists, a motion, or the path of a CSV file; NaN is a gap, and ``observed`` chooses
        columns. ``estimate`` names parameters, and coordinates and velocities at the start. ``start`` is the start of the motion at
        the first of the times, with guesses for what is unknown; parameters begin at their declared values unless it gives others.
        ``sigma`` are errors of the measurements: a number, or numbers or columns by name. ``bounds`` are pairs by name. ``inputs`` has
        a signal for every input of the system, as `simulate` takes it, but for Python functions; those of a motion are its own, and columns with
        their names are signals. Angles in ``modulo`` are measured but for full turns.

        >>> import numpy as np
        >>> from anholonomy import System
        >>> swing = System(name="swing", coordinates=["a"], lagrangian="a'^2/2 - k*a^2/2", parameters={"k": 3.0})
        >>> t = np.linspace(0, 5, 50)
        >>> fit = swing.fit({"time": t, "a": 0.3 * np.cos(2 * t)}, estimate=["k", "a"], start={"a": 0.2, "a'": 0})
        >>> {name: round(value, 9) for name, value in fit.values.items()}
        {'k': 4.0, 'a': 0.3}
        """
        from anholonomy.fitting.least_squares import fitted
        from anholonomy.show.progress import watching

        model = self.model
        start, bounds, inputs = in_si(model, start), in_si(model, bounds), in_si(model, inputs)
        with watching(progress, "fitting") as report:
            return fitted(model, data, estimate, start, observed, sigma, bounds, inputs, modulo, report, self._like)

    @overload
    def linearize(
        self,
        at: Mapping[str, object] | SteadyMotion,
        coordinates: Sequence[str] | None = None,
        inputs: Sequence[str] = (),
    ) -> Linearization: ...
    @overload
    def linearize(
        self, at: Trajectory, coordinates: Sequence[str] | None = None, inputs: Sequence[str] = ()
    ) -> LinearAlong: ...
    def linearize(
        self,
        at: Mapping[str, object] | SteadyMotion | Trajectory,
        coordinates: Sequence[str] | None = None,
        inputs: Sequence[str] = (),
    ) -> Linearization | LinearAlong:
        r"""The linear part of the motion at a state, $\delta\dot z = A\,\delta z + B\,\delta\tau$, in coordinates of the constraint.

        About a steady motion it is constant, and what its symmetries carry along is separated. ``coordinates`` are those
        (and velocities) to use; the software chooses otherwise. ``inputs`` are parameters by which to differentiate, for ``B``.
        Of a motion, ``at=run``, there is a matrix for each of its times.

        >>> from anholonomy import System
        >>> pendulum = System(name="pendulum", coordinates=["theta"], lagrangian="theta'^2/2 + k*cos(theta)", parameters={"k": 4.0})
        >>> pendulum.linearize({"theta": 0, "theta'": 0}).eigenvalues
        array([0.-2.j, 0.+2.j])
        """
        from anholonomy.stability.linearize import linearize

        return linearize(self.model, in_si(self.model, at), coordinates, inputs)

    def controllability(
        self,
        at: Mapping[str, object] | None = None,
        *,
        controls: str | None = None,
        time_limit: float | None = LIMIT,
        **others: Never,
    ) -> Controllability:
        r"""Whether what acts on the system reaches every state near one at rest, with the brackets as evidence.

        By the declared inputs, as forces; or, where there are none but constraints, by the speeds, without inertia (``by`` says
        which). ``at`` gives values to coordinates; the others stay generic. After ``time_limit`` seconds the answer is unknown.

        >>> from anholonomy.catalogue import unicycle
        >>> print(unicycle().controllability())
        unicycle, by the speed Omega, the speed omega
          accessible: the states that are reached fill an open set: proven at generic places, brackets of admissible directions span (2, 3, 4) of 4, exact
          small-time controllable: the states reached in small times surround the start: proven at generic places, brackets of admissible directions span (2, 3, 4) of 4, exact
          spanned by X_1, X_2, [X_1, X_2], [[X_1, X_2], X_2]
        """
        from anholonomy.stability.controllability import controllability

        refuse_others(System.controllability, others)
        return controllability(self.model, in_si(self.model, at), controls, time_in_si(time_limit, "time_limit"))

    # What follows from the equations.

    def conserved(
        self,
        degree: int = 2,
        functions: Sequence[Any] | None = None,
        time_limit: float | None = LIMIT,
        free: Sequence[Any] | None = None,
        level: Mapping[Any, Any] | None = None,
        **others: Never,
    ) -> Laws:
        """Independent conserved quantities that are polynomials in the speeds, each proven, and the class in which these are all.

        ``degree`` is the highest degree in the speeds. ``functions`` of the configuration, such as ``["1", "x", "cos(theta)"]``,
        are what coefficients are combinations of; by default products of what occurs in the system. After ``time_limit`` seconds,
        or Ctrl-C, the answer is what was found so far. Parameters named in ``free`` may have any value, whatever their values, and
        ``laws.conditions`` are the special values of these for which more is conserved. ``level`` is a dict from conserved quantities (texts,
        laws or ``"energy"``) to their values: what is conserved there alone is found too.

        >>> from anholonomy import System
        >>> particle = System(name="particle", coordinates=["x", "y", "z"], lagrangian="m*(x'^2 + y'^2 + z'^2)/2",
        ...                   constraints=["z' = x*y'"], parameters=["m"])
        >>> for law in particle.conserved(degree=1):
        ...     print(law)
        m*x' is constant (momentum of a symmetry, 1 along x)
        sqrt(x^2 + 1)*y' is constant (gauge momentum)
        x*z' - z*x' + y' is constant (momentum of a symmetry, -z/m along x, 1/m along y, x/m along z)
        >>> well = System(name="well", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2 - x^2 - k*y^2)/2", parameters=["k"])
        >>> for special in well.conserved(degree=1, free=["k"]).conditions:
        ...     print(special)
        if k = 0:
          y' is constant (momentum of a symmetry, 1 along y)
        if k = 1:
          x*y' - y*x' is constant (momentum of a symmetry, -y along x, x along y)
        """
        from anholonomy.laws.conserved import conserved

        refuse_others(System.conserved, others)
        seconds = time_in_si(time_limit, "time_limit")
        return conserved(self.model, degree=degree, functions=functions, time_limit=seconds, unknown=free, on=level)

    def momentum_equation(self, field: Any, time_limit: float | None = LIMIT, **others: Never) -> MomentumEquation:
        r"""The momentum equation of a field on the configurations, $dJ/dt = \dots$; a law where the right side is proven zero.

        ``field`` has a component for each direction, in a list or by name, as text or expressions. After ``time_limit`` seconds the answer
        is unknown.

        >>> from anholonomy.catalogue import skate
        >>> print(skate().momentum_equation({"theta": "1"}))
        d/dt (I*theta') = 0: proven
        >>> print(skate().momentum_equation(["cos(theta)", "sin(theta)", "0"]))
        d/dt (m*(cos(theta)*x' + sin(theta)*y')) = 0: proven
        >>> print(skate().momentum_equation({"x": "1"}))
        d/dt (m*x') = -m*sin(theta)*(cos(theta)*x' + sin(theta)*y')*theta'
        """
        from anholonomy.laws.momentum import momentum_equation

        refuse_others(System.momentum_equation, others)
        return momentum_equation(self.model, field, time_in_si(time_limit, "time_limit"))

    def moving_energy(
        self, functions: Sequence[Any] | None = None, time_limit: float | None = LIMIT, **others: Never
    ) -> MovingEnergy:
        r"""The energy that survives, $E - \langle p, Y\rangle$ for a field $Y$: for affine, moving and time-dependent systems.

        ``functions`` are those that the components of $Y$ are combined from; by default they are chosen by what occurs.

        >>> from anholonomy.catalogue import ball_on_turntable
        >>> ball_on_turntable().moving_energy().verdict
        <Verdict.PROVEN: 'proven'>
        """
        from anholonomy.laws.moving_energy import moving_energy

        refuse_others(System.moving_energy, others)
        return moving_energy(self.model, functions, time_in_si(time_limit, "time_limit"))

    def invariant_measure(self, time_limit: float | None = LIMIT, **others: Never) -> InvariantMeasure:
        r"""A measure that the motion keeps, with a density of the configuration on the constraint submanifold; or why there is none.

        After ``time_limit`` seconds the answer is unknown.

        >>> from anholonomy.catalogue import suslov
        >>> mu = suslov().invariant_measure()
        >>> mu.verdict, mu.theorem
        (<Verdict.REFUTED: 'refuted'>, 'nor any that is smooth and positive near rest: its part at rest would be one of the
         configuration, there being no potential')
        """
        from anholonomy.measures.invariant_measure import invariant_measure

        refuse_others(System.invariant_measure, others)
        return invariant_measure(self.model, time_in_si(time_limit, "time_limit"))

    def hamiltonize(
        self, fibre: Sequence[Any] | None = None, time_limit: float | None = LIMIT, **others: Never
    ) -> Hamiltonization | ReducedBracket:
        r"""Whether the system is Lagrangian in a new time, $d\tau = f\,dt$: Chaplygin's multiplier, or the equation that fails.

        Constraints are reduced to a base first, over ``fibre`` as in `reduced`; where none is named and the answer is no, over other fibres and
        modulo all symmetries, as Chaplygin's ball needs. After ``time_limit`` seconds the answer is unknown.

        >>> from anholonomy.catalogue import free_particle
        >>> h = free_particle().hamiltonize()
        >>> h.verdict, h.multiplier
        (<Verdict.PROVEN: 'proven'>, (1 + x**2)**(-1/2))
        """
        from anholonomy.measures.hamiltonize import changed_time
        from anholonomy.measures.new_time.reduced_bracket import undecided_bracket

        refuse_others(System.hamiltonize, others)
        refuse_inputs(self.model, "a Lagrangian in a new time")
        if self.model.momenta_a is not None:
            raise NotSupportedError(
                f"{self.name} has no Lagrangian, so none in a new time; `find_lagrangian` looks for one."
            )
        try:
            with patience(time_in_si(time_limit, "time_limit")):
                return changed_time(self.model, fibre, self._like)
        except (TimeLimitError, KeyboardInterrupt) as trouble:
            return undecided_bracket(self.model, trouble)

    def compare_vakonomic(
        self, start: Any = None, time_limit: float | None = LIMIT, **others: Never
    ) -> VakonomicComparison:
        r"""Whether every motion of mechanics is vakonomic, or the one from ``start``, a state or a computed motion; and with which multiplier.

        Vakonomic motions are the extremals of the action among curves that satisfy the constraints. After ``time_limit`` seconds the
        answer is unknown.

        >>> from anholonomy.catalogue import rolling_disk, skate
        >>> rolling_disk().compare_vakonomic().multiplier
        {'mu1': -R*m*cos(phi)*Omega, 'mu2': -R*m*sin(phi)*Omega}
        >>> straight = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0}
        >>> bool(skate().compare_vakonomic()), bool(skate().compare_vakonomic(straight))
        (False, True)
        """
        from anholonomy.vakonomic.comparison.every_motion import compared
        from anholonomy.vakonomic.comparison.one_motion import compared_from

        refuse_others(System.compare_vakonomic, others)
        seconds = time_in_si(time_limit, "time_limit")
        if start is None:
            return compared(self.model, seconds)
        return compared_from(self.model, in_si(self.model, start), seconds)

    def closed_form(self, time_limit: float | None = LIMIT, **others: Never) -> ClosedMotion:
        """The motion in closed form, where its equations can be solved one after the other by quadratures; proven by putting it in.

        ``motion["x"]`` is a coordinate as a function of ``t`` and of the values at time zero, ``motion(state, t)`` has numbers and ``motion.check(run)``
        compares. Where some variable is not found the answer is unknown and says which.

        >>> from anholonomy.catalogue import free_particle
        >>> free_particle().closed_form()["y"]
        y0 + v0*sqrt(1 + x0**2)*(-asinh(x0) + asinh(x0 + t*u0))/u0
        """
        from anholonomy.laws.closed_form_motion import closed_motion

        refuse_others(System.closed_form, others)
        return closed_motion(self.model, time_in_si(time_limit, "time_limit"))

    def analyse(
        self,
        only: Sequence[str] | None = None,
        time_limit: float | None = LIMIT,
        free: Sequence[Any] | None = None,
        level: Mapping[Any, Any] | None = None,
        **others: Never,
    ) -> Page:
        """Every question about what follows from the equations, or those named in ``only``, answered on one page.

        ``free`` parameters and a ``level`` are those that `conserved` takes.

        >>> from anholonomy.catalogue import chaplygin_sleigh
        >>> page = chaplygin_sleigh().analyse(only=["conserved"])
        >>> page["conserved"][0].kind
        'energy'
        """
        from anholonomy.reports.analysis import analysed

        refuse_others(System.analyse, others)
        return analysed(self, only, time_in_si(time_limit, "time_limit"), free, level)

    # Subjects with verbs of their own.

    @cached_property
    def geometry(self) -> Geometry:
        """Frames, metric and distribution of the system."""
        return Geometry(self)

    @cached_property
    def stability(self) -> Stability:
        """Steady motions, closed orbits, exponents and portraits."""
        return Stability(self)

    @cached_property
    def paths(self) -> Paths:
        """Shortest paths, extremals, wave fronts and variational problems."""
        return Paths(self)

    def is_holonomic(self) -> Finding:
        """Decide whether the velocity constraints together can be rewritten as equations between positions (Frobenius' theorem).

        >>> from anholonomy.catalogue import skate
        >>> bool(skate().is_holonomic())
        False
        >>> bool(System(coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2", constraints=["x*x' + y*y' = 0"]).is_holonomic())
        True
        """
        return self.geometry.distribution.is_integrable()

    # What is kept of it.

    def save(self, path: str | Path) -> None:
        """Write the declaration as a TOML file that `load` reads back without loss."""
        write_whole(path, self.to_toml())

    def to_toml(self) -> str:
        """The declaration as a TOML text: by bodies, joints, contacts and loads if it was made so."""
        return toml_of(self.model, self._parts)

    def report(
        self,
        path: str | Path,
        start: Mapping[str, object] | None = None,
        until: float | None = None,
        *,
        time_limit: float | None = LIMIT,
        facts: Sequence[str] = (),
        references: Sequence[str] = (),
        description: str = "",
        **others: Never,
    ) -> Path:
        """Everything about the system as one HTML page that opens from the disk, without a network.

        Declaration, equations by every principle, their verification, geometry, what follows from the equations with certificates, and, from
        ``start`` (by default the declared one) to ``until`` (by default 10), the motion with a player and linked plots. Each question
        is asked for ``time_limit`` seconds. ``facts`` and ``references`` are told as they are, ``description`` under the title.
        """
        from anholonomy.reports.html import write_report

        refuse_others(System.report, others)
        start, until, seconds = (
            in_si(self.model, start),
            time_in_si(until, "until"),
            time_in_si(time_limit, "time_limit"),
        )
        return write_report(self, path, start, until, seconds, facts, references, description)

    def explore(
        self,
        start: Mapping[str, object] | None = None,
        until: float | None = None,
        ranges: Mapping[str, object] | Sequence[str] | None = None,
        *,
        height: int = 420,
        **options: Unpack[SimulationOptions],
    ) -> Any:
        """Sliders in a notebook that compute the motion again while they are dragged, beside a player and plots that go along with it.

        There is one for each parameter with a value and each value of ``start`` (by default the declared one), or for the names in
        ``ranges``, which may give a range to each: ``{"a": (0, 1), "theta'": None}``. The motion goes on to ``until``, by default 10; it is
        ``widget.run``. A system without a picture has plots only. Options are those of `simulate`. It needs anywidget, which the extra ``notebook`` brings.
        """
        from anholonomy.reports.widgets import explorer_widget

        start = in_si(self.model, start)
        return explorer_widget(self, start, time_in_si(until, "until"), ranges, height, **options)

    def __repr__(self) -> str:
        sizes = {"coordinate": len(self.coordinates), "constraint": len(self.constraints)}
        counted = (f"{count} {noun}{'' if count == 1 else 's'}" for noun, count in sizes.items())
        return f"System({self.name!r}, {', '.join(counted)})"

    def _details(self) -> list[tuple[str, str]]:
        from anholonomy.show.text.declaration import sections

        return [(heading, "\n".join(lines)) for heading, lines in sections(self.model).items()]

    def _repr_latex_(self) -> str | None:
        """What a notebook shows: the Lagrangian and the constraints, or the line above if they are too long."""
        from anholonomy.show.text.equations import declaration_latex

        found = declaration_latex(self.model)
        return f"$${found}$$" if found else None


System.__init__.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
    [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    + [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=...) for name in Arguments.__annotations__]
)
