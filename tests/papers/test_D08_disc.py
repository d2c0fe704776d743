r"""D8: the vertical disc under applied torques and force (Delphenich, section 4).

.. math::
   \dot\omega_1 = \frac{\tau_1 + R\bar F_1}{I_1 + mR^2}, \qquad \dot\omega_2 = \frac{\tau_2}{I_2}, \qquad
   \dot x = R\,\omega_1(\cos\beta, \sin\beta)

The heading $\beta$ is $\alpha + \psi^2$ in the print, α the polar angle of the point of contact.
"""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import anholonomy as ah
from anholonomy.algebra.zero_test import is_zero
from anholonomy.language import parse_expression

p1, p2, x, y = q = sp.symbols("psi1 psi2 x y")
R, m, I1, I2 = sp.symbols("R m I1 I2")
POLAR = "atan2(y, x)"


def disc(**words) -> ah.System:
    """ψ² is the heading itself; the applied force has components Fx and Fy."""
    declared = {
        "name": "disc",
        "coordinates": {"psi1": "angle", "psi2": "angle", "x": "length", "y": "length"},
        "momenta": {"psi1": "I1*psi1'", "psi2": "I2*psi2'", "x": "m*x'", "y": "m*y'"},
        "forces": {"psi1": "tau1", "psi2": "tau2", "x": "Fx", "y": "Fy"},
        "constraints": ["x' = R*cos(psi2)*psi1'", "y' = R*sin(psi2)*psi1'"],
        "parameters": ["I1", "I2", "m", "R", "tau1", "tau2", "Fx", "Fy"],
    }
    return ah.System(**(declared | words))


@pytest.mark.parametrize("principle", ["first-variation", "kane"])
def test_D8_the_two_equations_of_motion(principle: str) -> None:
    """(4.25) with the tangential force Fx cos ψ² + Fy sin ψ²."""
    K, right = disc().derive(principle, speeds={"w1": "psi1'", "w2": "psi2'"}).data.explicit
    wanted = [["I1 + m*R^2", "0", "tau1 + R*(Fx*cos(psi2) + Fy*sin(psi2))"], ["0", "I2", "tau2"]]
    for row, value, texts in zip(K, right, wanted, strict=True):
        assert all(is_zero(e - parse_expression(s)) for e, s in zip((*row, value), texts, strict=True))


def test_D8_integrated() -> None:
    r"""Known forces of time: two quadratures for the angles, one for the place; here with SciPy's quadrature."""
    from scipy.integrate import quad

    values = {"I1": 0.5, "I2": 0.3, "m": 2.0, "R": 0.4}
    system = disc(
        forces={"psi1": "cos(t)", "psi2": "t/5", "x": "cos(psi2)*sin(t)", "y": "sin(psi2)*sin(t)"}, parameters=values
    )
    run = system.simulate(
        {"psi1": 0, "psi2": 0.2, "x": 0, "y": 0, "psi1'": 0.5, "psi2'": 0.1}, until=4, by="first-variation"
    )
    inertia = values["I1"] + values["m"] * values["R"] ** 2

    def w1(t: float) -> float:
        return 0.5 + (np.sin(t) + values["R"] * (1 - np.cos(t))) / inertia

    def heading(t: float) -> float:
        return 0.2 + 0.1 * t + t**3 / (30 * values["I2"])

    for k in (250, 600, 1000):
        end = float(run.data["time"][k])
        assert float(run["psi2"][k]) == pytest.approx(heading(end), rel=1e-12)
        for name, part in (("x", np.cos), ("y", np.sin)):
            place = quad(
                lambda t, part=part: values["R"] * w1(t) * part(heading(t)), 0, end, epsabs=1e-13, epsrel=1e-13
            )[0]
            assert float(run[name][k]) == pytest.approx(place, abs=1e-11)


def rotation(angle: sp.Expr) -> sp.Matrix:
    """R(β) of (4.5)–(4.6): the components along and across the disc of a vector of the plane."""
    return sp.Matrix([[sp.cos(angle), sp.sin(angle)], [-sp.sin(angle), sp.cos(angle)]])


A_J = sp.Matrix([[R, 0], [0, 0]])
BETA = sp.Function("alpha")(x, y) + p2


def coframe() -> sp.Matrix:
    return sp.Matrix(sp.BlockMatrix([[sp.eye(2), sp.zeros(2, 2)], [-A_J, rotation(BETA)]]))


def test_D8_the_frame_and_its_inverse() -> None:
    """Both matrices of (4.10)."""
    inverse = sp.Matrix(sp.BlockMatrix([[sp.eye(2), sp.zeros(2, 2)], [rotation(BETA).T * A_J, rotation(BETA).T]]))
    assert sp.simplify(coframe() * inverse) == sp.eye(4)


@pytest.mark.exhaustive
def test_D8_the_connection() -> None:
    """(4.13) is right; (4.12) lacks a rotation in its lower left block, which (4.13) has again."""
    dR = rotation(BETA).applyfunc(lambda f: f.diff(p2))  # the coefficient of dα + dψ²
    C = coframe()
    gamma = sp.simplify(-C.applyfunc(lambda f: f.diff(p2)) * C.inv())
    assert gamma[:2, :] == sp.zeros(2, 4)
    assert gamma[2:, 2:] == sp.Matrix([[0, -1], [1, 0]])
    assert gamma[2:, :2] == sp.Matrix([[0, 0], [R, 0]])
    printed = -dR * A_J
    assert sp.simplify(printed - gamma[2:, :2]) != sp.zeros(2, 2)
    corrected = -dR * rotation(BETA).T * A_J
    assert sp.simplify(corrected - gamma[2:, :2]) == sp.zeros(2, 2)


def test_D8_the_differential_of_the_polar_angle() -> None:
    """(4.14), by components in dx and dy."""
    r, alpha = sp.sqrt(x**2 + y**2), sp.Symbol("alpha")
    xi = rotation(alpha + p2)
    row = (sp.sin(p2) * xi[0, :] + sp.cos(p2) * xi[1, :]) / r
    at = {sp.sin(alpha): y / r, sp.cos(alpha): x / r}
    direct = sp.Matrix([[-y / r**2, x / r**2]])
    assert sp.simplify(sp.expand_trig(row).subs(at) - direct) == sp.zeros(1, 2)


@pytest.mark.exhaustive
def test_D8_the_transformed_force_and_momentum() -> None:
    """(4.19): the moment of the tangential force joins the torque, that of the momentum the spin."""
    F, S = sp.Matrix(sp.symbols("tau1 tau2 Fx Fy")), coframe().inv().T
    barred = sp.simplify(S * F)
    tangential = sp.cos(BETA) * F[2] + sp.sin(BETA) * F[3]
    assert sp.simplify(barred[0] - (F[0] + R * tangential)) == 0
    assert barred[1] == F[1]


def test_D8_the_moment_of_the_momentum_has_two_radii() -> None:
    """(4.21) prints m v = m R ω₁ for p̄₁R; it is m R² ω₁, as (4.25) has it."""
    K, _ = disc().derive("first-variation", speeds={"w1": "psi1'", "w2": "psi2'"}).data.explicit
    assert is_zero(K[0][0] - parse_expression("I1 + m*R*R"))
    assert not is_zero(K[0][0] - parse_expression("I1 + m*R"))


def test_D8_structure_functions_do_not_replace_the_connection() -> None:
    """(4.23) has c where γ belongs. The disc hides it, its p̄₂ being zero; a particle with z' = y x' does not.

    With e₁ = ∂x + y ∂z, e₂ = ∂y, e₃ = ∂z: c₁₂³ = -1, γ₁³ = dy. No force acts.
    """
    particle = ah.System(
        name="particle",
        coordinates=["x", "y", "z"],
        momenta={"x": "x'", "y": "y'", "z": "z'"},
        constraints=["z' = y*x'"],
    )
    state = {"x": 0, "y": 0.5, "z": 0, "x'": 2.0, "y'": 3.0}
    found = particle.derive("first-variation", speeds={"u1": "x'", "u2": "y'"})
    a = found.accelerations(state)
    u1, u2, height = 2.0, 3.0, 0.5
    # dp̄/dt with p̄ = (u1 + y p3, u2, p3) and p3 = z' = y u1.
    p3, p3_dot = height * u1, u2 * u1 + height * a["x''"]
    p_dot = (a["x''"] + u2 * p3 + height * p3_dot, a["y''"])
    by_gamma = (u2 * p3, 0.0)
    by_structure = [(sign * u2 * p3, -sign * u1 * p3) for sign in (1, -1)]
    assert p_dot == pytest.approx(by_gamma, abs=1e-14)
    for guess in by_structure:
        assert p_dot != pytest.approx(guess, abs=1e-3)


def test_D8_the_heading_is_not_measured_from_the_radius() -> None:
    """With β = α + ψ² and L₂ = I₂ dψ²/dt a free disc would turn; with L₂ = I₂ dβ/dt, or ψ² = β, it rolls straight on."""
    turned = [f"x' = R*cos(psi2 + {POLAR})*psi1'", f"y' = R*sin(psi2 + {POLAR})*psi1'"]
    values = {"I1": 0.5, "I2": 0.3, "m": 1.0, "R": 1.0}
    start = {"psi1": 0, "psi2": 1.0, "x": 1.0, "y": 0.0, "psi1'": 1.0, "psi2'": 0.0}
    as_printed = disc(constraints=turned, forces={}, parameters=values).simulate(start, until=1, by="first-variation")
    heading = as_printed["psi2"] + np.arctan2(as_printed["y"], as_printed["x"])
    assert float(as_printed["psi2"][-1]) == pytest.approx(1.0, abs=1e-12)
    assert float(heading[-1] - heading[0]) > 0.3
    free = disc(forces={}, parameters=values).simulate(start, until=1, by="first-variation")
    assert float(free["psi2"][-1]) == pytest.approx(1.0, abs=1e-12)
    assert float(free["y"][-1]) == pytest.approx(np.sin(1.0), abs=1e-12)
    # With the true angular momentum I2 (ψ2' + α') the printed coordinates give the straight line too.
    alpha_rate = "(x*y' - y*x')/(x^2 + y^2)"
    spin = f"I2*(psi2' + {alpha_rate})^2/2"
    true = ah.System(
        name="disc",
        coordinates={"psi1": "angle", "psi2": "angle", "x": "length", "y": "length"},
        lagrangian=f"I1*psi1'^2/2 + m*(x'^2 + y'^2)/2 + {spin}",
        constraints=turned,
        parameters=values,
    )
    rate = float(np.sin(1.0))  # α' at the start; the heading must not turn
    motion = true.simulate(start | {"psi2'": -rate}, until=1)
    assert float(motion["y"][-1]) == pytest.approx(np.sin(1.0), abs=1e-10)
    assert float(motion["x"][-1]) == pytest.approx(1 + np.cos(1.0), abs=1e-10)
