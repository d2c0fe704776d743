r"""Step after step: Newton's method for the next node, from what the last nodes foretell.

.. math:: J\,\delta = -R, \qquad y_k \approx 3y_{k-1} - 3y_{k-2} + y_{k-3}
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import final

import numpy as np

from anholonomy.compile.backends import fast_function
from anholonomy.compile.backends.base import Array, Kernel
from anholonomy.compile.derivatives import newton_step
from anholonomy.simulate.discrete.base import Scheme
from anholonomy.simulate.integrators.base import Progress
from anholonomy.simulate.outcome import Outcome
from anholonomy.simulate.pieces.watches import Flags
from anholonomy.tolerances import EXACT, NOTHING

__all__ = ["March", "marched"]

_ROUNDS = 25
"""Newton's steps after which a step of time is given up."""
_BLOCK = 64
"""Steps between two looks at progress and at the frame."""


@final
@dataclass(frozen=True, eq=False)
class March:
    """Nodes that were reached, the first of them given, and why there are no more; empty where there are as many as were asked for."""

    nodes: Array
    ending: str
    worn: bool = False


def marched(
    scheme: Scheme,
    node: Array,
    rate: Array,
    p: Array,
    t: float,
    h: float,
    count: int,
    poor: Flags | None,
    progress: Progress | None,
) -> March:
    """So many steps from a node, or fewer where the frame becomes poor, no next node is found, or the user interrupts.

    ``rate`` is that of the state at the first node, for a first guess.
    """
    step, size, nodes = _stepper(scheme), scheme.size, np.empty((count + 1, node.size))
    nodes[0], made = node, 0
    parameters, past = np.append(p, h)[:, None], list[Array]()
    begun = np.zeros(len(scheme.unknowns))
    begun[:size] = node
    begun[: scheme.state] += h * rate
    try:
        while made < count:
            guess = _foretold(past, begun, node)
            found = _solved(step, t + made * h, nodes[made], guess, parameters)
            if found is None:
                return March(nodes[: made + 1], _stuck(t + made * h))
            past = [*past[-2:], found]
            made += 1
            nodes[made] = found[:size]
            if made % _BLOCK == 0 or made == count:
                if progress is not None:
                    progress(t + made * h)
                if (
                    poor is not None
                    and poor(_times(t, h, made)[-_BLOCK:], nodes[1 : made + 1][-_BLOCK:, : scheme.state]).any()
                ):
                    return March(nodes[: made + 1], "", worn=True)
    except KeyboardInterrupt:
        return March(nodes[: made + 1], f"{Outcome.INTERRUPTED} (t = {t + made * h:.6g})")
    return March(nodes, "")


def _times(t: float, h: float, made: int) -> Array:
    return np.asarray(t + h * np.arange(1, made + 1), dtype=float)


def _stuck(t: float) -> str:
    return f"the equations of a step have no solution near (t = {t:.6g}): take shorter steps, or another method"


def _foretold(past: list[Array], begun: Array, node: Array) -> Array:
    """The next unknowns by a parabola through the last three, or by what there is."""
    if not past:
        return begun
    if len(past) == 1:
        guess = past[0].copy()
        guess[: node.size] += past[0][: node.size] - node
        return guess
    return 2 * past[-1] - past[-2] if len(past) == 2 else 3 * past[-1] - 3 * past[-2] + past[-3]


def _solved(step: Kernel, t: float, node: Array, guess: Array, p: Array) -> Array | None:
    """The unknowns of a step by Newton's method, to rounding; None where it does not converge."""
    count, before = guess.size, np.inf
    now, column = np.array([t]), np.concatenate([node, guess])[:, None]
    y = column[node.size :, 0]
    size = max(float(abs(guess).max()), 1e-300)
    for _ in range(_ROUNDS):
        out = step(now, column, p)[:, 0]
        change = out[:count]
        moved = float(abs(change).max()) / size
        if not moved < np.inf:
            # At rest nothing needs to be solved, and nothing could.
            return y if not out[count:].any() else None
        y += change
        if moved <= EXACT or (moved <= NOTHING and moved > before / 2):
            return y
        before = moved
    return None


@lru_cache(maxsize=32)
def _stepper(scheme: Scheme) -> Kernel:
    return fast_function(newton_step(scheme.program, scheme.unknowns)).kernel
