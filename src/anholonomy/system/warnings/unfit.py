"""Terms that do not fit together, where kinds of coordinates are all that is said of dimensions.

A declaration without units may be written in units in which a mass, a radius or gravity is one, and then terms of different dimensions are
added in good order. So nothing is refused here, and nothing said where a term could hide such a unit.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import symengine

from anholonomy.symbolic.expressions import free_symbols, time
from anholonomy.system.model import Model
from anholonomy.system.units.checking import inescapable_misfit
from anholonomy.system.warnings.user_line import Doubt, unless, warn_the_user

__all__ = ["UnfitTerm", "warn_of_unfit_terms"]

_LONGEST = 150
"""Operations of a declaration that somebody has typed; what is longer comes from a program, and takes as long to go through as to declare."""


class UnfitTerm(Doubt):
    """Kinds of coordinates give two terms of a sum different dimensions."""


def warn_of_unfit_terms(model: Model) -> None:
    """Say which term does not fit the others, if lengths and angles are given and units are not."""
    if model.units or not any(model.coordinate_kinds) or not model.parameter_items:
        return
    spoken = (model.lagrangian, *(c.declared for c in model.constraints), *model.forces_a, *(model.momenta_a or ()))
    if time in free_symbols(spoken):  # as in cos(t), with a unit in which a frequency is one
        return
    names = tuple(name for name, _ in model.parameter_items)
    words = (model.coordinates, model.coordinate_kinds, model.velocities, names, model.speed_values, spoken)
    if misfit := _misfit(_Spoken(words, model)):
        warn_the_user(
            f"{model.name}: {misfit.removesuffix('.')} {unless('a unit is chosen so that a factor is one', UnfitTerm)}.",
            UnfitTerm,
        )


@dataclass(frozen=True)
class _Spoken:
    """What dimensions depend on: values do not matter, so that many systems of one form are looked at once."""

    words: tuple[Any, ...]
    model: Model = field(compare=False)


@lru_cache(maxsize=256)
def _misfit(spoken: _Spoken) -> str:
    return "" if symengine.count_ops(*spoken.words[-1]) > _LONGEST else inescapable_misfit(spoken.model)
