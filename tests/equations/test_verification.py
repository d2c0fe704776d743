"""Verification is relative to what it compares, at any number of digits; bounds that say nothing are said to."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import final

import pytest
import symengine

import anholonomy as ah
from anholonomy.catalogue import chaplygin_sleigh
from anholonomy.equations.equations_of_motion import EquationsOfMotion
from anholonomy.equations.principles import LagrangeDAlembert
from anholonomy.equations.principles.base import AbstractPrinciple
from anholonomy.equations.verification import verify
from anholonomy.geometry.adapted_frame import AdaptedFrame
from anholonomy.system.frames.adapted import full_frame
from anholonomy.system.model import Model

HONEST = LagrangeDAlembert()


@final
class Tampered(AbstractPrinciple):
    """Lagrange's equations with the first acceleration wrong by a small part of itself."""

    name, title, handles = "tampered", "Tampered", HONEST.handles
    choose_frame = staticmethod(full_frame)

    def __init__(self, by: Fraction) -> None:
        self.by = symengine.Rational(by.numerator, by.denominator)

    def _derive(self, model: Model, frame: AdaptedFrame) -> EquationsOfMotion:
        honest = HONEST.derive(model, frame)
        first, *others = honest.acceleration_matrix
        return replace(honest, acceleration_matrix=(tuple(entry * (1 + self.by) for entry in first), *others))


def uneven() -> ah.System:
    """Its reactions are 24 orders of magnitude below the terms that cancel in them."""
    return chaplygin_sleigh(m=1e6, I=1e-6, a=1e3)


@pytest.mark.parametrize("digits", [10, 30, 330, 400])
def test_uneven_parameters_agree(digits: int) -> None:
    found = uneven().verify(states=2, digits=digits)
    assert found.agree, str(found)
    assert 0 < found.worst <= found.tolerance
    assert len(found.principles) == 12


@pytest.mark.parametrize("digits", [30, 330, 400])
def test_a_small_mistake_is_noticed(digits: int) -> None:
    for system in (chaplygin_sleigh(), uneven()):
        found = verify(system, 2, digits, principles=[HONEST, Tampered(Fraction(1, 10 ** (digits - 6)))])
        assert found.verdict.is_refuted, str(found)


def test_a_mistake_in_a_small_number_beside_large_ones_is_noticed() -> None:
    lopsided = ah.System(
        name="lopsided",
        coordinates=["x", "y"],
        lagrangian="(x'^2 + y'^2)/2",
        forces={"x": "1e-8*(1 + x^2)", "y": "1e8"},
    )
    found = verify(lopsided, states=1, digits=20, principles=[HONEST, Tampered(Fraction(1, 1000))])
    assert found.verdict.is_refuted
    assert lopsided.verify(states=1, digits=20)


def test_bounds_that_say_nothing_are_undecided() -> None:
    """The sign of what is zero without a proof lies between -1 and 1, whatever the digits."""
    vague = ah.System(
        name="vague", coordinates=["x"], lagrangian="x'^2/2", forces={"x": "sign(sin(x)^2 + cos(x)^2 - 1)"}
    )
    found = vague.verify(states=1, digits=20)
    assert not found
    assert found.verdict.is_unknown
    assert "not known well enough" in str(found)


def test_what_is_zero_agrees() -> None:
    free = ah.System(
        name="free", coordinates=["x", "y", "z"], lagrangian="(x'^2 + 3*y'^2 + z'^2)/2", constraints=["z' = x' + 2*y'"]
    )
    assert free.verify(
        states=[{"x": 0, "y": 0, "z": 0, "x'": 0, "y'": 0}, {"x": 1, "y": 0, "z": 0, "x'": 1e-9, "y'": 1}]
    )
