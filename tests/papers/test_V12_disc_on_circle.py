r"""V12, V13, V14: the disc on a circle of radius $R(t)$ and the change of time that makes it Lagrangian.

Jovanović, section 6.3: the reduced equation (6.7), the unbalanced disc, Example 6.1 and Theorem 6.2.
"""

from __future__ import annotations

import numpy as np
import pytest

from anholonomy import System, catalogue

RADII = {
    "oscillating": ("R0 + A*sin(w*t)", {"R0": 2.0, "A": 0.5, "w": 1.5}),
    "growing": ("R0 + k*t^2", {"R0": 1.0, "k": 0.2}),
    "constant": ("R0", {"R0": 1.5}),
}
radii = pytest.mark.parametrize(("radius", "shape"), RADII.values(), ids=RADII.keys())
START = {"phi": -0.8, "psi": 0.3, "phi'": 0.6}


@radii
def test_V12_the_balanced_disc_obeys_6_7(radius: str, shape: dict[str, float]) -> None:
    m, I, r, g = 1.3, 0.25, 0.4, 9.81
    run = catalogue.disc_on_circle(radius, shape, m=m, I=I, r=r, c=0.0, g=g).simulate(START, until=4.0)
    t = run.time.values
    R, dR = {
        "R0 + A*sin(w*t)": (2 + 0.5 * np.sin(1.5 * t), 0.75 * np.cos(1.5 * t)),
        "R0 + k*t^2": (1 + 0.2 * t**2, 0.4 * t),
        "R0": (1.5 + 0 * t, 0 * t),
    }[radius]
    a, da = (R + r) / r, dR / r
    phi, phi1, phi2 = (run[name].values for name in ("phi", "phi'", "phi''"))
    M = m * r**2 + I
    left = M * a**2 * phi2 + 2 * M * a * da * phi1
    np.testing.assert_allclose(left, -m * r * g * a * np.cos(phi) + I * a * da * phi1, rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(run["psi'"], a * phi1, rtol=1e-12, atol=1e-12)


@radii
@pytest.mark.parametrize("c", [0.0, 0.15])
def test_V12_the_principles_agree(radius: str, shape: dict[str, float], c: float) -> None:
    verification = catalogue.disc_on_circle(radius, shape, c=c).verify(digits=30)
    assert verification.agree, str(verification)


def test_V12_the_unbalanced_disc_from_first_principles() -> None:
    """The centre free in the plane, held on the circle and rolling: the same motion as with the printed K, Delta and V."""
    m, I, r, c, g = 1.3, 0.25, 0.4, 0.15, 9.81
    rim = "(R0 + A*sin(w*t) + r)"
    plane = System(
        name="disc in the plane",
        coordinates=["s1", "s2", "psi"],
        lagrangian="m/2*((s1' - c*sin(psi)*psi')^2 + (s2' + c*cos(psi)*psi')^2) + (I - m*c^2)/2*psi'^2"
        " - m*g*(s2 + c*sin(psi))",
        constraints={"contact": f"s1^2 + s2^2 = {rim}^2", "rolling": f"(s1*s2' - s2*s1')/{rim} = r*psi'"},
        parameters={"m": m, "I": I, "r": r, "c": c, "g": g, "R0": 2.0, "A": 0.5, "w": 1.5},
    )
    disc = catalogue.disc_on_circle(m=m, I=I, r=r, c=c, g=g).simulate(START, until=3.0)
    s0, phi, turn = 2.4, START["phi"], START["phi'"]
    radial = 0.5 * 1.5
    start = {
        "s1": s0 * np.cos(phi),
        "s2": s0 * np.sin(phi),
        "psi": START["psi"],
        "s1'": radial * np.cos(phi) - s0 * turn * np.sin(phi),
        "s2'": radial * np.sin(phi) + s0 * turn * np.cos(phi),
        "psi'": s0 / r * turn,
    }
    free = plane.simulate(start, until=3.0)
    np.testing.assert_allclose(free["psi"], disc["psi"], rtol=1e-9, atol=1e-9)
    assert np.ptp(disc["psi"].values) > 1


def test_V13_the_damped_oscillator_is_lagrangian_in_its_own_time() -> None:
    r"""Example 6.1: $\tau = (N_0/B_0)(e^{B_0t} - 1)$ and $L^* = \frac12(B_0\tau + N_0)^2y'^2 - \frac12\omega^2y^2$."""
    B0, N0, omega = 0.3, 0.7, 2.0
    damped = System(
        name="damped", coordinates=["y"], lagrangian="y'^2/2 - omega^2*y^2/2", forces={"y": "-B0*y'"},
        parameters={"omega": omega, "B0": B0},
    ).simulate({"y": 1.0, "y'": 0.4}, until=6.0)  # fmt: skip
    tau = N0 / B0 * (np.exp(B0 * damped.time.values) - 1)
    lagrangian = System(
        name="in tau", coordinates=["y"], lagrangian="(B0*t + N0)^2*y'^2/2 - omega^2*y^2/2",
        parameters={"omega": omega, "B0": B0, "N0": N0},
    ).simulate({"y": 1.0, "y'": 0.4 / N0}, times=tau)  # fmt: skip
    np.testing.assert_allclose(lagrangian["y"], damped["y"], atol=1e-12)


def test_V14_the_balanced_disc_is_lagrangian_in_its_own_time() -> None:
    r"""Theorem 6.2 for $a = e^{kt}$, where $\tau = (1 - e^{-\alpha kt})/\alpha k$, $N = 1 - \alpha k\tau$ and $a = N^{-1/\alpha}$."""
    m, I, r, g, k = 1.3, 0.25, 0.4, 9.81, 0.2
    M = m * r**2 + I
    alpha = I / M
    disc = catalogue.disc_on_circle("r*exp(k*t) - r", {"k": k}, m=m, I=I, r=r, g=g).simulate(START, until=4.0)
    tau = (1 - np.exp(-alpha * k * disc.time.values)) / (alpha * k)
    a = "(1 - alpha*k*t)^(-1/alpha)"
    lagrangian = System(
        name="in tau",
        coordinates=["phi"],
        lagrangian=f"M/2*({a})^2*((1 - alpha*k*t)*phi')^2 - m*r*g*({a})*sin(phi)",
        parameters={"M": M, "m": m, "r": r, "g": g, "k": k, "alpha": alpha},
    ).simulate({"phi": START["phi"], "phi'": START["phi'"]}, times=tau)
    np.testing.assert_allclose(lagrangian["phi"], disc["phi"], atol=1e-11)
