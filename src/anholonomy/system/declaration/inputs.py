r"""Inputs of a system: forces from outside, $Q_a(q, w, t, \tau)$, that are named, and feedback written in their place.

An input acts through the forces; its name is neither a coordinate nor a parameter. Equations are derived with it as a symbol; a motion
needs a signal for it, and a system whose inputs are written out has none left.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from anholonomy.algebra.expressions import Expr, Symbol, dot, symbol, time
from anholonomy.algebra.linear_algebra.symbolic import solve
from anholonomy.algebra.steps.definitions import inline
from anholonomy.base.errors import DeclarationError, NotSupportedError, UnknownNameError, quoted
from anholonomy.language import check_name
from anholonomy.language.arguments import expect_list, expression, name_of
from anholonomy.language.suggestions import near_symbol
from anholonomy.system.frames.adapted import adapted_frame
from anholonomy.system.model import Model
from anholonomy.system.states.speeds_from_rates import rates_in_speeds

__all__ = [
    "feedback",
    "read_inputs",
    "refuse_inputs",
    "refuse_unknown_input",
    "speeds_in_velocities",
    "told_of_input",
    "with_inputs",
    "written_inputs",
]


def read_inputs(name: str, given: Sequence[Any], taken: Collection[str]) -> tuple[str, ...]:
    """The names of the inputs; none is that of something else."""
    expect_list(given, f"{name}: `inputs`", "a list of names such as ['tau']", verb="is")
    found: list[str] = []
    for each in given:
        u = name_of(each, f"{name}: an input")
        check_name(u, f"{name}: the input")
        if u in found or u in taken:
            what = "declared twice" if u in found else "the name of something else, too"
            raise DeclarationError(f"{name}: the input {u} is {what}; rename it, or keep one.")
        found.append(u)
    return tuple(found)


def told_of_input(first: str, bare: str, what: str) -> str:
    """Why an input cannot be where it was found."""
    if first != bare:
        return f"{first} appears in {what} but {bare} is an input, whose rate nobody knows; make it a coordinate."
    return f"{first} appears in {what} and is an input; inputs act through `forces` and loads, so write it there."


def refuse_inputs(model: Model, what: str) -> None:
    """Say which input must be written out before there can be ``what``, such as ``"a conserved quantity"``."""
    for u in model.inputs:
        raise NotSupportedError(
            f"{model.name}: {what} depends on what the input {u} does; say system.with_inputs({u}=0) first, or another "
            "number or feedback."
        )


def refuse_unknown_input(model: Model, u: object) -> None:
    if u not in model.inputs:
        known = ", ".join(model.inputs) or "none"
        raise UnknownNameError(f"{model.name} has no input {quoted(str(u))}; its inputs are {known}.")


def with_inputs(model: Model, given: Mapping[str, Any]) -> Model:
    """The model with inputs written out, as numbers or texts of feedback."""
    for u in given:
        refuse_unknown_input(model, u)
    return written_inputs(model, {u: feedback(model, u, value) for u, value in given.items()})


def written_inputs(model: Model, values: Mapping[str, Expr]) -> Model:
    """The model with inputs written out as expressions of the state, time, parameters and other inputs."""
    written = {symbol(u): value for u, value in values.items()}
    return model.replaced(
        forces_a=tuple(force.xreplace(written) for force in model.forces_a),
        parameter_items=tuple(item for item in model.parameter_items if item[0] not in values),
        inputs=tuple(u for u in model.inputs if u not in values),
    )


def feedback(model: Model, u: str, value: Any, speeds: Mapping[str, str] | None = None) -> Expr:
    """What an input is made to be, an expression in coordinates, velocities, speeds, time and parameters."""
    what = f"{model.name}: the input {u}"
    found = expression(value, what, coordinates=[q.name for q in model.coordinates])
    found = found.xreplace({**model.named, **rates_in_speeds(model)})
    allowed = {*model.coordinates, *model.velocities, *(symbol(p) for p in model.parameters), time}
    if found.free_symbols - allowed:
        found = found.xreplace(speeds_in_velocities(model, speeds or {}))
    if strangers := sorted(s.name for s in found.free_symbols - allowed):
        first, names = strangers[0], sorted(s.name for s in allowed)
        if first in model.inputs:
            raise DeclarationError(f"{what} uses the input {first}; write it with the state and the time.")
        if first in {a.name for a in model.accelerations}:
            raise DeclarationError(
                f"{what} uses {first}; an acceleration follows from the inputs, so write velocities."
            )
        near = near_symbol(first, names)
        hint = f"did you mean {near}?" if near else f"the names are {', '.join(names)}."
        raise UnknownNameError(f"{what} uses {first}, which the system does not know; {hint}")
    return found


def speeds_in_velocities(model: Model, chosen: Mapping[str, str]) -> dict[Symbol, Expr]:
    r"""The speeds that a user named, as functions of the velocities; along a span, $u = (SS^{\mathsf T})^{-1}S\,(w - s)$."""
    if chosen:
        return {symbol(name): expression(text, name) for name, text in chosen.items()}
    if model.speed_values is not None:
        return dict(zip(map(symbol, model.speed_names or ()), model.speed_values, strict=True))
    if model.span_ba is None:
        return {}
    frame = adapted_frame(model.independent)
    S, moved = frame.span_ba, [w - s for w, s in zip(model.velocities, frame.offset_a, strict=True)]
    (found,) = solve([[dot(a, b) for b in S] for a in S], [[dot(row, moved) for row in S]])
    return dict(zip(frame.speeds, inline(found, frame.definitions), strict=True))
