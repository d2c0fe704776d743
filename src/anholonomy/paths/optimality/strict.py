r"""Abnormal paths of two admissible directions and one constraint: whether they are shortest in the small, and whether they are normal as well.

.. math::
   W = \theta([X_1, X_2]) = 0, \qquad (X_1W, X_2W) \ne 0 \ \Rightarrow\ \text{small pieces are shortest}, \qquad
   X_a\cdot E(T) = 0 \ \ \forall a \iff \text{normal as well}

On Martinet's surface the bracket of the directions is admissible, so that Goh's condition holds; the generalized condition of Legendre is that $W$ has a slope,
and by Liu and Sussmann (1995) small pieces are then shortest, whatever the metric is. No multiplier enters the equations along the directions, which are
those of d'Alembert for the kinetic energy: an abnormal path at unit speed is a normal extremal if it is a motion of mechanics.
"""

from __future__ import annotations

from collections.abc import Sequence

import symengine

from anholonomy.findings import Finding, Identity, Reason
from anholonomy.findings.deciding import witness_of
from anholonomy.findings.evidence import Quantity
from anholonomy.formulations.euler_lagrange import variational_derivative
from anholonomy.formulations.inertia import quadratic_parts
from anholonomy.geometry.distributions.distribution import Distribution
from anholonomy.language.brevity import brief
from anholonomy.symbolic.calculus import along, partial
from anholonomy.symbolic.display.simplify import simplify
from anholonomy.symbolic.expressions import Expr, Symbol, Vector, dot, matrix_vector, zero
from anholonomy.symbolic.normal_forms.canonical import Canonical, NoNormalForm
from anholonomy.symbolic.zero import is_zero, zero_test
from anholonomy.system.model import Model
from anholonomy.verdict import Verdict

__all__ = ["REGULAR", "STRICT", "is_regular", "is_strict"]

REGULAR = "small pieces of abnormal paths are shortest, whatever the metric is"
STRICT = "abnormal paths are strictly so: no normal extremal goes along them"


def is_regular(D: Distribution, place: Expr, slopes: Sequence[Expr]) -> Finding:
    """Whether the slopes of $W$ along the directions vanish nowhere on the surfaces where it does."""
    surfaces = _surfaces(place, D.coordinates)
    if surfaces is None:
        shown = ", ".join(brief(e) for e in slopes)
        return Finding.unknown(REGULAR, f"it holds where ({shown}) does not vanish")
    found = [[simplify(e.xreplace(here)) for e in slopes] for here in surfaces]
    sure = [next((e for e in each if not e.free_symbols and not is_zero(e)), None) for each in found]
    if all(e is not None for e in sure):
        told = ", ".join(brief(e) for e in sure)
        why = f"Goh's condition holds, and Legendre's: a slope of theta([X_1, X_2]) is {told} there (Liu and Sussmann)"
        return Finding(REGULAR, Verdict.PROVEN, (Reason(why),))
    shown = "; ".join(", ".join(brief(e) for e in each) for each in found)
    return Finding.unknown(REGULAR, f"it holds where ({shown}) does not vanish")


def is_strict(model: Model, D: Distribution, place: Expr, field: Vector) -> Finding:
    """Whether paths along a field on a surface, at unit speed, are no normal extremals."""
    surfaces = _surfaces(place, D.coordinates)
    if surfaces is None:
        return Finding.unknown(STRICT, f"{brief(place)} = 0 was not solved for a coordinate")
    found = [_is_strict_on(model, D, here, field) for here in surfaces]
    if all(each.verdict is found[0].verdict for each in found):
        return Finding(STRICT, found[0].verdict, tuple(e for each in found for e in each.evidence))
    words = {Verdict.PROVEN: "abnormal only", Verdict.REFUTED: "normal as well", Verdict.UNKNOWN: "unknown"}
    told = (
        f"{words[each.verdict]} where {q} = {brief(e)}"
        for each, here in zip(found, surfaces, strict=True)
        for q, e in here.items()
    )
    return Finding.unknown(STRICT, "; ".join(told))


def _is_strict_on(model: Model, D: Distribution, here: dict[Symbol, Expr], field: Vector) -> Finding:
    plain, on = model.independent, model.frame.orbit
    metric, _, _ = quadratic_parts(plain.lagrangian, plain.velocities)
    size = dot(field, matrix_vector(metric, field))
    if is_zero(size.xreplace(here), on):
        return Finding.unknown(STRICT, "the kinetic energy along them vanishes")
    w = tuple(e / symengine.sqrt(size) for e in field)
    rates = plain.frame.coordinate_rates(w)
    E = variational_derivative(plain.with_words(lagrangian=_kinetic(plain, metric), constraints=()))
    put = dict(zip(plain.velocities, w, strict=True))
    forces = [dot(row, [along(e, rates) for e in w]) + h for row, h in zip(E.mass_ab, E.bias_a, strict=True)]
    left = [simplify(dot(x, [f.xreplace(put) for f in forces]).xreplace(here)) for x in D.vectors_ai]
    for k, e in enumerate(left, 1):
        if zero_test(e, on).is_refuted:
            quantity = Quantity(f"what a normal extremal would need along X_{k}", e)
            return Finding(STRICT, Verdict.PROVEN, (witness_of(quantity, on),))
    if all(is_zero(e, on) for e in left):
        same = Identity("what a normal extremal needs along X_1 and X_2", tuple(left), "", on)
        return Finding(STRICT, Verdict.REFUTED, (same,))
    return Finding.unknown(STRICT, "what a normal extremal needs was not decided")


def _kinetic(model: Model, metric: Sequence[Sequence[Expr]]) -> Expr:
    w = model.velocities
    return dot(w, [dot(row, w) for row in metric]) / 2


def _surfaces(place: Expr, coordinates: Sequence[Symbol]) -> list[dict[Symbol, Expr]] | None:
    """Where a function vanishes, as a coordinate in the others: of the function if it is linear in one, otherwise of all its factors."""
    whole = _solved(place, coordinates)
    if whole is not None:
        return [whole]
    try:
        forms = Canonical([place])
        parts = [forms.ring.expanded(f) for f, _ in forms.quotient(place).num.factor()[1]]
    except NoNormalForm:
        return None
    found = [_solved(f, coordinates) for f in parts if not f.free_symbols.isdisjoint(coordinates)]
    return None if not found or None in found else [each for each in found if each is not None]


def _solved(f: Expr, coordinates: Sequence[Symbol]) -> dict[Symbol, Expr] | None:
    for q in coordinates:
        slope = simplify(partial(f, q))
        if q in f.free_symbols and q not in slope.free_symbols:
            return {q: simplify(-f.xreplace({q: zero}) / slope)}
    return None
