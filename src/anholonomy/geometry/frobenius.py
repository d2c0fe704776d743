r"""Frobenius: a distribution is tangent to leaves exactly when its brackets stay in it.

.. math:: \theta^1\wedge\dots\wedge\theta^r\wedge d\theta^\nu = 0 \ \ \forall\nu
   \iff d\theta^\nu(X_a, X_b) = -\theta^\nu([X_a, X_b]) = 0 \ \ \forall \nu, a, b

for independent $\theta^\nu$ and fields $X_a$ that span their kernel. The rows are judged together: none of them need be
closed, and none need be integrable by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import final

from anholonomy.geometry.frame import Frame, bracket, contract
from anholonomy.geometry.special_values import SpecialValues, special_values
from anholonomy.language import to_text
from anholonomy.language.brevity import Readable, brief, brief_vector
from anholonomy.symbolic.expressions import Expr, Matrix, Symbol, Vector, dot, free_symbols
from anholonomy.symbolic.orbit_short import shortened, shortened_vector
from anholonomy.symbolic.simplify import simplify, simplify_vector
from anholonomy.symbolic.zero import witness, zero_test
from anholonomy.verdict import Verdict

__all__ = ["Integrability", "Obstruction", "field_bracket", "frobenius"]

MAX_COMPONENTS = 60
"""Components up to which special values of free parameters are looked for."""


@final
@dataclass(frozen=True)
class Obstruction:
    r"""Two directions whose bracket leaves the distribution.

    Attributes
    ----------
    fields
        The numbers $a$, $b$ of the fields.
    bracket
        $[X_a, X_b]$.
    form
        The number $\nu$ of the form that sees it.
    component
        $\theta^\nu([X_a, X_b])$.
    witness
        A point where the component is proven different from zero.
    """

    fields: tuple[int, int]
    bracket: Vector
    form: int
    component: Expr
    witness: tuple[tuple[Symbol, Fraction], ...]


@final
@dataclass(frozen=True, repr=False)
class Integrability(Readable):
    """Whether a distribution has leaves: proven, refuted with a witness, or unknown. True only where proven.

    Attributes
    ----------
    verdict
        What is proven about the components that must vanish.
    checked
        How many components $\\theta^\\nu([X_a, X_b])$ were examined.
    obstruction
        The bracket that leaves the distribution; None unless refuted.
    undecided
        Components that were neither proven zero nor proven different from it.
    special
        Of a distribution that is not integrable, the values of free parameters for which alone it may be; None where that was
        not looked for.
    values
        Of an integrable one, the known values of parameters without which some component would not vanish.
    gave_up
        Why not all components were examined; empty where they were.
    """

    verdict: Verdict
    checked: int
    obstruction: Obstruction | None = None
    undecided: tuple[Expr, ...] = ()
    special: SpecialValues | None = None
    values: tuple[tuple[Symbol, Expr], ...] = ()
    gave_up: str = ""

    @property
    def claim(self) -> str:
        """The finding in words."""
        words = {Verdict.PROVEN: "integrable", Verdict.REFUTED: "not integrable", Verdict.UNKNOWN: "undecided"}
        return words[self.verdict]

    def __bool__(self) -> bool:
        return self.verdict is Verdict.PROVEN

    def lines(self, whole: bool = False) -> list[str]:
        """The finding with its certificate, in a sentence."""
        return [self._sentence(whole) if self.obstruction is None else self._refutation(self.obstruction, whole)]

    def _sentence(self, whole: bool) -> str:
        if self.gave_up:
            return f"unknown: {self.gave_up}"
        if self.undecided:
            return f"undecided: integrable exactly if {brief(self.undecided[0], whole)} = 0"
        if not self.checked:
            return "integrable: one direction alone, or all of them, always has leaves"
        given = ", ".join(f"{name} = {to_text(value)}" for name, value in self.values)
        thanks = f" for {given}" if given else ""
        return f"integrable{thanks}: all {self.checked} components theta([X_a, X_b]) vanish"

    def _refutation(self, found: Obstruction, whole: bool) -> str:
        a, b = (k + 1 for k in found.fields)
        at = ", ".join(f"{name} = {value}" for name, value in found.witness)
        inner, component = brief_vector(found.bracket, whole), brief(found.component, whole)
        text = f"not integrable: [X_{a}, X_{b}] = {inner} leaves it, theta^{found.form + 1} = {component}"
        where = f"; integrable only where {self.special.text(whole)}" if self.special else ""
        return (f"{text}, not zero at {at}" if at else text) + where


def field_bracket(frame: Frame, X: Sequence[Expr], Y: Sequence[Expr]) -> Vector:
    """The bracket of two fields given by components in a frame."""
    own = bracket(X, frame.direction(X), Y, frame.direction(Y))
    if frame.is_chart:
        return own
    return tuple(a + b for a, b in zip(own, contract(frame.structure_abd, X, Y), strict=True))


def frobenius(frame: Frame, forms_ni: Matrix, vectors_ai: Matrix) -> Integrability:
    """Test the brackets of the fields against the forms; the first one that leaves is the certificate.

    >>> import symengine
    >>> y, o, i = symengine.Symbol("y"), symengine.Integer(0), symengine.Integer(1)
    >>> print(frobenius(Frame(["x", "y", "z"]), ((-y, o, i),), ((i, o, y), (o, i, o))))
    not integrable: [X_1, X_2] = (0, 0, -1) leaves it, theta^1 = -1
    """
    undecided: list[Expr] = []
    needed: set[Symbol] = set()
    checked = 0
    for (a, b), found in _all_brackets(frame, vectors_ai):
        for number, form in enumerate(forms_ni):
            component = dot(form, found)
            verdict = zero_test(component, frame.orbit)
            checked += 1
            if verdict is Verdict.REFUTED:
                obstruction = _obstruction(frame, (a, b), found, number, component)
                return Integrability(verdict, checked, obstruction, special=_special(frame, forms_ni, vectors_ai))
            if verdict is Verdict.UNKNOWN:
                undecided.append(shortened(component, frame.orbit))
            elif frame.values and zero_test(component, frame.where({}).orbit) is not verdict:
                needed |= component.free_symbols
    values = tuple((name, value) for name, value in frame.values if name in needed)
    return Integrability(
        Verdict.UNKNOWN if undecided else Verdict.PROVEN, checked, None, tuple(undecided), values=values
    )


def _all_brackets(frame: Frame, vectors: Matrix) -> Iterator[tuple[tuple[int, int], Vector]]:
    for a, b in combinations(range(len(vectors)), 2):
        yield (a, b), field_bracket(frame, vectors[a], vectors[b])


def _special(frame: Frame, forms: Matrix, vectors: Matrix) -> SpecialValues | None:
    """The values of free parameters for which every component vanishes."""
    known = {*frame.coordinates, *(name for name, _ in frame.values)}
    if free_symbols(entry for row in (*forms, *vectors) for entry in row) <= known:
        return SpecialValues(())
    if len(forms) * comb(len(vectors), 2) > MAX_COMPONENTS:
        return None
    components = (dot(form, found) for _, found in _all_brackets(frame, vectors) for form in forms)
    return special_values(components, frame.coordinates, frame.orbit)


def _obstruction(frame: Frame, fields: tuple[int, int], found: Vector, form: int, component: Expr) -> Obstruction:
    """The certificate in a short form."""
    on = frame.orbit
    point = sorted((witness(component, on) or {}).items(), key=lambda item: str(item[0]))
    short = shortened(simplify(component), on)
    return Obstruction(fields, shortened_vector(simplify_vector(found), on), form, short, tuple(point))
