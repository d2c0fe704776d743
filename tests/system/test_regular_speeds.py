"""Speeds, the software's and the user's, that are regular wherever the constraints are."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
import sympy
from sympy.parsing.sympy_parser import parse_expr

import anholonomy as ah
from anholonomy.system.declaration.toml import from_toml, to_toml
from tests.wording import blames

FORWARD, ACROSS = "cos(theta)*x' + sin(theta)*y'", "-sin(theta)*x' + cos(theta)*y'"
STEERED = "-sin(theta+delta)*x' + cos(theta+delta)*y' + l*cos(delta)*theta' = 0"
DRIVE = {
    "constraints": [f"{FORWARD} - b*theta' = r*phil'", f"{FORWARD} + b*theta' = r*phir'", f"{ACROSS} = 0"],
    "coordinates": ["x", "y", "theta", "phil", "phir"], "parameters": {"b": 0.2, "r": 0.1},
}  # fmt: skip
CASTER = {
    "coordinates": [*DRIVE["coordinates"], "delta", "phic"],
    "constraints": [
        *DRIVE["constraints"], "cos(theta+delta)*x' + sin(theta+delta)*y' + l*sin(delta)*theta' = rc*phic'",
        "-sin(theta+delta)*x' + cos(theta+delta)*y' + l*cos(delta)*theta' - d*(theta' + delta') = 0",
    ],
    "parameters": {"b": 0.2, "r": 0.1, "l": 0.3, "d": 0.05, "rc": 0.04},
}  # fmt: skip
VEHICLES = {
    "differential drive": DRIVE,
    "caster": CASTER,
    "car": {
        "coordinates": ["x", "y", "theta", "delta", "p1", "p2"], "parameters": {"l": 1.0, "r": 0.3},
        "constraints": [
            f"{ACROSS} = 0", STEERED, f"{FORWARD} = r*p1'",
            "cos(theta+delta)*x' + sin(theta+delta)*y' + l*sin(delta)*theta' = r*p2'",
        ],
    },
    "roller racer": {
        "coordinates": ["x", "y", "theta", "phi"], "parameters": {"a": 1.0, "b": 0.5},
        "constraints": [
            f"{ACROSS} = 0", "-sin(theta+phi)*x' + cos(theta+phi)*y' + (a*cos(phi) + b)*theta' + b*phi' = 0",
        ],
    },
    "car with a trailer": {
        "coordinates": ["x", "y", "theta", "delta", "psi"], "parameters": {"l": 1.0, "d": 2.0},
        "constraints": [f"{ACROSS} = 0", STEERED, "-sin(psi)*x' + cos(psi)*y' - d*psi' = 0"],
    },
}  # fmt: skip


def system(name: str, **words) -> ah.System:
    declared = VEHICLES[name]
    kinetic = " + ".join(f"{q}'^2" for q in declared["coordinates"])
    return ah.System(name=name, lagrangian=f"({kinetic})/2 + theta'*y'/5 - x/3", **declared, **words)


def by_multipliers(model: ah.System, q: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Accelerations from the saddle-point system, by the differences of a Lagrangian and constraints in numbers."""
    n, names = len(q), [c.name for c in model.coordinates]

    def rows(q: np.ndarray) -> np.ndarray:
        known = dict(zip(names, q, strict=True)) | model.parameters
        text = VEHICLES[model.name]["constraints"]
        unit = np.eye(n)
        return np.array([[_value(row, known, dict(zip(names, e, strict=True))) for e in unit] for row in text])

    A, h = rows(q), 1e-6
    drift = (rows(q + h * w) - rows(q - h * w)) @ w / (2 * h)
    M = np.eye(n)
    M[1, 2] = M[2, 1] = 1 / 5
    force = np.zeros(n)
    force[0] = -1 / 3
    K = np.block([[M, -A.T], [A, np.zeros((len(A), len(A)))]])
    return np.linalg.solve(K, np.concatenate([force, -drift]))[:n]


def _value(row: str, known: dict, velocities: dict) -> float:
    names = sorted([*known, *(f"{name}_dot" for name in velocities)])
    values = known | {f"{name}_dot": value for name, value in velocities.items()}
    return float(_function(row, tuple(names))(*(values[name] for name in names)))


@cache
def _function(row: str, names: tuple[str, ...]):
    left, right = row.replace("'", "_dot").split("=")
    symbols = {name: sympy.Symbol(name) for name in names}
    return sympy.lambdify(list(symbols.values()), parse_expr(f"({left}) - ({right})", symbols), "math")


@pytest.mark.parametrize("heading", [0.0, math.pi / 2, math.pi, -math.pi / 2, 0.4])
@pytest.mark.parametrize("name", VEHICLES)
def test_chosen_speeds_are_regular_at_right_angles(name: str, heading: float) -> None:
    model = system(name)
    equations = model.derive()
    assert equations.data.frame.pivots == ()
    assert not equations.data.frame.may_fail
    size = len(model.coordinates)
    for others in (0.0, math.pi / 2, 0.3):
        x = np.full(len(equations.state), others)
        x[2], x[size:] = heading, [0.7, -0.4][: len(x) - size]
        w = equations.function(of="velocities")(0.0, x)
        found = equations.function(of="accelerations")(0.0, [*x[:size], *w])
        np.testing.assert_allclose(found, by_multipliers(model, x[:size], w), rtol=1e-6, atol=1e-6)


def test_regular_speeds_of_many_velocities_are_finite_at_every_heading() -> None:
    model = system("caster")
    equations = model.derive("hamel", speeds=["phil'", "phir'"])
    assert equations.data.frame.pivots == ()
    for heading in (0.0, math.pi / 2, math.pi, 0.4):
        q = np.array([0, 0, heading, 0, 0, 0.6, 0])
        w = equations.function(of="velocities")(0.0, [*q, 0.8, 0.9])
        expected = by_multipliers(model, q, w)
        rates = equations.function()(0.0, [*q, 0.8, 0.9])
        np.testing.assert_allclose(rates[-2:], expected[3:5], rtol=1e-6)
        state = dict(zip([c.name for c in model.coordinates], q, strict=True)) | {"phil'": 0.8, "phir'": 0.9}
        np.testing.assert_allclose(list(equations.accelerations(state).values()), expected, rtol=1e-6, atol=1e-6)


def test_speeds_are_chosen_once() -> None:
    """Derivation, export, simulation and files use them."""
    chosen = system("caster", speeds=["phil'", "phir'"])
    once = system("caster").derive("hamel", speeds=["phil'", "phir'"])
    x = [0, 0, 0.2, 0, 0, 0.6, 0, 0.8, 0.9]
    assert [str(u) for u in chosen.derive().speeds] == ["phil'", "phir'"]
    np.testing.assert_allclose(chosen.derive("kane").function()(0.0, x), once.function()(0.0, x), rtol=1e-12)
    assert ah.System(**from_toml(to_toml(chosen.model))) == chosen
    assert chosen.verify(states=2).agree


def test_speeds_may_be_defined() -> None:
    drive = system("differential drive", speeds={"v": FORWARD, "w": "theta'"})
    printed = str(drive.derive())
    assert "x' = v*cos(theta)" in printed
    assert "phil' = (v - b*w)/r" in printed
    assert ah.System(**from_toml(to_toml(drive.model))).derive().speeds == drive.derive().speeds


@pytest.mark.parametrize(
    ("speeds", "names"),
    [
        (["x'", "y'"], ()),
        (["theta'"], ()),
        (["theta'^2", "x'"], ()),
        ({"b": "theta'", "v": "x'"}, ()),
        ("orthonormal", ()),
    ],
)
def test_speeds_that_are_none(speeds: object, names: tuple[str, ...]) -> None:
    with blames(ah.errors.DeclarationError, *names):
        system("differential drive", speeds=speeds)


def test_a_group_beside_a_coordinate_has_no_pole() -> None:
    """w1 = R33*s' is solved for w1, not for s'."""
    model = ah.System(group="SO3", coordinates=["s"], kinetic=[1, 2, 3, 1], constraints=["w1 = R33*s'"])
    assert not model.derive().data.frame.may_fail
    start = {"q0": 1, "q1": 0, "q2": 0, "q3": 0, "s": 0, "w2": 1, "w3": 0.5, "s'": 0.3}
    run = model.simulate(start, until=5)
    assert run.is_complete
    full = model.simulate(start, until=5, by="lagrange-dalembert")
    assert abs(float(run["s"][-1]) - float(full["s"][-1])) < 1e-9


def test_powers_are_not_multiplied_out() -> None:
    """(x - 1000)^7/7 - y - y^3/3 is constant: digits are left of it only where the power stays a power."""
    model = ah.System(
        name="power", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2", constraints=["(x-1000)^6*x' = (1+y^2)*y'"]
    )
    run = model.simulate({"x": 1000.5, "y": 1.5, "x'": 1}, until=1)
    x, y = (run[name].values for name in ("x", "y"))
    kept = (x - 1000) ** 7 / 7 - y - y**3 / 3
    assert run.is_complete
    assert abs(kept - kept[0]).max() < 1e-10
    assert y[-1] > 1.6


def test_a_frame_that_must_last_is_farthest_from_singular_where_it_was_chosen() -> None:
    """A ball that may not pivot: whichever body rate is solved for, its coefficient is nearly the largest of (R31, R32, R33)."""
    ball = ah.catalogue.rubber_ball()
    draw = np.random.default_rng(4)
    for _ in range(6):
        q = draw.normal(size=4)
        q /= np.linalg.norm(q)
        at = {f"q{k}": float(v) for k, v in enumerate(q)} | {"x": 0, "y": 0, "w1": 0, "w2": 0, "w3": 0}
        frame = ball.derive("hamel", at=at).data.frame
        third = [2 * (q[1] * q[3] - q[0] * q[2]), 2 * (q[2] * q[3] + q[0] * q[1]), 1 - 2 * (q[1] ** 2 + q[2] ** 2)]
        solved = ({"w1", "w2", "w3"} - {u.name for u in frame.speeds}).pop()
        assert abs(third[int(solved[1]) - 1]) > 0.5 * max(map(abs, third))


def test_a_velocity_that_is_a_speed_is_that_velocity() -> None:
    """Casters written as products of a unit vector and a velocity: what is constant is seen to be, and x' is x'."""
    caster = (
        "-sin(theta+{k})*(x' - l*sin(theta)*theta' + d*sin(theta+{k})*(theta' + {k}')) + "
        "cos(theta+{k})*(y' + l*cos(theta)*theta' - d*cos(theta+{k})*(theta' + {k}')) = 0"
    )
    model = ah.System(
        name="trolley",
        coordinates=["x", "y", "theta", "a", "b", "c", "e"],
        lagrangian="(x'^2 + y'^2 + theta'^2 + a'^2 + b'^2 + c'^2 + e'^2)/2",
        constraints=[caster.format(k=k) for k in "abce"],
        parameters={"l": 0.7, "d": 0.1},
        speeds=["x'", "y'", "theta'"],
    )
    equations = model.derive()
    assert equations.data.frame.pivots == ()
    assert [row[:3] for row in equations.data.frame.span_ba] == [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
    q, w = [0, 0, 0.3, 0, math.pi / 2, 0.4, math.pi], [0.2, -0.5, 0.9]
    turning = [
        (math.cos(h) * w[1] - math.sin(h) * w[0] + 0.7 * math.cos(a) * w[2]) / 0.1 for a in q[3:] for h in [0.3 + a]
    ]
    full = [*w, *(rate - w[2] for rate in turning)]
    np.testing.assert_allclose(equations.function(of="velocities")(0.0, [*q, *w]), full, atol=1e-12)
    np.testing.assert_allclose(equations.function(of="state")(0.0, [*q, *full]), [*q, *w], atol=1e-12)
