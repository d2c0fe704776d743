"""A parameter that nothing uses is a name that was misspelt somewhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import is_dataclass
from typing import Any

from anholonomy.symbolic.expressions import Symbol, free_symbols
from anholonomy.system.model import Model
from anholonomy.system.warnings.user_line import Doubt, unless, warn_the_user

__all__ = ["UnusedParameter", "warn_of_idle_parameters"]


class UnusedParameter(Doubt):
    """A parameter occurs nowhere."""


def warn_of_idle_parameters(model: Model) -> None:
    """Say which parameters occur in no part of a declaration, the scene included."""
    rows = (*(model.span_ba or ()), model.forces_a, model.momenta_a or ())
    spoken = [model.lagrangian, *(c.declared for c in model.constraints), *(entry for row in rows for entry in row)]
    used = {s.name for s in free_symbols(spoken)}
    idle = [name for name, _ in model.parameter_items if name not in used]
    drawn = {s.name for s in _drawn(model.scene)} if idle else set()
    for name in (each for each in idle if each not in drawn):
        warn_the_user(
            f"{model.name}: the {'input' if name in model.inputs else 'parameter'} {name} occurs nowhere; drop it, or correct a name "
            f"{unless('it is kept for later', UnusedParameter)}.",
            UnusedParameter,
        )


def _drawn(thing: Any) -> Iterator[Symbol]:
    """The symbols in shapes, however deep."""
    if is_dataclass(thing):
        thing = tuple(vars(thing).values())
    if isinstance(thing, tuple | list):
        for each in thing:
            yield from _drawn(each)
    elif hasattr(thing, "free_symbols"):
        yield from thing.free_symbols
