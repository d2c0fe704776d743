r"""D3: Delphenich, section 2.3: the semi-holonomic frame of constraints in Chaplygin form $v^\alpha = a^\alpha_i v^i$.

.. math:: \theta^i = dx^i, \quad \theta^\alpha = dx^\alpha - a^\alpha_i dx^i \quad (2.29), \qquad
   e_i = \partial_i + a^\alpha_i\partial_\alpha, \quad e_\alpha = \partial_\alpha \quad (2.34)

These hold. The structure functions are

.. math:: c^\alpha_{ij} = e_i(a^\alpha_j) - e_j(a^\alpha_i), \qquad c^\alpha_{i\beta} = -a^\alpha_{i,\beta},

the negative of (2.36) and a term that (2.35b) and (2.36) leave out; and (2.32) needs $+\delta^\alpha_\beta$.
"""

from __future__ import annotations

from itertools import product

import pytest
import sympy as sp

from anholonomy.algebra.expressions import to_sympy
from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.verdict import Verdict
from anholonomy.geometry import Frame
from anholonomy.geometry.vector_fields import vector_field

x, y, z, w = sp.symbols("x y z w")
nil = sp.Integer(0)

CASES = {
    "contact": ((x, y), (z,), [[y, nil]]),
    "skate": ((x, y), (z,), [[sp.tan(y), nil]]),
    "depends on the dependent": ((x, y), (z,), [[z * y, x + z**2]]),
    "two constraints": ((x, y), (z, w), [[y * w, sp.sin(x)], [z, w * x]]),
    "three free": ((x, y, w), (z,), [[y * z, w, sp.cos(x) * z]]),
}
every_case = pytest.mark.parametrize(("free", "dependent", "a"), CASES.values(), ids=CASES.keys())


def frame_of(free, dependent, a) -> Frame:
    rows = {
        nu: sum(s * sp.Symbol(f"{q}'") for s, q in zip(row, free, strict=True))
        for nu, row in zip(dependent, a, strict=True)
    }
    return Frame.semi_holonomic(rows, [*free, *dependent])


def total(f: sp.Expr, j: int, free, dependent, a) -> sp.Expr:
    r"""$f_{,j} + f_{,\beta}a^\beta_j$."""
    return f.diff(free[j]) + sum(f.diff(beta) * row[j] for beta, row in zip(dependent, a, strict=True))


def printed_2_36(i: int, j: int, alpha: int, free, dependent, a) -> sp.Expr:
    return total(a[alpha][i], j, free, dependent, a) - total(a[alpha][j], i, free, dependent, a)


@every_case
def test_D3_frame_and_coframe(free, dependent, a) -> None:
    """(2.29), (2.34), and the constraint is that the last forms vanish, (2.30)."""
    frame, N = frame_of(free, dependent, a), len(free)
    assert frame.dual_check().verdict is Verdict.PROVEN
    A = sp.Matrix([[to_sympy(entry) for entry in row] for row in frame.anchor_ai])
    expected = sp.eye(N + len(dependent))
    expected[:N, N:] = sp.Matrix(a).T
    assert expected == A
    velocity = vector_field(frame.root, [f"v{k}" for k in range(frame.size)])
    v = sp.symbols([f"v{k}" for k in range(frame.size)])
    for alpha, theta in enumerate(frame.coframe[N:]):
        slip = v[N + alpha] - sum(s * speed for s, speed in zip(a[alpha], v, strict=False))
        assert sp.simplify(to_sympy(theta(velocity)) - slip) == 0
    assert [str(theta) for theta in frame.coframe[:N]] == [f"d{q}" for q in free]


@every_case
def test_D3_structure_functions(free, dependent, a) -> None:
    """The corrected (2.36), with the mixed block; the dependent directions commute, (2.26), and (2.35a) holds."""
    frame, N = frame_of(free, dependent, a), len(free)
    assert (frame.structure - frame.structure_from_coframe()).is_zero().verdict is Verdict.PROVEN
    blocks = frame.structure_blocks(N)
    for i, j in product(range(N), repeat=2):
        for alpha in range(len(dependent)):
            value = -printed_2_36(i, j, alpha, free, dependent, a)
            assert sp.simplify(to_sympy(blocks["DD^N"][i, j, N + alpha]) - value) == 0
    for i, beta, alpha in product(range(N), range(len(dependent)), range(len(dependent))):
        value = -a[alpha][i].diff(dependent[beta])
        assert sp.simplify(to_sympy(blocks["DN^N"][i, N + beta, N + alpha]) - value) == 0
    for key in ("DD^D", "DN^D", "NN^D", "NN^N"):
        assert blocks[key].is_zero().verdict is Verdict.PROVEN
    assert all(theta.is_closed().verdict is Verdict.PROVEN for theta in frame.coframe[:N])


def test_D3_the_printed_sign_is_refuted() -> None:
    r"""$\dot z = y\dot x$: $[e_x, e_y] = -\partial_z$, so $c^z_{xy} = -1$; (2.36) gives $+1$. Likewise $d\theta^z = +\theta^x\wedge\theta^y$."""
    frame = Frame.semi_holonomic(["z' = y*x'"], ["x", "y", "z"])
    assert frame.structure[0, 1, 2] == -1
    assert printed_2_36(0, 1, 0, *CASES["contact"]) == 1
    assert str(frame.coframe[2].d()) == "dx∧dy"


def test_D3_the_printed_functions_miss_the_mixed_block() -> None:
    r"""$\dot z = z\dot x$: (2.36) gives no structure functions at all, and $[e_x, \partial_z] = -\partial_z$."""
    frame = Frame.semi_holonomic(["z' = z*x'"], ["x", "y", "z"])
    assert printed_2_36(0, 1, 0, (x, y), (z,), [[z, nil]]) == 0
    assert str(frame.structure) == "c_xz^z = -1\nc_zx^z = 1"
    assert str(frame.coframe[2].d().in_frame(frame)) == "θ^x∧θ^z"


@every_case
def test_D3_the_corrected_exterior_derivative(free, dependent, a) -> None:
    r"""$d\theta^\alpha = +\frac12(\ldots)\theta^i\wedge\theta^j + a^\alpha_{i,\beta}\theta^i\wedge\theta^\beta$, the bracket as in (2.35b)."""
    frame, N = frame_of(free, dependent, a), len(free)
    for alpha in range(len(dependent)):
        curl = frame.coframe[N + alpha].d().in_frame(frame)
        for i in range(N):
            for j in range(i + 1, N):
                assert sp.simplify(to_sympy(curl[i, j]) - printed_2_36(i, j, alpha, free, dependent, a)) == 0
            for beta in range(len(dependent)):
                value = a[alpha][i].diff(dependent[beta])
                assert sp.simplify(to_sympy(curl[i, N + beta]) - value) == 0


def test_D3_the_inverse_of_2_31() -> None:
    r"""(2.32) prints $-\delta^\alpha_\beta$; the inverse of (2.31) has $+\delta^\alpha_\beta$, and only then (2.33) holds."""
    a, b = sp.symbols("a b")
    coframe = sp.Matrix([[1, 0], [-a, 1]])
    printed, corrected = sp.Matrix([[1, 0], [a, -1]]), sp.Matrix([[1, 0], [a, 1]])
    assert printed * coframe != sp.eye(2)
    assert corrected * coframe == sp.eye(2)
    assert corrected * corrected.subs(a, b) == sp.Matrix([[1, 0], [a + b, 1]])
    assert printed * printed.subs(a, b) == sp.Matrix([[1, 0], [a - b, 1]])
    frame = Frame.semi_holonomic({"y": "a*x'"}, ["x", "y"])
    assert is_zero(frame.coframe[1][0] + frame.anchor_ai[0][1])
    assert frame.anchor_ai[1] == (0, 1)


def test_D3_unspecified_coefficients() -> None:
    """The same for arbitrary functions, once and for all."""
    frame = Frame.semi_holonomic({"z": "f(x, y, z)*x' + g(x, y, z)*y'"}, ["x", "y", "z"], functions=["f", "g"])
    e, (_, _, q) = frame.derivative, frame.coordinates
    f, g = frame.anchor_ai[0][2], frame.anchor_ai[1][2]
    assert is_zero(frame.structure[0, 1, 2] - (e(0, g) - e(1, f)))
    assert is_zero(frame.structure[0, 2, 2] + f.diff(q))
    assert (frame.structure - frame.structure_from_coframe()).is_zero().verdict is Verdict.PROVEN
