"""Enclosures contain what they enclose, and no more than their ends say where functions are monotone."""

from __future__ import annotations

import numpy as np
import pytest
import symengine as se

from anholonomy.algebra.arithmetic import FUNCTIONS, evaluate
from anholonomy.algebra.numbers.intervals import EnclosureArithmetic
from anholonomy.algebra.piecewise import choose, maximum, minimum
from anholonomy.programs.backends.numpy import NumpyArithmetic

x = se.Symbol("x")
EXPRESSIONS = [
    x**2 - x, x**3, x**-1, x**-2, (x**2 + 1) ** -3, x ** se.Rational(3, 2), x ** se.Rational(-1, 2), 2**x, x * se.exp(-x),
    choose(1 - x, x, 0), choose(1 - x, 2, choose(2 - x, 0, -1)), maximum(x, 1), minimum(1, x), maximum(0, x - 1),
    se.atan2(x, x - 1), se.atan2(x**2 + 1, x), se.sin(3 * x) * se.cos(x), se.exp(-((x - 1) ** 2) * 50), se.pi * x - se.E,
    *(getattr(se, {"abs": "Abs"}.get(name, name))(x) for name in FUNCTIONS if name != "atan2" and hasattr(se, name)),
]  # fmt: skip


@pytest.mark.parametrize("f", EXPRESSIONS, ids=str)
def test_an_enclosure_contains_its_function(f) -> None:
    draw = np.random.default_rng(1)
    low = draw.uniform(-3, 3, 200)
    high = low + draw.choice([0.0, 0.01, 1.0, 5.0], 200) * draw.uniform(0, 1, 200)
    with np.errstate(all="ignore"):
        bounds = evaluate(f, EnclosureArithmetic(NumpyArithmetic().function), {x: (low, high)})
        inside = low + (high - low) * np.linspace(0, 1, 41)[:, None]
        values = evaluate(f, NumpyArithmetic(), {x: inside})
    known = ~np.isnan(bounds[0]) & ~np.isnan(values).any(axis=0)
    slack = 1e-12 * (1 + np.abs(values))
    assert ((values >= bounds[0] - slack) | ~known).all()
    assert ((values <= bounds[1] + slack) | ~known).all()
    assert known.sum() > 10
