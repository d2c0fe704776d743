"""The principle whose equations are integrated unless one is named: the reduced equations that make the smallest program."""

from __future__ import annotations

from functools import lru_cache

from anholonomy.compile.lowering import Compiled
from anholonomy.formulations.base import AbstractFormulation
from anholonomy.formulations.equations.derivation import Derivation
from anholonomy.formulations.principles import formulation, suited
from anholonomy.simulate.problem import integrable
from anholonomy.system.model import Model

__all__ = ["derivation_for", "smallest"]

_REDUCED = ("kane", "hamel")
"""Principles in the same speeds; of a large system, the first has made the smaller program whenever it was tried."""
_LARGE = 1000
"""Operations from which on the second is not derived for comparison."""


def derivation_for(declared: Model, by: str | AbstractFormulation | None) -> Derivation:
    """How the equations of a motion are derived: by a principle, or by the smallest without constraints that follow from others."""
    model = integrable(declared) if by is None else declared
    return Derivation.for_all_values(model, smallest(model) if by is None else formulation(by))


@lru_cache(maxsize=256)
def smallest(model: Model) -> AbstractFormulation:
    """Of the principles with reduced equations the one with fewest operations; where none covers the system, the one that suits it.

    >>> from anholonomy.catalogue import chaplygin_ball, free_particle
    >>> smallest(chaplygin_ball()).name
    'kane'
    """
    covering = tuple(name for name in _REDUCED if formulation(name).covers(model))
    return _least(model.with_free_parameters, covering) if covering else suited(model)


@lru_cache(maxsize=256)
def _least(model: Model, names: tuple[str, ...]) -> AbstractFormulation:
    sizes: dict[AbstractFormulation, int] = {}
    for principle in map(formulation, names):
        sizes[principle] = Compiled(Derivation.for_all_values(model, principle).equations).rates.operations
        if sizes[principle] > _LARGE:
            break
    return min(sizes, key=sizes.__getitem__)
