"""States, inputs and coordinates that a user names, read into numbers for the questions of this room."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from anholonomy.algebra.expressions import symbol
from anholonomy.base.errors import IntegrationError, UnknownNameError, quoted
from anholonomy.language.arguments import expect_mapping
from anholonomy.language.suggestions import did_you_mean
from anholonomy.motion.problem.one_motion import start_point
from anholonomy.motion.trajectory import Trajectory
from anholonomy.motion.vector_field import VectorField
from anholonomy.programs.backends.base import Array
from anholonomy.system.model import Model
from anholonomy.system.states.complete_state import finite_number

__all__ = [
    "admissible_state",
    "input_names",
    "numbers_by_name",
    "parameter_places",
    "refuse_another_system",
    "refuse_nameless",
    "refuse_unknown",
]


def parameter_places(model: Model, names: Iterable[str]) -> list[int]:
    """The places of parameters, inputs among them, in the order of their names."""
    own = [s.name for s in model.parameter_symbols]
    return [own.index(name) for name in names]


def numbers_by_name(model: Model, given: Mapping[str, object], more: Sequence[str] = ()) -> dict[str, float]:
    """The numbers that ``given`` has for coordinates, velocities and whatever else may be named."""
    names = [*(s.name for s in (*model.coordinates, *model.velocities)), *more]
    found = {}
    for name, value in given.items():
        refuse_unknown(model, name, names, "given", "coordinate or velocity")
        if (number := finite_number(value)) is None:
            raise IntegrationError(
                f"{model.name}: {name} = {quoted(value)} is not a finite number; give one, such as 0.5."
            )
        found[str(name)] = float(number.mid())
    return found


def input_names(model: Model, inputs: object) -> tuple[str, ...]:
    """Names of inputs, one or several."""
    if not isinstance(inputs, str | Sequence):
        raise UnknownNameError(f"{model.name}: `inputs` is {quoted(inputs)}; give names of inputs, such as ['tau'].")
    return tuple(dict.fromkeys((inputs,) if isinstance(inputs, str) else inputs))


def refuse_unknown(model: Model, name: object, names: Sequence[str], word: str, kind: str) -> None:
    """Refuse a name in the argument ``word`` that is none of those known."""
    if name not in names:
        raise UnknownNameError(
            f"{model.name}: `{word}` has {quoted(str(name))}, which is no {kind}; {did_you_mean(str(name), names)}"
            f"there are {', '.join(names)}."
        )


def refuse_nameless(model: Model, word: str, said: object) -> None:
    """Refuse an argument that is no dict of values by name."""
    expect_mapping(
        said,
        f"{model.name}: `{word}`",
        f"values by name, such as {{{model.coordinates[0].name!r}: 0.1}}",
        verb="is",
        refusal=IntegrationError,
    )


def refuse_another_system(model: Model, run: Trajectory | VectorField) -> None:
    """Refuse a motion of another system."""
    own = (*model.coordinates, *model.velocities, *map(symbol, model.inputs))
    if (*run.model.coordinates, *run.model.velocities, *map(symbol, run.model.inputs)) != own:
        raise IntegrationError(f"{model.name}: the motion is one of {run.model.name}; give one of this system.")


def admissible_state(field: VectorField, z: Array, p: Array, t: float = 0.0) -> dict[str, float]:
    """Coordinates and velocities by name, put on the constraints to the last digit, so that `simulate` takes them.

    A search ends with residuals that are small beside the rates of a motion, which may be large beside a coordinate that is zero.
    """
    model = field.model
    own = dict(zip(field.names, map(float, z), strict=True))
    if not model.on_positions and not model.velocity_constraints:
        return own
    values = dict(zip((s.name for s in model.parameter_symbols), map(float, p), strict=True))
    found = start_point(model.independent, (), {**own, **values, "t": t}, True)
    return {s.name: found[s] for s in (*model.coordinates, *model.velocities)}
