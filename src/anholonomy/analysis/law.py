r"""A conserved quantity: what is constant, the proof, and its value at a state or along a motion.

.. math:: \frac{dF}{dt} = 0 \quad\text{along every motion}
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, final

import symengine

from anholonomy.analysis.along_motions import expect_motion
from anholonomy.analysis.at_states import value_at
from anholonomy.analysis.one_shape.solved_coefficients import SolvedCoefficients
from anholonomy.displays.typeset import Typeset
from anholonomy.findings import CarriesFinding, Finding
from anholonomy.findings.words import in_words
from anholonomy.language.brevity import Readable, brief
from anholonomy.language.writing import to_text
from anholonomy.refusals import InadmissibleState
from anholonomy.simulate.trajectories.from_dataset import parameters_of
from anholonomy.symbolic.calculus import partial
from anholonomy.symbolic.display.latex import latex
from anholonomy.symbolic.expressions import Expr, Symbol, Vector, dot, symbol
from anholonomy.symbolic.numbers.balls import FEW_DIGITS, evaluate_ball, precision
from anholonomy.system.model import Model
from anholonomy.system.states.states import complete_state
from anholonomy.tolerances import APART
from anholonomy.verdict import Verdict

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["Law"]

_WIDE = 240
"""Letters up to which the field of a symmetry is printed; `field` has it in any case."""


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
        """Whether the proof stands when it is gone through once more."""
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

    def _elsewhere(self, where: str) -> InadmissibleState:
        values = ", ".join(f"{q.name} = {to_text(f)}" for q, f in self.place.items())
        return InadmissibleState(
            f"{self.model.name}: this law is proven where {values}, which does not hold {where}; ask on that branch."
        )

    @property
    def _parts(self) -> Vector:
        """What the functions multiply that are known by their equations."""
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


_NAMES = {
    "leaf": "a function of the configuration that the constraints keep constant",
    "momentum": "momentum of a symmetry",
    "gauge momentum": "gauge momentum",
    "linear": "linear in the speeds",
    "quadratic": "quadratic in the speeds",
}
