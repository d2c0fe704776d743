r"""Lie algebras by their structure constants: brackets, adjoint maps, ideals, series, gradings, and names where proven.

.. math::
   [E_a, E_b] = c_{ab}{}^d E_d, \qquad (\mathrm{ad}_x)^d{}_b = x^ac_{ab}{}^d, \qquad
   \langle\mathrm{ad}^*_x\mu, y\rangle = \langle\mu, [x, y]\rangle, \qquad K_{ab} = c_{ad}{}^e\, c_{be}{}^d

With this $\mathrm{ad}^*$ the free motion is $\dot p = \mathrm{ad}^*_w\,p$. Subspaces are lists of vectors in the basis $E_a$;
questions about them are answered exactly, over the rational numbers. A name follows from the derived series, the centre, the
signature of the Killing form and, for a solvable algebra, its action on its derived algebra. If these do not settle it, there is no
name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import symengine

from anholonomy.algebra.expressions import Matrix, Vector, matrix_vector
from anholonomy.algebra.linear_algebra.rational import Rows, kernel, product, span, unit
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import ArgumentError, DeclarationError, NotSupportedError, quoted
from anholonomy.base.notebook import Shown
from anholonomy.base.verdict import Verdict
from anholonomy.findings import Calculation, Finding, Quantity, vanishing
from anholonomy.geometry.algebras.gradings import Grading, aligned, broken_rule, cartan, free_signs, is_cartan
from anholonomy.geometry.algebras.structure_constants import (
    Table,
    exact,
    exact_rows,
    from_brackets,
    from_table,
    jacobiators,
    matrices,
    matrix_structure,
    rational,
    refuse_broken,
    rows_of,
)
from anholonomy.geometry.brackets import Structure, contract
from anholonomy.language.arguments import expect_whole, expression, is_list

__all__ = ["LieAlgebra"]

_NEEDS_NUMBERS = (
    "subspaces and series of a Lie algebra need structure constants that are rational numbers; put numbers in."
)
_JACOBI, _THETA = r"[[E_a, E_b], E_d] + \text{cyclic}", r"\theta([x, y])"
_SEMISIMPLE = {
    (0, 3): "so(3)", (2, 1): "sl(2,R)",
    (0, 6): "so(4)", (3, 3): "so(3,1)", (4, 2): "so(2,2)", (2, 4): "so(3) + sl(2,R)",
    (0, 8): "su(3)", (4, 4): "su(2,1)", (5, 3): "sl(3,R)",
    (0, 10): "so(5)", (4, 6): "so(4,1)", (6, 4): "so(3,2)",
}  # fmt: skip
"""Up to dimension ten the signature of a nondegenerate Killing form, (positive, negative), decides; not in dimension nine."""


@final
@dataclass(frozen=True, init=False)
class LieAlgebra(Shown):
    r"""A Lie algebra over the reals.

    Parameters
    ----------
    structure
        A table ``c[a][b][d]`` of the constants $c_{ab}{}^d$ with $[E_a, E_b] = c_{ab}{}^d E_d$, or brackets of named
        vectors such as ``{("x", "y"): "z"}``, the others being zero. Refused where they are proven not antisymmetric
        or to break Jacobi's identity.
    labels
        The names of the vectors, where brackets are given.

    Examples
    --------
    >>> heisenberg = LieAlgebra({("x", "y"): "z"}, labels=["x", "y", "z"])
    >>> heisenberg.name, heisenberg.lower_central_series, heisenberg.bracket([1, 0, 0], [0, 1, 0])
    ('heisenberg', (3, 1, 0), (0, 0, 1))
    >>> turns = LieAlgebra.from_matrices([[[0, 0, 0], [0, 0, -1], [0, 1, 0]], [[0, 0, 1], [0, 0, 0], [-1, 0, 0]],
    ...                                   [[0, -1, 0], [1, 0, 0], [0, 0, 0]]])
    >>> bool(turns.satisfies_jacobi), turns.derived_series, turns.signature, turns.name
    (True, (3,), (0, 3), 'so(3)')
    >>> turns.gradings()[0]
    k (1) + p (2)
    """

    constants_abd: Structure

    def __init__(self, structure: Any, labels: Sequence[str] | None = None) -> None:
        if isinstance(structure, Mapping) and (labels is None or (is_list(labels) and not len(labels))):
            raise DeclarationError("brackets of named vectors need all names in `labels`, such as ['x', 'y', 'z'].")
        constants = from_brackets(structure, labels or ()) if isinstance(structure, Mapping) else from_table(structure)
        refuse_broken(constants)
        object.__setattr__(self, "constants_abd", constants)

    @classmethod
    def from_matrices(cls, basis: Any) -> LieAlgebra:
        """The algebra that rational matrices span, with the commutator; refused unless they close.

        A matrix is a nested list, a NumPy array or a SymPy matrix; an entry may be text.

        >>> LieAlgebra.from_matrices([[["0", "1/2"], ["1/2", "0"]]]).name
        'R'
        """
        return cls(matrix_structure(matrices(basis)))

    @property
    def dimension(self) -> int:
        return len(self.constants_abd)

    @cached_property
    def satisfies_jacobi(self) -> Finding:
        """Whether the structure constants obey Jacobi's identity."""
        sums = (
            Quantity("[[E_a, E_b], E_d] + cyclic", value, _JACOBI) for value in jacobiators(self.constants_abd).values()
        )
        return vanishing("Jacobi's identity holds", "[[E_a, E_b], E_d] + cyclic", sums, mark=_JACOBI)

    @cached_property
    def is_rational(self) -> bool:
        """Whether all structure constants are rational numbers; subspaces, invariants and names need that."""
        return all(isinstance(c, symengine.Rational) for row in self.constants_abd for each in row for c in each)

    def bracket(self, x: Sequence[Any], y: Sequence[Any]) -> Vector:
        r"""$[x, y]^d = x^ay^bc_{ab}{}^d$."""
        return tuple(each.expand() for each in contract(self.constants_abd, self._vector(x), self._vector(y)))

    def ad(self, x: Sequence[Any]) -> Matrix:
        r"""The matrix of $y \mapsto [x, y]$ on columns, $x^ac_{ab}{}^d$ with row $d$ and column $b$."""
        v, n = self._vector(x), range(self.dimension)
        c = self.constants_abd
        return tuple(tuple(symengine.Add(*(v[a] * c[a][b][d] for a in n)) for b in n) for d in n)

    def ad_star(self, x: Sequence[Any], mu: Sequence[Any]) -> Vector:
        r"""$(\mathrm{ad}^*_x\mu)_b = \mu_d\,x^ac_{ab}{}^d$: the momentum $\mu$ paired with $[x, E_b]$."""
        return matrix_vector(tuple(zip(*self.ad(x), strict=True)), self._vector(mu))

    @cached_property
    def killing_form(self) -> Matrix:
        r"""$K_{ab} = \operatorname{tr}(\mathrm{ad}_a\mathrm{ad}_b)$."""
        c, n = self.constants_abd, range(self.dimension)
        return tuple(tuple(symengine.Add(*(c[a][d][e] * c[b][e][d] for d in n for e in n)) for b in n) for a in n)

    @cached_property
    def derived_series(self) -> tuple[int, ...]:
        """The dimensions of the algebra, its derived algebra, the derived algebra of that, until they stop falling."""
        return tuple(map(len, self._table.derived))

    @cached_property
    def lower_central_series(self) -> tuple[int, ...]:
        r"""The dimensions of $\mathfrak g \supset [\mathfrak g, \mathfrak g] \supset [\mathfrak g, [\mathfrak g, \mathfrak g]] \dots$ until they stop falling."""
        return tuple(map(len, self._table.lower_central))

    @cached_property
    def centre(self) -> int:
        """The dimension of what commutes with everything."""
        return len(self._table.centre)

    @cached_property
    def centre_basis(self) -> Matrix:
        """A basis of what commutes with everything."""
        return exact_rows(self._table.centre)

    @cached_property
    def derived_algebra(self) -> Matrix:
        """A basis of what the brackets span."""
        return exact_rows(self._table.derived_algebra)

    @cached_property
    def radical(self) -> Matrix:
        """A basis of the largest solvable ideal."""
        return exact_rows(self._table.radical)

    @cached_property
    def signature(self) -> tuple[int, int]:
        """How many positive and negative squares the Killing form has."""
        return self._table.signature

    @property
    def is_abelian(self) -> Finding:
        """Whether every bracket is zero."""
        found = (Quantity("[E_a, E_b]", c) for row in self.constants_abd for each in row for c in each if c != 0)
        return vanishing("the algebra is abelian", "[E_a, E_b]", found, mark="[E_a, E_b]")

    @property
    def is_nilpotent(self) -> Finding:
        """Whether the lower central series ends at zero."""
        return self._ends("the algebra is nilpotent", "lower central series", "lower_central_series")

    @property
    def is_solvable(self) -> Finding:
        """Whether the derived series ends at zero."""
        return self._ends("the algebra is solvable", "derived series", "derived_series")

    @property
    def is_semisimple(self) -> Finding:
        """Whether the Killing form is nondegenerate (Cartan's criterion)."""
        claim = "the algebra is semisimple"
        if not self.is_rational:
            return Finding.unknown(claim, _NEEDS_NUMBERS)
        why = "the Killing form has {} positive and {} negative squares in dimension {}"
        whole = sum(self.signature) == self.dimension > 0
        again = Calculation(
            why.format(*self.signature, self.dimension), _found, (self.constants_abd, "signature"), self.signature
        )
        return Finding(claim, Verdict.of(whole), (again,))

    def _ends(self, claim: str, name: str, series: str) -> Finding:
        if not self.is_rational:
            return Finding.unknown(claim, _NEEDS_NUMBERS)
        dimensions = getattr(self, series)
        again = Calculation(f"the {name} has dimensions {dimensions}", _found, (self.constants_abd, series), dimensions)
        return Finding(claim, Verdict.of(dimensions[-1] == 0), (again,))

    @cached_property
    def is_unimodular(self) -> Finding:
        r"""Whether $\operatorname{tr}\mathrm{ad}_x = 0$ for all $x$, so that free motion keeps the volume of momenta."""
        n = range(self.dimension)
        traces = (Quantity(f"tr ad_{a + 1}", symengine.Add(*(self.constants_abd[a][b][b] for b in n))) for a in n)
        return vanishing("the algebra is unimodular", "tr ad", traces, mark=r"\operatorname{tr}\mathrm{ad}")

    def is_subalgebra(self, space: Sequence[Sequence[Any]]) -> Finding:
        """Whether brackets of a subspace stay in it."""
        rows = self._space(space)
        return self._closes("the subspace is a subalgebra", rows, rows)

    def is_ideal(self, space: Sequence[Sequence[Any]]) -> Finding:
        """Whether brackets of a subspace with anything stay in it."""
        return self._closes("the subspace is an ideal", unit(self.dimension), self._space(space))

    def _closes(self, claim: str, movers: Rows, rows: Rows) -> Finding:
        r"""$\theta([x, y]) = 0$ for $x$ among the movers, $y$ in the subspace, and $\theta$ that vanishes on it."""
        if not self.is_rational:
            return Finding.unknown(claim, _NEEDS_NUMBERS)
        forms, found = kernel(rows, self.dimension), self._table.brackets(movers, rows)
        pairings = (
            Quantity("theta([x, y])", exact(q), _THETA)
            for row in product(forms, [list(column) for column in zip(*found, strict=True)])
            for q in row
        )
        return vanishing(claim, "theta([x, y])", pairings, mark=_THETA)

    def subalgebra_generated(self, space: Sequence[Sequence[Any]]) -> Matrix:
        """A basis of the smallest subalgebra that contains a subspace."""
        return exact_rows(self._table.generated(self._space(space), None))

    def ideal_generated(self, space: Sequence[Sequence[Any]]) -> Matrix:
        """A basis of the smallest ideal that contains a subspace."""
        return exact_rows(self._table.generated(self._space(space), self._table.whole))

    def centraliser(self, space: Sequence[Sequence[Any]]) -> Matrix:
        """A basis of what commutes with a subspace."""
        return exact_rows(self._table.centraliser(self._space(space)))

    def complement(self, space: Sequence[Sequence[Any]], metric: Sequence[Sequence[Any]]) -> Matrix:
        r"""A basis of $\{y : x^am_{ab}y^b = 0 \text{ for all } x\}$, refused where the metric is degenerate on the subspace."""
        rows = span(self._space(space), self.dimension)
        m = [self._numbers(row, "a row of the metric") for row in rows_of(metric, "the metric")]
        if len(m) != self.dimension:
            raise DeclarationError(
                f"the metric has {len(m)} rows; give {self.dimension}, one for each vector of the basis."
            )
        found = kernel(product(rows, m), self.dimension)
        if len(span([*rows, *found], self.dimension)) < self.dimension:
            raise DeclarationError(
                "the metric is degenerate on the subspace, so what is orthogonal to it is no complement."
            )
        return exact_rows(found)

    def grading(self, k: Sequence[Sequence[Any]], p: Sequence[Sequence[Any]]) -> Grading:
        r"""The grading $\mathfrak k \oplus \mathfrak p$, refused with the rule it breaks where it is none."""
        even, odd = self._space(k), self._space(p)
        if why := broken_rule(self._table, even, odd):
            raise DeclarationError(f"this is no grading: {why}.")
        return self._graded(even, odd)

    def gradings(self, most: int = 4096) -> tuple[Grading, ...]:
        r"""All gradings that put every vector of the basis in one of the two parts, the trivial one left out.

        With $k$ free signs there are $2^k - 1$; refused where that is more than ``most``, rather than cut short.
        """
        most = expect_whole(most, "`most`", 0, refusal=ArgumentError)
        if (count := (1 << free_signs(self._table)) - 1) > most:
            raise NotSupportedError(f"there are {count} gradings along the basis; pass most={count} to list them all.")
        return tuple(self._graded(k, p) for k, p in sorted(aligned(self._table), key=lambda pair: len(pair[1])))

    def _graded(self, k: Rows, p: Rows) -> Grading:
        even, odd = exact_rows(k), exact_rows(p)
        definite = _is_cartan(self.constants_abd, even, odd)
        why = f"the Killing form is {'' if definite else 'not '}negative on k and positive on p"
        again = Calculation(why, _is_cartan, (self.constants_abd, even, odd), definite)
        return Grading(even, odd, Finding("the grading is that of a Cartan involution", Verdict.of(definite), (again,)))

    def cartan_decomposition(self) -> Grading | None:
        """The grading of a Cartan involution of a semisimple algebra, proven; None where no rational one was met."""
        if self.is_semisimple.is_refuted:
            raise NotSupportedError(
                "a Cartan involution needs a semisimple algebra, and here the Killing form is degenerate."
            )
        found = cartan(self._table)
        return found and self._graded(*found)

    @cached_property
    def name(self) -> str | None:
        """The name of the algebra where the invariants prove it, otherwise None."""
        return _name_of(self._table) if self.is_rational and self.satisfies_jacobi else None

    @cached_property
    def _table(self) -> Table:
        if not self.is_rational:
            raise NotSupportedError(_NEEDS_NUMBERS)
        what = "a structure constant"
        return Table([[[rational(c, what) for c in each] for each in row] for row in self.constants_abd])

    def _vector(self, given: Sequence[Any]) -> Vector:
        if not is_list(given) or len(given) != self.dimension:
            raise DeclarationError(f"{quoted(given)} is no vector of the algebra; give {self.dimension} components.")
        return tuple(expression(each, "a component") for each in given)

    def _numbers(self, given: Sequence[Any], what: str) -> list[Any]:
        return [rational(each, what) for each in self._vector(given)]

    def _space(self, given: Sequence[Sequence[Any]]) -> Rows:
        if not is_list(given):
            raise DeclarationError(f"{quoted(given)} is no subspace; give a list of vectors.")
        return span([self._numbers(vector, "a component") for vector in given], self.dimension)

    def __repr__(self) -> str:
        return f"Lie algebra of dimension {self.dimension}" + (f", {self.name}" if self.name else "")


def _found(constants: Structure, name: str) -> Any:
    """An attribute of the algebra with these constants."""
    return getattr(LieAlgebra(constants), name)


def _is_cartan(constants: Structure, k: Matrix, p: Matrix) -> bool:
    """Whether the algebra is semisimple with a Killing form that is negative on k and positive on p."""
    algebra = LieAlgebra(constants)
    return bool(algebra.is_semisimple) and is_cartan(algebra._table, algebra._space(k), algebra._space(p))


def _name_of(table: Table) -> str | None:
    """The name of an algebra whose constants satisfy Jacobi's identity, or None."""
    n = table.dimension
    if n == 0:
        return "0"
    if len(table.centre) == n:
        return "R" if n == 1 else f"R^{n}"
    if split := len(table.centre) - len(table.central_brackets):
        rest = _indecomposable(table.without_flat_part())
        return rest and f"{rest} + R" + (f"^{split}" if split > 1 else "")
    return _indecomposable(table)


def _indecomposable(table: Table) -> str | None:
    """The name of an algebra whose centre lies in its derived algebra."""
    positive, negative = table.signature
    if positive + negative == table.dimension:
        return _SEMISIMPLE.get(table.signature)
    return _euclidean(table) if table.derived[-1] else _solvable(table)


def _solvable(table: Table) -> str | None:
    sizes, centre = tuple(map(len, table.derived)), len(table.centre)
    if sizes == (2, 1, 0):
        return "aff(1)"
    if sizes == (3, 1, 0):
        return "heisenberg" if centre == 1 else None
    if sizes == (3, 2, 0):
        (trace, determinant) = _invariants(table.action(table.derived_algebra, []))
        if trace != 0:
            return None
        return "se(2)" if determinant > 0 else "e(1,1)"
    if sizes == (4, 3, 1, 0) and centre == 1:
        (trace, determinant) = _invariants(table.action(table.derived_algebra, table.centre))
        if trace == 0 and determinant != 0:
            return "oscillator" if determinant > 0 else "split oscillator"
    return None


def _euclidean(table: Table) -> str | None:
    """se(3): three rotations acting on an abelian radical of dimension three."""
    radical = table.radical
    if table.dimension != 6 or len(radical) != 3 or table.brackets(radical, radical):
        return None
    # A quotient of dimension three that acts at all acts irreducibly: so(3) has no module of dimension two, and
    # for sl(2,R) the vanishing of fixed directions and planes is not checked, so it gets no name.
    acts = bool(table.brackets(table.whole, radical))
    return "se(3)" if acts and table.signature == (0, 3) else None


def _invariants(matrix: Rows) -> tuple[Any, Any]:
    (a, b), (c, d) = matrix
    return a + d, a * d - b * c
