"""Gauss's principle: the accelerations are those of a quadratic problem, which other solvers solve too."""

from __future__ import annotations

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.algebra.numbers.balls import precision
from anholonomy.system.states.newton import evaluate_at
from anholonomy.system.states.random_states import admissible_points
from tests.equations.independent import Case, cases, dx, dy, dz, x, y, z
from tests.wording import blames

CASES = cases()
REGULAR = [name for name in CASES if "redundant" not in name and name != "contradictory"]


@pytest.mark.parametrize("name", REGULAR)
def test_the_kkt_equations_solved_by_numpy(name: str) -> None:
    case = CASES[name]
    for state in case.states(3):
        M, h, Q, A, b = case.parts(state)
        K = np.block([[M, -A.T], [A, np.zeros((len(A), len(A)))]])
        expected = np.linalg.solve(K, np.concatenate([Q - h, -b]))
        found = case.system.derive("gauss").at(state)
        np.testing.assert_allclose([float(a.mid()) for a in found.accelerations], expected[:3], rtol=1e-10, atol=1e-10)
        np.testing.assert_allclose([float(k.mid()) for k in found.multipliers], expected[3:], rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("name", REGULAR)
def test_a_minimiser_that_knows_no_multipliers(name: str) -> None:
    from scipy.optimize import minimize

    case = CASES[name]
    state = case.states(1)[0]
    M, _, _, A, b = parts = case.parts(state)

    def Z(a: np.ndarray) -> tuple[float, np.ndarray]:
        return (a - parts.free) @ M @ (a - parts.free) / 2, M @ (a - parts.free)

    conditions = {"type": "eq", "fun": lambda a: A @ a + b, "jac": lambda a: A}
    best = minimize(Z, np.zeros(3), jac=True, method="SLSQP", constraints=conditions, options={"ftol": 1e-14})
    assert best.success
    np.testing.assert_allclose(case.accelerations("gauss", state), best.x, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("name", [name for name in CASES if name not in REGULAR])
def test_dependent_and_contradictory_rows_give_the_lexicographic_minimum(name: str) -> None:
    """First |A a + b| least, then Z least: with A a₀ + b least, a = a₀ + N s, N the kernel of A, from NumPy's SVD."""
    case = CASES[name]
    for state in case.states(3):
        M, _, _, A, b = parts = case.parts(state)
        nearest = -np.linalg.pinv(A, rcond=1e-10) @ b
        _, sizes, basis = np.linalg.svd(A)
        rank = int((sizes > 1e-10 * sizes[0]).sum())
        assert rank < len(A)
        N = basis[rank:].T
        s = np.linalg.solve(N.T @ M @ N, N.T @ M @ (parts.free - nearest))
        np.testing.assert_allclose(case.accelerations("gauss", state), nearest + N @ s, rtol=1e-9, atol=1e-9)


def test_contradictory_accelerations_are_met_halfway() -> None:
    """x'' + y'' cannot be both 1 and 3; it becomes 2."""
    case = CASES["contradictory"]
    for state in case.states(2):
        a = case.accelerations("gauss", state)
        assert a[0] + a[1] == pytest.approx(2, abs=1e-12)
        assert a[2] == pytest.approx(state["x"], abs=1e-12)


def trial() -> ah.System:
    """Moving, forced, nonlinear and on accelerations."""
    return ah.System(
        name="trial",
        coordinates=["x", "y", "z"],
        lagrangian="(1 + x^2)*x'^2/2 + (y' + sin(z)*x')^2/2 + (2 + cos(y))*z'^2/2 + x*y*z' - x*cos(y) - t*z",
        constraints=["x'^2 + t*y' - x*z' = 1 + y", "x'' = y*z'' + t*x'*y'"],
        forces={"x": "-x' + y", "z": "x*y'"},
    )


def test_the_public_function_is_least_at_the_motion() -> None:
    """The public function Z has its minimum, among admissible accelerations, where the principle says."""
    system = trial()
    Z = ah.principles.gauss_function(system)
    with precision(40):
        point = next(admissible_points(system.model, 35, seed=2))
        equations = ah.principles.Gauss().derive(system)
        a = equations.at({s.name: v for s, v in point.items()}, 30).accelerations
        rows = [evaluate_at(row, point) for row in system.model.matrix_na]
        direction = [
            rows[0][1] * rows[1][2] - rows[0][2] * rows[1][1],
            rows[0][2] * rows[1][0] - rows[0][0] * rows[1][2],
            rows[0][0] * rows[1][1] - rows[0][1] * rows[1][0],
        ]

        def value(step: float):
            moved = [a_i + d * step for a_i, d in zip(a, direction, strict=True)]
            return evaluate_at([Z], point | dict(zip(system.model.accelerations, moved, strict=True)))[0]

        assert all(value(step) > value(0) for step in (-1e-3, 1e-3))


@pytest.mark.filterwarnings("ignore::anholonomy.errors.SubstitutedConstraintWarning")
def test_a_degenerate_inertia_does_not_matter_where_the_constraints_fix_it() -> None:
    """Only y + z has inertia, but z follows from the constraint; Udwadia and Kalaba's formula cannot be written."""
    light = Case("light", [x, y, z], dx**2 / 2 + (dy + dz) ** 2 / 2 - x * y, [dz - y * dx])
    state = {"x": 0.3, "y": 0.5, "z": 0.0, "x'": 2.0, "y'": 3.0, "z'": 1.0}
    M, h, Q, A, b = light.parts(state)
    assert np.linalg.matrix_rank(M) == 2
    expected = np.linalg.solve(np.block([[M, -A.T], [A, np.zeros((1, 1))]]), np.concatenate([Q - h, -b]))[:3]
    np.testing.assert_allclose(light.accelerations("gauss", state), expected, rtol=1e-12)
    with blames(ah.errors.NotSupportedError):
        light.system.derive("udwadia-kalaba")


def test_it_drives_a_simulation_with_redundant_rows() -> None:
    """A pendulum held by one rod twice; the energy and the length are kept."""
    both = {"rod": "x^2 + y^2 = 1", "same rod": "2*x^2 + 2*y^2 = 2"}
    words = {"name": "pendulum", "coordinates": ["x", "y"], "lagrangian": "(x'^2 + y'^2)/2 - y"}
    twice = ah.System(**words, constraints=both, redundant="keep")
    once = ah.System(**words, constraints=["x^2 + y^2 = 1"])
    start = {"x": 1, "y": 0, "x'": 0, "y'": 0.5}
    a, b = twice.simulate(start, until=1, by="gauss"), once.simulate(start, until=1)
    assert float(abs(a["x"] - b["x"]).max()) < 1e-10
    assert float(abs(a["x"] ** 2 + a["y"] ** 2 - 1).max()) < 1e-11


def test_no_constraint_no_multiplier() -> None:
    free = Case("free", CASES["linear"].q, CASES["linear"].lagrangian, [])
    state = free.states(1)[0]
    np.testing.assert_allclose(free.accelerations("gauss", state), free.parts(state).free, rtol=1e-12)
