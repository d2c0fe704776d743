"""Jumps and kinks are located, and where both sides lead back the motion ends with a sentence: against closed forms."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import beta

import anholonomy as ah
from anholonomy.motion.driver.modes import Mode, SwitchWatch
from anholonomy.programs.of_equations import Compiled, modes_of

every_integrator = pytest.mark.parametrize("integrator", [None, "taylor", "runge-kutta", "scipy"])


def body(**forces: str) -> ah.System:
    kinetic = " + ".join(f"{q}'^2/2" for q in forces)
    return ah.System(name="body", coordinates=list(forces), lagrangian=kinetic, forces=forces)


@every_integrator
def test_coulomb_friction_stops_a_block(integrator: str | None) -> None:
    """Speed √1.09 at deceleration 1: it stops at t = √1.09, √1.09/2 further, and does not start to move backward."""
    block = body(x="-x'/sqrt(x'^2 + y'^2)", y="-y'/sqrt(x'^2 + y'^2)")
    run = block.simulate({"x": 0, "y": 0, "x'": 1, "y'": 0.3}, until=3, integrator=integrator)
    stop = np.sqrt(1.09)
    assert not run.is_complete
    assert "x'^2 + y'^2 vanishes" in run.outcome
    assert "held" in run.outcome
    assert float(run.time[-1]) == pytest.approx(stop, abs=1e-9)
    assert float(run["x"][-1]) == pytest.approx(stop / 2, abs=1e-9)
    assert abs(run["x'"].values[-1]) < 1e-9
    inside = run.time.values[:-1]
    np.testing.assert_allclose(run["x'"].values[:-1], 1 - inside / stop, atol=1e-9)


@every_integrator
@pytest.mark.parametrize("friction", ["-0.2*sign(x')", "-0.2*x'/sqrt(x'^2)", "-0.2*x'/abs(x')"])
def test_a_block_on_a_line_is_held_where_it_stops(friction: str, integrator: str | None) -> None:
    run = body(x=friction).simulate({"x": 0, "x'": 1}, until=8, integrator=integrator)
    assert not run.is_complete
    assert "brought to x' = 0" in run.outcome
    assert float(run.time[-1]) == pytest.approx(5, abs=1e-10)
    assert float(run["x"][-1]) == pytest.approx(2.5, abs=1e-10)


@every_integrator
def test_a_spring_with_dry_friction_loses_as_much_each_half_turn(integrator: str | None) -> None:
    """x'' = -x - k sign x': every half turn of length π the amplitude falls by 2k, until it is below k."""
    run = body(x="-x - 0.15*sign(x')").simulate({"x": 1, "x'": 0}, until=20, integrator=integrator)
    assert float(run.time[-1]) == pytest.approx(3 * np.pi, abs=1e-9)
    assert float(run["x"][-1]) == pytest.approx(-0.1, abs=1e-9)
    early = run.time.values < np.pi
    np.testing.assert_allclose(run["x"].values[early], 0.15 + 0.85 * np.cos(run.time.values[early]), atol=1e-10)


@every_integrator
@pytest.mark.parametrize(
    ("force", "end"),
    [
        ("(1 + sign(t - 5))/2", 5.0),
        ("(sign(t - 5) - sign(t - 5.0001))/2*10000", 1.0),
        ("abs(t - 5)", 25.0),
        ("sqrt((t - 5)^2)", 25.0),
        ("(1 + (t - pi)/sqrt((t - pi)^2))/2", 10 - np.pi),
        ("sign(abs(t - 5) - 1/2)", 8.0),
        ("sign(sin(2*t))", (np.pi - abs(20 % (2 * np.pi) - np.pi)) / 2),  # a square wave integrates to a saw
    ],
)
def test_jumps_in_time_are_located(force: str, end: float, integrator: str | None) -> None:
    run = body(x=force).simulate({"x": 0, "x'": 0}, until=10, integrator=integrator)
    assert float(run["x'"][-1]) == pytest.approx(end, abs=1e-9)


@pytest.mark.parametrize(
    ("force", "place", "speed"),
    [
        ("if(t < 1, t, 0)", 7 / 6, 1 / 2),
        ("if(t < 1, 2, t < 2, 0, -1)", 9 / 2, 1),
        ("max(t, 1)", 35 / 6, 5),
        ("min(1, t)", 19 / 6, 5 / 2),
        ("max(0, t - 1)", 4 / 3, 2),
    ],
)
def test_a_number_may_be_one_of_the_cases(force: str, place: float, speed: float) -> None:
    run = body(x=force).simulate({"x": 0, "x'": 0}, until=3)
    assert [float(run[name][-1]) for name in ("x", "x'")] == pytest.approx([place, speed], abs=1e-12)


@every_integrator
def test_a_force_that_jumps_in_space(integrator: str | None) -> None:
    """Parabolas between jumps, found by walking from one to the next."""
    run = body(x="sign(sin(50*x))").simulate({"x": 0.01, "x'": 1}, until=0.5, integrator=integrator)
    v, place, left, side = 1.0, 0.01, 0.5, 1
    while True:
        wall = np.ceil(place * 50 / np.pi + 1e-9) * np.pi / 50
        needed = (np.sqrt(v * v + 2 * side * (wall - place)) - v) / side
        if needed > left:
            place, v = place + v * left + side * left**2 / 2, v + side * left
            break
        place, v, left, side = wall, v + side * needed, left - needed, -side
    assert float(run["x"][-1]) == pytest.approx(place, abs=1e-9)
    assert float(run["x'"][-1]) == pytest.approx(v, abs=1e-9)


@every_integrator
def test_the_cut_of_an_angle_is_honoured(integrator: str | None) -> None:
    """The force atan2(x, -1) jumps from π to -π at x = 0: left of it, 1/2 v² changes by its integral from there."""
    run = body(x="atan2(x, -1)").simulate({"x": 1, "x'": -3}, until=1, integrator=integrator)

    def potential(x):  # the integral of atan2(x, -1) from 0, with arctan for its smooth part
        return np.pi * np.abs(x) - (x * np.arctan(x) - np.log(1 + x * x) / 2)

    energy = run["x'"].values ** 2 / 2 - potential(run["x"].values)
    assert run["x"].values[-1] < -1
    np.testing.assert_allclose(energy, energy[0], atol=1e-9)


@pytest.mark.parametrize("integrator", [None, "runge-kutta"])
def test_a_motion_goes_through_the_tip_of_a_cone(integrator: str | None) -> None:
    """Free fall towards the tip from 1 away, through it after √2, and up again."""
    cone = body(x="-x/sqrt(x^2 + y^2)", y="-y/sqrt(x^2 + y^2)")
    run = cone.simulate({"x": 0.8, "y": 0.6, "x'": 0, "y'": 0}, until=2, integrator=integrator)
    later = 2 - np.sqrt(2)
    assert run.is_complete
    assert float(run["x"][-1]) == pytest.approx(-0.8 * (np.sqrt(2) * later - later**2 / 2), abs=1e-9)


@every_integrator
def test_what_only_comes_near_goes_on(integrator: str | None) -> None:
    r"""Drag never brings a body to rest: $v' = -v - v^2$ from 1 is $v = 1/(2e^t - 1)$."""
    drag = body(x="-x' - x'*sqrt(x'^2 + y'^2)", y="-y' - y'*sqrt(x'^2 + y'^2)")
    run = drag.simulate({"x": 0, "y": 0, "x'": 0.6, "y'": 0.8}, until=40, integrator=integrator)
    assert run.is_complete
    np.testing.assert_allclose(run["x'"].values, 0.6 / (2 * np.exp(run.time.values) - 1), rtol=1e-6, atol=1e-13)


def test_a_direction_without_motion_rests() -> None:
    run = body(x="-0.1*sign(x')", y="-sign(y')").simulate({"x": 0, "y": 0, "x'": 1, "y'": 0}, until=2)
    assert run.is_complete
    assert float(run["x"][-1]) == pytest.approx(1.8)
    held = body(x="sin(t) - 0.5*sign(x')").simulate({"x": 0, "x'": 0}, until=2)
    assert not held.is_complete
    assert "held" in held.outcome


@every_integrator
def test_events_and_stops_live_beside_switches(integrator: str | None) -> None:
    run = body(x="-sign(x)").simulate({"x": 1, "x'": 0}, until=10, integrator=integrator, events={"through": "x"})
    np.testing.assert_allclose(run.events.values, np.sqrt(2) * np.arange(1, 8, 2), atol=1e-9)
    stopped = body(x="-0.2*sign(x')").simulate(
        {"x": 0, "x'": 1}, until=8, integrator=integrator, events={"half": "x' - 1/2"}, stop="half"
    )
    assert stopped.is_complete
    assert float(stopped.time[-1]) == pytest.approx(2.5)


def cart_on_a_spring_through_its_anchor(force: float) -> ah.System:
    """A cart with a pendulum; the spring of rest length 2/5 pulls from both sides of its anchor, s = -1."""
    lagrangian = (
        "((s' - cos(p)*p'/2)^2 + p'^2/10 + sin(p)^2*p'^2/4)/2 + s'^2 - (sqrt((-s - 1)^2) - 0.4)^2*15 + 4.905*cos(p)"
    )
    return ah.System(name="cart", coordinates=["s", "p"], lagrangian=lagrangian, forces={"p": f"{force}*sin(t)"})


def through_the_anchor(force: float, end: float) -> tuple[float, float]:
    """When the cart is at the anchor and where it is in the end, by equations written for each side."""
    from scipy.integrate import solve_ivp

    def rates(t: float, x: np.ndarray, side: float) -> list[float]:
        s, p, v, w = x
        inertia = [[3, -np.cos(p) / 2], [-np.cos(p) / 2, 0.35]]
        pull = -np.sin(p) * w**2 / 2 - 30 * (s + 1 - 0.4 * side), -4.905 * np.sin(p) + force * np.sin(t)
        return [v, w, *np.linalg.solve(inertia, pull)]

    def anchor(t: float, x: np.ndarray, side: float) -> float:
        return x[0] + 1

    anchor.terminal = True
    with_care = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-13}
    first = solve_ivp(rates, (0, end), [0.1, 0.5, 0, 1], args=(1.0,), events=anchor, **with_care)
    second = solve_ivp(rates, (first.t[-1], end), first.y[:, -1], args=(-1.0,), **with_care)
    return first.t[-1], second.y[0, -1]


@pytest.mark.parametrize("force", [0, 0.5])
def test_a_spring_through_its_anchor(force: float) -> None:
    start, (passed, end) = {"s": 0.1, "p": 0.5, "s'": 0, "p'": 1}, through_the_anchor(force, 3)
    system = cart_on_a_spring_through_its_anchor(force)
    run = system.simulate(start, until=3, integrator="taylor", events={"kink": "s + 1"})
    assert float(run["s"][-1]) == pytest.approx(end, abs=1e-9)
    assert run.events.values == pytest.approx([passed], abs=1e-9)
    stopped = system.simulate(start, until=3, events={"kink": "s + 1"}, stop="kink")
    assert float(stopped.time[-1]) == pytest.approx(passed, abs=1e-9)


def test_an_event_where_a_force_jumps_is_found_on_whichever_side_the_rounding_falls() -> None:
    for start in (0.5, 0.6, 0.7, 0.8, 0.9):
        run = body(x="-sign(x - 0.3)").simulate({"x": start, "x'": 0}, until=3, events={"jump": "x - 0.3"}, stop="jump")
        assert float(run.time[-1]) == pytest.approx(np.sqrt(2 * (start - 0.3)), abs=1e-12)


def test_backward_in_time() -> None:
    run = body(x="(1 + sign(t - 5))/2").simulate({"x": 0, "x'": 0, "t": 10}, until=0)
    assert float(run["x'"][-1]) == pytest.approx(-5)


def test_friction_on_a_constraint() -> None:
    """A skate on its line brakes by Coulomb friction and is held when it stops."""
    skate = ah.System(
        name="skate", coordinates=["x", "y", "theta"], lagrangian="(x'^2 + y'^2 + theta'^2)/2",
        constraints=["x'*sin(theta) = y'*cos(theta)"],
        forces={"x": "-x'/sqrt(x'^2 + y'^2)", "y": "-y'/sqrt(x'^2 + y'^2)"},
    )  # fmt: skip
    run = skate.simulate({"x": 0, "y": 0, "theta": 0.3, "x'": np.cos(0.3), "y'": np.sin(0.3), "theta'": 0.7}, until=3)
    assert float(run.time[-1]) == pytest.approx(1, abs=1e-8)
    assert "held" in run.outcome


@every_integrator
@pytest.mark.parametrize(
    ("force", "end"),
    [
        ("heaviside(t - 1) + abs(x)", np.cosh(1) - 1),
        ("-heaviside(t - 1) - abs(x)", 1 - np.cosh(1)),
        ("2*heaviside(t - 1) - sign(x')", 0.5),
    ],
)
def test_what_rests_at_a_corner_leaves_it_when_pushed(force: str, end: float, integrator: str | None) -> None:
    """x'' = 1 + x from rest at t = 1, and a block whose friction is overcome then."""
    run = body(x=force).simulate({"x": 0, "x'": 0}, until=2, integrator=integrator)
    assert run.is_complete
    assert float(run["x"][-1]) == pytest.approx(end, abs=1e-9)


def _swing_up(until: float) -> np.ndarray:
    """The cart and pendulum below by SciPy, one smooth stretch after the other."""

    def guards(y: np.ndarray) -> np.ndarray:
        energy = y[3] ** 2 / 2 + 9.81 * (np.cos(y[1]) - 1)
        return np.array([y[3], np.cos(y[1]), 10 * energy, 10 * abs(energy) - 8])

    def rates(t: float, y: np.ndarray, s: np.ndarray) -> list[float]:
        c, push = np.cos(y[1]), 8.0 if s[3] > 0 else s[2] * guards(y)[2]
        right = [y[3] ** 2 * np.sin(y[1]) - s[0] * s[1] * push, 9.81 * np.sin(y[1])]
        return [y[2], y[3], *np.linalg.solve([[2, c], [c, 1]], right)]

    def event(k: int) -> Callable[..., float]:
        def value(t: float, y: np.ndarray, s: np.ndarray) -> float:
            return float(guards(y)[k])

        value.terminal = True  # type: ignore[attr-defined]
        return value

    t, y = 0.0, np.array([0, np.pi - 0.1, 0, 0.1])
    while t < until:
        s = np.sign(guards(y))
        run = solve_ivp(rates, (t, until), y, "DOP853", events=list(map(event, range(4))), args=(s,), rtol=1e-12, atol=1e-13)  # fmt: skip
        t, y = run.t[-1] + 1e-10, run.y[:, -1] + 1e-10 * np.array(rates(run.t[-1], run.y[:, -1], s))
    return y


def test_a_switching_function_that_is_level_at_a_switch_has_its_size_all_the_same() -> None:
    """The energy of a pendulum that is swung up does not change where the push turns round, at cos(phi) = 0."""
    push = "-sign(phi'*cos(phi))*min(8, 10*abs(phi'^2/2 + 9.81*(cos(phi) - 1)))"
    cart = ah.System(
        name="cart and pendulum", coordinates=["s", "phi"], forces={"s": push},
        lagrangian="s'^2 + s'*phi'*cos(phi) + phi'^2/2 - 9.81*cos(phi)",
    )  # fmt: skip
    run = cart.simulate({"s": 0, "phi": np.pi - 0.1, "s'": 0, "phi'": 0.1}, until=8)
    assert run.is_complete, run.outcome
    np.testing.assert_allclose([run[q].values[-1] for q in ("s", "phi", "s'", "phi'")], _swing_up(8), rtol=1e-5)


def test_a_function_that_comes_back_from_the_rounding_of_a_switch_does_not_cross() -> None:
    bang = ah.System(name="bang", coordinates=["x"], lagrangian="x'^2/2", forces={"x": "sign(x)"})
    modes = modes_of(bang.derive().data)
    assert modes is not None
    mode = Mode(modes, np.array([]), np.array([1.0]), 1.0)
    for velocity, ends in ((1.0, False), (-1.0, True)):
        watch = SwitchWatch(mode, 0.0, np.array([-1e-12, velocity]))
        assert watch.flags(np.array([1e-13]), np.array([[-1e-12 + 1e-13 * velocity, velocity]])) == [ends]


@pytest.mark.parametrize("integrator", [None, "runge-kutta", "scipy"])
@pytest.mark.parametrize(("force", "power"), [("-sign(x)*sqrt(abs(x))", 1 / 2), ("-x/abs(x)^(2/3)", 1 / 3)])
def test_a_root_of_a_modulus_is_passed(force: str, power: float, integrator: str | None) -> None:
    r"""A spring with $|\ddot x| = |x|^p$ passes its middle at odd multiples of $B(1/(p + 1), 1/2)/\sqrt{2(p + 1)}$."""
    run = body(x=force).simulate({"x": 1, "x'": 0}, until=8, events={"middle": "x"}, integrator=integrator)
    assert run.is_complete, run.outcome
    quarter = beta(1 / (power + 1), 1 / 2) / np.sqrt(2 * (power + 1))
    np.testing.assert_allclose(run.events, quarter * np.array([1, 3, 5]), atol=1e-11)
    np.testing.assert_allclose(run["x'"] ** 2 / 2 + abs(run["x"]) ** (power + 1) / (power + 1), 1 / (power + 1))


@pytest.mark.parametrize(
    ("force", "end"),
    [
        ("if(x < 0, -1, 1)", 0.5), ("if(x <= 0, -1, 1)", -0.5), ("if(x > 0, 1, -1)", -0.5), ("if(x >= 0, 1, -1)", 0.5),
        ("sign(x')", 0.0), ("0.1 + sign(x')", 0.55), ("sign(x') - 0.1", -0.55),
    ],
)  # fmt: skip
def test_where_both_sides_lead_away_the_declared_value_decides(force: str, end: float) -> None:
    """From rest at the place of the jump, where the force has the value that the text gives it."""
    run = body(x=force).simulate({"x": 0, "x'": 0}, until=1)
    assert run["x"].values[-1] == pytest.approx(end, abs=1e-12)


def test_a_root_that_may_vanish_leaves_the_rates_as_they_are():
    """Radicands are watched and nothing is held, so the program of the smooth equations serves."""
    system = ah.System(coordinates=["x"], lagrangian="(1 + sqrt(1 - x^2))*x'^2/2")
    compiled = Compiled(system.derive("kane").data)
    assert compiled.modes is not None
    assert not compiled.modes.switches
    assert compiled.modes.touches
    assert compiled.modes.rates is compiled.rates
    x, v = 0.3, 0.7
    radicand, rate = compiled.modes.watch(0.0, [x, v], [])
    assert radicand == pytest.approx(1 - x**2, rel=1e-15)
    assert rate == pytest.approx(-2 * x * v, rel=1e-15)
