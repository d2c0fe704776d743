"""The natural measure, measures modulo symmetries, and conditions on parameters, on systems that no catalogue has."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from anholonomy import System, Verdict, catalogue
from anholonomy.algebra.calculus import along
from anholonomy.algebra.expressions import symbol
from anholonomy.algebra.zero_test import is_zero
from anholonomy.errors import NotSupportedError
from anholonomy.findings.special_values import special_values
from anholonomy.groups import MatrixGroup
from anholonomy.language import parse_expression
from anholonomy.laws.divergence import Divergence
from anholonomy.laws.reduced_motion import reduced_motion
from anholonomy.measures.density.natural_volume import natural_volume
from anholonomy.measures.density.problem import DensityProblem
from anholonomy.system.warnings import SubstitutedConstraintWarning
from tests.wording import blames


def veselova(size: int, fixed: list[tuple[int, int]], potential: str) -> System:
    """A body in so many dimensions that cannot turn in some planes of space, with inertia of no special form."""
    planes = list(combinations(range(size), 2))

    def turn(i: int, j: int) -> list[list[int]]:
        return [[(b == i) * (a == j) - (a == i) * (b == j) for b in range(size)] for a in range(size)]

    def row(a: int, b: int) -> str:
        minors = (f"w{k}*(g{a}{i + 1}*g{b}{j + 1} - g{a}{j + 1}*g{b}{i + 1})" for k, (i, j) in enumerate(planes, 1))
        return " + ".join(minors) + " = 0"

    kinetic = " + ".join(f"{k + k % 3}*w{k}^2/2" for k, _ in enumerate(planes, 1))
    return System(
        name="veselova", group=MatrixGroup([turn(i, j) for i, j in planes]),
        lagrangian=f"{kinetic} - {potential}", constraints=[row(a, b) for a, b in fixed],
    )  # fmt: skip


def test_a_body_keeps_its_natural_measure() -> None:
    """Veselov and Veselova, Fedorov and Jovanović: constraints that are the same seen from space keep a measure on every group."""
    system = veselova(3, [(1, 2)], "g11*g32")
    found = natural_volume(DensityProblem("kept", Divergence(reduced_motion(system.model))))
    assert found is not None
    assert found[0].check() is Verdict.PROVEN


@pytest.mark.exhaustive
def test_a_body_in_four_dimensions_is_decided_by_the_question() -> None:
    system = veselova(4, [(1, 2), (1, 3), (2, 3)], "g11*g42")
    mu = system.invariant_measure()
    assert mu.verdict is Verdict.PROVEN
    rng = np.random.default_rng(2)
    for _ in range(2):
        q = np.linalg.qr(rng.normal(size=(4, 4)))[0]
        q[:, 0] *= np.linalg.det(q)
        # sqrt(det of the inverse inertia on the forbidden planes) over their coefficients along the dependent speeds
        planes = list(combinations(range(4), 2))
        A = np.array([[q[a, i] * q[b, j] - q[a, j] * q[b, i] for i, j in planes] for a, b in ((0, 1), (0, 2), (1, 2))])
        inertia = np.array([k + k % 3 for k in range(1, 7)], dtype=float)
        own = {u.name for u in mu.known_divergence.motion.speeds}
        bound = [k for k in range(6) if f"w{k + 1}" not in own]
        expected = np.prod(inertia) * np.sqrt(np.linalg.det(A / inertia @ A.T)) / np.linalg.det(A[:, bound])
        place = {f"g{i + 1}{j + 1}": float(q[i, j]) for i in range(4) for j in range(4)}
        assert mu(place) == pytest.approx(expected, rel=1e-10) or mu(place) == pytest.approx(-expected, rel=1e-10)


@pytest.mark.parametrize("name", ["free_particle", "snakeboard", "veselova"])
def test_it_solves_the_equations_of_a_density(name: str) -> None:
    divergence = Divergence(reduced_motion(getattr(catalogue, name)().model))
    found = natural_volume(DensityProblem("kept", divergence))
    assert found is not None
    model, on = divergence.motion.model, divergence.motion.on
    for each in divergence.fields:
        assert is_zero(along(model.frame.in_coordinates(found[1]), each.rates) - each.value, on)


def test_it_is_not_claimed_of_what_loses_volume() -> None:
    assert (
        natural_volume(DensityProblem("kept", Divergence(reduced_motion(catalogue.chaplygin_sleigh().model)))) is None
    )
    assert natural_volume(DensityProblem("kept", Divergence(reduced_motion(catalogue.suslov().model)))) is None


@pytest.mark.parametrize(
    ("group", "constraint", "kept"),
    [("Heisenberg", "w1 + 2*w2 + w3 = 0", False), ("Heisenberg", "w3 = 0", True),
     (MatrixGroup([[[1, 0], [0, 0]], [[0, 1], [0, 0]]]), "w2 = w1", False)],
)  # fmt: skip
def test_kozlovs_criterion_where_the_full_motion_keeps_a_measure(group: Any, constraint: str, kept: bool) -> None:
    """On the algebra the divergence must vanish; on the group it may be made up for by an exponential of the configuration."""
    speeds = ("w1", "w2", "w3") if group == "Heisenberg" else ("w1", "w2")
    kinetic = " + ".join(f"{k}*{w}^2/2" for k, w in enumerate(speeds, 2)) + " + w1*w2/5"
    system = System(name="body", group=group, lagrangian=kinetic, constraints=[constraint])
    assert system.invariant_measure()
    below = system.reduced_by_group().invariant_measure()
    assert below.verdict is (Verdict.PROVEN if kept else Verdict.REFUTED)
    assert below.finding.check() is below.verdict
    assert kept or "nor any that is smooth" in below.theorem


def test_conditions_on_several_parameters() -> None:
    x, y, j, k = map(symbol, "xyjk")
    many = [j**2 * x + (j * k + k**3) * y, k * x * y + j * x**2 + k**5 * x**3 * y + j**7 * y**9 + (k - j) * y**4]
    assert str(special_values(many, [x, y])) in ("j = 0 and k = 0", "k = 0 and j = 0")
    assert not special_values([(k - 1) * x, (k - 2) * y, (j - k) * x**2, j * y**2, j**3 * x * y], [x, y])
    system = System(
        name="three", coordinates=["x", "y", "z", "s"], lagrangian="(x'^2 + y'^2 + z'^2 + s'^2)/2",
        constraints=["s' = x*y' + k*y*z' + j*z*x'"], parameters=["j", "k"],
    )  # fmt: skip
    assert "it holds only where k = 0 and j = 0" in str(system.invariant_measure())


@pytest.mark.parametrize("lagrangian", ["(x'^2 + y'^2)/2 + x'^4", "-sqrt(1 - x'^2 - y'^2)"])
def test_inertia_that_depends_on_velocities_has_no_new_time(lagrangian: str) -> None:
    system = System(name="fast", coordinates=["x", "y"], lagrangian=lagrangian)
    with blames(NotSupportedError, "x'"):
        system.hamiltonize()


HIDDEN = {
    "an arc tangent": (
        ["x", "y", "s"],
        "s'^2*x^2/8 + 3*s'^2/4 + s'*x^2*y'/2 + 3*s'*x*x'/2 + s'*y' + 9*x^2*x'^2/8 + x^2*y'^2/2 + x'^2/2 + y'^2",
        ["s' + 3*x*x'/2 = x^2*(s'/2 + y')"],
    ),
    "long fields": (
        ["x", "y", "s", "r"],
        "17*r'^2/16 + r'*s'*cos(s)/6 + r'*s'/2 + r'*x'/12 + r'*y'/3 + s'^2*cos(s)^2/8 + s'^2 + s'*x'/3 + s'*y'*cos(s)/2 + x'^2/2 + y'^2/2",
        [
            "r'/4 + s' = x'*(y + sin(s)/2 + sin(x)/2)",
            "r' = (s'*cos(s)/2 + y')*(y + sin(s)/2 + sin(x)/2)",
        ],
    ),
}
"""Chaplygin systems with a multiplier, in coordinates that hide their symmetries."""


@pytest.mark.parametrize("name", ["an arc tangent", pytest.param("long fields", marks=pytest.mark.exhaustive)])
def test_densities_of_hidden_chaplygin_systems(name: str) -> None:
    coordinates, lagrangian, constraints = HIDDEN[name]
    system = System(name="hidden", coordinates=coordinates, lagrangian=lagrangian, constraints=constraints)
    mu = system.invariant_measure()
    assert mu.density is not None
    place = {symbol(q): 0.2 + 0.1 * k for k, q in enumerate(coordinates)}
    for each in mu.known_divergence.fields:
        misfit = along(mu.logarithm, each.rates) - each.value
        assert abs(float(misfit.xreplace(place).n(53, real=True))) < 1e-12


@pytest.mark.parametrize(
    ("basis", "constraint", "density"),
    [
        ([[[1, 0], [0, 0]], [[0, 1], [0, 0]]], "w2 = -w1", "g11"),
        ([[[1, 0], [0, 0]], [[0, 1], [0, 0]], [[0, 0], [1, 0]], [[0, 0], [0, 1]]], "w2 = 0", "(g11*g22 - g12*g21)/g12^2"),
    ],
)  # fmt: skip
def test_densities_on_open_groups_are_characters(basis: Any, constraint: str, density: str) -> None:
    speeds = [f"w{k}" for k in range(1, len(basis) + 1)]
    kinetic = " + ".join(f"{k}*{w}^2/2" for k, w in enumerate(speeds, 1))
    system = System(name="body", group=MatrixGroup(basis), lagrangian=kinetic, constraints=[constraint])
    mu = system.invariant_measure()
    assert mu.density is not None
    assert (mu.density / parse_expression(density)).free_symbols == set()


def test_inertia_that_is_regular_on_the_admissible_directions_alone() -> None:
    """Two coordinates have inertia in their difference only: there is no natural measure, and other ways are gone."""
    long = "(1 + x^2 + sin(y)^2 + exp(x*y) + cosh(x)*y^2 + log(2 + y^2)*sin(x + y^3) + x^4*y^6*cos(x*y + x))"
    with pytest.warns(SubstitutedConstraintWarning):
        system = System(
            name="difference", coordinates=["x", "y", "z", "w"],
            lagrangian=f"({long}*x'^2 + {long}^2*y'^2 + (z' - w')^2)/2", constraints=[f"z' = x*y'*{long}", "w' = y*x'"],
        )  # fmt: skip
    mu = system.invariant_measure(time_limit=20)
    assert natural_volume(DensityProblem("it is kept", mu.known_divergence)) is None
