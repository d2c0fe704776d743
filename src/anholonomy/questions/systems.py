"""What one may ask of a system: every verb that returns an answer and no other system.

`System` has them all; they stand apart from declaring, deriving and moving, because there will be more of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from anholonomy.geometry.frames.adapted import AdaptedFrame
from anholonomy.lazy import cached_property
from anholonomy.questions.ensembles import EnsembleQuestions
from anholonomy.questions.fitting import FitQuestions
from anholonomy.questions.kernels import KernelQuestions
from anholonomy.questions.paths import PathQuestions
from anholonomy.questions.portraits import PortraitQuestions
from anholonomy.questions.reports import ReportQuestions
from anholonomy.questions.stability import StabilityQuestions
from anholonomy.questions.units import UnitQuestions
from anholonomy.refusals import NotCovered
from anholonomy.symbolic.patience import LIMIT
from anholonomy.system.declaration.solved import on_its_level
from anholonomy.system.frames.adapted import adapted_frame
from anholonomy.system.frames.moving import MovingFrame, moving_frame
from anholonomy.system.frames.speeds import frame_of_speeds
from anholonomy.system.kinds import Kind
from anholonomy.system.model import Model

if TYPE_CHECKING:
    from anholonomy.analysis.closed_forms.motion import ClosedMotion
    from anholonomy.analysis.laws import Laws
    from anholonomy.analysis.measure import InvariantMeasure
    from anholonomy.analysis.momentum import MomentumEquation
    from anholonomy.analysis.moving_energy import MovingEnergy
    from anholonomy.analysis.page import Page
    from anholonomy.analysis.vakonomic.comparison import Comparison
    from anholonomy.formulations.almost_poisson import AlmostPoisson
    from anholonomy.formulations.exactness import Exactness
    from anholonomy.formulations.verification.verify import Verification
    from anholonomy.geometry.calculus.metric import Metric
    from anholonomy.geometry.connections.ehresmann import Ehresmann
    from anholonomy.geometry.distributions.distribution import Distribution

__all__ = ["Questions"]


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
        from anholonomy.formulations.verification.verify import verify

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
        from anholonomy.geometry.calculus.metric import kinetic_metric

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
        from anholonomy.formulations.reduction.momentum_map import momentum_map

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
        from anholonomy.formulations.exactness import find_lagrangian

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
        from anholonomy.analysis.conserved import conserved

        return conserved(self, degree=degree, functions=functions, limit=limit, unknown=unknown, on=on)

    def moving_energy(self, functions: Sequence[Any] | None = None, limit: float | None = LIMIT) -> MovingEnergy:
        r"""The energy that survives, $E - \langle p, Y\rangle$ for a field $Y$: for affine, moving and time-dependent systems.

        ``functions`` are those that the components of $Y$ are combined from; by default they are chosen by what occurs.

        >>> from anholonomy.catalogue import ball_on_turntable
        >>> ball_on_turntable().moving_energy().verdict
        <Verdict.PROVEN: 'proven'>
        """
        from anholonomy.analysis.moving_energy import moving_energy

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
        from anholonomy.analysis.momentum import momentum_equation

        return momentum_equation(self, field, limit)

    def solve(self, limit: float | None = LIMIT) -> ClosedMotion:
        """The motion in closed form, where its equations can be solved one after the other by quadratures; proven by putting it in.

        ``motion["x"]`` is a coordinate as a function of ``t`` and of the values at time zero, ``motion(state, t)`` has numbers and ``motion.check(run)``
        compares. Where some variable is not found the answer is unknown and says which.

        >>> from anholonomy.catalogue import free_particle
        >>> free_particle().solve()["y"]
        y0 + v0*sqrt(1 + x0**2)*(-asinh(x0) + asinh(x0 + t*u0))/u0
        """
        from anholonomy.analysis.closed_forms.motion import closed_motion

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
        from anholonomy.analysis.page import analysed

        return analysed(self, only, limit, unknown, on)

    def hamiltonian(self, speeds: Mapping[Any, Any] | Sequence[Any] | str | None = None) -> AlmostPoisson:
        """The Hamiltonian form on the constraint submanifold: momenta, Hamiltonian, and the bracket with its Jacobiator.

        The momenta are those of the speeds that ``derive`` would use, or of ``speeds``, given as there. Without ``speeds``, constraints on
        positions are solved first.
        """
        from anholonomy.formulations.almost_poisson import almost_poisson

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
        from anholonomy.analysis.measure import invariant_measure

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
        from anholonomy.analysis.vakonomic.deciding import compared
        from anholonomy.analysis.vakonomic.one_motion import compared_from

        return compared(self, limit) if start is None else compared_from(self, start, limit)


def _refuse_accelerations(model: Model) -> None:
    for c in model.constraints:
        if Kind.ACCELERATION in c.kind:
            raise NotCovered(
                f"{model.name}: the constraint {c.label} restricts accelerations, so its admissible velocities are no "
                "distribution; ask a system with constraints on velocities."
            )
