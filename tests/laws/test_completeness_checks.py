"""No claim of completeness says more than its evidence does when it is gone through again, and no law is a number."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.base.verdict import Verdict

INCLINED = "X'^2 + s'^2 + phi'^2 + X'*s'*cos(alpha) + s*sin(alpha)"

TIED: Mapping[str, dict[str, Any]] = {
    "sine and cosine": {
        "constraints": ["s' = phi'"],
        "lagrangian": INCLINED,
        "parameters": {"alpha": 0.5},
    },
    "letters": {"constraints": ["s' = phi'"], "lagrangian": INCLINED, "parameters": ["alpha"]},
    "two angles": {
        "constraints": ["s' = phi'"],
        "lagrangian": "X'^2 + s'^2 + phi'^2 + X'*s'*cos(alpha) + s*sin(beta) + X*sin(alpha)",
        "parameters": {"alpha": 0.5, "beta": 0.3},
    },
    "hyperbolic": {
        "constraints": ["s' = phi'"],
        "lagrangian": "X'^2*cosh(k) + s'^2 + phi'^2 + X'*s'*sinh(k) + s*sinh(k)",
        "parameters": {"k": 0.5},
    },
    "tangent": {
        "constraints": ["s' = phi'*tan(alpha)"],
        "lagrangian": INCLINED,
        "parameters": {"alpha": 0.5},
    },
}


@pytest.mark.parametrize("name", TIED)
def test_all_four_laws_beside_an_integrable_constraint(name: str) -> None:
    """Two constant accelerations: with five dimensions of states a motion has four integrals without time."""
    system = ah.System(name="inclined", coordinates=["X", "s", "phi"], **TIED[name])
    laws = system.conserved()
    assert len(laws) == 4
    assert all(law.expression != 0 for law in (*laws, *laws.consequences))
    assert laws.finding.verdict is laws.finding.check() is Verdict.PROVEN
    values = {"alpha": 0.5} if name == "letters" else {}
    start = {"X": 0.3, "s": -0.2, "phi": 0.1, "X'": 0.7, "phi'": 0.4}
    run = system.with_parameters(**values).simulate(start, 3.0)
    for law in laws:
        along = law.along(run).values
        assert np.ptp(along) < 1e-8 * max(1.0, np.abs(along).max())


def test_a_function_of_a_parameter_that_is_zero_or_undone_by_another_hides_no_law() -> None:
    """On level ground x*y' - y*x' is constant; where sin(alpha) is random it is not, and x'*y' seemed independent of both."""
    flat = ah.System(
        name="flat", coordinates=["x", "y"], lagrangian="x'^2/2 + y'^2/2 + y*sin(alpha)", parameters={"alpha": 0}
    )
    laws = flat.conserved()
    at = {"x": 2.0, "y": 3.0, "x'": 5.0, "y'": 7.0}
    assert {5.0, 7.0, 2.0 * 7.0 - 3.0 * 5.0} <= {law(at) for law in laws}
    undone = ah.System(
        name="undone",
        coordinates=["x", "y"],
        lagrangian="x'^2/2 + y'^2/2 + y*sin(alpha) - y*sin(2*beta)",
        parameters={"alpha": 1, "beta": 0.5},
    )
    found = undone.conserved()
    slopes = []
    for name in at:  # of a free particle: three integrals are independent
        up, down = ({**at, name: at[name] + h} for h in (1e-5, -1e-5))
        slopes.append([(law(up) - law(down)) / 2e-5 for law in found])
    assert len(found) == 3
    assert np.linalg.matrix_rank(np.array(slopes), tol=1e-6) == 3


CATALOGUE = ("skate", "chaplygin_sleigh", "heisenberg", "knife_edge", "appell_hamel", "benenti", "constant_speed")


@pytest.mark.parametrize("name", CATALOGUE)
def test_evidence_of_completeness_stands_when_it_is_gone_through_again(name: str) -> None:
    laws = getattr(ah.catalogue, name)().conserved()
    assert laws.finding.is_proven
    for finding in (*laws.completeness, *(law.finding for law in (*laws, *laws.consequences))):
        assert finding.check() is finding.verdict


def test_evidence_fails_where_a_law_is_missing() -> None:
    """The evidence of a class, with one of the laws taken away, is no proof."""
    from dataclasses import replace

    laws = ah.catalogue.skate().conserved()
    for finding in laws.completeness:
        if finding.is_proven:
            (evidence,) = finding.evidence
            if hasattr(evidence, "functions") and not hasattr(evidence, "rooms"):
                assert replace(evidence, functions=evidence.functions[:1]).check() is Verdict.UNKNOWN
            else:
                fewer = tuple((some[:1], k) for some, k in evidence.sides)
                assert replace(evidence, sides=fewer).check() is Verdict.UNKNOWN


def test_the_finding_is_about_the_degree_that_was_asked() -> None:
    """The equations for degree 2 of a rattleback do not settle; a proof for degree 1 is none for degree 2."""
    laws = ah.catalogue.rattleback().conserved(time_limit=20)
    assert "degree at most 1" not in laws.finding.claim


def test_a_system_that_cannot_move_has_its_places_for_laws() -> None:
    fixed = ah.System(
        name="fixed", coordinates=["x", "y"], constraints=["x' = 0", "y' = 0"], lagrangian="x'^2/2 + y'^2/2 + x^2"
    )
    assert {str(law.expression) for law in fixed.conserved()} == {"x", "y"}


def test_a_momentum_is_divided_by_what_may_vanish() -> None:
    rotor = ah.System(
        name="rotor",
        coordinates=["psi", "x"],
        lagrangian="(l^2*m + I2 - I3)*psi'^2/2 + x'^2/2 - cos(x)",
        parameters=["l", "m", "I2", "I3"],
    )
    momentum = next(law for law in rotor.conserved() if law.kind == "momentum")
    assert str(momentum.expression) == "psi'"
    own = ah.System(name="own", coordinates=["psi"], lagrangian="I*psi'^2/2", parameters=["I"]).conserved()[0]
    assert str(own.expression) == "I*psi'"


def test_evidence_that_no_moving_energy_is_in_a_class_stands_when_it_is_gone_through_again() -> None:
    found = ah.catalogue.disc_on_circle().moving_energy()
    assert found.finding.verdict is found.finding.check() is Verdict.REFUTED
