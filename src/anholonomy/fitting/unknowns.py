"""What is unknown, by name, and the bounds it has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.fitting.beginning import names_of
from anholonomy.language.given import is_list
from anholonomy.language.mistakes.nearest import near_symbol
from anholonomy.refusals import IntegrationProblem, UnknownName
from anholonomy.system.model import Model
from anholonomy.system.states.states import state_name

__all__ = ["bounds_of", "unknown_names"]


def unknown_names(model: Model, unknown: Any) -> tuple[str, ...]:
    """The names, each a parameter or an entry of the start."""
    if isinstance(unknown, str) or not is_list(unknown) or not len(unknown):
        raise UnknownName(
            f"{model.name}: `unknown` is {unknown!r:.60}; give a list of names, such as [{next(iter(model.parameters), model.coordinates[0].name)!r}]."
        )
    names, known = [state_name(model, each) for each in unknown], [*model.parameters, *names_of(model)]
    for name in names:
        if name not in known:
            near = near_symbol(name, known)
            hint = f"did you mean {near}? There" if near else "there"
            raise UnknownName(
                f"{model.name}: `unknown` has {name!r:.60}, which is no parameter, coordinate or velocity; {hint} are {', '.join(known)}."
            )
    if twice := [name for name in names if names.count(name) > 1]:
        raise UnknownName(f"{model.name}: `unknown` has {twice[0]} twice; keep one of them.")
    return tuple(names)


def bounds_of(model: Model, names: tuple[str, ...], bounds: Any) -> tuple[Array, Array]:
    """The least and the greatest value of each unknown."""
    if bounds is not None and not isinstance(bounds, Mapping):
        raise IntegrationProblem(
            f"{model.name}: `bounds` is {bounds!r:.60}; give pairs by name, such as {{{names[0]!r}: (0, None)}}."
        )
    low, high = np.full(len(names), -np.inf), np.full(len(names), np.inf)
    for name, pair in (bounds or {}).items():
        if name not in names:
            raise UnknownName(
                f"{model.name}: `bounds` has {name!r:.60}, which is not unknown; unknown are {', '.join(names)}."
            )
        k = names.index(name)
        try:
            ends = [end if value is None else float(value) for value, end in zip(pair, (-np.inf, np.inf), strict=True)]
        except (TypeError, ValueError):
            ends = [np.nan, np.nan]
        if not ends[0] < ends[1]:
            raise IntegrationProblem(
                f"{model.name}: the bounds of {name} are {pair!r:.60}; give the least and the greatest value, such as (0, None)."
            )
        low[k], high[k] = ends
    return low, high
