"""What is varied: a grid, samples that fill a box, or a list.

What is varied: a grid of values, samples that fill a box (Sobol, Latin hypercube), or a list.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from anholonomy.base.errors import IntegrationError, UnknownNameError
from anholonomy.motion.memory import refuse_unless_free
from anholonomy.programs.backends.base import Array
from anholonomy.system.model import Model

__all__ = ["Design", "designed"]

_WAYS = ("sobol", "latin", "random")


@final
@dataclass(frozen=True, eq=False)
class Design:
    """The varied names with their values, a column each; ``axes`` are those of a grid, in the order of its members."""

    columns: dict[str, Array]
    axes: dict[str, Array]

    @property
    def count(self) -> int:
        return next(iter(self.columns.values())).size


def designed(model: Model, over: Any, samples: int | None, sampling: str, seed: int) -> Design:
    """The members of a sweep.

    >>> from anholonomy.catalogue import skate
    >>> designed(skate(), {"m": [1, 2], "theta'": [0, 1, 2]}, None, "sobol", 0).columns["theta'"].tolist()
    [0.0, 1.0, 2.0, 0.0, 1.0, 2.0]
    >>> designed(skate(), {"m": (1, 2), "theta'": (0, 1)}, 4, "sobol", 0).count
    4
    """
    if not isinstance(over, Mapping) or hasattr(over, "data_vars"):
        from anholonomy.motion.starts.many_motions import table

        if over is None or not (
            hasattr(over, "columns") or hasattr(over, "data_vars") or isinstance(over, list | tuple)
        ):
            raise IntegrationError(
                f"{model.name}: `over` is {over!r:.60}; give a dict from names to values, such as {{'a': np.linspace(0, 1, 100)}}, a list "
                "of dicts or a table."
            )
        listed = {str(name): _numbers(model, str(name), values) for name, values in table(model, over).items()}
        return Design(_of_one_length(model, listed), {})
    if not over:
        raise IntegrationError(
            f"{model.name}: `over` is empty; name what is varied, such as {{'a': np.linspace(0, 1, 100)}}."
        )
    values = {str(name): _numbers(model, str(name), given) for name, given in over.items()}
    if samples is not None:
        return Design(_sampled(model, values, samples, sampling, seed), {})
    _refuse_too_many(model, math.prod(each.size for each in values.values()), len(values))
    mesh = np.meshgrid(*values.values(), indexing="ij")
    return Design({name: part.ravel() for name, part in zip(values, mesh, strict=True)}, values)


def _numbers(model: Model, name: str, given: Any) -> Array:
    try:
        values = np.atleast_1d(np.asarray(getattr(given, "values", given), dtype=float))
    except (TypeError, ValueError):
        values = np.array([np.nan])
    if values.ndim != 1 or not values.size or not np.isfinite(values).all():
        raise IntegrationError(
            f"{model.name}: {name} in `over` is no list of finite numbers; give one, such as np.linspace(0, 1, 100)."
        )
    return values


def _refuse_too_many(model: Model, count: int, names: int) -> None:
    """Members whose varied values alone are no more than memory holds, twice while they are put in order."""
    refuse_unless_free(
        16.0 * count * names, f"{model.name}: {count:,d} members with {names} names in `over`", "give fewer values"
    )


def _of_one_length(model: Model, columns: dict[str, Array]) -> dict[str, Array]:
    count = max(values.size for values in columns.values())
    if wrong := [name for name, values in columns.items() if values.size not in (1, count)]:
        raise IntegrationError(
            f"{model.name}: {wrong[0]} has {columns[wrong[0]].size} values and others {count}; give as many of each."
        )
    return {name: np.broadcast_to(values, (count,)).copy() for name, values in columns.items()}


def _sampled(model: Model, ranges: dict[str, Array], samples: int, sampling: str, seed: int) -> dict[str, Array]:
    """Points of a box, always the same for the same seed."""
    from scipy.stats import qmc

    if not isinstance(samples, int | np.integer) or samples < 1:
        raise IntegrationError(
            f"{model.name}: samples={samples!r:.60} is no number of members; give one, such as 1024."
        )
    _refuse_too_many(model, samples, len(ranges))
    if not isinstance(seed, int | np.integer) or seed < 0:
        raise IntegrationError(f"{model.name}: seed={seed!r:.60} is no whole number from 0 on; give one.")
    if sampling not in _WAYS:
        raise UnknownNameError(f"there is no sampling {sampling!r:.60}; there are {', '.join(_WAYS)}.")
    if wrong := [name for name, pair in ranges.items() if pair.size != 2]:
        raise IntegrationError(
            f"{model.name}: with samples= give {wrong[0]} in `over` two numbers, the least and the largest."
        )
    size = len(ranges)
    if sampling == "sobol":
        # A power of two is balanced; what is more is left out.
        unit = qmc.Sobol(size, rng=seed).random_base2(int(np.ceil(np.log2(samples))))[:samples]
    elif sampling == "latin":
        unit = qmc.LatinHypercube(size, rng=seed).random(samples)
    else:
        unit = np.random.default_rng(seed).random((samples, size))
    return {name: low + (high - low) * unit[:, k] for k, (name, (low, high)) in enumerate(ranges.items())}
