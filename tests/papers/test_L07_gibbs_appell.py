r"""L7: the classical Gibbs–Appell equations of Lewis (slides 9–10), for particles and for a rigid body.

.. math::
   G = \tfrac12 m|\ddot x|^2, \qquad
   G = \tfrac12 m|\ddot x|^2 + \tfrac12\dot\omega\cdot I\dot\omega + \dot\omega\cdot(\omega\times I\omega), \qquad
   \frac{\partial G}{\partial\dot\nu} = 0
"""

from __future__ import annotations

import pytest
import sympy as sp

import anholonomy as ah
from anholonomy.algebra.zero_test import is_zero
from anholonomy.language import parse_expression

w = sp.Matrix(sp.symbols("w1:4"))
dw = sp.Matrix(sp.symbols("w1:4'"))
I1, I2, I3, m, M = sp.symbols("I1 I2 I3 m M")
I = sp.diag(I1, I2, I3)


def printed() -> sp.Expr:
    """The rotational part of the Gibbs function of a rigid body as it stands in the notes to slide 9."""
    (w1, w2, w3), (d1, d2, d3) = w, dw
    return (
        I1 * d1**2
        + I2 * d2**2
        + I3 * d3**2
        + 2 * (I3 - I2) * w2 * w3 * d1
        + 2 * (I1 - I3) * w3 * w1 * d2
        + 2 * (I2 - I1) * w1 * w2 * d3
    ) / 2


def test_L7_the_gibbs_function_of_a_rigid_body_is_the_acceleration_energy_of_its_particles() -> None:
    """Six particles on the principal axes: half the sum of m|r''|², up to terms without angular acceleration."""
    masses = sp.symbols("m1:4", positive=True)
    energy = sp.Integer(0)
    for k, mass in enumerate(masses):
        for side in (1, -1):
            r = sp.Matrix([side * int(i == k) for i in range(3)])
            acceleration = dw.cross(r) + w.cross(w.cross(r))
            energy += mass * acceleration.dot(acceleration) / 2
    inertia = {I1: 2 * (masses[1] + masses[2]), I2: 2 * (masses[2] + masses[0]), I3: 2 * (masses[0] + masses[1])}
    gap = sp.expand(energy - printed().subs(inertia))
    assert not gap.free_symbols & set(dw)
    assert gap != 0


def test_L7_eulers_equations() -> None:
    slopes = sp.Matrix([printed().diff(d) for d in dw])
    assert sp.simplify(slopes - (I * dw + w.cross(I * w))) == sp.zeros(3, 1)


RATES = {
    "w1": "phi'*sin(theta)*sin(psi) + theta'*cos(psi)",
    "w2": "phi'*sin(theta)*cos(psi) - theta'*sin(psi)",
    "w3": "phi'*cos(theta) + psi'",
}


def body(**words) -> ah.System:
    spin = " + ".join(f"I{k}*({RATES[f'w{k}']})^2/2" for k in (1, 2, 3))
    declared = {
        "name": "body",
        "coordinates": {"phi": "angle", "theta": "angle", "psi": "angle"},
        "lagrangian": spin,
        "parameters": ["I1", "I2", "I3"],
    }
    return ah.System(**(declared | words))


def equations(found: ah.Equations, expected: list[tuple[list[str], str]]) -> bool:
    K, right = found.data.explicit
    return all(
        is_zero(a - parse_expression(b))
        for row, value, (entries, wanted) in zip(K, right, expected, strict=True)
        for a, b in zip((*row, value), (*entries, wanted), strict=True)
    )


EULER = [
    (["I1", "0", "0"], "(I2 - I3)*w2*w3"),
    (["0", "I2", "0"], "(I3 - I1)*w3*w1"),
    (["0", "0", "I3"], "(I1 - I2)*w1*w2"),
]


@pytest.mark.parametrize("principle", ["gibbs-appell", "kane", "hamel"])
def test_L7_through_euler_angles_in_body_rates(principle: str) -> None:
    r"""$\partial G/\partial\dot\omega = K\dot\omega - r$ is the gradient of the printed function: no angle is left in it."""
    assert equations(body().derive(principle, speeds=RATES), EULER)


def test_L7_with_torques() -> None:
    """A torque tau about the body's third axis and one, N, about the vertical; both pair with the angles' axes."""
    torques = {"phi": "N + tau*cos(theta)", "psi": "tau + N*cos(theta)"}
    found = body(forces=torques, parameters=["I1", "I2", "I3", "tau", "N"]).derive("gibbs-appell", speeds=RATES)
    along = ["N*sin(theta)*sin(psi)", "N*sin(theta)*cos(psi)", "N*cos(theta) + tau"]
    assert equations(found, [(row, f"{value} + {T}") for (row, value), T in zip(EULER, along, strict=True)])


x, y, z = sp.symbols("x y z")
ONE_FORMS = {
    "contact": (y, sp.Integer(0)),
    "two terms": (sp.sin(x), x * y),
    "Martinet": (y**2, z),
    "not of Chaplygin": (sp.exp(x) * z, sp.cos(z)),
}


@pytest.mark.parametrize(("A", "B"), ONE_FORMS.values(), ids=ONE_FORMS.keys())
def test_L7_a_particle_with_a_one_form(A: sp.Expr, B: sp.Expr) -> None:
    """The recipe of slide 10 by SymPy, for dz - A dx - B dy: accelerations of nu1*X1 + nu2*X2 into G, then its gradient."""
    n1, n2, r1, r2, dx, dy, dz = sp.symbols("nu1 nu2 nu1' nu2' x' y' z'")
    velocity = sp.Matrix([n1, n2, A * n1 + B * n2])
    flow = list(zip((x, y, z, n1, n2), (*velocity, r1, r2), strict=True))
    acceleration = velocity.applyfunc(lambda v: sum(v.diff(s) * rate for s, rate in flow))
    G = m * acceleration.dot(acceleration) / 2
    system = ah.System(
        name="particle",
        coordinates=["x", "y", "z"],
        lagrangian="m*(x'^2 + y'^2 + z'^2)/2",
        constraints=[sp.Eq(dz, A * dx + B * dy)],
        parameters=["m"],
    )
    K, value, _ = system.derive("gibbs-appell", speeds={"nu1": "x'", "nu2": "y'"}).sympy()
    ours = K * sp.Matrix([r1, r2]) - value
    assert all(sp.simplify(entry) == 0 for entry in ours - sp.Matrix([G.diff(r1), G.diff(r2)]))
    assert system.with_parameters(m=2.0).verify(states=2).agree


def test_L7_without_the_mass_the_printed_gibbs_function_fails() -> None:
    """A wheel of radius R and mass M rolls under a torque: (I + M R²)·w' = tau; without the mass it would be (I + R²)."""
    wheel = ah.System(
        name="wheel",
        coordinates=["x", "psi"],
        lagrangian="M*x'^2/2 + I*psi'^2/2",
        constraints=["x' = R*psi'"],
        forces={"psi": "tau"},
        parameters=["M", "I", "R", "tau"],
    )
    assert equations(wheel.derive("gibbs-appell", speeds=["psi'"]), [(["I + M*R^2"], "tau")])
    x2, R, J, rate = sp.symbols("x2 R J rate")
    as_printed = (x2**2 / 2 + J * rate**2 / 2).subs(x2, R * rate)
    corrected = (M * x2**2 / 2 + J * rate**2 / 2).subs(x2, R * rate)
    assert sp.expand(as_printed.diff(rate) - (J + M * R**2) * rate) != 0
    assert sp.expand(corrected.diff(rate) - (J + M * R**2) * rate) == 0


def test_L7_the_gibbs_function_of_a_particle() -> None:
    particle = ah.System(name="p", coordinates=["x", "y"], lagrangian="m*(x'^2 + y'^2)/2", parameters=["m"])
    a, b = particle.model.accelerations
    assert is_zero(ah.principles.gibbs_function(particle) - parse_expression("m/2") * (a**2 + b**2))
