r"""The answers: a conserved quantity with its proof, those of special parameters, and a list of laws with what is known about others.

.. math:: \frac{dF}{dt} = 0 \quad\text{along every motion}
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, final, overload

import symengine

from anholonomy.algebra.calculus import partial
from anholonomy.algebra.expressions import Expr, Symbol, Vector, dot, symbol
from anholonomy.algebra.numbers.balls import FEW_DIGITS, evaluate_ball, precision
from anholonomy.base.errors import StateError
from anholonomy.base.tolerances import APART
from anholonomy.base.verdict import Verdict
from anholonomy.findings import CarriesFinding, Finding, SpecialValues
from anholonomy.language.answers import Aside, Part, Readable, Row, below, joined, title
from anholonomy.language.writing import to_text
from anholonomy.laws.evaluation import expect_motion, value_at
from anholonomy.laws.ode_solutions import SolvedCoefficients
from anholonomy.motion.dataset.one_motion import parameters_of
from anholonomy.system.model import Model
from anholonomy.system.states.complete_state import complete_state

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["Law", "Condition", "Laws"]


_WIDE = 240
"""Letters up to which the field of a symmetry is printed; `field` has it in any case."""
_NAMES = {
    "leaf": "a function of the configuration that the constraints keep constant",
    "momentum": "momentum of a symmetry",
    "gauge momentum": "gauge momentum",
    "linear": "linear in the speeds",
    "quadratic": "quadratic in the speeds",
}
"""Kinds in words, where these are others."""


@final
@dataclasses.dataclass(frozen=True, repr=False)
class Law(CarriesFinding, Readable):
    """A quantity that does not change along any motion; true in an ``if`` when that is proven.

    Attributes
    ----------
    kind
        What it is: ``"energy"``, ``"momentum"``, ``"gauge momentum"``, ``"leaf"`` (a function of the configuration that the
        constraints keep), ``"linear"``, ``"quadratic"``, …
    degree
        The degree in the speeds.
    expression
        The quantity in coordinates, velocities, time and parameters.
    finding
        That its derivative along the motion vanishes.
    named
        The quantity with the names of functions on a group, for reading.
    field
        Of a momentum, the field in the admissible directions whose momentum it is, by direction; empty for what is none.
    coefficients
        Of a law whose coefficients are known by their differential equations alone: these.
    place
        Of a law on one branch of a level: the coordinates that are given there, with their values. It has no values elsewhere.

    Examples
    --------
    >>> from anholonomy.catalogue import skate
    >>> turning = skate().conserved(degree=1)[0]
    >>> print(turning, turning({"x": 0, "y": 0, "theta": 0, "x'": 2, "theta'": 1}), sep="; ")
    I*theta' is constant (momentum of a symmetry, 1 along theta); 0.5
    >>> turning.field
    {'theta': 1}
    """

    model: Model = dataclasses.field(compare=False)
    kind: str
    degree: int
    expression: Expr
    finding: Finding
    named: Expr
    field: Mapping[str, Expr] = dataclasses.field(default_factory=dict, compare=False)
    coefficients: SolvedCoefficients | None = None
    place: Mapping[Symbol, Expr] = dataclasses.field(default_factory=dict, compare=False)

    @property
    def name(self) -> str:
        """The kind in words."""
        return _NAMES.get(self.kind, self.kind)

    def check(self) -> Verdict:
        """Check the proof once more."""
        return self.finding.check()

    def __call__(self, state: Mapping[str, object]) -> float:
        """The value at an admissible state: a dict as `accelerations` takes it."""
        with precision(FEW_DIGITS):
            point = complete_state(self.model, state)
            gaps = [evaluate_ball((q - f) / (1 + q**2), point, FEW_DIGITS) for q, f in self.place.items()]
            if not all(gap.is_finite() and abs(float(gap.mid())) < APART for gap in gaps):
                raise self._elsewhere("at this state")
            if self.coefficients is None:
                return float(evaluate_ball(self.expression, point, FEW_DIGITS).mid())
            whole = [self.coefficients.place, *self._parts]
            place, *parts = (float(evaluate_ball(each, point, FEW_DIGITS).mid()) for each in whole)
        numbers = {s.name: float(value.mid()) for s, value in point.items() if s in self.model.parameter_symbols}
        return float(parts @ self.coefficients.at([place], numbers, self.model.name)[:, 0])

    def along(self, run: Any) -> xr.DataArray:
        """The values along a motion of the system, over time."""
        expect_motion(run, self.model)
        if not all(bool((abs(run[(q - f) / (1 + q**2)]) < APART).all()) for q, f in self.place.items()):
            raise self._elsewhere("on all of this motion")
        own, found = self.coefficients, None
        if own is None:
            found = run[self.expression]
        else:
            numbers = parameters_of(run.data)
            c = own.at(run[own.place].values, numbers, self.model.name)
            found = sum(run[part] * values for part, values in zip(self._parts, c, strict=True))
        return found.rename(self.kind)  # type: ignore[no-any-return]

    def near(self, state: Mapping[str, object]) -> Vector:
        """Quantities in closed form that agree with it to second order round a state; where its coefficients are solutions, one for each of these."""
        own = self.coefficients
        if own is None:
            return (self.expression,)
        columns = zip(*own.near(symengine.RealDouble(value_at(self.model, own.place, state, self.kind))), strict=True)
        return tuple(dot(column, self._parts) for column in columns)

    def _elsewhere(self, where: str) -> StateError:
        values = ", ".join(f"{q.name} = {to_text(f)}" for q, f in self.place.items())
        return StateError(
            f"{self.model.name}: this law is proven where {values}, which does not hold {where}; ask on that branch."
        )

    @property
    def _parts(self) -> Vector:
        """The factors of the functions that are known by their equations."""
        assert self.coefficients is not None
        letters = {c: symbol(f"_{k}") for k, c in enumerate(self.coefficients.functions)}
        return tuple(partial(self.expression.xreplace(letters), letter) for letter in letters.values())

    def as_rows(self) -> Iterable[Part]:
        yield self.row_after(None)

    def row_after(self, before: Law | None, more: str = "") -> Row:
        """The row after that of another law, of whose coefficients these may be other solutions; ``more`` about it stands at its end."""
        own, other = self.coefficients, before.coefficients if before else None
        if before and own and other and own.rates == other.rates and self.expression == before.expression:
            return Row("the same is constant with ", own.start, f" ({self.name})")
        scope = dataclasses.replace(self.finding.scope, group=())
        along = tuple((", ", value, " along ", symbol(name)) for name, value in self.field.items())
        symmetry = Aside(along, _WIDE) if self.kind == "momentum" else ()
        solved = (", with ", own) if own else ()
        return Row(self.named, joined([" is constant", scope], " "), f" ({self.name}", symmetry, solved, f"{more})")

    def _data(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "degree": self.degree,
            "expression": self.expression,
            "verdict": self.verdict,
            "evidence": self.finding.evidence,
            "field": self.field,
            "values": dict(self.finding.scope.values),
            "equations": self.finding.scope.equations,
            **({"coefficients": self.coefficients} if self.coefficients else {}),
        }


@final
@dataclasses.dataclass(frozen=True, repr=False)
class Condition(CarriesFinding, Readable):
    """A condition on parameters and the laws that hold there alone; true in an ``if`` when there are any, proven.

    Attributes
    ----------
    condition
        The equations for the parameters.
    values
        Parameters by the others, as the equations were solved; empty where they were not.
    laws
        What is conserved then and does not follow from what is conserved in general.
    finding
        That there are such laws; unknown where the condition could not be gone through.
    """

    condition: SpecialValues
    values: Mapping[str, Expr]
    laws: tuple[Law, ...]
    finding: Finding

    def as_rows(self) -> Iterable[Part]:
        if self.laws:
            yield Row("if ", self.condition, ":")
            yield from below(*self.laws)
        else:
            yield Row("if ", self.condition, f": {self.finding.verdict}, ", joined(self.finding.evidence))

    def _data(self) -> dict[str, Any]:
        return {"condition": self.condition, "values": self.values, "laws": self.laws, "verdict": self.finding.verdict}


@final
@dataclasses.dataclass(frozen=True, repr=False)
class Laws(Readable):
    """Independent conserved quantities of a system, each proven.

    Attributes
    ----------
    system
        The name of the system.
    found
        The laws, functionally independent at generic points.
    completeness
        What is proven or not about others: in a class of functions, and beyond any class.
    consequences
        Other laws that are functions of these, though no polynomials in them: the energy may be among them.
    gave_up
        Why the search ended before its end; empty where it did not.
    conditions
        What is conserved for special values of the unknown parameters alone, where these were asked for.
    level
        The level on which was asked, in words; empty where all motions were meant.
    on_cover
        Further laws of whose coefficients another value comes back when an angle has turned once: no functions on the configurations.

    Examples
    --------
    >>> from anholonomy.catalogue import chaplygin_sleigh
    >>> laws = chaplygin_sleigh(m=None, I=None, a=None).conserved()
    >>> len(laws), laws[0].kind
    (1, 'energy')
    """

    system: str
    found: tuple[Law, ...]
    completeness: tuple[Finding, ...]
    consequences: tuple[Law, ...] = ()
    gave_up: str = ""
    conditions: tuple[Condition, ...] = ()
    level: str = ""
    on_cover: tuple[Law, ...] = ()

    def __len__(self) -> int:
        return len(self.found)

    def __iter__(self) -> Iterator[Law]:
        return iter(self.found)

    @overload
    def __getitem__(self, index: int) -> Law: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Law, ...]: ...
    def __getitem__(self, index: int | slice) -> Law | tuple[Law, ...]:
        return self.found[index]

    @property
    def finding(self) -> Finding:
        """The strongest statement about what is missing."""
        if not self.completeness:
            return Finding.unknown("no other quantity is conserved", self.gave_up or "it was not asked")
        return self.completeness[-1]

    def as_rows(self) -> Iterable[Part]:
        yield title(f"{self.system}: {self._headline}")
        if self.gave_up:
            yield Row(self.gave_up, depth=1)
        every = (*self.found, *self.on_cover)
        yield from below(*(law.row_after(before) for before, law in zip((None, *every), every, strict=False)))
        yield from below(*(law.row_after(None, ", a function of the others") for law in self.consequences))
        yield from below(*self.conditions, *self.completeness)

    @property
    def _headline(self) -> str:
        """The number of laws; that the search ended early stands first, because then none means nothing."""
        n, covers = len(self.found), len(self.on_cover)
        where = f" where {self.level}" if self.level else ""
        count = f"{n} conserved quantit{'y' if n == 1 else 'ies'}" if n or self.gave_up else "no conserved quantity"
        count += f" found{where}"
        count += f", and {covers} on a cover" if covers else ""
        if not self.gave_up:
            return count
        return (
            f"the search ended early; {count} until then"
            if n or covers
            else f"the search ended early, before a conserved quantity was found{where}"
        )

    def _data(self) -> dict[str, Any]:
        known = [{"claim": each.claim, "verdict": each.verdict, "why": each.text()} for each in self.completeness]
        return {
            "laws": self.found,
            "consequences": self.consequences,
            "conditions": self.conditions,
            "completeness": known,
            "gave_up": self.gave_up,
            "level": self.level,
            "on_cover": self.on_cover,
        }
