"""Two roads for every rolling body: the contact builder, and Newton's and Euler's equations in numbers."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import anholonomy as ah
from tests.system.bodies.newton_euler import E3, Body, turn
from tests.system.bodies.rolling_bodies import CENTRE, INERTIA, VALUES, D, Omega, a, b, built, c, ellipsoid, r, ring
from tests.wording import blames

SLOPE = np.array([np.sin(0.3), 0.0, np.cos(0.3)])


def on_plane(point, n=E3):
    """The arm to the contact on a plane, from the point of the body with an outward normal."""
    return lambda R, x: R @ point(-(R.T @ n))


AT = np.array([0.1, 0.0, -0.2])
PLANES = {
    "sphere": (ah.bodies.Sphere("r"), ah.bodies.Plane(), lambda u: r * u, {}),
    "sphere off centre": (ah.bodies.Sphere("r", at=[0.1, 0, -0.2]), ah.bodies.Plane(), lambda u: r * u + AT, {}),
    "disc": (ah.bodies.Disc("r"), ah.bodies.Plane(), lambda u: r * ring(u), {}),
    "torus": (ah.bodies.Torus("r", "b"), ah.bodies.Plane(), lambda u: r * ring(u) + b * u, {}),
    "ellipsoid": (ah.bodies.Ellipsoid("a", "b", "c"), ah.bodies.Plane(), ellipsoid, {}),
    "convex": (
        ah.bodies.Convex("sqrt(a^2*g1^2 + b^2*g2^2 + c^2*g3^2) + a*g2", round="r"), ah.bodies.Plane(),
        lambda u: ellipsoid(u) + np.array([0, a, 0]) + r * u, {},
    ),
    "ellipsoid on a slope": (ah.bodies.Ellipsoid("a", "b", "c"), ah.bodies.Plane(slope="alpha"), ellipsoid, {"n": SLOPE}),
    "disc on a turntable": (
        ah.bodies.Disc("r"), ah.bodies.Plane(rotating="Omega"), lambda u: r * ring(u),
        {"support": lambda x, t: Omega * np.cross(E3, x)},
    ),
    "ellipsoid on a tilted turntable": (
        ah.bodies.Ellipsoid("a", "b", "c"), ah.bodies.Plane(normal=[1, 2, 3], rotating="Omega"), ellipsoid,
        {"n": np.array([1, 2, 3]) / np.sqrt(14), "support": lambda x, t: Omega * np.cross([1, 2, 3], x) / np.sqrt(14)},
    ),
    "torus on a shaking table": (
        ah.bodies.Torus("r", "b"), ah.bodies.Plane(moving=["a*sin(k*t)", 0, "b*t + c*sin(t)"]), lambda u: r * ring(u) + b * u,
        {"support": lambda x, t: np.array([a * 2 * np.cos(2 * t), 0 * t, b + c * np.cos(t)])},
    ),
}  # fmt: skip


def state(x, q, v, w) -> dict[str, float]:
    names = [*"xyz", "q0", "q1", "q2", "q3", "x'", "y'", "z'", "w1", "w2", "w3"]
    return dict(zip(names, map(float, [*x, *q, *v, *w]), strict=True))


def accelerations(system: ah.System, start) -> tuple[np.ndarray, np.ndarray, float]:
    # The velocity of the origin follows from no slip; that it is the one of the other road is checked too.
    given = {name: value for name, value in start.items() if name not in ("x'", "y'", "z'")}
    run = system.simulate(given, times=[0, 1e-3], tolerance=1e-9, integrator="scipy")
    assert max(abs(float(run[name][0]) - start[name]) for name in ("x'", "y'", "z'")) < 1e-13
    rows = [[float(run[f"{w}'"][0]) for w in names] for names in (("x'", "y'", "z'"), ("w1", "w2", "w3"))]
    return np.array(rows[0]), np.array(rows[1]), float(run.normal_forces[0, 0])


@pytest.mark.exhaustive_for("convex", "disc", "ellipsoid on a slope", "ellipsoid on a tilted turntable")
@pytest.mark.parametrize("case", PLANES)
def test_accelerations_and_the_normal_force_are_newtons(case) -> None:
    surface, on, point, more = PLANES[case]
    n = more.get("n", E3)
    other = Body(VALUES["m"], INERTIA, on_plane(point, n), centre=CENTRE, **{k: f for k, f in more.items() if k != "n"})
    system, rng = built(surface, on), np.random.default_rng(3)
    for _ in range(3):
        q, w, x = rng.normal(size=4), rng.normal(size=3), rng.normal(size=3)
        q /= np.linalg.norm(q)
        R = turn(q)
        x -= n * (n @ (x + other.arm(R, x)))
        v = other.rolling(R, x, w)
        expected = other.solve(R, x, v, w)
        dv, dw, push = accelerations(system, state(x, q, v, w))
        scale = np.abs(expected).max()
        assert np.abs(dv - expected[:3]).max() < 1e-12 * scale
        assert np.abs(dw - expected[3:6]).max() < 1e-12 * scale
        assert abs(push - n @ expected[6:]) < 1e-12 * scale


CURVED = {
    "on a ball": (ah.bodies.Ball("D", rotating=[0, 0.5, "Omega"]), lambda p: p / (D + r), D + r),
    "in a bowl": (ah.bodies.Bowl("D", rotating=[0, 0.5, "Omega"]), lambda p: -p / (D - r), D - r),
    "in a cylinder": (ah.bodies.Cylinder("D", rotating="Omega"), lambda p: -p * [1, 1, 0] / (D - r), D - r),
    "on a log": (ah.bodies.Cylinder("D", 1, inside=False, rotating="Omega"), lambda p: p * [0, 1, 1] / (D + r), D + r),
}
SPIN = {
    "on a ball": [0, 0.5, Omega], "in a bowl": [0, 0.5, Omega], "in a cylinder": [0, 0, Omega], "on a log": [Omega, 0, 0],
}  # fmt: skip


@pytest.mark.exhaustive_for("in a bowl", "on a ball")
@pytest.mark.parametrize("case", CURVED)
def test_an_unbalanced_ball_on_a_curved_support(case) -> None:
    on, normal, apart = CURVED[case]
    other = Body(
        VALUES["m"], INERTIA, lambda R, x: -r * normal(x), centre=CENTRE, support=lambda x, t: np.cross(SPIN[case], x)
    )
    system, rng = built(ah.bodies.Sphere("r"), on), np.random.default_rng(5)
    for _ in range(3):
        q, w, x = rng.normal(size=4), rng.normal(size=3), rng.normal(size=3)
        q /= np.linalg.norm(q)
        along = np.array({"in a cylinder": [0, 0, 1], "on a log": [1, 0, 0]}.get(case, [0, 0, 0]))
        away = x - along * (along @ x)
        x = along * (along @ x) + apart * away / np.linalg.norm(away)
        R = turn(q)
        v = other.rolling(R, x, w)
        expected = other.solve(R, x, v, w)
        dv, dw, push = accelerations(system, state(x, q, v, w))
        scale = np.abs(expected).max()
        assert np.abs(dv - expected[:3]).max() < 1e-12 * scale
        assert np.abs(dw - expected[3:6]).max() < 1e-12 * scale
        assert abs(push - normal(x) @ expected[6:]) < 1e-12 * scale


@pytest.mark.exhaustive
def test_a_sphere_in_a_cup_by_its_parallel_surface_is_the_one_in_a_bowl() -> None:
    """Near its bottom a bowl is the surface F = distance - |p|, whatever function describes it."""
    bowl, cup = (
        built(ah.bodies.Sphere("r"), ah.bodies.Bowl("D")),
        built(ah.bodies.Sphere("r"), ah.bodies.ParallelSurface("sqrt((D - r)^2 - x^2 - y^2) + z")),
    )
    x = np.array([0.4, 0.3, -np.sqrt((D - r) ** 2 - 0.25)])
    other = Body(VALUES["m"], INERTIA, lambda R, x: r * x / (D - r))
    q = np.array([0.5, -0.1, 0.7, 0.5]) / 1.0
    v = other.rolling(turn(q), x, np.array([0.3, 0.2, 1.0]))
    start = state(x, q, v, [0.3, 0.2, 1.0])
    one, two = accelerations(bowl, start), accelerations(cup, start)
    assert all(np.abs(s - t).max() < 1e-11 for s, t in zip(one, two, strict=True))


@pytest.mark.parametrize("case", ["ellipsoid", "torus on a shaking table"])
def test_motions_are_newtons(case) -> None:
    surface, on, point, more = PLANES[case]
    other = Body(VALUES["m"], INERTIA, on_plane(point), centre=CENTRE, **more)
    q, w = np.array([0.6, 0.48, 0.64, 0.0]), np.array([0.5, -1.0, 0.8])
    x = np.array([0.2, 0.1, 0.0])
    x[2] = -other.arm(turn(q), x)[2]
    v = other.rolling(turn(q), x, w)
    run = built(surface, on).simulate(state(x, q, v, w), times=[0, 0.5, 1.0])

    def rates(t, y):
        x, q, v, w = y[:3], y[3:7], y[7:10], y[10:]
        found = other.solve(turn(q / np.linalg.norm(q)), x, v, w, t)
        dq = np.concatenate([[-q[1:] @ w], q[0] * w + np.cross(q[1:], w)]) / 2
        return np.concatenate([v, dq, found[:6]])

    sol = solve_ivp(
        rates, (0, 1), np.concatenate([x, q, v, w]), method="DOP853", rtol=1e-13, atol=1e-14, t_eval=[0.5, 1]
    )
    names = [*"xyz", "q0", "q1", "q2", "q3", "x'", "y'", "z'", "w1", "w2", "w3"]
    assert max(np.abs(run[name].values[1:] - sol.y[k]).max() for k, name in enumerate(names)) < 1e-11
    assert abs(run.constraint_residual).max() < 1e-13


@pytest.mark.parametrize("case", ["disc on a turntable", "ellipsoid on a slope"])
def test_every_principle_agrees(case) -> None:
    surface, on, _, _ = PLANES[case]
    verification = built(surface, on, np.zeros(3)).verify(states=2)
    assert verification.agree, str(verification)
    assert len(verification.principles) >= 9


def test_files_hold_what_was_built(tmp_path) -> None:
    surface, on, _, _ = PLANES["torus on a shaking table"]
    system = built(surface, on)
    system.save(tmp_path / "torus.toml")
    assert ah.load(tmp_path / "torus.toml") == system


def test_the_letters_of_bodies_are_parameters_without_values() -> None:
    body = ah.bodies.RigidBody("ball", mass="m", inertia=["I1", "I2", "I3"])
    contacts = [ah.bodies.Rolling(body, surface=ah.bodies.Sphere("r"), on=ah.bodies.Plane(rotating="Omega"))]
    ball = ah.System(bodies=[body], gravity="g", contacts=contacts)
    assert ball.parameters == dict.fromkeys(["I1", "I2", "I3", "Omega", "g", "m", "r"])
    assert ball.verify(states=1).agree
    with blames(ah.errors.StateError, "I1"):
        ball.simulate({"x": 0, "y": 0, "q0": 1, "q1": 0, "q2": 0, "q3": 0, "w1": 1, "w2": 0, "w3": 0}, until=1)
    with blames(ah.errors.DeclarationError, "k"):
        ah.System(bodies=[body], gravity="g", contacts=contacts, potential="k*x^2")
