"""Linear integrals whose coefficients are known by their differential equations: against hypergeometric functions, and along motions."""

from __future__ import annotations

import math
import random

import mpmath
import numpy as np
import pytest
import symengine

from anholonomy import System
from anholonomy.catalogue import ENTRIES, chaplygin_sleigh, leaning_disc, leaning_disc_quaternion, roller_racer
from anholonomy.errors import StateError
from anholonomy.laws.first_integrals.linear_odes import Shape, shape_of
from anholonomy.laws.reduced_motion import reduced_motion
from tests.wording import blames

DISC = ENTRIES["leaning-disc"].start
VERTICAL = [f"(R{i}1*w1 + R{i}2*w2 + R{i}3*w3)" for i in (1, 2, 3)]
"""The angular velocity in space."""


def bowl(slope: str, height: str) -> System:
    """A ball inside a surface of revolution whose parallel surface, where the centre goes, has this height over the radius."""
    X, Y, Z = VERTICAL
    return System(
        name="bowl",
        group="SO3",
        coordinates={"q": "length", "phi": "angle"},
        kinetic=["I", "I", "I", f"m*(1 + ({slope})^2)", "m*q^2"],
        potential=f"m*g*({height})",
        constraints={
            "out": f"sqrt(1 + ({slope})^2)*q' = rho*(cos(phi)*{Y} - sin(phi)*{X})",
            "round": f"sqrt(1 + ({slope})^2)*q*phi' = -rho*(({slope})*{Z} + cos(phi)*{X} + sin(phi)*{Y})",
        },
        parameters={"m": 1.0, "I": 0.016, "rho": 0.2, "k": 0.7, "g": 9.81},
    )


def change(law, run) -> float:
    values = law.along(run).values
    return float(np.ptp(values) / max(1.0, np.abs(values).max()))


def test_a_rolling_disc_has_its_two_hypergeometric_integrals() -> None:
    r"""With m = R = 1, I = 1/2, J = 1/4 and x = sin(theta): (1 - x^2) c1'' + 2x c1' = (10/3) c1, c2 = -(3/5) dc1/dx."""
    disc = leaning_disc()
    laws = disc.conserved(degree=1)
    assert [law.kind for law in laws] == ["gauge momentum"] * 2
    assert (
        "with any functions of the configuration for coefficients, is a combination of products of these: proven"
        in str(laws)
    )
    # 2F1(a, b; 1/2; x^2) solves (1 - x^2) y'' - (2a + 2b + 1) x y' = 4ab y.
    root = mpmath.sqrt(mpmath.mpf(9) / 4 - mpmath.mpf(10) / 3)
    a, b = (-mpmath.mpf(3) / 2 + root) / 2, (-mpmath.mpf(3) / 2 - root) / 2

    def c1(x: mpmath.mpf) -> mpmath.mpf:
        return mpmath.re(mpmath.hyp2f1(a, b, mpmath.mpf(1) / 2, x**2))

    for lean in (-1.2, -0.3, 0.4, 1.3):
        state = DISC | {"theta": lean}
        x = mpmath.sin(lean)
        wanted = c1(x) * state["psi'"] - mpmath.diff(c1, x) * 3 / 5 * state["phi'"]
        assert laws[0](state) == pytest.approx(float(wanted), rel=1e-12)
    with blames(StateError):
        laws[0](DISC | {"theta": 1.6})


@pytest.mark.exhaustive
def test_they_are_constant_along_motions_whatever_the_parameters() -> None:
    disc = leaning_disc(I=None)
    laws = disc.conserved(degree=1)
    for I in (0.5, 0.3):
        run = disc.simulate(DISC, until=10, parameters={"I": I})
        assert all(change(law, run) < 1e-12 for law in laws)


@pytest.mark.exhaustive
def test_coordinates_and_quaternions_have_the_same_integrals() -> None:
    """Korteweg: (1 - x^2) c'' = I m R^2 / (J (I + m R^2)) c, with x the cosine of the tilt."""
    laws = leaning_disc_quaternion().conserved(degree=1)
    assert len(laws) == 2
    shape = laws[0].coefficients
    assert shape is not None
    assert str(shape.named) == "acos(R33)"
    entry = ENTRIES["leaning-disc-quaternion"]
    run = leaning_disc_quaternion().simulate(entry.start, until=5)
    assert all(change(law, run) < 1e-12 for law in laws)
    k, h = 0.5 / (0.25 * 1.5), 1e-3
    values = {"m": 1.0, "I": 0.5, "J": 0.25, "R": 1.0, "g": 9.81}
    c = shape.at(np.arccos([0.2 + h, 0.2, 0.2 - h]), values, "disc")[0]
    assert (c[0] - 2 * c[1] + c[2]) / h**2 * (1 - 0.2**2) == pytest.approx(k * c[1], abs=1e-5)


@pytest.mark.exhaustive
def test_a_ball_in_a_bowl_has_the_integrals_of_routh() -> None:
    system = bowl("k*q", "k*q^2/2")
    laws = system.conserved(degree=1)
    assert len(laws) == 2
    turned = math.sqrt(0.5)
    start = {"q0": turned, "q1": 0, "q2": turned, "q3": 0, "q": 1, "phi": 0.3, "w1": 1.0, "w2": 2.0, "w3": 3.0}
    run = system.simulate(start, until=3)
    assert all(change(law, run) < 1e-11 for law in laws)


@pytest.mark.exhaustive
def test_what_is_conserved_on_a_cover_is_not_on_the_configurations() -> None:
    """v and w of a sleigh turn by theta*kappa: J = cos(kappa theta) v - ..., another function after a turn."""
    sleigh = chaplygin_sleigh()
    laws = sleigh.conserved()
    assert [law.kind for law in laws] == ["energy"]
    assert len(laws.on_cover) == 1
    assert "counted beyond a full turn" in str(laws)
    p = {name: float(value) for name, value in sleigh.parameters.items()}
    first = laws.on_cover[0]
    kappa = p["a"] * math.sqrt(p["m"] / (p["I"] + p["m"] * p["a"] ** 2))
    state = {"x": 0, "y": 0, "theta": 9.0, "x'": 2 * math.cos(9), "y'": 2 * math.sin(9), "theta'": 0.7}
    wanted = 2 * math.cos(kappa * 9) - p["a"] / kappa * math.sin(kappa * 9) * 0.7
    assert first(state) == pytest.approx(wanted, rel=1e-12)
    racer, start = roller_racer(), ENTRIES["roller-racer"].start
    found = racer.conserved()
    assert len(found.on_cover) == 1
    assert change(found.on_cover[0], racer.simulate(start, until=10)) < 1e-12


def random_system(seed: int) -> System:
    """Three coordinates of which the equations mention one, in functions without closed integrals, behind a change of the others."""
    rng = random.Random(seed)
    a, b, c, d = (rng.choice([-2, -1, 1, 2]) for _ in range(4))
    f = rng.choice(["exp(sin(s))", "sin(s^2)", "1/(2 + s^3/9)", "s*cos(s)"])
    metric = f"(2 + sin(s))*s'^2 + (3 + cos({a}*s))*X^2 + (2 + exp(-s^2))*Y^2"
    twisted = metric.replace("X", f"(x' + {b}*y')").replace("Y", f"({c}*y')")
    return System(
        name=f"random {seed}",
        coordinates=["s", "x", "y"],
        lagrangian=f"({twisted})/2 - {d}*s^2/5",
        constraints=[f"x' = {f}*y'"],
    )


@pytest.mark.parametrize("seed", [0, 3, *(pytest.param(k, marks=pytest.mark.exhaustive) for k in (1, 2, 4, 5))])
def test_random_systems_with_one_shape_have_one(seed: int) -> None:
    """Two speeds, of which the second obeys a linear equation in the shape: its coefficient is the exponential of a quadrature."""
    system = random_system(seed)
    laws = system.conserved(degree=1)
    assert len(laws) == 1
    run = system.simulate({"s": 0.3, "x": 0, "y": 0, "s'": 0.5, "y'": 0.8}, until=4)
    assert change(laws[0], run) < 1e-11


@pytest.mark.exhaustive
def test_nothing_is_claimed_where_symmetries_leave_more_than_one_shape() -> None:
    for key in ("rattleback", "chaplygin-ball", "unicycle", "whipple-bicycle"):
        motion = reduced_motion(ENTRIES[key].make().model)
        assert shape_of(motion) is None


def test_absolute_values_are_left_out_only_where_they_have_one_sign() -> None:
    """Of a tilt from 0 to pi the sine has one sign and the cosine both; of a length nothing is known."""
    tilt, x, q = symengine.symbols("tilt x q")
    circle = Shape(tilt, symengine.acos(x), (), x, symengine.cos(tilt), {x: symengine.cos(tilt)})
    assert circle.on_curve(symengine.sqrt(1 - x**2)) == symengine.sin(tilt)
    assert circle.on_curve(symengine.Abs(x)) == symengine.Abs(symengine.cos(tilt))
    assert Shape(q, q, (), q, q, {x: q}).on_curve(symengine.Abs(x)) == symengine.Abs(q)


@pytest.mark.exhaustive
def test_a_potential_that_breaks_a_symmetry_takes_the_integrals_away() -> None:
    assert shape_of(reduced_motion(bowl("k*q", "k*q^2/2").model)) is not None
    assert shape_of(reduced_motion(bowl("k*q", "k*q^2/2 + cos(phi)/3").model)) is None
