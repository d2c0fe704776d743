"""No dress of a system brings out an exception that is not the package's, or a verdict that contradicts another dress's."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

import pytest

from anholonomy.base.verdict import Verdict
from anholonomy.catalogue import ENTRIES
from anholonomy.system.total_derivatives import without_total_derivatives
from tests.properties.disguises import Dress, asked, contradictions, disguised, plain

SYSTEMS = (
    "skate",
    "knife-edge",
    "chaplygin-sleigh",
    "unicycle",
    "rolling-disk",
    "disc-on-circle",
    "free-particle",
    "affine-particle",
    "heisenberg",
    "generalized-heisenberg",
    "martinet",
    "engel",
    "contact-particle",
    "nonholonomic-oscillator",
    "appell-hamel",
    "constant-speed",
    "benenti",
)


def times(factor: str, name: str) -> Dress:
    """The system with its first constraint multiplied."""
    own = plain(ENTRIES[name].make())
    first, *others = own.constraints
    left, right = first.split("=")
    return replace(own, constraints=(f"{factor}*({left}) = {factor}*({right})", *others), done=(f"times {factor}",))


def plus(rate: str, name: str) -> Dress:
    """The system with a total derivative in its Lagrangian."""
    own = plain(ENTRIES[name].make())
    return replace(own, lagrangian=f"{own.lagrangian} + {rate}", done=(f"+ {rate}",))


@cache
def answers(name: str, seconds: float, questions: tuple[str, ...] = ()) -> dict[str, Verdict | str]:
    return asked(plain(ENTRIES[name].make()).system(), seconds, questions)


def try_on(dress: Dress, name: str, seconds: float, questions: tuple[str, ...] = ()) -> None:
    assert not contradictions(dress, answers(name, seconds, questions), asked(dress.system(), seconds, questions)), (
        dress
    )


@pytest.mark.parametrize(
    ("name", "rate"),
    [
        ("heisenberg", "exp(x)*x'"),
        ("knife-edge", "exp(phi)*phi' + y*sin(y)*y'"),
        ("skate", "sinh(x*y)*(x*y' + y*x')"),
        ("benenti", "log(y1^2 + 2)*y2' + 2*y1*y2*y1'/(y1^2 + 2)"),
        ("martinet", "y*x' + exp(z)*z'"),
        ("rolling-disk", "sin(theta)*y' + y*cos(theta)*theta'"),
    ],
)
def test_a_total_derivative_changes_no_answer(name: str, rate: str) -> None:
    questions = ("conserved", "energy", "multiplier")
    dress = plus(rate, name)
    try_on(dress, name, 3, questions)
    if name != "martinet":  # there a gyroscopic force is added
        laws, others = plain(ENTRIES[name].make()).system().conserved(), dress.system().conserved()
        assert [str(law) for law in laws] == [str(law) for law in others]


@pytest.mark.parametrize(
    ("name", "factor"),
    [
        ("appell-hamel", "exp(x)"),
        ("constant-speed", "exp(sin(y))"),
        ("appell-hamel", "(2 + cos(x + y))"),
        ("heisenberg", "exp(y)"),
        ("skate", "exp(x*y)"),
    ],
)
def test_a_constraint_may_be_multiplied(name: str, factor: str) -> None:
    try_on(times(factor, name), name, 3, ("conserved", "energy", "measure"))


def test_functions_of_time_alone_change_no_law() -> None:
    dress = plus("log(t^2 + 1) + sin(t)", "heisenberg")
    assert len(list(dress.system().conserved(time_limit=20))) >= 2


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(100))
def test_random_dresses(seed: int) -> None:
    rng = random.Random(seed)
    name = rng.choice(SYSTEMS)
    try_on(disguised(plain(ENTRIES[name].make()), rng), name, 2)


def test_a_model_without_total_derivatives_is_the_model_itself() -> None:
    for name in SYSTEMS:
        model = ENTRIES[name].make().model
        assert without_total_derivatives(model) == model
