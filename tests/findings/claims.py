"""Every claim that a user can ask about, three times: where it holds, where it fails, and where nobody knows."""

from __future__ import annotations

from collections.abc import Callable

import anholonomy as ah
from anholonomy.geometry.jet_spaces import JetSpace
from anholonomy.geometry.second_tangent import flip_test
from anholonomy.geometry.symmetry.preserved import preserves, preserves_distribution, scalar
from anholonomy.vakonomic.shortest_paths.extremal import Extremal

__all__ = ["CLAIMS"]


def undecided(name: str = "x") -> str:
    """Zero for all real numbers but 0, and no normal form knows it: the arctangents of x and 1/x make a right angle."""
    return f"(atan({name}) + atan(1/{name}) - pi*sign({name})/2)"


U = undecided()
XYZ = ["x", "y", "z"]
CHART, POLAR = ah.geometry.Frame(["x", "y"]), ah.geometry.Frame(["r", "phi"])


def ruled(slope: str) -> ah.geometry.Distribution:
    """dz = slope dx: integrable exactly where the slope does not depend on y."""
    return ah.geometry.Distribution.from_constraints([f"z' = ({slope})*x'"], XYZ)


def lines_in(g: str) -> ah.geometry.Distribution:
    return ah.geometry.Distribution.from_vectors([["1", "0"]], ["x", "y"]), [g, "1"]


def sheet(slope: str) -> ah.Field:
    """Maps to space tangent to dz = slope dx."""
    words = {"parameters": ["t", "s"], "fields": XYZ, "lagrangian": "x_t^2 + y_t^2 + z_t^2"}
    return ah.Field(**words, constraints=[f"dz = ({slope})*dx"])


def wave() -> ah.Field:
    return ah.Field(parameters=["t", "s"], fields=["u"], lagrangian="u_t^2 - u_s^2")


def algebra(constant: str) -> ah.geometry.LieAlgebra:
    return ah.geometry.LieAlgebra([[["0", "0"], [constant, "0"]], [[f"-({constant})", "0"], ["0", "0"]]])


def gauge(coefficient: str) -> ah.connections.PrincipalConnection:
    return ah.connections.PrincipalConnection(["x", "y"], [[[0]]], [[coefficient, "0"]])


def forced(force: str) -> ah.System:
    return ah.System(
        name="forced", coordinates=["x", "y"], momenta={"x": "x'", "y": "y'"}, forces={"x": force}, parameters=[]
    )


def towed(slope: str) -> ah.System:
    return ah.System(
        name="towed", coordinates=XYZ, lagrangian="(x'^2 + y'^2 + z'^2)/2", constraints=[f"z' = ({slope})*x'"]
    )


def seen(offset: str) -> ah.answers.MovingObserver:
    system = ah.System(
        name="belt", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2", constraints=[f"x' = y' + {offset}"]
    )
    return system.geometry.moving_observer({"x": "x", "y": "y"})


def driven(force: str) -> ah.System:
    return ah.System(name="driven", coordinates=["x"], lagrangian=f"x'^2/2 + x*({force})")


def arc(until: float) -> object:
    """A path of the Heisenberg system that goes round once in 2 pi."""
    return ah.catalogue.heisenberg().paths.extremal({"x": 0, "y": 0, "z": 0}, {"x": 1, "y": 0, "z": 0.5}, until)


def section(rate: str) -> object:
    return JetSpace(["t"], ["x"]).section({"x": "t^2", "x'": rate})


def bent(g: str) -> object:
    D, metric = lines_in(g)
    return D.second_fundamental_form(metric)


def lined(weight: str) -> Extremal:
    """The path along Martinet's line with a metric."""
    words = {"lagrangian": f"({weight}*x'^2 + y'^2 + z'^2)/2", "constraints": ["z' = y^2*x'/2"]}
    line = ah.System(name="line", coordinates=["x", "y", "z"], **words)
    return line.paths.shortest({"x": 0, "y": 0, "z": 0}, {"x": 1, "y": 0, "z": 0}, starts=2)


LOOSE = algebra(undecided("k"))
PLANE = ah.geometry.Metric(CHART, ["1", "1"])
FREE, TURN = ah.groups.Rn("x").algebra, ah.groups.SO3().algebra

CLAIMS: dict[str, tuple[Callable[[], ah.Finding] | None, ...]] = {
    "Tensor.is_zero": tuple(lambda f=f: scalar(CHART, f).is_zero() for f in ("x - x", "x", U)),
    "Form.is_zero": tuple(lambda f=f: ah.geometry.Form(CHART, f"({f})*dx", degree=1).is_zero() for f in ("0", "y", U)),
    "Form.is_closed": tuple(lambda f=f: ah.geometry.Form(CHART, f"({f})*dx").is_closed() for f in ("x", "x*y", f"y*{U}")),
    "Metric.is_orthonormal": tuple(
        lambda f=f: ah.geometry.Metric(CHART, [f, "1"]).is_orthonormal() for f in ("1", "2", f"1 + {U}")
    ),
    "AbstractConnection.is_flat": tuple(
        lambda f=f: ah.connections.from_coefficients(CHART, {(0, 0, 0): f}).is_flat() for f in ("x", "y", f"y*{U}")
    ),
    "AbstractConnection.is_torsion_free": tuple(
        lambda f=f: ah.connections.from_coefficients(CHART, {(0, 0, 1): f}).is_torsion_free() for f in ("0", "x", U)
    ),
    "AbstractConnection.is_metric": tuple(
        lambda f=f: ah.connections.from_coefficients(CHART, {(0, 0, 0): f}).is_metric(PLANE) for f in ("0", "x", U)
    ),
    "AbstractConnection.preserves_energy": tuple(
        lambda f=f: ah.connections.from_coefficients(CHART, {(0, 0, 0): f}).preserves_energy(PLANE) for f in ("0", "x", U)
    ),
    "EhresmannConnection.is_flat": tuple(
        lambda f=f: ah.connections.EhresmannConnection.from_constraints([f"z' = ({f})*x'"], ["x", "y"], XYZ).is_flat()
        for f in ("x", "y", f"y*{U}")
    ),
    "PrincipalConnection.is_flat": tuple(lambda f=f: gauge(f).is_flat() for f in ("x", "y", f"y*{U}")),
    "Distribution.is_integrable": tuple(lambda f=f: ruled(f).is_integrable() for f in ("x", "y", f"y*{U}")),
    "System.is_holonomic": tuple(
        lambda f=f: ah.System(
            coordinates=["x", "y", "z"], lagrangian="(x'^2 + y'^2 + z'^2)/2", constraints=[f"z' = ({f})*x'"]
        ).is_holonomic()
        for f in ("x", "y", f"y*{U}")
    ),
    "Distribution.is_bracket_generating": tuple(
        lambda f=f: ruled(f).is_bracket_generating() for f in ("y", "x", f"y*{U}")
    ),
    "Distribution.contains": tuple(lambda f=f: ruled("y").contains(["0", "1", f]) for f in ("0", "1", U)),
    "Distribution.is_totally_geodesic": tuple(
        lambda f=f: lines_in(f)[0].is_totally_geodesic(lines_in(f)[1]) for f in ("1", "1 + y^2", f"1 + y*{U}")
    ),
    "Distribution.is_geodesically_invariant": tuple(
        lambda f=f: lines_in(f)[0].is_geodesically_invariant(lines_in(f)[1]) for f in ("1", "1 + y^2", f"1 + y*{U}")
    ),
    "SecondFundamentalForm.is_totally_geodesic": tuple(
        lambda f=f: bent(f).is_totally_geodesic() for f in ("x^2", "y^2", f"1 + y*{U}")
    ),
    "SecondFundamentalForm.is_geodesically_invariant": tuple(
        lambda f=f: bent(f).is_geodesically_invariant() for f in ("x^2", "y^2", f"1 + y*{U}")
    ),
    "FieldConstraints.is_integrable": tuple(lambda f=f: sheet(f).constraint.is_integrable() for f in ("x", "y", f"y*{U}")),
    "FieldVariation.is_extremal": tuple(
        lambda f=f: wave().first_variation().is_extremal({"u": f}) for f in ("(t + s)^3", "t^2", f"t^2*{undecided('s')}")
    ),
    "FlipTest.is_integrable": tuple(lambda f=f: flip_test(ruled(f)).is_integrable for f in ("x", "y", f"y*{U}")),
    "Leaves.finding": (
        lambda: ruled("x").leaves().finding,
        lambda: ruled("y").leaves().finding,
        lambda: ruled(f"y*{U}").leaves().finding,
    ),
    "GrowthVector.finding": (
        lambda: ruled("y").growth_vector().finding,
        None,  # what is printed is a proven bound, or says that it is none
        lambda: ruled(f"y*{U}").growth_vector().finding,
    ),
    "Extremal.is_abnormal": tuple(
        lambda v=v: ah.catalogue.martinet().paths.extremal({"x": 0, "y": 0, "z": 0}, {"x": 1, "y": v, "z": 0}).is_abnormal()
        for v in (0, 1, 1e-7)
    ),
    "Extremal.is_strictly_abnormal": (
        lambda: lined("(1 + y)^2").is_strictly_abnormal(),
        lambda: lined("1").is_strictly_abnormal(),
        None,  # where the formulas leave it open a normal extremal is found, or none of either kind
    ),
    "Extremal.is_shortest": (
        None,  # that no guess leads to a shorter path is no proof
        lambda: arc(8).is_shortest(),
        lambda: arc(1).is_shortest(),
    ),
    "VariationalProblem.is_admissible": tuple(
        lambda f=f: towed("y").paths.variational("vakonomic").is_admissible({"x": "t", "y": f, "z": "t^2/2"}, interval=(1, 2))
        for f in ("t", "1", f"t + {undecided('t')}")
    ),
    "VariationalProblem.is_stationary": tuple(
        lambda f=f: driven(f).paths.variational("free").is_stationary({"x": "t^2/2"}, interval=(1, 2))
        for f in ("1", "t", f"1 + {undecided('t')}")
    ),
    "preserves": tuple(
        lambda f=f: preserves(ah.geometry.vector_field(CHART, [f, "x"]), scalar(CHART, "x^2 + y^2")) for f in ("-y", "y", f"-y + {U}")
    ),
    "preserves_distribution": tuple(
        lambda f=f: preserves_distribution(ah.geometry.vector_field(ah.geometry.Frame(XYZ), ["0", "1", f]), ruled("y"))
        for f in ("x", "0", f"x + y*{U}")
    ),
    "Symmetries.is_complete": (
        lambda: ah.geometry.killing_fields(PLANE).is_complete,
        None,  # a field that is missing would have to be known
        lambda: ah.geometry.killing_fields(PLANE, basis=["1"]).is_complete,
    ),
    "JetSection.is_integrable": tuple(
        lambda f=f: section(f).is_integrable() for f in ("2*t", "t", f"2*t + {undecided('t')}")
    ),
    "LieAlgebra.satisfies_jacobi": (
        lambda: TURN.satisfies_jacobi,
        None,  # refused when declared
        lambda: ah.geometry.LieAlgebra({("a", "b"): "a", ("b", "c"): f"({undecided('k')})*a", ("a", "c"): f"({undecided('k')})*b"}, labels=["a", "b", "c"]).satisfies_jacobi,
    ),
    "LieAlgebra.is_abelian": (lambda: FREE.is_abelian, lambda: TURN.is_abelian, lambda: LOOSE.is_abelian),
    "LieAlgebra.is_nilpotent": (
        lambda: ah.groups.Heisenberg().algebra.is_nilpotent,
        lambda: TURN.is_nilpotent,
        lambda: LOOSE.is_nilpotent,
    ),
    "LieAlgebra.is_solvable": (
        lambda: ah.groups.SE2().algebra.is_solvable,
        lambda: TURN.is_solvable,
        lambda: LOOSE.is_solvable,
    ),
    "LieAlgebra.is_semisimple": (
        lambda: TURN.is_semisimple,
        lambda: ah.groups.SE2().algebra.is_semisimple,
        lambda: LOOSE.is_semisimple,
    ),
    "LieAlgebra.is_unimodular": (
        lambda: TURN.is_unimodular,
        lambda: algebra("1").is_unimodular,
        lambda: LOOSE.is_unimodular,
    ),
    "LieAlgebra.is_subalgebra": (
        lambda: TURN.is_subalgebra([[1, 0, 0]]),
        lambda: TURN.is_subalgebra([[1, 0, 0], [0, 1, 0]]),
        lambda: LOOSE.is_subalgebra([[1, 0]]),
    ),
    "LieAlgebra.is_ideal": (
        lambda: ah.groups.Heisenberg().algebra.is_ideal([[0, 0, 1]]),
        lambda: TURN.is_ideal([[1, 0, 0]]),
        lambda: LOOSE.is_ideal([[1, 0]]),
    ),
    "Grading.is_cartan": (
        lambda: ah.groups.SL2R().algebra.cartan_decomposition().is_cartan,
        lambda: TURN.gradings()[0].is_cartan,
        None,  # gradings are those of rational algebras, where everything is decided
    ),
    "MovingObserver.is_distinguished": tuple(lambda f=f: seen(f).is_distinguished for f in ("0", "1", U)),
    "SteadyMotion.is_stable": tuple(
        lambda f=f: ah.System(coordinates=["x"], lagrangian=f"x'^2/2 - ({f})").stability.steady_motion().is_stable()
        for f in ("x^2", "-x^2", "x^2/2 + x*abs(x)/4")
    ),
    "AlmostPoisson.is_poisson": tuple(lambda f=f: towed(f).hamiltonian_form().is_poisson() for f in ("x", "y", f"y*{U}")),
    "Exactness.is_exact": tuple(lambda f=f: forced(f).find_lagrangian().is_exact for f in ("x", "y", f"y*{U}")),
}  # fmt: skip
"""Class and name of a claim: askings whose answers are proven, refuted and unknown; None where one cannot be."""
