r"""Ends that are the same place: an angle and full turns of it, a quaternion and its negative.

.. math:: \theta \sim \theta + 2\pi k, \qquad q \sim -q
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.geometry.groups import SO3
from anholonomy.language.given import is_list
from anholonomy.language.mistakes.nearest import near_symbol
from anholonomy.refusals import IllPosedSystem, UnknownName
from anholonomy.symbolic.expressions import symbol
from anholonomy.system.model import Model

__all__ = ["ends", "turned"]


def turned(model: Model, modulo: object) -> tuple[str, ...]:
    """The coordinates that count modulo full turns, as a user names them."""
    names = [modulo] if isinstance(modulo, str) else list(modulo) if is_list(modulo) else None  # type: ignore[call-overload]
    if names is None:
        raise IllPosedSystem(f"{model.name}: `modulo` is {modulo!r:.60}; give a list of angles.")
    known = [q.name for q in model.coordinates]
    for name in names:
        if str(name) not in known:
            near = near_symbol(str(name), known)
            hint = f"did you mean {near}?" if near else f"there are {', '.join(known)}."
            raise UnknownName(f"{model.name}: `modulo` has {name!r:.60}, which is no coordinate of this system; {hint}")
        if symbol(str(name)) in model.redundant_coordinates and not isinstance(model.group, SO3):
            raise IllPosedSystem(f"{model.name}: `modulo` has {name}, which is no angle; leave it out.")
    return tuple(dict.fromkeys(map(str, names)))


def ends(model: Model, first: Array, last: Array, names: Sequence[str]) -> Iterator[tuple[Array, str]]:
    """The end at the full turns nearest to the start, and at the next ones to the other side, with words for each."""
    places = [q.name for q in model.coordinates]
    flips = [name for name in names if symbol(name) in model.redundant_coordinates]
    angles = [name for name in names if name not in flips]
    choices = []
    for name in angles:
        k = places.index(name)
        nearest = round((first[k] - last[k]) / math.tau)
        beyond = -1 if last[k] + math.tau * nearest > first[k] else 1
        choices.append((nearest, nearest + beyond))
    signs = (1, -1) if flips else (1,)
    for sign, turns in product(signs, product(*choices)):
        end = last.copy()
        if sign < 0 and model.group is not None:
            own = [places.index(q.name) for q in model.group.coordinates]
            end[own] = -end[own]
        for name, turn in zip(angles, turns, strict=True):
            end[places.index(name)] += math.tau * turn
        said = [f"{name} ends {turn:+d} full turns on" for name, turn in zip(angles, turns, strict=True) if turn]
        said += ["the attitude ends as the opposite quaternion"] if sign < 0 else []
        yield np.asarray(end), ", ".join(said)
