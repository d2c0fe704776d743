r"""V13, V14: Lemma 6.1, Example 6.1, Theorem 6.2 and Remark 6.2 of Jovanović, from the systems alone."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from scipy.integrate import quad

from anholonomy import System, Verdict, catalogue
from anholonomy.language import to_text
from tests.wording import blames


def test_V13_the_lemma_for_any_inertia_and_drag() -> None:
    r"""$\ln\dot u = -\int B/K$ for $K = 2 + \sin t$, $B = -\cos t + e^{-t}$, and a potential of $y$ and $t$."""
    system = System(
        name="driven", coordinates=["y"], lagrangian="(2 + sin(t))*y'^2/2 - (1 + t/5)*y^4/4 + y*cos(t)",
        forces={"y": "(exp(-t) - cos(t))*y'"},
    )  # fmt: skip
    h = system.hamiltonize()
    assert h.verdict is Verdict.PROVEN
    assert h.slopes["y"] == 0
    run = system.simulate({"y": 0.7, "y'": 0.2}, until=3.0)

    def u_rate(t: float) -> float:
        return float(np.exp(-quad(lambda s: (np.exp(-s) - np.cos(s)) / (2 + np.sin(s)), 0, t, epsabs=1e-14)[0]))

    tau = h.time(run).values / h.time(run).values[-1]
    expected = np.array([quad(u_rate, 0, t, epsabs=1e-13)[0] for t in (1.0, 2.0, 3.0)])
    at = [int(np.argmin(abs(run.time.values - t))) for t in (1.0, 2.0, 3.0)]
    ends = np.array([quad(u_rate, 0, run.time.values[k], epsabs=1e-13)[0] for k in at])
    np.testing.assert_allclose(tau[at], ends / expected[-1], rtol=1e-9)
    assert h.check(run)


def test_V13_the_drag_must_be_one_of_time_alone() -> None:
    system = System(name="drag", coordinates=["y"], lagrangian="y'^2/2 - y^2/2", forces={"y": "-y^2*y'"})
    assert "the change along y of d(ln f)/dt" in str(system.hamiltonize())


def test_V13_the_damped_oscillator() -> None:
    r"""(6.12): $\tau = (e^{B_0t} - 1)/B_0$, its inverse, and $L^* = \frac12(B_0\tau + 1)^2y'^2 - \frac12\omega^2y^2$ with $N_0 = 1$."""
    system = System(
        name="damped", coordinates=["y"], lagrangian="y'^2/2 - omega^2*y^2/2", forces={"y": "-B0*y'"},
        parameters={"omega": 2.0, "B0": 0.3},
    )  # fmt: skip
    h = system.hamiltonize()
    assert to_text(h.multiplier) == "exp(B0*t)"
    assert [to_text(value) for value in h.time_maps if value is not None] == [
        "(exp(B0*t) - 1)/B0",
        "log(B0*tau + 1)/B0",
    ]
    assert to_text(h.lagrangian) == "((B0*tau + 1)^2*y'^2 - omega^2*y^2)/2"
    assert to_text(h.hamiltonian) == "(omega^2*y^2 + p1^2/(B0*tau + 1)^2)/2"
    for begin in (0.0, 1.0):
        assert h.check(system.simulate({"y": 1.0, "y'": 0.4, "t": begin}, until=6.0))


def test_V13_damping_in_more_dimensions() -> None:
    """Proportional to the inertia, where the lemma goes on holding."""
    system = System(
        name="damped pair", coordinates=["x", "y"], lagrangian="x'^2 + x'*y' + y'^2 - x^2*y^2",
        forces={"x": "-2*c*x' - c*y'", "y": "-c*x' - 2*c*y'"}, parameters={"c": 0.2},
    )  # fmt: skip
    h = system.hamiltonize()
    assert to_text(h.multiplier) == "exp(c*t)"
    assert h.check(system.simulate({"x": 0.5, "y": 0.8, "x'": 0.1, "y'": -0.4}, until=4.0))


@pytest.mark.parametrize("radius", ["R0 + A*sin(w*t)", "R0*(1 + A*t^2)"])
def test_V14_the_multiplier_of_the_balanced_disc(radius: str) -> None:
    r"""(6.13): $\dot u \propto a^{-\alpha}$, $\alpha = I/(mr^2 + I)$, whatever the radius is."""
    shape = {"R0": 2.0, "A": 0.5, "w": 1.5} if "w" in radius else {"R0": 2.0, "A": 0.5}
    disc = catalogue.disc_on_circle(radius, shape)
    h = disc.hamiltonize()
    t, (m, I, r) = sp.Symbol("t"), (1.0, 0.2, 0.5)
    R = sp.sympify(radius.replace("^", "**")).subs(shape)
    a = sp.lambdify(t, (R + r) / r)
    ratios = [h({"t": at}) / a(at) ** (-I / (m * r**2 + I)) for at in (0.0, 0.4, 1.1, 2.3)]
    np.testing.assert_allclose(ratios, ratios[0], rtol=1e-13)
    run = disc.simulate({"phi": -1.0, "psi": 0.0, "phi'": 0.3}, until=4.0)
    assert h.check(run)


def test_V14_the_lagrangian_the_hamiltonian_and_the_period() -> None:
    r"""Theorem 6.2 and Remark 6.2; of a radius of period $T$ the new system has the period $u(T)$."""
    disc = catalogue.disc_on_circle()
    h = disc.hamiltonize()
    values = {k: float(v) for k, v in disc.parameters.items() if v is not None}
    m, I, r, g = (values[k] for k in ("m", "I", "r", "g"))
    alpha, T = I / (m * r**2 + I), 2 * np.pi / 1.5

    def a(t: float) -> float:
        return (2.0 + 0.5 * np.sin(1.5 * t) + r) / r

    scale = h({"t": 0.0}) * a(0.0) ** alpha
    run = disc.simulate({"phi": -1.0, "psi": 0.0, "phi'": 0.3}, times=np.linspace(0, T, 41))
    assert h.time(run).values[-1] == pytest.approx(scale * quad(lambda s: a(s) ** -alpha, 0, T)[0], rel=1e-11)
    system, start = h.system, {"phi": -1.0, "phi'": 0.3, "clock": 0.7}
    N = scale * a(0.7) ** -alpha
    found = system.derive().accelerations(start)["phi''"]
    # Hamilton's equations of Remark 6.2, differentiated once more.
    rate = 2 * (1 - alpha) * (0.5 * 1.5 * np.cos(1.5 * 0.7) / r) / a(0.7) / N
    expected = -m * r * g * a(0.7) * np.cos(-1.0) / ((m * r**2 + I) * (a(0.7) * N) ** 2) - rate * 0.3
    assert found == pytest.approx(expected, rel=1e-12)


def test_V14_the_unbalanced_disc_is_no_chaplygin_system() -> None:
    from anholonomy.errors import NotSupportedError

    with blames(NotSupportedError):
        catalogue.disc_on_circle(c=0.1).hamiltonize()
