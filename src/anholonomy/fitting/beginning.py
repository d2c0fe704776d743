r"""Starts that move on the constraints: what of a start may be varied by itself, and what follows.

.. math:: c(z, t, p) = 0, \qquad C\,\delta z = -D_p c\,\delta p, \qquad \delta z_K \text{ chosen}

Of the coordinates the unknown ones are independent, then as many of the given ones, in the order given, as the constraints leave free;
then the same of the velocities. The rest follows from these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import final

import numpy as np

from anholonomy.compile.backends import fast_function
from anholonomy.compile.backends.base import Array, Function
from anholonomy.compile.derivatives import jacobian
from anholonomy.compile.program import Program, lower
from anholonomy.fitting.variations import Directions
from anholonomy.refusals import InadmissibleState
from anholonomy.symbolic.expressions import Symbol, time
from anholonomy.symbolic.numbers.subspaces import kernel
from anholonomy.system.model import Model
from anholonomy.tolerances import NOTHING

__all__ = ["Beginning"]

_ROUNDS = 30
"""Newton's steps onto the constraints."""


@final
@dataclass(frozen=True, eq=False)
class Beginning:
    """A start $z$ at a time, with the places in $z$ that are held or varied; the others follow.

    Attributes
    ----------
    follow
        The names that were given, but follow from the constraints where the unknown ones change.
    """

    model: Model
    z: Array
    t: float
    kept: tuple[int, ...]
    follow: tuple[str, ...]

    @classmethod
    def of(cls, model: Model, point: Mapping[Symbol, float], given: Sequence[str], unknown: Sequence[str]) -> Beginning:
        """From a complete state, the names that were given, and those among them that are unknown."""
        names = names_of(model)
        z, p = np.array([point[s] for s in symbols_of(model)]), np.array([point[s] for s in model.parameter_symbols])
        free = kernel(_constraints_at(model, z, point[time], p)[1])
        wanted = [*unknown, *(n for n in given if n not in unknown), *(n for n in names if n not in (*given, *unknown))]
        # A velocity follows from coordinates, never the other way.
        order = sorted(wanted, key=lambda name: names.index(name) >= len(model.coordinates))
        kept, basis = list[int](), np.empty((0, free.shape[1]))
        for name in order:
            row = free[names.index(name)]
            left = row - basis.T @ (basis @ row)
            if np.linalg.norm(left) > NOTHING * max(float(np.linalg.norm(row)), NOTHING) and len(kept) < free.shape[1]:
                kept.append(names.index(name))
                basis = np.vstack([basis, left / np.linalg.norm(left)])
            elif name in unknown:
                others = [n for n in unknown if n != name and names.index(n) in kept] or ["the coordinates"]
                raise InadmissibleState(
                    f"{model.name}: on the constraints the unknown start of {name} is determined by {', '.join(others)}; leave it out of `unknown`."
                )
        follow = tuple(n for n in given if n not in unknown and names.index(n) not in kept)
        return cls(model, z, point[time], tuple(kept), follow)

    def moved(self, values: Mapping[str, float], p: Array) -> Beginning:
        """With other values of some names; what follows is put on the constraints by Newton's method, from where it was."""
        names, z = names_of(self.model), self.z.copy()
        for name, value in values.items():
            z[names.index(name)] = value
        others = [k for k in range(z.size) if k not in self.kept]
        for _ in range(_ROUNDS):
            c, C, _ = _constraints_at(self.model, z, self.t, p)
            if not others or not np.isfinite(c).all() or not np.isfinite(C).all():
                break
            step = np.linalg.lstsq(C[:, others], -c, rcond=None)[0]
            z[others] += step
            if np.abs(step).max(initial=0.0) <= 1e-15 * max(1.0, float(np.abs(z).max())):
                break
        size = np.abs(_constraints_at(self.model, z, self.t, p)[0]).max(initial=0.0)
        if not size <= 1e-9 * max(1.0, float(np.abs(z).max())):
            raise InadmissibleState(f"{self.model.name}: no start with these values satisfies the constraints.")
        return Beginning(self.model, z, self.t, self.kept, self.follow)

    def directions(self, unknown: Sequence[str], p: Array) -> Directions:
        """How the start changes with each unknown, a parameter or an entry of the start."""
        names, parameters = names_of(self.model), [s.name for s in self.model.parameter_symbols]
        _, C, by_p = _constraints_at(self.model, self.z, self.t, p)
        held = np.eye(self.z.size)[list(self.kept)]
        columns, places = [], list[int | None]()
        for name in unknown:
            place = parameters.index(name) if name in parameters else None
            pushed = np.zeros(len(C)) if place is None else -by_p[:, place]
            own = held[:, names.index(name)] if place is None else np.zeros(len(held))
            columns.append(np.linalg.lstsq(np.vstack([C, held]), np.concatenate([pushed, own]), rcond=None)[0])
            places.append(place)
        return Directions(np.stack(columns, axis=1), tuple(places))

    @property
    def state(self) -> dict[str, float]:
        """The start as `simulate` takes it."""
        return {**dict(zip(names_of(self.model), map(float, self.z), strict=True)), time.name: self.t}


def symbols_of(model: Model) -> tuple[Symbol, ...]:
    return (*model.coordinates, *model.velocities)


def names_of(model: Model) -> list[str]:
    """What $z$ holds."""
    return [s.name for s in symbols_of(model)]


def _constraints_at(model: Model, z: Array, t: float, p: Array) -> tuple[Array, Array, Array]:
    """What must vanish, and its derivatives by $z$ and by the parameters."""
    program, values, slopes = _compiled(model.with_free_parameters)
    J = slopes(t, z, p).reshape(len(program.outputs), z.size + p.size)
    return values(t, z, p), J[:, : z.size], J[:, z.size :]


@lru_cache(maxsize=64)
def _compiled(model: Model) -> tuple[Program, Function, Function]:
    held = [c.position for c in model.on_positions if c.position is not None]
    program = lower(
        symbols_of(model), model.parameter_symbols, (), [*held, *(c.expression for c in model.velocity_constraints)]
    )
    by = (*program.states, *program.parameters)
    return program, fast_function(program), fast_function(jacobian(program, by))
