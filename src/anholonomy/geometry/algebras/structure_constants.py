r"""Structure constants: read from a table, brackets of named vectors or matrices, and the subspaces that they single out.

.. math::
   [E_a, E_b] = E_aE_b - E_bE_a = c_{ab}{}^d E_d, \qquad K_{ab} = c_{ad}{}^e c_{be}{}^d, \\
   \mathfrak g^{(k+1)} = [\mathfrak g^{(k)}, \mathfrak g^{(k)}], \qquad \mathfrak g_{k+1} = [\mathfrak g, \mathfrak g_k],
   \qquad \operatorname{rad}\mathfrak g = [\mathfrak g, \mathfrak g]^{\perp_K}

From matrices the constants are solved for exactly; a bracket that leaves their span is refused. Subspaces are exact, over the
rational numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any, final

import symengine

from anholonomy.algebra.calculus import gradient
from anholonomy.algebra.expressions import Expr, Matrix, Vector, symbol, zero
from anholonomy.algebra.linear_algebra.rational import (
    Rows,
    combine,
    coordinates,
    extend,
    inside,
    intersection,
    kernel,
    number,
    product,
    signature,
    span,
    total,
    unit,
)
from anholonomy.algebra.zero_test import zero_test
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import DeclarationError, quoted
from anholonomy.base.verdict import Verdict
from anholonomy.geometry.brackets import Structure
from anholonomy.language import check_name
from anholonomy.language.arguments import expect_list, expression, is_list

__all__ = [
    "Table",
    "as_number",
    "exact",
    "exact_rows",
    "from_brackets",
    "from_table",
    "jacobiators",
    "matrices",
    "matrix_structure",
    "rational",
    "refuse_broken",
    "rows_of",
]


def from_table(given: Any) -> Structure:
    """The constants of a nested table ``c[a][b][d]``."""
    expect_list(given, "the structure", "a table c[a][b][d], or brackets of named vectors", verb="is")
    n = len(given)
    for plane in given:
        if not is_list(plane) or len(plane) != n or any(not is_list(row) or len(row) != n for row in plane):
            raise DeclarationError(f"the structure needs {n} tables of {n} rows of {n} constants c[a][b][d].")
    return tuple(tuple(tuple(_constant(c) for c in row) for row in plane) for plane in given)


def _constant(value: Any) -> Expr:
    return value if isinstance(value, symengine.Basic) else expression(value, "a structure constant")


def from_brackets(given: Mapping[Any, Any], labels: Sequence[str]) -> Structure:
    """The constants of ``{("x", "y"): "z"}``; brackets that are not given vanish, and antisymmetry is filled in."""
    if isinstance(labels, str) or not isinstance(labels, Iterable):
        raise DeclarationError(f"`labels` is {quoted(labels)}; give a list of names, such as ['x', 'y', 'z'].")
    names = list(labels)
    for name in names:
        check_name(name, "the label")
    if twice := [name for k, name in enumerate(names) if name in names[:k]]:
        raise DeclarationError(f"the label {twice[0]} is given twice; name every vector once.")
    n, vectors = len(names), [symbol(name) for name in names]
    table: list[list[Vector]] = [[(zero,) * n for _ in range(n)] for _ in range(n)]
    for pair, value in given.items():
        if not is_list(pair) or len(pair) != 2 or any(each not in names for each in pair) or pair[0] == pair[1]:
            raise DeclarationError(f"there is a bracket of {pair!r}; give two different ones of {', '.join(names)}.")
        a, b = (names.index(each) for each in pair)
        what = f"the bracket [{pair[0]}, {pair[1]}]"
        bracket = expression(value, what)
        row = gradient(bracket, vectors)
        left = bracket - symengine.Add(*(c * v for c, v in zip(row, vectors, strict=True)))
        if any(c.free_symbols & set(vectors) for c in row) or zero_test(left) is not Verdict.PROVEN:
            raise DeclarationError(f"{what} is {value!s:.60}; give a linear combination of {', '.join(names)}.")
        if any(c != 0 for c in table[a][b]):
            raise DeclarationError(f"{what} is given twice; keep one.")
        table[a][b], table[b][a] = row, tuple(-c for c in row)
    return tuple(tuple(rows) for rows in table)


def refuse_broken(c: Structure) -> None:
    """Refuse what is proven not to be antisymmetric or to break Jacobi's identity, and name the place."""
    n = range(len(c))
    for a in n:
        for b in range(a + 1):
            pairs = zip(c[a][b], c[b][a], strict=True)
            if any(_differs(x + y) for x, y in pairs if x is not zero or y is not zero):
                raise DeclarationError(
                    f"the structure constants are not antisymmetric: [E{a + 1}, E{b + 1}] is not -[E{b + 1}, E{a + 1}]."
                )
    for (a, b, d, f), value in jacobiators(c).items():
        if _differs(value):
            raise DeclarationError(
                f"the structure constants break Jacobi's identity: [[E{a + 1}, E{b + 1}], E{d + 1}] and its cyclic "
                f"permutations do not add up to zero along E{f + 1}; correct them."
            )


def _differs(value: Expr) -> bool:
    """Proven not to be zero; most are zero to the eye."""
    return bool(value != 0) and zero_test(value) is Verdict.REFUTED


def jacobiators(c: Structure) -> dict[tuple[int, int, int, int], Expr]:
    r"""$c_{ab}{}^ec_{ed}{}^f$ and its cyclic permutations, summed, by $a < b < d$ and $f$; sums without a term are left out.

    The cost is that of the products that do not vanish, so that sums of many small algebras are cheap.
    """
    n = range(len(c))
    rows = {
        (a, b): [(d, each) for d, each in enumerate(c[a][b]) if each is not zero and each != 0] for a in n for b in n
    }
    after: list[list[tuple[int, list[tuple[int, Expr]]]]] = [[(k, rows[e, k]) for k in n if rows[e, k]] for e in n]
    terms: dict[tuple[int, int, int, int], list[Expr]] = {}
    for (i, j), row in rows.items():
        for e, first in row:
            for k, seconds in after[e]:
                # An even permutation of the sorted triple is one of the three cyclic terms.
                if i < j < k or j < k < i or k < i < j:
                    a, b, d = sorted((i, j, k))
                    for f, second in seconds:
                        terms.setdefault((a, b, d, f), []).append(first * second)
    return {place: symengine.Add(*terms[place]) for place in sorted(terms)}


def rows_of(given: Any, what: str) -> list[list[Any]]:
    """The rows of a matrix: nested lists, an array, or a SymPy matrix, whose members are entries and not rows.

    >>> rows_of([["0", "1/2"], [1, 0]], "it")
    [['0', '1/2'], [1, 0]]
    """
    given = given.tolist() if hasattr(given, "tolist") else given
    if not is_list(given) or any(not is_list(row) for row in given):
        raise DeclarationError(f"{what} is {_shown(given)}; give a list of rows, such as [[0, 1], [1, 0]].")
    return [list(row) for row in given]


def _shown(given: object) -> str:
    """On one line, and not all of it."""
    return f"{' '.join(repr(given).split()):.60}"


def matrices(given: Any) -> list[Rows]:
    """Square rational matrices of one size, linearly independent: lists, arrays, SymPy matrices, entries also as text."""
    if isinstance(given, str | Mapping) or not isinstance(given, Iterable):
        raise DeclarationError(f"the matrices are {_shown(given)}; give a list of at least one matrix.")
    each = list(given)
    if not each:
        raise DeclarationError("there are no matrices; give at least one, as a list of rows.")
    read = [rows_of(matrix, f"matrix {k}") for k, matrix in enumerate(each, 1)]
    size = len(read[0])
    found: list[Rows] = []
    for k, matrix in enumerate(read, 1):
        if len(matrix) != size or any(len(row) != size for row in matrix):
            raise DeclarationError(
                f"matrix {k} is no square matrix like the first; give {size} rows of {size} numbers."
            )
        found.append([[rational(entry, f"an entry of matrix {k}") for entry in row] for row in matrix])
    flat = [_flattened(matrix) for matrix in found]
    if len(extend([], flat, size * size)) < len(flat):
        raise DeclarationError("the matrices are linearly dependent; give a basis.")
    return found


def matrix_structure(basis: list[Rows]) -> Structure:
    """The structure constants of matrices that close under commutators."""
    flat = [_flattened(matrix) for matrix in basis]
    n = len(basis)
    table: list[list[Vector]] = [[(zero,) * n for _ in range(n)] for _ in range(n)]
    for a, b in combinations(range(n), 2):
        found = coordinates(_commutator(basis[a], basis[b]), flat)
        if found is None:
            raise DeclarationError(
                f"the commutator of matrices {a + 1} and {b + 1} is no combination of the matrices; add it to them."
            )
        table[a][b] = tuple(exact(q) for q in found)
        table[b][a] = tuple(-c for c in table[a][b])
    return tuple(tuple(rows) for rows in table)


def _flattened(matrix: Rows) -> list[Any]:
    return [entry for row in matrix for entry in row]


def _commutator(left: Rows, right: Rows) -> list[Any]:
    """$AB - BA$, its entries in a row."""
    return combine([number(1), number(-1)], [_flattened(product(left, right)), _flattened(product(right, left))])


def rational(value: Any, what: str) -> Any:
    """A rational number, refused where it is something else."""
    given = expression(value, what)
    if not isinstance(given, symengine.Rational):
        raise DeclarationError(f"{what} is {given}; give a rational number.")
    return as_number(given)


def as_number(value: Expr) -> Any:
    """A rational expression as the number with which linear algebra is done."""
    return number(int(value.p), int(value.q))


def exact(value: Any) -> Expr:
    """A rational number as an expression."""
    return symengine.Rational(int(value.p), int(value.q))


def exact_rows(rows: Rows) -> Matrix:
    """Rows of rational numbers as expressions."""
    return tuple(tuple(exact(q) for q in row) for row in rows)


@final
class Table:
    r"""``c[a][b][d]`` is the rational number $c_{ab}{}^d$."""

    def __init__(self, c_abd: list[list[list[Any]]]) -> None:
        self.c_abd = c_abd
        self.dimension = len(c_abd)
        self.whole = unit(self.dimension)

    def bracket(self, x: Sequence[Any], y: Sequence[Any]) -> list[Any]:
        r"""$[x, y]^d = x^ay^bc_{ab}{}^d$."""
        c, n = self.c_abd, range(self.dimension)
        return [total(x[a] * y[b] * c[a][b][d] for a in n for b in n if c[a][b][d] != 0) for d in n]

    def brackets(self, left: Rows, right: Rows) -> Rows:
        """A basis of what the brackets of two subspaces span."""
        return span([self.bracket(x, y) for x in left for y in right], self.dimension)

    @cached_property
    def killing_ab(self) -> Rows:
        r"""$K_{ab} = c_{ad}{}^ec_{be}{}^d$."""
        c, n = self.c_abd, range(self.dimension)
        return [[total(c[a][d][e] * c[b][e][d] for d in n for e in n) for b in n] for a in n]

    @cached_property
    def signature(self) -> tuple[int, int]:
        return signature(self.killing_ab)

    @cached_property
    def derived(self) -> list[Rows]:
        """The algebra, what it derives, and so on until it stops falling."""
        spaces = [self.whole]
        while len(lower := self.brackets(spaces[-1], spaces[-1])) < len(spaces[-1]):
            spaces.append(lower)
        return spaces

    @cached_property
    def lower_central(self) -> list[Rows]:
        spaces = [self.whole]
        while len(lower := self.brackets(self.whole, spaces[-1])) < len(spaces[-1]):
            spaces.append(lower)
        return spaces

    @cached_property
    def derived_algebra(self) -> Rows:
        return self.brackets(self.whole, self.whole)

    def centraliser(self, space: Rows) -> Rows:
        """What commutes with every vector of a subspace."""
        columns = [[self.bracket(e, v) for e in self.whole] for v in space]
        n = range(self.dimension)
        return kernel([[image[a][d] for a in n] for image in columns for d in n], self.dimension)

    @cached_property
    def centre(self) -> Rows:
        return self.centraliser(self.whole)

    @cached_property
    def central_brackets(self) -> Rows:
        """A basis of the centre's intersection with the derived algebra."""
        return intersection(self.centre, self.derived_algebra, self.dimension)

    @cached_property
    def radical(self) -> Rows:
        """The largest solvable ideal: what the Killing form pairs to zero with the derived algebra."""
        n = range(self.dimension)
        rows = [[total(v[a] * self.killing_ab[a][b] for a in n) for b in n] for v in self.derived_algebra]
        return kernel(rows, self.dimension)

    def closes(self, left: Rows, right: Rows, space: Rows) -> bool:
        """Whether the brackets of two subspaces stay in a third."""
        return inside(self.brackets(left, right), space, self.dimension)

    def generated(self, space: Rows, by: Rows | None) -> Rows:
        """The smallest subspace around ``space`` that brackets with ``by``, or with its own vectors, do not leave."""
        grown = span(space, self.dimension)
        while len(more := span([*grown, *self.brackets(by or grown, grown)], self.dimension)) > len(grown):
            grown = more
        return grown

    def action(self, space: Rows, modulo: Rows) -> Rows:
        """How the one direction outside ``space`` acts on it, modulo an ideal inside it."""
        (outside, *_) = extend(space, self.whole, self.dimension)
        rest = extend(modulo, space, self.dimension)
        basis = [*rest, *modulo]
        return [(coordinates(self.bracket(outside, v), basis) or [])[: len(rest)] for v in rest]

    def restricted(self, basis: Rows) -> Table:
        """The subalgebra of independent vectors that close, in these as its basis."""
        return Table([[coordinates(self.bracket(x, y), basis) or [] for y in basis] for x in basis])

    def without_flat_part(self) -> Table:
        """An ideal complement of the part of the centre that no bracket reaches."""
        n = self.dimension
        flat = extend(self.derived_algebra, self.centre, n)
        rest = extend([*self.derived_algebra, *flat], self.whole, n)
        return self.restricted([*self.derived_algebra, *rest])
