r"""Names that are no identifiers, names that stand for two symbols, and the other classes that hold a model."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import sympy as sp
from numpy.testing import assert_allclose
from sympy.physics.biomechanics import MusculotendonDeGroote2016, ZerothOrderActivation
from sympy.physics.mechanics import (
    Body,
    JointsMethod,
    KanesMethod,
    LinearPathway,
    Particle,
    PinJoint,
    Point,
    ReferenceFrame,
    dynamicsymbols,
)
from sympy.utilities.exceptions import ignore_warnings

import anholonomy as ah
from tests.wording import blames


def spring(coordinate="q", speed="u", mass="m", stiffness="k", *, force=None) -> KanesMethod:
    (q,), (u,) = dynamicsymbols([coordinate]), dynamicsymbols([speed])
    m, k = (sp.Symbol(s) if isinstance(s, str) else s for s in (mass, stiffness))
    N, P = ReferenceFrame("N"), Point("P")
    P.set_vel(N, u * N.x)
    loads = [(P, (-k * q if force is None else force(q)) * N.x)]
    return KanesMethod(N, [q], [u], [q.diff() - u], bodies=[Particle("ball", P, m)], forcelist=loads)


def test_names_in_latex_are_spelled_plainly():
    kane = spring("q_{1}", "u_{1}", r"I_{B_bo}", r"\mu")
    system, speeds = ah.from_sympy(kane, name="spring", parameters={r"\mu": 3.0, sp.Symbol("I_{B_bo}"): 2.0})
    assert speeds == {"u_1": "q_1'"}
    assert dict(system.parameters) == {"I_B_bo": 2.0, "mu": 3.0}
    assert system.derive("hamel").accelerations({"q_1": 1, "q_1'": 0})["q_1''"] == pytest.approx(-1.5)


def test_names_that_would_become_one_are_refused_with_both():
    with blames(ah.errors.DeclarationError, "k_1", "k_{1}"):
        ah.from_sympy(spring(mass="k_1", stiffness="k_{1}"), name="spring")


def test_two_symbols_of_one_name_are_named_with_what_they_differ_in():
    plain, positive = sp.Symbol("m"), sp.Symbol("m", positive=True)
    with blames(ah.errors.AmbiguousNameWarning, "spring", "m", "positive") as seen:
        ah.from_sympy(spring(mass=plain, stiffness=positive), name="spring")
    assert seen[0].filename == __file__
    v = ah.velocity("x")
    with blames(ah.errors.AmbiguousNameWarning, "spring", "m", "positive"):
        ah.System(name="spring", coordinates=["x"], lagrangian=positive * v**2, forces={"x": -plain}, parameters=["m"])


def test_a_function_of_time_made_twice_is_named():
    real = dynamicsymbols("q", real=True)
    with blames(ah.errors.AmbiguousNameWarning, "q"):
        ah.from_sympy(spring(force=lambda q: -real), name="spring")


def test_one_symbol_of_a_name_is_no_reason_to_warn():
    m = sp.Symbol("m", positive=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ah.from_sympy(spring(mass=m, stiffness=m), name="spring", parameters={"m": 1.0})


@pytest.mark.parametrize("formed", [False, True])
def test_a_joints_method(formed):
    with ignore_warnings(Warning):
        q, u = dynamicsymbols("q u")
        m, l, g = sp.symbols("m l g")
        post, bob = Body("post"), Body("bob", mass=m)
        bob.apply_force(-m * g * post.y)
        method = JointsMethod(post, PinJoint("pin", post, bob, q, u, child_point=l * bob.y, joint_axis=post.z))
        if formed:
            method.form_eoms()
    system, _ = ah.from_sympy(method, name="pendulum", parameters={"m": 1.0, "l": 2.0, "g": 9.0})
    found = system.derive("hamel").accelerations({"q": 0.4, "q'": 1.0})["q''"]
    assert found == pytest.approx(-9.0 / 2.0 * np.sin(0.4), rel=1e-12)


def test_a_system_of_pydy_brings_its_constants():
    """PyDy is recognised by its module; a stand-in has what its System has: the method, and the constants given."""
    pydy = type("System", (), {"__module__": "pydy.system"})()
    pydy.eom_method, pydy.constants = spring(), {sp.Symbol("m"): 2.0, sp.Symbol("unused"): 1.0}
    assert dict(ah.from_sympy(pydy, name="spring").system.parameters) == {"k": None, "m": 2.0}
    assert dict(ah.from_sympy(pydy, name="spring", parameters={"m": 5.0}).system.parameters)["m"] == 5.0


def test_a_muscle_is_written_out():
    """A mass on a rigid-tendon muscle: the curves of the muscle come in without ``doit``."""
    q, u = dynamicsymbols("q u")
    N, O, P = ReferenceFrame("N"), Point("O"), Point("P")
    O.set_vel(N, 0)
    P.set_pos(O, q * N.x)
    P.set_vel(N, u * N.x)
    muscle = MusculotendonDeGroote2016.with_defaults(
        "b",
        LinearPathway(O, P),
        ZerothOrderActivation("b"),
        tendon_slack_length=sp.Rational(1, 5),
        peak_isometric_force=100,
        optimal_fiber_length=sp.Rational(3, 10),
        maximal_fiber_velocity=10,
        optimal_pennation_angle=sp.Rational(1, 10),
        fiber_damping_coefficient=sp.Rational(1, 10),
    )
    kane = KanesMethod(N, [q], [u], [q.diff() - u], bodies=[Particle("load", P, 2)], forcelist=muscle.to_loads())
    system, _ = ah.from_sympy(kane, name="muscle", parameters={"e_b": 0.3})
    place = {q: 0.55, u: -0.2, dynamicsymbols("e_b"): 0.3}
    expected = -float(muscle.force.doit().subs(q.diff(), u).subs(place)) / 2
    found = system.derive("hamel").accelerations({"q": 0.55, "q'": -0.2})["q''"]
    assert_allclose(found, expected if expected < 0 else -expected, rtol=1e-10)  # it pulls towards its origin


@pytest.mark.parametrize(
    "force",
    [
        lambda q: sp.Piecewise((-3 * q, q < sp.Rational(1, 2)), (q**2, True)),
        lambda q: -sp.Heaviside(q - sp.Rational(1, 3)) * q,
        lambda q: sp.Max(q, sp.Rational(1, 2)) - sp.Min(q, 2 * q),
        lambda q: sp.erf(q) - 2,
    ],
)
def test_jumps_kinks_and_error_functions_come_in(force):
    system, _ = ah.from_sympy(spring(force=force), name="contact", parameters={"m": 2.0})
    equations, x = system.derive("hamel"), sp.Symbol("x")
    for place in (-0.9, 0.2, 0.8, 1.7):
        expected = float(force(x).subs(x, place)) / 2
        assert_allclose(equations.accelerations({"q": place, "q'": 0.3})["q''"], expected, rtol=1e-12)
