r"""Frobenius: a distribution is tangent to leaves exactly when its brackets stay in it.

.. math:: \theta^1\wedge\dots\wedge\theta^r\wedge d\theta^\nu = 0 \ \ \forall\nu
   \iff d\theta^\nu(X_a, X_b) = -\theta^\nu([X_a, X_b]) = 0 \ \ \forall \nu, a, b

for independent $\theta^\nu$ and fields $X_a$ that span their kernel. The rows are judged together: none of them need be
closed, and none need be integrable by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb
from typing import final

from anholonomy.algebra.expressions import Expr, Matrix, Vector, dot, free_symbols
from anholonomy.base.verdict import Verdict
from anholonomy.findings import AbstractEvidence, Calculation, Finding, Quantity, SpecialValues, Witness, vanishing
from anholonomy.findings.special_values import special_values
from anholonomy.findings.zero_claims import short_form
from anholonomy.geometry.brackets import bracket
from anholonomy.geometry.frame import Frame
from anholonomy.language.answers import EQUALS, Components, Mark, Part, Row

__all__ = ["CLAIM", "Obstruction", "frobenius"]

CLAIM = "the distribution is integrable"
MAX_COMPONENTS = 60
"""Components up to which special values of free parameters are looked for."""


@final
@dataclass(frozen=True, repr=False)
class Obstruction(AbstractEvidence):
    r"""Two directions whose bracket leaves the distribution.

    Attributes
    ----------
    fields
        The numbers $a$, $b$ of the fields.
    bracket
        $[X_a, X_b]$.
    form
        The number $\nu$ of the form that sees it.
    witness
        The component $\theta^\nu([X_a, X_b])$, and a point where it is proven different from zero.
    """

    fields: tuple[int, int]
    bracket: Vector
    form: int
    witness: Witness

    @property
    def component(self) -> Expr:
        r"""$\theta^\nu([X_a, X_b])$."""
        return self.witness.expression

    def as_rows(self) -> Iterable[Part]:
        a, b = (k + 1 for k in self.fields)
        bracket = Mark(f"[X_{a}, X_{b}]", rf"[X_{{{a}}}, X_{{{b}}}]"), EQUALS, Components(tuple(self.bracket))
        # In words: theta^1 would be read as a power of a coordinate theta.
        seen = f"the {_ordinal(self.form + 1)} constraint applied to it is "
        yield Row(bracket, f" leaves it, {seen}", self.witness.of_value)

    def check(self) -> Verdict:
        return self.witness.check()


def _ordinal(number: int) -> str:
    """A number as the place in a row.

    >>> _ordinal(2), _ordinal(12)
    ('second', '12th')
    """
    return dict(enumerate(("first", "second", "third"), 1)).get(number, f"{number}th")


def frobenius(frame: Frame, forms_ni: Matrix, vectors_ai: Matrix) -> Finding:
    """Test the brackets of the fields against the forms; the first one that leaves is the certificate.

    >>> import symengine
    >>> y, o, i = symengine.Symbol("y"), symengine.Integer(0), symengine.Integer(1)
    >>> print(frobenius(Frame(["x", "y", "z"]), ((-y, o, i),), ((i, o, y), (o, i, o))))
    the distribution is integrable: refuted, [X_1, X_2] = (0, 0, -1) leaves it, the first constraint applied to it is -1
    """
    if not forms_ni or len(vectors_ai) < 2:
        why = "one direction alone, or all of them, always has leaves"
        return Finding(CLAIM, Verdict.PROVEN, (Calculation(why, _pairings, (forms_ni, vectors_ai), 0),))
    met: list[tuple[tuple[int, int], Vector, int]] = []

    def components() -> Iterator[Quantity]:
        for pair, found in _all_brackets(frame, vectors_ai):
            for number, form in enumerate(forms_ni):
                met.append((pair, found, number))
                yield Quantity(f"theta^{number + 1}", dot(form, found), rf"\theta^{{{number + 1}}}([X_a, X_b])")

    found = vanishing(CLAIM, "theta([X_a, X_b])", components(), frame.orbit, r"\theta^\nu([X_a, X_b])")
    if not found.is_refuted:
        return found
    (pair, bracketed, number), (witness,) = met[-1], found.evidence
    assert isinstance(witness, Witness)
    short = tuple(short_form(entry, frame.orbit) for entry in bracketed)
    scope = replace(found.scope, special=_special(frame, forms_ni, vectors_ai))
    return replace(found, evidence=(Obstruction(pair, short, number, witness),), scope=scope)


def _pairings(forms: Matrix, vectors: Matrix) -> int:
    """How many brackets of different fields there are to be paired with forms."""
    return len(forms) * comb(len(vectors), 2)


def _all_brackets(frame: Frame, vectors: Matrix) -> Iterator[tuple[tuple[int, int], Vector]]:
    for a, b in combinations(range(len(vectors)), 2):
        yield (a, b), bracket(frame, vectors[a], vectors[b])


def _special(frame: Frame, forms: Matrix, vectors: Matrix) -> SpecialValues | None:
    """The values of free parameters for which every component vanishes."""
    known = {*frame.coordinates, *(name for name, _ in frame.values)}
    if free_symbols(entry for row in (*forms, *vectors) for entry in row) <= known:
        return SpecialValues(())
    if _pairings(forms, vectors) > MAX_COMPONENTS:
        return None
    components = (dot(form, found) for _, found in _all_brackets(frame, vectors) for form in forms)
    return special_values(components, frame.coordinates, frame.orbit)
