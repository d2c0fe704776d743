"""Multipliers and densities that are functions on a cover only, and where the closed form of one jumps."""

from __future__ import annotations

import math

import numpy as np
import pytest

from anholonomy import System
from anholonomy.algebra.expressions import symbol
from anholonomy.errors import IntegrationError, StateError
from anholonomy.language import parse_expression
from anholonomy.measures.multivalued import a_jump
from tests.wording import blames

K = "al*(x*y' - y*x')/(x^2 + y^2)"
AROUND = System(
    name="around an axis", coordinates=["x", "y", "a", "b"], parameters={"al": 0.7},
    constraints=[f"a' = -x*{K}", f"b' = -y*{K}"],
    lagrangian=f"(x'^2 + y'^2)/2 + x'*(a' + x*{K}) + y'*(b' + y*{K}) + 5*((a' + x*{K})^2 + (b' + y*{K})^2)",
)  # fmt: skip
START = {"x": 1, "y": 0.5, "a": 0, "b": 0, "x'": 0.3, "y'": -1}


def _winding(g: str) -> System:
    return System(
        name="winding", coordinates={"theta": "angle", "y": "length", "z": "length"},
        lagrangian="(theta'^2 + cosh(sin(theta))*y'^2 + z'^2)/2", constraints=[f"z' = {g}*y'"],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "jumps"),
    [
        ("atan(x/y)", True),
        ("k*atan(y/x) + log(x^2 + y^2)", True),
        ("atan(tan(x/2))", True),
        ("atan2(y, x)", True),
        ("atan(x/(1 + y^2))", False),
        ("x*atan(x) + sqrt(1 + y^2)", False),
        ("log(x) + 1/y", False),
    ],
)
def test_a_jump_is_met_where_a_slope_is_finite(text: str, jumps: bool) -> None:
    assert (a_jump(parse_expression(text), [symbol("x"), symbol("y")], {}) is not None) is jumps


def test_a_motion_crosses_the_jump_of_a_closed_form() -> None:
    r"""$f = e^{\alpha\arctan(x/y)}$ jumps at $y = 0$; followed by its differential it is $e^{-\alpha\varphi}$ times a constant."""
    h = AROUND.hamiltonize()
    assert "on a cover only" in " ".join(h.warnings)
    run = AROUND.simulate(START, until=2)
    assert float(run["y"][-1]) < 0 < float(run["y"][0])
    assert h.check(run)
    angle = np.unwrap(np.arctan2(run["y"].values, run["x"].values))
    f = h(START) * np.exp(-0.7 * (angle - angle[0]))
    tau = h.time(run)
    rough = np.concatenate([[0], np.cumsum(np.diff(run.time.values) * (f[1:] + f[:-1]) / 2)])
    assert float(tau[-1]) == pytest.approx(rough[-1], rel=1e-2)
    half = float(tau[-1]) * 0.9
    assert float(np.interp(float(h.old_time(run, half)[0]), run.time, tau)) == pytest.approx(half, rel=1e-2)


def test_a_multiplier_gives_the_density_that_no_search_finds() -> None:
    mu, f = AROUND.invariant_measure(), AROUND.hamiltonize().multiplier
    assert mu
    assert f is not None
    assert mu.finding.check().is_proven
    assert mu.check(AROUND.simulate(START, until=0.4))
    assert "on a cover only" in " ".join(mu.warnings)


@pytest.mark.parametrize(("g", "several"), [("exp(theta/4)", True), ("exp(sin(theta)/3)", False)])
def test_a_density_known_by_its_slopes_is_followed_round_the_circle(g: str, several: bool) -> None:
    system = _winding(g)
    h, mu = system.hamiltonize(), system.invariant_measure()
    assert mu
    assert mu.density is None
    assert ["on a cover only" in each for each in mu.warnings] == ["on a cover only" in each for each in h.warnings]
    assert bool(mu.warnings) is several
    assert mu({"theta": 1.0}) == pytest.approx(mu({"theta": 1.0, "y": 0.3, "z": 2.0}), rel=1e-12)
    with blames(StateError):
        mu({"y": 1.0})


def test_the_new_time_grows_by_the_size_of_the_multiplier() -> None:
    """The multiplier cos(phi) is negative beyond a right angle, where the rate of tau is its size."""
    from anholonomy import catalogue

    edge = catalogue.knife_edge()
    h = edge.hamiltonize()
    state = {"phi": 2.5}
    assert h(state) == pytest.approx(abs(math.cos(2.5)))
    given = dict.fromkeys((q.name for q in edge.coordinates), 0) | state | {"x'": 0.1, "phi'": 0.01}
    run = edge.simulate(given, until=1e-3)
    assert float(h.time(run)[-1]) / 1e-3 == pytest.approx(h(state), rel=1e-3)


def test_a_motion_that_ends_early_in_the_new_time_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    from anholonomy import catalogue

    particle = catalogue.free_particle()
    run = particle.simulate({"x": 0, "y": 0, "z": 0, "x'": 1, "y'": 1}, until=2)
    h = particle.hamiltonize()
    short = h.system.simulate({"x": 0, "y": 0, "x'": 1, "y'": 1}, times=[0.0, 0.1])
    monkeypatch.setattr(type(h.system), "simulate", lambda *_, **__: short)
    with blames(IntegrationError):
        h.check(run)
