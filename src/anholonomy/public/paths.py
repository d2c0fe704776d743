"""`system.paths`: shortest paths, extremals, wave fronts, variational problems. Paths are no motions of mechanics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Never, Unpack, final

from anholonomy.base.notebook import Shown
from anholonomy.public.options import SimulationOptions, read_options, refuse_others
from anholonomy.system.units.to_si import in_si, time_in_si

if TYPE_CHECKING:
    from anholonomy.public.system import System
    from anholonomy.vakonomic.shortest_paths.abnormal import Abnormal
    from anholonomy.vakonomic.shortest_paths.extremal import Extremal
    from anholonomy.vakonomic.shortest_paths.wave_front import WaveFront
    from anholonomy.vakonomic.side_by_side import VakonomicPair
    from anholonomy.vakonomic.variational_problem import VariationalProblem

__all__ = ["Paths"]


@final
@dataclass(frozen=True, repr=False)
class Paths(Shown):
    """The paths of a system that are extremal among all that obey its constraints."""

    system: System

    def __repr__(self) -> str:
        return f"Paths of {self.system!r}"

    def shortest(
        self, start: Mapping[str, object], end: Mapping[str, object], starts: int = 12, modulo: Sequence[str] | str = ()
    ) -> Extremal:
        r"""The shortest admissible path between two configurations.

        Lengths are those of the kinetic metric, $\int\sqrt{2T}\,dt$; coordinates are taken as they are given, an angle of
        $2\pi$ is another end than 0, but those that ``modulo`` names, which may end full turns on (of a quaternion: at its opposite).
        ``starts`` is how many guesses are made, of which the best extremal is kept. An end on
        another leaf of the constraints is refused with the integral that differs.

        >>> from anholonomy.catalogue import heisenberg
        >>> path = heisenberg().paths.shortest({"x": 0, "y": 0, "z": 0}, {"x": 3, "y": 4, "z": 0})
        >>> round(path.length, 12), path.report.converged
        (5.0, True)
        """
        return self._between(start, end, None, starts, modulo)

    def least_action(
        self,
        start: Mapping[str, object],
        end: Mapping[str, object],
        duration: float,
        starts: int = 12,
        modulo: Sequence[str] | str = (),
    ) -> Extremal:
        r"""The admissible path of least action $\int L\,dt$ between two configurations in a given time.

        ``starts`` and ``modulo`` are those of `shortest`.

        >>> from anholonomy import System
        >>> stone = System(name="stone", coordinates=["x", "z"], lagrangian="(x'^2 + z'^2)/2 - g*z", parameters={"g": 9.81})
        >>> throw = stone.paths.least_action({"x": 0, "z": 0}, {"x": 3, "z": 0}, duration=1)
        >>> round(throw.covector["z"], 9)                                     # g/2, as for every throw of one second
        4.905
        """
        return self._between(start, end, time_in_si(duration, "duration"), starts, modulo)

    def _between(self, start: Any, end: Any, duration: float | None, starts: int, modulo: Any) -> Extremal:
        from anholonomy.vakonomic.shortest_paths.geodesic import geodesic

        model = self.system.model
        return geodesic(self.system, in_si(model, start), in_si(model, end), duration, starts, modulo)

    def extremal(
        self, start: Mapping[str, object], momenta: Mapping[str, object], until: float = 1.0, **others: Never
    ) -> Extremal:
        r"""The normal extremal from a configuration with given momenta, up to the time ``until``.

        The momenta are those of the directions, $p_a = \partial(L + \mu\varphi)/\partial w^a$; unit speed is $H = 1/2$.

        >>> from anholonomy.catalogue import heisenberg
        >>> path = heisenberg().paths.extremal({"x": 0, "y": 0, "z": 0}, {"x": 1, "y": 0, "z": 0.5}, until=8)
        >>> round(path.conjugate_time(), 10)      # 2 pi / (2 p_z): the constraint of this system winds twice as fast
        6.2831853072
        """
        from anholonomy.vakonomic.shortest_paths.geodesic import exponential

        refuse_others(Paths.extremal, others)
        return exponential(self.system, in_si(self.system.model, start), momenta, time_in_si(until, "until"))

    def wave_front(self, start: Mapping[str, object], radius: float, most: float | None = None) -> WaveFront:
        """Where all extremals of unit speed from ``start`` are after the length ``radius``, for one constraint in three dimensions.

        ``most`` is the largest multiplier; by default, for each direction, that with which the extremal meets its neighbours as it ends, so
        that the sphere is closed.

        >>> from anholonomy.catalogue import heisenberg
        >>> front = heisenberg().paths.wave_front({"x": 0, "y": 0, "z": 0}, radius=1)
        >>> front.data["q"].dims
        ('angle', 'share', 'coordinate')
        """
        from anholonomy.vakonomic.shortest_paths.wave_front import wave_front

        return wave_front(self.system.model, in_si(self.system.model, start), radius, most)

    def abnormal(self) -> Abnormal:
        """The abnormal extremals of the constraints: that there are none, or where they are and which way they go.

        >>> from anholonomy.catalogue import heisenberg, martinet
        >>> print(martinet().paths.abnormal())
        abnormal paths go along (1, 0, y^2/2) where y = 0; they are normal as well; small pieces of them are shortest
        >>> print(heisenberg().paths.abnormal())
        no path is abnormal, those apart that stay: proven, theta ^ dtheta = 2
        """
        from anholonomy.vakonomic.shortest_paths.abnormal import abnormal

        return abnormal(self.system.model)

    def variational(self, kind: str) -> VariationalProblem:
        r"""The variational problem of the action: ``"free"``, ``"nonholonomic"`` or ``"vakonomic"``.

        They differ in which paths and which variations count, and so in the paths along which the action is stationary.

        >>> from anholonomy.catalogue import skate
        >>> problem = skate().paths.variational("vakonomic")
        >>> problem.first_variation({"x": "t", "y": "0", "theta": "0"}, {"x": "sin(pi*t)"}, interval=(0, 1))
        0
        """
        from anholonomy.vakonomic.variational_problem import variational

        return variational(self.system.model, kind)

    def side_by_side(
        self,
        start: Mapping[str, object] | None = None,
        until: float | None = None,
        times: Sequence[float] | None = None,
        *,
        multiplier: Any = None,
        **options: Unpack[SimulationOptions],
    ) -> VakonomicPair:
        r"""The motion of mechanics and the vakonomic one from the same state.

        The multiplier of the latter is that with which it stays with the former for as many derivatives as it can, unless ``multiplier`` gives it, a
        number, a list or by name. Options are those of `System.simulate`.

        >>> from anholonomy.catalogue import skate
        >>> both = skate().paths.side_by_side({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}, until=3)
        >>> both.multiplier, float(abs(both.difference).max()) > 0.1
        ({'mu1': 0.0}, True)
        """
        from anholonomy.vakonomic.side_by_side import side_by_side

        model = self.system.model
        words = read_options(model, "side_by_side", options, SimulationOptions, "start", "until", "times", "multiplier")
        words |= {"until": time_in_si(until, "until"), "times": time_in_si(times, "times")}
        return side_by_side(self.system, in_si(model, start), multiplier, words)
