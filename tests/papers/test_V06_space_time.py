r"""V6: frames with clocks of their own, $(q_\alpha, t_\alpha) = (g_{\alpha\beta}(q_\beta, t_\beta), t_\beta + c_\beta - c_\alpha)$; laws that no frame changes.

The truth is written here: the action's derivative along a curve of events, by SymPy, in each frame with that frame's clock.
"""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import anholonomy as ah
from anholonomy.algebra.expressions import to_sympy
from anholonomy.algebra.zero_test import is_zero
from tests.wording import blames

T = sp.Symbol("t")
FRAMES = {
    "translating": ({"x": "x + V*t", "y": "y - t^2/2"}, "t + c"),
    "turning": ({"x": "x*cos(W*t) - y*sin(W*t)", "y": "x*sin(W*t) + y*cos(W*t)"}, "t - 2*c"),
    "bending": ({"x": "x*exp(t)", "y": "y + x^2*t", "z": "z + sin(y)*t"}, "t + 3/2"),
}
OWN = {"V": 0.4, "W": 0.7, "c": 0.9}


def particle() -> ah.System:
    """Everything that may depend on the clock does: potential, linear term, force and constraint."""
    return ah.System(
        name="particle", coordinates=["x", "y", "z"],
        lagrangian="m*(x'^2 + y'^2 + z'^2)/2 - sin(t)*x*y + t*y*x' - z^2/2", parameters={"m": 1.3},
        constraints=["z' = y*x' + t^2"], forces={"x": "-t*y'", "z": "cos(t)"},
    )  # fmt: skip


def frame(key: str, system: ah.System | None = None) -> ah.answers.MovingObserver:
    place, clock = FRAMES[key]
    return (system or particle()).geometry.moving_observer(place, parameters=OWN, clock=clock)


def on_curve(value: object, curve: dict[str, sp.Expr]) -> sp.Expr:
    """A function of the state along a curve, in that frame's time."""
    at = {sp.Symbol(q): f for q, f in curve.items()} | {sp.Symbol(f"{q}'"): f.diff(T) for q, f in curve.items()}
    return (value if isinstance(value, sp.Basic) else to_sympy(value)).subs(at, simultaneous=True)


def variational_derivative(system: ah.System, curve: dict[str, sp.Expr], along: dict[str, sp.Expr]) -> sp.Expr:
    r"""$\delta L(\eta) = (\partial L/\partial q - d/dt\,\partial L/\partial\dot q)\,\eta$ and the work of the forces, along a curve."""
    L, total = to_sympy(system.lagrangian), sp.Integer(0)
    for k, q in enumerate(curve):
        momentum = on_curve(L.diff(sp.Symbol(f"{q}'")), curve)
        slope = on_curve(L.diff(sp.Symbol(q)), curve) + on_curve(system.model.forces_a[k], curve)
        total += (slope - momentum.diff(T)) * along[q]
    return total


@pytest.mark.parametrize("key", FRAMES)
def test_V6_the_variational_derivative_does_not_depend_on_the_frame(key: str) -> None:
    r"""$\delta L_\alpha(\eta_\alpha)|_{\gamma_\alpha} = \delta L_\beta(\eta_\beta)|_{\gamma_\beta}$ at the same event, for any curve and displacement."""
    system, moving = particle(), frame(key)
    here = {"x": sp.sin(T) + T**2, "y": 1 + T**3 / 3, "z": sp.cos(2 * T)}
    displacement = {"x": 1 + T, "y": sp.cos(T), "z": T**2}
    shift = to_sympy(moving.shift)
    placed = [to_sympy(g) for g in moving.place]
    # The same events in the fixed frame, read by its clock: t_fixed - c is the time there.
    there = {q: on_curve(g, here).subs(T, T - shift) for q, g in zip("xyz", placed, strict=True)}
    pushed = {
        q: sum(on_curve(g.diff(sp.Symbol(p)), here) * displacement[p] for p in "xyz").subs(T, T - shift)
        for q, g in zip("xyz", placed, strict=True)
    }
    seen = variational_derivative(system.seen_from(moving), here, displacement)
    fixed = variational_derivative(system, there, pushed)
    values = {sp.Symbol(k): v for k, v in {**OWN, "m": 1.3}.items()}
    for instant in (0.3, -1.1):
        at = {**values, T: instant}
        later = {**values, T: instant + shift.subs(values)}
        assert float(seen.subs(at)) == pytest.approx(float(fixed.subs(later)), rel=1e-12)
        assert abs(float(seen.subs(at)) - float(fixed.subs(at))) > 1e-3  # read by one clock, they are two events


@pytest.mark.parametrize("key", FRAMES)
def test_V6_constrained_motions_are_the_same_events(key: str) -> None:
    """Definition 4.1: an admissible time line is a motion in one frame exactly when it is in the other."""
    system, moving = particle(), frame(key)
    times = np.linspace(0.2, 1.4, 7)
    start = {"x": 0.2, "y": 0.4, "z": -0.1, "x'": 0.3, "y'": 0.1, "t": 0.2}
    seen = system.seen_from(moving).simulate(start, times=times, by="lagrange-dalembert")
    names = [s.name for s in (*system.coordinates, *system.velocities)]
    events = [
        moving.fixed_state({n: float(seen[n][k]) for n in names} | {"t": t}, project=True) for k, t in enumerate(times)
    ]
    fixed = system.simulate(events[0], times=[event["t"] for event in events])
    for name in names:
        assert fixed[name].values == pytest.approx([event[name] for event in events], abs=1e-10)
    assert float(np.ptp(fixed["x"].values)) > 0.1


def same(one: ah.System, other: ah.System) -> bool:
    """The same Lagrangian, forces and constraints."""
    pairs = [(one.lagrangian, other.lagrangian), *zip(one.model.forces_a, other.model.forces_a, strict=True)]
    rows = zip(one.constraints, other.constraints, strict=True)
    return all(is_zero(a - b) for a, b in [*pairs, *((a.declared, b.declared) for a, b in rows)])


@pytest.mark.parametrize("key", FRAMES)
def test_V6_transition_maps_are_undone(key: str) -> None:
    system, moving = particle(), frame(key)
    seen = system.seen_from(moving)
    back = moving.inverse()
    assert same(seen.seen_from(back), system)
    around = moving.then(back)
    assert all(is_zero(g - q) for g, q in zip(around.place, system.coordinates, strict=True))
    assert around.shift == 0
    assert all(is_zero(g - h) for g, h in zip(back.inverse().place, moving.place, strict=True))


@pytest.mark.exhaustive_for("turning-bending")
@pytest.mark.parametrize(
    ("first", "second"), [("translating", "turning"), ("turning", "bending"), ("bending", "translating")]
)
def test_V6_transition_maps_follow_one_another(first: str, second: str) -> None:
    r"""$\phi_{\alpha\beta}\circ\phi_{\beta\gamma} = \phi_{\alpha\gamma}$, in places, clocks and what is seen."""
    system, one = particle(), frame(first)
    middle = system.seen_from(one)
    place, clock = FRAMES[second]
    other = middle.geometry.moving_observer(place, clock=clock)
    both = one.then(other)
    assert same(middle.seen_from(other), system.seen_from(both))
    assert is_zero(both.shift - one.shift - other.shift)
    state = {"x": 0.3, "y": -0.2, "z": 0.1, "x'": 0.5, "y'": 0.2, "t": 0.7}
    step_by_step = one.fixed_state(other.fixed_state(state))
    assert both.fixed_state(state) == pytest.approx({"t": 0.7, **step_by_step}, rel=1e-13)


def test_V6_what_is_simultaneous_for_one_frame_is_so_for_all() -> None:
    """A clock that depends on the place, or goes at another rate, is no clock of a reference frame."""
    for clock in ("t + x/9", "2*t", "t^2", "0"):
        with blames(ah.errors.DeclarationError, "t", "2"):
            particle().geometry.moving_observer({}, clock=clock)
    with blames(ah.errors.UnknownNameError, "eps"):
        particle().geometry.moving_observer({}, clock="t + eps")
    with blames(ah.errors.DeclarationError):
        frame("turning").then(frame("turning"))
    with blames(ah.errors.DeclarationError):
        frame("turning").then("x")


def test_V6_a_frame_without_written_inverse_says_so() -> None:
    with blames(ah.errors.NotSupportedError):
        particle().geometry.moving_observer({"x": "x + x^3"}).inverse()


def test_V6_on_a_group() -> None:
    """A body seen from a turning table whose clock is late, under a potential that moves."""
    c, s = "cos(W*t/2)", "sin(W*t/2)"
    turn = {"q0": f"{c}*q0 - {s}*q3", "q1": f"{c}*q1 - {s}*q2", "q2": f"{c}*q2 + {s}*q1", "q3": f"{c}*q3 + {s}*q0"}
    top = ah.System(name="top", group="SO3", kinetic=[1, 2, 3], potential="sin(t)*R31", constraints=["w1 = t*w2"])
    moving = top.geometry.moving_observer(turn, parameters={"W": 0.6}, clock="t + 1")
    around = moving.then(moving.inverse())
    assert all(is_zero(g - q, top.geometry.frame.orbit) for g, q in zip(around.place, top.coordinates, strict=True))
    times = np.linspace(0.0, 1.0, 5)
    start = {"q0": 1, "q1": 0, "q2": 0, "q3": 0, "w2": 0.3, "w3": 0.2}
    seen = top.seen_from(moving).simulate(start, times=times)
    names = [s.name for s in (*top.coordinates, *top.velocities)]
    events = [
        moving.fixed_state({n: float(seen[n][k]) for n in names} | {"t": t}, project=True) for k, t in enumerate(times)
    ]
    fixed = top.simulate(events[0], times=[event["t"] for event in events])
    for name in names:
        assert fixed[name].values == pytest.approx([event[name] for event in events], abs=1e-10)
