"""`system.stability`: steady motions, closed orbits, exponents, phase portraits.

What one may ask of a system: every verb that returns an answer and no other system.

`System` has them all; they stand apart from declaring, deriving and moving, because there will be more of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from anholonomy.base.caching import cached_property
from anholonomy.base.deadlines import LIMIT
from anholonomy.base.errors import NotCovered
from anholonomy.geometry.adapted_frame import AdaptedFrame
from anholonomy.motion.trajectory import Trajectory
from anholonomy.public.equations import KernelQuestions
from anholonomy.system.constraints import Kind
from anholonomy.system.frames.adapted import adapted_frame, frame_of_speeds
from anholonomy.system.frames.moving import MovingFrame, moving_frame
from anholonomy.system.model import Model
from anholonomy.system.solved_constraints import on_its_level

if TYPE_CHECKING:
    import xarray as xr
    from matplotlib.axes import Axes

    from anholonomy.equations.almost_poisson import AlmostPoisson
    from anholonomy.equations.find_lagrangian import Exactness
    from anholonomy.equations.verification import Verification
    from anholonomy.fitting.fit import Fit
    from anholonomy.geometry.connections.ehresmann import Ehresmann
    from anholonomy.geometry.distributions.distribution import Distribution
    from anholonomy.geometry.metric import Metric
    from anholonomy.laws.closed_form_motion import ClosedMotion
    from anholonomy.laws.law import Laws
    from anholonomy.laws.momentum import MomentumEquation
    from anholonomy.laws.moving_energy import MovingEnergy
    from anholonomy.measures.invariant_measure import InvariantMeasure
    from anholonomy.motion.ensemble import Ensemble
    from anholonomy.motion.lyapunov import Exponents
    from anholonomy.motion.sweeps.sweep import Sweep
    from anholonomy.reports.analysis import Page
    from anholonomy.stability.controllability import Controllability
    from anholonomy.stability.linearization import LinearAlong, Linearization
    from anholonomy.stability.periodic_orbit import Orbit
    from anholonomy.stability.poincare_section import Section
    from anholonomy.stability.steady_motion import SteadyMotion
    from anholonomy.system.units.checking import Dimensions
    from anholonomy.vakonomic.comparison.answer import Comparison
    from anholonomy.vakonomic.shortest_paths.abnormal import Abnormal
    from anholonomy.vakonomic.shortest_paths.extremal import Extremal
    from anholonomy.vakonomic.shortest_paths.wave_front import WaveFront
    from anholonomy.vakonomic.side_by_side import SideBySide
    from anholonomy.vakonomic.variational_problem import VariationalProblem

__all__ = [
    "FitQuestions",
    "Sensitive",
    "ReportQuestions",
    "UnitQuestions",
    "EnsembleQuestions",
    "PortraitQuestions",
    "Sectioned",
    "StabilityQuestions",
    "PathQuestions",
    "Questions",
]


# What one may ask about parameters and starts: which fit measured data, and how a motion changes with them.


class FitQuestions(Model):
    """A model that can be fitted."""

    def fit(
        self,
        data: Any,
        unknown: Sequence[str],
        start: Mapping[str, object] | None = None,
        *,
        observed: Sequence[str] | None = None,
        sigma: Any = None,
        bounds: Mapping[str, tuple[float | None, float | None]] | None = None,
        inputs: Any = None,
        modulo: str | Sequence[str] = (),
        progress: Callable[[float], None] | None = None,
    ) -> Fit[Any, Any]:
        """Parameters and starts from measured motion, by least squares with exact sensitivities; their covariance; what is identifiable.

        ``data`` has times in ``time`` and columns named by coordinates, velocities or expressions of what a motion has: an xarray
        Dataset or DataArray, a DataFrame, a dict of lists, a motion, or the path of a CSV file; NaN is a gap, and ``observed`` chooses
        columns. ``unknown`` names parameters, and coordinates and velocities at the start. ``start`` is the start of the motion at
        the first of the times, with guesses for what is unknown; parameters begin at their declared values unless it gives others.
        ``sigma`` are errors of the measurements: a number, or numbers or columns by name. ``bounds`` are pairs by name. ``inputs`` has
        a signal for every input of the system, as `simulate` takes it, but for Python functions; those of a motion are its own, and columns with
        their names are signals. Angles in ``modulo`` are measured but for full turns.

        >>> import numpy as np
        >>> from anholonomy import System
        >>> swing = System(name="swing", coordinates=["a"], lagrangian="a'^2/2 - k*a^2/2", parameters={"k": 3.0})
        >>> t = np.linspace(0, 5, 50)
        >>> fit = swing.fit({"time": t, "a": 0.3 * np.cos(2 * t)}, unknown=["k", "a"], start={"a": 0.2, "a'": 0})
        >>> {name: round(value, 9) for name, value in fit.values.items()}
        {'k': 4.0, 'a': 0.3}
        """
        from anholonomy.fitting.least_squares import fitted
        from anholonomy.show.progress import watching

        with watching(progress, "fitting") as report:
            return fitted(self, data, unknown, start, observed, sigma, bounds, inputs, modulo, report)


class Sensitive(Trajectory):
    """A motion that can be differentiated."""

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


# What one may ask of a system for people: the page that tells everything.


class ReportQuestions(Model):
    """A model that can be reported on."""

    def explore(
        self,
        start: Mapping[str, object] | None = None,
        until: float | None = None,
        ranges: Mapping[str, object] | Sequence[str] | None = None,
        *,
        height: int = 420,
        **options: Any,
    ) -> Any:
        """Sliders in a notebook that compute the motion again while they are dragged, beside a player and plots that go along with it.

        There is one for each parameter with a value and each value of ``start`` (by default the declared one), or for the names in
        ``ranges``, which may give a range to each: ``{"a": (0, 1), "theta'": None}``. The motion goes on to ``until``, by default 10; it is
        ``widget.run``. A system without a picture has plots only. Options are those of `simulate`. It needs anywidget, which the extra ``notebook`` brings.
        """
        from anholonomy.reports.widgets import explorer_widget

        return explorer_widget(self, start, until, ranges, height, **options)

    def report(
        self,
        path: str | Path,
        start: Mapping[str, object] | None = None,
        until: float | None = None,
        *,
        limit: float | None = LIMIT,
        facts: Sequence[str] = (),
        references: Sequence[str] = (),
        description: str = "",
    ) -> Path:
        """Everything about the system as one HTML page that opens from the disk, without a network.

        Declaration, equations by every principle, their verification, geometry, what follows from the equations with certificates, and, from
        ``start`` (by default the declared one) to ``until`` (by default 10), the motion with a player and linked plots. Each question
        is asked for ``limit`` seconds. ``facts`` and ``references`` are told as they are, ``description`` under the title.
        """
        from anholonomy.reports.html import write_report

        return write_report(self, path, start, until, limit, facts, references, description)


# What one may ask of a system's units.


class UnitQuestions(Model):
    """A model that knows its dimensions."""

    def dimensions(self) -> Dimensions:
        """The dimension of every name as far as kinds and units imply it, and the first term that does not fit, if there is one.

        A declaration with units is refused where a term does not fit; with kinds alone it is warned of (`UnfitTerm`), unless a number may hide a unit.

        >>> from anholonomy import System
        >>> System(coordinates={"x": "length"}, lagrangian="m*x'^2/2 - 9.81*m*x", parameters=["m"]).dimensions().misfit
        "the term 981*m*x/100 in the Lagrangian ..."
        """
        from anholonomy.system.units.checking import dimensions_of

        return dimensions_of(self.with_words())


# What one may ask of a system about many motions at once.


class EnsembleQuestions(Model):
    """A model that can be asked for many motions."""

    def ensemble(
        self,
        starts: Any = None,
        until: float | None = None,
        times: Sequence[float] | None = None,
        *,
        by: Any = None,
        parameters: Mapping[str, Any] | None = None,
        tolerance: float = 1e-12,
        keep: Sequence[str] | str | None = None,
        integrator: str | None = None,
        project: bool = False,
        events: Mapping[str, Any] | None = None,
        stop: str | Sequence[str] = (),
        max_step: float | None = None,
        breaks: Sequence[float] = (),
        inputs: Any = None,
        device: str = "cpu",
        precision: str = "double",
        store: str | Path | None = None,
        client: Any = None,
        progress: Callable[[float], None] | None = None,
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
        from anholonomy.motion.simulate_many import ensemble

        asked = {word: value for word, value in locals().items() if word not in ("self", "ensemble")}
        return ensemble(self, **asked)

    def sweep(
        self,
        over: Any,
        start: Mapping[str, Any] | None = None,
        until: float | None = None,
        times: Sequence[float] | None = None,
        *,
        by: Any = None,
        parameters: Mapping[str, float] | None = None,
        tolerance: float = 1e-9,
        keep: Sequence[str] | str | None = None,
        reduce: Any = None,
        samples: int | None = None,
        sampling: str = "sobol",
        seed: int = 0,
        store: str | Path | None = None,
        resume: bool = True,
        client: Any = None,
        project: bool = False,
        events: Mapping[str, Any] | None = None,
        stop: str | Sequence[str] = (),
        max_step: float | None = None,
        breaks: Sequence[float] = (),
        inputs: Any = None,
        progress: Callable[[float], None] | None = None,
    ) -> Sweep:
        """The motions over a grid of parameters and starts, ``over={"a": values, "theta'": values}``; or over ``samples`` of ranges, or a list.

        ``reduce`` makes one number of each in the worker: ``{"final speed": "u", "peak": "max of theta", "turn": "time of theta - pi"}``, with
        max, min, mean, time and period; or ``"lyapunov"``. ``keep`` names what is kept over time. With a ``store`` (Zarr) blocks of members
        are written as they are done, and the same call goes on where it was killed; a ``client`` of Dask spreads them over other processes.

        >>> import numpy as np
        >>> from anholonomy.catalogue import skate
        >>> runs = skate().sweep({"theta'": np.linspace(1, 2, 5)}, start={"x": 0, "y": 0, "theta": 0, "x'": 1}, until=10,
        ...                      reduce={"reach": "max of x"})
        >>> abs(runs["reach"] * np.linspace(1, 2, 5) - 1).max().item() < 1e-7       # a circle of radius 1/theta'
        True
        """
        from anholonomy.motion.simulate_many import sweep

        asked = {word: value for word, value in locals().items() if word not in ("self", "sweep")}
        return sweep(self, **asked)


# What one may ask of a system's motions all at once: phase portraits.


class PortraitQuestions(Model):
    """A model whose motions can be drawn in one plane."""

    def phase_portrait(
        self,
        over: Mapping[str, Sequence[float]],
        until: float,
        *,
        start: Mapping[str, Any] | None = None,
        plane: Sequence[str] | None = None,
        ax: Axes | str | Path | None = None,
    ) -> Axes:
        """Motions from a grid of starts in the plane of two names; returns the axes, a path of a file keeps them.

        ``over`` has lists of values for one or two names, ``start`` the other values, and ``plane`` the two names or expressions of the axes, by default
        those of ``over``.

        >>> from anholonomy import System
        >>> pendulum = System(coordinates={"theta": "angle"}, lagrangian="theta'^2/2 + cos(theta)")
        >>> axes = pendulum.phase_portrait({"theta": [-1, 0, 1], "theta'": [0.5, 2.5]}, until=4)
        >>> axes.get_xlabel(), axes.get_ylabel()
        ('$\\\\theta$', '$\\\\dot{\\\\theta}$')
        """
        from anholonomy.motion.phase_portrait import phase_portrait

        return phase_portrait(self, over, until, start, plane, ax)


# What one may ask of a system about steady motions: where they are, what is linear about them, whether they are stable.


class StabilityQuestions(Model):
    """A model that can be asked for steady motions."""

    def steady_motions(
        self,
        given: Mapping[str, object] | None = None,
        near: Mapping[str, object] | None = None,
        inputs: Sequence[str] = (),
    ) -> SteadyMotion:
        r"""The equilibrium, or motion carried by symmetries, that is nearest to a state and has the ``given`` coordinates and velocities.

        The symmetries are found: translations of cyclic coordinates, rotations, the translations of a group. ``near`` is a
        state, by default the declared start, or everything at zero. Declared ``inputs`` rest at 0 unless they are given; those named are
        solved for: the constant torque that a turn needs is in ``steady.inputs``.

        >>> from anholonomy.catalogue import leaning_disc
        >>> rolling = leaning_disc().steady_motions(given={"phi'": 3.0})
        >>> print(rolling)
        leaning disc: steady motion, carried by 3 (d/dx), 3 (d/dphi)
          x' = 3, phi' = 3
          marginal
        """
        from anholonomy.stability.steady_motion import steady_motion

        return steady_motion(self, given or {}, near, inputs)

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

        return linearize(self, at, coordinates, inputs)

    def controllability(
        self, at: Mapping[str, object] | None = None, *, by: str | None = None, limit: float | None = LIMIT
    ) -> Controllability:
        r"""Whether what acts on the system reaches every state near one at rest, with the brackets as evidence.

        By the declared inputs, as forces; or, where there are none but constraints, by the speeds, without inertia (``by`` says
        which). ``at`` gives values to coordinates; the others stay generic. After ``limit`` seconds the answer is unknown.

        >>> from anholonomy.catalogue import unicycle
        >>> print(unicycle().controllability())
        unicycle, by the speed Omega, the speed omega
          accessible: the states that are reached fill an open set: proven at generic places, brackets of admissible directions span (2, 3, 4) of 4, exact
          small-time controllable: the states reached in small times surround the start: proven at generic places, brackets of admissible directions span (2, 3, 4) of 4, exact
          spanned by X_1, X_2, [X_1, X_2], [[X_1, X_2], X_2]
        """
        from anholonomy.stability.controllability import controllability

        return controllability(self, at, by, limit)

    def periodic(
        self,
        near: Trajectory | Mapping[str, object],
        period: float | None = None,
        given: Mapping[str, object] | None = None,
        symmetries: bool = True,
        tolerance: float = 1e-12,
    ) -> Orbit:
        r"""The closed orbit near a motion, up to a displacement by symmetries, with its Floquet multipliers.

        ``near`` is a motion that nearly closes, or a state if the ``period`` is given. An orbit with that period is looked for first, then
        one near by with a period of its own. ``given`` holds coordinates and velocities that the start shall have. With
        ``symmetries=False`` it closes without a displacement. A system that depends on time must repeat itself after the period.

        >>> from anholonomy import System
        >>> pol = System(name="van der Pol", coordinates=["x"], lagrangian="x'^2/2 - x^2/2", forces={"x": "(1 - x^2)*x'"})
        >>> orbit = pol.periodic(near=pol.simulate({"x": 2, "x'": 0}, until=20))
        >>> print(orbit.verdict, round(orbit.period, 9), round(float(orbit.transverse[0].real), 9))
        stable 6.663286859 0.000859695
        """
        from anholonomy.stability.periodic_orbit import periodic

        return periodic(self, near, period, given or {}, symmetries, tolerance, self._simulated)

    @property
    def _simulated(self) -> Callable[..., Trajectory]:
        """How motions are computed: systems simulate, plain models do not."""
        simulate: Callable[..., Trajectory] = getattr(self, "simulate")  # noqa: B009
        return simulate

    def lyapunov(
        self,
        start: Mapping[str, object],
        until: float,
        count: int | None = None,
        interval: float | None = None,
        tolerance: float = 1e-10,
        progress: Callable[[float], None] | None = None,
    ) -> Exponents:
        r"""The Lyapunov exponents of the motion from a start, largest first, with their convergence.

        ``count`` of them (default: all), by vectors that the motion carries along, made orthonormal after every ``interval``.
        Ctrl-C keeps the averages so far.

        >>> from anholonomy import System
        >>> damped = System(name="damped", coordinates=["x"], lagrangian="x'^2/2 - 2*x^2", forces={"x": "-0.3*x'"})
        >>> exponents = damped.lyapunov({"x": 1, "x'": 0}, until=50)
        >>> round(float(exponents.values.sum()), 9)      # the divergence
        -0.3
        """
        from anholonomy.motion.lyapunov import lyapunov

        return lyapunov(self, start, until, count, interval, tolerance, progress)


class Sectioned(Trajectory):
    """A motion of which sections can be taken."""

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


# What one may ask of a system about paths: shortest ones, the two dynamics side by side, variational problems.


class PathQuestions(Model):
    """A model that can be asked for paths."""

    @cached_property
    def model(self) -> Model:
        """The plain data of the system with the tables that follow from them, such as the matrix of its constraints."""
        return self.with_words()

    def geodesic(
        self,
        start: Mapping[str, object],
        end: Mapping[str, object],
        duration: float | None = None,
        starts: int = 12,
        modulo: Sequence[str] | str = (),
    ) -> Extremal:
        r"""The shortest admissible path between two configurations, or with ``duration`` that of least action $\int L\,dt$.

        Lengths are those of the kinetic metric, $\int\sqrt{2T}\,dt$; coordinates are taken as they are given, an angle of
        $2\pi$ is another end than 0, but those that ``modulo`` names, which may end full turns on (of a quaternion: at its opposite).
        ``starts`` is how many guesses are made, of which the best extremal is kept. An end on
        another leaf of the constraints is refused with the integral that differs.

        >>> from anholonomy.catalogue import heisenberg
        >>> path = heisenberg().geodesic({"x": 0, "y": 0, "z": 0}, {"x": 3, "y": 4, "z": 0})
        >>> round(path.length, 12), path.report.converged
        (5.0, True)
        """
        from anholonomy.vakonomic.shortest_paths.geodesic import geodesic

        return geodesic(self, start, end, duration, starts, modulo)

    def exponential(self, start: Mapping[str, object], covector: Mapping[str, object], until: float = 1.0) -> Extremal:
        r"""The normal extremal from a configuration with given momenta, up to the time ``until``.

        The momenta are those of the directions, $p_a = \partial(L + \mu\varphi)/\partial w^a$; unit speed is $H = 1/2$.

        >>> from anholonomy.catalogue import heisenberg
        >>> path = heisenberg().exponential({"x": 0, "y": 0, "z": 0}, {"x": 1, "y": 0, "z": 0.5}, until=8)
        >>> round(path.conjugate_time(), 10)      # 2 pi / (2 p_z): the constraint of this system winds twice as fast
        6.2831853072
        """
        from anholonomy.vakonomic.shortest_paths.geodesic import exponential

        return exponential(self, start, covector, until)

    def cut_time(
        self,
        start: Mapping[str, object],
        covector: Mapping[str, object],
        until: float = 1.0,
        modulo: Sequence[str] | str = (),
        starts: int = 12,
    ) -> float | None:
        """Until when the extremal with given momenta is a shortest path; None where it is up to ``until``.

        The time is that of the first conjugate or Maxwell point; that nothing shorter leads to points before it is compared with what `geodesic`
        finds, from so many ``starts``. Angles in ``modulo`` may end full turns on. ``exponential(…).cut()`` says more.

        >>> from anholonomy.catalogue import heisenberg
        >>> round(heisenberg().cut_time({"x": 0, "y": 0, "z": 0}, {"x": 1, "y": 0, "z": 0.5}, until=8), 9)
        6.283185307
        """
        return self.exponential(start, covector, until).cut_time(modulo=modulo, starts=starts)

    def wave_front(self, start: Mapping[str, object], radius: float, most: float | None = None) -> WaveFront:
        """Where all extremals of unit speed from ``start`` are after the length ``radius``, for one constraint in three dimensions.

        ``most`` is the largest multiplier; by default, for each direction, that with which the extremal meets its neighbours as it ends, so
        that the sphere is closed.

        >>> from anholonomy.catalogue import heisenberg
        >>> front = heisenberg().wave_front({"x": 0, "y": 0, "z": 0}, radius=1)
        >>> front.data["q"].dims
        ('angle', 'share', 'coordinate')
        """
        from anholonomy.vakonomic.shortest_paths.wave_front import wave_front

        return wave_front(self, start, radius, most)

    def abnormal(self) -> Abnormal:
        """The abnormal extremals of the constraints: that there are none, or where they are and which way they go.

        >>> from anholonomy.catalogue import heisenberg, martinet
        >>> print(martinet().abnormal())
        abnormal paths go along (1, 0, y^2/2) where y = 0; they are normal as well; small pieces of them are shortest
        >>> print(heisenberg().abnormal())
        no path is abnormal, those apart that stay: proven, theta([X_a, X_b]) is nowhere singular: -2
        """
        from anholonomy.vakonomic.shortest_paths.abnormal import abnormal

        return abnormal(self.model)

    def variational(self, kind: str) -> VariationalProblem:
        r"""The variational problem of the action: ``"free"``, ``"nonholonomic"`` or ``"vakonomic"``.

        They differ in which paths and which variations count, and so in the paths along which the action is stationary.

        >>> from anholonomy.catalogue import skate
        >>> problem = skate().variational("vakonomic")
        >>> problem.first_variation({"x": "t", "y": "0", "theta": "0"}, {"x": "sin(pi*t)"}, interval=(0, 1))
        0
        """
        from anholonomy.vakonomic.variational_problem import variational

        return variational(self.model, kind)

    def side_by_side(
        self,
        start: Mapping[str, object] | None = None,
        until: float | None = None,
        times: Sequence[float] | None = None,
        *,
        multiplier: Any = None,
        **options: Any,
    ) -> SideBySide:
        r"""The motion of mechanics and the vakonomic one from the same state.

        The multiplier of the latter is that with which it stays with the former for as many derivatives as it can, unless ``multiplier`` gives it, a
        number, a list or by name. Options are those of `System.simulate`.

        >>> from anholonomy.catalogue import skate
        >>> both = skate().side_by_side({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}, until=3)
        >>> both.multiplier, float(abs(both.difference).max()) > 0.1
        ({'mu1': 0.0}, True)
        """
        from anholonomy.vakonomic.side_by_side import side_by_side

        return side_by_side(self, start, multiplier, {"until": until, "times": times, **options})


# What one may ask of a system: every verb that returns an answer and no other system.


class Questions(
    PathQuestions,
    StabilityQuestions,
    FitQuestions,
    KernelQuestions,
    EnsembleQuestions,
    ReportQuestions,
    UnitQuestions,
    PortraitQuestions,
):
    """A model that answers."""

    def verify(self, states: int | Sequence[Mapping[str, object]] = 5, digits: int = 30, seed: int = 0) -> Verification:
        """Every principle against every other, at random admissible states (or those given), in ball arithmetic."""
        from anholonomy.equations.verification import verify

        return verify(self, states=states, digits=digits, seed=seed)

    def adapted_frame(self) -> AdaptedFrame:
        """Directions that span the admissible velocities: the declared span, or the software's choice."""
        return adapted_frame(self)

    @cached_property
    def distribution(self) -> Distribution:
        r"""The admissible directions as a distribution; on $Q \times \mathbb R$ where a constraint is affine or moves.

        Where constraints on positions are solved it lives on their level, in the coordinates that are left.
        """
        from anholonomy.geometry.distributions.distribution import Distribution

        _refuse_accelerations(self)
        return Distribution.of(on_its_level(self).independent)

    @cached_property
    def metric(self) -> Metric:
        r"""The kinetic metric $g_{ij} = \partial^2 L/\partial\dot q^i\partial\dot q^j$."""
        from anholonomy.geometry.metric import kinetic_metric

        if self.momenta_a is not None:
            raise NotCovered(f"{self.name} has no Lagrangian, and so no kinetic metric.")
        return kinetic_metric(self)

    def ehresmann(self, base: Sequence[str]) -> Ehresmann:
        """The connection that the constraints make over the chosen base coordinates."""
        from anholonomy.geometry.connections.ehresmann import Ehresmann

        _refuse_accelerations(self)
        there = on_its_level(self)
        names = [str(q) for q in base] if isinstance(base, Sequence) and not isinstance(base, str) else []
        is_there = {q.name for q in there.coordinates}.issuperset(names)
        return Ehresmann.of((there if is_there else self).independent, base)

    def momentum_map(self) -> dict[str, Any]:
        r"""The spatial momentum $\mathrm{Ad}^*_{g^{-1}}p$ of a system on a group, by velocity; for coordinates their momenta.

        Of a left-invariant system it changes by what forces and reactions do alone.

        >>> from anholonomy import System
        >>> disc = System(name="disc", group="S1(theta)", coordinates=["r"], lagrangian="m*(r'^2 + r^2*theta'^2)/2", parameters=["m"])
        >>> disc.momentum_map()["theta'"]
        m*r**2*theta'
        """
        from anholonomy.equations.reduction.spatial import momentum_map

        return momentum_map(self)

    def moving_frame(
        self, place: Mapping[Any, Any], parameters: Mapping[str, float | None] | None = None, clock: Any = "t"
    ) -> MovingFrame:
        """A moving reference frame: fixed coordinates as functions of the moving ones, of the same names, and ``t``.

        ``parameters`` are those that only the motion of the frame has; ``clock`` is what the fixed clock shows at the time ``t`` of the
        moving one, such as ``"t + 2"``.

        >>> from anholonomy import System
        >>> free = System(name="free", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2")
        >>> place = {"x": "x*cos(W*t) - y*sin(W*t)", "y": "x*sin(W*t) + y*cos(W*t)"}
        >>> turning = free.moving_frame(place, parameters={"W": None})
        >>> turning.Omega["x"].subs({"W": 2, "y": 3})
        -6
        >>> free.seen_from(turning).derive().accelerations({"x": 1, "y": 0, "x'": 0, "y'": 0, "W": 2})     # centrifugal
        {"x''": 4.0, "y''": 0.0}
        """
        return moving_frame(self, place, parameters, clock)

    def find_lagrangian(self) -> Exactness:
        r"""Whether force and momentum come from a Lagrangian (one that contains the forces), and which.

        >>> from anholonomy import System
        >>> damped = System(name="damped", coordinates=["x"], momenta={"x": "exp(k*t)*x'"}, forces={"x": "-exp(k*t)*x"},
        ...                 parameters=["k"])
        >>> print(damped.find_lagrangian())
        L = exp(k*t)*(x'^2 - x^2)/2
        """
        from anholonomy.equations.find_lagrangian import find_lagrangian

        return find_lagrangian(self)

    def conserved(
        self,
        degree: int = 2,
        functions: Sequence[Any] | None = None,
        limit: float | None = LIMIT,
        unknown: Sequence[Any] | None = None,
        on: Mapping[Any, Any] | None = None,
    ) -> Laws:
        """Independent conserved quantities that are polynomials in the speeds, each proven, and the class in which these are all.

        ``degree`` is the highest degree in the speeds. ``functions`` of the configuration, such as ``["1", "x", "cos(theta)"]``,
        are what coefficients are combinations of; by default products of what occurs in the system. After ``limit`` seconds,
        or Ctrl-C, the answer is what was found so far. Parameters named in ``unknown`` are free, whatever their values, and
        ``laws.conditions`` are the special values of these for which more is conserved. ``on`` is a level, a dict from conserved quantities (texts,
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
        >>> for special in well.conserved(degree=1, unknown=["k"]).conditions:
        ...     print(special)
        if k = 0:
          y' is constant (momentum of a symmetry, 1 along y)
        if k = 1:
          x*y' - y*x' is constant (momentum of a symmetry, -y along x, x along y)
        """
        from anholonomy.laws.conserved import conserved

        return conserved(self, degree=degree, functions=functions, limit=limit, unknown=unknown, on=on)

    def moving_energy(self, functions: Sequence[Any] | None = None, limit: float | None = LIMIT) -> MovingEnergy:
        r"""The energy that survives, $E - \langle p, Y\rangle$ for a field $Y$: for affine, moving and time-dependent systems.

        ``functions`` are those that the components of $Y$ are combined from; by default they are chosen by what occurs.

        >>> from anholonomy.catalogue import ball_on_turntable
        >>> ball_on_turntable().moving_energy().verdict
        <Verdict.PROVEN: 'proven'>
        """
        from anholonomy.laws.moving_energy import moving_energy

        return moving_energy(self, functions, limit)

    def momentum(self, field: Any, limit: float | None = LIMIT) -> MomentumEquation:
        r"""The momentum equation of a field on the configurations, $dJ/dt = \dots$; a law where the right side is proven zero.

        ``field`` has a component for each direction, in a list or by name, as text or expressions. After ``limit`` seconds the answer
        is unknown.

        >>> from anholonomy.catalogue import skate
        >>> print(skate().momentum({"theta": "1"}))
        d/dt (I*theta') = 0: proven
        >>> print(skate().momentum(["cos(theta)", "sin(theta)", "0"]))
        d/dt (m*(cos(theta)*x' + sin(theta)*y')) = 0: proven
        >>> print(skate().momentum({"x": "1"}))
        d/dt (m*x') = -m*sin(theta)*(cos(theta)*x' + sin(theta)*y')*theta'
        """
        from anholonomy.laws.momentum import momentum_equation

        return momentum_equation(self, field, limit)

    def solve(self, limit: float | None = LIMIT) -> ClosedMotion:
        """The motion in closed form, where its equations can be solved one after the other by quadratures; proven by putting it in.

        ``motion["x"]`` is a coordinate as a function of ``t`` and of the values at time zero, ``motion(state, t)`` has numbers and ``motion.check(run)``
        compares. Where some variable is not found the answer is unknown and says which.

        >>> from anholonomy.catalogue import free_particle
        >>> free_particle().solve()["y"]
        y0 + v0*sqrt(1 + x0**2)*(-asinh(x0) + asinh(x0 + t*u0))/u0
        """
        from anholonomy.laws.closed_form_motion import closed_motion

        return closed_motion(self, limit)

    def analyse(
        self,
        only: Sequence[str] | None = None,
        limit: float | None = LIMIT,
        unknown: Sequence[Any] | None = None,
        on: Mapping[Any, Any] | None = None,
    ) -> Page:
        """Every question about what follows from the equations, or those named in ``only``, answered on one page.

        ``unknown`` are parameters and ``on`` is a level as `conserved` takes them.

        >>> from anholonomy.catalogue import chaplygin_sleigh
        >>> page = chaplygin_sleigh().analyse(only=["conserved"])
        >>> page["conserved"][0].kind
        'energy'
        """
        from anholonomy.reports.analysis import analysed

        return analysed(self, only, limit, unknown, on)

    def hamiltonian(self, speeds: Mapping[Any, Any] | Sequence[Any] | str | None = None) -> AlmostPoisson:
        """The Hamiltonian form on the constraint submanifold: momenta, Hamiltonian, and the bracket with its Jacobiator.

        The momenta are those of the speeds that ``derive`` would use, or of ``speeds``, given as there. Without ``speeds``, constraints on
        positions are solved first.
        """
        from anholonomy.equations.almost_poisson import almost_poisson

        return (
            almost_poisson(on_its_level(self))
            if speeds is None
            else almost_poisson(self, frame_of_speeds(self, speeds))
        )

    def invariant_measure(self, limit: float | None = LIMIT) -> InvariantMeasure:
        r"""A measure that the motion keeps, with a density of the configuration on the constraint submanifold; or why there is none.

        After ``limit`` seconds the answer is unknown.

        >>> from anholonomy.catalogue import suslov
        >>> mu = suslov().invariant_measure()
        >>> mu.verdict, mu.theorem
        (<Verdict.REFUTED: 'refuted'>, 'nor any that is smooth and positive near rest: its part at rest would be one of the
         configuration, there being no potential')
        """
        from anholonomy.measures.invariant_measure import invariant_measure

        return invariant_measure(self, limit)

    def compare_vakonomic(self, start: Any = None, limit: float | None = LIMIT) -> Comparison:
        r"""Whether every motion of mechanics is vakonomic, or the one from ``start``, a state or a computed motion; and with which multiplier.

        Vakonomic motions are the extremals of the action among curves that satisfy the constraints. After ``limit`` seconds the
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

        return compared(self, limit) if start is None else compared_from(self, start, limit)


def _refuse_accelerations(model: Model) -> None:
    for c in model.constraints:
        if Kind.ACCELERATION in c.kind:
            raise NotCovered(
                f"{model.name}: the constraint {c.label} restricts accelerations, so its admissible velocities are no "
                "distribution; ask a system with constraints on velocities."
            )
