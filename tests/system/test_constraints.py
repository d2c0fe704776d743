"""What kind of constraint an equation is does not depend on how it is written."""

from __future__ import annotations

import pytest

import anholonomy as ah
from anholonomy.algebra.zero_test import is_zero
from anholonomy.system.constraints import Kind

LINEAR, AFFINE, TIME, NONLINEAR, POSITION = Kind.LINEAR, Kind.AFFINE, Kind.TIME_DEPENDENT, Kind.NONLINEAR, Kind.POSITION
CASES = {
    "x' = y'": LINEAR,
    "x'*sin(theta) = y'*cos(theta)": LINEAR,
    "k*x' = x*y'": LINEAR,
    "x' = 0": LINEAR,
    "x' = 1": AFFINE,
    "x' - y*theta' = k*x": AFFINE,
    "t*x' = y'": LINEAR | TIME,
    "x' = y' + sin(t)": AFFINE | TIME,
    "x' = exp(t)*y' + x": AFFINE | TIME,
    "x'^2 + y'^2 = 1": NONLINEAR,
    "x'*y' = theta'": NONLINEAR,
    "sqrt(x'^2 + y'^2) = k": NONLINEAR,
    "x'^2 = t": NONLINEAR | TIME,
    "x*y = k": POSITION | LINEAR,
    "x^2 + y^2 = 1": POSITION | LINEAR,
    "x = sin(t)": POSITION | AFFINE | TIME,
    "x*t = y": POSITION | AFFINE | TIME,
    # Disguised: the kind is what remains when the dust has settled.
    "(x' + y')^2 - x'^2 - 2*x'*y' - y'^2 + x' = 0": LINEAR,
    "(x' + y')^2 - x'^2 - 2*x'*y' - y'^2 + x' = 3": AFFINE,
    "(x'^2 - y'^2)/(x' - y') = 0": LINEAR,
    "sin(x')^2 + cos(x')^2 + y' = 1": LINEAR,
    "exp(log(x' + y')) = theta'": LINEAR,
    "x'*(sin(theta)^2 + cos(theta)^2 - 1) + y' = 0": LINEAR,
    "x' + t*(sin(x)^2 + cos(x)^2) - t = 0": LINEAR,
    "x' + 0*y'^2 = 0": LINEAR,
    "x' - x' + x = y": POSITION | LINEAR,
    "t - t + x' = 0": LINEAR,
    "(t + 1)^2 - t^2 - 2*t + x' = 1": LINEAR,
}


def system(constraint: str) -> ah.System:
    return ah.System(
        name="s",
        coordinates=["x", "y", "theta"],
        lagrangian="(x'^2 + y'^2 + theta'^2)/2",
        constraints=[constraint],
        parameters={"k": 2.0},
    )


@pytest.mark.parametrize(("text", "kind"), CASES.items(), ids=CASES.keys())
def test_kind(text, kind):
    assert system(text).model.kinds == kind


@pytest.mark.parametrize("text", [text for text, kind in CASES.items() if NONLINEAR not in kind])
def test_a_row_is_what_was_declared(text):
    """A w + a equals the equation, or the time derivative of one on positions."""
    s = system(text)
    (row,) = s.constraints
    if row.position is None:
        assert is_zero(row.expression - row.declared)
    else:
        rates = dict(zip(s.coordinates, s.velocities, strict=True))
        import symengine

        total = row.declared.diff(symengine.Symbol("t")) + sum(row.declared.diff(q) * v for q, v in rates.items())
        assert is_zero(row.expression - total)
    assert not any(entry.free_symbols & set(s.velocities) for entry in row.coefficients)


@pytest.mark.parametrize("text", CASES)
def test_every_principle_that_covers_it_agrees(text):
    verification = system(text).verify(states=2)
    assert verification.agree, str(verification)
