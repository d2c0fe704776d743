"""Every question ends when its time is over, or at Ctrl-C, and says so; nothing it does on the way is left out of the limit."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from time import sleep
from typing import Any

import numpy as np
import pytest
import symengine
from sympy.integrals.manualintegrate import manualintegrate

from anholonomy import System
from anholonomy.algebra.calculus import gradient
from anholonomy.algebra.expressions import nodes_of, symbol
from anholonomy.algebra.numbers.doubles import kernel
from anholonomy.algebra.numeric_relations import constant_combinations
from anholonomy.base.deadlines import check, effort, patience
from anholonomy.catalogue import ENTRIES
from anholonomy.equations.reduction.symmetries import carried_choices, symmetries
from anholonomy.errors import TimeLimitError
from anholonomy.laws import closed_form_motion
from anholonomy.measures import hamiltonize
from tests.wording import blames

SYSTEMS = ["rattleback", "rubber-ball", "ball-in-cylinder", "n-trailer"]


@pytest.mark.parametrize("key", SYSTEMS)
def test_no_time_is_no_answer_and_says_so(key: str) -> None:
    system = ENTRIES[key].make()
    laws = system.conserved(time_limit=1e-6)
    assert "gave up after 1e-06 s; give a longer `time_limit`" in laws.gave_up
    measure, new_time = system.invariant_measure(time_limit=1e-6), system.hamiltonize(time_limit=1e-6)
    equation = system.momentum_equation({system.model.directions[0]: "1"}, time_limit=1e-6)
    for answer in (measure.finding, new_time.finding, equation.finding, equation.admissible):
        assert answer.is_unknown
        assert "gave up after 1e-06 s; give a longer `time_limit`" in str(answer)
    assert "unknown" in str(equation)
    assert "gave up" in equation.latex()
    assert equation.to_dict()["rate"] is None


def _waiting(*_: Any, **__: Any) -> Any:
    while True:
        check()


def _interrupted(*_: Any, **__: Any) -> Any:
    raise KeyboardInterrupt


@pytest.mark.parametrize(("work", "why"), [(_waiting, "gave up after 0.01 s"), (_interrupted, "interrupted")])
def test_the_reduction_is_part_of_the_question(
    work: Callable[..., Any], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hamiltonize, "_base_of", work)
    found = ENTRIES["chaplygin-sleigh"].make().hamiltonize(time_limit=0.01)
    assert found.finding.is_unknown
    assert why in str(found)


@pytest.mark.parametrize(("work", "why"), [(_waiting, "gave up after 0.01 s"), (_interrupted, "interrupted")])
def test_a_momentum_that_takes_long_is_unknown(
    work: Callable[..., Any], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("anholonomy.laws.momentum.vanishing", work)
    found = ENTRIES["skate"].make().momentum_equation({"x": "1"}, time_limit=0.01)
    assert found.finding.is_unknown
    assert why in str(found)
    assert found({"x": 0, "y": 0, "theta": 0, "x'": 2, "theta'": 1}) == pytest.approx(2.0)  # m = 1


def test_the_sentence_names_the_limit_that_was_met() -> None:
    with blames(Exception, "0.001", "s"), patience(60), patience(0.001), patience(None):
        _waiting()
    with blames(Exception, "0.002", "s"), patience(0.002), patience(60):
        _waiting()


def test_an_effort_does_not_count_what_others_do() -> None:
    with effort(0.01):
        sleep(0.03)
        check()
        with blames(TimeLimitError, "0.01"):
            deque(iter(check, "never"))
    check()


def test_what_is_written_often_is_looked_at_once() -> None:
    """Written out it has 2^60 terms; a walk over all of them would never end, and no limit could end it."""
    x = symbol("x")
    nested = x
    for _ in range(60):
        nested = symengine.sin(nested) * symengine.cos(nested)
    assert len(nodes_of(nested, symengine.sin)) == 60
    (slope,) = gradient(nested, (x,))
    assert slope.xreplace({x: symengine.Integer(0)}) == 1


def test_laws_that_were_not_asked_for_to_the_end_say_why() -> None:
    from anholonomy.laws.law import Laws

    finding = Laws("bicycle", (), (), gave_up="gave up after 1 s").finding
    assert finding.is_unknown
    assert "gave up after 1 s" in str(finding)


def test_symmetries_of_many_coordinates_obey_the_limit_and_are_bounded() -> None:
    tall = np.ones((200_000, 2))
    assert kernel(tall).shape == (2, 1)  # whose left side would be a square of its height
    n = range(24)
    chain = System(
        coordinates=[f"q_{k}" for k in n],
        lagrangian=" + ".join(f"q_{k}'^2/2" for k in n) + "".join(f" - (q_{k + 1} - q_{k})^2/2" for k in n[:-1]),
        constraints=["q_0' = q_1*q_2'"],
    )
    carried = next(carried_choices(chain.model.independent, True))
    with patience(1e-9), blames(TimeLimitError):
        symmetries(carried)
    x = symbol("x")
    with blames(TimeLimitError):
        constant_combinations([[x] * 4_000] * 400, chain.geometry.frame.orbit)


def test_rules_of_sympy_end_at_the_limit() -> None:
    """The integral of a quotient of high powers takes the rules more than seconds; they look at symbols, which look at the time."""
    x, *others = (closed_form_motion._watchful_symbol()(name) for name in "xabcd")
    a, b, c, d = others
    integrand = ((a * x + b) ** 20 / (c * x + d) ** 15).expand()
    with effort(0.1), blames(TimeLimitError, "0.1"):
        manualintegrate(integrand, x)
