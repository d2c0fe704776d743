"""Functions of time that only SymPy's loads have: parameters, or whatever is said to stand for them."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from sympy.physics.mechanics import KanesMethod, Particle, Point, ReferenceFrame, dynamicsymbols

import anholonomy as ah
from tests.wording import blames

q, u, F = dynamicsymbols("q u F")
m, k = sp.symbols("m k")
t = dynamicsymbols._t


def spring() -> KanesMethod:
    """A driven spring, its speed twice its velocity."""
    N, P = ReferenceFrame("N"), Point("P")
    P.set_vel(N, u / 2 * N.x)
    loads = [(P, (F - k * q) * N.x)]
    return KanesMethod(N, [q], [u], [2 * q.diff() - u], bodies=[Particle("b", P, m)], forcelist=loads)


@pytest.mark.parametrize("inputs", [{"F": "A*sin(t)"}, {F: sp.Symbol("A") * sp.sin(t)}], ids=["text", "SymPy"])
def test_a_driven_spring_moves_as_its_closed_form(inputs):
    """q'' + 4 q = 3 sin t from rest: q = sin t - sin(2 t)/2."""
    values = {"m": 1.0, "k": 4.0, "A": 3.0}
    system = ah.from_sympy(spring(), name="s", inputs=inputs, parameters=values).system
    run = system.simulate({"q": 0, "q'": 0}, until=9)
    expected = np.sin(run.time.values) - np.sin(2 * run.time.values) / 2
    np.testing.assert_allclose(run["q"].values, expected, atol=1e-13)


def test_an_input_may_be_feedback():
    system = ah.from_sympy(spring(), name="s", inputs={F: "-u - q"}, parameters={"m": 2.0, "k": 4.0}).system
    assert system.derive().accelerations({"q": 0.3, "q'": 0.7})["q''"] == pytest.approx((-5 * 0.3 - 2 * 0.7) / 2)


def test_without_a_law_an_input_is_a_parameter():
    system = ah.from_sympy(spring(), name="s", parameters={"m": 1.0, "k": 4.0}).system.with_parameters(F=2.0)
    assert system.derive().accelerations({"q": 0, "q'": 0})["q''"] == 2.0


@pytest.mark.parametrize(
    ("inputs", "names"),
    [
        ({"G": 1}, ("G",)),
        ({"m": 1}, ("m",)),
        ("F", ("inputs", "F")),
        ({"F": "u'"}, ("F", "u'")),
        ({"F": "q''"}, ("F", "q''")),
        ({"F": "sin("}, ("F",)),
        ({"F": None}, ("F",)),
    ],
)
def test_what_is_no_input_is_refused(inputs, names):
    with blames(ah.Error, *names):
        ah.from_sympy(spring(), name="s", inputs=inputs)
