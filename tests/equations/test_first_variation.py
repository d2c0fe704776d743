"""Force and momentum without a Lagrangian: every principle that covers them agrees, and exactness is decided."""

from __future__ import annotations

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.algebra.zero_test import is_zero
from anholonomy.equations.verification import verify
from anholonomy.language import parse_expression
from tests.wording import blames, pinned


def agrees(model) -> bool:
    pair = [ah.principles.LagrangeDAlembert(), ah.principles.FirstVariation()]
    verification = verify(model, states=1, principles=pair)
    return len(verification.principles) == 2 and verification.agree


def skew(**words) -> ah.System:
    """Momenta with a mass matrix that is not symmetric, depending on everything."""
    declared = {
        "name": "skew",
        "coordinates": ["x", "y", "z"],
        "momenta": {"x": "2*x' + y' + x*t", "y": "(3 + z^2)*y' - x' + z*z'", "z": "(2 + x^2)*z' + sin(t)*x' + y'^3/5"},
        "forces": {"x": "-y + x'", "y": "x*z' - t", "z": "-z*y'^2"},
        "constraints": ["z' = (y + sin(t*x))*x' + z*y' + t"],
    }
    return ah.System(**(declared | words))


def test_a_mass_matrix_that_is_not_symmetric() -> None:
    system = skew()
    assert agrees(system)
    assert not system.derive("first-variation").data.is_definite
    K = np.array(system.derive("first-variation", speeds=["x'", "y'"]).data.explicit[0])
    assert not is_zero(K[0, 1] - K[1, 0])


def test_momenta_by_hand() -> None:
    """d/dt(2x' + y') = -y, d/dt(y' - x') = x: x'' = -(x + y)/3, y'' = x + x''."""
    system = ah.System(
        name="pair",
        coordinates=["x", "y"],
        momenta={"x": "2*x' + y'", "y": "y' - x'"},
        forces={"x": "-y", "y": "x"},
    )
    state = {"x": 0.5, "y": 0.7, "x'": 1, "y'": 2}
    second = -(0.5 + 0.7) / 3
    assert system.derive("first-variation").accelerations(state) == pytest.approx({"x''": second, "y''": 0.5 + second})
    motion = system.simulate(state, until=2, by="first-variation")
    matrix = np.linalg.inv([[2, 1], [-1, 1]]) @ np.array([[0, -1], [1, 0]])
    from scipy.linalg import expm

    flow = expm(2 * np.block([[np.zeros((2, 2)), np.eye(2)], [matrix, np.zeros((2, 2))]]))
    expected = flow @ [0.5, 0.7, 1, 2]
    np.testing.assert_allclose([float(motion[name][-1]) for name in "xy"], expected[:2], rtol=1e-12)


def test_without_a_lagrangian_there_is_no_energy_and_it_says_so() -> None:
    motion = skew(constraints=()).simulate({"x": 0, "y": 0, "z": 0, "x'": 1, "y'": 0, "z'": 0}, until=0.1)
    with blames(ah.errors.UnknownNameError):
        _ = motion.energy


@pytest.mark.parametrize("by", ["gibbs-appell", "gauss", "udwadia-kalaba", "vakonomic"])
def test_what_needs_a_lagrangian_refuses(by: str) -> None:
    with blames(ah.errors.NotSupportedError, "lagrange-dalembert"):
        skew().derive(by)


EXACT = {
    "natural": ({"x": "(1 + y^2)*x'", "y": "y'"}, {"y": "y*x'^2 - cos(y)"}, "((1 + y^2)*x'^2 + y'^2)/2 - sin(y)"),
    "magnetic": ({"x": "x' - y", "y": "y'"}, {"y": "-x'"}, "(x'^2 + y'^2)/2 - y*x'"),
    "with time": (
        {"x": "exp(t)*x'", "y": "y' + t*x"},
        {"x": "t*y' - x", "y": "-cos(t)"},
        "exp(t)*x'^2/2 + y'^2/2 + t*x*y' - x^2/2 - y*cos(t)",
    ),
    "quartic": ({"x": "x'^3 + y'", "y": "x'"}, {}, "x'^4/4 + x'*y'"),
}


@pytest.mark.parametrize(("momenta", "forces", "expected"), EXACT.values(), ids=EXACT.keys())
def test_an_exact_form_has_its_lagrangian(momenta, forces, expected: str) -> None:
    found = ah.System(name="exact", coordinates=["x", "y"], momenta=momenta, forces=forces).find_lagrangian()
    assert found
    assert found.finding.check().is_proven
    assert is_zero(found.lagrangian - parse_expression(expected))
    assert str(found).startswith("L = ")


INEXACT = {
    "friction": ({"x": "x'", "y": "y'"}, {"x": "-x'"}, "d(force on x)/d(x') - d(momentum of x)/d(x) = -1"),
    "curl": ({"x": "x'", "y": "y'"}, {"x": "-y", "y": "x"}, "d(force on x)/d(y) - d(force on y)/d(x) = -2"),
    "skew mass": ({"x": "x' + y'", "y": "y'"}, {}, "d(momentum of x)/d(y') - d(momentum of y)/d(x') = 1"),
    "a force that lacks a momentum": (
        {"x": "x'", "y": "y'"},
        {"x": "y'"},
        "d(force on x)/d(y') - d(momentum of y)/d(x) = 1",
    ),
}


@pytest.mark.parametrize(("momenta", "forces", "obstruction"), INEXACT.values(), ids=INEXACT.keys())
def test_a_form_that_is_not_exact_names_the_obstruction(momenta, forces, obstruction: str) -> None:
    found = ah.System(name="inexact", coordinates=["x", "y"], momenta=momenta, forces=forces).find_lagrangian()
    assert not found
    assert found.is_exact.is_refuted
    assert found.lagrangian is None
    assert str(found) == f"force and momentum come from a Lagrangian: refuted, {obstruction}"


def test_a_closed_form_that_sympy_does_not_integrate_is_still_exact() -> None:
    found = ah.System(
        name="hard", coordinates=["x"], momenta={"x": "x'"}, forces={"x": "exp(sin(x))"}
    ).find_lagrangian()
    assert found.is_exact
    assert found.lagrangian is None
    pinned(str(found), "0")


def test_beside_a_lagrangian_only_the_forces_are_integrated() -> None:
    """The Lagrangian itself need not be one that SymPy finds again."""
    words = {"name": "fast", "coordinates": ["x", "y"], "lagrangian": "-sqrt(1 - x'^2 - y'^2)*exp(sin(x))"}
    found = ah.System(**words, forces={"x": "-y*t", "y": "-x*t"}).find_lagrangian()
    assert is_zero(found.lagrangian - parse_expression("-sqrt(1 - x'^2 - y'^2)*exp(sin(x)) - t*x*y"))
    assert not ah.System(**words, forces={"x": "-x'"}).find_lagrangian()
    assert ah.System(**words).find_lagrangian().lagrangian is not None


def test_a_lagrangian_found_moves_like_its_force_and_momentum() -> None:
    momenta, forces, _ = EXACT["with time"]
    pair = ah.System(name="pair", coordinates=["x", "y"], momenta=momenta, forces=forces)
    found = ah.System(name="found", coordinates=["x", "y"], lagrangian=str(pair.find_lagrangian())[4:])
    state = {"x": 0.3, "y": -0.2, "x'": 0.5, "y'": 1.1, "t": 0.4}
    assert found.derive("hamel").accelerations(state) == pytest.approx(
        pair.derive("first-variation").accelerations(state), rel=1e-13
    )
