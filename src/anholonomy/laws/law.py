r"""The answers: a conserved quantity with its proof, those of special parameters, and a list of laws with what is known about others.

.. math:: \frac{dF}{dt} = 0 \quad\text{along every motion}
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, final, overload

import symengine

from anholonomy.algebra.calculus import partial
from anholonomy.algebra.expressions import Expr, Symbol, Vector, dot, symbol
from anholonomy.algebra.latex import aligned, in_words, latex
from anholonomy.algebra.numbers.balls import FEW_DIGITS, evaluate_ball, precision
from anholonomy.base.errors import StateError
from anholonomy.base.notebook import Typeset
from anholonomy.base.tolerances import APART
from anholonomy.base.verdict import Verdict
from anholonomy.findings import CarriesFinding, Finding, SpecialValues
from anholonomy.language.writing import Readable, brief, page, to_text
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
class Law(CarriesFinding, Typeset, Readable):
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

    def lines(self, whole: bool = False) -> list[str]:
        """The quantity, that it is constant, and for which values of parameters."""
        scope = dataclasses.replace(self.finding.scope, group=()).text(whole)
        return [f"{brief(self.named, whole)} is constant" + (f" {scope}" if scope else "") + f" ({self._name(whole)})"]

    def lines_after(self, before: Law, whole: bool = False) -> list[str]:
        """The same after another law, of whose coefficients these may be other solutions."""
        own, other = self.coefficients, before.coefficients
        if own is None or other is None or own.rates != other.rates or self.expression != before.expression:
            return self.lines(whole)
        return [f"the same is constant with {own.start} ({self.name})"]

    def _name(self, whole: bool) -> str:
        """The kind in words, and of a symmetry which it is."""
        parts = [f"{brief(value, whole)} along {name}" for name, value in self.field.items()]
        shown = self.kind == "momentum" and (whole or sum(map(len, parts)) <= _WIDE)
        solved = [f"with {self.coefficients.words(whole)}"] if self.coefficients else []
        return ", ".join([self.name, *(parts if shown else ()), *solved])

    def latex(self) -> str:
        r"""The same in LaTeX."""
        what = rf",\quad {self.coefficients.latex()}" if self.coefficients else ""
        return rf"{latex(self.named)} = \mathrm{{const}} \quad {in_words(f'({self.name if what else self._name(False)})')}{what}"

    def to_dict(self) -> dict[str, Any]:
        """Plain data: kind, degree, expression as text, verdict and evidence."""
        return {
            "kind": self.kind,
            "degree": self.degree,
            "expression": to_text(self.expression),
            "verdict": str(self.verdict),
            "evidence": [each.text() for each in self.finding.evidence],
            "field": {name: to_text(value) for name, value in self.field.items()},
            "values": {name.name: to_text(value) for name, value in self.finding.scope.values},
            **({"coefficients": self.coefficients.to_dict()} if self.coefficients else {}),
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

    def lines(self, whole: bool = False) -> list[str]:
        """The condition, and the laws below it."""
        if not self.laws:
            why = ", ".join(each.text(whole) for each in self.finding.evidence)
            return [f"if {self.condition.text(whole)}: {self.finding.verdict}, {why}"]
        return [f"if {self.condition.text(whole)}:", *(f"  {line}" for law in self.laws for line in law.lines(whole))]

    def latex(self) -> str:
        r"""The same in LaTeX, on one line."""
        said = r",\quad ".join(law.latex() for law in self.laws) or self.finding.latex()
        return rf"{in_words('if ')} {self.condition.latex()}: \quad {said}"

    def to_dict(self) -> dict[str, Any]:
        """Plain data: the condition, the values, the laws and the verdict."""
        return {
            "condition": self.condition.text(),
            "values": {name: to_text(value) for name, value in self.values.items()},
            "laws": [law.to_dict() for law in self.laws],
            "verdict": str(self.finding.verdict),
        }


@final
@dataclasses.dataclass(frozen=True, repr=False)
class Laws(Typeset, Readable):
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

    def lines(self, whole: bool = False) -> list[str]:
        """The laws, and what is known about others."""
        count = f"{len(self)} conserved quantit{'y' if len(self) == 1 else 'ies'}"
        where = f" where {self.level}" if self.level else ""
        lines = [f"{self.system}: {count if self.found else 'no conserved quantity'} found{where}"]
        every = (*self.found, *self.on_cover)
        for before, law in zip((None, *every), every, strict=False):
            lines += [f"  {line}" for line in (law.lines(whole) if before is None else law.lines_after(before, whole))]
        lines += [
            f"  {line.removesuffix(')')}, a function of the others)"
            for law in self.consequences
            for line in law.lines(whole)
        ]
        lines += [f"  {line}" for each in (*self.conditions, *self.completeness) for line in each.lines(whole)]
        if self.gave_up:
            lines.append(f"  unknown beyond that: {self.gave_up}")
        return page(lines, whole)

    def latex(self) -> str:
        r"""The laws in LaTeX, a line each, and what is known about others."""
        rows = [f"&{law.latex()}" for law in (*self.found, *self.on_cover)]
        rows += [f"&{each.latex()}" for each in self.conditions]
        rows += [f"&{each.latex()}" for each in self.completeness]
        rows += [f"&{in_words(self.gave_up)}"] if self.gave_up else []
        return aligned(rows)

    def to_dict(self) -> dict[str, Any]:
        """Plain data: the laws, and what is known about others."""
        known = [{"claim": each.claim, "verdict": str(each.verdict), "why": each.text()} for each in self.completeness]
        return {
            "laws": [law.to_dict() for law in self.found],
            "consequences": [law.to_dict() for law in self.consequences],
            "conditions": [each.to_dict() for each in self.conditions],
            "completeness": known,
            "gave_up": self.gave_up,
            "level": self.level,
            "on_cover": [law.to_dict() for law in self.on_cover],
        }
