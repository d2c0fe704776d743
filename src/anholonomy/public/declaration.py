"""The arguments of `System` read into a model, changed, and written to a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict

from anholonomy.base.errors import DeclarationError, Error, UnknownNameError, quoted
from anholonomy.equations.principles import PRINCIPLES
from anholonomy.geometry.groups import AbstractGroup
from anholonomy.language.arguments import name_of, value_of
from anholonomy.public.options import refuse_unknown
from anholonomy.system.bodies.declaration import with_bodies
from anholonomy.system.bodies.scene import scenery
from anholonomy.system.bodies.toml import parts_toml, read_parts
from anholonomy.system.checks.redundant_constraints import revalued
from anholonomy.system.checks.well_posed import check_model
from anholonomy.system.declaration.declare import UNNAMED, declare
from anholonomy.system.declaration.toml import checked_toml, from_toml, read_system
from anholonomy.system.model import Model
from anholonomy.system.states.complete_state import refuse_unknown as refuse_unknown_state
from anholonomy.system.units.checking import check_dimensions
from anholonomy.system.units.to_si import parameters_in_si
from anholonomy.system.warnings import warn_if_substituted, warn_of_mistakes

__all__ = ["Arguments", "check", "declared", "read_file", "toml_of", "with_parameters"]


class Arguments(TypedDict, total=False):
    """The arguments of `System`, each of which its docstring explains."""

    name: str
    coordinates: Sequence[Any] | Mapping[Any, str]
    lagrangian: Any
    constraints: Sequence[Any] | Mapping[str, Any]
    parameters: Mapping[Any, float | None] | Iterable[Any]
    forces: Mapping[Any, Any] | None
    span: Sequence[Sequence[Any]] | None
    speeds: Sequence[Any] | Mapping[Any, Any] | None
    momenta: Mapping[Any, Any] | None
    redundant: str
    group: AbstractGroup | str | None
    kinetic: Sequence[Any] | None
    potential: Any
    scene: Sequence[Mapping[str, Any]] | None
    one_sided: Sequence[str]
    start: Mapping[Any, Any] | None
    functions: Sequence[str]
    inputs: Sequence[Any]
    units: Mapping[Any, str] | None
    bodies: Sequence[Any]
    joints: Sequence[Any]
    contacts: Sequence[Any]
    loads: Sequence[Any]
    gravity: Any


def declared(arguments: Mapping[str, Any]) -> tuple[Model, dict[str, Any]]:
    """Read the arguments of `System`: the model, and the arguments themselves if bodies were declared, which a file keeps."""
    refuse_unknown("System", arguments, tuple(Arguments.__annotations__))
    given = _in_si(arguments)
    model = check(_model(given))
    has_bodies = bool(given.get("bodies"))
    warn_if_substituted(model)
    warn_of_mistakes(model, built=has_bodies)
    return model, {name: value for name, value in given.items() if has_bodies and value is not None}


def check(model: Model) -> Model:
    """Refuse a model that is not well posed, or a declared start with unknown names."""
    check_model(model)
    if model.start_items:
        costates = [mu for principle in PRINCIPLES for mu in type(principle).costates(model)]
        refuse_unknown_state(model, model.start, costates)
    return model


def with_parameters(model: Model, table: Mapping[Any, Any] | None, values: Mapping[str, Any]) -> Model:
    """The model with other values of parameters; None frees a symbol."""
    if table is not None and not isinstance(table, Mapping):
        raise DeclarationError(f"{model.name}: {quoted(table)} is no table of parameters; give a dict, or m=2.0.")
    values = {name_of(key, f"{model.name}: a parameter"): value for key, value in (table or {}).items()} | dict(values)
    if unknown := sorted(set(values) - set(model.parameters)):
        known = ", ".join(model.parameters) or "none"
        raise UnknownNameError(f"{model.name} has no parameter {unknown[0]!r}; its parameters are {known}.")
    given, units = parameters_in_si(model.name, values, dict(model.units))
    items = tuple(
        (p, value_of(given[p], f"{model.name}: the parameter {p}") if p in values else old)
        for p, old in model.parameter_items
    )
    changed = revalued(model, items)
    if units != dict(model.units):
        changed = changed.replaced(units=tuple(units.items()))
        check_dimensions(changed)
    return changed


def toml_of(model: Model, parts: Mapping[str, Any]) -> str:
    """The declaration as a TOML text: by bodies, joints, contacts and loads if it was made so."""
    if parts:
        try:
            text = parts_toml(parts, model)
            if _model(_in_si(read_parts(from_toml(text, model.name, parts=True), model.name))) == model:
                return text
        except Error:
            pass  # a word that no text can hold
    return checked_toml(model)


def read_file(path: str | Path) -> dict[str, Any]:
    """The arguments of the system that a TOML file declares."""
    return read_parts(read_system(path), str(path))


def _model(arguments: Mapping[str, Any]) -> Model:
    return declare(**with_bodies(**{"name": UNNAMED, **arguments}) | scenery(arguments))


def _in_si(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments with parameters as plain numbers and their units beside them."""
    name = arguments.get("name", UNNAMED)
    given, units = parameters_in_si(name, arguments.get("parameters", ()), arguments.get("units"))
    return {**arguments, "parameters": given, "units": units or None}
