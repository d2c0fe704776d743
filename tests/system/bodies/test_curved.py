"""Bodies of any shape on curved supports: the contact builder, and Newton's and Euler's equations in numbers."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import anholonomy as ah
from anholonomy.algebra.expressions import symbol
from anholonomy.system.frames.adapted import adapted_frame
from tests.system.bodies.newton_euler import STEP, Body, turn
from tests.system.bodies.rolling_bodies import CENTRE, INERTIA, VALUES, D, Omega, a, b, built, ellipsoid, r, ring
from tests.wording import blames, pinned

NAMES = [*"xyz", "q0", "q1", "q2", "q3", "x'", "y'", "z'", "w1", "w2", "w3"]
TILTED = np.array([0.0, 0.5, Omega])
ALONG, UP = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])


def normalised(v):
    return v / np.sqrt(v @ v)


def paraboloid(rng):
    x, y = rng.normal(size=2)
    return np.array([x, y, (x * x + y * y) / (2 * D)])


def on_sphere(rng):
    p = rng.normal(size=3) + 2 * UP  # the pole is below
    return D * normalised(p)


def round_axis(axis):
    def place(rng):
        p = rng.normal(size=3)
        away = p - axis * (axis @ p)
        return axis * (axis @ p) + D * normalised(away)

    return place


def disc(u):
    return r * ring(u)


def torus(u):
    return r * ring(u) + b * normalised(u)


# By name: surface, support, the body's point with a normal, the support's slope, a place on it, its angular velocity.
CASES = {
    "ellipsoid in a turning bowl": (
        ah.bodies.Ellipsoid("a", "b", "c"), ah.bodies.Bowl("D", rotating=[0, 0.5, "Omega"]), ellipsoid,
        lambda p: -p, lambda rng: on_sphere(rng) * [1, 1, -1], TILTED,
    ),
    "disc on a turning ball": (
        ah.bodies.Disc("r"), ah.bodies.Ball("D", rotating=[0, 0.5, "Omega"]), disc, lambda p: p, on_sphere, TILTED,
    ),
    "torus in a turning cylinder": (
        ah.bodies.Torus("r", "b"), ah.bodies.Cylinder("D", rotating="Omega"), torus,
        lambda p: -p * [1, 1, 0], round_axis(UP), Omega * UP,
    ),
    "ellipsoid on a log": (
        ah.bodies.Ellipsoid("a", "b", "c"), ah.bodies.Cylinder("D", 1, inside=False), ellipsoid,
        lambda p: p * [0, 1, 1], round_axis(ALONG), 0 * UP,
    ),
    "convex body in a turning paraboloid": (
        ah.bodies.Convex("sqrt(a^2*g1^2 + b^2*g2^2 + c^2*g3^2) + a*g2", round=0.1),
        ah.bodies.LevelSurface("z - (x^2 + y^2)/(2*D)", rotating=[0, 0, "Omega"]),
        lambda u: ellipsoid(u) + np.array([0, a, 0]) + 0.1 * normalised(u),
        lambda p: np.array([-p[0] / D, -p[1] / D, 1 + 0 * p[2]]), paraboloid, Omega * UP,
    ),
    "sphere off centre in a paraboloid": (
        ah.bodies.Sphere("r", at=[0.1, 0, -0.2]), ah.bodies.LevelSurface("z - (x^2 + y^2)/(2*D)"),
        lambda u: r * normalised(u) + np.array([0.1, 0, -0.2]),
        lambda p: np.array([-p[0] / D, -p[1] / D, 1 + 0 * p[2]]), paraboloid, 0 * UP,
    ),
}  # fmt: skip


class Sought:
    """The point of contact by Newton's method, $x + R\\,X(-R^T n(p)) = p$, with a derivative along complex steps."""

    def __init__(self, point, slope, start) -> None:
        self.point, self.slope, self.place = point, slope, np.array(start, dtype=float)

    def miss(self, R, x, p):
        return x + R @ self.point(-(R.T @ normalised(self.slope(p)))) - p

    def jacobian(self, R, x, p):
        return np.column_stack([self.miss(R, x, p + 1j * STEP * e).imag / STEP for e in np.eye(3)])

    def __call__(self, R, x):
        """The arm to the contact; the body is known to touch."""
        for _ in range(20):
            J = self.jacobian(R.real, x.real, self.place)
            self.place = self.place - np.linalg.solve(J, self.miss(R.real, x.real, self.place))
        p = self.place - np.linalg.solve(J, self.miss(R, x, self.place))
        return (p if np.iscomplexobj(R) else p.real) - x


def touching(case, rng):
    """Another road to the accelerations, and a state in which the body touches and rolls."""
    _, _, point, slope, place, spin = CASES[case]
    q, w, p = rng.normal(size=4), rng.normal(size=3), place(rng)
    q /= np.linalg.norm(q)
    R = turn(q)
    x = p - R @ point(-(R.T @ normalised(slope(p))))
    sought = Sought(point, slope, p)
    other = Body(VALUES["m"], INERTIA, sought, centre=CENTRE, support=lambda y, t: np.cross(spin, y))
    v = other.rolling(R, x, w)
    values = dict(zip(NAMES, map(float, [*x, *q, *v, *w]), strict=True))
    values |= dict(zip(["contact_x", "contact_y", "contact_z"], map(float, p), strict=True))
    if not CASES[case][0].is_sphere:
        seen = R.T @ normalised(slope(p))
        values |= {f"facing_{k}": float(value) for k, value in enumerate(seen, 1)}
    return other, (R, x, v, w), normalised(slope(p)), values


def rolling(case) -> ah.System:
    return built(*CASES[case][:2])


@pytest.mark.exhaustive_for(
    "convex body in a turning paraboloid",
    "disc on a turning ball",
    "ellipsoid in a turning bowl",
    "ellipsoid on a log",
    "sphere off centre in a paraboloid",
    "torus in a turning cylinder",
)
@pytest.mark.parametrize("case", CASES)
def test_accelerations_and_the_normal_force_are_newtons(case) -> None:
    system, rng = rolling(case), np.random.default_rng(4)
    for _ in range(3):
        other, (R, x, v, w), n, start = touching(case, rng)
        expected = other.solve(R, x, v, w)
        # The velocities of the origin and of the contact follow from no slip.
        given = {name: value for name, value in start.items() if name not in ("x'", "y'", "z'")}
        run = system.simulate(given, times=[0, 1e-3], tolerance=1e-9, integrator="scipy")
        found = [float(run[f"{name}'"][0]) for name in ("x'", "y'", "z'", "w1", "w2", "w3")]
        scale = np.abs(expected).max()
        assert max(abs(float(run[name][0]) - start[name]) for name in ("x'", "y'", "z'")) < 1e-12
        assert np.abs(np.array(found) - expected[:6]).max() < 1e-11 * scale
        assert abs(float(run.normal_forces[0, 0]) - n @ expected[6:]) < 1e-11 * scale


@pytest.mark.exhaustive_for("ellipsoid in a turning bowl", "torus in a turning cylinder")
@pytest.mark.parametrize("case", ["ellipsoid in a turning bowl", "torus in a turning cylinder"])
def test_motions_are_newtons(case) -> None:
    other, _, _, start = touching(case, np.random.default_rng(4))
    run = rolling(case).simulate(start, times=[0, 0.4, 0.8])

    def rates(t, y):
        x, q, v, w = y[:3], y[3:7], y[7:10], y[10:]
        found = other.solve(turn(q / np.linalg.norm(q)), x, v, w, t)
        dq = np.concatenate([[-q[1:] @ w], q[0] * w + np.cross(q[1:], w)]) / 2
        return np.concatenate([v, dq, found[:6]])

    begin = np.array([start[name] for name in NAMES])
    sol = solve_ivp(rates, (0, 0.8), begin, method="DOP853", rtol=1e-13, atol=1e-14, t_eval=[0.4, 0.8])
    assert max(np.abs(run[name].values[1:] - sol.y[k]).max() for k, name in enumerate(NAMES)) < 1e-10
    assert abs(run.constraint_residual).max() < 1e-12


@pytest.mark.exhaustive
def test_every_principle_agrees() -> None:
    verification = rolling("torus in a turning cylinder").verify(states=1)
    assert verification.agree, str(verification)
    assert len(verification.principles) >= 7


@pytest.mark.exhaustive
def test_a_sphere_needs_no_coordinates_of_its_contact_in_a_bowl_but_may_have_them() -> None:
    """The bowl by its equation, with the contact sought, and in closed form."""
    level = built(ah.bodies.Sphere("r"), ah.bodies.LevelSurface("(D^2 - x^2 - y^2 - z^2)/(2*D)"))
    bowl = built(ah.bodies.Sphere("r"), ah.bodies.Bowl("D"))
    x = np.array([0.4, 0.3, -np.sqrt((D - r) ** 2 - 0.25)])
    start = dict(zip(NAMES[:7], [*map(float, x), 0.5, -0.1, 0.7, 0.5], strict=True)) | {"w1": 0.3, "w2": 0.2, "w3": 1}
    places = dict(zip(["contact_x", "contact_y", "contact_z"], map(float, x * D / (D - r)), strict=True))
    one = bowl.simulate(start, times=[0, 1.0])
    two = level.simulate({**start, **places}, times=[0, 1.0])
    assert max(abs(float(one[name][1] - two[name][1])) for name in NAMES) < 1e-11
    assert abs(float(one.normal_forces[1, 0] - two.normal_forces[1, 0])) < 1e-10


@pytest.mark.exhaustive
def test_what_touching_determines_may_be_left_out() -> None:
    attitude = {"q0": 0.8, "q1": 0.6, "q2": 0, "q3": 0, "w1": 1, "w2": 2, "w3": 3}
    system = rolling("convex body in a turning paraboloid")
    _, _, point, slope, _, _ = CASES["convex body in a turning paraboloid"]
    p = np.array([0.1, 0.2, 0.05 / (2 * D)])
    R = turn(np.array([0.8, 0.6, 0, 0]))
    expected = p - R @ point(-(R.T @ normalised(slope(p))))
    start = system.simulate({**attitude, "contact_x": 0.1, "contact_y": 0.2}, times=[0, 1e-3])
    assert max(abs(float(start[name][0]) - value) for name, value in zip("xyz", expected, strict=True)) < 1e-14
    again = system.simulate({**attitude, "x": float(expected[0]), "y": float(expected[1])}, times=[0, 1e-3])
    assert max(abs(float(again[f"contact_{name}"][0]) - value) for name, value in zip("xyz", p, strict=True)) < 1e-13
    with blames(ah.errors.StateError, "contact_y"):
        system.simulate({**attitude, "contact_x": 0.1}, until=1)


@pytest.mark.exhaustive
def test_the_pole_of_the_tangents_can_be_moved() -> None:
    """A ball that runs a loop in a bowl passes under the top, where the usual tangents fail."""
    high = {"x": 0, "y": 0, "z": D - r, "q0": 1, "q1": 0, "q2": 0, "q3": 0, "w1": 0, "w2": 15, "w3": 0.5}
    loop = built(ah.bodies.Sphere("r"), ah.bodies.Bowl("D", pole=[0, 1, 0]), centre=np.zeros(3))
    run = loop.simulate(high, until=3, project=True)
    assert run.is_complete
    assert float(run["z"].min()) < -0.99 * (D - r)
    assert float(abs(run.energy / run.energy[0] - 1).max()) < 1e-12
    ball = ah.bodies.RigidBody("ball", mass=1, inertia=[0.004] * 3)

    def through_the_top(**words: object) -> ah.Motion:
        touch = ah.bodies.Rolling(ball, surface=ah.bodies.Sphere(0.1), on=ah.bodies.Bowl(1.1, **words))
        system = ah.System(bodies=[ball], gravity=9.81, contacts=[touch])
        return system.simulate({**high, "z": -1, "w2": 80, "w3": 0}, until=1)

    usual, moved = through_the_top(), through_the_top(pole=[0, 1, 0])
    assert moved.is_complete
    if usual.is_complete:  # the one instant at which the tangents fail may lie between two steps
        assert all(abs(float(usual[q][-1] - moved[q][-1])) < 1e-9 for q in "xyz")
    else:
        pinned(usual.outcome, "pole")


@pytest.mark.parametrize(
    ("make", "names"),
    [
        (lambda: ah.bodies.LevelSurface("z - t"), ("t",)),
        (lambda: ah.bodies.LevelSurface("a*b"), ()),
        (lambda: ah.bodies.LevelSurface("z - x^2", rotating=[0, 0, 1]), ()),
        (lambda: ah.bodies.Bowl("D", pole=[0, 0, 0]), ("pole",)),
        (
            lambda: built(ah.bodies.Disc("r"), ah.bodies.ParallelSurface("z - x^2")),
            ("LevelSurface",),
        ),
    ],
)
def test_refusals(make, names) -> None:
    with blames(ah.Error, *names):
        make()


def test_a_ball_rolls_on_a_plane_that_tilts() -> None:
    """Seen from the plane, which turns about the y axis with the rate k, there are Coriolis' and centrifugal forces."""
    k, mass, inertia = 0.4, VALUES["m"], 0.3
    ball = ah.bodies.RigidBody("ball", mass="m", inertia=[inertia] * 3)
    system = ah.System(
        name="tilting", bodies=[ball], gravity="g", parameters=VALUES,
        contacts=[ah.bodies.Rolling(ball, surface=ah.bodies.Sphere("r"), on=ah.bodies.Plane(slope="0.4*t"))],
    )  # fmt: skip
    start = {"x": 0.3, "y": 0, "q0": 1, "q1": 0, "q2": 0, "q3": 0, "w1": 0, "w2": 0.5, "w3": 0}
    run = system.simulate(start, times=[0, 1, 2])
    # s is the place along the slope, down where it is positive; the ball turns with s'/r beside the plane's k, so that
    # (m + I/r^2) s'' = m (k^2 s + g sin(k t)), its angular acceleration being s''/r; at rest r k is added to s'.
    share = mass / (mass + inertia / r**2)
    rate = k * np.sqrt(share)
    forced = -share * 9.81 / (k**2 + rate**2)
    t = run.time.values
    slope = (0.5 - k) * r - forced * k
    along = 0.3 * np.cosh(rate * t) + slope / rate * np.sinh(rate * t) + forced * np.sin(k * t)
    place = run["x"].values * np.cos(k * t) - run["z"].values * np.sin(k * t)
    assert np.abs(place - along).max() < 1e-12


def test_a_rolling_body_is_known_by_its_rotation() -> None:
    """Whatever is largest at a place, the speeds are those of the group, which fail nowhere."""
    system, rng = (
        built(ah.bodies.Sphere("r"), ah.bodies.Bowl("D")).with_parameters(r=20.0, D=100.0),
        np.random.default_rng(2),
    )
    for _ in range(5):
        q, p = normalised(rng.normal(size=4)), on_sphere(rng) * [1, 1, -1] * 80 / D
        point = dict(zip(NAMES[:7], [*p, *q], strict=True)) | VALUES | {"r": 20.0, "D": 100.0, "t": 0.0}
        frame = adapted_frame(system.model, {symbol(name): float(value) for name, value in point.items()}, strict=True)
        assert [u.name for u in frame.speeds] == ["w1", "w2", "w3"]
