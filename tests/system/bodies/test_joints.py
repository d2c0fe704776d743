"""Bodies on joints: kinematics against the chain rule, and vehicles and pendulums against those written by hand."""

from __future__ import annotations

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.algebra.calculus import total_derivative
from anholonomy.algebra.expressions import symbol
from anholonomy.system.bodies.joints import Tree
from anholonomy.system.bodies.vectors import cross, transposed


@pytest.mark.parametrize("moves", ["space", "plane", "point", "nowhere"])
def test_velocities_along_a_tree_are_the_rates_of_the_poses(moves) -> None:
    first = ah.bodies.RigidBody("first", mass=1, inertia=[1, 1, 1], moves=moves)
    second, third = (ah.bodies.RigidBody(name, mass=1, inertia=[1, 1, 1]) for name in ("second", "third"))
    joints = [
        ah.bodies.Revolute(first, second, at=[1, 2, 3], axis=[1, 2, 2], own=["a", 0, 1]),
        ah.bodies.Fixed(second, third, at=[0, 1, 0], axis=[0, 1, 1], angle=0.4, own=[1, 1, 2]),
    ]
    tree = Tree.of([first, second, third], joints)
    group = tree.group
    rates = {symbol(q): symbol(f"{q}'") for q in tree.coordinates}
    if group is not None:
        rates |= group.frame.coordinate_rates(group.speeds)
    rng = np.random.default_rng(1)
    symbols = sorted({s for pair in rates.items() for e in pair for s in e.free_symbols} | {symbol("a")}, key=str)
    at = dict(zip(symbols, rng.normal(size=len(symbols)), strict=True))
    if group is not None:
        q = rng.normal(size=4)
        at |= dict(zip(group.coordinates, q / np.linalg.norm(q), strict=True))
    value = lambda e: float(e.xreplace(at))
    for pose in tree.poses.values():
        for x, v in zip(pose.point((1, 2, 3)), pose.velocity_at((1, 2, 3)), strict=True):
            assert abs(value(total_derivative(x, rates)) - value(v)) < 1e-12
        # Columns of the rotation: the body's axes turn with the angular velocity.
        for column in transposed(pose.rotation):
            for e, turning in zip(column, cross(pose.spin, column), strict=True):
                assert abs(value(total_derivative(e, rates)) - value(turning)) < 1e-12


def same_motion(one: ah.System, two: ah.System, start, names, until=2.0, times=None) -> None:
    runs = [
        system.simulate(each, times=[0.0, until / 2, until]) for system, each in zip((one, two), start, strict=True)
    ]
    for left, right in names:
        values = [f(run) if callable(f) else run[f].values for f, run in zip((left, right), runs, strict=True)]
        assert np.abs(values[0] - values[1]).max() < 1e-11, (left, right)


def test_a_sleigh_is_a_body_in_the_plane_with_a_knife_edge() -> None:
    board = ah.bodies.RigidBody("board", mass="m", inertia=[0, 0, "I"], centre=["a", 0, 0], moves="plane")
    sleigh = ah.System(
        name="sleigh", bodies=[board], contacts=[ah.bodies.KnifeEdge(board)], parameters={"m": 1.0, "I": 0.3, "a": 0.2}
    )
    start = {"x": 0, "y": 0, "theta": 0.4, "x'": 1, "theta'": 0.5}
    same_motion(
        sleigh, ah.catalogue.chaplygin_sleigh(), (start, start), [(n, n) for n in ("x", "y", "theta", "theta'")]
    )


def test_a_knife_edge_away_from_the_origin_is_the_same_sleigh() -> None:
    board = ah.bodies.RigidBody("board", mass="m", inertia=[0, 0, "I"], moves="plane")
    sleigh = ah.System(
        name="sleigh",
        bodies=[board],
        contacts=[ah.bodies.KnifeEdge(board, at=["-a", 0, 0])],
        parameters={"m": 1.0, "I": 0.3, "a": 0.2},
    )
    start = {"x": 0, "y": 0, "theta": 0.4, "x'": 1, "theta'": 0.5}
    moved = {"x": 0.2 * np.cos(0.4), "y": 0.2 * np.sin(0.4), "theta": 0.4, "x'": 1 - 0.1 * np.sin(0.4), "theta'": 0.5}
    at_blade = lambda run: run["x"].values - 0.2 * np.cos(run["theta"].values)
    same_motion(sleigh, ah.catalogue.chaplygin_sleigh(), (moved, start), [(at_blade, "x"), ("theta'", "theta'")])


def test_a_trailer_hangs_on_its_car() -> None:
    car, trailer = (
        ah.bodies.RigidBody("car", mass="m", inertia=[0, 0, "J"], moves="plane"),
        ah.bodies.RigidBody("trailer", mass="m", inertia=[0, 0, "J"]),
    )
    system = ah.System(
        name="trailer", bodies=[car, trailer], joints=[ah.bodies.Revolute(car, trailer, own=["d", 0, 0], angle="hitch")],
        contacts=[ah.bodies.KnifeEdge(car), ah.bodies.KnifeEdge(trailer)], parameters={"m": 1.0, "J": 0.1, "d": 1.0},
    )  # fmt: skip
    v = np.array([np.cos(0.3), np.sin(0.3)])
    one = {"x": 0, "y": 0, "theta": 0.3, "hitch": -0.5, "x'": v[0], "theta'": 0.4}
    two = {"x": 0, "y": 0, "theta0": 0.3, "theta1": -0.2, "x'": v[0], "theta0'": 0.4}
    heading = lambda run: run["theta"].values + run["hitch"].values
    same_motion(
        system,
        ah.catalogue.n_trailer(n=1),
        (one, two),
        [("x", "x"), ("y", "y"), ("theta", "theta0"), (heading, "theta1")],
    )


def test_a_carriage_rolls_on_two_wheels() -> None:
    """Wheels with a disc each: their heights hold by themselves, and one of the two side slips follows from the other."""
    body = ah.bodies.RigidBody("body", mass="m", inertia=[0, 0, "J"], moves="plane")
    wheels = [ah.bodies.RigidBody(name, mass=0, inertia=[0, "I", 0]) for name in ("left", "right")]
    system = ah.System(
        name="carriage", bodies=[body, *wheels], redundant="drop",
        joints=[ah.bodies.Revolute(body, wheel, at=[0, place, "R"], axis=[0, 1, 0]) for wheel, place in zip(wheels, ("w", "-w"), strict=True)],
        contacts=[ah.bodies.Rolling(wheel, surface=ah.bodies.Disc("R", axis=2), on=ah.bodies.Plane()) for wheel in wheels],
        parameters={"m": 1.0, "J": 0.4, "I": 0.1, "R": 0.5, "w": 0.6},
    )  # fmt: skip
    assert len(system.constraints) == 3
    one = {"x": 0, "y": 0, "theta": 0.3, "left_angle": 0, "right_angle": 0, "x'": np.cos(0.3), "theta'": 0.4}
    two = {"x": 0, "y": 0, "phi": 0.3, "theta1": 0, "theta2": 0, "x'": np.cos(0.3), "phi'": 0.4}
    mean = lambda run: (run["left_angle"].values + run["right_angle"].values) / 2
    same_motion(
        system, ah.catalogue.carriage(), (one, two), [("x", "x"), ("y", "y"), ("theta", "phi"), (mean, "theta1")]
    )


def test_a_double_pendulum_by_hand() -> None:
    wall = ah.bodies.RigidBody("wall", mass=0, inertia=[0, 0, 0], moves="nowhere")
    upper, lower = (
        ah.bodies.RigidBody(name, mass="m", inertia=[0, "I", 0], centre=[0, 0, "-l"]) for name in ("upper", "lower")
    )
    values = {"m": 1.0, "I": 0.1, "l": 0.5, "g": 9.81, "k": 0.3}
    built = ah.System(
        name="pendulum", bodies=[wall, upper, lower], gravity="g", parameters=values,
        joints=[
            ah.bodies.Revolute(wall, upper, axis=[0, -1, 0], angle="a"),
            ah.bodies.Revolute(upper, lower, at=[0, 0, "-2*l"], axis=[0, -1, 0], angle="b"),
        ],
        loads=[ah.bodies.Torque(upper, [0, "k*a'", 0])], forces={"b": "-k*b'"},
    )  # fmt: skip
    c = "b'"
    hand = ah.System(
        name="by hand", coordinates=["a", "b"], parameters=values, forces={"a": "-k*a'", "b": "-k*b'"},
        lagrangian=f"""m*l^2*a'^2/2 + I*a'^2/2 + I*(a' + {c})^2/2 + m*g*l*cos(a) + m*g*(2*l*cos(a) + l*cos(a + b))
            + m/2*((2*l*a')^2 + l^2*(a' + {c})^2 + 4*l^2*a'*(a' + {c})*cos(b))""",
    )  # fmt: skip
    start = {"a": 0.7, "b": -1.2, "a'": 0.3, "b'": 2.0}
    same_motion(built, hand, (start, start), [("a", "a"), ("b", "b"), ("a'", "a'")])
    assert built.verify(states=2).agree


def test_forces_act_where_they_are_applied() -> None:
    """A force along the body's axis 1 at a point beside the centre of mass: m a = R F, I w' = p x F - w x I w."""
    body = ah.bodies.RigidBody("body", mass=2.0, inertia=[1.0, 2.0, 3.0])
    system = ah.System(name="thrust", bodies=[body], loads=[
        ah.bodies.Force(body, [1.5, 0, 0], at=[0, 0.5, 0.2], axes="body"), ah.bodies.Force(body, [0, 0.3, 0]), ah.bodies.Torque(body, [0, 0, 0.7], axes="space"),
    ])  # fmt: skip
    start = {
        "x": 0,
        "y": 0,
        "z": 0,
        "q0": 0.6,
        "q1": 0,
        "q2": 0.8,
        "q3": 0,
        "x'": 0,
        "y'": 0,
        "z'": 0,
        "w1": 0.1,
        "w2": 0.2,
        "w3": 0.3,
    }
    run = system.simulate(start, times=[0, 0.1])
    R, w, I = ah.groups.SO3().adjoint(np.array([0.6, 0, 0.8, 0])), np.array([0.1, 0.2, 0.3]), np.array([1.0, 2.0, 3.0])
    turning = (np.cross([0, 0.5, 0.2], [1.5, 0, 0]) + R.T @ [0, 0, 0.7] - np.cross(w, I * w)) / I
    assert np.abs([float(run[f"w{k}'"][0]) for k in (1, 2, 3)] - turning).max() < 1e-14
    assert np.abs([float(run[f"{n}''"][0]) for n in "xyz"] - (R @ [1.5, 0, 0] + [0, 0.3, 0]) / 2).max() < 1e-14


def test_a_snakeboard_by_hand() -> None:
    board = ah.bodies.RigidBody("board", mass="m", inertia=[0, 0, "J"], moves="plane")
    rotor = ah.bodies.RigidBody("rotor", mass=0, inertia=[0, 0, "J0"])
    axles = [ah.bodies.RigidBody(name, mass=0, inertia=[0, 0, "J1"]) for name in ("front", "back")]
    values = {"m": 1.0, "J": 0.3, "J0": 0.2, "J1": 0.1, "l": 0.5, "k": 0.8}
    built = ah.System(
        name="snakeboard", bodies=[board, rotor, *axles], parameters=values, forces={"psi": "k*cos(t)", "a": "sin(t)", "b": "-sin(t)"},
        joints=[
            ah.bodies.Revolute(board, rotor, angle="psi"),
            ah.bodies.Revolute(board, axles[0], at=["l", 0, 0], angle="a"),
            ah.bodies.Revolute(board, axles[1], at=["-l", 0, 0], angle="b"),
        ],
        contacts=[ah.bodies.KnifeEdge(axle) for axle in axles],
    )  # fmt: skip
    hand = ah.System(
        name="by hand", coordinates=["x", "y", "theta", "psi", "a", "b"], parameters=values,
        lagrangian="m*(x'^2 + y'^2)/2 + J*theta'^2/2 + J0*(theta' + psi')^2/2 + J1*((theta' + a')^2 + (theta' + b')^2)/2",
        constraints=[
            "-sin(theta + a)*x' + cos(theta + a)*y' + l*cos(a)*theta' = 0",
            "-sin(theta + b)*x' + cos(theta + b)*y' - l*cos(b)*theta' = 0",
        ],
        forces={"psi": "k*cos(t)", "a": "sin(t)", "b": "-sin(t)"},
    )  # fmt: skip
    places = {"x": 0, "y": 0, "theta": 0.1, "psi": 0, "a": 0.4, "b": -0.5}
    start = places | {"theta'": 0.3, "psi'": 0, "a'": 0.1, "b'": 0.2}
    same_motion(built, hand, (start, start), [(n, n) for n in (*places, "theta'", "x'")])


def test_two_wheels_on_one_axle_pass_every_heading() -> None:
    """Across the wheels both say the same, whatever the heading; the carriage turns about its vertical axis."""
    car = ah.bodies.RigidBody("car", mass="M", inertia=[0, 0, "J"], moves="plane")
    wheels = [ah.bodies.RigidBody(name, mass="m", inertia=["K", "I", "K"]) for name in ("left", "right")]
    joints = [
        ah.bodies.Revolute(car, wheel, at=[0, side, "r"], axis=[0, 1, 0], angle=f"{wheel.name}_turn")
        for wheel, side in zip(wheels, ("b", "-b"), strict=True)
    ]
    system = ah.System(
        name="axle",
        bodies=[car, *wheels],
        joints=joints,
        contacts=[ah.bodies.Rolling(wheel, surface=ah.bodies.Disc("r", 2), on=ah.bodies.Plane()) for wheel in wheels],
        redundant="drop",
        parameters={"M": 2, "J": 0.5, "m": 0.3, "K": 0.02, "I": 0.03, "r": 0.2, "b": 0.4},
    )
    assert [c.label for c in system.constraints] == ["left slip 1", "left slip 2", "right slip 1"]
    start = {"x": 0, "y": 0, "theta": 0, "left_turn": 0, "right_turn": 0, "left_turn'": 1.0, "right_turn'": 3.0}
    run = system.simulate(start, until=20)
    # By symmetry both wheels keep their speeds: v = r (l' + r') / 2, theta' = r (r' - l') / (2 b).
    turn, v = 0.2 * 2 / 0.8, 0.2 * 2
    assert run.is_complete
    assert float(abs(run["theta"] - turn * run.time).max()) < 1e-12
    assert float(abs(run["x"] - v / turn * np.sin(turn * run.time)).max()) < 1e-12
