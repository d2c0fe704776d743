"""Constraints on positions single out one level: what fails on others may hold there, and must not be refuted."""

from __future__ import annotations

import math

import numpy as np
import pytest

import anholonomy as ah
from anholonomy import System
from anholonomy.algebra.numbers.balls import precision
from anholonomy.base.errors import NotSupportedError
from anholonomy.base.verdict import Verdict
from anholonomy.laws.reduced_motion import reduced_motion
from anholonomy.measures.density.too_many_brackets import crowded
from anholonomy.measures.new_time.no_multiplier_by_rank import overdetermined
from anholonomy.system.states.complete_state import complete_state
from tests.laws.disguised_levels import BASES, twins
from tests.wording import blames


def _sleigh(offset: str, extra: list[str], position: str) -> System:
    """A sleigh whose mass is off its blade by a function that a position constraint makes zero, or not."""
    own = " + ".join(f"{q}'^2/2" for q in extra)
    return System(
        name="sleigh", coordinates=["x", "y", "theta", *extra], parameters={"m": 1.0, "I": 0.5},
        lagrangian=f"m*(x'^2 + y'^2)/2 + I*theta'^2/2 + m*({offset})*theta'*(y'*cos(theta) - x'*sin(theta)) + {own}",
        constraints=["y'*cos(theta) = x'*sin(theta)", position],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("offset", "extra", "position"),
    [("z", ["z"], "z = 0"), ("u^2 + v^2 - 1", ["u", "v"], "u^2 + v^2 = 1"), ("z - x", ["z"], "z = x")],
    ids=["a plane", "a circle", "a slope"],
)
def test_a_measure_on_the_declared_level_is_found(offset: str, extra: list[str], position: str) -> None:
    """There the sleigh is the skate, or one whose kinetic energy is another, and keeps a measure; other levels do not."""
    system = _sleigh(offset, extra, position)
    mu = system.invariant_measure()
    assert mu
    assert mu.finding.check() is Verdict.PROVEN
    assert "d" + extra[-1] not in mu.volume.split()
    assert crowded(reduced_motion(system.model)) is None


def test_where_it_has_none_on_that_level_the_witness_lies_there() -> None:
    mu = _sleigh("z", ["z"], "z = 1/2").invariant_measure()
    assert mu.verdict is Verdict.REFUTED
    assert "z" not in {str(s) for s, _ in mu.finding.evidence[0].point}
    assert mu.finding.check() is Verdict.REFUTED
    assert crowded(reduced_motion(_sleigh("z", ["z"], "z = 1/2").model)) is not None


def test_a_witness_lies_where_the_level_is_real() -> None:
    """On a small circle the offset is at most 1/10; expressions without its root go on beyond, states do not."""
    mu = _sleigh("u", ["u", "v"], "u^2 + v^2 = 1/100").invariant_measure()
    assert mu.verdict is Verdict.REFUTED
    place = {str(s): value for s, value in mu.finding.evidence[0].point}
    assert abs(place["u"]) < 0.1
    assert mu.finding.check() is Verdict.REFUTED


def test_a_coordinate_that_shows_the_time_is_a_clock() -> None:
    """z = 3*t: what the declared system conserves as z*x' - 3*x depends on time when z is gone."""
    lift = System(coordinates=["x", "z"], lagrangian="(x'^2 + z'^2)/2", constraints=["z = 3*t"])
    laws = lift.conserved(degree=1)
    assert [law.kind for law in laws][:1] == ["leaf"]
    assert any("t" in {str(s) for s in law.expression.free_symbols} for law in laws[1:])


def _curved(z: str) -> System:
    """Over a base of three dimensions with a curvature that z multiplies; for z = 0 a free particle."""
    return System(
        name="curved", coordinates=["x", "y", "w", "s", "z"], lagrangian="(x'^2 + y'^2 + w'^2 + s'^2 + z'^2)/2",
        constraints=["s' = z*(x*y' + y^2*w')", f"z = {z}"],
    )  # fmt: skip


def test_multipliers_and_reach_are_those_of_the_declared_level() -> None:
    flat = _curved("0")
    assert flat.hamiltonize().multiplier == 1
    assert overdetermined(reduced_motion(flat.model)) is None
    assert flat.controllability().accessible.verdict is Verdict.REFUTED
    bent = _curved("1")
    assert bent.hamiltonize().verdict is Verdict.REFUTED
    assert bent.controllability().accessible.verdict is Verdict.PROVEN


def test_an_energy_that_survives_on_the_declared_level_is_found() -> None:
    shaken = System(
        name="shaken",
        coordinates=["x", "y", "z"],
        lagrangian="(x'^2 + y'^2 + z'^2)/2 - z*cos(t)*x^3",
        constraints=["z = 0"],
    )
    assert shaken.moving_energy()
    assert "generic levels" not in str(shaken.conserved())
    assert {str(law.expression) for law in shaken.conserved(degree=1)} >= {"z", "x'", "y'"}


def _twisted(coefficient: str, extra: list[str], position: str) -> System:
    """A particle whose constraint is integrable where a coefficient vanishes, and nowhere else."""
    own = " + ".join(f"{q}'^2" for q in ["x", "y", "s", *extra])
    return System(
        name="twisted", coordinates=["x", "y", "s", *extra], lagrangian=f"({own})/2",
        constraints=[f"s' = ({coefficient})*x*y'", position],
    )  # fmt: skip


ON, OFF = Verdict.PROVEN, Verdict.REFUTED


@pytest.mark.parametrize(
    ("coefficient", "extra", "position", "verdict"),
    [
        ("z", ["z"], "z = 0", ON),
        ("z", ["z"], "z = 1", OFF),
        ("z - x*y", ["z"], "z = x*y", ON),
        ("z - x*y", ["z"], "z = x*y + 1", OFF),
        ("z - sin(t)", ["z"], "z = sin(t)", ON),
        ("u^2 + v^2 - 1", ["u", "v"], "u^2 + v^2 = 1", ON),
        ("u^2 + v^2 - 1", ["u", "v"], "u^2 + v^2 = 2", OFF),
        ("a - b", ["a", "b", "c"], "a + b = 2*c", OFF),
    ],
)
def test_motions_are_compared_on_the_declared_level(
    coefficient: str, extra: list[str], position: str, verdict: Verdict
) -> None:
    """Off it the constraint is that of Heisenberg's group or worse, whose motions are not vakonomic; on it there may be none."""
    system = _twisted(coefficient, extra, position)
    answer = system.compare_vakonomic()
    assert answer.verdict is verdict
    assert answer.finding.check() is answer.verdict
    if verdict is OFF:
        assert answer.counterexample is not None
        with precision(30):
            complete_state(system.model, answer.counterexample)  # which refuses what is on another level
    for family in answer.exceptions:
        assert extra[-1] not in {str(q) for e in family.expressions for q in e.free_symbols}


def test_a_motion_on_the_other_branch_is_not_judged_by_the_first() -> None:
    """Of u^2 + v^2 = 1 the half v > 0 is solved for; on the other half this constraint is another."""
    system = _twisted("v - sqrt(1 - u^2)", ["u", "v"], "u^2 + v^2 = 1")
    assert "v = sqrt(1 - u^2)" in system.compare_vakonomic().finding.scope.points
    moving = {"x": 1, "y": 0, "s": 0, "u": 0, "x'": 1, "y'": 1, "u'": 0}
    assert system.compare_vakonomic(moving | {"v": 1}).verdict is Verdict.PROVEN
    assert system.compare_vakonomic(moving | {"v": -1}).verdict is Verdict.REFUTED


@pytest.mark.exhaustive
def test_where_no_coordinate_is_solved_for_the_level_is_not_guessed() -> None:
    """cos(a) + cos(b) = c: a refutation needs a state there, and a proof elsewhere is none."""
    trap = _twisted("cos(a) + cos(b) - 1", ["a", "b"], "cos(a) + cos(b) = 1")
    answer = trap.compare_vakonomic()
    assert answer.verdict is Verdict.UNKNOWN
    assert "solve the constraints on positions" in str(answer)
    bent = _twisted("cos(a) + cos(b) - 1", ["a", "b"], "cos(a) + cos(b) = 3/2").compare_vakonomic()
    assert bent.verdict is Verdict.REFUTED
    assert not bent.exceptions
    state = dict(bent.finding.evidence[0].state)
    assert abs(sum(math.cos(float(state[q].mid())) for q in state if str(q) in "ab") - 1.5) < 1e-12
    whole = " ".join(each.scope.points for each in trap.conserved().completeness if each)
    assert "generic levels" in whole or not whole


def test_completeness_says_on_which_side_absolute_values_were_taken() -> None:
    """On the other side of the wall this particle is in a trough, and less is conserved."""
    wall = System(coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2 - (abs(x) - x)*y^2")
    assert all("where x is positive" in each.scope.points for each in wall.conserved().completeness if each)


@pytest.mark.parametrize("redundant", ["drop", "keep"])
def test_a_level_is_declared_beside_its_own_rate(redundant: str) -> None:
    system = System(
        name="twice", coordinates=["x", "y", "s", "z"], lagrangian="(x'^2 + y'^2 + s'^2 + z'^2)/2",
        constraints=["s' = z*x*y'", "z' = 0", "z = 0"], redundant=redundant,
    )  # fmt: skip
    assert system.compare_vakonomic()
    assert len(system.conserved(degree=1)) == 5


def test_what_else_is_asked_of_a_system_is_asked_on_its_level() -> None:
    system = _twisted("z", ["z"], "z = 0")
    assert system.geometry.distribution.is_integrable()
    assert system.hamiltonian_form().is_poisson()
    assert system.geometry.ehresmann(["x", "y"]).is_flat()
    assert system.momentum_equation({"y": "1"}).finding
    assert "z0" not in str(system.closed_form())
    run = system.simulate({"x": 1, "y": 0, "s": 0, "z": 0, "x'": 1, "y'": 2}, until=1)
    assert system.closed_form().check(run)
    assert system.compare_vakonomic().check(run)
    assert system.invariant_measure().check(run)
    assert system.paths.abnormal().finding.verdict is Verdict.REFUTED  # every path, the constraint having an integral


@pytest.mark.exhaustive
def test_answers_are_evaluated_at_states_of_the_declared_system() -> None:
    bowl = System(
        name="bowl", coordinates=["x", "y", "s", "z"], lagrangian="(x'^2 + y'^2 + s'^2 + z'^2)/2 - g*z",
        constraints=["2*z = x^2", "s' = x*y'"], parameters={"g": 2.0},
    )  # fmt: skip
    start = {"x": 1.0, "y": 0.3, "s": 0.0, "z": 0.5, "x'": 0.4, "y'": 1.2}
    run = bowl.simulate(start, until=3)
    mu, h, laws = bowl.invariant_measure(), bowl.hamiltonize(), bowl.conserved()
    assert mu.check(run)
    assert h.check(run)
    assert mu(start) > 0
    assert h(start) > 0
    assert {law.kind for law in laws} >= {"energy", "leaf"}
    for law in laws:
        assert law.check() is Verdict.PROVEN
        assert float(abs(law.along(run) - law(start)).max()) < 1e-11


def test_a_constant_of_the_energy_needs_no_place_in_the_equations() -> None:
    high = System(
        coordinates=["x", "z"],
        lagrangian="(x'^2 + z'^2)/2 - g*z - x^2",
        constraints=["z = h"],
        parameters={"g": 9.81, "h": 2.0},
    )
    assert [law.kind for law in high.conserved()] == ["energy", "leaf"]


@pytest.mark.exhaustive
def test_a_ball_whose_height_is_declared_is_the_ball() -> None:
    """z = r leaves a constant of gravity in the energy, which no equation of motion has."""
    words = {"group": "SO3", "parameters": {"m": 1.0, "I": 1.0, "g": 9.81, "r": 1.0}}
    rolling = ["x' = r*(R21*w1 + R22*w2 + R23*w3)", "y' = -r*(R11*w1 + R12*w2 + R13*w3)"]
    spin = "I*(w1^2 + w2^2 + w3^2)/2"
    high = System(
        name="ball", coordinates=["x", "y", "z"], lagrangian=f"m*(x'^2 + y'^2 + z'^2)/2 + {spin} - m*g*z",
        constraints=["z = r", *rolling], **words,
    )  # fmt: skip
    flat = System(
        name="ball",
        coordinates=["x", "y"],
        lagrangian=f"m*(x'^2 + y'^2)/2 + {spin} - m*g*r",
        constraints=rolling,
        **words,
    )
    laws, wanted = high.conserved(degree=1), flat.conserved(degree=1)
    assert {str(law.expression) for law in laws} - {str(law.expression) for law in wanted} == {"-r + z"}
    assert high.compare_vakonomic().verdict is flat.compare_vakonomic().verdict
    assert high.invariant_measure().density == flat.invariant_measure().density
    # Modulo right turns, of which there are more than left ones, three speeds are left and all of them are constant.
    assert len(high.reduced_by_group().conserved(degree=1)) == len(flat.reduced_by_group().conserved(degree=1)) == 3


def test_a_counterexample_has_no_numbers_where_the_level_has_none() -> None:
    bowl = System(
        name="bowl", coordinates=["x", "y", "h", "z"], lagrangian="(x'^2 + y'^2 + h'^2 + z'^2)/2",
        constraints=["z = k*x^2", "y'*cos(h) = x'*sin(h)"], parameters=["k"],
    )  # fmt: skip
    answer = bowl.compare_vakonomic()
    assert answer.verdict is Verdict.REFUTED
    assert answer.counterexample is None


def test_a_moving_level_has_its_moving_energy() -> None:
    """A bead on a plane that rises: its energy less the power of the plane is that of the bead on the plane."""
    rising = System(
        name="rising", coordinates=["x", "z"], lagrangian="(x'^2 + z'^2)/2 - x^2", constraints=["z = 3*t + x"]
    )
    found = rising.moving_energy()
    assert found.field == {"z": 3}
    run = rising.simulate({"x": 1, "z": 1, "x'": 0.5, "z'": 3.5}, until=2)
    values = found.along(run)
    assert float(abs(values - values[0]).max()) < 1e-12
    E = run["(x'^2 + z'^2)/2 + x^2 - 3*z'"]
    assert float(abs(E - E[0]).max()) < 1e-12
    assert float(abs((values - values[0]) - (E - E[0])).max()) < 1e-12


@pytest.mark.exhaustive
@pytest.mark.parametrize("base", list(BASES))
def test_no_level_but_the_declared_one_is_seen(base: str) -> None:
    """A random surface whose neighbours are wild, against the same system that SymPy wrote in independent coordinates."""
    pair = twins(base, 7)
    for verb in ("compare_vakonomic", "invariant_measure", "moving_energy", "hamiltonize"):
        found, wanted = (_verdict(system, verb) for system in (pair.declared, pair.truth))
        assert found == wanted, verb
    laws, truth = pair.declared.conserved(time_limit=None), pair.truth.conserved(time_limit=None)
    assert len(laws) == len(truth) + 1
    assert [each.verdict for each in laws.completeness] == [each.verdict for each in truth.completeness]
    mu, nu = pair.declared.invariant_measure(), pair.truth.invariant_measure()
    if mu.density is not None and nu.density is not None and mu.volume == nu.volume:
        places = [{q.name: 0.3 + 0.2 * k + j for j, q in enumerate(pair.truth.coordinates)} for k in range(3)]
        ratios = [mu(place) / nu(place) for place in places]
        assert max(ratios) - min(ratios) < 1e-12 * max(ratios)


def _verdict(system: System, verb: str) -> object:
    try:
        return getattr(system, verb)(time_limit=None).finding.verdict
    except NotSupportedError:
        return NotSupportedError


def test_a_momentum_on_a_circle_is_regular_all_round():
    cylinder = System(
        name="cylinder",
        coordinates=["x", "y", "z"],
        lagrangian="(x'^2 + y'^2 + z'^2)/2 - z",
        constraints=["x^2 + y^2 = 1"],
    )
    turning = next(law for law in cylinder.conserved(degree=1) if law.kind == "momentum")
    assert abs(turning({"x": 1, "y": 0, "z": 0, "y'": 2, "z'": 0})) == 2


@pytest.mark.parametrize("height", ["a*t^2/2", "a*sin(t)", "0"])
@pytest.mark.parametrize("side", [1, -1], ids=["above", "below"])
def test_laws_on_a_circle_hold_on_both_of_its_branches(height: str, side: int) -> None:
    """The circle is solved by a root, of which the bottom has the other sign."""
    system = ah.System(
        name="lifted pendulum",
        coordinates=["x", "y"],
        lagrangian="(x'^2 + y'^2)/2 - g*y",
        constraints=[f"x^2 + (y - {height})^2 = l^2"],
        parameters={"a": 0.6, "g": 2.0, "l": 1.0},
    )
    laws = [law for law in system.conserved() if law.degree]
    run = system.simulate({"x": 0.6, "y": 0.8 * side, "x'": 0.3}, until=3)
    assert len(laws) == (0 if "sin" in height else 1)
    for law in laws:
        values = law.along(run)
        assert float(abs(values - values[0]).max()) < 1e-12
        assert law.check() is ah.Verdict.PROVEN


@pytest.mark.exhaustive
def test_a_law_on_one_branch_has_no_values_on_another() -> None:
    """The coefficients of a ball in a lying cylinder are known by equations with a root in them."""
    ball = ah.bodies.RigidBody("ball", mass="m", inertia=["I", "I", "I"])
    rolls = ah.bodies.Rolling(ball, surface=ah.bodies.Sphere("r"), on=ah.bodies.Cylinder("R", axis=1))
    system = ah.System(
        name="ball in a tube", bodies=[ball], contacts=[rolls], parameters={"m": 1.0, "I": 0.3, "r": 0.5, "R": 3.0}
    )
    law = next(each for each in system.conserved(degree=1) if each.place)
    state = {"x": 0.1, "y": 0.3, "q0": 1, "q1": 0, "q2": 0, "q3": 0, "w1": 0.2, "w2": 0.5, "w3": 0.4}
    height = (2.5**2 - 0.3**2) ** 0.5
    assert np.isfinite(law(state | {"z": height}))
    with blames(ah.errors.StateError, "z"):
        law(state | {"z": -height})
    run = system.simulate(state | {"z": -height}, until=0.5)
    with blames(ah.errors.StateError):
        law.along(run)


def test_a_law_of_one_branch_is_not_proven_on_the_other() -> None:
    """A bead that is pushed on the lower half of a ring alone: above it keeps its momentum."""
    ring = ah.System(
        name="ring",
        coordinates=["x", "y"],
        lagrangian="(x'^2 + y'^2)/2 - (abs(y) - y)*x",
        constraints=["x^2 + y^2 = 1"],
    )
    (momentum,) = (law for law in ring.conserved(degree=1) if law.degree)
    above, below = (ring.simulate({"x": 0.6, "y": y, "x'": 0.1}, until=0.5) for y in (0.8, -0.8))
    values = momentum.along(above)
    assert float(abs(values - values[0]).max()) < 1e-14
    with blames(ah.errors.StateError, "y"):
        momentum.along(below)
