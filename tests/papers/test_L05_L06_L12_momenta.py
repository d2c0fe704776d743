r"""L5, L6, L12: momentum equations and conserved momenta, slides 7, 8 and 19 of Lewis.

.. math:: Y = \gamma^aX_a \in \mathcal D \quad\Longrightarrow\quad \frac{d}{dt}J_Y(\dot c) = g(\dot\gamma^aX_a, \dot c)

The momentum equation holds as printed, for free motions. Slide 8 does not say which constraint its Heisenberg system has. With
$\dot z = y\dot x - x\dot y$ all four printed momenta are constant, but none of the fields lies in $\mathcal D$, one momentum is the sum of two others,
and $J_{X_1}$ is missing. With $\dot z = y\dot x$ the first comes from a field in $\mathcal D$, as the slide says, but two of the others change, and what is
conserved besides is a gauge momentum. With nonlinear constraints Noether's theorem asks that the field be annihilated by $\partial\varphi/\partial\dot q$.
"""

from __future__ import annotations

import numpy as np
import pytest

from anholonomy import System, catalogue
from anholonomy.algebra.calculus import along
from anholonomy.algebra.expressions import dot, symbol
from anholonomy.algebra.zero_test import is_zero
from anholonomy.language.arguments import expression


def heisenberg(constraint: str) -> System:
    lagrangian = "(x'^2 + y'^2 + z'^2)/2"
    return System(name="Heisenberg", coordinates=["x", "y", "z"], lagrangian=lagrangian, constraints=[constraint])


HEISENBERG = heisenberg("z' = y*x'")
START = {"x": 0.1, "y": 0.4, "z": -0.3, "x'": 0.7, "y'": 0.5}

# A system, Killing fields of its metric, and functions that combine them into a field in D.
COMBINED = {
    "Heisenberg": (HEISENBERG, [["1", "0", "0"], ["0", "0", "1"]], ["1", "y"]),
    "Heisenberg, turned": (HEISENBERG, [["1", "0", "0"], ["0", "0", "1"], ["0", "1", "0"]], ["x^2", "x^2*y", "z"]),
    "skate": (catalogue.skate(), [["1", "0", "0"], ["0", "1", "0"]], ["cos(theta)", "sin(theta)"]),
}


@pytest.mark.parametrize("case", COMBINED)
def test_L5_the_momentum_equation(case: str) -> None:
    system, fields, functions = COMBINED[case]
    gammas = [expression(f, "a function") for f in functions]
    rows = [[expression(e, "a component") for e in field] for field in fields]
    Y = [dot(gammas, column) for column in zip(*rows, strict=True)]
    found = system.momentum_equation(Y)
    assert found.admissible
    w = system.velocities
    p = [system.lagrangian.diff(v) for v in w]
    rates = dict(zip(system.coordinates, w, strict=True))
    printed = sum(along(gamma, rates) * dot(p, row) for gamma, row in zip(gammas, rows, strict=True))
    on_D = dict(zip(w, system.geometry.adapted_frame.velocities, strict=True))
    assert is_zero((printed - found.rate).xreplace(on_D))


FIELDS = {
    "X2": ["0", "1", "0"],
    "X1 + X4": ["1", "-z", "y"],
    "X1 - X6": ["1 + y", "-x", "0"],
    "X4 + X6": ["-y", "x - z", "y"],
}


@pytest.mark.parametrize(("name", "holds"), [("X2", True), ("X1 + X4", True), ("X1 - X6", False), ("X4 + X6", False)])
def test_L6_two_of_the_four_printed_momenta_are_conserved_for_one_constraint(name: str, holds: bool) -> None:
    found = HEISENBERG.momentum_equation(FIELDS[name])
    assert found.finding.is_proven is holds
    assert found.finding.is_refuted is not holds
    run = HEISENBERG.simulate(START, until=5.0)
    change = float(abs(found.along(run) - found(START)).max())
    assert change < 1e-12 if holds else change > 1e-2


SYMMETRIC = heisenberg("z' = y*x' - x*y'")


def test_L6_all_four_are_conserved_for_another_constraint_and_one_is_missing() -> None:
    found = {name: SYMMETRIC.momentum_equation(field) for name, field in FIELDS.items()}
    assert all(found.values())
    assert all(each.admissible.is_refuted for each in found.values())  # so that none is of slide 6
    J = {name: each.momentum for name, each in found.items()}
    assert is_zero(J["X1 + X4"] - J["X1 - X6"] - J["X4 + X6"])
    assert SYMMETRIC.momentum_equation(["1", "0", "0"])
    laws = SYMMETRIC.conserved(degree=1)
    assert len(laws) == 4
    assert laws.finding.is_proven
    assert "no room" in str(laws)


def test_L6_all_of_them() -> None:
    laws = HEISENBERG.conserved(degree=1)
    assert [law.kind for law in laws].count("gauge momentum") == 1
    assert len(laws) == 3
    assert laws.finding.is_proven
    gauge = next(law for law in laws if law.kind == "gauge momentum")
    assert is_zero(gauge.expression**2 - expression("(1 + y^2)*x'^2", "its square"))


def test_L12_noether_with_a_nonlinear_constraint() -> None:
    """A particle of constant speed ratio: turning about the vertical is a symmetry, but admissible only where it is annihilated."""
    cone = System(
        name="cone",
        coordinates=["x", "y", "z"],
        lagrangian="m*(x'^2 + y'^2 + z'^2)/2",
        constraints=["x'^2 + y'^2 = k^2*z'^2"],
        parameters={"m": 2.0, "k": 0.5},
    )
    along_velocity = cone.momentum_equation(["x'", "y'", "z'"])
    assert along_velocity.admissible  # Chetaev: the constraint is homogeneous
    across = cone.momentum_equation(["-y'", "x'", "0"])
    assert across.admissible
    turning = cone.momentum_equation(["-y", "x", "0"])
    assert turning.admissible.is_refuted
    start = {"x": 0.3, "y": 0.2, "z": 0.0, "x'": 0.4, "y'": 0.3, "z'": 1.0}
    run = cone.simulate(start, until=3.0)
    times = run.time.values
    for found in (along_velocity, turning):
        numbers = np.gradient(found.along(run).values, times, edge_order=2)
        rate = run[found.rate].values if found.rate != 0 else np.zeros_like(times)
        assert np.abs(numbers - rate)[2:-2].max() < 1e-4


def test_L12_a_symmetry_that_is_annihilated_gives_a_law() -> None:
    """Only the horizontal speed is restricted: a vertical translation is a symmetry on which no reaction works."""
    system = System(
        name="driven",
        coordinates=["x", "y", "z"],
        lagrangian="(x'^2 + y'^2 + z'^2)/2 + x'*z'/2 - x^2",
        constraints=["x'^2 + y'^2 = 1"],
    )
    found = system.momentum_equation(["0", "0", "1"])
    assert found
    assert is_zero(found.momentum - (symbol("x'") / 2 + symbol("z'")))
    run = system.simulate({"x": 0.1, "y": 0.2, "z": 0.0, "x'": 0.6, "y'": 0.8, "z'": 0.3}, until=2.0)
    values = found.along(run)
    assert float(abs(values - values[0]).max()) < 1e-11
