r"""Leaves: functions that are constant along an integrable distribution.

.. math:: dF = \mu_\nu\theta^\nu, \qquad\text{equivalently}\qquad X_a(F) = 0 \quad\text{for every } X_a \in D

Where $r$ independent such functions are known, the constraints are holonomic and these are their integrals. They are
looked for in two ways: closed forms, or forms made closed by an integrating factor, are integrated; and sums of
elementary functions with unknown constants are put into $X_a(F) = 0$, which is linear in the constants. Whatever comes
out is proven by an exact zero test before it is returned, and finding nothing is an answer, not a proof.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import final

import symengine

from anholonomy.findings import CarriesFinding, Finding, Identity, Reason
from anholonomy.geometry.calculus.integrating_factors import integrals_of_forms
from anholonomy.geometry.distributions.leaf_functions import ansatz_functions
from anholonomy.geometry.frames.frame import Frame
from anholonomy.language.brevity import Readable, brief
from anholonomy.lazy import cached_property
from anholonomy.refusals import GaveUp
from anholonomy.symbolic.calculus import along
from anholonomy.symbolic.display.simplify import simplify
from anholonomy.symbolic.expressions import Expr, Matrix, Symbol, Vector
from anholonomy.symbolic.matrices.sampled_rank import certified_rows
from anholonomy.symbolic.zero import are_all_zero
from anholonomy.verdict import Verdict

__all__ = ["Leaves", "find_leaves"]


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

    def lines(self, whole: bool = False) -> list[str]:
        """What was found, in a sentence."""
        shown = ", ".join(f"{brief(F, whole)} = const" for F in self.functions) or self.gave_up or "not found"
        if self.integrable.is_refuted:
            return [f"no leaves of full dimension; functions constant along the distribution: {shown}"]
        missing = self.corank - len(self.functions)
        if not self.corank:
            return ["leaves: the whole space"]
        return [f"leaves: {shown}" + (f", and {missing} not found" if missing and self.functions else "")]


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
    except GaveUp as reason:
        trouble = str(reason)
    return Leaves(tuple(search.found), len(forms_ni), integrable, search.constancy, trouble)


def _absent(frame: Frame, vectors: Matrix) -> list[Symbol]:
    """Coordinates that do not move at all."""
    rates = [frame.direction(X) for X in vectors]
    return [q for q in frame.coordinates if all(rate[q] == 0 for rate in rates)]


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
