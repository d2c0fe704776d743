r"""Leaves: functions that are constant along an integrable distribution.

.. math:: dF = \mu_\nu\theta^\nu, \qquad\text{equivalently}\qquad X_a(F) = 0 \quad\text{for every } X_a \in D

Where $r$ independent such functions are known, the constraints are holonomic and these are their integrals. They are
looked for in two ways: closed forms, or forms made closed by an integrating factor, are integrated; and sums of
elementary functions with unknown constants are put into $X_a(F) = 0$, which is linear in the constants. Whatever comes
out is proven by an exact zero test before it is returned, and finding nothing is an answer, not a proof.

.. math:: F = \sum_k c_k\,\varphi_k(q), \qquad \sum_k c_k\, X_a(\varphi_k) = 0

The $\varphi_k$ are products of the coordinates and of the sines, cosines, exponentials, roots and logarithms that occur
in the fields; from two factors on, inverses and logarithms of the coordinates come in too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations_with_replacement
from typing import final

import symengine

from anholonomy.algebra.arithmetic import FUNCTIONS, function_name
from anholonomy.algebra.calculus import along
from anholonomy.algebra.constant_relations import constant_relations
from anholonomy.algebra.expressions import Expr, Matrix, Symbol, Vector, dot
from anholonomy.algebra.linear_algebra.sampled import certified_rows
from anholonomy.algebra.normal_forms.canonical import NoNormalForm
from anholonomy.algebra.simplification.simplify import simplify
from anholonomy.algebra.zero_test import are_all_zero
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import TimeLimitError
from anholonomy.base.verdict import Verdict
from anholonomy.findings import CarriesFinding, Finding, Identity, Reason
from anholonomy.geometry.frame import Frame
from anholonomy.geometry.potentials import integrals_of_forms
from anholonomy.language.answers import EQUALS, Part, Readable, Row, joined

__all__ = ["Leaves", "find_leaves"]

MAX_FUNCTIONS = 240
"""Unknowns up to which the equations of leaves are solved within a second or so."""


@final
@dataclass(frozen=True, repr=False)
class Leaves(CarriesFinding, Readable):
    """Independent functions, each proven constant along the distribution.

    Attributes
    ----------
    functions
        What was found.
    corank
        How many there are if the distribution is integrable; otherwise there are fewer, and any function found is the integral
        of a part of the constraints.
    integrable
        What is known about that.
    constancy
        Why they are constant: $X_a(F) = 0$.
    gave_up
        Why the search was not ended; empty where it was.
    """

    functions: Vector
    corank: int
    integrable: Finding
    constancy: Identity | None = None
    gave_up: str = ""

    @property
    def complete(self) -> bool:
        """Whether the functions determine the leaves: every constraint is holonomic, and this is its integral."""
        return len(self.functions) == self.corank

    @cached_property
    def finding(self) -> Finding:
        """That the functions determine the leaves: refuted where there are none, unknown where functions are missing."""
        claim = "the functions found determine the leaves"
        if self.complete:
            return Finding(claim, Verdict.PROVEN, (self.constancy,) if self.constancy else ())
        if self.integrable.is_refuted:
            return Finding(claim, Verdict.REFUTED, self.integrable.evidence)
        missing = f"{self.corank - len(self.functions)} of {self.corank} functions were not found"
        return Finding(claim, Verdict.UNKNOWN, tuple(Reason(why) for why in (missing, self.gave_up) if why))

    def __len__(self) -> int:
        return len(self.functions)

    def __getitem__(self, k: int) -> Expr:
        return self.functions[k]

    def as_rows(self) -> Iterable[Part]:
        shown = joined((F, EQUALS, "const") for F in self.functions) or self.gave_up or "not found"
        missing = self.corank - len(self.functions)
        if self.integrable.is_refuted:
            yield Row("no leaves of full dimension; functions constant along the distribution: ", shown)
        elif not self.corank:
            yield "leaves: the whole space"
        else:
            yield Row("leaves: ", shown, f", and {missing} not found" if missing and self.functions else "")


def find_leaves(frame: Frame, forms_ni: Matrix, vectors_ai: Matrix, integrable: Finding) -> Leaves:
    """Search for functions constant along the distribution, the simplest first.

    >>> import symengine
    >>> o, i, e = symengine.Integer(0), symengine.Integer(1), symengine.exp(symengine.Symbol("z"))
    >>> known = Finding("integrable", Verdict.PROVEN)
    >>> print(find_leaves(Frame(["x", "y", "z"]), ((e, e, o),), ((-i, i, o), (o, o, i)), known))
    leaves: x + y = const
    """
    search = _Search(frame, vectors_ai, len(forms_ni))
    search.offer(_absent(frame, vectors_ai))
    ansatz = partial(ansatz_functions, frame, forms_ni, vectors_ai)
    sources: list[Callable[[], list[Expr]]] = [partial(ansatz, 1), partial(ansatz, 2), partial(ansatz, 3)]
    if frame.is_chart:
        sources.insert(1, partial(integrals_of_forms, frame, forms_ni))
    sources.append(partial(ansatz, 2, rich=True))
    trouble = ""
    try:
        for source in sources:
            if search.missing:
                search.offer(source())
    except TimeLimitError as reason:
        trouble = str(reason)
    return Leaves(tuple(search.found), len(forms_ni), integrable, search.constancy, trouble)


def _absent(frame: Frame, vectors: Matrix) -> list[Symbol]:
    """Coordinates that do not move at all."""
    rates = [frame.direction(X) for X in vectors]
    return [q for q in frame.coordinates if all(rate[q] == 0 for rate in rates)]


@final
class _Search:
    """Keeps what is proven and independent of what was kept before."""

    def __init__(self, frame: Frame, vectors: Matrix, wanted: int) -> None:
        self.frame = frame
        self.rates = [frame.direction(X) for X in vectors]
        self.wanted = wanted
        self.found: list[Expr] = []
        self.gradients: list[Sequence[Expr]] = []

    @property
    def missing(self) -> bool:
        return len(self.found) < self.wanted

    @property
    def constancy(self) -> Identity:
        rates = tuple(along(F, rate) for F in self.found for rate in self.rates)
        return Identity("X_a(F)", rates, "X_a(F)", self.frame.orbit)

    def offer(self, functions: Iterable[Expr]) -> None:
        for F in functions:
            if not self.missing:
                return
            # Along the directions of the frame: an invariant of redundant coordinates has a gradient, but does not change.
            rows = [*self.gradients, tuple(self.frame.derivative(a, F) for a in range(self.frame.size))]
            on = self.frame.orbit
            if len(certified_rows(rows, on=on)) == len(rows) and are_all_zero(
                (along(F, rate) for rate in self.rates), on
            ):
                self.found.append(_plain(simplify(F)))
                self.gradients = rows


def _plain(F: Expr) -> Expr:
    """The argument of a bare logarithm, which has the same levels."""
    factors = [f for f in (F.args if isinstance(F, symengine.Mul) else (F,)) if f.free_symbols]
    return factors[0].args[0] if len(factors) == 1 and isinstance(factors[0], symengine.log) else F


def ansatz_functions(frame: Frame, forms: Matrix, vectors: Matrix, degree: int, rich: bool = False) -> list[Expr]:
    """Solutions among the products of at most ``degree`` factors, shortest first; ``rich`` adds functions that do not occur.

    >>> y, one = symengine.Symbol("y"), symengine.Integer(1)
    >>> ansatz_functions(Frame(["x", "y"]), ((one, -2 * y),), ((2 * y, one),), 2)
    [x - y**2]
    """
    basis = list(dict.fromkeys(_products(_letters(frame, forms, vectors, degree, rich), degree)))
    if not basis or len(basis) > MAX_FUNCTIONS:
        return []
    rates = [frame.direction(X) for X in vectors]
    try:
        relations = constant_relations(
            [[along(f, rate) for rate in rates] for f in basis], frame.coordinates, frame.orbit
        )
    except NoNormalForm:
        return []
    return sorted((dot(c, basis) for c in relations), key=lambda F: int(symengine.count_ops(F)))


def _letters(frame: Frame, forms: Matrix, vectors: Matrix, degree: int, rich: bool) -> list[Expr]:
    """The coordinates and the functions of them that occur; from degree 2 on inverses and logarithms as well."""
    moving = set(frame.coordinates)
    letters: dict[Expr, None] = dict.fromkeys(frame.coordinates)
    for row in (*forms, *vectors):
        for entry in row:
            for node in _nodes(entry):
                if not node.free_symbols & moving:
                    continue
                if isinstance(node, symengine.sin | symengine.cos):
                    angle = node.args[0]
                    letters |= {symengine.sin(angle): None, symengine.cos(angle): None}
                elif isinstance(node, symengine.tan):
                    angle = node.args[0]
                    letters |= {symengine.sin(angle): None, symengine.cos(angle): None, 1 / symengine.cos(angle): None}
                elif _is_letter(node):
                    letters[node] = None
                    if isinstance(node, symengine.Pow) and node.args[0] == symengine.E:
                        letters[1 / node] = None
    tied = frame.orbit.tied if frame.orbit else ()
    for q in frame.coordinates:
        if q in tied:
            continue  # functions on a group are polynomials of its redundant coordinates
        if rich:
            letters |= dict.fromkeys((symengine.sin(q), symengine.cos(q), symengine.exp(q), symengine.exp(-q)))
        elif degree > 1:
            letters |= {1 / q: None, symengine.log(q): None}
    return list(letters)


def _is_letter(node: Expr) -> bool:
    if isinstance(node, symengine.Pow):
        base, exponent = node.args
        return base == symengine.E or (
            isinstance(exponent, symengine.Rational) and not isinstance(exponent, symengine.Integer)
        )
    return isinstance(node, symengine.Function) and function_name(node) in FUNCTIONS


def _nodes(expression: Expr) -> Iterator[Expr]:
    yield expression
    for argument in expression.args:
        yield from _nodes(argument)


def _products(letters: Sequence[Expr], degree: int) -> Iterator[Expr]:
    for size in range(1, degree + 1):
        for chosen in combinations_with_replacement(letters, size):
            product = symengine.Mul(*chosen)
            if product.free_symbols:
                yield product
