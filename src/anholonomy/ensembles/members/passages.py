r"""Between which samples a function of many members passes through zero; what it may be off by where it is, $\delta f$, has no sign.

A scale of the whole motion would hide what is small at first in motions that grow: $\delta f$ is that of `anholonomy.simulate.events.noise`
at each sample, asked for where a sign depends on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from anholonomy.compile.backends.base import Array
from anholonomy.ensembles.members.observing import Observables
from anholonomy.ensembles.members.points import Points
from anholonomy.formulations.euler_lagrange import energy
from anholonomy.simulate.events.find import NOISE, begun, ends_low, passes
from anholonomy.simulate.events.noise import noise
from anholonomy.simulate.events.quantities import quantities
from anholonomy.simulate.problem import MACHINE
from anholonomy.symbolic.expressions import Symbol, time

__all__ = ["passages"]


def passages(
    functions: Observables, k: int, values: Array, samples: Points, tolerance: float, sizes: NDArray[np.intp]
) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """The members in whose first ``sizes`` samples function ``k``, with ``values`` (member, time), passes through zero: places before and after."""
    share, width = NOISE * max(tolerance, MACHINE), values.shape[1]
    signs = np.sign(values)
    turning = (signs[:, 1:] != signs[:, :-1]).any(axis=1)
    asked = [
        i
        for i in map(int, np.flatnonzero(sizes > 1))
        if turning[i] or (values[i].any() and ends_low(values[i, : sizes[i]]))
    ]
    places = [[0, sizes[i] - 1, *(j for pair in passes(values[i, : sizes[i]], 0.0) for j in pair)] for i in asked]
    owners = np.repeat(np.array(asked, dtype=np.int64), [len(each) for each in places])
    flat = np.concatenate([np.zeros(0, dtype=np.int64), *places]).astype(np.int64) + owners * width
    is_low = np.abs(values.ravel()[flat]) <= _rounding(functions, k, samples[flat], share)
    doubtful = set(map(int, owners[is_low]))
    for i in asked:
        row = values[i, : sizes[i]]
        floor: Array | float = 0.0
        if i in doubtful:
            floor = _rounding(functions, k, samples[i * width : i * width + row.size], share)
        floors = begun(floor, row)
        floors[-1] = max(floors[-1], begun(0.0, row[::-1])[0])  # where an event may have stopped it
        if found := passes(row, floors):
            yield i, found


def _rounding(functions: Observables, k: int, points: Points, share: float) -> Array:
    """What a function may be off by at some points."""
    model = functions.model
    names = (s for s, (section, _) in quantities(model).items() if section == "energy")
    f = functions.functions[k].xreplace(dict(zip(names, energy(model), strict=True)))
    known: dict[Symbol, Array | float] = {time: points.t}
    known |= dict(zip(model.coordinates, points.q.T, strict=True)) | dict(
        zip(model.velocities, points.w.T, strict=True)
    )
    known |= dict(zip(model.parameter_symbols, points.p.T, strict=True))
    others = tuple(f.free_symbols - known.keys())
    if others:
        seen = replace(functions, names=tuple(s.name for s in others), functions=others).values(points)
        known |= dict(zip(others, seen, strict=True))
    return np.broadcast_to(noise(f, known, share), points.t.shape)
