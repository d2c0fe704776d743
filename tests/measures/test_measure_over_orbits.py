"""Invariant measures found modulo symmetries, against differences of the books' equations."""

from __future__ import annotations

import numpy as np
import pytest
import symengine

from anholonomy import System, Verdict, catalogue
from tests.measures.classical import NotAboutTheVertical, Rolling

I = np.diag([0.3, 0.5, 0.6])
BODIES = {
    "chaplygin_ball": Rolling(I, 1.0, 0.0, lambda gamma: -gamma),
    "routh_sphere": Rolling(np.diag([0.35, 0.35, 0.4]), 1.0, 9.81, lambda gamma: -gamma - np.array([0, 0, 0.2])),
    "veselova": NotAboutTheVertical(np.diag([1.0, 2.0, 2.5])),
    "rubber_ball": NotAboutTheVertical(I + np.eye(3)),
}


def divergence(body: Rolling | NotAboutTheVertical, gamma: np.ndarray, w: np.ndarray) -> float:
    """That of (gamma', w') in the six numbers, by central differences."""
    h, total = 1e-4, 0.0
    for k in range(6):
        step = h * np.eye(6)[k]
        ahead = np.concatenate(body.rates(gamma + step[:3], w + step[3:]))[k]
        behind = np.concatenate(body.rates(gamma - step[:3], w - step[3:]))[k]
        total += (ahead - behind) / (2 * h)
    return total


@pytest.mark.exhaustive_for("chaplygin_ball", "routh_sphere")
@pytest.mark.parametrize("name", BODIES)
def test_densities_of_bodies(name: str) -> None:
    """d(ln N)/dt + div = 0; where w.gamma = 0, the volume of (w1, w3) is that of w over d(w.gamma), divided by gamma2."""
    system: System = getattr(catalogue, name)()
    mu, body, rng = system.invariant_measure(), BODIES[name], np.random.default_rng(3)
    assert mu.verdict is Verdict.PROVEN
    assert mu.finding.check() is Verdict.PROVEN
    density = mu.density.xreplace(system.model.values)
    letters = symengine.symbols("R31 R32 R33")
    assert density.free_symbols <= set(letters)

    def logarithm(gamma: np.ndarray) -> float:
        gamma = gamma / np.linalg.norm(gamma)
        value = float(density.xreplace(dict(zip(letters, map(float, gamma), strict=True))))
        return float(np.log(abs(value * (gamma[1] if isinstance(body, NotAboutTheVertical) else 1))))

    for _ in range(3):
        gamma, w, h = rng.normal(size=3), rng.normal(size=3), 1e-5
        gamma /= np.linalg.norm(gamma)
        w = w - (w @ gamma) * gamma if isinstance(body, NotAboutTheVertical) else w
        turned = body.rates(gamma, w)[0]
        slope = (logarithm(gamma + h * turned) - logarithm(gamma - h * turned)) / (2 * h)
        assert slope == pytest.approx(-divergence(body, gamma, w), abs=2e-6)
        assert abs(slope) > 1e-3


def test_a_density_with_free_parameters() -> None:
    """Chaplygin's, sqrt(det(I + D) (1 - D gamma.(I + D)^-1 gamma)), for every inertia."""
    ball = catalogue.chaplygin_ball(m=None, I1=None, I2=None, I3=None, r=None)
    density = ball.invariant_measure().density
    rng, found = np.random.default_rng(0), []
    for _ in range(4):
        I1, I2, I3, m, r = rng.uniform(0.5, 2, 5)
        gamma = rng.normal(size=3)
        gamma /= np.linalg.norm(gamma)
        names = dict(
            zip(("I1", "I2", "I3", "m", "r", "R31", "R32", "R33"), map(float, (I1, I2, I3, m, r, *gamma)), strict=True)
        )
        D, J = m * r**2, np.array([I1, I2, I3]) + m * r**2
        expected = np.sqrt(J.prod() * (1 - D * gamma @ (gamma / J)))
        found.append(float(density.xreplace({symengine.Symbol(k): v for k, v in names.items()})) / expected)
    assert found == pytest.approx([1] * 4, rel=1e-12)
