"""Jacobi's identity and reduction in redundant coordinates are decided on the group."""

from __future__ import annotations

import pytest

import anholonomy as ah
from anholonomy.algebra.zero_test import zero_test
from anholonomy.base.errors import NotSupportedError
from anholonomy.base.verdict import Verdict
from tests.wording import blames

MOMENTS = {"kinetic": ["I1", "I2", "I3"], "parameters": ["I1", "I2", "I3"]}


@pytest.mark.parametrize(
    ("constraints", "verdict"),
    [
        ([], Verdict.PROVEN),
        (["w3 = 0"], Verdict.REFUTED),
        (["R31*w1 + R32*w2 + R33*w3 = 0"], Verdict.REFUTED),
        (["(R13*R21 - R11*R23)*w1 = R31*w2"], Verdict.PROVEN),  # R32 by its cofactor, which it is on the group alone
    ],
    ids=["free", "Suslov", "Veselova", "a row of R"],
)
def test_jacobi_holds_exactly_where_the_directions_have_leaves(constraints, verdict):
    system = ah.System(name="body", group="SO3", constraints=constraints, **MOMENTS)
    assert system.hamiltonian_form().is_poisson().verdict is verdict
    assert system.geometry.distribution.is_integrable().verdict is verdict


def fibred(inertia: str, slope: str) -> ah.System:
    return ah.System(
        name="fibred", group="SO3", coordinates=["x", "y", "z"], parameters=["m", "J"],
        lagrangian=f"m*({inertia})*(x'^2 + y'^2 + z'^2)/2 + J*(w1^2 + w2^2 + w3^2)/2",
        constraints=[f"w1 = x'*({slope})", "w2 = y*z'", "w3 = x*y'"],
    )  # fmt: skip


def test_what_is_constant_on_the_group_is_invariant():
    """A row and a column of a rotation matrix have length one, though not beside the group."""
    plain = fibred("1", "1").reduced()
    found = fibred("R11^2 + R12^2 + R13^2", "R12^2 + R22^2 + R32^2").reduced()
    assert zero_test(found.base.lagrangian - plain.base.lagrangian) is Verdict.PROVEN
    for velocity, force in plain.gyroscopic.items():
        assert zero_test(found.gyroscopic[velocity] - force) is Verdict.PROVEN
    state = {"x": 0.3, "y": -0.2, "z": 0.1, "x'": 1.0, "y'": 0.5, "z'": -0.7, "m": 1.3, "J": 0.7}
    assert found.base.derive().accelerations(state) == pytest.approx(plain.base.derive().accelerations(state))


def test_what_is_not_constant_on_the_group_is_refused():
    with blames(NotSupportedError):
        fibred("2 + R11", "1").reduced()
