r"""Motions that are known in closed form, reproduced through the public API to $10^{-12}$.

Each formula is written out next to its test; parameters are general, so that none hides behind a 1.
"""

from __future__ import annotations

import numpy as np
import pytest

from anholonomy import catalogue

TIMES = np.linspace(0.0, 8.0, 161)


def close(computed: object, expected: np.ndarray) -> None:
    np.testing.assert_allclose(np.asarray(computed), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(("alpha", "beta"), [(0.7, 1.3), (-1.1, 0.4), (2.0, -0.9)])
def test_nonholonomic_free_particle(alpha: float, beta: float) -> None:
    r"""$\dot z = -x\dot y = -\beta\,x/\sqrt{1+x^2}$ integrates to $z = (\beta/\alpha)(1 - \sqrt{1+x^2})$."""
    start = {"x": 0, "y": 0, "z": 0, "x'": alpha, "y'": beta}
    run = catalogue.free_particle(m=1.7).simulate(start, times=TIMES)
    x = alpha * TIMES
    close(run["x"], x)
    close(run["y"], beta / alpha * np.arcsinh(x))
    close(run["z"], beta / alpha * (1 - np.sqrt(1 + x**2)))


def test_nonholonomic_free_particle_that_does_not_move_along_x() -> None:
    """The limit alpha -> 0: y and z are linear in time."""
    run = catalogue.free_particle().simulate({"x": 0.6, "y": 0, "z": 0, "x'": 0, "y'": 1.3}, times=TIMES)
    close(run["y"], 1.3 * TIMES)
    close(run["z"], -0.6 * 1.3 * TIMES)


@pytest.mark.parametrize(("omega", "u0"), [(1.2, 0.5), (-0.8, 1.0), (2.5, 0.0)])
def test_knife_edge_on_an_inclined_plane(omega: float, u0: float) -> None:
    r"""$u = u_0 + (g\sin\alpha/\omega)\sin\varphi$, integrated once more along the heading.

    A. M. Bloch, Nonholonomic Mechanics and Control, ch. 1; mass and inertia drop out.
    """
    g, slope = 3.1, 0.4
    start = {"x": 0, "y": 0, "phi": 0, "x'": u0, "phi'": omega}
    run = catalogue.knife_edge(m=2.3, I=0.7, g=g, alpha=slope).simulate(start, times=TIMES)
    phi, pull = omega * TIMES, g * np.sin(slope)
    close(run["phi"], phi)
    close(run["x"], u0 / omega * np.sin(phi) + pull / (2 * omega**2) * np.sin(phi) ** 2)
    close(run["y"], u0 / omega * (1 - np.cos(phi)) + pull / (2 * omega**2) * (phi - np.sin(phi) * np.cos(phi)))


@pytest.mark.parametrize(("u0", "omega0"), [(1.0, 0.5), (-1.0, 0.5), (0.0, -2.0)])
def test_chaplygin_sleigh(u0: float, omega0: float) -> None:
    r"""$u = U\tanh\tau$, $\omega = \pm\sqrt{m/K}\,U\operatorname{sech}\tau$, $\tau = (m a U/K)(t - t_0)$, $K = I + ma^2$.

    The energy fixes $U = \sqrt{2E/m}$; a sleigh that starts backwards turns round.
    """
    m, I, a = 1.4, 0.3, 0.25
    K = I + m * a**2
    run = catalogue.chaplygin_sleigh(m, I, a).simulate(
        {"x": 0, "y": 0, "theta": 0, "x'": u0, "theta'": omega0}, times=TIMES
    )
    U = np.sqrt(u0**2 + K / m * omega0**2)
    tau = m * a * U / K * TIMES + np.arctanh(u0 / U)
    theta = run["theta"].values
    close(run["x'"].values * np.cos(theta) + run["y'"].values * np.sin(theta), U * np.tanh(tau))
    close(run["theta'"], np.sign(omega0) * np.sqrt(m / K) * U / np.cosh(tau))
    gudermann = 2 * np.arctan(np.tanh(tau / 2))
    close(theta, np.sign(omega0) * np.sqrt(K / m) / a * (gudermann - gudermann[0]))
    close(np.sqrt(2 * run.energy.values / m), np.full_like(TIMES, U))


def test_sleigh_tends_to_the_speed_that_its_energy_leaves() -> None:
    run = catalogue.chaplygin_sleigh().simulate({"x": 0, "y": 0, "theta": 0, "x'": -1.0, "theta'": 0.5}, until=300.0)
    speed = np.hypot(run["x'"].values[-1], run["y'"].values[-1])
    close(speed, np.sqrt(2 * run.energy.values[0]))


@pytest.mark.parametrize(("Omega", "omega"), [(2.0, 0.5), (-1.0, 1.7)])
def test_rolling_disk_on_circles(Omega: float, omega: float) -> None:
    R, heading = 0.8, 0.3
    start = {"x": 1, "y": -2, "theta": 0, "phi": heading, "theta'": Omega, "phi'": omega}
    run = catalogue.rolling_disk(m=2.0, I=0.3, J=0.9, R=R).simulate(start, times=TIMES)
    phi = heading + omega * TIMES
    close(run["theta"], Omega * TIMES)
    close(run["x"], 1 + R * Omega / omega * (np.sin(phi) - np.sin(heading)))
    close(run["y"], -2 - R * Omega / omega * (np.cos(phi) - np.cos(heading)))


def test_rolling_disk_on_a_straight_line() -> None:
    start = {"x": 0, "y": 0, "theta": 0, "phi": 0.3, "theta'": 2.0, "phi'": 0.0}
    run = catalogue.rolling_disk().simulate(start, times=TIMES)
    close(run["x"], 2 * np.cos(0.3) * TIMES)
    close(run["y"], 2 * np.sin(0.3) * TIMES)


@pytest.mark.parametrize(("lean", "Omega"), [(0.3, 1.5), (0.7, 2.5), (-0.5, 2.0), (1.2, 4.0)])
def test_leaning_disc_in_steady_circles(lean: float, Omega: float) -> None:
    r"""$mgR\sin\theta = \Omega\cos\theta\,[(I + mR^2)w + J\Omega\sin\theta]$, $w = \dot\varphi - \Omega\sin\theta$.

    Classical (Routh; Neimark and Fufaev); the contact point runs on a circle of radius $R\dot\varphi/\Omega$.
    """
    m, I, J, R, g = 1.3, 0.4, 0.21, 0.6, 9.81
    w = (m * g * R * np.tan(lean) / Omega - J * Omega * np.sin(lean)) / (I + m * R**2)
    roll = w + Omega * np.sin(lean)
    start = {"x": 0, "y": 0, "psi": 0, "theta": lean, "phi": 0, "psi'": Omega, "theta'": 0, "phi'": roll}
    # Short enough that an unstable circle does not amplify rounding past the tolerance.
    run = catalogue.leaning_disc(m, I, J, R, g).simulate(start, times=np.linspace(0, 1, 41))
    t = run.time.values
    close(run["theta"], np.full_like(t, lean))
    close(run["psi"], Omega * t)
    close(run["x"], R * roll / Omega * np.sin(Omega * t))
    close(run["y"], R * roll / Omega * (1 - np.cos(Omega * t)))


def test_affine_particle_on_a_turning_rail() -> None:
    r"""$\dot x = kt\,\dot y + b$: $y = (\dot y_0/k)\operatorname{asinh} kt$ and $x = bt + (\dot y_0/k)(\sqrt{1 + k^2t^2} - 1)$."""
    k, b = 0.8, 0.3
    run = catalogue.affine_particle().simulate({"x": 0, "y": 0, "y'": 1.5}, times=TIMES)
    close(run["y"], 1.5 / k * np.arcsinh(k * TIMES))
    close(run["x"], b * TIMES + 1.5 / k * (np.sqrt(1 + (k * TIMES) ** 2) - 1))
