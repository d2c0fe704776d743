"""`system.geometry`: frames, metric and distribution, which constraints and kinetic energy are before any motion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

from anholonomy.base.caching import cached_property
from anholonomy.base.errors import NotSupportedError
from anholonomy.base.notebook import Shown
from anholonomy.geometry.adapted_frame import AdaptedFrame
from anholonomy.geometry.frame import Frame
from anholonomy.system.constraints import Kind
from anholonomy.system.frames.adapted import adapted_frame
from anholonomy.system.frames.moving import MovingObserver, moving_frame
from anholonomy.system.model import Model
from anholonomy.system.solved_constraints import on_its_level

if TYPE_CHECKING:
    from anholonomy.geometry.connections.ehresmann import EhresmannConnection
    from anholonomy.geometry.distributions.distribution import Distribution
    from anholonomy.geometry.metric import Metric
    from anholonomy.public.system import System

__all__ = ["Geometry"]


@final
@dataclass(frozen=True, repr=False)
class Geometry(Shown):
    """The geometry of a system: its frames, its kinetic metric, its admissible directions.

    >>> from anholonomy.catalogue import skate
    >>> skate().geometry.distribution.is_integrable().verdict
    <Verdict.REFUTED: 'refuted'>
    """

    system: System

    def __repr__(self) -> str:
        return f"Geometry of {self.system!r}"

    @property
    def frame(self) -> Frame:
        """The frame in which the velocities of the system are written: that of its coordinates, or of its group."""
        return self.system.model.frame

    @cached_property
    def adapted_frame(self) -> AdaptedFrame:
        """Directions that span the admissible velocities: the declared span, or the software's choice."""
        return adapted_frame(self.system.model)

    @cached_property
    def distribution(self) -> Distribution:
        r"""The admissible directions as a distribution; on $Q \times \mathbb R$ where a constraint is affine or moves.

        Where constraints on positions are solved it lives on their level, in the coordinates that are left.
        """
        from anholonomy.geometry.distributions.distribution import Distribution

        _refuse_accelerations(self.system.model)
        return Distribution.of(on_its_level(self.system.model).independent)

    @cached_property
    def metric(self) -> Metric:
        r"""The kinetic metric $g_{ij} = \partial^2 L/\partial\dot q^i\partial\dot q^j$."""
        from anholonomy.geometry.metric import kinetic_metric

        if self.system.model.momenta_a is not None:
            raise NotSupportedError(f"{self.system.name} has no Lagrangian, and so no kinetic metric.")
        return kinetic_metric(self.system.model)

    def ehresmann(self, base: Sequence[str]) -> EhresmannConnection:
        """The connection that the constraints make over the chosen base coordinates."""
        from anholonomy.geometry.connections.ehresmann import EhresmannConnection

        model = self.system.model
        _refuse_accelerations(model)
        solved = on_its_level(model)
        names = [str(q) for q in base] if isinstance(base, Sequence) and not isinstance(base, str) else []
        is_left = {q.name for q in solved.coordinates}.issuperset(names)
        return EhresmannConnection.of((solved if is_left else model).independent, base)

    def momentum_map(self) -> dict[str, Any]:
        r"""The spatial momentum $\mathrm{Ad}^*_{g^{-1}}p$ of a system on a group, by velocity; for coordinates their momenta.

        Of a left-invariant system it changes by what forces and reactions do alone.

        >>> from anholonomy import System
        >>> disc = System(name="disc", group="S1(theta)", coordinates=["r"], lagrangian="m*(r'^2 + r^2*theta'^2)/2", parameters=["m"])
        >>> disc.geometry.momentum_map()["theta'"]
        m*r**2*theta'
        """
        from anholonomy.equations.reduction.momentum_map import momentum_map

        return momentum_map(self.system.model)

    def moving_observer(
        self, place: Mapping[Any, Any], parameters: Mapping[str, float | None] | None = None, clock: Any = "t"
    ) -> MovingObserver:
        """A moving reference frame: fixed coordinates as functions of the moving ones, of the same names, and ``t``.

        ``parameters`` are those that only the motion of the frame has; ``clock`` is what the fixed clock shows at the time ``t`` of the
        moving one, such as ``"t + 2"``.

        >>> from anholonomy import System
        >>> free = System(name="free", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2")
        >>> place = {"x": "x*cos(W*t) - y*sin(W*t)", "y": "x*sin(W*t) + y*cos(W*t)"}
        >>> turning = free.geometry.moving_observer(place, parameters={"W": None})
        >>> turning.Omega["x"].subs({"W": 2, "y": 3})
        -6
        >>> free.seen_from(turning).derive().accelerations({"x": 1, "y": 0, "x'": 0, "y'": 0, "W": 2})     # centrifugal
        {"x''": 4.0, "y''": 0.0}
        """
        return moving_frame(self.system.model, place, parameters, clock)


def _refuse_accelerations(model: Model) -> None:
    for c in model.constraints:
        if Kind.ACCELERATION in c.kind:
            raise NotSupportedError(
                f"{model.name}: the constraint {c.label} restricts accelerations, so its admissible velocities are no "
                "distribution; ask a system with constraints on velocities."
            )
