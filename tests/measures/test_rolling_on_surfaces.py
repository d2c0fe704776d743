"""A homogeneous ball that rolls on a surface keeps the area of the surface on which its centre moves; what fails elsewhere says nothing about it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import anholonomy as ah
from anholonomy import System, Verdict

BALL = ah.bodies.RigidBody("ball", mass="m", inertia=["I"] * 3)
EGG = ah.bodies.RigidBody("egg", mass=1, inertia=[2, 3, 4])
SURFACES = {
    "an ellipsoid": ("x^2 + 2*y^2 + 3*z^2 - 4", lambda x, y, z: (2 * x, 4 * y, 6 * z)),
    "a saddle": ("z - x*y", lambda x, y, z: (-y, -x, 1)),
    "a hyperboloid": ("x^2 + y^2 - z^2 - 1", lambda x, y, z: (2 * x, 2 * y, -2 * z)),
}
HEIGHT = {
    "an ellipsoid": lambda x, y: np.sqrt((4 - x**2 - 2 * y**2) / 3),
    "a saddle": lambda x, y: x * y,
    "a hyperboloid": lambda x, y: np.sqrt(x**2 + y**2 - 1),
}


def _rolling(body: Any, surface: str, twist: str = "free") -> System:
    on = ah.bodies.ParallelSurface(surface)
    contact = ah.bodies.Rolling(body, surface=ah.bodies.Sphere("r"), on=on, twist=twist)
    return System(bodies=[body], contacts=[contact], parameters={"m": 1, "I": 0.4, "r": 0.1})


@pytest.mark.parametrize("name", ["an ellipsoid", "a saddle"])
def test_a_homogeneous_ball_keeps_the_area(name: str) -> None:
    """The speeds of the volume are those of the ball about its axes; over dx dy the area is |grad F|/|dF/dz|."""
    text, slopes = SURFACES[name]
    mu = _rolling(BALL, text).invariant_measure()
    assert mu.verdict is Verdict.PROVEN
    assert mu.finding.check() is mu.verdict
    assert mu.volume == "dg(q0, q1, q2, q3) dx dy dw1 dw2 dw3"
    ratios = []
    for x, y in ((0.9, 0.7), (0.3, 0.2), (-0.5, 0.4)):
        n = np.array(slopes(x, y, HEIGHT[name](x, y)))
        q = {"q0": 0.8, "q1": 0.0, "q2": 0.6, "q3": 0.0}
        ratios.append(mu(q | {"x": x, "y": y}) / (np.linalg.norm(n) / abs(n[2])))
    assert ratios == pytest.approx([ratios[0]] * 3, rel=1e-12)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("name", "twist"), [("a hyperboloid", "free"), ("an ellipsoid", "none")])
def test_speeds_are_no_matter(name: str, twist: str) -> None:
    assert _rolling(BALL, SURFACES[name][0], twist).invariant_measure().verdict is Verdict.PROVEN


@pytest.mark.exhaustive
def test_a_body_with_three_moments_keeps_none() -> None:
    """The refutation is at a state of the surface, where it is one."""
    mu = _rolling(EGG, SURFACES["an ellipsoid"][0]).invariant_measure()
    assert mu.verdict is Verdict.REFUTED
    assert mu.finding.check() is mu.verdict
    *_, level = mu.finding.evidence
    assert "z = sqrt(" in str(level)


@pytest.mark.exhaustive
def test_a_level_that_is_not_solved_is_not_refuted_on_others() -> None:
    mu = _rolling(BALL, "x^4 + y^4 + z^4 - 1").invariant_measure(time_limit=15)
    assert mu.verdict is Verdict.UNKNOWN
