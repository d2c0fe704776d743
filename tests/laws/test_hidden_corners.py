"""What jumps or kinks has derivatives that say nothing about it: no conclusion may rest on these alone."""

import pytest

from anholonomy import System, Verdict
from anholonomy.errors import NotSupportedError
from tests.wording import blames


def plane(**words) -> System:
    return System(name="plane", coordinates=["x", "y"], lagrangian=words.pop("lagrangian", "(x'^2 + y'^2)/2"), **words)


def test_the_sign_of_a_coordinate_is_no_law():
    """A particle in the potential |x| + |y|, written with roots, crosses both axes."""
    well = plane(lagrangian="(x'^2 + y'^2)/2 - sqrt(x^2) - sqrt(y^2)")
    laws = well.conserved()
    assert [law.kind for law in (*laws, *laws.consequences)] == ["energy", "quadratic"]  # each coordinate has its own
    run = well.simulate({"x": 1, "y": -0.5, "x'": 0.3, "y'": 1}, until=5)
    assert all(float(abs(law.along(run) - law.along(run)[0]).max()) < 1e-9 for law in laws)


def test_a_squared_factor_under_a_root_leaves_the_rest_of_it():
    particle = System(
        name="particle",
        coordinates=["x", "y", "z"],
        lagrangian="(x'^2 + y'^2 + z'^2)/2",
        constraints=["z' = sqrt(x^2*(1 + x^2))*x'"],
    )
    laws = particle.conserved(degree=1)
    assert not any("abs" in str(law) or "sqrt(x^2)" in str(law) for law in (*laws, *laws.consequences))


@pytest.mark.parametrize(
    "forces",
    [
        {"x": "-sign(x')"},
        {"x": "-x'/sqrt(x'^2)"},
        {"x": "-x'/sqrt(x'^2 + y'^2)", "y": "-y'/sqrt(x'^2 + y'^2)"},
        {"x": "-abs(x')"},
    ],
)
def test_dry_friction_has_no_lagrangian_and_no_measure_is_promised(forces):
    """It has the degree zero in the velocities, as a potential force has, and brings everything to rest."""
    sliding = plane(forces=forces)
    with blames(NotSupportedError):
        sliding.hamiltonize()
    assert sliding.invariant_measure().verdict is not Verdict.PROVEN
