"""Models of SymPy's mechanics come in and accelerate as SymPy's own equations say."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from numpy.testing import assert_allclose
from sympy.physics.mechanics import (
    Force,
    KanesMethod,
    LagrangesMethod,
    Particle,
    PinJoint,
    Point,
    PrismaticJoint,
    ReferenceFrame,
    RigidBody,
    System,
    Torque,
    TorqueActuator,
    dot,
    dynamicsymbols,
    inertia,
)

import anholonomy as ah
from anholonomy.importing.energy import Bodies
from tests.wording import blames

t = dynamicsymbols._t


def name(function) -> str:
    return f"{function.expr.func.__name__}'" if function.is_Derivative else function.func.__name__


class BySympy:
    """SymPy's own equations in numbers: rates of coordinates and speeds from an independent part of a state."""

    def __init__(self, kane: KanesMethod, parameters: list[str]) -> None:
        self.q, self.u, self.free = list(kane.q), list(kane.u), len(kane.u) - len(kane._udep)
        symbols = [sp.Function(p)(t) if p in FUNCTIONS else sp.Symbol(p) for p in parameters]
        velocity = kane._k_nh if kane._k_nh else sp.zeros(0, len(self.u))
        offset = kane._f_nh if kane._k_nh else sp.zeros(0, 1)
        outputs = (kane.mass_matrix_full, kane.forcing_full, velocity, offset, kane._f_h)
        self.parts = sp.lambdify([t, self.q, self.u, symbols], outputs, cse=True)

    def __call__(self, time: float, q, independent, p) -> tuple[dict[str, float], dict[str, float]]:
        """Values of coordinates and speeds, and their rates; dependent coordinates and speeds are solved for."""
        q, hidden = np.array(q, dtype=float), [0.0] * (len(self.u) - self.free)
        for _ in range(50 if len(self.parts(time, q, [*independent, *hidden], p)[4]) else 0):
            # Newton's method for the last coordinate, which is the dependent one.
            here, there = (self._configuration(time, q, s, p) for s in (0.0, 1e-7))
            q[-1] -= 1e-7 * here / (there - here)
        _, _, A, a, _ = self.parts(time, q, [*independent, *hidden], p)
        A, a = np.array(A, dtype=float).reshape(len(hidden), len(self.u)), np.ravel(np.array(a, dtype=float))
        dependent = np.linalg.solve(A[:, self.free :], -a - A[:, : self.free] @ independent) if len(hidden) else []
        u = [*independent, *dependent]
        M, right, *_ = self.parts(time, q, u, p)
        rates = np.linalg.solve(np.array(M, dtype=float), np.ravel(np.array(right, dtype=float)))
        names = [name(each) for each in (*self.q, *self.u)]
        return dict(zip(names, [*q, *u], strict=True)), dict(zip(names, rates, strict=True))

    def _configuration(self, time: float, q, shift: float, p) -> float:
        moved = [*q[:-1], q[-1] + shift]
        return float(np.ravel(self.parts(time, moved, [0.0] * len(self.u), p)[4])[0])


FUNCTIONS = {"thrust"}
"""Functions of time in loads, which become parameters."""


def compare(
    kane: KanesMethod,
    imported: ah.answers.ImportedModel,
    q_scale: float = 1.0,
    states: int = 4,
    tolerance: float = 1e-12,
) -> None:
    """Rates of all speeds and coordinates at random admissible states, by Hamel's equations in the user's speeds."""
    system, speeds = imported
    reference, rng = BySympy(kane, list(system.parameters)), np.random.default_rng(7)
    function = system.derive("hamel", speeds=speeds).function("numpy")
    for _ in range(states):
        p = rng.uniform(0.6, 1.4, len(system.parameters))
        q, u = rng.uniform(-q_scale, q_scale, len(reference.q)), rng.uniform(-1, 1, reference.free)
        time = rng.uniform(0, 2)
        values, rates = reference(time, q, u, p)
        # Coordinates that were put back are cyclic: any value will do.
        x = [values.get(s, 0.3) for s in function.inputs]
        found = dict(zip(function.outputs, function(time, x, p), strict=True))
        for quantity, rate in rates.items():
            if f"{quantity}'" in found:
                assert_allclose(found[f"{quantity}'"], rate, rtol=tolerance, atol=tolerance, err_msg=quantity)


def tutorial_disc(before: bool = False) -> KanesMethod:
    """SymPy's rolling disc: three angles, and not a word about where the disc is."""
    q, u = dynamicsymbols("q1:4"), dynamicsymbols("u1:4")
    m, r, g = sp.symbols("m r g", positive=True)
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
    disc = RigidBody("rolling disc", G, R, m, (inertia(L, m * r**2 / 4, m * r**2 / 2, m * r**2 / 4), G))
    kinematics = [dot(R.ang_vel_in(N) - from_rates, axis) for axis in L]
    if before:
        return KanesMethod(N, q, u, kinematics, bodies=[disc], forcelist=[(G, -m * g * Y.z)])
    kane = KanesMethod(N, q, u, kinematics)
    kane.kanes_equations([disc], [(G, -m * g * Y.z)])
    return kane


def test_the_rolling_disc_of_the_tutorial():
    kane = tutorial_disc()
    system, speeds = imported = ah.from_sympy(kane, name="disc", parameters={"m": 2.0, sp.Symbol("r"): 0.5})
    assert [s.name for s in system.coordinates] == ["q1", "q2", "q3", "rolling_disc_x", "rolling_disc_y"]
    assert dict(system.parameters) == {"g": None, "m": 2.0, "r": 0.5}
    assert speeds == {"u1": "q2'", "u2": "q3' + sin(q2)*q1'", "u3": "cos(q2)*q1'"}
    compare(kane, imported)
    assert system.verify(states=2).agree


def test_a_model_may_come_before_its_equations():
    assert ah.from_sympy(tutorial_disc(before=True), name="disc") == ah.from_sympy(tutorial_disc(), name="disc")


def test_the_constraint_put_into_the_lagrangian_would_be_noticed(monkeypatch):
    """Taking the velocity of the centre for a derivative gives equations, and SymPy says that they are wrong."""
    monkeypatch.setattr(Bodies, "_closed", lambda self, value, what: True)
    kane = tutorial_disc()
    imported = ah.from_sympy(kane, name="disc")
    assert len(imported.system.coordinates) == 3
    with pytest.raises(AssertionError, match="Not equal to tolerance"):
        compare(kane, imported)


def bicycle() -> KanesMethod:
    """The benchmark bicycle as SymPy's users write it: no angles for the wheels, no place for the bicycle."""
    q1, q2, q4, q5 = dynamicsymbols("q1 q2 q4 q5")
    u1, u2, u3, u4, u5, u6 = dynamicsymbols("u1:7")
    rf, rr, tilt, offset, fork, frame = sp.symbols("rf rr tilt offset fork frame")
    a1, a3, b1, b3, g = sp.symbols("a1 a3 b1 b3 g")
    mb, mh, mr, mf, ir1, ir2, if1, if2 = sp.symbols("mb mh mr mf ir1 ir2 if1 if2")
    ib, ih = sp.symbols("ib1:5"), sp.symbols("ih1:5")
    N = ReferenceFrame("N")
    Y = N.orientnew("Y", "Axis", [q1, N.z])
    R = Y.orientnew("R", "Axis", [q2, Y.x])
    B = R.orientnew("B", "Axis", [q4 + tilt, R.y])
    B0 = B.orientnew("B0", "Axis", [-tilt, B.y])
    H = B.orientnew("H", "Axis", [q5, B.x])
    H0 = H.orientnew("H0", "Axis", [-tilt, H.y])
    rear, front = ReferenceFrame("rear"), ReferenceFrame("front")
    rear_contact = Point("rear_contact")
    rear_centre = rear_contact.locatenew("rear_centre", rr * R.z)
    steer = rear_centre.locatenew("steer", frame * B.z)
    frame_centre = rear_centre.locatenew("frame_centre", -a1 * B.x + a3 * B.z)
    fork_centre = steer.locatenew("fork_centre", -b1 * H.x + b3 * H.z)
    front_centre = steer.locatenew("front_centre", fork * H.x + offset * H.z)
    front_contact = front_centre.locatenew("front_contact", rf * (dot(H.y, Y.z) * H.y - Y.z).normalize())
    Y.set_ang_vel(N, u1 * Y.z)
    R.set_ang_vel(Y, u2 * R.x)
    rear.set_ang_vel(B, u3 * B.y)
    B.set_ang_vel(R, u4 * B.y)
    H.set_ang_vel(B, u5 * H.x)
    front.set_ang_vel(H, u6 * H.y)
    rear_contact.set_vel(N, 0)
    rear_centre.v2pt_theory(rear_contact, N, rear)
    for point, base, body in ((steer, rear_centre, B), (frame_centre, rear_centre, B), (fork_centre, steer, H)):
        point.v2pt_theory(base, N, body)
    front_centre.v2pt_theory(steer, N, H)
    front_contact.v2pt_theory(front_centre, N, front)
    bodies = [
        RigidBody("frame", frame_centre, B, mb, (inertia(B0, *ib[:3], 0, 0, ib[3]), frame_centre)),
        RigidBody("fork", fork_centre, H, mh, (inertia(H0, *ih[:3], 0, 0, ih[3]), fork_centre)),
        RigidBody("rear wheel", rear_centre, rear, mr, (inertia(B, ir1, ir2, ir1), rear_centre)),
        RigidBody("front wheel", front_centre, front, mf, (inertia(H, if1, if2, if1), front_centre)),
    ]
    kane = KanesMethod(
        N,
        q_ind=[q1, q2, q5],
        q_dependent=[q4],
        configuration_constraints=[dot(front_contact.pos_from(rear_contact), Y.z)],
        u_ind=[u2, u3, u5],
        u_dependent=[u1, u4, u6],
        velocity_constraints=[dot(front_contact.vel(N), axis) for axis in Y],
        kd_eqs=[q1.diff() - u1, q2.diff() - u2, q4.diff() - u4, q5.diff() - u5],
        constraint_solver="CRAMER",
    )
    kane.kanes_equations(bodies, [(body.masscenter, -body.mass * g * Y.z) for body in bodies])
    return kane


@pytest.mark.exhaustive
def test_a_bicycle():
    """Wheels without angles, a bicycle without a place, and a constraint on positions that velocities repeat."""
    kane = bicycle()
    imported = ah.from_sympy(kane, name="bicycle")
    system = imported.system
    assert {s.name for s in system.coordinates} == {"q1", "q2", "q4", "q5", "q_u3", "q_u6", "frame_x", "frame_y"}
    assert len(system.constraints) == 5
    assert imported.speeds == {"u2": "q2'", "u3": "q_u3'", "u5": "q5'"}
    compare(kane, imported, q_scale=0.3, states=3, tolerance=1e-11)


def test_fewer_speeds_than_coordinates_are_constraints():
    """A sleigh in two speeds: the kinematic equations say where it cannot go."""
    x, y, th, v, w = dynamicsymbols("x y theta v w")
    m, J, a, thrust = *sp.symbols("m J a"), dynamicsymbols("thrust")
    N = ReferenceFrame("N")
    B = N.orientnew("B", "Axis", [th, N.z])
    B.set_ang_vel(N, w * N.z)
    P = Point("P")
    P.set_vel(N, v * B.x)
    G = P.locatenew("G", a * B.x)
    G.v2pt_theory(P, N, B)
    body = RigidBody("body", G, B, m, (inertia(B, 0, 0, J), G))
    kinematics = [x.diff() - v * sp.cos(th), y.diff() - v * sp.sin(th), th.diff() - w]
    loads = [(P, thrust * B.x - sp.exp(-t) * v * B.y), Torque(B, -sp.sin(t) * w * N.z)]
    kane = KanesMethod(N, [x, y, th], [v, w], kinematics)
    kane.kanes_equations([body], loads)
    system, speeds = imported = ah.from_sympy(kane, name="sleigh", parameters={"thrust": 2.0})
    assert speeds == {"v": "cos(theta)*x' + sin(theta)*y'", "w": "theta'"}
    assert [s.name for s in system.coordinates] == ["x", "y", "theta"]
    assert system.parameters["thrust"] == 2.0
    compare(kane, imported)


def test_affine_constraints_and_speeds_that_mix():
    """A ball on a belt that moves, in speeds that are combinations of velocities and time."""
    x, y, u1, u2 = dynamicsymbols("x y u1 u2")
    m, k, b = sp.symbols("m k b")
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    P = O.locatenew("P", x * N.x + y * N.y)
    P.set_vel(N, x.diff() * N.x + y.diff() * N.y)
    kinematics = [u1 - (sp.cos(x) + 2) * x.diff() - sp.sin(t), u2 + u1 - y.diff() * (1 + x**2)]
    velocity = [u2 - b * sp.sin(y) * u1 - sp.cos(t)]
    kane = KanesMethod(N, [x, y], [u1], kinematics, u_dependent=[u2], velocity_constraints=velocity)
    kane.kanes_equations([Particle("ball", P, m)], [(P, -k * x * N.x + u1 * N.y)])
    imported = ah.from_sympy(kane, name="belt")
    assert list(imported.speeds) == ["u1"]
    compare(kane, imported)


def test_auxiliary_speeds_count_for_nothing():
    x, u, extra = dynamicsymbols("x u extra")
    m, k = sp.symbols("m k")
    N, P = ReferenceFrame("N"), Point("P")
    P.set_vel(N, u * N.x + extra * N.y)
    kane = KanesMethod(
        N,
        [x],
        [u],
        [x.diff() - u],
        u_auxiliary=[extra],
        bodies=[Particle("p", P, m)],
        forcelist=[(P, -k * x * N.x + 3 * N.y)],
    )
    system, _ = ah.from_sympy(kane, name="spring", parameters={"m": 2.0, "k": 3.0})
    assert system.derive("hamel").accelerations({"x": 0.5, "x'": 1})["x''"] == pytest.approx(-0.75, rel=1e-15)


def by_lagrange(method: LagrangesMethod, system: ah.System, states: int = 4) -> None:
    """Accelerations against SymPy's multiplier equations, the velocities put on the constraints first."""
    q = list(method.q)
    rates, symbols = [s.diff(t) for s in q], sp.symbols(f"v0:{len(q)}")
    right = (method.mass_matrix_full, method.forcing_full, method.coneqs.jacobian(rates), method.coneqs)
    plain = [part.subs(dict(zip(rates, symbols, strict=True))) for part in right]
    evaluate = sp.lambdify([t, q, symbols, [sp.Symbol(p) for p in system.parameters]], plain, cse=True)
    rng, n = np.random.default_rng(3), len(q)
    for _ in range(states):
        p, x, v, time = rng.uniform(0.5, 1.5, len(system.parameters)), rng.uniform(-1, 1, n), rng.uniform(-1, 1, n), 0.7
        hol = len(method._hol_coneqs)
        if hol:
            x = _onto(method, system, time, x, p)
        _, _, A, c = (np.array(part, dtype=float) for part in evaluate(time, x, v, p))
        v = v - np.linalg.pinv(A) @ np.ravel(c)
        M, f, *_ = evaluate(time, x, v, p)
        expected = np.linalg.solve(np.array(M, dtype=float), np.ravel(np.array(f, dtype=float)))[n : 2 * n]
        for principle in ("hamel", "lagrange-dalembert"):
            found = system.derive(principle).function("numpy", "accelerations")(time, [*x, *v], p)
            assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


def _onto(method: LagrangesMethod, system: ah.System, time: float, x, p) -> np.ndarray:
    symbols = [sp.Symbol(name) for name in system.parameters]
    hol = method._hol_coneqs
    f = sp.lambdify([t, list(method.q), symbols], [hol, hol.jacobian(method.q)])
    for _ in range(50):
        value, slope = (np.array(part, dtype=float) for part in f(time, x, p))
        x = x - np.linalg.pinv(slope) @ np.ravel(value)
    return x


def test_lagranges_method_with_a_blade_and_loads():
    x, y, th = q = dynamicsymbols("x y theta")
    m, J, a, k, c = sp.symbols("m J a k c")
    centre = sp.Matrix([x + a * sp.cos(th), y + a * sp.sin(th)]).diff(t)
    L = m * centre.dot(centre) / 2 + J * th.diff(t) ** 2 / 2 - k * x**2 * sp.cos(t) / 2
    N = ReferenceFrame("N")
    B = N.orientnew("B", "Axis", [th, N.z])
    P = Point("P")
    P.set_vel(N, x.diff(t) * N.x + y.diff(t) * N.y)
    blade = -sp.sin(th) * x.diff(t) + sp.cos(th) * y.diff(t) - sp.sin(t)
    loads = [(P, -c * x.diff(t) * B.x + sp.sin(t) * N.y), (B, -c * th.diff(t) * N.z)]
    before = LagrangesMethod(L, q, nonhol_coneqs=[blade], forcelist=loads, frame=N)
    system, speeds = ah.from_sympy(before, name="sleigh")
    assert speeds == {}
    before.form_lagranges_equations()
    by_lagrange(before, system)
    assert ah.from_sympy(before, name="sleigh").system == system


def test_lagranges_method_with_a_wire_and_a_knife():
    x, y, z = q = dynamicsymbols("x y z")
    m, g, R = sp.symbols("m g R")
    L = m * sum(s.diff(t) ** 2 for s in q) / 2 - m * g * z
    method = LagrangesMethod(
        L, q, hol_coneqs=[x**2 / 4 + y**2 + z**2 - R**2], nonhol_coneqs=[x.diff(t) - z * y.diff(t)]
    )
    system, _ = ah.from_sympy(method, name="bead")
    assert [c.label for c in system.constraints] == ["configuration 1", "velocity 1"]
    method.form_lagranges_equations()
    by_lagrange(method, system)


def cart() -> System:
    """A cart, a pendulum and a second one that swings across, with a motor and a wind."""
    q1, q2, q3, u1, u2, u3 = dynamicsymbols("q1 q2 q3 u1 u2 u3")
    m1, m2, m3, l, g, J = sp.symbols("m1 m2 m3 l g J")
    track = RigidBody("track")
    system = System.from_newtonian(track)
    wagon = RigidBody("cart", mass=m1)
    bob = RigidBody("bob", mass=m2)
    bob.central_inertia = inertia(bob.frame, J, J / 2, J)
    tip = RigidBody("tip", mass=m3)
    tip.central_inertia = inertia(tip.frame, J, 2 * J, 3 * J)
    system.add_joints(
        PrismaticJoint("rail", track, wagon, q1, u1, joint_axis=track.x),
        PinJoint("pin", wagon, bob, q2, u2, joint_axis=wagon.z, child_point=l * bob.y),
        PinJoint("hinge", bob, tip, q3, u3, joint_axis=bob.x, child_point=l * tip.frame.y),
    )
    system.apply_uniform_gravity(-g * track.y)
    system.add_loads(Force(tip, -sp.Symbol("c") * u3 * bob.z + sp.sin(t) * track.z))
    system.add_actuators(TorqueActuator(sp.Symbol("k") * sp.cos(q2), wagon.z, bob, wagon))
    return system


def test_a_system_of_joints_before_and_after():
    system = cart()
    early = ah.from_sympy(system, name="cart")
    system.form_eoms()
    late = ah.from_sympy(system, name="cart")
    assert early == late
    assert [s.name for s in late.system.coordinates] == ["q1", "q2", "q3"]
    compare(system.eom_method, late)


def test_a_system_with_constraints_of_both_kinds():
    q1, q2, q3, u1, u2, u3 = dynamicsymbols("q1 q2 q3 u1 u2 u3")
    m, r = sp.symbols("m r")
    N, O = ReferenceFrame("N"), Point("O")
    O.set_vel(N, 0)
    system = System(N, O)
    P = O.locatenew("P", q1 * N.x + q2 * N.y + q3 * N.z)
    P.set_vel(N, u1 * N.x + u2 * N.y + u3 * N.z)
    system.add_bodies(Particle("P", P, m))
    system.add_loads(Force(P, -m * N.z))
    system.q_ind, system.q_dep = [q1, q2], [q3]
    system.u_ind, system.u_dep = [u1], [u2, u3]
    system.add_kdes(q1.diff() - u1, q2.diff() - u2, q3.diff() - u3)
    system.add_holonomic_constraints(q3 - r * q1**2 - q2 / 3)
    system.add_nonholonomic_constraints(u2 - q3 * u1)
    system.form_eoms()
    imported = ah.from_sympy(system, name="slide")
    assert [c.label for c in imported.system.constraints] == ["configuration 1", "velocity 1"]
    compare(system.eom_method, imported)


def one_body(**changes):
    """A body that slides and turns, parts of it exchangeable."""
    x, th, u, w = dynamicsymbols("x theta u w")
    N = ReferenceFrame("N")
    B = N.orientnew("B", "Axis", [th, N.z])
    B.set_ang_vel(N, w * N.z)
    P = Point("P")
    P.set_vel(N, u * N.x)
    words = {"mass": sp.Symbol("m"), "inertia": inertia(B, 1, 2, 3), "omega": None, "loads": [], "velocity": None}
    words |= {key: make(N, B, P) for key, make in changes.items()}
    if words["omega"] is not None:
        B.set_ang_vel(N, words["omega"])
    if words["velocity"] is not None:
        P.set_vel(N, words["velocity"])
    body = RigidBody("top", P, B, words["mass"], (words["inertia"], P))
    kinematics = [x.diff() - u, th.diff() - w]
    return KanesMethod(N, [x, th], [u, w], kinematics, bodies=[body], forcelist=words["loads"] or None)


F = sp.Function("F")(t)


@pytest.mark.parametrize(
    ("thing", "kind", "names"),
    [
        (sp.Symbol("x"), ah.errors.DeclarationError, ("KanesMethod",)),
        (
            one_body(mass=lambda N, B, P: F),
            ah.errors.DeclarationError,
            ("mass",),
        ),
        (
            one_body(velocity=lambda N, B, P: F * N.x),
            ah.errors.DeclarationError,
            (),
        ),
        (
            one_body(loads=lambda N, B, P: [(P, F.diff(t) * N.x)]),
            ah.errors.DeclarationError,
            (),
        ),
        (one_body(omega=lambda N, B, P: dynamicsymbols("w") * N.x), None, ()),
        (
            one_body(omega=lambda N, B, P: dynamicsymbols("w") * N.x + dynamicsymbols("u") * N.y),
            ah.errors.NotSupportedError,
            (),
        ),
        (
            one_body(inertia=lambda N, B, P: inertia(N, 1, 2, 3)),
            ah.errors.NotSupportedError,
            ("inertia",),
        ),
        (
            one_body(mass=lambda N, B, P: sp.Symbol("x")),
            ah.errors.DeclarationError,
            ("x",),
        ),
        (
            one_body(velocity=lambda N, B, P: dynamicsymbols("u") ** 2 * N.x),
            ah.errors.DeclarationError,
            (),
        ),
        (
            one_body(velocity=lambda N, B, P: dynamicsymbols("u") * ReferenceFrame("Z").x),
            ah.errors.DeclarationError,
            ("Z",),
        ),
    ],
)
def test_what_cannot_come_in_is_refused_in_a_sentence(thing, kind, names):
    if kind is None:
        # The inertia turns about N.z with the frame, but the body about N.x.
        kind, names = ah.errors.NotSupportedError, ("B", "N")
    with blames(kind, *names):
        ah.from_sympy(thing, name="thing")


def test_a_prescribed_force_is_a_parameter():
    kane = one_body(loads=lambda N, B, P: [(P, F * N.x)])
    system, _ = ah.from_sympy(kane, name="pushed", parameters={"F": 3.0, "m": 1.5})
    assert system.derive("hamel").accelerations({"x": 0, "theta": 0, "x'": 0, "theta'": 0})["x''"] == 2.0
    with blames(ah.errors.UnknownNameError, "q", "F", "m"):
        ah.from_sympy(kane, name="pushed", parameters={"q": 1.0})


def test_a_method_without_bodies_says_what_to_call():
    x, u = dynamicsymbols("x u")
    with blames(ah.errors.DeclarationError, "kanes_equations"):
        ah.from_sympy(KanesMethod(ReferenceFrame("N"), [x], [u], [x.diff() - u]), name="empty")
    with blames(ah.errors.DeclarationError):
        ah.from_sympy(System(ReferenceFrame("N"), Point("O")), name="empty")


def test_an_import_survives_a_file(tmp_path):
    system = ah.from_sympy(tutorial_disc(), name="disc").system
    system.save(tmp_path / "disc.toml")
    assert ah.load(tmp_path / "disc.toml") == system
