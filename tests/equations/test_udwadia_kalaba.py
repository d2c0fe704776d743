"""The equation of Udwadia and Kalaba against its printed form, with NumPy's pseudo-inverse and SciPy's square root."""

from __future__ import annotations

import math

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.algebra.numbers.ball_matrices import pseudo_solve
from anholonomy.catalogue import chaplygin_sleigh, n_trailer
from anholonomy.equations.verification import verify
from tests.equations.independent import cases
from tests.wording import blames

CASES = cases()


@pytest.mark.parametrize("name", CASES)
def test_the_printed_formula(name: str) -> None:
    r"""$\ddot q = a + M^{-1/2}(A M^{-1/2})^+(-b - A a)$."""
    from scipy.linalg import sqrtm

    case = CASES[name]
    for state in case.states(4):
        M, _, _, A, b = parts = case.parts(state)
        root = np.linalg.inv(np.real(sqrtm(M)))
        expected = parts.free + root @ np.linalg.pinv(A @ root, rcond=1e-10) @ (-b - A @ parts.free)
        np.testing.assert_allclose(case.accelerations("udwadia-kalaba", state), expected, rtol=1e-9, atol=1e-9)


def test_a_large_inertia_is_divided_in_steps() -> None:
    train = n_trailer(6)
    equations = train.derive("udwadia-kalaba")
    assert equations.data.definitions
    pair = [ah.principles.LagrangeDAlembert(), ah.principles.UdwadiaKalaba()]
    assert verify(train, states=1, principles=pair).agree


def test_a_row_that_vanishes_is_singular_for_multipliers_and_regular_for_the_pseudo_inverse() -> None:
    """A parallelogram of bars at its dead centre, where the gradient of its one constraint is zero."""
    linkage = ah.System(
        name="parallelogram",
        coordinates={"a": "angle", "b": "angle"},
        lagrangian="(a'^2 + b'^2)/2 - a*b'",
        constraints=["1 + 2*cos(b) - 2*cos(a) = cos(b - a)"],
        redundant="keep",
    )
    state = {"a": 0, "b": 0, "a'": 1, "b'": 1}
    for by in ("udwadia-kalaba", "gauss"):
        assert linkage.derive(by).accelerations(state) == pytest.approx({"a''": -1, "b''": 1})
    with blames(ah.errors.StateError, "lagrange", "dalembert"):
        linkage.derive("lagrange-dalembert").accelerations(state)


def test_rows_that_are_parallel_all_along_a_motion() -> None:
    """Rows (1, -1, 0, 0) and (1, -1, -s, 0) hold z, except where s = 0; a motion in there falls freely."""
    system = ah.System(
        name="loophole",
        coordinates=["x", "y", "z", "s"],
        lagrangian="(x'^2 + y'^2 + z'^2 + s'^2)/2 - z - s^2/2",
        constraints=["x' = y'", "x' = y' + s*z'"],
        redundant="keep",
    )
    assert not system.model.redundant_rows
    start = {"x": 0, "y": 0, "z": 1, "s": 0, "x'": 1, "y'": 1, "z'": 2, "s'": 0}
    for by in ("udwadia-kalaba", "gauss"):
        motion = system.simulate(start, until=1.5, by=by)
        time = motion["z"]["time"]
        assert float(abs(motion["z"] - (1 + 2 * time - time**2 / 2)).max()) < 1e-13
        assert float(abs(motion["x"] - time).max()) < 1e-13
    with blames(ah.Error):
        system.simulate(start, until=1.5, by="lagrange-dalembert")


def test_two_rows_that_become_parallel_at_one_place() -> None:
    """Rows (1, -1, 0) and (1, -1, -x) agree at x = 0, which the motion passes; elsewhere they hold z.

    A spring along y makes the reactions work: x = y, 2 x'' = -x.
    """
    system = ah.System(
        name="crossing",
        coordinates=["x", "y", "z"],
        lagrangian="(x'^2 + y'^2 + z'^2)/2 - y^2/2",
        constraints=["x' = y'", "x' = y' + x*z'"],
        redundant="keep",
    )
    motion = system.simulate({"x": -1, "y": -1, "z": 0.25, "x'": 1, "y'": 1, "z'": 0}, until=4, by="udwadia-kalaba")
    time, w = motion["x"]["time"], 1 / math.sqrt(2)
    expected = -np.cos(w * time) + np.sin(w * time) / w
    assert float(motion["x"].min()) < 0 < float(motion["x"].max())
    assert float(abs(motion["x"] - expected).max()) < 1e-9
    assert float(abs(motion["z"] - 0.25).max()) < 1e-12
    with blames(ah.errors.StateError):
        system.derive("lagrange-dalembert").accelerations({"x": 0, "y": 0, "z": 0, "x'": 1, "y'": 1, "z'": 0})


def test_redundant_rows_share_their_multiplier() -> None:
    """The shortest multipliers: twice the same row carries half each."""
    twice = ah.System(
        name="twice",
        coordinates=["x", "y"],
        lagrangian="(x'^2 + y'^2)/2 - y",
        constraints={"a": "x' = y'", "b": "y' = x'"},
        redundant="keep",
    )
    state = {"x": 0, "y": 0, "x'": 1, "y'": 1}
    seen = twice.derive("udwadia-kalaba").at(state)
    one, other = (float(value.mid()) for value in seen.multipliers)
    assert (one, other) == pytest.approx((-0.25, 0.25))
    assert twice.derive("gauss").accelerations(state) == pytest.approx({"x''": -0.5, "y''": -0.5})


def test_the_sleigh_simulates_alike() -> None:
    sleigh = chaplygin_sleigh()
    start = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}
    one, other = sleigh.simulate(start, until=3), sleigh.simulate(start, until=3, by="udwadia-kalaba")
    assert float(abs(one["x"] - other["x"]).max()) < 1e-11


@pytest.mark.parametrize("rank", [0, 1, 2, 3])
def test_the_pseudo_inverse_in_balls(rank: int) -> None:
    import flint

    rng = np.random.default_rng(rank)
    matrix = rng.integers(-4, 5, (4, rank)) @ rng.integers(-4, 5, (rank, 3)) if rank else np.zeros((4, 3), dtype=int)
    right = rng.integers(-5, 6, 4)
    found = pseudo_solve(
        flint.arb_mat([[int(e) for e in row] for row in matrix]), flint.arb_mat(4, 1, [int(e) for e in right])
    )
    np.testing.assert_allclose(
        [float(found[i, 0].mid()) for i in range(3)], np.linalg.pinv(matrix.astype(float)) @ right, atol=1e-12
    )
