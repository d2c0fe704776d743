"""A law that needs something of the parameters says the least that it is known to need, in letters."""

import pytest

import anholonomy as ah


def test_only_that_the_mass_is_not_displaced_matters_for_the_sleigh() -> None:
    """For a = 0 the sleigh is the skate, whatever its mass and inertia are."""
    laws = ah.catalogue.chaplygin_sleigh(m=1, I=0.3, a=0).conserved()
    conditions = {str(law).split(" is constant ")[1].split(" (")[0] for law in laws if "for " in str(law)}
    assert conditions == {"for a = 0"}
    assert len(laws) == 4
    for law in laws:
        assert all(name.name == "a" for name, _ in law.finding.scope.values)
        assert law.finding.check().is_proven


def test_an_equation_between_parameters_is_stated_instead_of_their_values() -> None:
    """An oscillator of frequencies w and w^2 turns round where both are one; x'*y' + ... needs k1 = k2 alone."""
    plane = ah.System(
        name="plane",
        coordinates=["x", "y"],
        lagrangian="m*(x'^2 + y'^2)/2 - k1*x^2/2 - k2*y^2/2",
        parameters={"m": 2.5, "k1": 3, "k2": 3},
    )
    turning = next(law for law in plane.conserved() if law.degree == 1)
    assert "for k1 = k2" in str(turning)
    assert not {"m", "2.5", "5/2"} & set(str(turning).split())


@pytest.mark.parametrize(("c", "inertia"), [(1, 1), (0.4, 0.4)])
def test_drag_at_the_rate_of_the_inertia(c: float, inertia: float) -> None:
    wheel = ah.System(
        name="wheel",
        coordinates=["theta"],
        lagrangian="m*I*theta'^2/2",
        forces={"theta": "-m*c*theta'"},
        parameters={"m": 7, "I": inertia, "c": c},
    )
    told = [str(law) for law in wheel.conserved() if "exp(t)" in str(law)]
    assert told
    assert all("for I = c" in text for text in told)
