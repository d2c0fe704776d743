"""Multipliers and densities that are functions on a cover only, and where the closed form of one jumps."""

from __future__ import annotations

import math

import numpy as np
import pytest

import anholonomy as ah
from anholonomy import System, Verdict
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
    assert mu.verdict is (Verdict.REFUTED if several else Verdict.PROVEN)
    assert (mu.on_cover is not None) is several
    assert mu.finding.check() is mu.verdict
    assert mu.density is None
    assert ["on a cover only" in each for each in h.warnings] == [True] * several
    assert mu({"theta": 1.0}) == pytest.approx(mu({"theta": 1.0, "y": 0.3, "z": 2.0}), rel=1e-12)
    with blames(StateError):
        mu({"y": 1.0})


KINETIC = [[1, 1, 1], [1, 5, 1], [1, 1, 5]]
PLANE = [[[0, 0, 1], [0, 0, 0], [0, 0, 0]], [[0, 0, 0], [0, 0, 1], [0, 0, 0]], [[0, -1, 0], [1, 0, 0], [0, 0, 0]]]
ALONG, ACROSS = "(cos(theta)*x' + sin(theta)*y')", "(cos(theta)*y' - sin(theta)*x')"
RIGID = f"({ALONG}^2 + 5*{ACROSS}^2 + 5*theta'^2)/2 + {ALONG}*{ACROSS} + {ALONG}*theta' + {ACROSS}*theta'"


def _on_the_plane(kind: str) -> System:
    """A body with a blade, in several dresses; its density is exp(-theta)."""
    if kind == "group":
        return System(group="SE2", kinetic=KINETIC, constraints=["v2 = 0"])
    if kind == "product":
        mass = [[*row, 0] for row in KINETIC] + [[0, 0, 0, 1]]
        return System(group="SE2 * R(s)", kinetic=mass, constraints=["v2 = 0"])
    if kind == "matrices":
        return System(group=ah.groups.MatrixGroup(PLANE), kinetic=KINETIC, constraints=["w2 = 0"])
    if kind == "beside a length":
        lagrangian = "(v1^2 + 5*v2^2 + 5*w^2 + s'^2)/2 + v1*v2 + v1*w + v2*w"
        return System(group="SE2", coordinates={"s": "length"}, lagrangian=lagrangian, constraints=["v2 = 0"])
    return System(
        coordinates={"x": "length", "y": "length", "theta": kind}, lagrangian=RIGID, constraints=[f"{ACROSS} = 0"]
    )


@pytest.mark.parametrize("kind", ["group", "product", "matrices", "beside a length", "angle"])
def test_a_density_with_two_values_at_one_element_is_none(kind: str) -> None:
    mu = _on_the_plane(kind).invariant_measure()
    assert mu.verdict is Verdict.REFUTED
    assert mu.finding.check() is mu.verdict
    assert "exp(-2*pi)" in str(mu)
    assert mu.on_cover is not None
    assert mu.on_cover.verdict is Verdict.PROVEN
    if kind != "matrices":
        assert mu({"theta": 2 * math.pi}) / mu({"theta": 0}) == pytest.approx(math.exp(-2 * math.pi))


def test_a_heading_that_is_no_angle_has_a_density() -> None:
    assert _on_the_plane("length").invariant_measure().verdict is Verdict.PROVEN
    covers = System(
        group="R(a) @ R(x, y)[cos(a), -sin(a); sin(a), cos(a)]",
        kinetic=[[5, 1, 1], [1, 1, 1], [1, 1, 5]],
        constraints=["v_y = 0"],
    )
    assert covers.invariant_measure().verdict is Verdict.PROVEN


def test_what_constraints_keep_constant_makes_up_for_a_turn() -> None:
    """The wire of Appell's machine goes down by b times its angle: instead of exp(k*theta) there is exp(-k*z/b)."""
    from anholonomy import catalogue

    machine = catalogue.appell_machine()
    mu = machine.invariant_measure()
    assert mu.verdict is Verdict.PROVEN
    assert mu.finding.check() is mu.verdict
    assert symbol("theta") not in mu.density.free_symbols
    rest = dict.fromkeys((q.name for q in machine.coordinates), 0)
    assert mu.check(machine.simulate(rest | {"theta'": 1.0, "phi'": -0.5}, until=1.0))


def test_laws_of_a_group_with_an_angle_are_on_its_cover() -> None:
    laws = _on_the_plane("group").conserved(degree=1)
    assert [law.kind for law in laws.found] == ["energy"] or not laws.found
    assert len(laws.on_cover) == 1


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
