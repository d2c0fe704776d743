"""What one may drag, and how far: parameters and starts, with ranges found from their values or given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import isfinite, pi
from numbers import Real
from typing import Any, Literal, final

from anholonomy.language.given import expression
from anholonomy.language.mistakes.nearest import did_you_mean
from anholonomy.refusals import IllPosedSystem, UnknownName
from anholonomy.system.model import Model
from anholonomy.system.units.quantities_in_calls import in_si

__all__ = ["Control", "controls_of"]

_WIDER = 3.0
"""How many times its value a quantity may become."""


@final
@dataclass(frozen=True)
class Control:
    """A quantity that can be dragged between two values."""

    name: str
    kind: Literal["parameter", "start"]
    value: float
    low: float
    high: float

    def to_dict(self) -> dict[str, Any]:
        """Plain data, for a page."""
        return asdict(self)


def controls_of(
    model: Model, start: Mapping[str, Any], wanted: Mapping[str, Any] | Sequence[str] | None
) -> list[Control]:
    """The controls that are wanted, by default one for each parameter with a value and for each value of the start.

    >>> from anholonomy.catalogue import skate
    >>> [(c.name, c.low, c.high) for c in controls_of(skate(), {"theta": 0, "x'": 2}, {"x'": None, "m": (1, 4)})]
    [("x'", -6.0, 6.0), ('m', 1.0, 4.0)]
    """
    found = {name: value for name, value in model.parameters.items() if value is not None}
    first = {name: _number(model, name, value) for name, value in start.items()}
    names = dict.fromkeys([*found, *first])
    if wanted is not None:
        if isinstance(wanted, str) or not isinstance(wanted, Mapping | Sequence):
            raise IllPosedSystem(
                f"{model.name}: {wanted!r:.60} says nothing to drag; give a list of names, or ranges by name."
            )
        for name in wanted:
            if name not in names:
                raise UnknownName(
                    f"{model.name} has nothing called {name!r} to drag: it is no parameter with a value, and the start does not give it; "
                    f"{did_you_mean(name, list(names))}there are {', '.join(names) or 'none'}."
                )
        names = dict.fromkeys(wanted)
    given = in_si(model, wanted) if isinstance(wanted, Mapping) else {}
    return [_control(model, name, found, first, given.get(name)) for name in names]


def _control(model: Model, name: str, found: Mapping[str, float], first: Mapping[str, float], given: Any) -> Control:
    kind: Literal["parameter", "start"] = "start" if name in first else "parameter"
    value = first[name] if name in first else found[name]
    low, high = _usual(model, name, kind, value) if given is None else _range(model, name, given)
    return Control(name, kind, value, min(low, value), max(high, value))


def _usual(model: Model, name: str, kind: str, value: float) -> tuple[float, float]:
    """Angles go around once; what has a sign keeps it if it is a parameter; what is zero goes from -1 to 1."""
    kinds = {q.name: each for q, each in zip(model.coordinates, model.coordinate_kinds, strict=True)}
    if kinds.get(name) == "angle":
        return value - pi, value + pi
    if value == 0:
        return (-1.0, 1.0)
    if kind == "parameter":
        return (value / _WIDER, value * _WIDER) if value > 0 else (value * _WIDER, value / _WIDER)
    return -_WIDER * abs(value), _WIDER * abs(value)


def _range(model: Model, name: str, given: Any) -> tuple[float, float]:
    ends = list(given) if isinstance(given, Sequence) and not isinstance(given, str) else []
    ends = [_number(model, name, each) if isinstance(each, str) else each for each in ends]
    if len(ends) != 2 or not all(isinstance(each, Real) and isfinite(each) for each in ends) or not ends[0] < ends[1]:
        raise IllPosedSystem(
            f"{model.name}: the range of {name} is {given!r:.60}; give two numbers, the lower one first."
        )
    return float(ends[0]), float(ends[1])


def _number(model: Model, name: str, value: Any) -> float:
    try:
        return float(expression(value, f"{model.name}: the start of {name}"))
    except (TypeError, RuntimeError):
        raise IllPosedSystem(
            f"{model.name}: the start of {name} is {value!r:.60}, which is no number; give one."
        ) from None
