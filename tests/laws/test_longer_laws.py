"""Laws whose coefficients are longer than what occurs in a system, or functions of what does not occur in it at all."""

import pytest

import anholonomy as ah
from tests.wording import pinned

POTENTIALS = {
    # M. Hénon and C. Heiles' potential where it is integrable by a quadratic law: x^4 stands in that, and nowhere in V
    "Hénon–Heiles, C = 6": ("(x'^2 + y'^2 - x^2 - 0.7*y^2)/2 - x^2*y - 2*y^3", 2),
    "the same, turned and shifted": (
        "(x'^2 + y'^2 - (0.6*x + 0.8*y)^2 - 0.7*(0.8*x - 0.6*y + 1)^2)/2 - (0.6*x + 0.8*y)^2*(0.8*x - 0.6*y + 1) - 2*(0.8*x - 0.6*y + 1)^3",
        2,
    ),
    "Smorodinsky–Winternitz": ("(x'^2 + y'^2 - x^2 - y^2)/2 - 1/x^2 - 2/y^2", 3),
    "a plane in polar coordinates": ("(x'^2 + x^2*y'^2)/2", 3),
    "Kepler in polar coordinates": ("(x'^2 + x^2*y'^2)/2 + 1/x", 3),
    "a sphere by half its longitude": ("(x'^2 + sin(x)^2*y'^2/4)/2", 3),
    "a hyperbolic plane": ("(x'^2 + cosh(x)^2*y'^2)/2", 3),
}


QUICK = ("Hénon–Heiles, C = 6", "Smorodinsky–Winternitz", "Kepler in polar coordinates")


@pytest.mark.parametrize(
    "name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.exhaustive) for n in POTENTIALS]
)
def test_a_law_is_found_and_no_other_is_missing(name):
    L, count = POTENTIALS[name]
    system = ah.System(name=name, coordinates=["x", "y"], lagrangian=L)
    laws = system.conserved()
    start = {"x": 0.7, "y": 0.4, "x'": 0.3, "y'": -0.2}
    run = system.simulate(start, until=1)
    assert len(laws) == count
    assert laws.finding
    for law in (*laws, *laws.consequences):
        assert float(abs(law.along(run) - law(start)).max()) < 1e-11 * max(1, abs(law(start)))


def test_a_degree_of_four_is_as_long_as_it_must_be():
    L = "(x'^2 + y'^2)/2 - x^2*y - 16*y^3/3"
    laws = ah.System(name="quartic law", coordinates=["x", "y"], lagrangian=L).conserved(degree=4)
    assert [law.degree for law in laws] == [2, 4]
    pinned(laws.finding.claim)


@pytest.mark.exhaustive
def test_on_a_circle_only_what_a_turn_leaves_alone_is_a_function():
    def cone(k, kinds):
        L = "(r'^2 + k^2*r^2*s'^2)/2"
        return ah.System(
            name="cone", coordinates=dict(zip("rs", kinds, strict=True)), lagrangian=L, parameters={"k": k}
        )

    assert len(cone(0.6, ["length", ""]).conserved()) == 3
    assert len(cone(0.6, ["length", "angle"]).conserved()) == 2
    assert len(cone(2, ["length", "angle"]).conserved()) == 3


def test_a_skate_in_polar_coordinates_has_all_its_linear_laws():
    skate = ah.System(
        name="skate",
        coordinates=["r", "phi", "theta"],
        lagrangian="(r'^2 + r^2*phi'^2 + theta'^2)/2",
        constraints=["r'*sin(theta - phi) = r*phi'*cos(theta - phi)"],
    )
    laws = skate.conserved(degree=1)
    assert len(laws) == 4
    assert laws.finding


def test_special_values_have_the_laws_that_are_long():
    L = "(x'^2 + y'^2)/2 - (x^2 + y^2)/2 - x^2*y - C*y^3/3"
    laws = ah.System(name="C", coordinates=["x", "y"], lagrangian=L, parameters={"C": 3}).conserved(free=["C"])
    assert {str(each.values["C"]) for each in laws.conditions} == {"1", "6"}
    pinned(laws.completeness[0].claim, "5")


@pytest.mark.exhaustive
def test_classes_that_differ_by_degree_are_told_apart():
    L = "(x'^2 + y'^2 + z'^2 - x^2 - k*y^2 - 4*z^2)/2"
    laws = ah.System(name="k", coordinates=["x", "y", "z"], lagrangian=L, parameters={"k": 3}).conserved(free=["k"])
    assert {"1/4", "16", "9"} <= {str(each.values["k"]) for each in laws.conditions}
    assert "(degree 1)" in laws.completeness[0].claim


@pytest.mark.exhaustive
def test_two_equations_of_which_none_is_special_alone():
    L = "(x'^2 + y'^2)/2 - (A*x^2 + B*y^2)/2 - x^2*y - C*y^3/3"
    system = ah.System(name="ABC", coordinates=["x", "y"], lagrangian=L, parameters=["A", "B", "C"])
    values = [{s: str(v) for s, v in each.values.items()} for each in system.conserved(free=["A", "B", "C"]).conditions]
    assert {"C": "6"} in values
    assert {"A": "B", "C": "1"} in values
    assert len(values) == 2


def test_the_energy_that_survives_is_among_the_laws():
    L = "(x'^2 + y'^2)/2 - (x*cos(t/2) + y*sin(t/2))^2"
    laws = ah.System(name="turning trough", coordinates=["x", "y"], lagrangian=L).conserved()
    assert laws[0].kind == "moving energy"
    assert len(laws) == 2


def test_it_hides_no_linear_law():
    skate = ah.System(
        name="skate on a belt",
        coordinates=["x", "y", "theta"],
        lagrangian="(x'^2 + y'^2 + theta'^2)/2",
        constraints=["(x' - U)*sin(theta) = y'*cos(theta)"],
        parameters=["U"],
    )
    laws = skate.conserved()
    assert [law.degree for law in laws] == [1, 1, 1]
    assert [law.kind for law in laws.consequences] == ["moving energy"]


def test_an_energy_hides_no_linear_law():
    L = "(x'^2 + y'^2 + z'^2)/2 + x*y' - y*x'"
    laws = ah.System(name="in a magnetic field", coordinates=["x", "y", "z"], lagrangian=L).conserved()
    # two centres of the circle, z', and the momentum about the axis, which is the energy less squares of these
    assert [law.degree for law in laws] == [1, 1, 1, 1]
