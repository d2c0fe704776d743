"""Bodies whose inertia is the same about every axis, modulo right translations: what turns the body in itself before it is turned in space.

The measures of balls on surfaces: with the area of the surface, the tangential velocity and the spin about the normal as coordinates the motion has no
divergence, since $v \\mapsto \\omega_nJSv$ is traceless ($S$ symmetric, $J$ a right angle) and covariant derivatives keep areas. So the density is the area element.
"""

import numpy as np
import pytest
import symengine

from anholonomy import System, catalogue
from anholonomy.language import parse_expression

W = [f"(R{i}1*w1 + R{i}2*w2 + R{i}3*w3)" for i in (1, 2, 3)]
START = {"q0": 0.8, "q1": 0, "q2": 0.6, "q3": 0, "x": 0.7, "y": 0.2, "w1": 0.3, "w2": 0.5, "w3": 0.7}


def ball_on(height: str, hx: str, hy: str) -> System:
    """A ball whose centre moves on the surface z = height."""
    root = f"sqrt(1 + ({hx})^2 + ({hy})^2)"
    n = [f"(-({hx})/{root})", f"(-({hy})/{root})", f"(1/{root})"]
    return System(
        name="ball on a surface",
        group="SO3",
        coordinates=["x", "y"],
        lagrangian=f"(I*(w1^2 + w2^2 + w3^2) + m*(x'^2 + y'^2 + (({hx})*x' + ({hy})*y')^2))/2 - m*g*({height})",
        constraints=[f"x' = r*({W[1]}*{n[2]} - {W[2]}*{n[1]})", f"y' = r*({W[2]}*{n[0]} - {W[0]}*{n[2]})"],
        parameters={"m": 1, "I": 2, "r": 1, "g": 1},
    )


@pytest.mark.parametrize(
    ("surface", "area"),
    [
        pytest.param(("(x^2 + y^2)/2", "x", "y"), "sqrt(1 + x^2 + y^2)", marks=pytest.mark.exhaustive),
        pytest.param(("(x^2 - y^2)/2", "x", "-y"), "sqrt(1 + x^2 + y^2)", marks=pytest.mark.exhaustive),
        pytest.param(("x^2/2", "x", "0"), "sqrt(1 + x^2)", marks=pytest.mark.exhaustive),
        (("x", "1", "0"), "1"),
    ],
)
def test_the_measure_of_a_ball_on_a_surface_is_its_area(surface, area):
    ball = ball_on(*surface)
    mu = ball.invariant_measure(time_limit=60)
    assert mu
    places = [{"x": x, "y": y} for x, y in ((0.0, 0.0), (0.3, -1.2), (2.0, 0.7))]
    density = [mu(place) for place in places]
    wanted = [float(parse_expression(area).xreplace({symengine.Symbol(k): v for k, v in p.items()})) for p in places]
    assert np.allclose(np.array(density) / density[0], np.array(wanted) / wanted[0], rtol=1e-13)
    assert mu.check(ball.simulate(START, until=2))


@pytest.mark.exhaustive
def test_a_ball_on_a_paraboloid_modulo_its_own_turns():
    ball = ball_on("(x^2 + y^2)/2", "x", "y")
    reduced = ball.reduced_by_group()
    assert [s["x"] for s in reduced.symmetries] == [0, 0, 0]
    assert [[s[w] for w in ("w1", "w2", "w3")] for s in reduced.symmetries] == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert [q.name for q in reduced.base.coordinates] == ["x", "y"]
    run = ball.simulate(START, until=2)
    below = reduced.simulate(START, until=2)
    assert float(abs(below["x"] - run["x"]).max()) < 1e-12
    above = reduced.reconstruct(below, {q: START[q] for q in ("q0", "q1", "q2", "q3")})
    assert max(float(abs(above[q] - run[q]).max()) for q in ("q1", "q2", "y", "w1", "w3")) < 1e-12
    assert reduced.invariant_measure()


def test_a_rolling_ball_keeps_its_angular_velocity_in_space():
    text = str(catalogue.rolling_ball().reduced_by_group())
    assert "modulo a group of dimension 5" in text
    assert all(f"M{k}' = 0" in text for k in (1, 2, 3))


def test_a_force_on_the_spin_is_carried_along():
    """Drag proportional to the angular velocity is the same in body and space, and slows M3 by itself."""
    drag = {w: f"-c*{w}" for w in ("w1", "w2", "w3")}
    ball = System(
        name="dragged ball",
        group="SO3",
        coordinates=["x", "y"],
        kinetic=["I", "I", "I", "m", "m"],
        constraints=[f"x' = r*{W[1]}", f"y' = -r*{W[0]}"],
        forces=drag,
        parameters={"m": 1, "I": 0.4, "r": 1, "c": 0.3},
    )
    reduced = ball.reduced_by_group()
    assert len(reduced.symmetries) == 5
    run = ball.simulate(START, until=3)
    below = reduced.simulate(START, until=3)
    spin = (run["R31"] * run["w1"] + run["R32"] * run["w2"] + run["R33"] * run["w3"]).values
    assert np.allclose(below["W3"], spin, atol=1e-12)
    assert np.allclose(spin, spin[0] * np.exp(-0.3 / 0.4 * run.time), atol=1e-11)


def test_the_multiplier_of_a_bracket_without_closed_form_has_numbers():
    r"""Over $(x, y)$ the multiplier of z' = x y' with the inertia $e^x$ of z has $(\ln f)' = -xe^x/(1 + x^2e^x)$."""
    from scipy.integrate import quad, simpson

    particle = System(
        name="particle",
        coordinates=["x", "y", "z"],
        lagrangian="(x'^2 + y'^2 + exp(x)*z'^2)/2 - cos(y)",
        constraints=["z' = x*y'"],
    )
    reduced = particle.reduced_by_group()
    h = reduced.hamiltonize()
    assert h
    assert h.multiplier is None
    assert "no closed form of f was found" in str(h)

    def f(x: float) -> float:
        return np.exp(-quad(lambda s: s * np.exp(s) / (1 + s**2 * np.exp(s)), 0, x, epsabs=1e-14)[0])

    for x in (0.5, -0.7):
        assert abs(h({"x": x, "y": 0.3}) - f(x)) < 1e-12
    run = reduced.simulate({"x": 0.2, "y": 0.1, "x'": 0.4, "y'": 0.7}, until=2)
    assert h.check(run)
    tau = h.time(run)
    along = [f(float(x)) / f(0.2) for x in run["x"]]
    assert abs(float(tau[-1]) - simpson(along, x=run.time)) < 1e-6
    assert np.allclose(h.old_time(run, tau[1:-1]), run.time[1:-1], atol=1e-10)
