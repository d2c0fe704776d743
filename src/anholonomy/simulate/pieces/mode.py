r"""Equations of motion in one mode: the sign $s_k$ of every switching function $u_k$ is held."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias, final

import numpy as np
import symengine

from anholonomy.compile.backends.base import Array
from anholonomy.compile.modes import Modes
from anholonomy.language.writing import to_text
from anholonomy.lazy import cached_property
from anholonomy.symbolic.expressions import Expr, Symbol, Vector
from anholonomy.symbolic.switches import is_positive
from anholonomy.tolerances import NOTHING

__all__ = ["Mode", "Watched"]

Watched: TypeAlias = tuple[Array, Array, Array, Array]
"""Switching functions, their rates, radicands that may touch zero, their rates."""


@final
@dataclass(frozen=True, eq=False)
class Mode:
    """Equations of motion in one mode: the signs of their switching functions, 0 for one that rests at zero."""

    modes: Modes
    parameters: Array
    signs: Array
    duration: float

    @classmethod
    def at(cls, modes: Modes, parameters: Array, t: float, x: Array, duration: float) -> Mode:
        """The mode of a state; where a switching function is zero, the side that leads on."""
        mode = cls(modes, parameters, np.ones(len(modes.switches)), duration)
        for _ in modes.switches:  # a function may have others inside it
            mode = mode.with_signs(np.sign(mode.watched(t, x)[0]))
        for k in map(int, np.flatnonzero(mode.signs == 0)):
            mode = mode.leading_on(k, t, x)
        return mode

    def on_sides_of(self, t: float, x: Array) -> Mode:
        """The mode with the signs that the switching functions have at a state; those that rest go on to rest."""
        mode = self
        for _ in self.signs:  # a function may have others inside it
            mode = mode.with_signs(np.where(self.signs == 0, 0.0, np.sign(mode.watched(t, x)[0])))
        return mode

    def leading_on(self, k: int, t: float, x: Array) -> Mode:
        """The mode on the side of a switching function at zero that leads away from it; it rests there where neither does.

        Where both do, the declared value at zero decides: ``if(x < 0, -1, 1)`` pushes upward there, and ``sign(x)`` not at all.
        """
        sides = [s for s in (1.0, -1.0) if s * self.with_sign(k, s).heading(k, t, x) > 0]
        declared = float(np.sign(self.with_sign(k, 0.0).heading(k, t, x)))
        return self.with_sign(k, sides[0] if len(sides) == 1 else declared if len(sides) == 2 else 0.0)

    def with_signs(self, signs: Array) -> Mode:
        return Mode(self.modes, self.parameters, signs, self.duration)

    def with_sign(self, k: int, sign: float) -> Mode:
        signs = self.signs.copy()
        signs[k] = sign
        return self.with_signs(signs)

    @property
    def forward(self) -> float:
        """1 forward in time, -1 backward."""
        return 1.0 if self.duration > 0 else -1.0

    @cached_property
    def all_parameters(self) -> Array:
        """Those of the system and the signs."""
        return np.concatenate([self.parameters, self.signs])

    @cached_property
    def _edges(self) -> Array:
        """The places of the radicands that are not positive for these values of the parameters."""
        return _edges(self.modes.touches, self.modes.equations.model.parameter_symbols, tuple(self.parameters.tolist()))

    def watched(self, t: float | Array, x: Array) -> Watched:
        r"""Switching functions $u$, their rates, radicands $r$ that may touch zero, their rates; of many states, a column each."""
        values = self.modes.watch(t, x, self.all_parameters)
        count, half = len(self.modes.switches), len(values) // 2
        return (
            values[:count],
            values[half : half + count],
            values[count + self._edges],
            values[half + count + self._edges],
        )

    def rates(self, t: float, x: Array) -> Array:
        """The rates of the states."""
        padded = np.concatenate([x, np.zeros(len(self.modes.switches))])
        return self.modes.move(t, padded, self.all_parameters)[: x.size]

    def heading(self, k: int, t: float, x: Array) -> float:
        """Where a switching function at zero goes, as the motion does: its rate, or the rate of that where it has none."""
        rate = float(self.watched(t, x)[1][k])
        if rate == 0.0:
            step = 1e-7 * self.duration
            rate = float(self.watched(t + step, x + step * self.rates(t, x))[1][k])
        return rate * self.forward

    def leaves_rest(self, k: int, t: float, x: Array) -> bool:
        """Whether a switching function that rested at zero no longer does, measured by what its sign makes of it."""
        here = self.watched(t, x)
        sides = [float(self.with_sign(k, s).watched(t, x)[1][k]) for s in (1.0, -1.0)]
        return bool(abs(here[1][k]) > NOTHING * abs(sides[0] - sides[1]) and here[0][k] != 0)

    def said(self, k: int) -> str:
        """A switching function as text."""
        return _text(self.modes.switches[k])

    def edge(self, j: int) -> str:
        """A radicand as text."""
        return _text(self.modes.touches[self._edges[j]])


@lru_cache(maxsize=64)
def _edges(touches: Vector, symbols: tuple[Symbol, ...], parameters: tuple[float, ...]) -> Array:
    values = dict(zip(symbols, map(symengine.RealDouble, parameters), strict=True))
    return np.array([j for j, r in enumerate(touches) if not is_positive(r.xreplace(values))], dtype=int)


def _text(function: Expr) -> str:
    hidden = any(s.name.startswith("$") for s in function.free_symbols)
    return "a term of the equations" if hidden else to_text(function)
