"""The tippe top with sliding friction: which spin is stable, against the conditions of the literature and equations written by hand."""

from __future__ import annotations

import importlib.util
import math
from pathlib import Path

import numpy as np
import pytest

import anholonomy as ah

EXAMPLE = Path(__file__).parents[2] / "examples" / "tippe_top.py"
FLIPPED = {"q0": 0.0, "q1": 1.0}
"""With its heavy side down."""


@pytest.fixture(scope="module")
def example():
    spec = importlib.util.spec_from_file_location("tippe_top", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def changes(top: ah.System, near: dict[str, float]) -> list[tuple[float, str, str]]:
    branch = top.stability.steady_motion(fixed={"w3": 3.0}, near={**near, "w3": 3.0}).follow("w3", 0.3, 40, points=25)
    return [(each.value, each.before, each.after) for each in branch.critical] or [(0.0, *set(branch.verdicts))]


@pytest.mark.parametrize(
    ("I1", "I3", "c"),
    [
        pytest.param(0.40, 0.40, 0.5, id="turns over"),
        pytest.param(0.40, 0.40, 3.0, id="turns over, rougher", marks=pytest.mark.exhaustive),
        pytest.param(0.25, 0.40, 0.7, id="flat", marks=pytest.mark.exhaustive),
        pytest.param(0.52, 0.40, 0.7, id="long", marks=pytest.mark.exhaustive),
    ],
)
def test_spins_are_stable_where_the_literature_says(example, I1: float, I3: float, c: float) -> None:
    """Between 1 - a/r and 1 + a/r of I1/I3 it turns over; flatter, it stands either way; longer, it never stands on its head.

    Ebenfeld and Scheck (1995), Bou-Rabee, Marsden and Romero (2004). The size of the friction does not matter.
    """
    sizes = {"m": 1.0, "I1": I1, "I3": I3, "r": 1.0, "a": 0.2, "g": 9.81}
    top = example.tippe_top(**sizes, c=c)
    stands, inverted = example.thresholds(**sizes)
    assert (stands < math.inf, inverted < math.inf) == (I1 / I3 > 0.8, I1 / I3 < 1.2)
    (low,), (high,) = changes(top, FLIPPED), changes(top, {})
    assert low == ((pytest.approx(stands, rel=1e-9), "stable", "unstable") if stands < math.inf else (0.0, "stable"))
    assert high == ((pytest.approx(inverted, rel=1e-9), "unstable", "stable") if inverted < math.inf else (0.0, "unstable"))  # fmt: skip


def by_hand(u: np.ndarray, m: float, I1: float, I3: float, r: float, a: float, g: float, c: float) -> np.ndarray:
    """Newton and Euler in the axes of the body: the vertical, the spin and the velocity of the centre of mass."""
    y, w, V = u[:3], u[3:6], u[6:]
    I = np.diag([I1, I1, I3])
    rho, yd = -r * y - a * np.array([0, 0, 1]), np.cross(y, w)
    slides = V + np.cross(w, rho)
    drag = -c * (slides - (slides @ y) * y)

    def rates(N: float) -> tuple[np.ndarray, np.ndarray]:
        turning = np.linalg.solve(I, np.cross(I @ w, w) + np.cross(rho, drag + N * y))
        return turning, (drag + N * y) / m - g * y - np.cross(w, V)

    def lifts(N: float) -> float:
        turning, moving = rates(N)
        return float(yd @ slides + y @ (moving + np.cross(turning, rho) + np.cross(w, -r * yd)))

    at_rest, slope = lifts(0.0), lifts(1.0) - lifts(0.0)
    return np.concatenate([yd, *rates(-at_rest / slope)])


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_the_eigenvalues_are_those_of_the_hand(example, sign: float) -> None:
    """In the axes of the body. Which axes are carried along with a vertical spin is a choice, by which frequencies shift, and growth does not."""
    sizes = {"m": 1.3, "I1": 0.45, "I3": 0.4, "r": 0.9, "a": 0.2, "g": 9.81, "c": 0.6}
    n, near = 7.0, {} if sign > 0 else FLIPPED
    found = (
        example.tippe_top(**sizes)
        .stability.steady_motion(fixed={"w3": n}, near={**near, "w3": n})
        .linearization.eigenvalues
    )
    base = np.array([0, 0, sign, 0, 0, n, 0, 0, 0])
    step = 1e-6
    A = np.array([(by_hand(base + step * e, **sizes) - by_hand(base - step * e, **sizes)) / (2 * step) for e in np.eye(9)]).T  # fmt: skip
    truth = (np.linalg.eigvals(A)[:, None] + 0.5j * n * np.arange(-2, 3)).ravel()
    swinging = [value for value in found if abs(value.real) > 1e-6]
    assert len(swinging) == 6
    for value in swinging:
        assert np.abs(truth - value).min() < 1e-6


@pytest.mark.exhaustive
def test_it_turns_over_and_keeps_jelletts_integral(example) -> None:
    top, p = example.tippe_top(), example.SIZES
    tilted = {"q0": 0.1, "q1": math.sqrt(1 - 0.1**2), "q2": 0, "q3": 0, "w1": 0, "w2": 0, "w3": 200.0}
    run = top.simulate({**tilted, "x": 0, "y": 0, "x'": 0, "y'": 0}, until=6, tolerance=1e-9)
    cosine = 1 - 2 * (run["q1"] ** 2 + run["q2"] ** 2)
    assert float(cosine[0]) < -0.95
    assert float(cosine[-1]) > 0.95
    assert (np.diff(run["energy"].values) < 1e-9).all()
    R31, R32 = 2 * (run["q1"] * run["q3"] - run["q0"] * run["q2"]), 2 * (run["q2"] * run["q3"] + run["q0"] * run["q1"])
    jellett = (
        p["I1"] * p["r"] * (run["w1"] * R31 + run["w2"] * R32) + p["I3"] * run["w3"] * (p["r"] * cosine + p["a"])
    ).values
    assert jellett == pytest.approx(jellett[0], rel=1e-7)
