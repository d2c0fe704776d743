"""A Modelica model from equations of motion: the state's rates, with linear systems left to the Modelica tool.

.. code-block:: text

   der(x0) = …;    k00*z0 + k01*z1 = r0;

Names are neutral (``x0``, ``p0``); the user's stand in description strings.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import pi
from typing import final

from anholonomy.algebra.arithmetic import evaluate
from anholonomy.algebra.expressions import Expr, time
from anholonomy.algebra.steps.definitions import Assign
from anholonomy.programs.exports.c_source import identifier, plain
from anholonomy.programs.exports.functions import Export

__all__ = ["ModelicaArithmetic", "modelica_source"]

_WRITTEN_OUT = {
    "asinh": "log({0} + sqrt(({0})^2 + 1))",
    "acosh": "log({0} + sqrt(({0})^2 - 1))",
    "atanh": "(log((1 + {0})/(1 - {0}))/2)",
    "erf": "Modelica.Math.Special.erf({0})",
    "if": "(if {0} > 0 then {1} else {2})",
}
"""Functions that the Modelica language does not have."""


@final
class ModelicaArithmetic:
    """Expressions as Modelica text."""

    def number(self, value: Fraction | float) -> str:
        text = repr(float(value))
        return f"({text})" if text.startswith("-") else text

    def pi(self) -> str:
        return self.number(pi)

    def add(self, terms: Sequence[str]) -> str:
        return f"({' + '.join(terms)})"

    def multiply(self, factors: Sequence[str]) -> str:
        return f"({'*'.join(factors)})"

    def power(self, base: str, exponent: int | Fraction) -> str:
        if exponent < 0:
            return f"(1/{self.power(base, -exponent)})"
        if exponent == Fraction(1, 2):
            return f"sqrt({base})"
        return f"(({base})^{int(exponent) if Fraction(exponent).denominator == 1 else self.number(exponent)})"

    def general_power(self, base: str, exponent: str) -> str:
        return f"(({base})^({exponent}))"

    def function(self, name: str, arguments: Sequence[str]) -> str:
        return _WRITTEN_OUT[name].format(*arguments) if name in _WRITTEN_OUT else f"{name}({', '.join(arguments)})"


def modelica_source(export: Export, name: str | None = None) -> str:
    """The text of a model with the declared values as its parameters' defaults."""
    quantity = export.regular("rates")
    program, text = quantity.program, ModelicaArithmetic()
    title = identifier(name, export.equations.model.name)
    known: dict[Expr, str] = {time: "time"}
    known.update((s, f"x{i}") for i, s in enumerate(program.states))
    known.update((s, f"p{i}") for i, s in enumerate(program.parameters))
    unknowns: list[str] = []
    equations: list[str] = []

    def fresh() -> str:
        unknowns.append(f"z{len(unknowns)}")
        return unknowns[-1]

    for step in program.steps:
        if isinstance(step, Assign):
            value = evaluate(step.value, text, known)
            known[step.target] = fresh()
            equations.append(f"{known[step.target]} = {value};")
            continue
        known.update((u, fresh()) for u in step.unknowns)
        for row, right in zip(step.matrix, step.right, strict=True):
            terms = [
                f"{evaluate(entry, text, known)}*{known[u]}"
                for entry, u in zip(row, step.unknowns, strict=True)
                if entry != 0
            ]
            equations.append(f"{' + '.join(terms) or '0.0'} = {evaluate(right, text, known)};")
    equations += [f"der(x{i}) = {evaluate(rate, text, known)};" for i, rate in enumerate(program.outputs)]
    declarations = [
        *(_parameter(i, *item, export.equations.model.inputs) for i, item in enumerate(export.parameters)),
        *(f'Real x{i} "{plain(state)}";' for i, state in enumerate(quantity.inputs)),
        *(f"Real {z};" for z in unknowns),
    ]
    lines = [f"  {line}" for line in declarations] + ["equation"] + [f"  {line}" for line in equations]
    about = f"{plain(export.equations.model.name)}: equations of motion by {plain(export.equations.principle)}"
    return "\n".join([f'model {title} "{about}"', *lines, f"end {title};", ""])


def _parameter(place: int, name: str, value: float | None, inputs: tuple[str, ...]) -> str:
    if name in inputs:
        return f'input Real p{place} "{plain(name)}";'
    default = "" if value is None else f" = {float(value)!r}"
    return f'parameter Real p{place}{default} "{plain(name)}";'
