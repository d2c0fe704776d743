"""Names that differ in case and hyphens are taken; others get the nearest ones, and none where none is near."""

from __future__ import annotations

import numpy as np
import pytest

from anholonomy.base.errors import UnknownNameError
from anholonomy.catalogue import skate
from anholonomy.cli.target import find
from anholonomy.language.suggestions import near_symbol, nearest, same_name
from anholonomy.language.syntax_errors import rate_meant
from tests.wording import blames


@pytest.mark.parametrize("by", ["Hamel", "HAMEL", "lagrange_dalembert", "Lagrange-d'Alembert", "Udwadia Kalaba"])
def test_principles_go_by_their_letters(by):
    letters = [c for c in by.lower() if c.isalpha()]
    assert [c for c in skate().derive(by).principle if c.isalpha()] == letters


@pytest.mark.parametrize("name", ["chaplygin_sleigh", "Chaplygin-Sleigh", "chaplygin sleigh"])
def test_the_catalogue_goes_by_letters(name):
    assert find(name).system.name == "Chaplygin sleigh"


def test_backends_and_integrators_go_by_their_letters():
    start = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}
    run = skate().simulate(start, until=0.1, integrator="Runge_Kutta", by="Maggi")
    assert run.is_complete
    assert np.isfinite(skate().derive().function("NumPy")(0.0, [0, 0, 0, 1, 1])).all()


@pytest.mark.parametrize(
    ("by", "says"),
    [("hamell", "'hamel'"), ("gibbs", "'gibbs-appell'"), ("udwadia", "'udwadia-kalaba'"), ("kanes", "'kane'")],
)
def test_a_wrong_principle_gets_the_nearest(by, says):
    with blames(UnknownNameError, says):
        skate().derive(by)


def test_a_class_is_to_be_called():
    from anholonomy.principles import Hamel

    with blames(UnknownNameError):
        skate().derive(Hamel)


def test_two_names_alike_are_not_guessed_between():
    assert same_name("a_b", ["a-b", "ab"]) is None
    assert same_name("ab", ["a-b", "ab"]) == "ab"
    assert same_name(None, ["none"]) is None
    assert nearest("", ["hamel"]) == []


def test_rates_are_of_names_that_exist():
    assert rate_meant(["mdot"], ["x"]) is None
    assert rate_meant(["dx"], ["x"]) is None
    assert rate_meant(["dx", "dt"], ["x", "dx"]) == ("dx/dt", "x'")
    assert near_symbol("thetadot", ["theta", "theta'"]) == "theta'"
    assert near_symbol("mdot", ["m", "q"]) != "m'"


@pytest.mark.parametrize("event", ["thetadot - 1", "theta_dot"])
def test_events_and_starts_know_rates_by_other_notations(event):
    start = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}
    with blames(UnknownNameError, "theta'"):
        skate().simulate(start, until=1, events={"e": event})
