"""Quantities in declarations and calls turned into SI numbers, before anything looks at them.

Words of a declaration, tables of values by name, times and events of a call may hold quantities.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from anholonomy.algebra.expressions import as_expression
from anholonomy.base.errors import DeclarationError
from anholonomy.language import to_text
from anholonomy.language.arguments import expect_mapping, expression, name_of
from anholonomy.system.model import Model
from anholonomy.system.units.checking import dimension_in, dimensions_of
from anholonomy.system.units.dimension import TIME, Dimension
from anholonomy.system.units.quantities import is_quantity, quantity, unit_dimension

__all__ = [
    "checked_units",
    "events_in_si",
    "in_si",
    "parameters_in_si",
    "time_in_si",
]


# A declaration.


def parameters_in_si(name: str, given: Any, units: Any) -> tuple[Any, dict[str, str]]:
    """Parameters without units, and the units that were declared or came with the values."""
    declared = declared_units(name, units)
    if not isinstance(given, Mapping) or not any(map(is_quantity, given.values())):
        return given, declared
    values = dict(given)
    for key, value in given.items():
        if is_quantity(value):
            p = name_of(key, f"{name}: a parameter")
            read = quantity(value, f"{name}: the parameter {p}")
            _refuse_other(
                f"{name}: the parameter {p} is {value!s:.60}", read.dimension, _declared_dimension(declared, p)
            )
            values[key], declared[p] = read.number, str(read.dimension)
    return values, declared


def declared_units(name: str, units: Any) -> dict[str, str]:
    """A table from names to coherent SI units, in base units."""
    if units is None:
        return {}
    expect_mapping(units, f"{name}: `units`", "a dict from names to units, such as {'m': 'kg'}", verb="is")
    found = {}
    for key, unit in units.items():
        p = name_of(key, f"{name}: a name in `units`")
        found[p] = str(unit_dimension(unit, f"{name}: the unit of {p}"))
    return found


def _declared_dimension(declared: Mapping[str, str], name: str) -> Dimension | None:
    return Dimension.read(declared[name]) if name in declared else None


def checked_units(
    name: str, units: Mapping[str, str], kinds: Mapping[str, str], others: Collection[str]
) -> tuple[tuple[str, str], ...]:
    """Units of names that there are: coordinates with their ``kinds``, of which none says what is said already, and ``others``."""
    for p in units:
        if p not in kinds and p not in others:
            raise DeclarationError(
                f"{name}: `units` has {p}, which is neither a coordinate nor a parameter; correct it."
            )
        if kinds.get(p):
            raise DeclarationError(
                f"{name}: `units` has {p}, which is declared as {kinds[p]} already; drop one of them."
            )
    return tuple(units.items())


# Values by name, times and events.


def in_si(model: Model, given: Any) -> Any:
    """A table of values by name in which quantities are numbers, each of the dimension that its name has; all else as it is."""
    if not isinstance(given, Mapping):
        return [in_si(model, each) for each in given] if _is_plain_list(given) else given
    if not any(map(_holds_quantity, given.values())):
        return given
    return {key: _value(model, key, value) for key, value in given.items()}


def _is_plain_list(given: Any) -> bool:
    return isinstance(given, list | tuple) and any(isinstance(each, Mapping) for each in given)


def _holds_quantity(value: Any) -> bool:
    return is_quantity(value) or (isinstance(value, list | tuple) and any(map(is_quantity, value)))


def _value(model: Model, key: Any, value: Any, *, listed: bool = False) -> Any:
    """A number, exact where it stands alone: lists hold doubles."""
    if isinstance(value, list | tuple) and not is_quantity(value):
        return type(value)(_value(model, key, each, listed=True) for each in value)
    if not is_quantity(value):
        return value
    try:
        name = name_of(key, "a name")
    except DeclarationError:
        name = repr(key)
    if name == "t":
        return time_in_si(value, f"{model.name}: the time t")
    read = quantity(value, f"{model.name}: {name}")
    _refuse_other(f"{model.name}: {name} is {value!s:.60}", read.dimension, dimensions_of(model)[name])
    return read.number if listed else read.exact


def time_in_si(value: Any, what: str) -> Any:
    """A time, or a list of them, in seconds; what has no unit stays as it is."""
    if isinstance(value, list | tuple) and any(map(is_quantity, value)):
        return [time_in_si(each, what) for each in value]
    if not is_quantity(value):
        return value
    read = quantity(value, what)
    _refuse_other(f"{what} is {value!s:.60}", read.dimension, TIME)
    return read.number


def events_in_si(model: Model, given: Any) -> Any:
    """Events in which a quantity stands behind an equals sign, ``"x = 5 m"``, as expressions that vanish there; all others as they are."""
    if not isinstance(given, Mapping):
        return given
    return {name: _event(model, name, text) for name, text in given.items()}


def _event(model: Model, name: Any, text: Any) -> Any:
    left, _, right = text.partition("=") if isinstance(text, str) else ("", "", "")
    if not is_quantity(right.strip()):
        return text
    what = f"{model.name}: the event {name!s:.60}"
    read = quantity(right.strip(), what)
    found = dimension_in(model, expression(left, what))
    _refuse_other(f"{what} compares {left.strip():.60} with {right.strip():.60}", read.dimension, found)
    return f"({left.strip()}) - ({to_text(as_expression(read.exact))})"


def _refuse_other(said: str, found: Dimension, wanted: Dimension | None) -> None:
    if wanted is not None and found != wanted:
        raise DeclarationError(f"{said}, {found.words}, where {wanted.words} belongs; correct its unit.")
