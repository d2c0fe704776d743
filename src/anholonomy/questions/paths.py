"""What one may ask of a system about paths: shortest ones, the two dynamics side by side, variational problems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from anholonomy.lazy import cached_property
from anholonomy.system.model import Model

if TYPE_CHECKING:
    from anholonomy.paths.abnormal import Abnormal
    from anholonomy.paths.extremal import Extremal
    from anholonomy.paths.side_by_side import SideBySide
    from anholonomy.paths.variational.problem import VariationalProblem
    from anholonomy.paths.wave_front import WaveFront

__all__ = ["PathQuestions"]


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
        from anholonomy.paths.geodesic import geodesic

        return geodesic(self, start, end, duration, starts, modulo)

    def exponential(self, start: Mapping[str, object], covector: Mapping[str, object], until: float = 1.0) -> Extremal:
        r"""The normal extremal from a configuration with given momenta, up to the time ``until``.

        The momenta are those of the directions, $p_a = \partial(L + \mu\varphi)/\partial w^a$; unit speed is $H = 1/2$.

        >>> from anholonomy.catalogue import heisenberg
        >>> path = heisenberg().exponential({"x": 0, "y": 0, "z": 0}, {"x": 1, "y": 0, "z": 0.5}, until=8)
        >>> round(path.conjugate_time(), 10)      # 2 pi / (2 p_z): the constraint of this system winds twice as fast
        6.2831853072
        """
        from anholonomy.paths.geodesic import exponential

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
        from anholonomy.paths.wave_front import wave_front

        return wave_front(self, start, radius, most)

    def abnormal(self) -> Abnormal:
        """The abnormal extremals of the constraints: that there are none, or where they are and which way they go.

        >>> from anholonomy.catalogue import heisenberg, martinet
        >>> print(martinet().abnormal())
        abnormal paths go along (1, 0, y^2/2) where y = 0; they are normal as well; small pieces of them are shortest
        >>> print(heisenberg().abnormal())
        no path is abnormal, those apart that stay: proven, theta([X_a, X_b]) is nowhere singular: -2
        """
        from anholonomy.paths.abnormal import abnormal

        return abnormal(self.model)

    def variational(self, kind: str) -> VariationalProblem:
        r"""The variational problem of the action: ``"free"``, ``"nonholonomic"`` or ``"vakonomic"``.

        They differ in which paths and which variations count, and so in the paths along which the action is stationary.

        >>> from anholonomy.catalogue import skate
        >>> problem = skate().variational("vakonomic")
        >>> problem.first_variation({"x": "t", "y": "0", "theta": "0"}, {"x": "sin(pi*t)"}, interval=(0, 1))
        0
        """
        from anholonomy.paths.variational.problem import variational

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
        from anholonomy.paths.side_by_side import side_by_side

        return side_by_side(self, start, multiplier, {"until": until, "times": times, **options})
