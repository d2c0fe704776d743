r"""Whether the action is stationary along a path of functions of time, decided exactly.

.. math::
   B\mu + a = 0, \quad \dot\mu = R\mu + s \qquad\Longrightarrow\qquad (\dot B + BR)\,\mu + (\dot a + Bs) = 0, \ \ldots

For a vakonomic problem $B = SF^{\mathsf T}$ and $a = SE$ with a basis $S$ of $\ker A$. The conditions are differentiated along the path until their rank settles;
they then have a solution, or a row of theirs contradicts.
"""

from __future__ import annotations

from collections.abc import Sequence

from anholonomy.findings import Finding, Quantity, Reason, Scope, vanishing
from anholonomy.paths.multipliers import path_functions
from anholonomy.paths.variational.given import Written
from anholonomy.symbolic.calculus import partial
from anholonomy.symbolic.expressions import Expr, Matrix, Vector, dot, matrix_vector, time
from anholonomy.symbolic.matrices.kernels import nullspace, rank
from anholonomy.symbolic.matrices.linear import inverse
from anholonomy.symbolic.normal_forms.canonical import NoNormalForm
from anholonomy.verdict import Verdict

__all__ = ["on_constraints", "stationary_exactly"]


def on_constraints(path: Written, claim: str) -> Finding:
    """Whether the constraints hold along the path."""
    named = (Quantity(f"phi_{c.label}", path.along(c.expression)) for c in path.model.constraints)
    return vanishing(claim, "phi", named)


def stationary_exactly(path: Written, kind: str, claim: str) -> Finding:
    """The finding for a path of functions."""
    model = path.model
    if kind != "free" and not (holds := on_constraints(path, claim)):
        return holds
    values = [path.along(f) for f in path_functions(model)]
    n, count = model.frame.size, len(model.constraints)
    E = values[:n]
    if kind == "free" or not count:
        return vanishing(
            claim, "E", (Quantity(f"E_{name}", each) for name, each in zip(model.directions, E, strict=True))
        )
    A = _rows(values[n : n + count * n], n)
    F = _rows(values[n + count * n :], n)
    try:
        S = nullspace(A)
        if kind == "nonholonomic":
            return vanishing(
                claim, "S E", (Quantity(f"(S E)_{k}", each) for k, each in enumerate(matrix_vector(S, E), 1))
            )
        return _prolonged(S, A, F, E, claim)
    except (NoNormalForm, ZeroDivisionError):
        return Finding.unknown(claim, "the path is too long to be decided exactly")


def _rows(flat: Sequence[Expr], width: int) -> Matrix:
    return tuple(tuple(flat[k : k + width]) for k in range(0, len(flat), width))


def _prolonged(S: Matrix, A: Matrix, F: Matrix, E: Sequence[Expr], claim: str) -> Finding:
    gram = inverse([[dot(one, other) for other in A] for one in A])
    R = tuple(tuple(-dot(row, [dot(each, f) for each in A]) for f in F) for row in gram)
    s = tuple(-dot(row, [dot(each, E) for each in A]) for row in gram)
    layer = [(*(dot(row, f) for f in F), dot(row, E)) for row in S]
    rows: list[Vector] = []
    scope = Scope(points="at generic times")
    for order in range(len(F) + 2):
        before, rows = rank([row[:-1] for row in rows]), rows + layer
        known = rank([row[:-1] for row in rows])
        if rank(rows) > known:
            why = f"after {order} derivatives along the path the conditions on the multipliers contradict each other"
            return Finding(claim, Verdict.REFUTED, (Reason(why),), scope)
        if known == before and order:
            break
        layer = [_derived(row, R, s) for row in layer]
    free = len(F) - known
    which = "one choice of multipliers does" if not free else f"multipliers with {free} free constants do"
    return Finding(claim, Verdict.PROVEN, (Reason(f"{which}, by derivatives along the path"),), scope)


def _derived(row: Vector, R: Matrix, s: Vector) -> Vector:
    r"""$(\dot B + BR,\ \dot a + Bs)$."""
    B, a = row[:-1], row[-1]
    turned = (partial(b, time) + dot(B, column) for b, column in zip(B, zip(*R, strict=True), strict=True))
    return (*turned, partial(a, time) + dot(B, s))
