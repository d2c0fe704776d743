r"""Every joint and every load against d'Alembert's principle, from positions alone and in numbers.

.. math::
   \sum_B m_B(\ddot c_B - \vec g)\cdot\frac{\partial c_B}{\partial y_k} + (I_B\dot w_B + w_B\times I_Bw_B)\cdot\varpi_{Bk}
   = \sum_F F\cdot\frac{\partial p_F}{\partial y_k} + \dots

Positions are composed here by rotations of SciPy; velocities, accelerations and virtual displacements are differences of
positions along $y_0 + \dot y t + \ddot y t^2/2$, with the accelerations that the software gives. Nothing else is shared.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import anholonomy as ah

AT, OWN, AXIS, SECOND = [0.3, -0.2, 0.5], [0.1, 0.4, -0.3], [1, 2, 2], [2, 1, -2]
MASSES, CENTRES = (1.3, 0.8), ([0.1, 0.2, -0.1], [-0.2, 0.1, 0.3])
INERTIAS = (
    [[1.1, 0.1, 0.0], [0.1, 1.3, 0.2], [0.0, 0.2, 0.9]],
    [[0.5, 0.05, 0.02], [0.05, 0.7, 0.0], [0.02, 0.0, 0.6]],
)
GRAVITY = np.array([0.3, -0.4, -9.81])
STEP = 1e-2
SPAN, NODES = np.arange(-3, 4), {1: [-1, 9, -45, 0, 45, -9, 1], 2: [2, -27, 270, -490, 270, -27, 2]}
"""Central differences of sixth order, times 60 and 180."""


def turned(axis, angle) -> np.ndarray:
    return Rotation.from_rotvec(angle * np.array(axis) / np.linalg.norm(axis)).as_matrix()


def along(axis, distance) -> np.ndarray:
    return distance * np.array(axis) / np.linalg.norm(axis)


@dataclass
class Case:
    """A joint, its coordinates, and by hand the turn and the shift of the child for their values."""

    joint: Callable[..., object]
    names: tuple[str, ...]
    moved: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]


ATTITUDE = np.array([0.7, 0.1, -0.5, 0.5])
JOINTS = {
    "revolute": Case(
        lambda a, b: ah.bodies.Revolute(a, b, at=AT, own=OWN, axis=AXIS, angle="q"),
        ("q",), lambda y: (turned(AXIS, y[0]), np.zeros(3)),
    ),
    "prismatic": Case(
        lambda a, b: ah.bodies.Prismatic(a, b, at=AT, own=OWN, axis=AXIS, distance="q"),
        ("q",), lambda y: (np.eye(3), along(AXIS, y[0])),
    ),
    "cylindrical": Case(
        lambda a, b: ah.bodies.Cylindrical(a, b, at=AT, own=OWN, axis=AXIS, angle="p", distance="q"),
        ("p", "q"), lambda y: (turned(AXIS, y[0]), along(AXIS, y[1])),
    ),
    "universal": Case(
        lambda a, b: ah.bodies.Universal(a, b, at=AT, own=OWN, axes=[AXIS, SECOND], angles=["p", "q"]),
        ("p", "q"), lambda y: (turned(AXIS, y[0]) @ turned(SECOND, y[1]), np.zeros(3)),
    ),
    "spherical": Case(
        lambda a, b: ah.bodies.Spherical(a, b, at=AT, own=OWN, prefix="s_"),
        (), lambda y: (Rotation.from_quat(ATTITUDE[[1, 2, 3, 0]]).as_matrix() @ Rotation.from_rotvec(y).as_matrix(), np.zeros(3)),
    ),
}  # fmt: skip


def poses(case: Case, y: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Origin and rotation of both bodies: the parent moves in the plane."""
    place, R = np.array([y[0], y[1], 0.0]), turned([0, 0, 1], y[2])
    Q, shift = case.moved(y[3:])
    return [(place, R), (place + R @ (np.array(AT) + shift) - R @ Q @ np.array(OWN), R @ Q)]


def differences(f, order: int = 1) -> np.ndarray:
    """The derivative at 0 of a function of one number."""
    values = np.array([np.asarray(f(STEP * k)) for k in SPAN])
    return np.tensordot(NODES[order], values, axes=1) / ({1: 60, 2: 180}[order] * STEP**order)


def vee(W: np.ndarray) -> np.ndarray:
    return np.array([W[2, 1] - W[1, 2], W[0, 2] - W[2, 0], W[1, 0] - W[0, 1]]) / 2


def missing_work(case: Case, y, rate, acceleration, loads) -> np.ndarray:
    """What is left of d'Alembert's principle for every direction; ``loads`` gives forces at points, and pushes on y."""
    path = lambda t: y + rate * t + acceleration * t**2 / 2
    aside = lambda k: lambda e: y + e * np.eye(len(y))[k]
    forces, pushes = loads
    left = -np.array(pushes)
    for b, (m, I, c) in enumerate(zip(MASSES, INERTIAS, CENTRES, strict=True)):
        centre = point(case, b, c)
        R = lambda z, b=b: poses(case, z)[b][1]
        here, Rd, Rdd = R(y), differences(lambda t, R=R: R(path(t))), differences(lambda t, R=R: R(path(t)), 2)
        W = here.T @ Rd
        w, wd, I = vee(W), vee(here.T @ Rdd - W @ W), np.array(I)
        a = differences(lambda t, centre=centre: centre(path(t)), 2)
        for k in range(len(y)):
            left[k] += m * (a - GRAVITY) @ differences(lambda e, k=k, centre=centre: centre(aside(k)(e)))
            left[k] += (I @ wd + np.cross(w, I @ w)) @ vee(here.T @ differences(lambda e, k=k, R=R: R(aside(k)(e))))
    for k in range(len(y)):
        for force, spot in forces:
            left[k] -= force @ differences(lambda e, k=k, spot=spot: spot(aside(k)(e)))
    return left


def point(case: Case, body: int, at):
    return lambda y: (lambda x, R: x + R @ np.array(at))(*poses(case, y)[body])


def pull(case: Case, y, rate, one, other, tension):
    """Equal and opposite forces of a link; ``tension`` is a function of its length and the rate of that."""
    d = other(y) - one(y)
    length = lambda z: np.linalg.norm(other(z) - one(z))
    force = tension(length(y), differences(lambda t: length(y + rate * t))) * d / np.linalg.norm(d)
    return [(force, one), (-force, other)]


@pytest.mark.exhaustive_for("universal")
@pytest.mark.parametrize("kind", JOINTS)
def test_a_joint_under_all_loads_obeys_d_alembert(kind):
    case = JOINTS[kind]
    rng = np.random.default_rng(7)
    carriage, arm = (
        ah.bodies.RigidBody(name, mass=m, inertia=I, centre=c, moves="plane" if name == "carriage" else "space")
        for name, m, I, c in zip(("carriage", "arm"), MASSES, INERTIAS, CENTRES, strict=True)
    )
    joint = case.joint(carriage, arm)
    size = 3 + (len(case.names) or 3)
    y, rate = rng.uniform(-1, 1, size), rng.uniform(-1, 1, size)
    if not case.names:
        y[3:] = 0  # the attitude is told apart
    loads = [
        ah.bodies.Spring(carriage, arm, stiffness=3, length=0.4, at=[0.5, 0, 0.1], end=[0, -0.6, 0.2]),
        ah.bodies.Spring("arm", stiffness=2, length=0, at=[0.2, 0.1, 0], end=[1, -1, 2]),
        ah.bodies.Damper(arm, carriage, damping=1.5, at=[0.3, 0.3, 0.3], end=[-0.4, 0.1, 0]),
        ah.bodies.Damper(arm, damping=0.7, at=[0.1, 0, -0.3], end=[2, 1, 0]),
        ah.bodies.Force(arm, [1, -2, 0.5], at=[0.1, 0.2, 0.3]),
    ]
    on = lambda body, at: point(case, body, at)
    space = lambda at: lambda _: np.array(at, dtype=float)
    forces = [
        *pull(case, y, rate, on(0, [0.5, 0, 0.1]), on(1, [0, -0.6, 0.2]), lambda l, _: 3 * (l - 0.4)),
        *pull(case, y, rate, on(1, [0.2, 0.1, 0]), space([1, -1, 2]), lambda l, _: 2 * l),
        *pull(case, y, rate, on(1, [0.3, 0.3, 0.3]), on(0, [-0.4, 0.1, 0]), lambda _, l: 1.5 * l),
        *pull(case, y, rate, on(1, [0.1, 0, -0.3]), space([2, 1, 0]), lambda _, l: 0.7 * l),
        (np.array([1, -2, 0.5]), on(1, [0.1, 0.2, 0.3])),
    ]
    pushes = np.zeros(size)
    if case.names:
        last = len(case.names) + 2
        loads += [
            ah.bodies.Motor("q", "2 - q"), ah.bodies.JointSpring(joint if last == 3 else "q", stiffness=1.1, rest=0.2),
            ah.bodies.JointDamper("q", damping=0.6),
        ]  # fmt: skip
        pushes[last] = 2 - y[last] - 1.1 * (y[last] - 0.2) - 0.6 * rate[last]
    system = ah.System(bodies=[carriage, arm], joints=[joint], loads=loads, gravity=list(GRAVITY))
    names = ["x", "y", "theta", *case.names]
    state = dict(zip(names, y, strict=False)) | dict(zip([f"{q}'" for q in names], rate, strict=False))
    speeds = [f"{q}'" for q in names]
    if not case.names:
        state |= dict(zip(("s_q0", "s_q1", "s_q2", "s_q3"), ATTITUDE, strict=True))
        speeds += ["s_w1", "s_w2", "s_w3"]
        state |= dict(zip(speeds[3:], rate[3:], strict=True))
    found = system.derive().accelerations(state)
    acceleration = np.array([found[f"{speed}'"] for speed in speeds])
    left = missing_work(case, y, rate, acceleration, (forces, pushes))
    np.testing.assert_allclose(left, 0, atol=1e-8)
    with_error = missing_work(case, y, rate, acceleration + 1e-4, (forces, pushes))
    assert abs(with_error).max() > 1e-6, "the check can fail"
