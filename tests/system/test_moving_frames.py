"""Moving frames on groups of matrices: decided on the group, with the angular velocity that the group's own operations give."""

from __future__ import annotations

import math

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.algebra.zero_test import zero_test
from anholonomy.base.errors import DeclarationError
from anholonomy.base.verdict import Verdict
from tests.wording import blames


def lorentz() -> ah.System:
    return ah.System(name="lorentz", group="SO21", kinetic=["1", "2", "3"])


def boost(of: str = "t") -> dict[str, str]:
    """g -> a(t) g with a boost in the plane of the first and third directions."""
    c, s = f"cosh({of})", f"sinh({of})"
    first = {f"g1{j}": f"{c}*g1{j} + {s}*g3{j}" for j in (1, 2, 3)}
    return first | {f"g3{j}": f"{s}*g1{j} + {c}*g3{j}" for j in (1, 2, 3)}


def at(value, system: ah.System, g) -> float:
    names = (q.name for q in system.coordinates)
    return float(value.subs(dict(zip(names, map(float, g), strict=True))))


@pytest.mark.parametrize("seed", range(3))
def test_the_angular_velocity_of_a_boost(seed):
    r"""$\Omega = \mathrm{Ad}_{g^{-1}}(\dot a a^{-1})$, by the numbers of the group."""
    system, group, rng = lorentz(), ah.groups.SO21(), np.random.default_rng(seed)
    g = group.exp(rng.uniform(-1, 1, 3))
    small = 1e-6
    a = np.array([[math.cosh(small), 0, math.sinh(small)], [0, 1, 0], [math.sinh(small), 0, math.cosh(small)]])
    eta = group.log(a.ravel()) / small
    expected = group.body_velocity(g, eta)
    moving = system.geometry.moving_observer(boost())
    assert [at(value, system, g) for value in moving.Omega.values()] == pytest.approx(expected, abs=1e-9)
    # The boosts commute with one another, so the fixed frame sees the same field.
    assert [at(value, system, g) for value in moving.omega.values()] == pytest.approx(expected, abs=1e-9)


def test_a_left_translation_pushes_the_frame_onto_itself():
    """The left-invariant fields are invariant: M = 1, which holds on the group and not beside it."""
    pushed = lorentz().geometry.moving_observer(boost()).pushed_ab
    assert pushed == tuple(tuple(int(a == b) for b in range(3)) for a in range(3))


def test_seen_from_itself_nothing_turns():
    system = lorentz()
    assert set(system.geometry.moving_observer({}).Omega.values()) == {0}
    seen = system.seen_from(system.geometry.moving_observer({})).lagrangian
    assert zero_test(seen - system.lagrangian) is Verdict.PROVEN


@pytest.mark.parametrize(
    ("system", "place"),
    [
        (ah.System(name="free", coordinates=["x", "y"], kinetic=["1", "1"]), {"x": "t"}),
        (ah.System(name="free", coordinates=["x", "y"], kinetic=["1", "1"]), {"x": "y + t"}),
        (ah.System(name="top", group="SO3", kinetic=["1", "1", "1"]), {"q0": "1", "q1": "0", "q2": "0", "q3": "0"}),
        (lorentz(), {f"g{i}{j}": str(int(i == j)) for i in (1, 2, 3) for j in (1, 2, 3)}),
    ],
    ids=["x is time", "x is y", "one rotation", "one matrix"],
)
def test_a_map_that_cannot_be_undone_is_refused(system, place):
    with blames(DeclarationError):
        system.geometry.moving_observer(place)


@pytest.mark.parametrize("place", [{"g11": "g11 + t"}, {"g11": "2*g11"}])
def test_a_map_that_leaves_the_group_is_refused(place):
    with blames(DeclarationError):
        lorentz().geometry.moving_observer(place)


def drifting(**words) -> ah.System:
    """A constraint that determines y', seen by somebody who moves along x."""
    given = {"name": "drifting", "coordinates": ["x", "y"], "lagrangian": "m*(x'^2 + y'^2)/2", "parameters": {"m": 1.0}}
    return ah.System(**{**given, "constraints": ["y' = x*x'"], **words})


def test_a_frame_sees_the_system_that_is_asked():
    """Other values of the parameters are the same system, another declaration is not."""
    moving = drifting().geometry.moving_observer({"x": "x + W*t"}, parameters={"W": 2.0})
    heavy = drifting().with_parameters(m=5.0).seen_from(moving)
    assert heavy.parameters == {"m": 5.0, "W": 2.0}
    afresh = drifting(parameters={"m": 5.0}).geometry.moving_observer({"x": "x + W*t"}, parameters={"W": 2.0})
    assert heavy == drifting(parameters={"m": 5.0}).seen_from(afresh)
    assert drifting().seen_from(moving).parameters == {"m": 1.0, "W": 2.0}
    for other in (drifting(constraints=[]), drifting(parameters={"m": 1.0, "k": 2.0}), lorentz()):
        with blames(DeclarationError, "drifting"):
            other.seen_from(moving)
    with blames(DeclarationError, "x", "moving_observer"):
        drifting().seen_from("x")


def test_kept_constraints_are_judged_by_the_values_of_the_system():
    """With k = 1 the second constraint follows from the first, with k = 2 it does not."""
    words = {"constraints": ["y' = x*x'", "k*y' = x*x'"], "redundant": "keep", "coordinates": ["x", "y", "z"]}
    words["lagrangian"] = "m*(x'^2 + y'^2 + z'^2)/2"
    first, second = (drifting(**words, parameters={"m": 1.0, "k": k}) for k in (1.0, 2.0))
    place = {"z": "z + t"}
    assert first.with_parameters(k=2.0).seen_from(first.geometry.moving_observer(place)).model.redundant_rows == ()
    assert second.with_parameters(k=1.0).seen_from(second.geometry.moving_observer(place)).model.redundant_rows == (1,)


def test_a_state_in_a_moving_frame_is_read_as_a_start_is():
    r"""$x = \tilde x + Wt$, so that $\dot x = \dot{\tilde x} + W$ and $\dot y = x\dot x$."""
    moving = drifting().geometry.moving_observer({"x": "x + W*t"}, parameters={"W": None})
    state = {"x": "1/2", "y": 0, "x'": 1, "t": 3, "W": 2}
    found = moving.fixed_state(state)
    assert found == pytest.approx({"x": 6.5, "y": 0, "x'": 3, "y'": 19.5}, rel=1e-15)
    drifting().simulate({**found, "t": 3}, until=3.1)
    for names, extra in ((("zz",), {"zz": 1}), (("x", "pie/4"), {"x": "pie/4"}), (("c1",), {"y'": 1}), ((), None)):
        with blames(ah.errors.StateError, *names):
            moving.fixed_state(extra and state | extra)
    with blames(ah.errors.StateError, "W"):
        moving.fixed_state({"x": 1, "y": 0, "x'": 1})
    projected = moving.fixed_state(state | {"y'": 1}, project=True)
    assert projected["y'"] == pytest.approx(projected["x"] * projected["x'"], rel=1e-14)


def test_states_of_a_system_without_lagrangian_are_carried_too():
    system = ah.System(name="pushed", coordinates=["x"], momenta={"x": "x'"}, forces={"x": "-x"})
    assert system.geometry.moving_observer({"x": "x + t^2"}).fixed_state({"x": 1, "x'": 0, "t": 2}) == {"x": 5, "x'": 4}


def test_a_reflection_is_no_map_of_the_rotations() -> None:
    """It keeps every invariant of the matrices, but no motion reaches it."""
    turns = ah.groups.MatrixGroup(
        [[[0, 0, 0], [0, 0, -1], [0, 1, 0]], [[0, 0, 1], [0, 0, 0], [-1, 0, 0]], [[0, -1, 0], [1, 0, 0], [0, 0, 0]]]
    )
    body = ah.System(group=turns, kinetic=[1, 2, 3])
    with blames(ah.errors.DeclarationError):
        body.geometry.moving_observer({f"g1{k}": f"-g1{k}" for k in (1, 2, 3)})
    body.geometry.moving_observer({f"g{i}{k}": f"-g{i}{k}" for i in (1, 2) for k in (1, 2, 3)})  # half a turn
    with blames(ah.errors.DeclarationError):
        body.geometry.moving_observer(3)
