"""What literature says of the systems of the catalogue is found from their declarations alone, and compared as functions."""

from __future__ import annotations

import numpy as np
import pytest

from anholonomy.catalogue import ENTRIES, chaplygin_sleigh, disc_on_circle, free_particle, knife_edge, suslov
from anholonomy.catalogue.entry import Claims, agreement, are_proportional, changes, follow_from
from anholonomy.language.arguments import expression
from tests.catalogue.checks import constant, motion

LONG = 400.0
"""Seconds that a question may take on a machine that does other things too."""
LINEAR = (
    "chaplygin-ball",
    "rubber-ball",
    "veselova",
    "ball-in-cylinder",
    "leaning-disc-quaternion",
    "rolling-ball",
    "rattleback",
)
"""Systems whose claims are linear in the speeds, but for the energy: quadratic ones are not looked for here, which takes long."""

CYCLIC = ("appell-machine",)
"""Systems with a claimed integral that is a cyclic momentum in the new time."""


def compared(key: str) -> dict[str, bool | None]:
    system, claims = ENTRIES[key].make(), ENTRIES[key].claims
    laws = list(system.conserved(degree=1 if key in LINEAR else 2, time_limit=LONG))
    if key in LINEAR:
        laws.append(system.moving_energy(time_limit=LONG).law)
    measure = system.invariant_measure(time_limit=LONG) if claims.measure else None
    multiplier = system.hamiltonize(time_limit=LONG) if claims.multiplier or key in CYCLIC else None
    return agreement(system.model, claims, laws, measure, multiplier)


def test_every_entry_has_its_claims_with_a_source() -> None:
    assert all(entry.claims.source for entry in ENTRIES.values())


@pytest.mark.exhaustive_for("rattleback")
@pytest.mark.parametrize("key", ENTRIES)
def test_what_is_claimed_to_be_constant_is_so_along_a_motion(key: str) -> None:
    """Beside the questions, in numbers; and what is claimed not to be constant is not."""
    run, claims, frame = motion(key), ENTRIES[key].claims, ENTRIES[key].make().geometry.frame
    texts = [text for text in (*claims.integrals, *claims.beyond) if text != "energy" and " by " not in text]
    for text in texts:
        values = run[frame.in_coordinates(expression(text, "a claim"))].values
        assert constant(np.broadcast_to(values, run.time.shape), 1e-11), text
    if "energy" in (*claims.integrals, *claims.broken):
        assert constant(run.energy.values) == ("energy" in claims.integrals)


@pytest.mark.exhaustive_for("affine-particle")
@pytest.mark.parametrize("key", ["knife-edge", "chaplygin-sleigh", "heisenberg", "affine-particle"])
def test_claims_of_a_few_are_found(key: str) -> None:
    found = compared(key)
    assert found
    assert all(found.values()), found


@pytest.mark.exhaustive
@pytest.mark.parametrize("key", ENTRIES)
def test_claims_are_found(key: str) -> None:
    found = compared(key)
    assert all(found.values()), found


@pytest.mark.exhaustive
def test_what_facts_say_of_special_values_is_found_too() -> None:
    principal = suslov(I13=0, I23=0)
    assert follow_from(principal.model, ["w1", "w2"], [law.expression for law in principal.conserved()]) == [True, True]
    fixed = disc_on_circle("2", {})
    assert follow_from(fixed.model, ["energy"], [law.expression for law in fixed.conserved()]) == [True]
    assert changes(disc_on_circle().model, "energy")


@pytest.mark.exhaustive
def test_a_wrong_claim_is_noticed() -> None:
    """Each comparison can fail: another factor in an integral, another power in a density, a multiplier that is none."""
    particle, laws = free_particle(), list(free_particle().conserved())
    values = [law.expression for law in laws]
    assert follow_from(particle.model, ["(1 + x^2)*y'", "sqrt(1 + x^2)*y'", "y'", "x'^3*sqrt(1 + x^2)*y'"], values) == [
        False, True, False, True,
    ]  # fmt: skip
    density = particle.invariant_measure().density
    assert are_proportional(particle.model, "7*sqrt(1 + x^2)", density)
    assert not are_proportional(particle.model, "1 + x^2", density)
    wrong = Claims(
        source="nobody",
        integrals=("x'",),
        measure=("sqrt(1 + x^2)", "dx dy dz dx' dy'"),
        multiplier="none",
        broken=("x'", "y'"),
    )
    found = agreement(particle.model, wrong, laws, particle.invariant_measure(), particle.hamiltonize())
    assert found == {"x'": True, "not x'": False, "not y'": True, "measure": False, "multiplier": False}
    sleigh = Claims(
        source="nobody", integrals=("theta'",), measure=("1", "dx dy dtheta du domega"), multiplier="cos(theta)"
    )
    asked = chaplygin_sleigh()
    found = agreement(asked.model, sleigh, asked.conserved(), asked.invariant_measure(), asked.hamiltonize())
    assert not any(found.values())
    edge = knife_edge()
    assert not are_proportional(edge.model, "cos(phi)^2", expression("cos(phi)", "a multiplier"))
