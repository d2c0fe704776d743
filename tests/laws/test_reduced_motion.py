"""The motion on the constraint submanifold against multipliers, which know no adapted frame."""

from __future__ import annotations

import random

import pytest

from anholonomy import System
from anholonomy.algebra.expressions import symbol
from anholonomy.algebra.numbers.balls import evaluate_balls, precision
from anholonomy.algebra.zero_test import is_zero
from anholonomy.catalogue import ENTRIES
from anholonomy.laws.reduced_motion import reduced_motion
from anholonomy.system.states.random_states import admissible_points

FORCED = System(
    name="forced blade",
    coordinates=["x", "y", "theta"],
    lagrangian="m*(x'^2 + y'^2)/2 + J*theta'^2/2 + a*x'*theta' - k*x^2*y",
    constraints=["x'*sin(theta) - y'*cos(theta) = c*cos(t)"],
    forces={"x": "-b*x'", "theta": "y*t"},
    parameters={"m": 1.5, "J": 0.7, "a": 0.2, "k": 0.4, "c": 0.3, "b": 0.6},
)


KEYS = ("chaplygin-sleigh", "disc-on-circle", "appell-hamel", "veselova", "ball-on-turntable", "bilimovic")


@pytest.mark.parametrize("system", [*(ENTRIES[key].make() for key in KEYS), FORCED], ids=lambda system: system.name)
def test_rates_are_the_accelerations_of_multipliers(system: System) -> None:
    motion = reduced_motion(system.model)
    with precision(40):
        state = next(admissible_points(system.model, 40))
        wanted = system.derive("lagrange-dalembert").at({s.name: v for s, v in state.items()}, digits=30).accelerations
    speeds = evaluate_balls(list(motion.speeds_of_velocities.values()), state, 40)
    known = {**state, **dict(zip(motion.speeds_of_velocities, speeds, strict=True))}
    found = evaluate_balls([motion.rate(value) for value in motion.velocities.values()], known, 40)
    for here, there in zip(found, wanted, strict=True):
        assert abs(float(here - there)) < 1e-12 * (1 + abs(float(here)))


def test_the_bracket_of_the_fields_is_what_their_components_say() -> None:
    """[X, Y]^i = X^j ∂_j Y^i - Y^j ∂_j X^i on a chart, written out."""
    motion = reduced_motion(ENTRIES["rolling-disk"].make().model)
    X, Y = motion.fields
    for q, found in zip(motion.coordinates, motion.bracket(0, 1), strict=True):
        plain = sum(X[s] * Y[q].diff(s) - Y[s] * X[q].diff(s) for s in motion.coordinates)
        assert is_zero(found - plain)


def test_the_speeds_are_found_from_the_velocities() -> None:
    motion, rng = reduced_motion(FORCED.model), random.Random(1)
    values = {u: symbol("m") * 0 + rng.randint(1, 9) for u in motion.speeds}
    for u, back in motion.speeds_of_velocities.items():
        assert is_zero(back.xreplace(motion.velocities).xreplace(values) - values[u])
