r"""W1: the objects of anholonomy of Fernandez & Bloch, section 1.1, from the frame and from the coframe.

.. math:: [e_a, e_b] = -\Omega^c_{ab}e_c \quad (1.1.2), \qquad
   \Omega^c_{ab} = -E^c_j(e_a^i\partial_i e_b^j - e_b^i\partial_i e_a^j)
   = -e_a^i e_b^j(\partial_j E_i^c - \partial_i E_j^c) = 2 e_a^i e_b^j\partial_{[i}E_{j]}^c \quad (1.1.3)
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
import sympy as sp

from anholonomy.algebra.expressions import to_sympy
from anholonomy.base.verdict import Verdict
from anholonomy.geometry import Frame

x, y, z, w = sp.symbols("x y z w")

CASES = {
    "Heisenberg": ((x, y, z), [[1, 0, 0], [0, 1, x], [0, 0, 1]]),
    "skate": ((x, y, z), [[sp.cos(z), sp.sin(z), 0], [0, 0, 1], [-sp.sin(z), sp.cos(z), 0]]),
    "no symmetry": ((x, y, z), [[1, 0, 0], [x * z, 1 + z**2, 0], [sp.sin(y), -x, 2]]),
    "four directions": ((x, y, z, w), [[1, w, 0, 0], [0, sp.exp(z), 0, x], [0, 0, 1, y], [0, 0, 0, 1 + x**2]]),
}
every_case = pytest.mark.parametrize(("q", "rows"), CASES.values(), ids=CASES.keys())
Entry = Callable[[int, int, int], sp.Expr]


def printed(q: tuple[sp.Symbol, ...], rows: list[list[sp.Expr]]) -> dict[str, Entry]:
    """The right-hand sides of (1.1.3), and the last one as it stands in the print, without brackets."""
    e, n = sp.Matrix(rows), range(len(q))
    E = e.inv().T  # E[c, j] with E^c_j e_b^j = δ
    pairs = list(product(n, n))
    return {
        "frame": lambda a, b, c: (
            -sum(E[c, j] * (e[a, i] * e[b, j].diff(q[i]) - e[b, i] * e[a, j].diff(q[i])) for i, j in pairs)
        ),
        "coframe": lambda a, b, c: (
            -sum(e[a, i] * e[b, j] * (E[c, i].diff(q[j]) - E[c, j].diff(q[i])) for i, j in pairs)
        ),
        "brackets": lambda a, b, c: (
            2 * sum(e[a, i] * e[b, j] * (E[c, j].diff(q[i]) - E[c, i].diff(q[j])) / 2 for i, j in pairs)
        ),
        "no brackets": lambda a, b, c: 2 * sum(e[a, i] * e[b, j] * E[c, j].diff(q[i]) for i, j in pairs),
    }


@every_case
@pytest.mark.parametrize("which", ["frame", "coframe", "brackets"])
def test_W1_anholonomy_from_frame_and_from_coframe(q, rows, which) -> None:
    frame, formula = Frame(q, rows), printed(q, rows)[which]
    from_coframe = -frame.structure_from_coframe()
    for a, b, c in product(range(len(q)), repeat=3):
        expected = formula(a, b, c)
        assert sp.simplify(to_sympy(frame.anholonomy[a, b, c]) - expected) == 0
        assert sp.simplify(to_sympy(from_coframe[a, b, c]) - expected) == 0


@every_case
def test_W1_antisymmetric_and_dual(q, rows) -> None:
    frame = Frame(q, rows)
    assert frame.dual_check().verdict is Verdict.PROVEN
    assert (frame.anholonomy + frame.anholonomy.permuted(1, 0, 2)).is_zero().verdict is Verdict.PROVEN
    assert (frame.structure + frame.anholonomy).is_zero().verdict is Verdict.PROVEN
    assert frame.anholonomy.is_zero().verdict is Verdict.REFUTED


def test_W1_the_last_equality_needs_its_antisymmetrisation() -> None:
    r"""Read without brackets, $2e_a^i e_b^j\partial_i E_j^c$ is not antisymmetric: on the Heisenberg frame it is $-2$ and $0$ where $\Omega$ is $-1$ and $1$."""
    q, rows = CASES["Heisenberg"]
    formulas = printed(q, rows)
    omega = Frame(q, rows).anholonomy
    assert (omega[0, 1, 2], omega[1, 0, 2]) == (-1, 1)
    assert (formulas["no brackets"](0, 1, 2), formulas["no brackets"](1, 0, 2)) == (-2, 0)
    assert (formulas["brackets"](0, 1, 2), formulas["brackets"](1, 0, 2)) == (-1, 1)


def test_W1_without_anholonomy_the_coframe_is_that_of_coordinates() -> None:
    r"""The Cartesian axes in polar coordinates commute, and their coframe is $d(r\cos\varphi), d(r\sin\varphi)$."""
    r, phi = sp.symbols("r phi")
    frame = Frame([r, phi], [[sp.cos(phi), -sp.sin(phi) / r], [sp.sin(phi), sp.cos(phi) / r]])
    assert frame.anholonomy.is_zero().verdict is Verdict.PROVEN
    assert all(theta.is_closed().verdict is Verdict.PROVEN for theta in frame.coframe)
    for theta, coordinate in zip(frame.coframe, (r * sp.cos(phi), r * sp.sin(phi)), strict=True):
        assert [sp.simplify(to_sympy(theta[i]) - coordinate.diff(s)) for i, s in enumerate((r, phi))] == [0, 0]


def unit(n: int, i: int, j: int) -> sp.Matrix:
    return sp.Matrix(n, n, lambda a, b: int((a, b) == (i, j)))


GROUPS = {
    "affine group of the line": (sp.Matrix([[x, y], [0, 1]]), [unit(2, 0, 0), unit(2, 0, 1)]),
    "Heisenberg group": (
        sp.Matrix([[1, x, z], [0, 1, y], [0, 0, 1]]),
        [unit(3, 0, 1), unit(3, 1, 2), unit(3, 0, 2)],
    ),
    "SE(2)": (
        sp.Matrix([[sp.cos(z), -sp.sin(z), x], [sp.sin(z), sp.cos(z), y], [0, 0, 1]]),
        [unit(3, 0, 2), unit(3, 1, 2), unit(3, 1, 0) - unit(3, 0, 1)],
    ),
    "SO(3)": (
        sp.rot_axis3(-x) * sp.rot_axis1(-y) * sp.rot_axis3(-z),
        [unit(3, 2, 1) - unit(3, 1, 2), unit(3, 0, 2) - unit(3, 2, 0), unit(3, 1, 0) - unit(3, 0, 1)],
    ),
    "GL(2)": (sp.Matrix([[x, y], [z, w]]), [unit(2, i, j) for i, j in product(range(2), repeat=2)]),
}


def invariant_fields(g: sp.Matrix, basis: list[sp.Matrix], left: bool) -> tuple[list[sp.Symbol], list[list[sp.Expr]]]:
    r"""The fields with $g^{-1}\dot g = T_a$, or $\dot g g^{-1} = T_a$; the basis is orthogonal in the trace product."""
    q = sorted(g.free_symbols, key=str)
    inverse = g.T if g == GROUPS["SO(3)"][0] else g.inv()
    rates = [inverse * g.diff(s) if left else g.diff(s) * inverse for s in q]
    W = sp.Matrix([[sp.simplify((T.T * rate).trace() / (T.T * T).trace()) for T in basis] for rate in rates])
    return q, W.inv(method="ADJ").tolist()


@pytest.mark.parametrize("left", [True, False], ids=["left", "right"])
@pytest.mark.parametrize(("g", "basis"), GROUPS.values(), ids=GROUPS.keys())
def test_W1_on_a_group_they_are_the_structure_constants(g, basis, left) -> None:
    r"""$[T_a, T_b] = C_{ab}^c T_c$: $-\Omega = C$ for left-invariant fields; for right-invariant ones $+\Omega = C$."""
    frame = Frame(*invariant_fields(g, basis, left))
    sign = 1 if left else -1
    n = range(len(basis))
    for a, b in product(n, n):
        constants = [-sign * to_sympy(frame.anholonomy[a, b, c]) for c in n]
        commutator = basis[a] * basis[b] - basis[b] * basis[a]
        combined = sum((C * T for C, T in zip(constants, basis, strict=True)), sp.zeros(*commutator.shape))
        assert combined == commutator
