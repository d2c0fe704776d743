"""What SymPy's models leave undefined is refused in a sentence, and what they substitute is said aloud."""

from __future__ import annotations

import warnings

import pytest
import sympy as sp
from sympy.physics.mechanics import (
    KanesMethod,
    LagrangesMethod,
    Lagrangian,
    Particle,
    Point,
    PrismaticJoint,
    ReferenceFrame,
    RigidBody,
    System,
    dynamicsymbols,
    inertia,
)

import anholonomy as ah
from tests.wording import blames

t = dynamicsymbols._t
q = dynamicsymbols("q1:4")
x, u = dynamicsymbols("x u")
m, r, g = sp.symbols("m r g")


def recipe():
    """The disc of SymPy's tutorial on Lagrange's method: rolling is put into the velocity of its centre."""
    N, Y, L, B = (ReferenceFrame(name) for name in "NYLB")
    Y.orient_axis(N, N.z, q[0])
    L.orient_axis(Y, Y.x, q[1])
    B.orient_axis(L, L.y, q[2])
    contact = Point("C")
    contact.set_vel(N, 0)
    centre = contact.locatenew("G", r * L.z)
    centre.v2pt_theory(contact, N, B)
    body = RigidBody("disc", centre, B, m, (inertia(L, m * r**2 / 4, m * r**2 / 2, m * r**2 / 4), centre))
    body.potential_energy = m * g * r * sp.cos(q[1])
    return N, contact, body


def by_lagrange():
    N, _, body = recipe()
    return LagrangesMethod(Lagrangian(N, body), q, bodies=[body], frame=N)


def by_system():
    N, contact, body = recipe()
    system = System(N, contact)
    system.add_bodies(body)
    system.q_ind, system.u_ind = q, [each.diff(t) for each in q]
    system.form_eoms(LagrangesMethod)
    return system


@pytest.mark.parametrize("make", [by_lagrange, by_system])
def test_the_classic_mistake_is_noticed_by_its_bodies(make):
    with blames(ah.errors.SubstitutedConstraintWarning, "coin") as seen:
        ah.from_sympy(make(), name="coin")
    (warning,) = seen
    assert "import the KanesMethod" in str(warning.message)
    assert warning.filename == __file__


def test_bodies_whose_positions_the_coordinates_give_are_not_suspected():
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    A = N.orientnew("A", "Axis", [x, N.z])
    P = O.locatenew("P", r * A.x)
    P.v2pt_theory(O, N, A)
    bob, loose = Particle("bob", P, m), Particle("loose", Point("Z"), m)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ah.from_sympy(LagrangesMethod(Lagrangian(N, bob), [x], bodies=[bob], frame=N), name="pendulum")
        ah.from_sympy(LagrangesMethod(Lagrangian(N, bob), [x], bodies=[bob, loose], frame=N), name="pendulum")
        ah.from_sympy(LagrangesMethod(Lagrangian(N, bob), [x], bodies=[bob]), name="pendulum")


def test_an_import_without_energy_of_its_own_warns_at_the_line_of_the_user(tmp_path):
    y = dynamicsymbols("y")
    method = LagrangesMethod(m * x.diff(t) ** 2, [x, y], nonhol_coneqs=[y.diff(t) - x * x.diff(t)])
    with blames(ah.errors.SubstitutedConstraintWarning, "y'") as seen:
        system = ah.from_sympy(method, name="s").system
    system.save(tmp_path / "s.toml")
    with blames(ah.errors.SubstitutedConstraintWarning, "y'") as again:
        ah.load(tmp_path / "s.toml")
    assert [warning.filename for warning in (*seen, *again)] == [__file__, __file__]


def ball(velocity=True, rigid=False, load=None, place=None, speeds=(u,)):
    """A ball on a line, with parts of it left out."""
    N, P, B = ReferenceFrame("N"), Point("P"), ReferenceFrame("B")
    if velocity:
        P.set_vel(N, speeds[0] * N.x)
    body = RigidBody("ball", P, B, m, (inertia(B, 1, 1, 1), P)) if rigid else Particle("ball", P, m)
    loads = [(P if place is None else place, load * N.x)] if load is not None else []
    kinematics = [x.diff() - u] if speeds == (u,) else []
    system = System(N, Point("O"))
    system.add_bodies(body)
    system.q_ind, system.u_ind = [x], list(speeds)
    system.add_kdes(*kinematics)
    system.add_loads(*loads)
    return system


@pytest.mark.parametrize(
    ("thing", "names"),
    [
        (ball(velocity=False), ()),
        (
            ball(rigid=True),
            (),
        ),
        (ball(load=g, place=Point("Q")), ("load", "Q")),
        (ball(load=g, place=ReferenceFrame("C")), ("load", "C")),
        (ball(load=g * u.diff(t)), ("load", "u'")),
        (ball(load=g * x.diff(t, 2)), ("load", "x''")),
        (ball(load=x.diff(t, 2), speeds=(x.diff(t),)), ("load", "x''")),
    ],
    ids=["velocity", "turning", "place", "frame", "rate of a speed", "acceleration", "acceleration without speeds"],
)
def test_what_is_undefined_is_refused_in_a_sentence(thing, names):
    with blames(ah.errors.DeclarationError, *names):
        ah.from_sympy(thing, name="thing")


def test_a_system_formed_by_lagrange_keeps_its_potential():
    q, k = dynamicsymbols("q"), sp.Symbol("k")
    wall = RigidBody("W")
    system, bob = System.from_newtonian(wall), Particle("P", mass=m)
    bob.potential_energy = k * q**2 / 2
    system.add_joints(PrismaticJoint("J", wall, bob, q, q.diff(t)))
    system.add_loads((bob.masscenter, -sp.Symbol("b") * q.diff(t) * system.x))
    values = {"m": 2.0, "k": 3.0, "b": 0.5}
    state = {"q": 0.4, "q'": 1.5}
    expected = pytest.approx((-3 * 0.4 - 0.5 * 1.5) / 2, rel=1e-15)
    with blames(ah.errors.PotentialEnergyWarning, "P"):
        early = ah.from_sympy(system, name="spring", parameters=values)
    assert early.speeds == {"q'": "q'"}
    assert early.system.derive("hamel", speeds=early.speeds).accelerations(state)["q''"] == expected
    system.form_eoms(LagrangesMethod)
    late, _ = ah.from_sympy(system, name="spring", parameters=values)
    assert late.derive("hamel").accelerations(state)["q''"] == expected


def test_a_potential_without_loads_just_counts():
    q, k = dynamicsymbols("q"), sp.Symbol("k")
    wall = RigidBody("W")
    system, bob = System.from_newtonian(wall), Particle("P", mass=m)
    bob.potential_energy = k * q**2 / 2
    system.add_joints(PrismaticJoint("J", wall, bob, q, q.diff(t)))
    spring, _ = ah.from_sympy(system, name="spring", parameters={"m": 2.0, "k": 3.0})
    assert spring.derive("hamel").accelerations({"q": 0.4, "q'": 1.5})["q''"] == pytest.approx(-0.6, rel=1e-15)


def test_kanes_method_ignores_potentials_and_says_so():
    N, P = ReferenceFrame("N"), Point("P")
    P.set_vel(N, u * N.x)
    body = Particle("ball", P, m)
    body.potential_energy = g * x
    kane = KanesMethod(N, [x], [u], [x.diff() - u], bodies=[body], forcelist=[(P, -r * N.x)])
    with blames(ah.errors.PotentialEnergyWarning, "ball") as seen:
        system = ah.from_sympy(kane, name="ball", parameters={"m": 2.0, "r": 3.0}).system
    assert seen[0].filename == __file__
    assert system.derive("hamel").accelerations({"x": 0, "x'": 1.0})["x''"] == -1.5


def test_a_load_may_depend_on_velocities():
    system, _ = ah.from_sympy(ball(load=-g * u + x.diff(t)), name="ball", parameters={"m": 1.0, "g": 3.0})
    assert system.derive("hamel").accelerations({"x": 0, "x'": 2.0})["x''"] == pytest.approx(-4.0)


def test_names_in_cosines_and_inertias_are_not_taken():
    """A put-back coordinate of the body b gives way to constants of its orientation and of its inertia."""
    bx, by = sp.symbols("b_x b_y")
    y, w = dynamicsymbols("y w")
    N = ReferenceFrame("N")
    A = N.orientnew("A", "Axis", [bx, N.z])
    P = Point("P")
    P.set_vel(N, y * u * A.x)
    A.set_ang_vel(N, 0)
    body = RigidBody("b", P, A, m, (inertia(A, by, by, by), P))
    kane = KanesMethod(N, [x, y], [u, w], [x.diff() - u, y.diff() - w], bodies=[body, Particle("p", _free(N, w), m)])
    system, _ = ah.from_sympy(kane, name="s", parameters={"b_x": 2.0, "m": 1.0})
    assert [s.name for s in system.coordinates][:4] == ["x", "y", "b_x_", "b_y_"]


def _free(N, w):
    P = Point("Q")
    P.set_vel(N, w * N.y)
    return P


def test_an_import_gives_up_in_a_sentence():
    with blames(ah.errors.NotSupportedError, "patience"):
        ah.from_sympy(by_lagrange(), name="disc", patience=1e-9)
