r"""The claim that quantities vanish, decided: most questions of geometry are of this kind.

.. math:: f_1 = \dots = f_n = 0, \qquad \text{refuted by one point with } f_k(q_*) \ne 0
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from anholonomy.algebra.expressions import Expr
from anholonomy.algebra.redundant_coordinates import Orbit
from anholonomy.algebra.short_forms_on_groups import shortened
from anholonomy.algebra.simplification.simplify import readable
from anholonomy.algebra.unknown_functions import with_jets
from anholonomy.algebra.zero_test import witness, zero_test
from anholonomy.base.verdict import Verdict
from anholonomy.findings.evidence import AbstractEvidence, Identity, Quantity, Undecided, Witness
from anholonomy.findings.finding import Finding, Scope

__all__ = ["short_form", "vanishing", "witness_of"]

_DENOMINATORS = (1, 4, 20)
"""Of the numbers that a person would rather read."""


def vanishing(
    claim: str, what: str, quantities: Iterable[Quantity], on: Orbit | None = None, mark: str = ""
) -> Finding:
    """The finding that a claim holds because quantities vanish; the first that does not is the witness.

    ``what`` names all of them together, and ``mark`` does so in LaTeX. Quantities are taken one after the other, so that
    later ones need not be computed where an earlier one refutes.

    >>> import symengine
    >>> x = symengine.Symbol("x")
    >>> print(vanishing("x does not change", "x'", [Quantity("x'", x - x)]))
    x does not change: proven, x' = 0
    >>> print(vanishing("x does not change", "x'", [Quantity("x'", x**0)]))
    x does not change: refuted, x' = 1
    """
    met: list[Quantity] = []
    undecided: list[Quantity] = []
    for each in quantities:
        met.append(each)
        verdict = zero_test(each.value, on)
        if verdict is Verdict.REFUTED:
            return Finding(claim, verdict, (witness_of(each, on),), Scope.of([each.value], on, proven=False))
        if verdict is Verdict.UNKNOWN:
            undecided.append(replace(each, value=shortened(each.value, on)))
    expressions = tuple(each.value for each in met)
    evidence: AbstractEvidence = Undecided(tuple(undecided), on) if undecided else Identity(what, expressions, mark, on)
    return Finding(
        claim, Verdict.of(None if undecided else True), (evidence,), Scope.of(expressions, on, not undecided)
    )


def witness_of(quantity: Quantity, on: Orbit | None = None) -> Witness:
    """A point where a quantity that is proven not to vanish does not, with the quantity in a short form."""
    short = short_form(quantity.value, on)
    # The point is one of the short form, where fewer symbols may occur.
    shown, point = next((f, where) for f in (short, quantity.value) if (where := witness(f, on)) is not None)
    found = Witness(quantity.name, shown, tuple(sorted(point.items(), key=lambda item: str(item[0]))), quantity.mark)
    return next((simpler for simpler in _simpler(found, on) if simpler.check()), found)


def short_form(value: Expr, on: Orbit | None = None) -> Expr:
    """The expression as a person would rather read it, on a group what it is there; itself where it is long anyway."""
    return shortened(readable(value), on)


def _simpler(found: Witness, on: Orbit | None) -> Iterator[Witness]:
    """The same at simpler numbers, which may do as well; values of a function at two places stay those of different places."""
    jets = with_jets(found.expression)
    if jets is not None and not jets.differences:
        for most in _DENOMINATORS:
            rounded = (
                (s, v if on is not None and on.confines([s]) else v.limit_denominator(most)) for s, v in found.point
            )
            yield replace(found, point=tuple(rounded))
