"""Incomplete starts with nonlinear constraints: every real zero is found, and no other."""

from __future__ import annotations

import math
import random
import re

import mpmath
import pytest

import anholonomy as ah
from anholonomy.algebra.numbers.balls import precision
from anholonomy.system.declaration.declare import declare
from anholonomy.system.states.complete_state import complete_state
from tests.wording import blames


def completed(row, given, missing="y'"):
    """Of the plain model, because some of these systems are singular where a generic state is looked for."""
    rows = row if isinstance(row, list) else [row]
    system = declare(name="s", coordinates=list("xyz"), lagrangian="(x'^2 + y'^2 + z'^2)/2", constraints=rows)
    with precision(30):
        point = complete_state(system, {"x": 0, "y": 0, "z": 0, "z'": 0, **given})
    return {s.name: float(v.mid()) for s, v in point.items()}[missing]


def choices(row, given):
    """The values of y' that a refusal names."""
    with blames(ah.errors.StateError, "y'") as caught:
        completed(row, given)
    return sorted(map(float, re.findall(r"y'=([-+.\de]+)", str(caught.value))))


def test_three_zeros_are_three():
    with mpmath.workdps(30):
        expected = sorted(float(root.real) for root in mpmath.polyroots([1, 0, -100, -1], extraprec=200))
    assert choices("y'^3 - 100*y' = x'", {"x'": 1}) == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize("x", [0.0, 0.5, -0.999999, 0.999999, 1 - 1e-12])
def test_a_zero_on_a_plateau(x):
    """Far out tanh is 1 to all digits, and its slope 0 to all digits, but 1 is not 0.999999."""
    with mpmath.workdps(40):
        expected = float(mpmath.atanh(mpmath.mpf(x)))
    assert completed("tanh(y') = x'", {"x'": x}) == pytest.approx(expected, rel=1e-13, abs=1e-30)


@pytest.mark.parametrize("unit", [1e-6, 1e6])
def test_random_polynomials(unit):
    """Against the roots of the polynomial in high precision; y' is measured in a unit of its own."""
    compare_polynomials(unit, random.Random(11), 5)


@pytest.mark.exhaustive
@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
def test_many_random_polynomials(unit):
    compare_polynomials(unit, random.Random(12), 40)


def compare_polynomials(unit, rng, count):
    for _ in range(count):
        degree = rng.randint(2, 5)
        coefficients = [rng.randint(-5, 5) or 1 for _ in range(degree + 1)]
        row = " + ".join(f"({c})*(y'/{unit:.0e})^{degree - k}" for k, c in enumerate(coefficients)) + " = x'"
        with mpmath.workdps(40):
            roots = mpmath.polyroots(coefficients, maxsteps=500, extraprec=400)
            real = sorted({float(root.real) * unit for root in roots if abs(root.imag) < 1e-15})
        if len(real) > 1:
            named = choices(row, {"x'": 0})
            assert len(named) == min(len(real), 4)
            assert all(min(abs(found - root) for root in real) <= 1e-9 * unit for found in named)
        elif real:
            assert completed(row, {"x'": 0}) == pytest.approx(real[0], rel=1e-12, abs=1e-20 * unit)
        else:
            with blames(ah.errors.StateError, "y'", "c1"):
                completed(row, {"x'": 0})


@pytest.mark.parametrize(
    ("row", "given", "expected"),
    [
        ("exp(y') + y' = x'", {"x'": 20}, 2.8424389537844470678),
        ("sqrt(1 + y'^2) = x' + y'", {"x'": 0.1}, (1 - 0.01) / 0.2),
        ("sinh(y') = x'", {"x'": -1e6}, math.asinh(-1e6)),
        ("y'*abs(y') = x'", {"x'": -9}, -3.0),
    ],
)
def test_single_zeros_of_other_functions(row, given, expected):
    assert completed(row, given) == pytest.approx(expected, rel=1e-12)


def test_zeros_one_after_another():
    """x' from its own equation, then y' from another: four combinations, of which one is left by a third."""
    rows = ["x'^2 = 4", "y'^2 = 5 + x'"]
    with blames(ah.errors.StateError, "x'", "y'", "2.64575131106"):
        completed(rows, {})
    assert completed([*rows, "x' + y' + z' = 2 + sqrt(7)"], {"z'": 0}) == pytest.approx(math.sqrt(7), rel=1e-13)
