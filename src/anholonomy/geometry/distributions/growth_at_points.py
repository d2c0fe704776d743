r"""Growth vectors at a point, where they may grow more slowly than at generic points, from Taylor polynomials of the fields.

.. math:: \dim D^s(q_0) \le \operatorname{rank} D^s, \qquad \dim D^s(q_0) \le \dim N \ \text{ for every } N \ni q_0 \text{ that } D \text{ is tangent to}

The rank at a point is never larger than at the generic points around it, so that a flag which reaches the dimension it has there, or
that of a submanifold which the fields never leave, has ended. Whether it reaches either is not known before; jets of a higher and
higher degree are looked at. Brackets are those of polynomials,

.. math:: [X, Y]^d = X(Y^d) - Y(X^d) + c_{ab}{}^d X^a Y^b, \qquad
   e_a(f) = \sum_v e_a(v)\,\frac{\partial f}{\partial v} .

A field is a polynomial in the steps $\xi$ that leave the place, its coefficients are polynomials in the generators $g$ of what stays
generic ($\sin\theta_0$ where $\theta_0$ is free). Directions are derivations of both, $v \in \{\xi, g\}$, so that nothing is
expanded along the place itself. Denominators are functions on the place, and are left out: a field may be multiplied by them.

Fields may be combined with functions as factors. One that has a value at the place outside the span of the values before, $Z^j \ne 0$
there, clears its component from all others, $Y \to Z^j Y - Y^j Z$; of those that vanish at the place as many are kept as have
independent jets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias, final

import symengine

from anholonomy.algebra.calculus import along
from anholonomy.algebra.expressions import Expr, Matrix, Symbol, Vector, identity
from anholonomy.algebra.linear_algebra.sampled import certified_rows
from anholonomy.algebra.linear_algebra.symbolic import independent_rows_on
from anholonomy.algebra.normal_forms.canonical import NoNormalForm
from anholonomy.algebra.normal_forms.ring import Polynomial, Ring
from anholonomy.algebra.numbers.random_points import Ground
from anholonomy.algebra.taylor import Parts, TaylorArithmetic, shortened_product
from anholonomy.algebra.zero_test import zero_test
from anholonomy.base.deadlines import check
from anholonomy.base.errors import DeclarationError, TimeLimitError
from anholonomy.base.verdict import Verdict
from anholonomy.geometry.distributions.growth import Evidence, GrowthVector, bracket_layers, have_normal_forms
from anholonomy.geometry.frame import Frame
from anholonomy.language import to_text

__all__ = ["growth_at"]

MAX_BRACKETS = 260
"""Brackets of expressions, where jets do not decide."""


def growth_at(
    frame: Frame, vectors_ai: Matrix, place: Mapping[Symbol, Expr], generic: GrowthVector, length: int
) -> GrowthVector:
    """The Lie flag's dimensions at a place: a point, or a stratum where some coordinates stay generic.

    The fields must span the distribution around the place; ``generic`` are the dimensions at generic points, and ``length`` the longest
    bracket looked at.

    >>> import symengine
    >>> y, o, i = symengine.Symbol("y"), symengine.Integer(0), symengine.Integer(1)
    >>> martinet = ((i, o, y**2), (o, i, o))
    >>> print(growth_at(Frame(["x", "y", "z"]), martinet, {y: o}, GrowthVector((2, 3)), 9).finding)
    the growth vector is (2, 2, 3): proven at y = 0, the dimensions are exact, up to the generic one
    """
    known = dict(frame.values)
    at = known | {q: value.xreplace(known) for q, value in place.items()}
    where = "at " + ", ".join(f"{q} = {to_text(value)}" for q, value in place.items()) if place else ""
    top, evidence, why = _ceiling(frame, vectors_ai, at, generic)
    found: list[int] = []
    try:
        for steps in _lengths(len(generic), length):
            for step, dimension in enumerate(jet_dimensions(frame, vectors_ai, at, steps)):
                if step == len(found):
                    found.append(dimension)
                if dimension >= top:
                    return GrowthVector(found, evidence, where=where, why=why)
    except TimeLimitError:
        pass
    except (NoNormalForm, UndecidedSpan):
        return _by_expressions(frame, vectors_ai, at, top, length, where)
    return GrowthVector(found, "certified below", where=where)


def _lengths(start: int, length: int) -> Iterator[int]:
    """A little longer each time: each step more costs a multiple of all before, so that little is lost by beginning again."""
    steps = min(start, length)
    while steps < length:
        yield steps
        steps += steps // 5 + 1
    yield length


def _ceiling(
    frame: Frame, vectors_ai: Matrix, place: Mapping[Symbol, Expr], generic: GrowthVector
) -> tuple[int, Evidence, str]:
    """The dimension that is not exceeded, how well that is known, and why."""
    top, kept = never_left(frame, vectors_ai, place)
    if generic.is_settled and generic[-1] <= top:
        known: Evidence = "exact" if generic[-1] == frame.size else generic.evidence
        return generic[-1], known, "up to the generic one"
    there = ", ".join(f"{q} = {to_text(place[q])}" for q in kept)
    return top, "exact", f"and brackets never leave {there}" if there else "up to every direction"


def _by_expressions(
    frame: Frame, vectors_ai: Matrix, place: Mapping[Symbol, Expr], top: int, length: int, where: str
) -> GrowthVector:
    """Brackets of expressions, one for each Lyndon word, where the coefficients of jets have no normal forms."""
    rows: list[Vector] = []
    dimensions: list[int] = []
    longest = max(k for k in range(1, length + 1) if _count(len(vectors_ai), k) <= MAX_BRACKETS)
    for layer in bracket_layers(frame, vectors_ai, longest):
        rows += [_vector_at(vector, place) for vector in layer]
        rows = [rows[k] for k in independent_rows_on(rows, frame.orbit)]
        dimensions.append(len(certified_rows(rows, on=frame.orbit)))
        if dimensions[-1] < len(rows):  # rows that only look independent
            break
        if len(rows) >= top:
            known: Evidence = "exact" if have_normal_forms(rows) else "certified below, sampled above"
            return GrowthVector(dimensions, known, where=where)
    return GrowthVector(dimensions, "certified below", where=where)


def _vector_at(vector: Vector, place: Mapping[Symbol, Expr]) -> Vector:
    try:
        return tuple(entry.xreplace(dict(place)) for entry in vector)
    except RuntimeError:  # SymEngine refuses to divide by zero
        raise DeclarationError("the distribution is not defined at this place; take another.") from None


def _count(letters: int, length: int) -> int:
    """At least the number of brackets up to a length."""
    return sum(letters**k // k + 1 for k in range(1, length + 1)) if letters > 1 else letters


def never_left(frame: Frame, vectors_ai: Matrix, place: Mapping[Symbol, Expr]) -> tuple[int, tuple[Symbol, ...]]:
    r"""The most directions that brackets can reach at a place, and the coordinates whose values the fields keep there.

    .. math:: X_a(q_k - \bar q_k) = 0 \ \text{ where } q_k = \bar q_k \ \ (k \in K)
       \quad\Longrightarrow\quad \dim D^s \le n - \operatorname{rank}\, e_a(q_k - \bar q_k)

    for all $s$: fields tangent to a submanifold have brackets tangent to it.

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


def jet_dimensions(frame: Frame, vectors_ai: Matrix, place: Mapping[Symbol, Expr], length: int) -> Iterator[int]:
    """The dimensions of the first so many steps of the flag at a place, one after the other.

    A bracket of $s$ fields matters to brackets of ``length`` fields by its Taylor polynomial of degree ``length`` - s alone.

    >>> import symengine
    >>> y, o, i = symengine.Symbol("y"), symengine.Integer(0), symengine.Integer(1)
    >>> list(jet_dimensions(Frame(["x", "y", "z"]), ((i, o, y**2), (o, i, o)), {y: o}, 4))
    [2, 2, 3, 3]
    """
    jets = JetBrackets(frame, vectors_ai, place, length - 1)
    span = JetSpan(jets.ring, jets.taylor.steps, frame.orbit)
    layer = movers = span.admit(jets.fields)
    yield span.dimension
    for degree in reversed(range(length - 1)):
        layer = span.admit(jets.bracket(X, Y, degree) for X in movers for Y in layer)
        yield span.dimension


Jet: TypeAlias = tuple[Parts, ...]
"""A field's components, each by degree in the steps."""


@final
class JetBrackets:
    """The jets of some fields at a place, up to a degree, and their brackets, up to factors without zeros.

    >>> import symengine
    >>> y, o, i = symengine.Symbol("y"), symengine.Integer(0), symengine.Integer(1)
    >>> martinet = JetBrackets(Frame(["x", "y", "z"]), ((i, o, y**2), (o, i, o)), {y: o}, degree=2)
    >>> X, Y = martinet.fields
    >>> [[str(part) for part in component] for component in martinet.bracket(X, Y, 1)][2]       # -2 y d/dz
    ['0', '-2*g0']
    """

    def __init__(self, frame: Frame, vectors_ai: Matrix, place: Mapping[Symbol, Expr], degree: int) -> None:
        structure = [] if frame.is_chart else [c for each in frame.structure_abd for row in each for c in row]
        fields = [entry for row in vectors_ai for entry in row]
        self.taylor, moved = _with_derivations(frame, [*fields, *structure], place, degree)
        self.ring, self.size = self.taylor.ring, frame.size
        self.fields = [self._jet(row) for row in vectors_ai]
        # One common factor for all of them, so that the terms of a bracket have the same.
        tables = iter(self._jet([rate for each in moved for rate in each.values()] + structure))
        self._rates = [{self.ring.index[v]: next(tables) for v in each} for each in moved]
        self._structure = list(tables)

    def bracket(self, X: Jet, Y: Jet, degree: int) -> Jet:
        """The bracket up to a degree."""
        forward, back = self._direction(X, degree), self._direction(Y, degree)
        found = []
        for d in range(self.size):
            total = self._nothing(degree)
            self._add_slopes(total, forward, Y[d], 1)
            self._add_slopes(total, back, X[d], -1)
            if self._structure:
                self._add_structure(total, X, Y, d)
            found.append(tuple(total))
        return tuple(found)

    def _jet(self, row: Sequence[Expr]) -> Jet:
        """Components without their common denominator."""
        series = [self.taylor.series(entry) for entry in row]
        common = self.ring.context.constant(1)
        for each in series:
            common = each.den * (common / common.gcd(each.den))
        return tuple(tuple(self.ring.reduce(part * (common / each.den)) for part in each.parts) for each in series)

    def _nothing(self, degree: int) -> list[Polynomial]:
        return [self.ring.context.constant(0)] * (degree + 1)

    def _direction(self, X: Jet, degree: int) -> dict[int, Parts]:
        """How fast a field moves steps and generators."""
        rates: dict[int, list[Polynomial]] = {}
        for component, each in zip(X, self._rates, strict=True):
            for v, rate in each.items():
                self._add(rates.setdefault(v, self._nothing(degree)), component, rate, 1)
        return {v: tuple(rate) for v, rate in rates.items() if any(rate)}

    def _add_slopes(self, total: list[Polynomial], rates: Mapping[int, Parts], f: Parts, sign: int) -> None:
        for v, rate in rates.items():
            slope = tuple(part.derivative(v) for part in f)
            self._add(total, rate, slope[1:] if v in self.taylor.steps else slope, sign)

    def _add(self, total: list[Polynomial], a: Parts, b: Parts, sign: int) -> None:
        if any(a) and any(b):
            for k, part in enumerate(shortened_product(self.ring, a, b, len(total) - 1)):
                total[k] += sign * part

    def _add_structure(self, total: list[Polynomial], X: Jet, Y: Jet, d: int) -> None:
        n = self.size
        for a in range(n):
            for b in range(n):
                constant = self._structure[(a * n + b) * n + d]
                if any(constant) and any(X[a]) and any(Y[b]):
                    self._add(total, constant, shortened_product(self.ring, X[a], Y[b], len(total) - 1), 1)


def _with_derivations(
    frame: Frame, entries: Sequence[Expr], place: Mapping[Symbol, Expr], degree: int
) -> tuple[TaylorArithmetic, list[dict[Expr, Expr]]]:
    """Taylor polynomials of the entries, and how each direction moves the variables they have.

    Derivatives of generators may need new ones; those of a function nobody specified never end, but only as many as brackets count.
    """
    placed = [q for q in frame.coordinates if q in place]
    known: list[dict[Expr, Expr]] = [{} for _ in frame.anchor_ai]
    for last in (*(False,) * (degree + 1), True):
        rates = [rate for each in known for rate in each.values()]
        taylor = TaylorArithmetic([*entries, *rates, *placed], place, placed, degree)
        found = [_moved(taylor, frame, row, place) for row in frame.anchor_ai]
        if last or found == known:
            break
        known = found
    return taylor, known


def _moved(
    taylor: TaylorArithmetic, frame: Frame, direction: Sequence[Expr], place: Mapping[Symbol, Expr]
) -> dict[Expr, Expr]:
    """How a direction moves steps, measured from the place as it moves along, and generators."""
    own = dict(zip(frame.coordinates, direction, strict=True))
    free = {q: rate for q, rate in own.items() if q not in place}
    meaning = taylor.ring.meaning
    rates = {meaning[step]: own[q] - along(place[q], free) for q, step in taylor.step_of.items()}
    rates |= {g: along(g, free) for g in meaning if g not in rates}
    return {v: rate for v, rate in rates.items() if rate != 0}


@final
class JetSpan:
    """Fields met so far, each reduced by those before; ``on`` says where generic coordinates take their values."""

    def __init__(self, ring: Ring, steps: Iterable[int], on: Ground | None = None) -> None:
        self._ring, self._steps, self._on = ring, sorted(steps), on
        self._regular: list[tuple[int, Jet]] = []
        self._vanishing: dict[_Lead, Jet] = {}

    @property
    def dimension(self) -> int:
        """How many values at the place are independent."""
        return len(self._regular)

    def admit(self, jets: Iterable[Jet]) -> list[Jet]:
        """Take in fields; those that are new, as they remain after reduction. Raises `UndecidedSpan`."""
        waiting, new = [self._cleared(jet, self._regular) for jet in jets], []
        while waiting := [jet for jet in waiting if any(map(any, jet))]:
            leads = list(map(self._lead, waiting))
            # The lowest first: what has a value at the place clears a component of the others.
            k = min(range(len(waiting)), key=leads.__getitem__)
            jet, lead = waiting.pop(k), leads[k]
            if lead.degree and lead in self._vanishing:
                waiting.append(self._without(jet, lead))
                continue
            self._certify(jet, lead)
            new.append(jet := self._primitive(jet, lead))
            if lead.degree:
                self._vanishing[lead] = jet
            else:
                self._regular.append((lead.component, jet))
                waiting = [self._cleared(each, self._regular[-1:]) for each in waiting]
        return new

    def _cleared(self, jet: Jet, regular: Sequence[tuple[int, Jet]]) -> Jet:
        """Without the components in which others have a value."""
        for j, other in regular:
            check()
            if any(jet[j]):
                unit, factor = other[j], jet[j]
                pairs = zip(jet, other, strict=True)
                jet = tuple(_difference(self._times(unit, own), self._times(factor, Z)) for own, Z in pairs)
        return jet

    def _times(self, left: Parts, right: Parts) -> Parts:
        return shortened_product(self._ring, left, right, min(len(left), len(right)) - 1)

    def _without(self, jet: Jet, lead: _Lead) -> Jet:
        """Without the first term, which a known field shares."""
        check()
        other = self._vanishing[lead]
        a, b = self._coefficient(other, lead), self._coefficient(jet, lead)
        common = a.gcd(b)
        a, b, reduce = a / common, b / common, self._ring.reduce
        return tuple(
            tuple(reduce(a * p - b * q) for p, q in zip(own, known, strict=False))
            for own, known in zip(jet, other, strict=True)
        )

    def _primitive(self, jet: Jet, lead: _Lead) -> Jet:
        """Without the factor that all coefficients share, which is not zero because the first coefficient is not."""
        common = self._coefficient(jet, lead)
        for part in (part for parts in jet for part in parts):
            if common.is_constant():
                break
            for value in self._coefficients(part).values():
                common = common.gcd(value)
        # Numbers that stood before first terms would multiply up in what they clear.
        common *= self._coefficient(jet, lead).leading_coefficient() / common.leading_coefficient()
        return tuple(tuple(part / common for part in parts) for parts in jet)

    def _lead(self, jet: Jet) -> _Lead:
        degree = next(k for k in range(len(jet[0])) if any(parts[k] for parts in jet))
        component = next(j for j, parts in enumerate(jet) if parts[degree])
        return _Lead(degree, component, max(map(self._powers, jet[component][degree].monoms())))

    def _powers(self, monomial: Sequence[int]) -> tuple[int, ...]:
        return tuple(int(monomial[step]) for step in self._steps)

    def _coefficients(self, part: Polynomial) -> dict[tuple[int, ...], Polynomial]:
        """A homogeneous part's coefficients, free of steps, by the powers of the steps."""
        found: dict[tuple[int, ...], dict[tuple[int, ...], object]] = {}
        for monomial, number in part.to_dict().items():
            rest = list(monomial)
            for step in self._steps:
                rest[step] = 0
            found.setdefault(self._powers(monomial), {})[tuple(rest)] = number
        return {powers: self._ring.context.from_dict(terms) for powers, terms in found.items()}

    def _coefficient(self, jet: Jet, lead: _Lead) -> Polynomial:
        return self._coefficients(jet[lead.component][lead.degree])[lead.powers]

    def _certify(self, jet: Jet, lead: _Lead) -> None:
        """A field reduces others only where its first coefficient is different from zero."""
        value = self._coefficient(jet, lead)
        if not value.is_constant() and zero_test(self._ring.expanded(value), self._on) is not Verdict.REFUTED:
            raise UndecidedSpan


@final
class _Lead(NamedTuple):
    """The first term of a field: of the lowest degree, in the first component, with the largest powers of early steps."""

    degree: int
    component: int
    powers: tuple[int, ...]


class UndecidedSpan(Exception):
    """A coefficient that has another normal form than 0 and is not proven different from 0."""


def _difference(left: Parts, right: Parts) -> Parts:
    return tuple(a - b for a, b in zip(left, right, strict=True))
