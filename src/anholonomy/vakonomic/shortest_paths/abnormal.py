r"""Abnormal extremals: paths along which a covector annihilates the admissible directions and is carried along, whatever the action is.

.. math::
   P_a = \langle p, X_a\rangle = 0, \qquad \dot P_a = u^b\,\langle p, [X_b, X_a]\rangle = 0, \qquad p = \lambda_\nu\theta^\nu \ne 0

Of one form, a matrix $\theta([X_a, X_b])$ that is nowhere singular leaves none but paths that stay; it is singular where
$f = \theta\wedge(d\theta)^k$ vanishes, whichever fields span the directions. For two directions in three dimensions the path goes along
$u = (-X_2 f,\ X_1 f)$ in Martinet's surface $f = 0$; in more dimensions one leads through every point.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import final

import flint
import numpy as np
import symengine

from anholonomy.algebra.calculus import along, partial
from anholonomy.algebra.expressions import Expr, Matrix, Symbol, Vector, dot, free_symbols, matrix_vector, zero
from anholonomy.algebra.linear_algebra.symbolic import determinant
from anholonomy.algebra.normal_forms.canonical import Canonical, NoNormalForm
from anholonomy.algebra.numbers.balls import DIGITS, ball, evaluate_ball, excludes_zero
from anholonomy.algebra.numbers.random_points import random_point
from anholonomy.algebra.short_forms_on_groups import shortened
from anholonomy.algebra.simplification.simplify import simplify, simplify_vector
from anholonomy.algebra.zero_test import is_zero, zero_test
from anholonomy.base.errors import NotSupportedError
from anholonomy.base.verdict import Verdict
from anholonomy.equations.lagrangian import quadratic_parts, variational_derivative
from anholonomy.findings import AbstractEvidence, Bound, Calculation, Finding, Identity, Reason, Scope
from anholonomy.findings.evidence import Quantity
from anholonomy.findings.special_values import keeps_its_sign, special_values
from anholonomy.findings.zero_claims import witness_of
from anholonomy.geometry.distributions.distribution import Distribution
from anholonomy.geometry.distributions.growth import differential
from anholonomy.geometry.frame import Frame
from anholonomy.language.answers import EQUALS, Components, Part, Readable, Row
from anholonomy.language.writing import brief
from anholonomy.system.model import Model
from anholonomy.system.solved_constraints import on_its_level
from anholonomy.vakonomic.sampled_path import Course, carried

__all__ = ["Abnormal", "abnormal", "is_abnormal_along"]

_NONE = "no path is abnormal, those apart that stay"
_REGULAR = "small pieces of abnormal paths are shortest, whatever the metric is"
_STRICT = "abnormal paths are strictly so: no normal extremal goes along them"
_PIECES = 64
"""Of a segment, each in one ball."""
_VOLUME = "theta ^ dtheta"
_FOUND, _EXCLUDED = 1e-9, 1e-6
"""What may be left of an abnormal covector where there is one, and what must be where there is none."""


@lru_cache(maxsize=32)
def abnormal(model: Model) -> Abnormal:
    """The abnormal extremals of a system with constraints linear in the velocities, as far as they are found."""
    model = on_its_level(model)
    if not model.constraints:
        none = Calculation("no constraint on velocities is left", len, (model.matrix_na,), 0)
        return Abnormal(Finding(_NONE, Verdict.PROVEN, (none,)))
    D = Distribution.of(model.independent)
    if D.on_spacetime:
        raise NotSupportedError(
            f"{model.name} has affine or moving constraints, and abnormal paths are found for homogeneous ones."
        )
    if not D.corank:
        why = "no constraint leaves a covector that annihilates every direction"
        return Abnormal(Finding(_NONE, Verdict.PROVEN, (Calculation(why, len, (D.forms_ni,), 0),)))
    if D.corank == 1:
        return _of_one_form(model, D)
    if D.rank == 2:
        return _through_every_point(D)
    why = f"{D.corank} constraints on {D.frame.size} directions leave covectors that were not gone through"
    return Abnormal(Finding.unknown(_NONE, why))


@final
@dataclass(frozen=True, repr=False)
class Abnormal(Readable):
    """The abnormal extremals of a system's constraints.

    Attributes
    ----------
    finding
        Whether there are none, constant paths apart.
    place
        The function that vanishes along them; None where they lead through every point, or nothing is known.
    field
        The direction in which they go, in the system's frame; empty where it depends on more than the place.
    regular
        Whether small pieces of them are shortest, whatever the metric is: the conditions of Goh and Legendre.
    strict
        Whether they are abnormal only: no normal extremal of the system's own metric goes along them.
    """

    finding: Finding
    place: Expr | None = None
    field: Vector = ()
    regular: Finding = dataclasses.field(default_factory=lambda: Finding(_REGULAR, Verdict.UNKNOWN))
    strict: Finding = dataclasses.field(default_factory=lambda: Finding(_STRICT, Verdict.UNKNOWN))

    def as_rows(self) -> Iterable[Part]:
        if not self.field or self.finding.is_unknown:
            yield self.finding
            return
        where = ", through every point" if self.place is None else (" where ", self.place, EQUALS, zero)
        more = {Verdict.PROVEN: "; they are no normal extremals", Verdict.REFUTED: "; they are normal as well"}
        small = "; small pieces of them are shortest" if self.regular else ""
        along = Components(tuple(self.field))
        yield Row("abnormal paths go along ", along, where, more.get(self.strict.verdict, ""), small)


def _of_one_form(model: Model, D: Distribution) -> Abnormal:
    (theta,), X, on = D.forms_ni, D.vectors_ai, D.frame.orbit
    if D.rank % 2:
        why = "the matrix theta([X_a, X_b]) has odd size, so that it is singular everywhere"
        return Abnormal(Finding(_NONE, Verdict.REFUTED, (Calculation(why, len, (X,), D.rank),)))
    f = shortened(simplify(_volume(D.frame, theta)), on)
    if D.rank == 2 and is_zero(f, on):
        why = "the constraint has an integral, whose differential annihilates every direction and every bracket"
        return Abnormal(Finding(_NONE, Verdict.REFUTED, (Identity(_VOLUME, (f,), "", on, said=why),)))
    name = _VOLUME if D.rank == 2 else f"the square of theta ^ dtheta^{D.rank // 2}"
    if not f.free_symbols & set(D.coordinates) and zero_test(f, on).is_refuted:
        special = special_values([f], D.coordinates, on)
        return Abnormal(Finding(_NONE, Verdict.PROVEN, (witness_of(Quantity(name, f), on),), Scope(special=special)))
    if _vanishes_nowhere(f):
        nowhere = Calculation(f"{name} = {brief(f)} vanishes nowhere", _vanishes_nowhere, (f,), True)
        return Abnormal(Finding(_NONE, Verdict.PROVEN, (nowhere,)))
    if D.rank > 2 or is_zero(f, on):
        return Abnormal(Finding.unknown(_NONE, f"{name} vanishes where {brief(f)} = 0"), f)
    return _on_surface(model, D, X, f)


def _volume(frame: Frame, theta: Vector) -> Expr:
    r"""What $\theta\wedge d\theta$ gives in three dimensions, in $2k + 1$ the square of $\theta\wedge(d\theta)^k$ up to a number.

    It vanishes where $\theta([X_a, X_b])$ is singular, whichever fields span the directions: the determinant of $d\theta$ bordered by
    $\theta$.
    """
    d = differential(frame, theta)
    if frame.size == 3:
        return theta[0] * d.get((1, 2), zero) - theta[1] * d.get((0, 2), zero) + theta[2] * d.get((0, 1), zero)
    both = d | {(b, a): -value for (a, b), value in d.items()}
    inner = [[both.get((a, b), zero) for b in range(frame.size)] for a in range(frame.size)]
    return determinant([[zero, *theta], *([-theta[a], *row] for a, row in enumerate(inner))])


def _on_surface(model: Model, D: Distribution, X: Matrix, f: Expr) -> Abnormal:
    """Martinet's surface, and the admissible direction in it."""
    W, f = f, _without_powers(f)
    f = min(f, simplify(-f), key=lambda each: len(str(each)))  # the place where it vanishes has no sign
    slopes = [simplify(along(f, D.frame.direction(row))) for row in X]
    field = simplify_vector(slopes[1] * first - slopes[0] * second for first, second in zip(*X, strict=True))
    tangent = along(f, D.frame.direction(field))
    if not is_zero(tangent, D.frame.orbit) or all(entry == 0 for entry in field):
        return Abnormal(Finding.unknown(_NONE, f"{_VOLUME} vanishes where {brief(f)} = 0"), f)
    evidence = Identity(f"the rate of {_VOLUME} along the field", (tangent,), "", D.frame.orbit)
    where = _zero_of(D, f)
    if where is None:
        return Abnormal(Finding.unknown(_NONE, f"it holds unless {brief(f)} vanishes somewhere"), f, field)
    finding = Finding(_NONE, Verdict.REFUTED, (where, evidence))
    strict = Finding(_STRICT, Verdict.UNKNOWN) if model.momenta_a is not None else _is_strict(model, D, f, field)
    steep = [simplify(along(W, D.frame.direction(row))) for row in X]
    return Abnormal(finding, f, field, _is_regular(D, f, steep), strict)


def _without_powers(f: Expr) -> Expr:
    """The product of the different factors of a function, without numbers: it vanishes where the function does, and has a slope there."""
    try:
        forms = Canonical([f])
        factors = forms.quotient(f).num.factor()[1]
    except NoNormalForm:
        return f
    kept = [forms.ring.expanded(each) for each, _ in factors]
    powers = any(power > 1 for _, power in factors)
    return simplify(symengine.Mul(*kept)) if powers and kept else f


def _zero_of(D: Distribution, f: Expr) -> AbstractEvidence | None:
    """That a function has zeros: it is one of the coordinates times what vanishes nowhere, or it has no poles and changes its sign."""
    (theta,) = D.forms_ni
    for q in D.coordinates:
        if _at_zero(f, q) == 0 and any(_at_zero(each, q) not in (None, 0) for each in theta):
            return Identity("", (f.xreplace({q: zero}),), said=f"{_VOLUME} vanishes where {q} = 0")
    if _has_poles(f) or D.frame.orbit is not None:
        return None
    rng, found = random.Random(0), dict[bool, dict[Symbol, Fraction]]()
    symbols = free_symbols([f, *theta])
    for attempt in range(40):
        point = random_point(symbols, rng, attempt)
        value = evaluate_ball(f, point, DIGITS)
        if value > 0 or value < 0:
            found[bool(value > 0)] = point
    # Between the two points f vanishes; the directions are those of a form that does not.
    if len(found) < 2 or not any(_is_never_zero_between(each, *found.values()) for each in theta):
        return None
    return Calculation(
        f"{_VOLUME} vanishes where {brief(f)} does, which takes both signs",
        _signs,
        (f, tuple(found.values())),
        tuple(found),
    )


def _is_never_zero_between(f: Expr, first: Mapping[Symbol, Fraction], last: Mapping[Symbol, Fraction]) -> bool:
    """Whether balls around the pieces of the segment from one point to another exclude zero."""
    for k in range(_PIECES):
        t = flint.arb(flint.fmpq(2 * k + 1, 2 * _PIECES), flint.fmpq(1, 2 * _PIECES))
        place = {s: ball(v) + t * (ball(last[s]) - ball(v)) for s, v in first.items()}
        try:
            if not excludes_zero(evaluate_ball(f, place, DIGITS)):
                return False
        except (ValueError, ArithmeticError):
            return False
    return True


def _vanishes_nowhere(f: Expr) -> bool:
    """Whether each factor of a rational function is a sum of even powers of one sign, with a constant."""
    try:
        forms = Canonical([f])
        numerator = forms.quotient(f).num
    except NoNormalForm:
        return False
    plain = all(isinstance(each, symengine.Symbol) for each in forms.ring.meaning)
    return plain and not numerator.is_zero() and all(keeps_its_sign(factor) for factor, _ in numerator.factor()[1])


def _at_zero(f: Expr, q: Symbol) -> Expr | None:
    """A function where a coordinate is zero; None where it has no value there."""
    try:
        value = f.xreplace({q: zero})
    except RuntimeError:
        return None
    infinite = value.atoms(type(symengine.zoo), type(symengine.oo), type(symengine.nan))
    return None if infinite else simplify(value)


def _has_poles(f: Expr) -> bool:
    """Whether a function may have a pole, as far as its normal form tells."""
    try:
        return not Canonical([f]).quotient(f).den.is_constant()
    except NoNormalForm:
        return True


def _signs(f: Expr, points: Iterable[Mapping[Symbol, Fraction]]) -> tuple[bool, ...]:
    """Whether a function is positive at points where it is not zero."""
    return tuple(bool(evaluate_ball(f, point, DIGITS) > 0) for point in points)


def _through_every_point(D: Distribution) -> Abnormal:
    """Several covectors annihilate two directions and their bracket; of those one chooses the path."""
    why = f"{D.corank - 1} of {D.corank} covectors annihilate X_1, X_2 and [X_1, X_2] at every point, and each has its path"
    return Abnormal(Finding(_NONE, Verdict.REFUTED, (Calculation(why, len, (D.forms_ni,), D.corank),)))


# One path, in numbers.


def is_abnormal_along(model: Model, course: Course, rough: float = 1.0) -> Finding:
    """Whether a covector that annihilates the admissible directions is carried along a path; ``rough`` is how much worse its points are."""
    claim = "the path is abnormal: a covector that annihilates the admissible directions is carried along it"
    independent = model.independent
    if not independent.constraints:
        none = Calculation("there are no constraints", len, (independent.matrix_na,), 0)
        return Finding(claim, Verdict.REFUTED, (none,))
    found = carried(independent, course)
    slopes = found.residual_slopes
    # Over the whole time, and beside the covector at first: a number without units.
    duration = abs(float(course.times[-1] - course.times[0]))
    flat = np.sqrt(duration * np.abs(course.weights))[:, None, None] * slopes
    scale = np.linalg.cholesky(found.A[0] @ found.A[0].T)
    _, values, rows = np.linalg.svd(flat.reshape(-1, slopes.shape[2]) @ np.linalg.inv(scale).T, full_matrices=False)
    left = float(values[-1])
    covector = np.linalg.solve(scale.T, rows[-1]) @ found.A[0]
    covector = covector / np.abs(covector).max()
    names = ", ".join(f"{name}: {value:.6g}" for name, value in zip(model.directions, covector, strict=True))
    good = left <= _FOUND * rough
    verdict = Verdict.of(True if good else False if left > _EXCLUDED * rough else None)
    limit = Decimal(repr(_FOUND * rough))
    bound = Bound(
        "what the best covector leaves", Decimal(left) if verdict.is_refuted else Decimal(0), Decimal(left), limit
    )
    return Finding(claim, verdict, (bound, Reason(f"the covector is ({names}) at first")) if good else (bound,))


# Abnormal paths of two admissible directions and one constraint: whether they are shortest in the small, and whether they are normal as well.
#
# .. math::
#    W = \theta\wedge d\theta = 0, \qquad (X_1W, X_2W) \ne 0 \ \Rightarrow\ \text{small pieces are shortest}, \qquad
#    X_a\cdot E(T) = 0 \ \ \forall a \iff \text{normal as well}
#
# On Martinet's surface the bracket of the directions is admissible, so that Goh's condition holds; the generalized condition of Legendre is that $W$ has a slope,
# and by Liu and Sussmann (1995) small pieces are then shortest, whatever the metric is. No multiplier enters the equations along the directions, which are
# those of d'Alembert for the kinetic energy: an abnormal path at unit speed is a normal extremal if it is a motion of mechanics.


def _is_regular(D: Distribution, place: Expr, slopes: Sequence[Expr]) -> Finding:
    """Whether the slopes of $W$ along the directions vanish nowhere on the surfaces where it does."""
    surfaces = _surfaces(place, D.coordinates)
    if surfaces is None:
        shown = ", ".join(brief(e) for e in slopes)
        return Finding.unknown(_REGULAR, f"it holds where ({shown}) does not vanish")
    found = [[simplify(e.xreplace(here)) for e in slopes] for here in surfaces]
    sure = [next((e for e in each if not e.free_symbols and not is_zero(e)), None) for each in found]
    if all(e is not None for e in sure):
        told = ", ".join(brief(e) for e in sure)
        why = f"Goh's condition holds, and Legendre's: a slope of {_VOLUME} is {told} there (Liu and Sussmann)"
        return Finding(_REGULAR, Verdict.PROVEN, (Reason(why),))
    shown = "; ".join(", ".join(brief(e) for e in each) for each in found)
    return Finding.unknown(_REGULAR, f"it holds where ({shown}) does not vanish")


def _is_strict(model: Model, D: Distribution, place: Expr, field: Vector) -> Finding:
    """Whether paths along a field on a surface, at unit speed, are no normal extremals."""
    surfaces = _surfaces(place, D.coordinates)
    if surfaces is None:
        return Finding.unknown(_STRICT, f"{brief(place)} = 0 was not solved for a coordinate")
    found = [_is_strict_on(model, D, here, field) for here in surfaces]
    if all(each.verdict is found[0].verdict for each in found):
        return Finding(_STRICT, found[0].verdict, tuple(e for each in found for e in each.evidence))
    words = {Verdict.PROVEN: "abnormal only", Verdict.REFUTED: "normal as well", Verdict.UNKNOWN: "unknown"}
    told = (
        f"{words[each.verdict]} where {q} = {brief(e)}"
        for each, here in zip(found, surfaces, strict=True)
        for q, e in here.items()
    )
    return Finding.unknown(_STRICT, "; ".join(told))


def _is_strict_on(model: Model, D: Distribution, here: dict[Symbol, Expr], field: Vector) -> Finding:
    plain, on = model.independent, model.frame.orbit
    metric, _, _ = quadratic_parts(plain.lagrangian, plain.velocities)
    size = dot(field, matrix_vector(metric, field))
    if is_zero(size.xreplace(here), on):
        return Finding.unknown(_STRICT, "the kinetic energy along them vanishes")
    w = tuple(e / symengine.sqrt(size) for e in field)
    rates = plain.frame.coordinate_rates(w)
    E = variational_derivative(plain.replaced(lagrangian=_kinetic(plain, metric), constraints=()))
    put = dict(zip(plain.velocities, w, strict=True))
    forces = [dot(row, [along(e, rates) for e in w]) + h for row, h in zip(E.mass_ab, E.bias_a, strict=True)]
    left = [simplify(dot(x, [f.xreplace(put) for f in forces]).xreplace(here)) for x in D.vectors_ai]
    for k, e in enumerate(left, 1):
        if zero_test(e, on).is_refuted:
            quantity = Quantity(f"what a normal extremal would need along X_{k}", e)
            return Finding(_STRICT, Verdict.PROVEN, (witness_of(quantity, on),))
    if all(is_zero(e, on) for e in left):
        same = Identity("what a normal extremal needs along X_1 and X_2", tuple(left), "", on)
        return Finding(_STRICT, Verdict.REFUTED, (same,))
    return Finding.unknown(_STRICT, "what a normal extremal needs was not decided")


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
