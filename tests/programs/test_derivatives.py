"""Derivatives of programs are what finite differences in eighty digits say, for every function and any program."""

from __future__ import annotations

from fractions import Fraction

import flint
import numpy as np
import pytest
import symengine as se
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from anholonomy.algebra.expressions import symbol, time
from anholonomy.algebra.steps.definitions import Assign, Solve
from anholonomy.base.errors import NotSupportedError
from anholonomy.programs.backends import BACKENDS
from anholonomy.programs.derivatives import against_covector, along_direction, jacobian
from anholonomy.programs.program import lower
from tests.programs.in_balls import evaluate_program
from tests.programs.programs import PARAMETERS, STATES, every_function, programs
from tests.wording import blames

DIGITS = 80
STEP = Fraction(1, 10**25)
NUMBERS = st.lists(st.integers(-200, 200), min_size=6, max_size=6, unique_by=abs).map(
    lambda found: [Fraction(2 * k + 1, 202) for k in found]
)
"""Time, states and parameters off every corner: no two alike, and none is 0 or 1."""
INPUTS = (*STATES, *PARAMETERS, time)


def _values(program, t, x, p=()):
    exact = [flint.fmpq(v.numerator, v.denominator) for v in (*x, *p)]
    found = evaluate_program(
        program, flint.fmpq(t.numerator, t.denominator), exact[: len(x)], exact[len(x) :], digits=DIGITS
    )
    return np.array([Fraction(str(value.mid().str(DIGITS, radius=False))) for value in found])


def _differences(program, t, x, p, inputs):
    """Central differences, good to some 50 digits: their own error is h^2 f''' / 6."""
    columns = []
    for k, s in enumerate(INPUTS):
        if s in inputs:
            up, down = ([*x, *p, t] for _ in range(2))
            up[k] += STEP
            down[k] -= STEP
            apart = [_values(program, at[-1], at[:3], at[3:5]) for at in (up, down)]
            columns.append((apart[0] - apart[1]) / (2 * STEP))
    return np.array(columns).T


def _close(found, expected):
    gap = np.abs(found - expected)
    assert (gap < Fraction(1, 10**40) * (1 + np.abs(expected))).all(), gap.astype(float).max()


@settings(max_examples=25, deadline=None)
@given(program=programs(), numbers=NUMBERS, by_all=st.booleans())
def test_every_kind_of_derivative_agrees_with_differences(program, numbers, by_all):
    t, x, p = numbers[0], numbers[1:4], numbers[4:]
    inputs = INPUTS if by_all else STATES  # more inputs than outputs: backward; as many: forward
    J = _differences(program, t, x, p, inputs)
    _close(_values(jacobian(program, inputs), t, x, p).reshape(J.shape), J)
    direction = [Fraction(k + 2, 7) for k, _ in enumerate(inputs)]
    both = _values(along_direction(program, inputs), t, (*x, *direction), p)
    _close(both, np.concatenate([_values(program, t, x, p), J @ direction]))
    covector = [Fraction(1), Fraction(-2, 3), Fraction(5, 4)]
    _close(_values(against_covector(program, inputs), t, (*x, *covector), p), covector @ J)


@pytest.mark.parametrize("numbers", [(3, 7), (-14, 2), (19, -11)])
def test_every_function_of_the_language_is_differentiated(numbers):
    program = lower(STATES, PARAMETERS, [], every_function(*STATES[:2]))
    t, *rest = (Fraction(2 * k + 1, 22) for k in (8, *numbers, 5, 6, 9))
    J = _differences(program, t, rest[:3], rest[3:], STATES)
    _close(_values(jacobian(program), t, rest[:3], rest[3:]).reshape(J.shape), J)


@pytest.mark.exhaustive_for("jax-jacobian")
@pytest.mark.parametrize("make", [jacobian, along_direction, against_covector])
@pytest.mark.parametrize("backend", BACKENDS.values(), ids=BACKENDS)
def test_every_backend_compiles_derivatives(backend, make):
    x, y, z = STATES
    a, b = symbol("a"), symbol("b")
    entries = ((2 + x**2, se.sin(y)), (se.sin(y), 3 + time * PARAMETERS[0]))
    steps = [Assign(a, se.Add(*every_function(x, y))), Solve((b, symbol("c")), entries, (a, z))]
    program = make(lower(STATES, PARAMETERS, steps, [b * a, symbol("c"), se.erf(z)]))
    numbers = [Fraction(2 * k + 1, 22) for k in range(3, 3 + len(program.states))]
    exact = _values(program, Fraction(1, 3), numbers, [Fraction(1, 2), Fraction(2)])
    compiled = backend.compile(program if backend.handles_solves else program.unrolled())
    assert_allclose(
        compiled(1 / 3, [float(v) for v in numbers], [0.5, 2.0]), exact.astype(float), rtol=1e-11, atol=1e-11
    )


def test_derivatives_can_be_differentiated_again():
    x, y = STATES[:2]
    z = symbol("z")
    once = jacobian(lower([x, y], [], [Solve((z,), ((2 + se.cos(x * y),),), (x * y**2,))], [z]))
    hessian = jacobian(once)
    at = [Fraction(3, 7), Fraction(-5, 9)]
    second = _values(hessian, Fraction(0), at).reshape(2, 2)
    _close(second, second.T)
    by_hand = (x * y**2 / (2 + se.cos(x * y))).diff(x).diff(y)
    assert_allclose(float(second[0, 1]), float(by_hand.subs({x: 3 / 7, y: -5 / 9})), rtol=1e-13)


def test_a_gradient_is_no_longer_than_a_few_times_its_function():
    """Backward through the steps; of a tree written out it would grow with the square of the factors."""

    def ratio(size):
        x = [symbol(f"x{k}") for k in range(size)]
        names = [symbol(f"f{k}") for k in range(size)]
        steps = [Assign(names[0], se.sin(x[0]))]
        steps += [Assign(names[k], se.sin(x[k]) * names[k - 1] + names[k - 1] ** 2) for k in range(1, size)]
        program = lower(x, [], steps, [names[-1]])
        return jacobian(program).operations / program.operations

    assert ratio(200) < 1.1 * ratio(20) < 5


def test_least_squares_have_no_derivative():
    x, z = symbol("x"), symbol("z")
    program = lower([x], [], [Solve((z,), ((x,),), (se.Integer(1),), least=True)], [z])
    for make in (jacobian, along_direction, against_covector):
        with blames(NotSupportedError, "drop"):
            make(program)
