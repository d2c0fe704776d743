r"""Symmetric products of input fields and brackets of fields, by name, as many as span.

.. math:: Y_i, \quad \langle Y_i : Y_j\rangle, \quad \langle Y_i : \langle Y_j : Y_k\rangle\rangle, \ \dots \qquad
   X_i, \quad [X_i, X_j], \quad [X_i, [X_j, X_k]], \ \dots

Symmetric products are the directions of acceleration that inputs reach from rest, some of them one way only; brackets are the directions that
come from going there and back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import final

import symengine

from anholonomy.algebra.expressions import Expr, Matrix, Vector, zero
from anholonomy.algebra.linear_algebra.symbolic import determinant
from anholonomy.algebra.numbers.balls import evaluate_ball
from anholonomy.algebra.simplification.simplify import readable, simplify
from anholonomy.algebra.zero_test import zero_test
from anholonomy.base.caching import cached_property
from anholonomy.base.deadlines import check
from anholonomy.base.verdict import Verdict
from anholonomy.findings.evidence import AbstractEvidence, Reason
from anholonomy.geometry.brackets import bracket
from anholonomy.geometry.distributions.distribution import Distribution
from anholonomy.geometry.distributions.growth import lyndon_words
from anholonomy.geometry.frame import Frame
from anholonomy.language.writing import to_text
from anholonomy.stability.control_system import ControlSystem, SpanPlace

__all__ = ["LENGTH", "Products", "named_brackets", "spanning_brackets"]

_DEGREE = 6
"""The longest products that are taken."""
LENGTH = 6
"""The longest brackets that are taken."""


@final
class Products:
    """The products of a control system at a place, as many as are needed to span."""

    def __init__(self, system: ControlSystem, place: SpanPlace) -> None:
        self.system, self.place = system, place
        self.size = len(system.motion.speeds)
        unit = range(len(system.inputs))
        self.inputs = [
            SymmetricProduct(f"Y_{u}", _short(Y), tuple(int(i == k) for i in unit))
            for k, (u, Y) in enumerate(zip(system.inputs, system.fields, strict=True))
        ]

    @cached_property
    def fully_actuated(self) -> bool:
        """Whether the inputs push every admissible direction."""
        kept = self.place.independent([each.vector for each in self.inputs])
        return len(kept) == self.size and self.place.minor([self.inputs[k].vector for k in kept], "") is not None

    @cached_property
    def all(self) -> list[SymmetricProduct]:
        """By degree, until the good ones span."""
        found = list(self.inputs)
        for degree in range(2, _DEGREE + 1):
            if len(self._good(found)) == self.size:
                break
            new = []
            for a, b in combinations_with_replacement(found, 2):
                if a.degree + b.degree == degree:
                    check()
                    vector = _short(self.system.product(a.vector, b.vector))
                    if any(entry != 0 for entry in vector):
                        counts = tuple(m + n for m, n in zip(a.counts, b.counts, strict=True))
                        new.append(SymmetricProduct(f"<{a.name} : {b.name}>", vector, counts))
            found += new
            if not new or (degree == 2 and self._closed is Verdict.PROVEN):
                break
        return found

    def _good(self, products: list[SymmetricProduct]) -> list[SymmetricProduct]:
        """Good ones that are independent at the place."""
        good = [each for each in products if not each.bad]
        return [good[k] for k in self.place.independent([each.vector for each in good])]

    @cached_property
    def _spanning(self) -> list[SymmetricProduct]:
        return [self.all[k] for k in self.place.independent([each.vector for each in self.all])]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(each.name for each in self._spanning)

    @cached_property
    def _closed(self) -> Verdict:
        """Whether products of inputs are combinations of inputs everywhere, so that nothing else is ever reached."""
        base = [each.vector for each in self.inputs]
        everywhere = SpanPlace({}, self.place.sample, self.place.on)
        base = [base[k] for k in everywhere.independent(base)]
        pairs = combinations_with_replacement(self.inputs, 2)
        return Verdict.on_all(
            everywhere.combination(base, self.system.product(a.vector, b.vector), "").verdict for a, b in pairs
        )

    def spanning(self) -> tuple[Verdict, tuple[AbstractEvidence, ...]]:
        """Whether products span the admissible directions."""
        if len(self._spanning) == self.size:
            found = self.place.minor([each.vector for each in self._spanning], ", ".join(self.names))
            return (Verdict.UNKNOWN, ()) if found is None else (Verdict.PROVEN, found[1])
        said = f"{len(self._spanning)} of {self.size} admissible directions"
        if self._closed is Verdict.PROVEN:
            return Verdict.REFUTED, (Reason(f"accelerations stay in {said}: products of the inputs add none"),)
        return Verdict.UNKNOWN, (Reason(f"products of up to {_DEGREE} inputs span {said}"),)

    def neutralised(self) -> tuple[Verdict, tuple[AbstractEvidence, ...]]:
        """Whether good products span and make up for every bad one of lower degree."""
        good = self._good(self.all)
        if len(self.inputs) == 1 and self.size > 1:
            return Verdict.REFUTED, (
                Reason("one input and no force of its own: it pushes some direction one way only (Lewis 1997)"),
            )
        if len(good) < self.size:
            return self._obstructed() or (Verdict.UNKNOWN, (Reason("good products do not span, as far as was looked"),))
        found = self.place.minor([each.vector for each in good], ", ".join(each.name for each in good))
        if found is None:
            return Verdict.UNKNOWN, ()
        highest, evidence = max(each.degree for each in good), found[1]
        for bad in (each for each in self.all if each.bad and each.degree <= highest):
            lower = self._good([each for each in self.all if each.degree < bad.degree])
            made_up = self.place.combination([each.vector for each in lower], bad.vector, bad.name)
            if not made_up:
                said = Reason(f"{bad.name} is no combination of good products of lower degree")
                return self._obstructed() or (Verdict.UNKNOWN, (said, *made_up.evidence))
            evidence = (*evidence, *made_up.evidence)
        return Verdict.PROVEN, evidence

    def _obstructed(self) -> tuple[Verdict, tuple[AbstractEvidence, ...]] | None:
        """A direction that the inputs push one way only: a definite form, where they leave one direction open at a place of numbers."""
        form = self._form()
        if form is None or any(entry.free_symbols for row in form for entry in row):
            return None
        signs = []
        for k in range(1, len(form) + 1):
            value = evaluate_ball(determinant([row[:k] for row in form[:k]]), {}, 30)
            if value.contains(0):
                return None
            signs.append(bool(value > 0))
        alternating = [k % 2 == 1 for k in range(len(signs))]
        if signs not in ([True] * len(signs), alternating):
            return None
        said = (
            "the direction that no input pushes is pushed one way only: <Y : Y> is definite in it (Hirschorn and Lewis)"
        )
        return Verdict.REFUTED, (Reason(said),)

    def _form(self) -> list[list[Expr]] | None:
        r"""$\lambda(\langle Y_i : Y_j\rangle)$ with $\lambda$ the covector that the inputs annihilate, where there is one."""
        base = [each.vector for each in self.inputs]
        if len(base) != self.size - 1 or len(self.place.independent(base)) < len(base):
            return None
        rows = [self.place.here(v) for v in base]
        columns = [[[row[c] for c in range(self.size) if c != k] for row in rows] for k in range(self.size)]
        covector = [(-1) ** k * (determinant(each) if each else symengine.Integer(1)) for k, each in enumerate(columns)]

        def value(i: int, j: int) -> Expr:
            product = self.place.here(self.system.product(base[i], base[j]))
            return simplify(sum((c * p for c, p in zip(covector, product, strict=True)), zero))

        return [[value(i, j) for j in range(len(base))] for i in range(len(base))]

    def reductions(self) -> tuple[str, ...]:
        r"""Decoupling fields: $X \in \langle Y\rangle$ with $\nabla_XX \in \langle Y\rangle$ everywhere."""
        if self.system.only_inertia is not Verdict.PROVEN:
            return ()
        everywhere = Products(self.system, SpanPlace({}, self.place.sample, self.place.on))
        if everywhere._closed is Verdict.PROVEN:
            named = [self._text(each.vector) for each in self.inputs]
            return tuple(f"every combination of {', '.join(named)}" for _ in named[:1])
        form = everywhere._form() if len(self.inputs) == 2 else None
        Y = [each.vector for each in self.inputs]
        if form is not None:
            if zero_test(form[0][0], self.place.on):
                second = _mixed(Y, form[1][1], -2 * form[0][1])
                return self._text(Y[0]), self._text(second)
            if zero_test(form[1][1], self.place.on):
                return self._text(Y[1]), self._text(_mixed(Y, -2 * form[0][1], form[0][0]))
        base = [Y[k] for k in self.place.independent(Y)]
        generic = everywhere.place
        return tuple(self._text(v) for v in Y if generic.combination(base, self.system.product(v, v), ""))

    def _text(self, vector: Vector) -> str:
        parts = zip(self.system.in_coordinates(vector), self.system.model.directions, strict=True)
        terms = [f"({to_text(readable(c))}) d/d{q}" for c, q in parts if readable(c) != 0]
        return " + ".join(terms).replace("(1) ", "")


@final
@dataclass(frozen=True)
class SymmetricProduct:
    """A product, how many fields it has, and how often each input occurs in it."""

    name: str
    vector: Vector
    counts: tuple[int, ...]

    @property
    def degree(self) -> int:
        return sum(self.counts)

    @property
    def bad(self) -> bool:
        """Whether every input occurs an even number of times: turning all inputs round then changes nothing."""
        return all(count % 2 == 0 for count in self.counts)


def _mixed(Y: list[Vector], a: Expr, b: Expr) -> Vector:
    if b == 0 or (a == 0 and b == 0):
        return Y[0]
    if a == 0:
        return Y[1]
    return _short(tuple(a * x + b * y for x, y in zip(*Y, strict=True)))


def _short(vector: Vector) -> Vector:
    return tuple(map(readable, vector))


def spanning_brackets(D: Distribution, place: SpanPlace, names: Sequence[str]) -> tuple[str, ...]:
    """The names of brackets of a distribution's fields that are independent at a place."""
    found = named_brackets(D.frame, D.vectors_ai, names, place, D.frame.size)
    return tuple(name for name, _ in found)


def named_brackets(
    frame: Frame, fields: Matrix, names: Sequence[str], place: SpanPlace, dimension: int
) -> list[tuple[str, Vector]]:
    """Independent brackets with their names, the short ones first, until they have a dimension; one for each Lyndon word of the fields."""
    known: dict[tuple[int, ...], tuple[str, Vector]] = {}
    kept: list[tuple[str, Vector]] = []
    for word in lyndon_words(len(fields), LENGTH):
        check()
        if len(word) == 1:
            known[word] = names[word[0]], fields[word[0]]
        else:
            cut = next(k for k in range(1, len(word)) if all(word[k:] < word[j:] for j in range(k + 1, len(word))))
            parts = known.get(word[:cut]), known.get(word[cut:])
            if parts[0] is None or parts[1] is None:
                continue
            value = bracket(frame, parts[0][1], parts[1][1])
            if all(entry == 0 for entry in value):
                continue
            known[word] = f"[{parts[0][0]}, {parts[1][0]}]", value
        if len(place.independent([*(v for _, v in kept), known[word][1]])) > len(kept):
            kept.append(known[word])
        if len(kept) == dimension:
            break
    return kept
