"""A declaration as lines that a person reads: headings, and under each what was declared."""

from __future__ import annotations

from collections.abc import Mapping

from anholonomy.language import to_text
from anholonomy.system.constraints import Constraint
from anholonomy.system.model import Model

__all__ = ["kind_words", "sections", "start_text"]


def sections(model: Model) -> dict[str, list[str]]:
    """What the system declares, by heading; a heading without content is left out.

    >>> from anholonomy.catalogue import chaplygin_sleigh
    >>> sections(chaplygin_sleigh())["constraints"]
    ["blade (linear): cos(theta)*y' - sin(theta)*x' = 0"]
    """
    kinds = zip(model.coordinates, model.coordinate_kinds, strict=True)
    forces = zip(model.velocities, model.forces_a, strict=True)
    momenta = zip(model.velocities, model.momenta_a or (), strict=False)
    found = {
        "coordinates": [f"{q.name} ({kind})" if kind else q.name for q, kind in kinds],
        "Lagrangian": [to_text(model.lagrangian)] if model.momenta_a is None else [],
        "momenta": [f"along {w.name}: {to_text(p)}" for w, p in momenta if p != 0],
        "constraints": [f"{c.label} ({kind_words(c)}): {to_text(c.declared)} = 0" for c in model.constraints],
        "forces": [f"along {w.name}: {to_text(force)}" for w, force in forces if force != 0],
        "parameters": [f"{p} = {'free' if v is None else format(v, '.15g')}" for p, v in model.parameter_items],
        "span": _span(model),
    }
    return {heading: lines for heading, lines in found.items() if lines}


def kind_words(constraint: Constraint) -> str:
    """The kinds of one constraint, such as ``affine, time-dependent``."""
    return ", ".join(kind.label for kind in constraint.kind)


def start_text(start: Mapping[str, float]) -> list[str]:
    """A start, one value a line.

    >>> start_text({"x": 0.0, "theta'": 0.5})
    ['x = 0', "theta' = 0.5"]
    """
    return [f"{name} = {value:.15g}" for name, value in start.items()]


def _span(model: Model) -> list[str]:
    if model.span_ba is None:
        return []
    names = model.speed_names or tuple(f"direction {b + 1}" for b in range(len(model.span_ba)))
    return [f"{n}: ({', '.join(map(to_text, row))})" for n, row in zip(names, model.span_ba, strict=True)]
