"""Densities without a closed form: their numbers against quadrature, and along motions."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from scipy.integrate import quad

from anholonomy import System, Verdict, catalogue
from anholonomy.errors import StateError
from tests.wording import blames

ODD = System(
    name="odd", coordinates=["x", "y", "z"], parameters=["k"], lagrangian="(x'^2 + (2 + k*sin(x^2))*y'^2 + z'^2)/2",
    constraints=["z' = x*y'"],
)  # fmt: skip
START = {"x": 0.3, "y": 0.1, "z": -0.4, "x'": 0.7, "y'": -0.9, "k": 0.5}


def test_a_straight_way() -> None:
    r"""$N'(x)/N = -x/(2 + x^2 + k\sin x^2)$, by quadrature."""
    mu = ODD.invariant_measure()
    assert mu.verdict is Verdict.PROVEN
    assert mu.density is None
    assert "no closed form" in str(mu)
    for x in (0.4, 1.3):
        known = math.exp(quad(lambda s: -s / (2 + s * s + 0.5 * math.sin(s * s)), 0, x)[0])
        det = 2 + 0.5 * math.sin(x * x) + x * x
        assert mu({"x": x, "y": 3, "z": -1, "k": 0.5}) == pytest.approx(known * det, rel=1e-12)
    assert mu({"x": 1, "k": 0.5}) == pytest.approx(mu({"x": 1, "y": 3, "z": -1, "k": 0.5}), rel=1e-12)
    with blames(StateError, "x"):
        mu({"y": 0, "z": 0, "k": 0.5})


def test_along_a_motion() -> None:
    mu = ODD.invariant_measure()
    values = {name: value for name, value in START.items() if name != "k"}
    run = ODD.simulate(values, until=2, parameters={"k": 0.5})
    assert bool(mu.check(run))
    first, *rest = mu.known_divergence.fields
    wrong = replace(mu._path_integral, fields=(first._replace(value=-first.value), *rest))
    object.__setattr__(mu, "_path_integral", wrong)
    assert mu.check(run).verdict is Verdict.REFUTED


def test_on_the_leaves_of_a_constraint() -> None:
    """With an integrable constraint beside it, the path stays on its leaves and the numbers are the same along a motion."""
    system = System(
        name="leafy", coordinates=["x", "y", "z", "s"],
        lagrangian="(x'^2 + (2 + sin(x^2))*y'^2 + z'^2 + s'^2)/2", constraints=["z' = x*y'", "s' = 2*x*x'"],
    )  # fmt: skip
    mu = system.invariant_measure()
    assert mu.verdict is Verdict.PROVEN
    run = system.simulate({"x": 0.3, "y": 0, "z": 0, "s": 1, "x'": 0.7, "y'": -0.9}, until=1)
    assert mu.density is None
    assert bool(mu.check(run))


def test_appells_machine_has_a_closed_form() -> None:
    mu = catalogue.appell_machine().invariant_measure()
    assert mu.density is not None
    assert "on a cover" not in str(mu)  # the depth of the weight makes up for the turns


@pytest.mark.exhaustive
def test_on_a_group() -> None:
    """Of Veselova's body the density is known: integrated in a chart of the group it is the same up to a factor, and has its pole."""
    top = catalogue.veselova()
    known = top.invariant_measure(time_limit=None)
    numbers = replace(known, logarithm=None, logarithm_of_density=None)
    assert numbers.density is None
    places = [(0.5, 0.5, 0.1, 0.7), (0.6, 0.4, 0.5, 0.3), (0.9, 0.3, 0.1, -0.2)]
    states = [{f"q{k}": v / math.hypot(*place) for k, v in enumerate(place)} for place in places]
    ratios = [numbers(state) / known(state) for state in states]
    assert ratios == pytest.approx([ratios[0]] * len(ratios), rel=1e-11)
    with blames(StateError):
        numbers({"q0": 0.8, "q1": -0.6, "q2": 0.0, "q3": 0.0})
