"""Linear algebra over functions: every result is checked by an identity that it must satisfy."""

import random

import pytest
import symengine
from hypothesis import given, settings
from hypothesis import strategies as st
from symengine import cos, sin, sqrt, tan

from anholonomy.algebra.expressions import as_expression, dot, to_sympy
from anholonomy.algebra.linear_algebra.sampled import certified_rows
from anholonomy.algebra.linear_algebra.symbolic import (
    determinant,
    independent_rows,
    inverse,
    nullspace,
    rank,
    row_echelon,
    solve,
)
from anholonomy.algebra.normal_forms.canonical import NoNormalForm
from anholonomy.algebra.numbers.balls import evaluate_balls
from anholonomy.algebra.numbers.random_points import finite_point
from anholonomy.algebra.zero_test import are_all_zero, is_zero
from tests.wording import blames

x, y, a, b, m = symengine.symbols("x y a b m")
f = symengine.Function("f")
quick = settings(max_examples=12, deadline=None, derandomize=True)

ENTRIES = {
    "polynomials": [0, 0, 1, -2, x, y, x + y, x * y - 1, x**2],
    "angles": [0, 0, 1, sin(x), cos(x), sin(x + y), cos(y), -sin(y), tan(x)],
    "parameters": [0, 0, m, a, a + b, m * a**2, 1 / a, m * cos(x), m + a * sin(x) ** 2],
    "roots": [0, 0, 1, x, sqrt(1 + x**2), sqrt(x**2 + y**2), 1 / sqrt(1 + x**2), y],
    "unknown functions": [0, 0, 1, f(x, y), f(x, y).diff(x), f(x, y).diff(y), x, 1 + f(x, y) ** 2],
}
kinds = pytest.mark.parametrize("kind", ENTRIES)


def matrices(kind, rows, columns):
    entry = st.sampled_from([as_expression(value) for value in ENTRIES[kind]])
    return st.lists(st.lists(entry, min_size=columns, max_size=columns), min_size=rows, max_size=rows)


def product(left, right):
    return [[dot(row, column) for column in zip(*right, strict=True)] for row in left]


def transposed(matrix):
    return [list(column) for column in zip(*matrix, strict=True)]


def identity(size):
    return [[as_expression(int(i == j)) for j in range(size)] for i in range(size)]


def difference(left, right):
    return [p - q for one, other in zip(left, right, strict=True) for p, q in zip(one, other, strict=True)]


def rotation(axis, angle):
    turn = identity(3)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    turn[i][i] = turn[j][j] = cos(angle)
    turn[i][j], turn[j][i] = -sin(angle), sin(angle)
    return turn


def diagonal(*values):
    return [[value if i == j else symengine.Integer(0) for j in range(len(values))] for i, value in enumerate(values)]


def tensor(*angles):
    """An inertia tensor turned about alternating axes."""
    turn = identity(3)
    for k, angle in enumerate(angles):
        turn = product(turn, rotation((2, 0)[k % 2], angle))
    return product(product(turn, diagonal(*symengine.symbols("I J K"))), transposed(turn))


def trailers(count):
    """Constraints of a truck with trailers: every axle rolls along its own direction."""
    angles = symengine.symbols(f"h0:{count + 1}")
    rows = []
    for i, own in enumerate(angles):
        hitches = [-symengine.Symbol(f"d{j}") * cos(other - own) if j > i else 0 for j, other in enumerate(angles)]
        rows.append([sin(own), -cos(own), *map(as_expression, hitches)])
    return rows


@kinds
@quick
@given(data=st.data())
def test_a_matrix_times_its_inverse_is_one(kind, data):
    matrix = data.draw(matrices(kind, 3, 3))
    try:
        found = inverse(matrix)
    except ZeroDivisionError:
        assert is_zero(determinant(matrix))
        assert rank(matrix) < 3
    else:
        assert are_all_zero(difference(product(matrix, found), identity(3)))
        assert rank(matrix) == 3


@kinds
@quick
@given(data=st.data())
def test_the_kernel_is_annihilated_and_complements_the_rank(kind, data):
    matrix = data.draw(matrices(kind, 3, 4))
    kernel = nullspace(matrix)
    assert len(kernel) == 4 - rank(matrix)
    assert rank(kernel) == len(kernel)
    if kernel:
        assert are_all_zero(entry for row in product(matrix, transposed(kernel)) for entry in row)


@kinds
@quick
@given(data=st.data())
def test_a_solution_solves_even_where_unknowns_stay_free(kind, data):
    matrix = data.draw(matrices(kind, 3, 4))
    start = data.draw(matrices(kind, 1, 4))
    right = transposed(product(matrix, transposed(start)))
    (found,) = solve(matrix, right)
    assert are_all_zero(difference(product(matrix, transposed([found])), transposed(right)))


@pytest.mark.parametrize("kind", ["polynomials", "parameters"])
@settings(max_examples=8, deadline=None, derandomize=True)
@given(data=st.data())
def test_the_determinant_agrees_with_sympy(kind, data):
    import sympy

    matrix = data.draw(matrices(kind, 3, 3))
    other = sympy.Matrix([[to_sympy(entry) for entry in row] for row in matrix]).det(method="berkowitz")
    assert is_zero(determinant(matrix) - as_expression(other))


@kinds
@quick
@given(data=st.data())
def test_echelon_rows_span_the_same_space(kind, data):
    matrix = data.draw(matrices(kind, 3, 4))
    rows, pivots = row_echelon(matrix)
    assert len(rows) == 3
    assert rank(matrix) == len(pivots) == rank([*rows, *matrix])
    assert list(pivots) == sorted(set(pivots))
    for i, pivot in enumerate(pivots):
        assert all(entry == 0 for entry in rows[i][:pivot])
        assert [k for k in range(3) if rows[k][pivot] != 0] == [i]


@pytest.mark.parametrize("size", [5, 6, 8])
def test_a_permuted_block_matrix_is_inverted_and_keeps_its_zeros(size):
    order = random.Random(size).sample(range(size), size)
    blocks = [[symengine.Integer(0)] * size for _ in range(size)]
    for k in range(0, size - 1, 2):
        blocks[k][k], blocks[k][k + 1], blocks[k + 1][k], blocks[k + 1][k + 1] = a + k, cos(x), cos(x), m
    if size % 2:
        blocks[-1][-1] = sin(y)
    matrix = [blocks[i] for i in order]
    found = inverse(matrix)
    assert are_all_zero(difference(product(matrix, found), identity(size)))
    assert sum(entry != 0 for row in found for entry in row) == sum(entry != 0 for row in matrix for entry in row)


@pytest.mark.parametrize("size", [1, 2, 5, 9])
def test_the_determinant_of_a_permutation_is_its_sign(size):
    order = random.Random(size).sample(range(size), size)
    signs = sum(p > q for k, p in enumerate(order) for q in order[k + 1 :])
    matrix = [[symengine.Symbol(f"d{i}") * int(j == order[i]) for j in range(size)] for i in range(size)]
    expected = symengine.Mul((-1) ** signs, *(symengine.Symbol(f"d{i}") for i in range(size)))
    assert determinant(matrix) == expected


def test_an_arrow_larger_than_cofactors_allow_is_inverted():
    size = 7
    matrix = diagonal(*(symengine.Symbol(f"m{i}") for i in range(size)))
    for i in range(1, size):
        matrix[0][i] = matrix[i][0] = cos(symengine.Symbol(f"q{i}"))
    assert are_all_zero(difference(product(matrix, inverse(matrix)), identity(size)))


DEPENDENT = [
    [[1 - cos(x) ** 2, sin(x) * cos(x)], [sin(x), cos(x)]],
    [[cos(2 * x), 1], [1 - 2 * sin(x) ** 2, sin(y) ** 2 + cos(y) ** 2]],
    [[sin(x + y), cos(x + y), 1], [sin(x), cos(x), cos(y)], [cos(x), -sin(x), sin(y)]],
    [[sqrt(1 + x**2), 1 + x**2], [1, sqrt(1 + x**2)]],
    [[f(x, y) ** 2, f(x, y)], [f(x, y), 1]],
    [[symengine.exp(x), symengine.exp(2 * x)], [1, symengine.exp(x)]],
]


@pytest.mark.parametrize("matrix", DEPENDENT, ids=str)
def test_rows_dependent_through_an_identity_are_found_out(matrix):
    assert rank(matrix) == len(matrix) - 1
    assert determinant(matrix) == 0
    with blames(ZeroDivisionError):
        inverse(matrix)


def test_a_column_of_zeros_is_singular_by_pattern():
    with blames(ZeroDivisionError):
        inverse([[x, 0], [y, 0]])


def test_contradicting_equations_are_refused():
    with blames(ZeroDivisionError):
        solve([[cos(x), sin(x)], [cos(x), sin(x)]], [[1, 2]])


@pytest.mark.parametrize("angles", [(x,), (x, y), (x, y, a)])
def test_a_turned_inertia_tensor_at_thirty_digits(angles):
    matrix = tensor(*angles)
    found = inverse(matrix)
    assert determinant(matrix) == symengine.Mul(*symengine.symbols("I J K"))
    flat = [entry for row in product(matrix, found) for entry in row]
    point = finite_point(flat, random.Random(1))
    for k, value in enumerate(evaluate_balls(flat, point, 40)):
        assert value.contains(int(k % 4 == 0))
        assert value.rad() < 1e-30


@pytest.mark.exhaustive_for("10")
@pytest.mark.parametrize("count", [1, 4, 10])
def test_the_motions_of_trailers(count):
    matrix = trailers(count)
    kernel = nullspace(matrix)
    assert len(kernel) == 2
    assert rank(matrix) == count + 1
    flat = [entry for row in product(matrix, transposed(kernel)) for entry in row]
    point = finite_point(flat, random.Random(1))
    assert all(value.contains(0) and value.rad() < 1e-30 for value in evaluate_balls(flat, point, 60))


def test_rows_of_a_basis_come_early():
    rows = [[x, 1, 0], [x**2, x, 0], [0, 0, 0], [cos(x), 0, sin(x)], [1, 1, 1]]
    assert independent_rows(rows) == (0, 3, 4)


def test_the_kernel_of_a_blade_divides_by_nothing():
    assert nullspace([[sin(x), -cos(x), 0]]) == ((cos(x), sin(x), 0), (0, 0, 1))


def test_empty_matrices_have_answers():
    assert (rank([]), nullspace([]), inverse([]), solve([], [])) == (0, (), (), [])
    assert determinant([]) == 1


def test_ragged_and_oblong_matrices_are_refused():
    with pytest.raises(ValueError, match="equal lengths"):
        rank([[x, 1], [y]])
    with pytest.raises(ValueError, match="2 × 1"):
        inverse([[x], [y]])


class _Refused:
    def __init__(self, *_):
        raise NoNormalForm


def test_without_normal_forms_pivots_come_from_a_point(monkeypatch):
    for function in (inverse, nullspace):
        monkeypatch.setitem(function.__globals__, "MatrixForms", _Refused)
    matrix = [[0, a, cos(x)], [a, m, 0], [cos(x), 0, 0]]
    matrix = [[as_expression(entry) for entry in row] for row in matrix]
    assert are_all_zero(difference(product(matrix, inverse(matrix)), identity(3)))
    assert is_zero(determinant(matrix) + m * cos(x) ** 2)
    oblong = [[f(x, y), 1, x], [2 * f(x, y), as_expression(2), 2 * x]]
    oblong = [[as_expression(entry) for entry in row] for row in oblong]
    assert rank(oblong) == 1
    kernel = nullspace(oblong)
    assert len(kernel) == 2
    assert are_all_zero(entry for row in product(oblong, transposed(kernel)) for entry in row)
    with blames(ZeroDivisionError):
        inverse([[x, 2 * x], [1, 2]])


def test_certified_rows_are_independent_for_unknown_functions():
    gradient = [[f(x, y).diff(x), f(x, y).diff(y)], [f(x, y), symengine.Integer(1)]]
    assert certified_rows(gradient) == (0, 1)
