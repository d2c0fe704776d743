"""Starts decided in doubles are those that many digits give, and what doubles cannot decide is left to these."""

import math

import numpy as np
import pytest

import anholonomy as ah
from anholonomy import catalogue
from anholonomy.algebra.numbers.balls import precision
from anholonomy.language.arguments import plain
from anholonomy.motion.starts.one_motion import quick_state
from anholonomy.system.states.complete_state import complete_state
from tests.wording import blames


def exactly(model, given):
    with precision(30):
        return {s: float(v.mid()) for s, v in complete_state(plain(model), given).items()}


@pytest.mark.parametrize("key", [key for key in catalogue.ENTRIES if key != "whipple-bicycle"])
def test_the_starts_of_the_catalogue(key):
    entry = catalogue.ENTRIES[key]
    model = entry.make().model.independent
    quick, exact = quick_state(model, dict(entry.start)), exactly(model, dict(entry.start))
    if quick is not None:
        assert quick.keys() == exact.keys()
        assert max(abs(quick[s] - exact[s]) for s in exact) < 1e-14


@pytest.mark.parametrize(
    "key", ["affine-particle", "chaplygin-sleigh", "disc-on-circle", "ball-on-turntable", "rubber-ball"]
)
def test_linear_and_affine_rows_are_decided(key):
    entry = catalogue.ENTRIES[key]
    assert quick_state(entry.make().model.independent, dict(entry.start)) is not None


def vehicle(rng, trailers):
    names = ["x", "y", *(f"a{k}" for k in range(trailers + 1))]
    kinetic = " + ".join(f"{name}'^2" for name in names)
    rows, places = [], ["x'", "y'"]
    for k in range(trailers + 1):
        rows.append(f"-sin(a{k})*({places[0]}) + cos(a{k})*({places[1]}) = 0")
        places = [f"{places[0]} + l*sin(a{k})*a{k}'", f"{places[1]} - l*cos(a{k})*a{k}'"]
    return ah.System(coordinates=names, lagrangian=f"({kinetic})/2", constraints=rows, parameters={"l": 0.7})


@pytest.mark.parametrize("trailers", [0, 1, 3])
def test_random_vehicles(trailers):
    rng = np.random.default_rng(trailers)
    model, decided = vehicle(rng, trailers), 0
    for _ in range(20):
        heading = rng.uniform(-3, 3)
        angles = {f"a{k}": heading + rng.uniform(-1, 1) for k in range(trailers + 1)}
        given = {"x": rng.normal(), "y": rng.normal(), **angles, "x'": rng.normal(), f"a{trailers}'": rng.normal()}
        quick = quick_state(plain(model), given)
        if quick is None:
            continue
        decided += 1
        exact = exactly(model, given)
        top = max(abs(exact[w]) for w in model.velocities)
        assert max(abs(quick[s] - exact[s]) for s in exact) < 1e-12 * max(top, 1)
    assert decided > 5


SKATE = catalogue.skate()
DOUBTFUL = {
    "a right angle": {"x": 0, "y": 0, "theta": math.pi / 2, "x'": 1, "theta'": 0},
    "nearly a right angle": {"x": 0, "y": 0, "theta": math.pi / 2 - 1e-7, "x'": 1, "theta'": 0},
    "a violated row": {"x": 0, "y": 0, "theta": 0, "x'": 1, "y'": 1e-9, "theta'": 0},
    "a missing coordinate": {"x": 0, "theta": 0, "x'": 1, "theta'": 0},
    "a name nobody knows": {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0, "z": 1},
    "an exact text": {"x": 0, "y": 0, "theta": "pi", "x'": 1, "theta'": 0},
    "no number": {"x": 0, "y": 0, "theta": float("nan"), "x'": 1, "theta'": 0},
    "infinity": {"x": 0, "y": 0, "theta": 0, "x'": float("inf"), "theta'": 0},
    "too little": {"x": 0, "y": 0, "theta": 0.3, "theta'": 0},
}


@pytest.mark.parametrize("given", DOUBTFUL.values(), ids=DOUBTFUL)
def test_doubles_do_not_decide(given):
    assert quick_state(SKATE.model, given) is None


def test_a_reflection_is_left_to_be_refused():
    body = ah.System(group="SO3", kinetic=[1, 2, 3])
    names = [q.name for q in body.coordinates]
    identity = dict(zip(names, [1.0, 0, 0, 0], strict=True))
    assert quick_state(body.model, {**identity, "w1": 1, "w2": 0, "w3": 0}) is not None
    assert quick_state(body.model, {**identity, names[0]: 1.1, "w1": 1, "w2": 0, "w3": 0}) is None


def test_rows_about_given_velocities_must_hold():
    ball = catalogue.ENTRIES["rubber-ball"]
    model, start = ball.make().model.independent, dict(ball.start)
    assert quick_state(model, start) is not None
    assert quick_state(model, {**start, "w3": start["w3"] + 1e-9}) is None
    with blames(ah.Error):
        ball.make().simulate({**start, "w3": start["w3"] + 1e-3}, until=1)
