r"""W9: the anholonomy of a rescaled frame, Fernandez & Bloch (4.1.1), with $e_a = f\tilde e_a$.

.. math:: -\Omega^c_{ab} = \frac1f\left(e_a(f)\,\delta^c_b - e_b(f)\,\delta^c_a\right) - f\,\tilde\Omega^c_{ab}
"""

from __future__ import annotations

from itertools import product

import pytest
import symengine

from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.verdict import Verdict
from anholonomy.geometry import Frame
from anholonomy.language import parse_expression

FRAMES = {
    "free particle": (["x", "y", "z"], [["1", "0", "0"], ["0", "1", "-x"], ["0", "0", "1"]]),
    "knife edge": (["x", "y", "a"], [["cos(a)", "sin(a)", "0"], ["0", "0", "1"], ["-sin(a)", "cos(a)", "0"]]),
    "no symmetry": (["x", "y", "z"], [["1", "0", "0"], ["x*z", "1 + z^2", "0"], ["sin(y)", "-x", "2"]]),
    "Chaplygin, four directions": (
        ["r", "s", "x", "y"],
        [["1", "0", "cos(s)", "sin(s)"], ["0", "1", "0", "r"], ["0", "0", "1", "0"], ["0", "0", "0", "1"]],
    ),
}
FACTORS = ["1/sqrt(1 + x^2)", "2 + sin(x)*y^2", "f(x, y)", "3"]


@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize(("names", "vectors"), FRAMES.values(), ids=FRAMES.keys())
def test_W9_anholonomy_of_a_rescaled_frame(names, vectors, factor) -> None:
    frame = Frame(names, vectors)
    scaled = frame.rescaled(factor, functions=["f"])
    f = parse_expression(factor, functions=["f"])
    along = [
        sum(
            (f * component * f.diff(q) for component, q in zip(row, frame.coordinates, strict=True)),
            symengine.Integer(0),
        )
        for row in frame.anchor_ai
    ]
    for a, b, c in product(range(frame.size), repeat=3):
        right = (along[a] * int(b == c) - along[b] * int(a == c)) / f - f * frame.anholonomy[a, b, c]
        assert is_zero(-scaled.anholonomy[a, b, c] - right)
    assert (scaled.structure - scaled.structure_from_coframe()).is_zero().verdict is Verdict.PROVEN


def test_W9_the_derivative_is_along_the_rescaled_frame() -> None:
    r"""With $\tilde e_a(f)$ in the place of $e_a(f)$ the formula would miss a factor: each term of it matters."""
    scaled = Frame(["x", "y"]).rescaled("exp(x)")
    f = parse_expression("exp(x)")
    assert is_zero(-scaled.anholonomy[0, 1, 1] - f)
    assert not is_zero(-scaled.anholonomy[0, 1, 1] - 1)


def test_W9_back_again() -> None:
    names, vectors = FRAMES["no symmetry"]
    frame = Frame(names, vectors)
    again = frame.rescaled("2 + x^2").rescaled("1/(2 + x^2)")
    assert again.anchor_ai == frame.anchor_ai
    assert again.anholonomy == frame.anholonomy
