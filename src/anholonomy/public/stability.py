"""`system.stability`: steady motions, closed orbits, exponents, phase portraits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Never, final

from anholonomy.base.notebook import Shown
from anholonomy.motion.trajectory import Trajectory
from anholonomy.public.options import refuse_others
from anholonomy.system.units.to_si import in_si, time_in_si

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from anholonomy.motion.lyapunov import Exponents
    from anholonomy.public.system import System
    from anholonomy.stability.periodic_orbit import Orbit
    from anholonomy.stability.steady_motion import SteadyMotion

__all__ = ["Stability"]


@final
@dataclass(frozen=True, repr=False)
class Stability(Shown):
    """The motions of a system near special ones: steady motions, closed orbits, exponents and portraits."""

    system: System

    def __repr__(self) -> str:
        return f"Stability of {self.system!r}"

    def steady_motion(
        self,
        fixed: Mapping[str, object] | None = None,
        near: Mapping[str, object] | None = None,
        inputs: Sequence[str] = (),
        **others: Never,
    ) -> SteadyMotion:
        r"""The equilibrium, or motion carried by symmetries, that is nearest to a state and has the ``fixed`` coordinates and velocities.

        The symmetries are found: translations of cyclic coordinates, rotations, the translations of a group. ``near`` is a
        state, by default the declared start, or everything at zero. Declared ``inputs`` rest at 0 unless they are given; those named are
        solved for: the constant torque that a turn needs is in ``steady.inputs``.

        >>> from anholonomy.catalogue import leaning_disc
        >>> rolling = leaning_disc().stability.steady_motion(fixed={"phi'": 3.0})
        >>> print(rolling)
        leaning disc: steady motion, carried by 3 (d/dx), 3 (d/dphi)
          x' = 3, phi' = 3
          marginal
        """
        from anholonomy.stability.steady_motion import steady_motion

        refuse_others(Stability.steady_motion, others)
        model = self.system.model
        return steady_motion(model, in_si(model, fixed or {}), in_si(model, near), inputs)

    def periodic_orbit(
        self,
        near: Trajectory | Mapping[str, object],
        period: float | None = None,
        fixed: Mapping[str, object] | None = None,
        symmetries: bool = True,
        tolerance: float = 1e-12,
        **others: Never,
    ) -> Orbit:
        r"""The closed orbit near a motion, up to a displacement by symmetries, with its Floquet multipliers.

        ``near`` is a motion that nearly closes, or a state if the ``period`` is given. An orbit with that period is looked for first, then
        one near by with a period of its own. ``fixed`` holds coordinates and velocities that the start shall have. With
        ``symmetries=False`` it closes without a displacement. A system that depends on time must repeat itself after the period.

        >>> from anholonomy import System
        >>> pol = System(name="van der Pol", coordinates=["x"], lagrangian="x'^2/2 - x^2/2", forces={"x": "(1 - x^2)*x'"})
        >>> orbit = pol.stability.periodic_orbit(near=pol.simulate({"x": 2, "x'": 0}, until=20))
        >>> print(orbit.verdict, round(orbit.period, 9), round(float(orbit.transverse[0].real), 9))
        stable 6.663286859 0.000859695
        """
        from anholonomy.stability.periodic_orbit import periodic

        refuse_others(Stability.periodic_orbit, others)
        model = self.system.model
        near, fixed = in_si(model, near), in_si(model, fixed or {})
        return periodic(model, near, time_in_si(period, "period"), fixed, symmetries, tolerance, self.system._like)

    def lyapunov_exponents(
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
        >>> exponents = damped.stability.lyapunov_exponents({"x": 1, "x'": 0}, until=50)
        >>> round(float(exponents.values.sum()), 9)      # the divergence
        -0.3
        """
        from anholonomy.motion.lyapunov import lyapunov

        model = self.system.model
        start, until, interval = in_si(model, start), time_in_si(until, "until"), time_in_si(interval, "interval")
        return lyapunov(model, start, until, count, interval, tolerance, progress)

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
        >>> axes = pendulum.stability.phase_portrait({"theta": [-1, 0, 1], "theta'": [0.5, 2.5]}, until=4)
        >>> axes.get_xlabel(), axes.get_ylabel()
        ('$\\\\theta$', '$\\\\dot{\\\\theta}$')
        """
        from anholonomy.motion.phase_portrait import phase_portrait

        model = self.system.model
        over, start, until = in_si(model, over), in_si(model, start), time_in_si(until, "until")
        return phase_portrait(model, self.system.ensemble, over, until, start, plane, ax=ax)
