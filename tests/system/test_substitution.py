"""A Lagrangian with the constraint put into it is noticed by the velocities that are gone."""

from __future__ import annotations

import warnings

import pytest

import anholonomy as ah
from anholonomy.catalogue import ENTRIES, rolling_disk
from tests.wording import blames

DISC = {
    "name": "disc",
    "coordinates": ["x", "y", "theta", "phi"],
    "constraints": ["x' = R*cos(phi)*theta'", "y' = R*sin(phi)*theta'"],
    "parameters": {"m": 1.0, "I": 0.5, "J": 0.25, "R": 1.0},
}
SUBSTITUTED = "(I + m*R^2)*theta'^2/2 + J*phi'^2/2"


def test_the_warning_names_the_velocities_and_the_cure() -> None:
    with blames(ah.errors.SubstitutedConstraintWarning, "x'", "y'") as seen:
        ah.System(**DISC, lagrangian=SUBSTITUTED)
    (warning,) = seen
    assert "give the Lagrangian of the unconstrained system" in str(warning.message)
    assert warning.filename == __file__


def test_one_velocity_is_in_the_singular() -> None:
    with blames(ah.errors.SubstitutedConstraintWarning, "y'"):
        ah.System(name="s", coordinates=["x", "y"], lagrangian="x'^2/2 - y", constraints=["y' = x*x'"])


def test_a_velocity_that_cancels_is_gone_too() -> None:
    with blames(ah.errors.SubstitutedConstraintWarning, "y'"):
        ah.System(
            name="s",
            coordinates=["x", "y"],
            lagrangian="x'^2/2 + (x' + y')^2 - (x' - y')^2 - 4*x'*y'",
            constraints=["y' = x*x'"],
        )


@pytest.mark.parametrize("key", ENTRIES)
def test_the_catalogue_does_not_warn(key: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ENTRIES[key].make()


@pytest.mark.parametrize(
    "words",
    [
        {"lagrangian": "x'^2/2 + y'^2/2 - x*y", "constraints": ["y' = x*x'"]},
        {"lagrangian": "x'^2/2 + a*x*y'", "constraints": ["y' = x*x'"], "parameters": {"a": 0.0}},
        {"lagrangian": "x'^2/2", "constraints": ["y = x^2"]},
        {"momenta": {"x": "x'", "y": "0"}, "forces": {"x": "-x"}, "constraints": ["y' = x*x'"]},
        {"lagrangian": "x'^2/2 + y'^2/2"},
    ],
    ids=["plain", "only a gyroscopic term", "a position constraint", "no Lagrangian", "no constraint"],
)
def test_these_do_not_warn(words: dict[str, object]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ah.System(name="s", coordinates=["x", "y"], **words)


def test_it_was_right_to_warn() -> None:
    """Turning and rolling, the substituted disc feels no reaction where the true one feels m R theta' phi'."""
    state = {"x": 0, "y": 0, "theta": 0, "phi": 0, "theta'": 2, "phi'": 0.5}
    with pytest.warns(ah.errors.SubstitutedConstraintWarning):
        wrong = ah.System(**DISC, lagrangian=SUBSTITUTED).derive("lagrange-dalembert").reactions(state)
    right = rolling_disk().derive("lagrange-dalembert").reactions(state)
    assert right["y'"] == pytest.approx(1.0)
    assert wrong["y'"] == pytest.approx(0.0, abs=1e-14)


def test_a_direction_without_inertia_is_noticed() -> None:
    """The sleigh with its blade put into the kinetic energy: both velocities are still there, one direction is not."""
    with blames(ah.errors.SubstitutedConstraintWarning, "x'", "y'"):
        ah.System(
            name="sleigh",
            coordinates=["x", "y", "th"],
            lagrangian="m/2*((x'*cos(th) + y'*sin(th))^2 + a^2*th'^2) + I/2*th'^2",
            constraints=["x'*sin(th) = y'*cos(th)"],
            parameters={"m": 1.0, "I": 0.3, "a": 0.2},
        )
