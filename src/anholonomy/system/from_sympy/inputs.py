"""Inputs: functions of time in the loads that SymPy leaves open, such as the torque of a motor, and what they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from anholonomy.refusals import IllPosedSystem, UnknownName
from anholonomy.symbolic.expressions import Expr, Symbol, symbol
from anholonomy.system.from_sympy.entrance import Entrance
from anholonomy.system.from_sympy.names import called

__all__ = ["laws_of"]


def laws_of(
    name: str, given: Mapping[Any, Any], entrance: Entrance, definitions: Mapping[Symbol, Expr]
) -> dict[Symbol, Expr]:
    """What stands for the inputs, in coordinates, velocities, time and parameters; the loads have been read before."""
    if not isinstance(given, Mapping):
        raise IllPosedSystem(f"{name}: `inputs` is {given!r:.60}; give a dict such as {{'F': '2*sin(t)'}}.")
    laws = {called(key, f"{name}: an input"): value for key, value in given.items()}
    if unknown := sorted(set(laws) - entrance.inputs):
        raise UnknownName(
            f"{name}: there is no input {unknown[0]!r}; functions of time that only loads have are "
            f"{', '.join(sorted(entrance.inputs)) or 'none'}."
        )
    return {
        symbol(key): entrance.expression(value, f"{name}: the input {key}", load=True).xreplace(definitions)
        for key, value in laws.items()
    }
