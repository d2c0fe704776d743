"""The dimensions of all names of a declaration, and the first term that does not fit.

Lengths, angles, declared units and the time are known; other names follow from the sums they stand in. A number has no dimension, and zero fits
everywhere. A velocity is its coordinate per time; on a group, whatever makes the rates of the coordinates fit. The force in a direction times
its velocity has the dimension of the Lagrangian per time.

Declarations without units may be written in units in which a mass, a radius or gravity is one. Such a factor cannot be seen. So there is a lenient way to
look: a number that is no plain fraction may have any dimension, and so may a term without parameters beside others, unless all terms of the sum are alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from types import MappingProxyType
from typing import final

import symengine

from anholonomy.algebra.arithmetic import function_name
from anholonomy.algebra.expressions import Expr
from anholonomy.algebra.expressions import time as clock
from anholonomy.base.errors import DeclarationError
from anholonomy.base.notebook import Shown
from anholonomy.language import to_text
from anholonomy.system.constraints import Kind
from anholonomy.system.model import Model
from anholonomy.system.units.dimension import LENGTH, NUMBER, TIME, Dimension
from anholonomy.system.units.quantities import unit_dimension

__all__ = [
    "Dimensions",
    "check_dimensions",
    "dimension_in",
    "dimensions_of",
    "inescapable_misfit",
]


@final
@dataclass(frozen=True)
class Dimensions(Shown):
    """The dimensions of a system's names, as far as they are known; ``misfit`` is a sentence where its terms do not fit together.

    >>> from anholonomy import System
    >>> ball = System(coordinates={"x": "length"}, lagrangian="m*x'^2/2 - m*g*x", parameters={"m": "12 kg", "g": 9.81})
    >>> print(ball.units)
    x       m
    x'      m/s
    m       kg
    g       m/s^2
    energy  kg*m^2/s^2
    """

    of: MappingProxyType[str, Dimension | None]
    misfit: str = ""

    def __getitem__(self, name: str) -> Dimension | None:
        return self.of.get(name)

    def __str__(self) -> str:
        width = max(map(len, self.of), default=0)
        rows = [f"{name:{width}}  {'?' if d is None else d}" for name, d in self.of.items()]
        return "\n".join([*rows, *([self.misfit] if self.misfit else [])])


def check_dimensions(model: Model) -> None:
    """Refuse a declaration with units whose terms do not fit together."""
    if model.units and (misfit := dimensions_of(model).misfit):
        raise DeclarationError(f"{model.name}: {misfit}")


@lru_cache(maxsize=64)
def dimensions_of(model: Model) -> Dimensions:
    """The dimensions that kinds and units of a declaration imply."""
    walk = _Walk(model)
    try:
        walk.everything()
        misfit = ""
    except _Misfit as problem:
        misfit = str(problem)
    return Dimensions(MappingProxyType(walk.found(known_only=bool(misfit))), misfit)


def dimension_in(model: Model, value: Expr) -> Dimension | None:
    """The dimension that an expression of a system's names has; None where it is not known."""
    walk = _Walk(model)
    try:
        walk.everything()
        form = walk.of(value)
    except _Misfit:
        return None
    found = None if form is None else walk.solver.reduced(form)
    return None if found is None or found.unknown else found.known


def inescapable_misfit(model: Model) -> str:
    """The sentence about terms that do not fit together, whatever numbers and terms without parameters may hide; nothing where all fit.

    >>> from anholonomy import System
    >>> fall = System(coordinates={"x": "length"}, lagrangian="m*x'^2/2 - 9.81*m*x", parameters={"m": 2.0})
    >>> inescapable_misfit(fall.model), fall.units.misfit != ""
    ('', True)
    """
    try:
        _Walk(model, lenient=True).everything()
    except _Misfit as problem:
        return str(problem)
    return ""


# One declaration, term by term.


_SHOWN = 60
"""Letters of a term that a sentence repeats."""
_SAME = ("max", "min", "abs", "atan2")
_KINDS = {"length": LENGTH, "angle": NUMBER}
_ENERGY = Dimension.of({"kg": 1, "m": 2, "s": -2})
_PLAIN = 4
"""Numerators and denominators up to here are those of formulas, such as 1/2 and 3/4; others may be 9.81."""
_CURE = "correct it, or make a number in it that has a unit a parameter."


class _Misfit(Exception):
    """A sentence without its subject."""


@final
class _Walk:
    def __init__(self, model: Model, lenient: bool = False) -> None:
        self.model, self.solver, self.lenient = model, Elimination(), lenient
        self.parameters, self.hidden = set(model.parameter_symbols), 0
        self.where = "the declaration"
        self.memo: dict[Expr, DimensionForm | None] = {}
        self.names: dict[str, DimensionForm] = {clock.name: DimensionForm(TIME)}
        declared = dict(model.units)
        for q, kind in zip(model.coordinates, model.coordinate_kinds, strict=True):
            self.names[q.name] = DimensionForm(_KINDS[kind]) if kind else self._named(q.name, declared)
        for q, w in zip(model.coordinates, model.velocities, strict=False):
            if model.frame.is_chart:
                self.names[w.name] = self.names[q.name] / DimensionForm(TIME)
        for name in (w.name for w in model.velocities):
            self.names.setdefault(name, self._named(name, declared))
        for name, _ in model.parameter_items:
            self.names[name] = self._named(name, declared)
        self.energy: DimensionForm | None = None

    @staticmethod
    def _named(name: str, declared: dict[str, str]) -> DimensionForm:
        if name in declared:
            return DimensionForm(unit_dimension(declared[name], f"the unit of {name}"))
        return DimensionForm(unknown={name: Fraction(1)})

    def everything(self) -> None:
        model = self.model
        if not model.frame.is_chart:
            for q, rate in model.frame.coordinate_rates(model.velocities).items():
                self.where = f"the rate of {q.name}"
                self._demand(self.of(rate), self.names[q.name] / DimensionForm(TIME), rate)
            for c in model.invariants:
                self.where = f"the invariant {c.label}"
                self.of(c.position or c.declared)
        self.where = "the Lagrangian"
        self.energy = self.of(model.lagrangian)
        for c in model.constraints:
            self.where = f"the constraint {c.label}"
            self.names |= {
                a.name: self.names[w.name] / DimensionForm(TIME)
                for a, w in zip(model.accelerations, model.velocities, strict=True)
            }
            self.of(c.declared)
        momenta: Sequence[Expr | None] = model.momenta_a or [None] * len(model.velocities)
        for w, place, force, momentum in zip(model.velocities, model.directions, model.forces_a, momenta, strict=True):
            self.where = f"the force on {place}"
            found = self.of(force)
            if momentum is not None:
                self.where = f"the momentum of {place}"
                impulse = self.of(momentum)
                wanted = impulse / DimensionForm(TIME) if impulse else None
            else:
                wanted = self.energy / DimensionForm(TIME) / self.names[w.name] if self.energy else None
            if wanted is not None:
                self._demand(found, wanted, force)
        for name, value in zip(model.speed_names or (), model.speed_values or (), strict=False):
            self.where = f"the speed {name}"
            self.names[name] = self.of(value) or DimensionForm(unknown={name: Fraction(1)})
        if model.speed_names and not model.speed_values:
            self._speeds_of_span(model.speed_names, model.span_ba or ())

    def _speeds_of_span(self, names: Sequence[str], span_ba: Sequence[Sequence[Expr]]) -> None:
        """The dimension of a speed along a declared direction, where all components agree; nothing is demanded of a span."""
        for name, row in zip(names, span_ba, strict=False):
            along = [
                (w.name, form) for w, entry in zip(self.model.velocities, row, strict=True) if (form := self.of(entry))
            ]
            forms = [self.solver.reduced(self.names[w] / form) for w, form in along]
            alike = bool(forms) and all(form == forms[0] for form in forms)
            self.names[name] = forms[0] if alike else DimensionForm(unknown={name: Fraction(1)})

    def found(self, known_only: bool) -> dict[str, Dimension | None]:
        """By name; where terms do not fit together, only what was said."""
        forms = {name: form if known_only else self.solver.reduced(form) for name, form in self.names.items()}
        multipliers = {}
        if self.energy is not None and not known_only:
            forms["energy"] = self.solver.reduced(self.energy)
            for c, symbol in zip(self.model.constraints, self.model.multipliers, strict=True):
                if (form := self.memo.get(c.declared)) is not None:
                    rate = DimensionForm() if c.position is None else DimensionForm(TIME)
                    rate = DimensionForm(TIME) ** -1 if Kind.ACCELERATION in c.kind else rate
                    multipliers[symbol.name] = self.solver.reduced(self.energy / DimensionForm(TIME) / form * rate)
        order = [s.name for s in (*self.model.coordinates, *self.model.velocities)]
        order += [name for name, _ in self.model.parameter_items] + list(self.model.speed_names or ())
        forms |= multipliers
        names = [name for name in dict.fromkeys([*order, "energy", *multipliers]) if name in forms]
        return {name: None if forms[name].unknown else forms[name].known for name in names}

    def of(self, value: Expr) -> DimensionForm | None:
        """The dimension of an expression; None for zero, which has any."""
        if value not in self.memo:
            self.memo[value] = self._of(value)
        return self.memo[value]

    def _of(self, value: Expr) -> DimensionForm | None:
        if isinstance(value, symengine.Symbol):
            return self.names.setdefault(value.name, DimensionForm(unknown={value.name: Fraction(1)}))
        if isinstance(value, symengine.Number) or not value.args:
            if value == 0:
                return None
            return self._anything() if self.lenient and _is_telling(value) else DimensionForm()
        if isinstance(value, symengine.Mul):
            product = DimensionForm()
            for factor in value.args:
                product *= self.of(factor) or DimensionForm()
            return product
        if isinstance(value, symengine.Pow):
            return self._power(*value.args)
        if isinstance(value, symengine.Add):
            return self._alike(value.args)
        return self._function(function_name(value), value.args)

    def _power(self, base: Expr, exponent: Expr) -> DimensionForm:
        if isinstance(exponent, symengine.Rational):
            return (self.of(base) or DimensionForm()) ** Fraction(int(exponent.p), int(exponent.q))
        for part in (base, exponent):
            self._pure(part, "a power whose exponent is not a fixed number")
        return DimensionForm()

    def _function(self, name: str, arguments: Sequence[Expr]) -> DimensionForm | None:
        if name == "if":
            self.of(arguments[0])
            return self._alike(arguments[1:])
        if name in _SAME:
            found = self._alike(arguments)
            return DimensionForm() if name == "atan2" else found
        if name in ("sign", "heaviside"):
            self.of(arguments[0])
            return DimensionForm()
        if any(function_name(call) == name and call.args for call in self.model.functions):
            for argument in arguments:
                self.of(argument)
            return self.names.setdefault(f"{name}()", DimensionForm(unknown={f"{name}()": Fraction(1)}))
        for argument in arguments:
            self._pure(argument, name)
        return DimensionForm()

    def _anything(self) -> DimensionForm:
        self.hidden += 1
        return DimensionForm(unknown={f"#{self.hidden}": Fraction(1)})

    def _may_hide(self, value: Expr) -> bool:
        return self.lenient and not value.free_symbols & self.parameters

    def _pure(self, argument: Expr, inside: str) -> None:
        form = self.of(argument)
        if form is not None and not self._may_hide(argument) and not self.solver.demand(form, DimensionForm()):
            raise _Misfit(
                f"{_short(argument)}, inside {inside} in {self.where}, is {self._words(argument)}, where a number or an angle "
                f"belongs; {_CURE}"
            )

    def _alike(self, terms: Sequence[Expr]) -> DimensionForm | None:
        """One dimension for all terms; those that are known are compared first, so that a wrong one does not spread to the others."""
        forms = [(term, form) for term in terms if (form := self.of(term)) is not None]
        if self.lenient and any(self.solver.reduced(form / forms[0][1]) != DimensionForm() for _, form in forms):
            forms = [(term, form) for term, form in forms if not self._may_hide(term)] or [(terms[0], self._anything())]
        forms.sort(key=lambda item: bool(self.solver.reduced(item[1]).unknown))
        before = self.solver.copy()
        for _, form in forms[1:]:
            if not self.solver.demand(form, forms[0][1]):
                raise _Misfit(self._blame(sorted((term for term, _ in forms), key=str), before))
        return forms[0][1] if forms else None

    def _blame(self, terms: Sequence[Expr], before: Elimination) -> str:
        """The term that differs from the others; where there are two kinds, the one that is no energy, or has no velocity."""
        groups: dict[Dimension | None, list[Expr]] = {}
        for term in terms:
            form = self.solver.reduced(self.of(term) or DimensionForm())
            groups.setdefault(None if form.unknown else form.known, []).append(term)
        moving = set(self.model.velocities)
        known = [d for d in groups if d is not None]
        if len(known) < 2:
            return self._contradiction(*self._contradicting(terms, before), before)
        right = max(
            known,
            key=lambda d: (
                d == _ENERGY and self.where == "the Lagrangian",
                len(groups[d]),
                any(t.free_symbols & moving for t in groups[d]),
            ),
        )
        culprit = groups[next(d for d in known if d != right)][0]
        others = "the others are" if len(groups[right]) > 1 else f"{_short(groups[right][0])} is"
        return f"the term {_short(culprit)} in {self.where} is {self._words(culprit)}, where {others} {right.words}; {_CURE}"

    def _contradicting(self, terms: Sequence[Expr], before: Elimination) -> tuple[Expr, Expr]:
        """Two terms that contradict each other by what was known before, or else after their sum was begun with."""
        for known in (before, self.solver):
            for first, second in combinations(terms, 2):
                gap = self._gap(first, second, known)
                if not gap.unknown and gap.known != NUMBER:
                    return first, second
        return terms[0], terms[-1]

    def _gap(self, first: Expr, second: Expr, known: Elimination) -> DimensionForm:
        return known.reduced((self.of(first) or DimensionForm()) / (self.of(second) or DimensionForm()))

    def _contradiction(self, first: Expr, second: Expr, before: Elimination) -> str:
        lacks = self._gap(first, second, before)
        if lacks.unknown:
            return f"the terms {_short(first)} and {_short(second)} in {self.where} cannot have one dimension; {_CURE}"
        # What is forgotten is rather a length or a mass than one over it.
        if sum(power for unit, power in lacks.known.exponents if unit in ("m", "kg")) < 0:
            first, second, lacks = second, first, lacks**-1
        return f"the term {_short(second)} in {self.where} lacks {lacks.known.words} beside {_short(first)}; {_CURE}"

    def _words(self, value: Expr) -> str:
        form = self.solver.reduced(self.of(value) or DimensionForm())
        return "of an unknown dimension" if form.unknown else form.known.words

    def _demand(self, found: DimensionForm | None, wanted: DimensionForm, value: Expr) -> None:
        text = to_text(value)
        if found is not None and not self._may_hide(value) and not self.solver.demand(found, wanted):
            one, other = self.solver.reduced(found), self.solver.reduced(wanted)
            if one.unknown or other.unknown:
                raise _Misfit(f"{self.where}, {text:.{_SHOWN}}, cannot have the dimension that belongs there; {_CURE}")
            raise _Misfit(
                f"{self.where}, {text:.{_SHOWN}}, is {one.known.words}, where {other.known.words} belongs; {_CURE}"
            )


def _short(value: Expr) -> str:
    text = to_text(value).removeprefix("-")
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def _is_telling(number: Expr) -> bool:
    """Whether a number may be a quantity that has a unit."""
    return isinstance(number, symengine.Number) and not (
        isinstance(number, symengine.Rational) and abs(int(number.p)) <= _PLAIN and int(number.q) <= _PLAIN
    )


# Dimensions that are partly unknown, and the linear equations between them.
#
# With $X_j$ the dimension of a name, written as exponents, a product has $\sum_j c_jX_j + K$ with rational $c_j$ and a known $K$. Terms of one
# sum have the same, which is a linear equation; elimination solves it for a name, or finds that nothing is left but a contradiction.


@final
@dataclass(frozen=True)
class DimensionForm:
    """A dimension: a known part, and the powers of names whose own dimension is unknown."""

    known: Dimension = NUMBER
    unknown: Mapping[str, Fraction] = field(default_factory=dict)

    def __mul__(self, other: DimensionForm) -> DimensionForm:
        powers = {name: self.unknown.get(name, Fraction(0)) + p for name, p in other.unknown.items()}
        merged = {name: p for name, p in {**self.unknown, **powers}.items() if p}
        return DimensionForm(self.known * other.known, merged)

    def __pow__(self, power: int | Fraction) -> DimensionForm:
        return DimensionForm(self.known**power, {name: p * power for name, p in self.unknown.items()} if power else {})

    def __truediv__(self, other: DimensionForm) -> DimensionForm:
        return self * other**-1


@final
class Elimination:
    """What is known of the names so far."""

    def __init__(self, solved: Mapping[str, DimensionForm] | None = None) -> None:
        self._solved: dict[str, DimensionForm] = dict(solved or {})

    def copy(self) -> Elimination:
        return Elimination(self._solved)

    def reduced(self, form: DimensionForm) -> DimensionForm:
        """The form in names that are still unknown.

        >>> found = Elimination()
        >>> found.demand(DimensionForm(unknown={"m": Fraction(2)}), DimensionForm(Dimension.of({"kg": 2})))
        True
        >>> str(found.reduced(DimensionForm(unknown={"m": Fraction(1)})).known)
        'kg'
        """
        while hit := next((name for name in form.unknown if name in self._solved), None):
            power = form.unknown[hit]
            rest = DimensionForm(form.known, {name: p for name, p in form.unknown.items() if name != hit})
            form = rest * self._solved[hit] ** power
        return form

    def demand(self, one: DimensionForm, other: DimensionForm) -> bool:
        """Make two forms equal; False where they cannot be."""
        gap = self.reduced(one / other)
        if not gap.unknown:
            return gap.known == NUMBER
        name, power = next(iter(gap.unknown.items()))
        rest = DimensionForm(gap.known, {each: p for each, p in gap.unknown.items() if each != name})
        self._solved[name] = rest ** (-1 / power)
        return True
