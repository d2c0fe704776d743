"""A declared span that fails where the system does not: the motion goes on in another frame, and is the same."""

from __future__ import annotations

import numpy as np
import pytest
import symengine

import anholonomy as ah
from anholonomy.geometry.adapted_frame import keeps_rank
from anholonomy.system.frames.adapted import adapted_frame

TURN = ["0", "0", "1", "0"]
FAILING = {
    "a pole": [["1", "tan(theta)", "0", "0"], TURN],
    "a vector that vanishes": [["cos(theta)^2", "sin(theta)*cos(theta)", "0", "0"], TURN],
    "vectors that become parallel": [
        ["cos(theta)", "sin(theta)", "1", "0"],
        ["cos(theta)", "sin(theta)", "sin(theta)", "0"],
    ],
}
"""Bases of the same admissible directions of a blade, each failing at some headings."""


def blade(span: list | None = None) -> ah.System:
    """A blade off its centre, with a weight on a rod that is held by nothing but a spring."""
    return ah.System(
        name="blade", coordinates=["x", "y", "theta", "s"], parameters={"a": 0.3, "k": 2.0},
        lagrangian="(x'^2 + y'^2 + theta'^2 + s'^2)/2 + a*theta'*(y'*cos(theta) - x'*sin(theta)) + a*s'*theta' - k*s^2/2",
        constraints=["y'*cos(theta) - x'*sin(theta) = 0"], span=span and [*span, ["0", "0", "0", "1"]],
    )  # fmt: skip


START = {"x": 0, "y": 0, "theta": 0.9, "s": 0.2, "x'": 1, "theta'": 1.5, "s'": 0}
TIMES = np.linspace(0, 8, 5)


@pytest.fixture(scope="module")
def expected() -> ah.Motion:
    return blade().simulate(START, times=TIMES)


@pytest.mark.parametrize("name", FAILING)
@pytest.mark.parametrize("integrator", ["taylor", "runge-kutta"])
def test_a_motion_leaves_a_span_before_it_fails(name: str, integrator: str, expected: ah.Motion) -> None:
    run = blade(FAILING[name]).simulate(START, times=TIMES, integrator=integrator)
    assert run.is_complete
    assert run.data.attrs["charts"] > 1
    np.testing.assert_allclose(run.data["q"].values, expected.data["q"].values, rtol=0, atol=1e-11)


def test_a_long_span_is_seen_through_its_shared_parts() -> None:
    """What a long span divides by hides in the names of its common parts."""
    long = "+".join(f"cos(theta)^{k}*sin(s)^{k}/{k}" for k in range(1, 12))
    size = f"(3 + {long})/cos(theta)"
    span = [[f"cos(theta)*{size}", f"sin(theta)*{size}", "0", "0"], TURN]
    system = blade(span)
    assert adapted_frame(system.model).definitions
    assert adapted_frame(system.model).may_fail


@pytest.mark.parametrize("make", ["chaplygin_sleigh", "roller_racer", "n_trailer", "rolling_ball", "martinet"])
def test_spans_that_never_fail_are_not_watched(make: str) -> None:
    assert not adapted_frame(getattr(ah.catalogue, make)().model).may_fail


def test_a_span_of_one_vector_with_a_zero_may_fail() -> None:
    x, y = symengine.symbols("x y")
    one, zero = symengine.Integer(1), symengine.Integer(0)
    assert not keeps_rank(((x, y),), {x, y})
    assert keeps_rank(((x, y),), {symengine.Symbol("z")})
    assert keeps_rank(((x, one), (one, zero)), {x, y})
    assert not keeps_rank(((x, one), (one, x)), {x, y})


def test_the_bicycle_is_watched_where_its_front_wheel_stands_across() -> None:
    """Its declared directions solve for the yaw, which the rolling does not determine there; the bicycle itself is regular."""
    assert adapted_frame(ah.catalogue.whipple_bicycle().model).may_fail
