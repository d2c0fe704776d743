r"""D1: Delphenich, section 2.1: frames adapted to a constraint bundle, their coframes and structure functions.

.. math:: [e_\mu, e_\nu] = c^\lambda_{\mu\nu}e_\lambda \quad (2.9), \qquad
   d\theta^\lambda = -\tfrac12 c^\lambda_{\mu\nu}\,\theta^\mu\wedge\theta^\nu \quad (2.17)

The first N fields span the constraint bundle. Partitioned, (2.17) reads

.. math:: d\theta^\lambda = -\tfrac12 c^\lambda_{jk}\theta^j\wedge\theta^k - c^\lambda_{j\beta}\theta^j\wedge\theta^\beta
   - \tfrac12 c^\lambda_{\beta\gamma}\theta^\beta\wedge\theta^\gamma,

not with $+\tfrac12$ before the last two terms, as (2.19a) and (2.19b) print.
"""

from __future__ import annotations

from itertools import combinations, product

import pytest
import symengine
import sympy as sp

from anholonomy.algebra.expressions import to_sympy
from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.verdict import Verdict
from anholonomy.geometry import Frame
from anholonomy.geometry.forms import Form
from anholonomy.geometry.vector_fields import lie_bracket, vector_field

CASES = {
    "skate": (
        2,
        ["x", "y", "a"],
        [["cos(a)", "sin(a)", "0"], ["0", "0", "1"], ["-sin(a)", "cos(a)", "0"]],
    ),
    "vertical disc": (
        2,
        ["x", "y", "psi", "theta"],
        [
            ["R*cos(theta)", "R*sin(theta)", "1", "0"],
            ["0", "0", "0", "1"],
            ["1", "0", "0", "0"],
            ["0", "1", "0", "0"],
        ],
    ),
    "every block": (
        2,
        ["x", "y", "z", "w"],
        [
            ["1", "0", "y", "0"],
            ["0", "1", "x*w", "0"],
            ["0", "0", "1", "y"],
            ["z", "0", "0", "1"],
        ],
    ),
}
every_case = pytest.mark.parametrize(("m", "names", "vectors"), CASES.values(), ids=CASES.keys())


def fields(frame: Frame) -> list:
    return [vector_field(frame, [int(a == b) for b in range(frame.size)]) for a in range(frame.size)]


@every_case
def test_D1_the_reciprocal_coframe(m, names, vectors) -> None:
    """(2.20), and the coframe's last forms annihilate the constraint bundle."""
    frame = Frame(names, vectors)
    assert frame.dual_check().verdict is Verdict.PROVEN
    inverse = sp.Matrix([[to_sympy(entry) for entry in row] for row in frame.anchor_ai]).inv()
    e = fields(frame)
    for lam, theta in enumerate(frame.coframe):
        assert all(sp.simplify(to_sympy(theta[i]) - inverse[i, lam]) == 0 for i in range(frame.size))
        if lam >= m:
            assert all(is_zero(theta(e[i])) for i in range(m))


@every_case
def test_D1_structure_functions_from_the_frame(m, names, vectors) -> None:
    r"""(2.9), and (2.13) with the summed index $\rho$ on the inverse, where the print has $\alpha$."""
    frame = Frame(names, vectors)
    A = sp.Matrix([[to_sympy(entry) for entry in row] for row in frame.anchor_ai])
    q, n, inverse = sp.symbols(names), range(frame.size), A.inv()
    e = fields(frame)
    for mu, nu in combinations(n, 2):
        bracket = lie_bracket(e[mu], e[nu])
        for lam in n:
            value = sum(
                (A[mu, k] * A[nu, r].diff(q[k]) - A[nu, k] * A[mu, r].diff(q[k])) * inverse[r, lam]
                for k, r in product(n, n)
            )
            assert sp.simplify(to_sympy(frame.structure[mu, nu, lam]) - value) == 0
            assert is_zero(bracket[lam] - frame.structure[mu, nu, lam])


@every_case
def test_D1_structure_functions_from_the_coframe(m, names, vectors) -> None:
    """(2.15) to (2.17)."""
    frame = Frame(names, vectors)
    e, n = fields(frame), range(frame.size)
    assert (frame.structure_from_coframe() - frame.structure).is_zero().verdict is Verdict.PROVEN
    basis = [theta.in_frame(frame) for theta in frame.coframe]
    for lam, theta in enumerate(frame.coframe):
        curl = theta.d()
        assert all(is_zero(curl(e[a], e[b]) + frame.structure[a, b, lam]) for a, b in combinations(n, 2))
        half = symengine.Rational(-1, 2)
        right = sum(
            (half * frame.structure[a, b, lam] * (basis[a] ^ basis[b]) for a, b in product(n, n)), Form.of(frame, 2, {})
        )
        assert (curl.in_frame(frame) - right).is_zero().verdict is Verdict.PROVEN


def partitioned(frame: Frame, m: int, lam: int, mixed: object, last: object) -> Form:
    r"""$-\frac12 c_{jk}\theta^j\wedge\theta^k + {}$``mixed`` $c_{j\beta}\theta^j\wedge\theta^\beta + {}$``last`` $c_{\beta\gamma}\theta^\beta\wedge\theta^\gamma$."""
    blocks, d = frame.structure_blocks(m), "D" if lam < m else "N"
    factors = {f"DD^{d}": symengine.Rational(-1, 2), f"DN^{d}": mixed, f"NN^{d}": last}
    terms = [
        ((a, b), factor * value)
        for key, factor in factors.items()
        for (a, b, c), value in blocks[key].items
        if c == lam
    ]
    return Form.of(frame, 2, terms)


@every_case
def test_D1_blocks(m, names, vectors) -> None:
    """(2.14): the blocks of the structure functions are those of the brackets."""
    frame = Frame(names, vectors)
    blocks, e = frame.structure_blocks(m), fields(frame)
    for a, b, d in product(range(frame.size), repeat=3):
        key = "".join("D" if i < m else "N" for i in (a, b)) + ("^D" if d < m else "^N")
        assert is_zero(lie_bracket(e[a], e[b])[d] - blocks[key][a, b, d])
        assert all(block[a, b, d] == 0 for other, block in blocks.items() if other != key)


@every_case
def test_D1_the_partition_of_the_exterior_derivative(m, names, vectors) -> None:
    frame = Frame(names, vectors)
    for lam, theta in enumerate(frame.coframe):
        corrected = partitioned(frame, m, lam, -1, symengine.Rational(-1, 2))
        assert (theta.d().in_frame(frame) - corrected).is_zero().verdict is Verdict.PROVEN


def test_D1_the_printed_partition_is_refuted() -> None:
    r"""The skate, $[e_2, e_3] = -e_1$ (turn, sideways): $d\theta^1 = \theta^2\wedge\theta^3$, and (2.19a) gives $-\frac12$ of it."""
    m, names, vectors = CASES["skate"]
    frame = Frame(names, vectors)
    half = symengine.Rational(1, 2)
    assert str(frame.coframe[0].d().in_frame(frame)) == "θ^2∧θ^3"
    assert str(partitioned(frame, m, 0, half, half)) == "-1/2 θ^2∧θ^3"
    assert str(partitioned(frame, m, 0, -1, -half)) == "θ^2∧θ^3"


def test_D1_both_wrong_terms_matter() -> None:
    """With the mixed term alone corrected, the last one still fails."""
    m, names, vectors = CASES["every block"]
    frame = Frame(names, vectors)
    half = symengine.Rational(1, 2)
    for mixed, last in ((half, -half), (-1, half), (-half, -half)):
        wrong = [
            (frame.coframe[lam].d().in_frame(frame) - partitioned(frame, m, lam, mixed, last)).is_zero().verdict
            for lam in range(4)
        ]
        assert Verdict.REFUTED in wrong


def test_D1_left_invariant_frames_have_maurer_cartan_equations() -> None:
    _, names, vectors = CASES["skate"]
    frame = Frame(names, vectors)
    assert all(value.is_Number for _, value in frame.structure.items)
    assert [str(theta.d().in_frame(frame)) for theta in frame.coframe] == ["θ^2∧θ^3", "0", "θ^1∧θ^2"]


def test_D1_a_natural_frame_is_holonomic() -> None:
    """(2.10), (2.11), (2.18)."""
    chart = Frame(["x", "y", "z"])
    assert chart.structure.is_zero().verdict is Verdict.PROVEN
    assert all(theta.is_closed().verdict is Verdict.PROVEN for theta in chart.coframe)
