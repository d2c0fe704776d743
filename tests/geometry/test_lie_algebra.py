"""Lie algebras: identities of ad and ad*, ideals and series with known answers, gradings proven, and what is refused."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
import symengine
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

import anholonomy as ah
from anholonomy.algebra.expressions import symbol
from anholonomy.algebra.zero_test import is_zero
from anholonomy.geometry.algebras.structure_constants import jacobiators
from tests.wording import blames


def unit(n: int, i: int, j: int, value: int = 1) -> np.ndarray:
    matrix = np.zeros((n, n), dtype=int)
    matrix[i, j] = value
    return matrix


def special_linear(n: int) -> list[np.ndarray]:
    off = [unit(n, i, j) for i in range(n) for j in range(n) if i != j]
    return off + [unit(n, i, i) - unit(n, i + 1, i + 1) for i in range(n - 1)]


def orthogonal(p: int, q: int) -> list[np.ndarray]:
    signs = [1] * p + [-1] * q
    return [unit(p + q, i, j) - signs[i] * signs[j] * unit(p + q, j, i) for i in range(p + q) for j in range(i)]


def triangular(n: int) -> list[np.ndarray]:
    return [unit(n, i, j) for i in range(n) for j in range(i, n)]


ALGEBRAS = {
    "so(3)": orthogonal(3, 0),
    "sl(2,R)": special_linear(2),
    "so(2,1)": orthogonal(2, 1),
    "so(3,1)": orthogonal(3, 1),
    "sl(3,R)": special_linear(3),
    "so(3,2)": orthogonal(3, 2),
    "so(4)": orthogonal(4, 0),
    "triangular": triangular(3),
}
every_algebra = pytest.mark.parametrize("name", ALGEBRAS)
weights = st.lists(st.integers(-3, 3), min_size=10, max_size=10)


@every_algebra
@given(weights, weights, weights)
@settings(max_examples=5, deadline=None)
def test_adjoint_identities(name, first, second, third) -> None:
    basis = ALGEBRAS[name]
    algebra = ah.geometry.LieAlgebra.from_matrices(basis)
    n = algebra.dimension
    x, y, mu = first[:n], second[:n], third[:n]
    X, Y = (np.tensordot(v, basis, 1) for v in (x, y))
    z = np.array(algebra.bracket(x, y), dtype=int)
    assert (np.tensordot(z, basis, 1) == X @ Y - Y @ X).all()
    ad_x, ad_y, ad_z = (np.array(algebra.ad(v), dtype=int) for v in (x, y, z.tolist()))
    assert (ad_z == ad_x @ ad_y - ad_y @ ad_x).all()
    assert (ad_x @ y == z).all()
    assert np.dot(np.array(algebra.ad_star(x, mu), dtype=int), y) == np.dot(mu, z)
    K = np.array(algebra.killing_form, dtype=int)
    assert x @ K @ np.array(y) == np.trace(ad_x @ ad_y)
    assert (ad_x.T @ K + K @ ad_x == 0).all()


def test_killing_form_of_the_special_linear_algebra_is_known() -> None:
    """$K(X, Y) = 2n\\operatorname{tr}XY$."""
    for n in (2, 3):
        basis = special_linear(n)
        K = np.array(ah.geometry.LieAlgebra.from_matrices(basis).killing_form, dtype=int)
        assert ([[2 * n * np.trace(X @ Y) for Y in basis] for X in basis] == K).all()


def test_series_and_kinds() -> None:
    upper = ah.geometry.LieAlgebra.from_matrices(triangular(3))
    assert (upper.derived_series, upper.lower_central_series) == ((6, 3, 1, 0), (6, 3))
    assert upper.is_solvable
    assert not upper.is_nilpotent
    assert not upper.is_unimodular
    assert upper.centre_basis == ((1, 0, 0, 1, 0, 1),)
    engel = ah.geometry.LieAlgebra({("x", "y"): "z", ("x", "z"): "u"}, labels=["x", "y", "z", "u"])
    assert (engel.derived_series, engel.lower_central_series) == ((4, 2, 0), (4, 2, 1, 0))
    assert engel.is_nilpotent
    assert engel.is_unimodular
    rigid = ah.groups.SE3().algebra
    assert (rigid.derived_series, rigid.lower_central_series, rigid.centre) == ((6,), (6,), 0)
    assert rigid.radical == tuple(tuple(int(a == b) for b in range(6)) for a in range(3))
    assert not rigid.is_semisimple
    assert ah.groups.SO3().algebra.is_semisimple
    assert (ah.groups.SO3() * ah.groups.Rn("x")).algebra.centre_basis == ((0, 0, 0, 1),)
    assert ah.groups.Rn("x").algebra.is_abelian


def test_subspaces() -> None:
    plane = ah.groups.SE2().algebra
    moves = [[1, 0, 0], [0, 1, 0]]
    assert plane.is_ideal(moves)
    assert plane.is_subalgebra([[0, 0, 1]])
    assert not plane.is_ideal([[0, 0, 1]])
    assert not plane.is_subalgebra([[1, 0, 0], [0, 0, 1]])
    assert plane.ideal_generated([[1, 0, 0]]) == ((1, 0, 0), (0, 1, 0))
    assert plane.subalgebra_generated([[1, 0, 0], [0, 0, 1]]) == ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    assert plane.centraliser([[1, 0, 0]]) == ((1, 0, 0), (0, 1, 0))
    metric = [[2, 0, 1], [0, 1, 0], [1, 0, 1]]
    (across,) = plane.complement(moves, metric)
    assert np.abs(np.array(moves) @ metric @ np.array(across, dtype=float)).max() == 0
    light = [[1, 0, 0], [0, -1, 0], [0, 0, 1]]
    with blames(ah.errors.DeclarationError):
        plane.complement([[1, 1, 0]], light)


@every_algebra
def test_gradings_of_the_basis_are_complete(name) -> None:
    """All choices of signs, tried one by one, for the small algebras."""
    algebra = ah.geometry.LieAlgebra.from_matrices(ALGEBRAS[name])
    n, c = algebra.dimension, algebra.constants_abd
    found = algebra.gradings()
    if n <= 6:
        rules = [(a, b, d) for a, b in combinations(range(n), 2) for d in range(n) if c[a][b][d] != 0]
        count = sum(all((odd >> a ^ odd >> b ^ odd >> d) & 1 == 0 for a, b, d in rules) for odd in range(1, 1 << n))
        assert len(found) == count
    for grading in found:
        assert algebra.grading(grading.k, grading.p) == grading
        theta = np.array(grading.involution, dtype=int)
        assert (theta @ theta == np.eye(n)).all()
        x, y = (np.random.default_rng(k).integers(-3, 4, n) for k in range(2))
        image = np.array(algebra.bracket((theta @ x).tolist(), (theta @ y).tolist()), dtype=int)
        assert (theta @ np.array(algebra.bracket(x.tolist(), y.tolist()), dtype=int) == image).all()


@pytest.mark.parametrize(
    ("name", "sizes"),
    [("so(3)", (3, 0)), ("sl(2,R)", (1, 2)), ("so(2,1)", (1, 2)), ("so(3,1)", (3, 3)), ("sl(3,R)", (3, 5)), ("so(3,2)", (4, 6))],
)  # fmt: skip
def test_cartan_involutions_are_found(name, sizes) -> None:
    grading = ah.geometry.LieAlgebra.from_matrices(ALGEBRAS[name]).cartan_decomposition()
    assert (len(grading.k), len(grading.p), bool(grading.is_cartan)) == (*sizes, True)


def test_cartan_involution_of_the_special_linear_algebra_is_minus_the_transpose() -> None:
    basis = special_linear(3)
    theta = np.array(ah.geometry.LieAlgebra.from_matrices(basis).cartan_decomposition().involution, dtype=int)
    for a, X in enumerate(basis):
        assert (np.tensordot(theta[:, a], basis, 1) == -X.T).all()


def test_cartan_involution_in_a_skewed_basis() -> None:
    skewed = np.tensordot([[1, 2, 0], [0, 1, -1], [2, 0, 1]], special_linear(2), 1)
    assert ah.geometry.LieAlgebra.from_matrices(skewed.tolist()).cartan_decomposition().is_cartan


def test_constants_may_be_symbols() -> None:
    algebra = ah.geometry.LieAlgebra({("x", "y"): "k*z", ("y", "z"): "x", ("z", "x"): "y"}, labels=["x", "y", "z"])
    k = symbol("k")
    assert algebra.bracket([1, 0, 0], [0, "a", 0]) == (0, 0, k * symbol("a"))
    assert algebra.killing_form == ((-2 * k, 0, 0), (0, -2 * k, 0), (0, 0, -2))
    assert is_zero(sum(algebra.ad(["a", 0, 0])[i][i] for i in range(3)))
    assert algebra.name is None
    with blames(ah.errors.NotSupportedError):
        algebra.derived_series


def test_refusals() -> None:
    xyz = ["x", "y", "z"]
    with blames(ah.errors.DeclarationError, "E1", "E2", "E3"):
        ah.geometry.LieAlgebra({("x", "y"): "z", ("x", "z"): "z", ("y", "z"): "x"}, labels=xyz)
    with blames(ah.errors.DeclarationError, "E2", "E1"):
        ah.geometry.LieAlgebra([[[0, 0], [1, 0]], [[1, 0], [0, 0]]])
    with blames(ah.errors.DeclarationError, "2"):
        ah.geometry.LieAlgebra(structure=[[[0, 0], [1, 0]], [[1, 0]]])
    with blames(ah.errors.DeclarationError):
        ah.geometry.LieAlgebra({("x", "y"): "z^2"}, labels=xyz)
    with blames(ah.errors.DeclarationError):
        ah.geometry.LieAlgebra({("x", "x"): "z"}, labels=xyz)
    with blames(ah.errors.DeclarationError):
        ah.geometry.LieAlgebra({("x", "y"): "z", ("y", "x"): "z"}, labels=xyz)
    with blames(ah.errors.DeclarationError):
        ah.geometry.LieAlgebra({("x", "y"): "z"})
    turns = ah.groups.SO3().algebra
    with blames(ah.errors.DeclarationError):
        turns.grading([[1, 0, 0], [0, 1, 0]], [[0, 0, 1]])
    with blames(ah.errors.DeclarationError):
        turns.grading([[1, 0, 0]], [[0, 0, 1]])
    with blames(ah.errors.DeclarationError, "3"):
        turns.bracket([1, 0], [0, 1, 0])
    with blames(ah.errors.DeclarationError):
        turns.is_ideal([["a", 0, 0]])
    with blames(ah.errors.NotSupportedError):
        ah.groups.SE2().algebra.cartan_decomposition()
    assert ah.geometry.LieAlgebra([[[symengine.Integer(0)]]]).name == "R"


BOOST = [[0, 1], [1, 0]]
WRITTEN = {
    "lists": BOOST,
    "texts": [["0", "1"], ["2/2", "0"]],
    "array": np.array(BOOST),
    "floats": np.array(BOOST, dtype=float),
    "SymPy": sympy.Matrix(BOOST),
    "immutable": sympy.ImmutableMatrix(BOOST),
    "tuples": tuple(map(tuple, BOOST)),
}


@pytest.mark.parametrize("matrix", WRITTEN.values(), ids=WRITTEN.keys())
def test_matrices_of_every_kind(matrix) -> None:
    shear = [["0", "1/2"], ["0", "0"]]
    turned = [["0", "0"], ["1", "0"]]
    algebra = ah.geometry.LieAlgebra.from_matrices([matrix, sympy.diag(1, -1), shear])
    assert algebra == ah.geometry.LieAlgebra.from_matrices(
        [BOOST, [[1, 0], [0, -1]], [[0, sympy.Rational(1, 2)], [0, 0]]]
    )
    assert ah.groups.MatrixGroup([matrix]).name == "Matrices(0 1; 1 0)"
    assert ah.geometry.LieAlgebra.from_matrices(iter([matrix, shear, sympy.diag(1, -1)])).name == "sl(2,R)"
    assert ah.geometry.LieAlgebra.from_matrices(np.array([BOOST])).name == "R"
    with blames(ah.errors.DeclarationError, "2"):
        ah.geometry.LieAlgebra.from_matrices([matrix, sympy.zeros(3, 3)])
    with blames(ah.errors.DeclarationError, "1"):
        ah.geometry.LieAlgebra.from_matrices([sympy.sqrt(2) * sympy.Matrix(turned)])


@pytest.mark.parametrize("n", [3, 4, 5])
def test_jacobiators_are_the_sums_they_stand_for(n) -> None:
    c = np.random.default_rng(n).integers(-1, 2, (n, n, n))
    c = c - c.swapaxes(0, 1)
    table = tuple(tuple(tuple(map(symengine.Integer, map(int, row))) for row in plane) for plane in c)
    found = jacobiators(table)
    double = np.einsum("abe,edf->abdf", c, c)
    whole = double + double.transpose(2, 0, 1, 3) + double.transpose(1, 2, 0, 3)
    for a, b, d in combinations(range(n), 3):
        for f in range(n):
            assert found.get((a, b, d, f), 0) == whole[a, b, d, f]


def test_gradings_are_never_cut_short() -> None:
    flat = ah.geometry.LieAlgebra(np.zeros((13, 13, 13), dtype=int))
    with blames(ah.errors.NotSupportedError, "8191"):
        flat.gradings()
    small = ah.geometry.LieAlgebra(np.zeros((4, 4, 4), dtype=int))
    assert len(small.gradings(most=15)) == 15
    with blames(ah.errors.NotSupportedError, "15"):
        small.gradings(most=14)
    with blames(ah.errors.ArgumentError, "most"):
        flat.gradings(most="all")


@pytest.mark.parametrize(
    ("labels", "names"),
    [
        ("xyz", ()),
        (3, ()),
        ([1, 2, 3], ("1",)),
        (["x", "y", "z", "2"], ("2",)),
        (["x", "x", "y", "z"], ("x",)),
        ([], ("labels",)),
    ],
)
def test_labels_are_names(labels, names) -> None:
    with blames(ah.errors.DeclarationError, *names):
        ah.geometry.LieAlgebra({("x", "y"): "z"}, labels=labels)


def test_a_metric_is_a_matrix() -> None:
    with blames(ah.errors.DeclarationError, "3"):
        ah.groups.SO3().algebra.complement([[1, 0, 0]], 3)
    assert len(ah.groups.SO3().algebra.complement([[1, 0, 0]], sympy.eye(3))) == 2
