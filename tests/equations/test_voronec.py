"""Voronec's equations against multipliers, against pencil and paper, and against themselves in other velocities."""

from __future__ import annotations

import itertools
import re

import pytest
import symengine
from hypothesis import HealthCheck, given, settings

import anholonomy as ah
from anholonomy.algebra.numbers.balls import precision
from anholonomy.algebra.zero_test import is_zero
from anholonomy.catalogue import ENTRIES, chaplygin_sleigh, n_trailer
from anholonomy.equations.evaluation import evaluate_equations
from anholonomy.equations.principles import lagrange_dalembert, voronec
from anholonomy.equations.verification import verify
from anholonomy.language import parse_expression
from anholonomy.system.frames.adapted import frame_of_speeds
from anholonomy.system.states.newton import evaluate_at
from anholonomy.system.states.random_states import admissible_points
from tests.properties.moving_frames import in_frame
from tests.properties.random_systems import systems
from tests.wording import blames

BRIEF = settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
COVERED = [key for key, entry in ENTRIES.items() if voronec.Voronec().covers(entry.make())]
_COUNT = itertools.count()


def agrees(model) -> bool:
    """With the multipliers of d'Alembert's principle, at 30 digits."""
    pair = [lagrange_dalembert.LagrangeDAlembert(), voronec.Voronec()]
    verification = verify(model, states=1, principles=pair)
    return len(verification.principles) == 2 and verification.agree


def trial() -> ah.System:
    """Affine, moving, forced, with two constraints: every term is at work. A new name, so that nothing is remembered."""
    return ah.System(
        name=f"trial {next(_COUNT)}",
        coordinates=["x", "y", "z", "w"],
        lagrangian="(1 + x^2)*x'^2/2 + (y' + sin(z)*x')^2/2 + (2 + cos(y))*z'^2/2 + w'^2 + x*y*z' + w*x' - x*cos(y) - t*z*w",
        constraints=["z' = (x*w + t)*x' + sin(z)*y*y' + t*w", "w' = y*z*t*x' + (x + w)*y' + x*z"],
        forces={"x": "-x' + y", "z": "x*y'", "w": "t - w'"},
    )


@pytest.mark.exhaustive_for("whipple-bicycle")
@pytest.mark.parametrize("key", COVERED)
def test_agrees_with_multipliers_on_the_catalogue(key: str) -> None:
    assert agrees(ENTRIES[key].make())


@pytest.mark.parametrize("kind", ["linear", "affine", "time-dependent", "affine time-dependent", "position"])
def test_agrees_with_multipliers_on_random_systems(kind: str) -> None:
    @BRIEF
    @given(systems(kinds=(kind,)))
    def check(system: ah.System) -> None:
        assert agrees(system)

    check()


def test_the_lagrangian_need_not_be_quadratic() -> None:
    assert agrees(
        ah.System(
            name="fast",
            coordinates=["x", "y", "z"],
            lagrangian="-sqrt(9 - x'^2 - y'^2 - z'^2) + x*z'",
            constraints=["z' = y*x'/5 + t*y'/7 + x/9"],
            forces={"z": "x*y"},
        )
    )


def test_without_constraints_it_is_lagrange() -> None:
    assert agrees(ah.System(name="free", coordinates=["x", "y"], lagrangian="(2 + y)*x'^2/2 + y'^2/2 - x*t"))


SLEIGH = {
    # (I + m a^2) theta'' and m x''/cos^2 theta, from l = m x'^2/(2 cos^2 theta) + (I + m a^2) theta'^2/2, K_y = m (y' + a cos theta theta')
    # and the coefficient A_{x theta} = d(tan theta)/d theta.
    ("x'", "theta'"): [
        ["m/cos(theta)^2", "0", "-m*x'*tan(theta)*theta'/cos(theta)^2 + m*a*theta'^2/cos(theta)"],
        ["0", "I + m*a^2", "-m*a*theta'*x'/cos(theta)"],
    ],
    ("y'", "theta'"): [
        ["m/sin(theta)^2", "0", "m*y'*cos(theta)*theta'/sin(theta)^3 + m*a*theta'^2/sin(theta)"],
        ["0", "I + m*a^2", "-m*a*theta'*y'/sin(theta)"],
    ],
}


@pytest.mark.parametrize("speeds", SLEIGH)
def test_the_sleigh_by_hand(speeds: tuple[str, ...]) -> None:
    equations = chaplygin_sleigh(m=None, I=None, a=None).derive("voronec", speeds=list(speeds))
    assert [u.name for u in equations.speeds] == list(speeds)
    K, right = equations.data.explicit
    for row, value, texts in zip(K, right, SLEIGH[speeds], strict=True):
        expected = [parse_expression(text) for text in texts]
        assert all(is_zero(a - b) for a, b in zip((*row, value), expected, strict=True))


def test_the_printed_page_says_where_the_choice_is_singular() -> None:
    page = str(chaplygin_sleigh().derive("voronec", speeds=["x'", "theta'"]))
    assert re.search(r"\(singular where -?cos\(theta\) = 0\)", page)


def test_any_independent_velocities_give_the_same_motion() -> None:
    system = trial()
    with precision(40):
        point = next(admissible_points(system.model, 35, seed=4))
        expected = evaluate_equations(system.derive("lagrange-dalembert").data, point).accelerations
        for speeds in itertools.permutations(["x'", "y'", "z'", "w'"], 2):
            found = evaluate_equations(system.derive("voronec", speeds=list(speeds)).data, point).accelerations
            assert max(float(abs(a - b).abs_upper()) for a, b in zip(found, expected, strict=True)) < 1e-25


def test_a_long_train_is_solved_in_steps() -> None:
    train = n_trailer(12)
    assert train.derive("voronec").data.frame.definitions
    assert agrees(train)
    chosen = train.derive("voronec", speeds=["x'", "theta0'"])
    assert chosen.data.frame.definitions
    with precision(40):
        point = next(admissible_points(train.model, 35, seed=1))
        found, expected = (evaluate_equations(e.data, point).accelerations for e in (chosen, train.derive("hamel")))
        assert max(float(abs(a - b).abs_upper()) for a, b in zip(found, expected, strict=True)) < 1e-22


def test_a_choice_at_a_state_is_regular_there() -> None:
    sleigh = chaplygin_sleigh()
    for theta in (0.0, 1.5707963267948966):
        state = {"x": 0, "y": 0, "theta": theta, "theta'": 0.3, "x'": 1.0 if theta == 0 else 6.123233995736766e-17}
        state["y'"] = 0.0 if theta == 0 else 1.0
        assert sleigh.derive("voronec", at=state).accelerations(state)["theta''"] == pytest.approx(-0.06 / 0.34)


def test_it_drives_a_simulation_through_its_singular_headings() -> None:
    sleigh = chaplygin_sleigh()
    start = {"x": 0, "y": 0, "theta": 0, "x'": 0.2, "theta'": 1.5}
    one, other = sleigh.simulate(start, until=4), sleigh.simulate(start, until=4, by="voronec")
    assert float(one["theta"][-1]) > 1.6
    assert other.data.attrs["charts"] > 1
    for name in ("x", "y", "theta"):
        assert float(abs(one[name] - other[name]).max()) < 1e-11


def test_speeds_that_are_no_velocities_are_refused() -> None:
    sleigh = chaplygin_sleigh()
    with blames(ah.errors.NotSupportedError, "u"):
        sleigh.derive("voronec", speeds={"u": "x'*cos(theta) + y'*sin(theta)", "omega": "theta'"})
    with blames(ah.errors.NotSupportedError):
        voronec.Voronec().derive(sleigh, sleigh.geometry.adapted_frame)


def test_what_it_does_not_cover_is_refused() -> None:
    entry = parse_expression
    moving = in_frame(trial(), [[entry(str(int(i == j))) for j in range(4)] for i in range(4)], [entry("t")] * 4)
    with blames(ah.errors.NotSupportedError):
        voronec.Voronec().derive(moving)
    nonlinear = ah.System(
        name="appell", coordinates=["x", "y"], lagrangian="x'^2 + y'^2 - x", constraints=["x'^2 + y'^2 = 1"]
    )
    with blames(ah.errors.NotSupportedError):
        nonlinear.derive("voronec")
    with blames(ah.errors.NotSupportedError):
        voronec.voronec_principle(nonlinear, {"x": "t"})


def test_variations_are_those_of_independent_coordinates() -> None:
    system = trial()
    frame = frame_of_speeds(system.model, ["x'", "y'"])
    with blames(ah.errors.UnknownNameError, "z", "x"):
        voronec.voronec_principle(system, {"z": "t"}, frame)
    with blames(ah.errors.UnknownNameError, "s"):
        voronec.voronec_principle(system, {"x": "s"}, frame)


def test_what_is_no_variation_and_no_connection_of_the_system() -> None:
    system = trial()
    with blames(ah.errors.DeclarationError):
        voronec.voronec_principle(system, ["x"])
    with blames(ah.errors.DeclarationError):
        voronec.voronec_residuals(system, chaplygin_sleigh().geometry.ehresmann(["x", "theta"]))


def principle_holds() -> bool:
    """Voronec's principle and the invariant form vanish at a motion's state."""
    system = trial()
    frame = frame_of_speeds(system.model, ["x'", "y'"])
    residuals = [voronec.voronec_principle(system, {"x": "x*y' + t", "y": "cos(w)*t^2"}, frame)]
    residuals += voronec.voronec_residuals(system, system.geometry.ehresmann(["x", "y"]))
    with precision(40):
        point = next(admissible_points(system.model, 35, seed=2))
        seen = evaluate_equations(system.derive("lagrange-dalembert").data, point)
        known = point | {
            symengine.Symbol(f"{w.name}'"): a for w, a in zip(system.velocities, seen.accelerations, strict=True)
        }
        return all(float(abs(value).abs_upper()) < 1e-25 for value in evaluate_at(residuals, known))


def test_the_principle_and_the_invariant_form_hold_on_motions() -> None:
    assert agrees(trial())
    assert principle_holds()
