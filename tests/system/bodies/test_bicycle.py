"""The Whipple bicycle from four bodies, three joints and two rolling discs, against the published benchmark.

J. P. Meijaard, J. M. Papadopoulos, A. Ruina, A. L. Schwab, Linearized dynamics equations for the balance and steer of a
bicycle: a benchmark and review, Proc. R. Soc. A 463 (2007) 1955-1982: parameters of table 1, the four matrices
as printed there for these, eigenvalues of table 2 (p. 1971).
"""

from __future__ import annotations

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.algebra.numbers.balls import precision
from anholonomy.equations.evaluation import evaluate_equations
from anholonomy.system.states.complete_state import complete_state

TABLE_1 = {
    "w": 1.02, "c": 0.08, "lam": np.pi / 10, "g": 9.81,
    "rR": 0.3, "mR": 2.0, "IRxx": 0.0603, "IRyy": 0.12,
    "xB": 0.3, "zB": -0.9, "mB": 85.0, "IBxx": 9.2, "IBxz": 2.4, "IByy": 11.0, "IBzz": 2.8,
    "xH": 0.9, "zH": -0.7, "mH": 4.0, "IHxx": 0.05892, "IHxz": -0.00756, "IHyy": 0.06, "IHzz": 0.00708,
    "rF": 0.35, "mF": 3.0, "IFxx": 0.1405, "IFyy": 0.28,
}  # fmt: skip
M = np.array([[80.81722, 2.31941332208709], [2.31941332208709, 0.29784188199686]])
C1 = np.array([[0, 33.86641391492494], [-0.85035641456978, 1.68540397397560]])
K0 = np.array([[-80.95, -2.59951685249872], [-2.59951685249872, -0.80329488458618]])
K2 = np.array([[0, 76.59734589573222], [0, 2.65431523794604]])
STEP = 1e-9


@pytest.fixture(scope="module")
def equations():
    """Our z points up where the benchmark's points down, so y and z, and with them the products xz, change sign."""
    frame = lambda k: [[f"I{k}xx", 0, f"-I{k}xz"], [0, f"I{k}yy", 0], [f"-I{k}xz", 0, f"I{k}zz"]]
    rear = ah.bodies.RigidBody("rear", mass="mB", inertia=frame("B"), centre=["xB", 0, "-zB - rR"])
    fork = ah.bodies.RigidBody("fork", mass="mH", inertia=frame("H"), centre=["xH - w", 0, "-zH - rF"])
    wheels = [
        ah.bodies.RigidBody(n, mass=f"m{k}", inertia=[f"I{k}xx", f"I{k}yy", f"I{k}xx"])
        for n, k in (("back", "R"), ("front", "F"))
    ]
    bicycle = ah.System(
        name="bicycle", bodies=[rear, fork, *wheels], gravity="g", parameters=TABLE_1,
        joints=[
            ah.bodies.Revolute(rear, wheels[0], axis=[0, 1, 0]),
            # The steering axis meets the ground a trail c ahead of the front contact.
            ah.bodies.Revolute(rear, fork, at=["w + c", 0, "-rR"], own=["c", 0, "-rF"], axis=["-sin(lam)", 0, "cos(lam)"], angle="steer"),
            ah.bodies.Revolute(fork, wheels[1], axis=[0, 1, 0]),
        ],
        contacts=[ah.bodies.Rolling(n, surface=ah.bodies.Disc(f"r{k}", axis=2), on=ah.bodies.Plane()) for n, k in (("back", "R"), ("front", "F"))],
    )  # fmt: skip
    assert (len(bicycle.velocities), len(bicycle.constraints)) == (9, 6)
    return bicycle.derive("udwadia-kalaba")


def rates(equations, v: float, lean: float, steer: float, leaning: float, steering: float) -> np.ndarray:
    """Accelerations of lean and steer; the benchmark's steer is to the right, about the axis that points down."""
    still = dict.fromkeys(("x", "y", "back_angle", "front_angle", "q2", "q3"), 0)
    start = still | {
        "z": 0.3 * np.cos(lean), "q0": np.cos(lean / 2), "q1": np.sin(lean / 2), "steer": -steer, "x'": v, "w1": leaning, "steer'": -steering,
    }  # fmt: skip
    with precision(50):
        found = evaluate_equations(
            equations.data, complete_state(equations.system.model, start, project=True)
        ).accelerations
    named = dict(zip((w.name for w in equations.system.velocities), found, strict=True))
    return np.array([float(named["w1"].mid()), -float(named["steer'"].mid())])


@pytest.mark.exhaustive
def test_the_linear_equations_are_the_benchmarks(equations) -> None:
    # Left and right mirror one another, so there are no terms of second order and one side is enough.
    v = 5.0
    ours = np.array([rates(equations, v, *(STEP * np.eye(4)[k])) / STEP for k in range(4)]).T
    theirs = -np.linalg.solve(M, np.hstack([9.81 * K0 + v**2 * K2, v * C1]))
    assert np.abs(ours - theirs).max() < 1e-9
    eigenvalues = np.linalg.eigvals(np.vstack([np.eye(4)[2:], ours]))
    weave = complex(-0.775341882195845, 4.46486771378823)
    table_2 = [-14.07838969279822, weave.conjugate(), weave, -0.322866429004087]
    assert np.abs(np.sort_complex(eigenvalues) - table_2).max() < 1e-9
