"""What one may ask of a system about steady motions: where they are, what is linear about them, whether they are stable."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, overload

from anholonomy.simulate.trajectories.trajectory import Trajectory
from anholonomy.symbolic.patience import LIMIT
from anholonomy.system.model import Model

if TYPE_CHECKING:
    from anholonomy.analysis.controllability.answer import Controllability
    from anholonomy.stability.linearization import Linearization
    from anholonomy.stability.orbits.along import LinearAlong
    from anholonomy.stability.orbits.lyapunov import Exponents
    from anholonomy.stability.orbits.orbit import Orbit
    from anholonomy.stability.orbits.section import Section
    from anholonomy.stability.steady import SteadyMotion

__all__ = ["Sectioned", "StabilityQuestions"]


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
        from anholonomy.stability.asking import steady_motion

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
        from anholonomy.stability.asking import linearize

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
        from anholonomy.analysis.controllability.asking import controllability

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
        from anholonomy.stability.asking import periodic

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
        from anholonomy.stability.asking import lyapunov

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
        from anholonomy.stability.orbits.section import section_of

        return section_of(self, condition, direction)
