r"""Places that the fields never leave, and how far brackets can reach on them.

.. math:: X_a(q_k - \bar q_k) = 0 \ \text{ where } q_k = \bar q_k \ \ (k \in K)
   \quad\Longrightarrow\quad \dim D^s \le n - \operatorname{rank}\, e_a(q_k - \bar q_k)

for all $s$: fields tangent to a submanifold have brackets tangent to it.
"""

from __future__ import annotations

from collections.abc import Mapping

import symengine

from anholonomy.geometry.frames.frame import Frame
from anholonomy.symbolic.calculus import along
from anholonomy.symbolic.expressions import Expr, Matrix, Symbol, identity
from anholonomy.symbolic.matrices.sampled_rank import certified_rows
from anholonomy.symbolic.zero import zero_test

__all__ = ["never_left"]


def never_left(frame: Frame, vectors_ai: Matrix, place: Mapping[Symbol, Expr]) -> tuple[int, tuple[Symbol, ...]]:
    """The most directions that brackets can reach at a place, and the coordinates whose values the fields keep there.

    >>> import symengine
    >>> x, z, o, i = *symengine.symbols("x z"), symengine.Integer(0), symengine.Integer(1)
    >>> never_left(Frame(["x", "y", "z"]), ((i, o, o), (o, i, x * z)), {x: o, z: o})
    (2, (z,))
    """
    tied = frame.orbit.tied if frame.orbit is not None else ()
    kept = [q for q in frame.coordinates if q in place and q not in tied]
    fields = [frame.direction(row) for row in vectors_ai]
    while True:
        here = {q: value for q, value in place.items() if q in kept or q not in frame.coordinates}
        staying = [q for q in kept if all(zero_test(_rate(X, q, here), frame.orbit).is_proven for X in fields)]
        if staying == kept:
            break
        kept = staying
    units = [frame.direction(unit) for unit in identity(frame.size)]
    slopes = [[_rate(e, q, here) for e in units] for q in kept]
    return frame.size - len(certified_rows(slopes, on=frame.orbit)), tuple(kept)


def _rate(field: Mapping[Symbol, Expr], q: Symbol, here: Mapping[Symbol, Expr]) -> Expr:
    """How fast a field leaves the value of a coordinate, where all that are kept have theirs."""
    try:
        return (field[q] - along(here[q], field)).xreplace(dict(here))
    except RuntimeError:  # SymEngine refuses to divide by zero
        return symengine.nan
