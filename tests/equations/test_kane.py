"""Kane's equations: SymPy's `KanesMethod` says the same in the same generalized speeds."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from sympy.physics.mechanics import (
    KanesMethod,
    Particle,
    Point,
    ReferenceFrame,
    RigidBody,
    dot,
    dynamicsymbols,
    inertia,
)

import anholonomy as ah
from anholonomy.catalogue import chaplygin_sleigh, leaning_disc, n_trailer
from anholonomy.equations.verification import verify
from tests.wording import blames


def agrees(model) -> bool:
    """With the multipliers of d'Alembert's principle, at 30 digits."""
    pair = [ah.principles.LagrangeDAlembert(), ah.principles.Kane()]
    verification = verify(model, states=1, principles=pair)
    return len(verification.principles) == 2 and verification.agree


def compare(ours: ah.Equations, method: KanesMethod, names: dict, count: int) -> None:
    """Mass matrix and forcing in the same speeds, at random values of coordinates, speeds and parameters."""
    K, right, _ = ours.sympy()
    symbols = list(names.values())
    flat = {f: sp.Symbol(s) for f, s in names.items()}
    mass, forcing = (part.subs(flat) for part in (method.mass_matrix, method.forcing))
    arguments = [sp.Symbol(s) for s in symbols]
    mine = sp.lambdify(arguments, [list(K), list(right)])
    theirs = sp.lambdify(arguments, [list(mass), list(forcing)])
    rng = np.random.default_rng(count)
    for _ in range(count):
        values = rng.uniform(0.3, 1.3, len(symbols))
        for left, other in zip(mine(*values), theirs(*values), strict=True):
            np.testing.assert_allclose(left, other, rtol=1e-11, atol=1e-11)


def test_the_leaning_disc_in_body_rates() -> None:
    """SymPy leans by a positive rotation about the heading, which is minus our lean."""
    q, u = dynamicsymbols("q1:4"), dynamicsymbols("u1:4")
    m, I, J, R, g = sp.symbols("m I J R g")
    N, Y, L, B = (ReferenceFrame(name) for name in "NYLB")
    Y.orient_axis(N, N.z, q[0])
    L.orient_axis(Y, Y.x, q[1])
    B.orient_axis(L, L.y, q[2])
    from_rates = B.ang_vel_in(N)
    B.set_ang_vel(N, u[0] * L.x + u[1] * L.y + u[2] * L.z)
    contact = Point("C")
    contact.set_vel(N, 0)
    centre = contact.locatenew("G", R * L.z)
    centre.v2pt_theory(contact, N, B)
    disc = RigidBody("disc", centre, B, m, (inertia(L, J, I, J), centre))
    method = KanesMethod(N, q_ind=q, u_ind=u, kd_eqs=[dot(B.ang_vel_in(N) - from_rates, axis) for axis in L])
    method.kanes_equations([disc], [(centre, -m * g * N.z)])
    ours = leaning_disc(*[None] * 5).derive(
        "kane", speeds={"u1": "-theta'", "u2": "phi' - psi'*sin(theta)", "u3": "psi'*cos(theta)"}
    )
    theta = sp.Symbol("theta")
    method_names = {
        q[0]: "psi",
        q[2]: "phi",
        u[0]: "u1",
        u[1]: "u2",
        u[2]: "u3",
        **{s: s.name for s in (m, I, J, R, g)},
    }
    turned = _Turned(method, {q[1]: -theta})
    compare(ours, turned, {**method_names, theta: "theta"}, 6)


class _Turned:
    """A method's matrices with an angle counted the other way."""

    def __init__(self, method: KanesMethod, other: dict) -> None:
        self.mass_matrix, self.forcing = method.mass_matrix.subs(other), method.forcing.subs(other)


def test_a_sleigh_with_a_point_mass_and_friction() -> None:
    """A body whose centre is a ahead of the blade, a particle at (b, c) in it, friction and a motor's torque."""
    time = dynamicsymbols._t
    theta, u, w = dynamicsymbols("theta u w")
    m, I, M, a, b, c, k, tau = sp.symbols("m I M a b c k tau")
    N, B = ReferenceFrame("N"), ReferenceFrame("B")
    B.orient_axis(N, N.z, theta)
    B.set_ang_vel(N, w * N.z)
    blade = Point("P")
    blade.set_vel(N, u * B.x)
    centre, load = blade.locatenew("G", a * B.x), blade.locatenew("M", b * B.x + c * B.y)
    centre.v2pt_theory(blade, N, B)
    load.v2pt_theory(blade, N, B)
    x, y = dynamicsymbols("x y")
    kinematics = [x.diff(time) - u * sp.cos(theta), y.diff(time) - u * sp.sin(theta), theta.diff(time) - w]
    method = KanesMethod(N, q_ind=[x, y, theta], u_ind=[u, w], kd_eqs=kinematics[:3])
    bodies = [RigidBody("body", centre, B, m, (inertia(B, 0, 0, I), centre)), Particle("load", load, M)]
    method.kanes_equations(bodies, [(blade, -k * u * B.x), (B, tau * N.z)])
    body = "m*((x' - a*sin(theta)*theta')^2 + (y' + a*cos(theta)*theta')^2)/2 + I*theta'^2/2"
    particle = "M*((x' - (b*sin(theta) + c*cos(theta))*theta')^2 + (y' + (b*cos(theta) - c*sin(theta))*theta')^2)/2"
    system = ah.System(
        name="loaded sleigh",
        coordinates={"x": "length", "y": "length", "theta": "angle"},
        lagrangian=f"{body} + {particle}",
        constraints=["x'*sin(theta) = y'*cos(theta)"],
        forces={"x": "-k*x'", "y": "-k*y'", "theta": "tau"},
        parameters=["m", "I", "M", "a", "b", "c", "k", "tau"],
    )
    ours = system.derive("kane", speeds={"u": "x'*cos(theta) + y'*sin(theta)", "w": "theta'"})
    names = {s: s.name for s in (m, I, M, a, b, c, k, tau)} | {theta: "theta", u: "u", w: "w"}
    compare(ours, method, names, 6)


def trial() -> ah.System:
    """Affine, moving, forced: every term is at work."""
    return ah.System(
        name="trial",
        coordinates=["x", "y", "z"],
        lagrangian="(1 + x^2)*x'^2/2 + (y' + sin(z)*x')^2/2 + (2 + cos(y))*z'^2/2 + x*y*z' - x*cos(y) - t*z",
        constraints=["(2 + sin(t*y))*x' + x*z*y' + cos(z)*z' + t*sin(x) = 0"],
        forces={"x": "-x' + y", "z": "x*y'"},
    )


SPEEDS = {"v": "x' + z*y' + t", "w": "cos(t)*y' + z' + x"}


def test_affine_speeds_that_move_give_the_same_motion_by_every_principle_that_takes_them() -> None:
    system = trial()
    state = {"x": 0.3, "y": 0.2, "z": -0.4, "t": 0.7, "x'": 0.1, "y'": 0.5}
    expected = system.derive("lagrange-dalembert").accelerations(state)
    for by in ("kane", "hamel", "gibbs-appell", "first-variation"):
        equations = system.derive(by, speeds=SPEEDS)
        assert [u.name for u in equations.speeds] == ["v", "w"]
        assert equations.accelerations(state) == pytest.approx(expected, rel=1e-12)


def test_a_long_train_in_speeds_of_its_own() -> None:
    train = n_trailer(10)
    head = {"v": "x'*cos(theta0) + y'*sin(theta0)", "w": "theta0'"}
    equations = train.derive("kane", speeds=head)
    assert len(equations.speeds) == 2
    state = {"x": 0, "y": 0, "x'": 1.0, "theta0'": 0.3} | {f"theta{i}": 0.2 + 0.1 * i for i in range(11)}
    expected = train.derive("hamel").accelerations(state)
    assert equations.accelerations(state) == pytest.approx(expected, rel=1e-10, abs=1e-12)


BAD = {
    "dependent": (
        {"v": "x'*cos(theta) + y'*sin(theta)", "w": "2*x'*cos(theta) + 2*y'*sin(theta)"},
        ("v", "w"),
    ),
    "along the constraint": ({"v": "x'*sin(theta) - y'*cos(theta)", "w": "theta'"}, ()),
    "nonlinear": ({"v": "x'^2", "w": "theta'"}, ("v",)),
    "too few": ({"w": "theta'"}, ("1", "3", "2")),
    "too many": (["x'", "y'", "theta'"], ("3",)),
    "unknown symbol": (
        {"v": "x' + c", "w": "theta'"},
        ("c", "v"),
    ),
    "clash with a coordinate": ({"x": "x'", "w": "theta'"}, ("x",)),
    "clash with a parameter": ({"m": "x'", "w": "theta'"}, ("m",)),
    "clash with time": ({"t": "x'", "w": "theta'"}, ("t",)),
    "twice": (["theta'", "theta'"], ("theta'",)),
    "text": ("x'", ("orthonormal",)),
    "a number": (3, ("orthonormal",)),
    "no name": ({"2v": "x'", "w": "theta'"}, ()),
}


@pytest.mark.parametrize(("speeds", "names"), BAD.values(), ids=BAD.keys())
def test_bad_speeds_are_refused_in_one_sentence(speeds, names: tuple[str, ...]) -> None:
    with blames(ah.Error, *names):
        chaplygin_sleigh().derive("kane", speeds=speeds)


def test_a_dynamics_without_lagrangian() -> None:
    """Momenta whose mass matrix is not symmetric: K is not declared positive, and the equations still agree."""
    system = ah.System(
        name="skew",
        coordinates=["x", "y", "z"],
        momenta={"x": "2*x' + y'", "y": "3*y' - x' + z*z'", "z": "(2 + x^2)*z' + t*x'"},
        forces={"x": "-y", "y": "x*z' - t", "z": "-z"},
        constraints=["z' = y*x' + t"],
    )
    assert not system.derive("kane").data.is_definite
    assert agrees(system)
