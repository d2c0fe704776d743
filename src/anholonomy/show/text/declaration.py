"""A declaration as lines that a person reads: headings, and under each what was declared."""

from __future__ import annotations

from collections.abc import Mapping

from anholonomy.algebra.expressions import Expr
from anholonomy.language.writing import brief, brief_vector, leaves_out
from anholonomy.show.labels import unit_in
from anholonomy.show.text.groups import group_lines
from anholonomy.system.constraints import Constraint
from anholonomy.system.model import Model

__all__ = ["is_shortened", "sections", "start_text"]


def sections(model: Model, whole: bool = False) -> dict[str, list[str]]:
    """What the system declares, by heading; a heading without content is left out.

    Long expressions are counted instead of printed unless ``whole``.

    >>> from anholonomy.catalogue import chaplygin_sleigh
    >>> sections(chaplygin_sleigh().model)["constraints"]
    ["blade (linear): cos(theta)*y' - sin(theta)*x' = 0"]
    """
    kinds = zip(model.coordinates, model.coordinate_kinds, strict=True)
    forces = zip(model.velocities, model.forces_a, strict=True)
    momenta = zip(model.velocities, model.momenta_a or (), strict=False)

    def say(value: Expr) -> str:
        return brief(value, whole)

    found = {
        "group": group_lines(model.group.name) if model.group else [],
        "coordinates": [f"{q.name} ({kind})" if kind else q.name for q, kind in kinds],
        "Lagrangian": [say(model.lagrangian)] if model.momenta_a is None else [],
        "momenta": [f"along {w.name}: {say(p)}" for w, p in momenta if p != 0],
        "constraints": [f"{c.label} ({_what(model, c)}): {say(c.declared)} = 0" for c in model.constraints],
        "forces": [f"along {w.name}: {say(force)}" for w, force in forces if force != 0],
        "parameters": [f"{p} = {_valued(model, p, v)}" for p, v in model.parameters.items()],
        "inputs": list(model.inputs),
        "functions": [f"{say(call)}, not specified" for call in model.functions],
        "span": _span(model, whole),
    }
    return {heading: lines for heading, lines in found.items() if lines}


def _valued(model: Model, name: str, value: float | None) -> str:
    """The value of a parameter with its unit."""
    unit = unit_in(model, name)
    return ("free" if value is None else format(value, ".15g")) + (
        f" ({unit})" if unit and value is None else f" {unit}" if unit else ""
    )


def _what(model: Model, constraint: Constraint) -> str:
    """The kinds of a constraint, such as ``affine, time-dependent``, and whether it only pushes."""
    sided = ["one-sided"] if constraint.label in model.one_sided else []
    return ", ".join([*(kind.label for kind in constraint.kind), *sided])


def start_text(start: Mapping[str, float | str]) -> list[str]:
    """A start, one value a line.

    >>> start_text({"x": 0.0, "theta": "pi/2", "theta'": 0.5})
    ['x = 0', 'theta = pi/2', "theta' = 0.5"]
    """
    return [f"{name} = {value if isinstance(value, str) else format(value, '.15g')}" for name, value in start.items()]


def is_shortened(model: Model) -> bool:
    """Whether `sections` leaves something out."""
    return any(leaves_out(line) for lines in sections(model).values() for line in lines)


def _span(model: Model, whole: bool) -> list[str]:
    if model.speed_values is not None:
        meant = zip(model.speed_names or (), (brief(value, whole) for value in model.speed_values), strict=True)
        return [name if name == value else f"{name} = {value}" for name, value in meant]
    if model.span_ba is None:
        return []
    names = model.speed_names or tuple(f"direction {b + 1}" for b in range(len(model.span_ba)))
    return [f"{n}: {brief_vector(row, whole)}" for n, row in zip(names, model.span_ba, strict=True)]
