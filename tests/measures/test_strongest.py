"""The strongest answer of `hamiltonize`: over a base, another, or modulo symmetries, from motions of the declared system."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from anholonomy import System, Verdict, catalogue
from anholonomy.errors import UnknownNameError
from tests.wording import blames

START = {"q0": 0.8, "q1": 0.0, "q2": 0.6, "q3": 0.0, "x": 0.0, "y": 0.0, "w1": 1.0, "w2": 2.0, "w3": -0.5}


@pytest.fixture(scope="module")
def ball() -> System:
    return catalogue.chaplygin_ball()


@pytest.fixture(scope="module")
def h(ball: System) -> Any:
    return ball.hamiltonize()


@pytest.mark.exhaustive
def test_chaplygins_ball(ball: System, h: Any) -> None:
    r"""Borisov and Mamaev: $f = (1 - D\gamma\cdot J^{-1}\gamma)^{-1/2}$ up to a constant, with $J = I + D$; checked along a motion of the ball itself."""
    run = ball.simulate(START, until=2)
    assert h.verdict is Verdict.PROVEN
    assert h.lagrangian is None
    assert "no Lagrangian is given here" in str(h)
    assert [each.verdict for each in h.besides] == [Verdict.REFUTED]
    D = ball.parameters["m"] * ball.parameters["r"] ** 2
    J = np.array([ball.parameters[f"I{k}"] for k in (1, 2, 3)]) + D
    gamma = np.array([run[f"R3{k}"].values for k in (1, 2, 3)]).T
    known = (1 - D * (gamma**2 / J).sum(axis=1)) ** -0.5
    found = [h({q.name: float(run[q.name][k]) for q in ball.coordinates}) for k in (0, 40, -1)]
    np.testing.assert_allclose(found / known[[0, 40, -1]], found[0] / known[0], rtol=1e-12)
    assert bool(h.check(run))
    tau = h.time(run)
    assert float(h.old_time(run, [float(tau[50])])[0]) == pytest.approx(float(run.time[50]), abs=1e-11)
    turned = replace(h.form, matrix_xy=tuple(tuple(-e for e in row) for row in h.form.matrix_xy))
    assert replace(h, form=turned).check(run).verdict is Verdict.REFUTED


@pytest.mark.exhaustive
def test_the_bracket_in_the_new_time_obeys_jacobi(h: Any) -> None:
    assert h.bracket.is_poisson()
    assert not replace(h, logarithm=-h.logarithm).bracket.is_poisson()


@pytest.mark.exhaustive
def test_a_named_fibre_is_asked_alone(ball: System) -> None:
    assert ball.hamiltonize(fibre=["x", "y"]).verdict is Verdict.REFUTED


@pytest.mark.parametrize("name", ["snakeboard", "chaplygin_sleigh"])
def test_rank_two_is_no_answer(name: str) -> None:
    system = getattr(catalogue, name)()
    assert system.reduced_by_group().hamiltonize().verdict is Verdict.PROVEN
    assert system.hamiltonize().verdict is Verdict.REFUTED


def test_a_strange_motion_is_refused() -> None:
    h = catalogue.suslov().hamiltonize()
    skate = catalogue.skate()
    run = skate.simulate({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 1}, until=1)
    with blames(UnknownNameError):
        h.time(run)
    with blames(UnknownNameError):
        h.check(run)
