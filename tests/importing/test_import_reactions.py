"""Models of SymPy's mechanics come in with their forces where they act: reactions and multipliers by hand."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from numpy.testing import assert_allclose
from sympy.physics.mechanics import (
    KanesMethod,
    Particle,
    Point,
    ReferenceFrame,
    RigidBody,
    cross,
    dot,
    dynamicsymbols,
    inertia,
)

import anholonomy as ah
from anholonomy.language import to_text

t = dynamicsymbols._t
x, y, th, v, w, s = dynamicsymbols("x y th v w s")
m, J, c, r, g, F = sp.symbols("m J c r g F")
BLADES = {
    "speeds in velocities": [x.diff() - v * sp.cos(th), y.diff() - v * sp.sin(th), th.diff() - w],
    "velocities in speeds": [
        x.diff() * sp.cos(th) + y.diff() * sp.sin(th) - v,
        y.diff() * sp.cos(th) - x.diff() * sp.sin(th),
        th.diff() - w,
    ],
}


def skate(kinematics, ahead=0, load=None, **more):
    """A blade at P with its mass at G, and friction against its motion."""
    N = ReferenceFrame("N")
    A = N.orientnew("A", "Axis", [th, N.z])
    A.set_ang_vel(N, w * N.z)
    P = Point("P")
    P.set_vel(N, v * A.x)
    G = P.locatenew("G", ahead * A.x)
    G.v2pt_theory(P, N, A)
    body = RigidBody("body", G, A, m, (inertia(A, J, J, J), G))
    loads = [(P, -c * v * A.x)] if load is None else [(P, load(N, A))]
    words = {"q_ind": [x, y, th], "u_ind": [v, w], "kd_eqs": kinematics} | more
    return KanesMethod(N, bodies=[body], forcelist=loads, **words)


@pytest.mark.parametrize("kinematics", BLADES.values(), ids=BLADES)
def test_friction_of_a_skate_is_no_reaction(kinematics):
    """m a = m v w (-sin, cos) - c v (cos, sin); the second is the applied force, so the first is the reaction."""
    system, speeds = ah.from_sympy(skate(kinematics), name="skate", parameters={"m": 1, "J": 1, "c": 0.1})
    assert speeds == {"v": "cos(th)*x' + sin(th)*y'", "w": "th'"}
    assert [q.name for q in system.coordinates] == ["x", "y", "th"]
    equations = system.derive("lagrange-dalembert")
    for angle in (1.2, np.pi / 2, -0.4):
        along = np.array([np.cos(angle), np.sin(angle)])
        state = {"x": 0, "y": 0, "th": angle, "x'": along[0], "y'": along[1], "th'": 2.0}
        reactions = equations.reactions(state)
        assert_allclose(list(reactions.values()), [-2 * along[1], 2 * along[0], 0], atol=1e-13)
    assert_allclose(list(equations.reactions(state | {"th'": 0.0}).values()), 0, atol=1e-13)


def test_the_numbers_of_the_skate():
    system, _ = ah.from_sympy(skate(BLADES["speeds in velocities"]), name="s", parameters={"m": 1, "J": 1, "c": 0.1})
    state = {"x": 0, "y": 0, "th": 1.2, "x'": np.cos(1.2), "y'": np.sin(1.2), "th'": 2.0}
    found = system.derive("lagrange-dalembert").reactions(state)
    assert_allclose(list(found.values()), [-1.864, 0.725, 0], atol=5e-4)


@pytest.mark.parametrize("ahead", [0, r])
@pytest.mark.parametrize("kinematics", BLADES.values(), ids=BLADES)
def test_a_skate_turns_all_the_way_round(kinematics, ahead):
    """Through both directions in which x' = 0, where v = x'/cos(th) has a pole."""
    kane = skate(kinematics, ahead)
    values = {"m": 1.0, "J": 1.0, "c": 0.1} | ({"r": 0.2} if ahead else {})
    system = ah.from_sympy(kane, name="s", parameters=values).system
    start = {"x": 0, "y": 0, "th": 0, "x'": 1.0, "y'": 0, "th'": 2.0}
    run = system.simulate(start, until=3, by="lagrange-dalembert")
    assert float(run["th"][-1]) > 1.6
    other = system.simulate(start, until=3, by="hamel")
    assert_allclose(float(run["x"][-1]), float(other["x"][-1]), atol=1e-10)
    if not ahead:
        # v = exp(-c t) and th = 2 t
        path = np.exp((-0.1 + 2j) * 3) - 1
        assert_allclose(complex(float(run["x"][-1]), float(run["y"][-1])), path / (-0.1 + 2j), atol=1e-11)


def test_a_velocity_constraint_is_regular_where_the_speeds_are():
    """A wheel of speed s under the blade: v = r s becomes cos(th) x' + sin(th) y' = r q_s', also at a right angle."""
    kane = skate(BLADES["speeds in velocities"], u_ind=[w, s], u_dependent=[v], velocity_constraints=[v - r * s])
    system, _ = ah.from_sympy(kane, name="unicycle")
    (row,) = [c for c in system.constraints if c.label == "velocity 1"]
    there = {sp.Symbol("th"): sp.pi / 2, sp.Symbol("x'"): 0, sp.Symbol("y'"): 3, sp.Symbol("q_s'"): 3 / r}
    assert row.declared._sympy_().subs(there) == 0
    assert row.declared._sympy_().subs(there | {sp.Symbol("y'"): 4}) == 1


def at_rest(system):
    """All forces on a system at rest, those with a potential included."""
    still = dict.fromkeys(system.velocities, 0)
    slopes = (system.lagrangian.diff(q) + Q for q, Q in zip(system.coordinates, system.model.forces_a, strict=True))
    return [slope.xreplace(still) for slope in slopes]


def test_a_side_wind_has_both_its_components():
    """A constant force at rest: what the blade does not give way to, it reacts to."""
    kane = skate(BLADES["speeds in velocities"], load=lambda N, A: F * N.x + c * N.y)
    system, _ = ah.from_sympy(kane, name="s", parameters={"m": 2.0, "J": 1.0, "F": 3.0, "c": 1.0})
    assert [to_text(each) for each in at_rest(system)] == ["F", "c", "0"]
    angle = 0.3
    along, across = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    rest = {"x": 0, "y": 0, "th": angle, "x'": 0, "y'": 0, "th'": 0}
    equations = system.derive("lagrange-dalembert")
    acceleration = list(equations.accelerations(rest).values())[:2]
    assert_allclose(acceleration, along * (along @ [3, 1]) / 2, atol=1e-14)
    assert_allclose(list(equations.reactions(rest).values())[:2], -across * (across @ [3, 1]), atol=1e-14)


def rolling_disc():
    """SymPy's rolling disc with a wind F along N.x on its centre, and the acceleration of the centre by SymPy."""
    q, u = dynamicsymbols("q1:4"), dynamicsymbols("u1:4")
    N = ReferenceFrame("N")
    Y = N.orientnew("Y", "Axis", [q[0], N.z])
    L = Y.orientnew("L", "Axis", [q[1], Y.x])
    R = L.orientnew("R", "Axis", [q[2], L.y])
    from_rates = R.ang_vel_in(N)
    R.set_ang_vel(N, u[0] * L.x + u[1] * L.y + u[2] * L.z)
    C = Point("C")
    C.set_vel(N, 0)
    G = C.locatenew("G", r * L.z)
    G.v2pt_theory(C, N, R)
    disc = RigidBody("disc", G, R, m, (inertia(L, m * r**2 / 4, m * r**2 / 2, m * r**2 / 4), G))
    kinematics = [dot(R.ang_vel_in(N) - from_rates, axis) for axis in L]
    kane = KanesMethod(N, q, u, kinematics)
    kane.kanes_equations([disc], [(G, -m * g * Y.z + F * N.x)])
    return kane, [dot(G.vel(N), axis) for axis in (N.x, N.y)], [dot(cross(from_rates, r * L.z), a) for a in (N.x, N.y)]


def test_the_multipliers_of_the_disc_are_the_forces_at_its_contact():
    """lambda = m a - F along N.x and m a along N.y, with the acceleration of the centre from SymPy's own equations."""
    kane, velocity, of_rates = rolling_disc()
    values = {"m": 2.0, "r": 0.5, "g": 9.81, "F": 3.0}
    system, _ = ah.from_sympy(kane, name="disc", parameters=values)
    assert [to_text(each) for each in at_rest(system)[3:]] == ["F", "0"]
    state = {"q1": 0.4, "q2": 0.3, "q3": 0.1, "q1'": 0.7, "q2'": -0.2, "q3'": 3.0}
    numbers = {sp.Symbol(p): value for p, value in values.items()}
    q = {f: state[f.func.__name__] for f in kane.q}
    rates = {f.diff(t): state[f"{f.func.__name__}'"] for f in kane.q}
    moving = {
        f"disc_{axis}'": float(e.subs(rates).subs(q).subs(numbers)) for axis, e in zip("xy", of_rates, strict=True)
    }
    full = {**state, "disc_x": 0, "disc_y": 0, **moving}
    function = system.derive("lagrange-dalembert").function(of="multipliers")
    found = function(0.0, [full[name] for name in function.inputs])
    u = kane.kindiffdict()
    solved = sp.solve([u[f.diff(t)].subs(q) - rates[f.diff(t)] for f in kane.q], list(kane.u))
    speeds = {k: float(solved[k]) for k in kane.u}
    here = {**q, **speeds, **numbers}
    M, right = kane.mass_matrix.subs(here), kane.forcing.subs(here)
    accelerations = dict(zip([k.diff(t) for k in kane.u], M.LUsolve(right), strict=True))
    a = [float(e.diff(t).subs(accelerations).subs(rates).subs(here)) for e in velocity]
    assert_allclose(found, [2 * a[0] - 3.0, 2 * a[1]], rtol=1e-12)


def test_a_wheel_with_an_angle_keeps_its_energies_apart():
    """One speed for a wheel that rolls on a line: friction at the ground is what slows the centre down."""
    phi, k, h = dynamicsymbols("phi"), *sp.symbols("k h")
    N = ReferenceFrame("N")
    B = N.orientnew("B", "Axis", [phi, N.z])
    B.set_ang_vel(N, v / r * N.z)
    P = Point("P")
    P.set_vel(N, v * N.x)
    body = RigidBody("wheel", P, B, m, (inertia(B, J, J, J), P))
    loads = [(P, k * N.x), (B, h * N.z)]
    kane = KanesMethod(N, [x, phi], [v], [phi.diff() - v / r, x.diff() - v], bodies=[body], forcelist=loads)
    values = {"m": 2.0, "J": 0.3, "r": 0.5, "k": 4.0, "h": 0.7}
    equations = ah.from_sympy(kane, name="wheel", parameters=values).system.derive("lagrange-dalembert")
    state = {"x": 0, "phi": 0, "x'": 1.0, "phi'": 2.0}
    a = (4.0 + 0.7 / 0.5) / (2.0 + 0.3 / 0.25)
    assert_allclose(list(equations.accelerations(state).values()), [a, 2 * a], rtol=1e-14)
    assert_allclose(list(equations.reactions(state).values()), [2.0 * a - 4.0, 0.3 * 2 * a - 0.7], rtol=1e-14)


def test_a_disk_with_one_speed_for_two_velocities():
    """Rolling upright: v = r phi' is regular, and the ground keeps the centre on its circle."""
    phi = dynamicsymbols("phi")
    N = ReferenceFrame("N")
    A = N.orientnew("A", "Axis", [th, N.z])
    B = A.orientnew("B", "Axis", [phi, A.y])
    A.set_ang_vel(N, w * N.z)
    B.set_ang_vel(A, v / r * A.y)
    P = Point("P")
    P.set_vel(N, v * A.x)
    body = RigidBody("disk", P, B, m, (inertia(A, J, 2 * J, J), P))
    rows = [x.diff() - v * sp.cos(th), y.diff() - v * sp.sin(th), phi.diff() - v / r, th.diff() - w]
    kane = KanesMethod(N, [x, y, th, phi], [v, w], rows, bodies=[body], forcelist=[(P, -c * v * A.x)])
    system, speeds = ah.from_sympy(kane, name="disk", parameters={"m": 2.0, "J": 0.3, "r": 0.5, "c": 0.4})
    assert speeds == {"v": "r*phi'", "w": "th'"}
    angle, speed, turn = np.pi / 2, 1.5, 2.0
    state = {"x": 0, "y": 0, "th": angle, "phi": 0, "x'": 0, "y'": speed, "th'": turn, "phi'": speed / 0.5}
    rate = -0.4 * speed / (2.0 + 0.6 / 0.25)
    found = system.derive("lagrange-dalembert").reactions(state)
    along = 2.0 * rate + 0.4 * speed
    assert_allclose(list(found.values()), [-2 * speed * turn, along, 0, -0.5 * along], atol=1e-13)


def test_a_name_in_a_velocity_is_not_taken():
    """The particle p has the velocity p_x (y', x' y, 0); its coordinate may not be called p_x."""
    px = sp.Symbol("p_x")
    N, P = ReferenceFrame("N"), Point("P")
    P.set_vel(N, px * y * v * N.x + w * N.y)
    kane = KanesMethod(N, [x, y], [v, w], [x.diff() - v, y.diff() - w], bodies=[Particle("p", P, m)])
    system, _ = ah.from_sympy(kane, name="s", parameters={"p_x": 2.0, "m": 1.0})
    assert [q.name for q in system.coordinates] == ["x", "y", "p_x_"]
    assert list(system.parameters) == ["m", "p_x"]
