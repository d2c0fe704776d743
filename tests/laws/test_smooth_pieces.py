"""A quantity is constant only where nothing jumps, and signs are no laws."""

import pytest

import anholonomy as ah

ENDS: dict[str, tuple[str, str]] = {
    "heaviside": ("x'^2/2 - heaviside(x)", "x keeps its sign"),
    "sign": ("x'^2/2 - sign(x)", "x keeps its sign"),
    "if": ("x'^2/2 - if(x > 1, 2, x)", "x - 1 keeps its sign"),
    "quotient": ("x'^2/2 - abs(x)/x", "x keeps its sign"),
    "root": ("x'^2/2 - sqrt(sin(x)^2)/sin(x)", "sin(x) keeps its sign"),
    "hidden root": ("x'^2/2 - sqrt(1 - cos(x)^2)/sin(x)", "sin(x) keeps its sign"),
    "hidden square": ("x'^2/2 - sqrt(1 + sin(2*x))/(sin(x) + cos(x))", "sin(2*x) + 1 stays positive"),
    "tangent": ("x'^2/2 - abs(sin(x))/tan(x)", "sin(x) keeps its sign"),
    "pole inside": ("x'^2/2 - atan(1/x)", "x keeps its sign"),
    "a power of another base": ("x'^2/2 - 1/(1 + 2^(1/x))", "x keeps its sign"),
    "a root of a pole": ("x'^2/2 - x*sqrt(1 + 1/x^2)", "x keeps its sign"),
    "a pole over a root of one": ("x'^2/2 - (1/x)/sqrt(1 + 1/x^2)", "x keeps its sign"),
    "steep": ("x'^2/2 - 1/(1 + exp(1/x))", "x keeps its sign"),
    "saw": ("x'^2/2 - atan(tan(x))", "cos(x) keeps its sign"),
    "inertia": ("(1 + heaviside(x))*x'^2/2", "x keeps its sign"),
    "cut": ("x'^2/2 + y'^2/2 - atan2(y, x)", "y keeps its sign"),
    "time": ("(1 + heaviside(t - 1))*x'^2/2", "t - 1 keeps its sign"),
}
CONTINUOUS = (
    "x'^2/2 - abs(x)",
    "x'^2/2 - x*abs(x)",
    "x'^2/2 - max(x, 2*x)",
    "x'^2/2 - if(x > 1, 1, x)",
    "x'^2/2 - min(sin(x), cos(x))",
    "x'^2/2 - sqrt(sin(x)^2)",
    "x'^2/2 - heaviside(x)*x^2",
    "x'^2/2 - atan(1/(1 + x^2))",
    "(1 + abs(x))*x'^2/2",
    "x'^2/2 - sqrt(1 + x^2)/(2 + x^2)",
)


@pytest.mark.parametrize("name", ENDS)
def test_where_the_lagrangian_jumps_laws_end(name: str) -> None:
    lagrangian, while_ = ENDS[name]
    coordinates = ["x", "y"] if "y'" in lagrangian else ["x"]
    laws = ah.System(name="jumps", coordinates=coordinates, lagrangian=lagrangian).conserved()
    every = (*laws, *laws.consequences)
    assert every
    assert all(f"while {while_}" in str(law) for law in every)


@pytest.mark.parametrize("lagrangian", CONTINUOUS)
def test_what_only_kinks_ends_no_law(lagrangian: str) -> None:
    laws = ah.System(name="kinks", coordinates=["x"], lagrangian=lagrangian).conserved()
    energy = next(law for law in (*laws, *laws.consequences) if law.kind == "energy")
    assert energy.is_proven
    assert "while" not in str(energy)


def test_a_force_that_jumps_ends_no_law() -> None:
    friction = ah.System(
        name="belt", coordinates=["x", "y"], lagrangian="x'^2/2 + y'^2/2", forces={"x": "-sign(x')"}, parameters=[]
    )
    assert any(str(law).startswith("y' is constant (") for law in friction.conserved())


@pytest.mark.parametrize(
    ("constraint", "ends"),
    [
        ("(1 + heaviside(x))*y' = z'", True),
        ("sqrt(sin(x)^2)*y' = z'*sin(x)", True),
        ("(1 + abs(x))*y' = z'", False),
        ("sign(x)*(y' - z') = 0", False),
    ],
)
def test_a_constraint_that_jumps_ends_laws_however_it_is_multiplied(constraint: str, ends: bool) -> None:
    system = ah.System(
        name="bent", coordinates=["x", "y", "z"], lagrangian="(x'^2 + y'^2 + z'^2)/2", constraints=[constraint]
    )
    energy = next(
        law for law in (*system.conserved(degree=2), *system.conserved().consequences) if law.kind == "energy"
    )
    assert ("while" in str(energy)) == ends


@pytest.mark.parametrize("sign", ["sqrt(sin(x)^2)/sin(x)", "sqrt(1 - cos(x)^2)/sin(x)", "abs(x)/x", "sign(x)"])
def test_signs_are_no_laws_and_make_no_copies(sign: str) -> None:
    """Of a free particle over a step the two momenta and x*y' - y*x' are independent; each is printed once."""
    step = ah.System(name="step", coordinates=["x", "y"], lagrangian=f"x'^2/2 + y'^2/2 - {sign}")
    laws = step.conserved()
    at = {"x": 1.0, "y": 2.0, "x'": 3.0, "y'": 5.0}
    assert {3.0, 5.0} <= {law(at) for law in laws} <= {3.0, 5.0, -1.0, 1.0}
    assert [law.kind for law in laws.consequences] == ["energy"]


def test_moving_energies_end_where_the_lagrangian_jumps() -> None:
    step = ah.System(name="step", coordinates=["x"], lagrangian="x'^2/2 - heaviside(x)")
    assert "while x keeps its sign" in str(step.moving_energy())
