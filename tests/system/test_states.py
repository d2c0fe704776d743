"""Starts: what the constraints determine may be left out; what violates them can be projected to the nearest."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

import anholonomy as ah
from anholonomy.algebra.numbers.balls import precision
from anholonomy.system.states.complete_state import complete_state
from anholonomy.system.states.newton import evaluate_at
from tests.wording import blames

NUMBERS = st.floats(-3, 3).map(lambda value: round(value, 6))


def plane(*constraints, names="xyz", **words):
    lagrangian = " + ".join(f"{q}'^2/2" for q in names)
    return ah.System(name="s", coordinates=list(names), lagrangian=lagrangian, constraints=constraints, **words)


def completed(system, state, **options):
    with precision(30):
        return {s.name: float(v.mid()) for s, v in complete_state(system.model, state, **options).items()}


def residual(system, state, **options):
    """The largest residual in 30 digits, positions included."""
    with precision(30):
        point = complete_state(system.model, state, **options)
        functions = [c.expression for c in system.constraints] + [c.position for c in system.constraints if c.position]
        return max(float(abs(value).mid()) for value in evaluate_at(functions, point))


COORDINATES = {
    "a product": (plane("x*y = 2", "z' = x'"), {"x": 4, "z": 0, "x'": 1}, {"y": 0.5, "y'": -0.125}),
    "two of them": (
        plane("z = 2*x + t", "y = z^3"), {"x": 1, "t": 3, "x'": 1},
        {"z": 5, "y": 125, "z'": 3, "y'": 225},
    ),
    "at its time": (plane("x = sin(t)"), {"y": 0, "z": 0, "t": 0.5, "y'": 0, "z'": 0}, {"x": math.sin(0.5)}),
    "a root that is hard to reach": (plane("exp(x) + x = y"), {"y": 20, "z": 0, "y'": 1, "z'": 0}, {"x": 2.8424389538}),
}  # fmt: skip


@pytest.mark.parametrize("case", COORDINATES)
def test_coordinates_that_equations_determine_may_be_left_out(case):
    system, state, expected = COORDINATES[case]
    found = completed(system, state)
    assert all(found[name] == pytest.approx(value, abs=1e-9) for name, value in expected.items()), found
    assert residual(system, state) < 1e-25


@pytest.mark.parametrize(
    ("constraints", "state", "names"),
    [
        (["x^2 + y^2 = 25"], {"x": 3, "z": 0}, ()),
        (["x^2 + y^2 = 25"], {"x": 6, "z": 0}, ("y", "c1")),
        (["x + y = 1"], {"z": 0}, ("x", "y")),
        (["x + y = 1"], {"x": 0}, ()),
    ],
)
def test_coordinates_that_are_left_open_are_asked_for(constraints, state, names):
    with blames(ah.errors.StateError, *names):
        completed(plane(*constraints), {**state, "x'": 0, "y'": 0, "z'": 0})


LEFT_OUT = {
    "linear": (plane("z' = y*x' - x*y'"), {"x": 1, "y": 2, "z": 0, "x'": 3, "y'": 5}, {"z'": 1}),
    "two of them": (plane("z' = 2*x'", "y' = z'"), {"x": 0, "y": 0, "z": 0, "z'": 4}, {"x'": 2, "y'": 4}),
    "affine": (plane("x' + y' = 3"), {"x": 0, "y": 0, "z": 0, "x'": 1, "z'": 0}, {"y'": 2}),
    "time-dependent": (plane("x' = t*y' + t^2"), {"x": 0, "y": 0, "z": 0, "y'": 1, "z'": 0, "t": 3}, {"x'": 12}),
    "nonlinear": (plane("y'^3 + y' = 10*x'"), {"x": 0, "y": 0, "z": 0, "x'": 3, "z'": 0}, {"y'": 3}),
    "position": (plane("x^2 + y^2 = 25"), {"x": 3, "y": 4, "z": 0, "x'": 4, "z'": 0}, {"y'": -3}),
    "position in time": (plane("x = sin(t)"), {"x": 0, "y": 0, "z": 0, "y'": 4, "z'": 0}, {"x'": 1}),
    "all": (plane("x' = 1", "y' = x", "z' = x + y"), {"x": 2, "y": 3, "z": 0}, {"x'": 1, "y'": 2, "z'": 5}),
    "zero and tiny ones": (
        plane("y'*cos(x) = z'*sin(x)", "x' = 1e-30*z'"),
        {"x": 0, "y": 0, "z": 0, "z'": 1},
        {"y'": 0, "x'": 1e-30},
    ),
    "zero beside others": (
        plane("y'*cos(x) = z'*sin(x)", "x' = y'/3 + z'/7 + 0.1"),
        {"x": 0, "y": 0, "z": 0, "z'": 1},
        {"y'": 0, "x'": 0.1 + 1 / 7},
    ),
    "zero after rounding": (
        plane("x'/3 + y'/7 = x", "z'/11 + x'/13 = x/13"),
        {"x": 0, "y": 0, "z": 0, "x'": 0},
        {"y'": 0, "z'": 0},
    ),
    "zero from a sum": (
        plane("3*x' + y'/7 - 3*z' = 0"),
        {"x": 0, "y": 0, "z": 0, "x'": 0.1, "z'": 0.1},
        {"y'": 0},
    ),
    "parameter in the state": (
        plane("x' = k*y'", parameters=["k"]),
        {"x": 0, "y": 0, "z": 0, "y'": 2, "z'": 0, "k": 3},
        {"x'": 6},
    ),
}


@pytest.mark.parametrize(("system", "state", "expected"), LEFT_OUT.values(), ids=LEFT_OUT.keys())
def test_determined_velocities_may_be_left_out(system, state, expected):
    full = completed(system, state)
    assert {name: full[name] for name in expected} == pytest.approx(expected, rel=1e-14, abs=1e-14)
    assert {name: full[name] for name in state} == pytest.approx(state, rel=1e-14)
    assert residual(system, state) < 1e-28


@pytest.mark.parametrize(
    ("system", "given_", "names"),
    [
        (plane("x'^2 + y'^2 = z'^2"), {"x'": 3, "y'": 4}, ("z'", "-5")),
        (plane("x'^2 + y'^2 = 25"), {"x'": 3, "z'": 0}, ("y'", "-4")),
        (plane("x'^2 = y' + 3", "z' = x'"), {"y'": 1}, ("x'", "z'", "-2")),
        (plane("abs(x') = 2*y'"), {"y'": 1, "z'": 0}, ("x'", "-2")),
    ],
)
def test_a_choice_is_left_to_the_user(system, given_, names):
    with blames(ah.errors.StateError, *names):
        completed(system, {"x": 0, "y": 0, "z": 0, **given_})


def test_the_tip_of_a_cone():
    rest = {"x": 0, "y": 0, "z": 0, "x'": 0, "y'": 0, "z'": 0}
    with blames(ah.errors.StateError, "c1"):
        plane("x'^2 + y'^2 = z'^2").simulate(rest, until=1)


def test_sympy_in_states():
    x, t = sympy.Symbol("x"), sympy.Symbol("t")
    moving, system = sympy.Function("x")(t), plane(names="x")
    expected = {"x": math.pi, "x'": 1 / 3, "t": 0.0}
    assert completed(system, {x: sympy.pi, ah.velocity(x): sympy.Rational(1, 3)}) == expected
    assert completed(system, {moving: sympy.pi, moving.diff(t): sympy.Rational(1, 3)}) == expected
    for bad in (sympy.I, sympy.oo, x):
        with blames(ah.errors.StateError, "x"):
            completed(system, {x: bad, "x'": 0})
    with blames(ah.errors.StateError):
        completed(system, {x: 1, "x'": 0, x**2: 1})


def test_texts_are_exact_numbers():
    system = plane("x' + y' = 0.3")
    assert residual(system, {"x": "1/3", "y": "0.1", "z": 0, "x'": "0.1", "y'": "0.2", "z'": 0}) == 0.0


@pytest.mark.parametrize("number", [1, 1.0, np.float64(1), np.float32(1), np.int64(1), "1", "1.0e0", "2/2"])
def test_every_kind_of_number(number):
    assert completed(plane(names="x"), {"x": number, "x'": 0})["x"] == 1.0


@pytest.mark.parametrize("number", ["1e400", "1e-999999999", "1e999999999", 10**400, "", "0x1", "1e"])
def test_numbers_beyond_a_double_are_refused(number):
    with blames(ah.errors.StateError):
        completed(plane(names="x"), {"x": number, "x'": 0})


def test_small_residuals_are_rounding():
    system = plane("x' + y' = 0.3")
    assert residual(system, {"x": 0, "y": 0, "z": 0, "x'": 0.1, "y'": 0.2, "z'": 0}) < 1e-28
    assert residual(system, {"x": 0, "y": 0, "z": 0, "x'": 0.1, "y'": 0.2 + 1e-11, "z'": 0}) < 1e-28
    with blames(ah.errors.StateError, "c1", "1e-08"):
        completed(system, {"x": 0, "y": 0, "z": 0, "x'": 0.1, "y'": 0.2 + 1e-8, "z'": 0})


@settings(max_examples=40, deadline=None)
@given(place=st.tuples(NUMBERS, NUMBERS, NUMBERS), velocity=st.tuples(NUMBERS, NUMBERS, NUMBERS), t=NUMBERS)
def test_projection_of_velocities_is_orthogonal(place, velocity, t):
    """The correction is a combination of the rows, so no admissible velocity is nearer."""
    system = plane("z' = y*x' - x*y' + sin(t)")
    x, y, _ = place
    given_ = dict(zip(("x", "y", "z", "x'", "y'", "z'", "t"), (*place, *velocity, t), strict=True))
    after = completed(system, given_, project=True)
    assert [after[q] for q in "xyz"] == list(place)
    change = np.array([after[v] for v in ("x'", "y'", "z'")]) - velocity
    row = np.array([-y, x, 1.0])
    np.testing.assert_allclose(np.cross(change, row), 0, atol=1e-12)
    assert residual(system, given_, project=True) < 1e-28


@settings(max_examples=30, deadline=None)
@given(angle=st.floats(0, 6.28), r=st.floats(0.2, 5), velocity=st.tuples(NUMBERS, NUMBERS))
def test_projection_on_a_circle(angle, r, velocity):
    system = plane("x^2 + y^2 = 4", names="xy")
    start = {"x": r * math.cos(angle), "y": r * math.sin(angle), "x'": velocity[0], "y'": velocity[1]}
    after = completed(system, start, project=True)
    assert (after["x"], after["y"]) == pytest.approx((2 * math.cos(angle), 2 * math.sin(angle)), abs=1e-13)
    tangent = np.array([-math.sin(angle), math.cos(angle)])
    expected = tangent * (tangent @ velocity)
    assert (after["x'"], after["y'"]) == pytest.approx(tuple(expected), abs=1e-13)


def test_projection_on_a_nonlinear_constraint_is_radial():
    after = completed(plane("x'^2 + y'^2 = 1", names="xy"), {"x": 0, "y": 0, "x'": 3, "y'": 4}, project=True)
    assert (after["x'"], after["y'"]) == pytest.approx((0.6, 0.8), abs=1e-15)


def test_projection_on_an_ellipse_is_the_nearest_point():
    """The correction is normal to the ellipse at the foot: repeated Newton steps alone do not give that."""
    after = completed(plane("x^2 + 4*y^2 = 4", names="xy"), {"x": 2, "y": 2, "x'": 0, "y'": 0}, project=True)
    x, y = after["x"], after["y"]
    assert x**2 + 4 * y**2 == pytest.approx(4, abs=1e-14)
    assert (2 - x) * 4 * y - (2 - y) * x == pytest.approx(0, abs=1e-9)


def test_an_admissible_start_is_not_moved_by_projecting():
    start = {"x": 0.1, "y": 0.2, "z": 0, "x'": 0.5, "y'": 0.25, "z'": 0.1 * 0.25}
    system = plane("z' = x*y'")
    assert completed(system, start, project=True) == pytest.approx(completed(system, start), abs=1e-16)


def test_nothing_near():
    with blames(ah.errors.StateError):
        completed(plane("x'^2 = y"), {"x": 0, "y": -1, "z": 0, "x'": 1, "y'": 0, "z'": 0}, project=True)


def test_the_nearest_start_in_the_refusal_is_accepted():
    system = plane("z' = 2*x' + 1")
    start = {"x": 0, "y": 0, "z": 0, "x'": 1, "y'": 0, "z'": 0}
    with blames(ah.errors.StateError, "c1", "3", "x'", "-0.2") as caught:
        completed(system, start)
    nearest = dict(item.split("=") for item in str(caught.value).split("one has ")[1].split("; ")[0].split(", "))
    assert completed(system, {**start, **nearest})["z'"] == 0.6


QUATERNION = {"q0": 0.5, "q1": 0.5, "q2": -0.5, "q3": 0.5}
TURNING = {"w1": 1.0, "w2": -2.0, "w3": 0.3}


def top(**words):
    return ah.System(**({"name": "top", "group": "SO3", "kinetic": [1, 2, 3]} | words))


def rates_of(group, place, speeds):
    found = group.rates(list(place.values()), list(speeds.values()))
    return {f"{name}'": float(value) for name, value in zip(place, found, strict=True)}


@pytest.mark.parametrize(
    ("group", "place", "speeds"),
    [
        (ah.groups.SO3(), QUATERNION, TURNING),
        (ah.groups.SE2(), {"x": 1.0, "y": 2.0, "theta": 0.7}, {"v1": 1.0, "v2": -0.2, "w": 0.4}),
        (ah.groups.SL2R(), {"g11": 2.0, "g12": 1.0, "g21": 3.0, "g22": 2.0}, TURNING),
    ],
)
def test_rates_of_coordinates_stand_for_speeds(group, place, speeds):
    r"""$w = 2\bar q\dot q$ for a quaternion, and its like."""
    system = ah.System(name="s", group=group, kinetic=[1, 2, 3])
    found = completed(system, place | rates_of(group, place, speeds))
    assert {name: found[name] for name in speeds} == pytest.approx(speeds, rel=1e-14)
    assert set(found) == {*place, *speeds, "t"}


def test_rates_beside_speeds_and_constraints():
    rates = rates_of(ah.groups.SO3(), QUATERNION, TURNING)
    assert completed(top(), QUATERNION | rates | {"w1": 1.0})["w3"] == pytest.approx(0.3, rel=1e-13)
    some = {name: rates[name] for name in ("q0'", "q1'")}
    assert completed(top(), QUATERNION | some | {"w1": 1.0})["w2"] == pytest.approx(-2, rel=1e-13)
    level = top(constraints=["w3 = 0.3*w1"])
    assert completed(level, QUATERNION | rates)["w3"] == pytest.approx(0.3, rel=1e-13)
    with blames(ah.errors.StateError, "c1"):
        completed(top(constraints=["w3 = w1"]), QUATERNION | rates)
    at_rest = completed(top(), QUATERNION | dict.fromkeys(rates, 0))
    assert (at_rest["w1"], at_rest["w2"], at_rest["w3"]) == (0, 0, 0)


@pytest.mark.parametrize(
    ("given_", "names"),
    [
        ({"q0'": 5.0, "q1'": 0, "q2'": 0, "q3'": 0}, ("q0'", "q1'", "q2'", "q3'")),
        ({"q0'": 5.0}, ("w1", "w2", "w3", "q0'")),
        ({**rates_of(ah.groups.SO3(), QUATERNION, TURNING), "w1": 2}, ()),
        ({**rates_of(ah.groups.SO3(), QUATERNION, TURNING), **TURNING, "w2": 0}, ()),
        ({"q4'": 5.0}, ()),
    ],
)
def test_rates_that_no_speeds_make(given_, names):
    with blames(ah.errors.StateError, *names):
        completed(top(), QUATERNION | given_, project=False)


BLADE = {"x": 0.0, "y": 0.0, "theta": 0.3}


def blade(*constraints):
    return ah.System(name="blade", group="SE2", kinetic=[1, 1, 1], constraints=constraints)


@pytest.mark.parametrize("rates", [("y'", "theta'"), ("x'", "theta'"), ("x'", "w"), ("x'", "v2", "theta'")])
def test_rates_and_constraints_determine_speeds_together(rates):
    r"""$\dot x = v_1\cos\theta - v_2\sin\theta$ alone leaves two speeds open, and with $v_2 = 0$ none."""
    all_of_it = {"v1": 0.5, "v2": 0.0, "w": 1.2}
    moving = rates_of(ah.groups.SE2(), BLADE, all_of_it) | all_of_it
    found = completed(blade("v2 = 0"), BLADE | {name: moving[name] for name in rates})
    assert {name: found[name] for name in all_of_it} == pytest.approx(all_of_it, rel=1e-14)
    assert set(found) == {*BLADE, *all_of_it, "t"}


def test_rates_and_nonlinear_constraints():
    """With v1^2 + v2^2 = 1 the rate x' = 1/2 leaves two directions; with v1*w = 3 the rate of the angle leaves one speed."""
    with blames(ah.errors.StateError):
        completed(blade("v1^2 + v2^2 = 1"), BLADE | {"x'": 0.5, "w": 1})
    found = completed(blade("v1*w = 3", "v2 = 0"), BLADE | {"theta'": 2.0})
    assert (found["v1"], found["w"]) == pytest.approx((1.5, 2.0), rel=1e-14)


@pytest.mark.parametrize(
    ("place", "given_", "names"),
    [
        (BLADE, {"x'": 0.5}, ()),
        (BLADE | {"theta": 0.0}, {"y'": 0.0, "theta'": 1.0}, ("v1",)),
        (BLADE | {"theta": 0.0}, {"y'": 0.5, "theta'": 1.0, "v1": 1.0}, ("c1", "0.5")),
        (BLADE, {"x'": 0.5, "v1": 9.0, "w": 1.0}, ("c1",)),
    ],
)
def test_rates_and_constraints_that_leave_or_contradict(place, given_, names):
    with blames(ah.errors.StateError, *names):
        completed(blade("v2 = 0"), place | given_)


def test_rates_are_projected_when_asked():
    rates = rates_of(ah.groups.SO3(), QUATERNION, TURNING)
    off = {name: rates[name] + 0.3 * q for name, q in zip(rates, QUATERNION.values(), strict=True)}
    found = completed(top(), QUATERNION | off, project=True)
    assert {name: found[name] for name in TURNING} == pytest.approx(TURNING, rel=1e-13)
    with blames(ah.errors.StateError):
        completed(top(), QUATERNION | rates | TURNING | {"w1": 3.0}, project=True)


@pytest.mark.parametrize("k", [1e-20, 1.0, 1e20])
def test_the_sine_of_pi_is_zero(k):
    """Beside a velocity of size k, what rounding leaves of zero is zero; what is larger is not."""
    system = plane("y' = 0")
    start = {"x": 0, "y": 0, "z": 0, "x'": k, "z'": 0}
    for left in (math.sin(math.pi), 1e-16, -5e-16):
        assert abs(completed(system, start | {"y'": k * left})["y'"]) <= 1e-30 * k
    for much in (1e-9, 1e-12):
        with blames(ah.errors.StateError, "c1"):
            completed(system, start | {"y'": k * much})
        assert abs(completed(system, start | {"y'": k * much}, project=True)["y'"]) <= 1e-30 * k


def test_a_projection_is_offered_only_where_one_can_be_asked_for():
    system, astray = plane("z' = x'"), {"x": 0, "y": 0, "z": 0, "x'": 1, "y'": 0, "z'": 0}
    with blames(ah.errors.StateError, "x'", "0.5", "y'", "z'"):
        system.simulate(astray, until=1)
    for ask in (lambda: system.derive(at=astray), lambda: system.derive().accelerations(astray)):
        with blames(ah.errors.StateError, "x'", "0.5", "y'", "z'"):
            ask()
    with blames(ah.errors.StateError, "c1"):
        plane("x' = 2", "y' = x'").derive(at={name: value for name, value in astray.items() if name != "y'"})


@pytest.mark.parametrize("angle", [1e-15, math.pi, math.pi / 2 + 1e-15])
def test_no_number_changes_by_more_than_rounding(angle):
    """At a special place what is 0 becomes a rounding, not what is 1 a billionth less."""
    system, k = plane("x^2 + y^2 = 4", names="xy"), 3.7
    start = {"x": 2 * math.cos(angle), "y": 2 * math.sin(angle)}
    moving = {"x'": 0.0, "y'": k} if abs(math.sin(angle)) < 0.5 else {"x'": k, "y'": 0.0}
    found = completed(system, {**start, **moving})
    assert all(abs(found[name] - value) <= 2e-15 * k for name, value in moving.items())
