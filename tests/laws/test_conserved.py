"""What literature knows to be conserved is found unaided, and nothing else is claimed."""

from __future__ import annotations

import numpy as np
import pytest

from anholonomy import System, catalogue
from anholonomy.algebra.expressions import Expr
from anholonomy.algebra.zero_test import is_zero
from anholonomy.catalogue import ENTRIES
from anholonomy.language.arguments import expression

TRUTHS = {
    # Chaplygin 1911: with an offset mass the energy alone.
    "chaplygin-sleigh": ("energy", "nothing"),
    # Neimark and Fufaev: on an inclined plane the blade's turning is uniform.
    "knife-edge": ("energy", "I*phi'"),
    # Bates and Sniatycki 1993; Fernandez and Bloch 2008, 5.2.
    "free-particle": ("m*x'", "sqrt(1 + x^2)*y'"),
    # Veselov and Veselova 1986: the horizontal components of the angular momentum.
    "veselova": ("energy", "I1*R11*w1 + I2*R12*w2 + I3*R13*w3"),
    # Bloch, Krishnaprasad, Marsden, Murray 1996: the rotor's momentum.
    "snakeboard": ("Jr*(psi' + theta')", "2*Jw*phi'"),
}


@pytest.mark.exhaustive_for("snakeboard", "veselova")
@pytest.mark.parametrize("key", TRUTHS)
def test_the_integrals_of_literature_are_found(key: str) -> None:
    system = ENTRIES[key].make()
    laws = system.conserved(degree=1 if key == "snakeboard" else 2)
    assert all(laws)
    every = [*laws, *laws.consequences]
    for wanted in TRUTHS[key]:
        if wanted == "energy":
            assert any(law.kind == "energy" for law in every)
        elif wanted == "nothing":
            assert len(laws) == 1
        else:
            value = system.geometry.frame.in_coordinates(expression(wanted, "a law"))
            assert any(_is_multiple(system, law.expression, value) for law in every), wanted
    assert laws.finding.is_proven


def _is_multiple(system: System, law: Expr, wanted: Expr) -> bool:
    """Whether one is a constant times the other: the ratio has no derivative."""
    symbols = [*system.coordinates, *system.velocities]
    return all(is_zero(law.diff(s) * wanted - law * wanted.diff(s), system.geometry.frame.orbit) for s in symbols)


@pytest.mark.exhaustive_for("ball-on-turntable")
@pytest.mark.parametrize("key", ["chaplygin-sleigh", "free-particle", "suslov", "appell-hamel", "ball-on-turntable"])
def test_every_law_holds_along_a_motion(key: str) -> None:
    entry = ENTRIES[key]
    system = entry.make()
    laws = system.conserved()
    assert len(laws)
    run = system.simulate(entry.start, until=5.0)
    for law in (*laws, *laws.consequences):
        values = law.along(run)
        scale = 1 + abs(float(values[0]))
        assert float(abs(values - values[0]).max()) < 1e-11 * scale, str(law)
        assert law(entry.start) == pytest.approx(float(values[0]), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(
    ("system", "leaf"), [(catalogue.carriage(), "R*theta2 - w*phi"), (catalogue.appell_machine(), "z + b*theta")]
)
def test_what_constraints_keep_is_conserved_with_bare_angles_too(system: System, leaf: str) -> None:
    """Angles are no functions on a circle, but constraints on them have integrals."""
    kept = [law for law in system.conserved(degree=1) if law.kind == "leaf"]
    assert [is_zero(law.expression - expression(leaf, "a leaf")) for law in kept] == [True]
    assert not [law for law in catalogue.rolling_disk().conserved(degree=1) if law.kind == "leaf"]


@pytest.mark.exhaustive_for("veselova")
@pytest.mark.parametrize("key", ["skate", "free-particle", "veselova", "rolling-disk"])
def test_a_momentum_names_its_field(key: str) -> None:
    """The momentum of the field, by the metric, is the law at admissible states; a symmetry moves along the configurations without effect."""
    entry = ENTRIES[key]
    system = entry.make()
    laws = [law for law in system.conserved(degree=1) if law.kind in ("momentum", "gauge momentum")]
    assert laws
    run = system.simulate(entry.start, until=1.0)
    for law in laws:
        assert law.field
        equation = system.momentum_equation([law.field.get(name, 0) for name in system.model.directions])
        assert equation.admissible
        assert float(abs(equation.along(run) - law.along(run)).max()) < 1e-11
        assert ("along" in law.text(True)) == (law.kind == "momentum")
        if law.kind == "momentum":
            assert all(f"along {name}" in law.text(True) for name in law.field)


def test_a_momentum_that_vanishes_for_the_values_hides_nothing() -> None:
    """Suslov's body keeps w1 and w2 where the axis is principal; its third momentum is zero then, and then only."""
    body = ENTRIES["suslov"].make().with_parameters(I13=0.0, I23=0.0)
    assert len(body.conserved(degree=1, functions=["1", "R31", "R32"])) == 3


def test_laws_are_primitive_as_they_read() -> None:
    """A rotation matrix of quaternions has entries with twos in them, which are no part of a law."""
    laws = ENTRIES["suslov"].make().conserved(degree=1, functions=["1", "R31", "R32"], free=["I13", "I23"])
    (condition,) = laws.conditions
    assert "R31*w1 + R32*w2" in {str(law).split(" is ")[0] for law in condition.laws}


def test_products_of_exponentials_that_occur_nowhere() -> None:
    """An integral with exp(3 x) over what is written with exp(2 x) and exp(-x)."""
    system = System(
        name="hyperbolic", coordinates=["x", "y", "th"], lagrangian="(exp(2*x)*(x'^2 + y'^2) + th'^2)/2",
        constraints=["y' = th'*exp(-x)"],
    )  # fmt: skip
    laws = system.conserved()
    run = system.simulate({"x": 0.1, "y": 0, "th": 0.3, "x'": 0.5, "th'": -0.7}, until=1)
    assert len(laws) == 3
    for law in laws:
        along = law.along(run)
        assert float(abs(along - along[0]).max()) < 1e-11


def test_garniers_integral() -> None:
    """Of degree four in the coordinates, as the potential is."""
    laws = System(
        name="Garnier", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2 - (x^2 + y^2)^2 - x^2 - 2*y^2"
    ).conserved()
    assert [law.kind for law in laws] == ["energy", "quadratic"]
    assert laws.finding.claim.startswith(
        "every integral that is polynomial of degree at most 2 in the speeds, with any functions"
    )
    assert laws.finding


@pytest.mark.exhaustive
def test_the_momentum_about_the_axis_of_a_symmetric_body_is_found() -> None:
    r"""Of Veselova's body and of Chaplygin's ball with two equal moments: $w_3\sqrt{\det G}$, as Routh's integral; of the first that makes the list complete."""
    top = System(
        name="symmetric Veselova", group="SO3", kinetic=["I1", "I1", "I3"], constraints=["R31*w1 + R32*w2 + R33*w3 = 0"],
        parameters={"I1": 1.0, "I3": 0.5},
    )  # fmt: skip
    laws = top.conserved(degree=1, time_limit=None)
    assert len(laws) == 3
    assert any(str(each.claim).endswith("is a combination of products of these") for each in laws.completeness if each)
    run = top.simulate({"q0": 0.8, "q1": 0.0, "q2": 0.6, "q3": 0.0, "w1": 0.7, "w2": 2.0, "w3": 2.4}, until=5)
    for law in laws:
        values = law.along(run).values
        assert np.ptp(values) <= 1e-11 * max(1.0, np.abs(values).max())
    ball = catalogue.chaplygin_ball(I1=0.3, I2=0.3, I3=0.6)
    assert len(ball.conserved(degree=1, time_limit=None)) == 4
    assert len(catalogue.chaplygin_ball(I1=0.3, I2=0.4, I3=0.6).conserved(degree=1, time_limit=None)) == 3
