r"""A discrete motion: nodes at equal times, by Newton's method from what the last nodes foretell, with everything one may ask of a motion.

.. math:: J\,\delta = -R, \qquad y_k \approx 3y_{k-1} - 3y_{k-2} + y_{k-3}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, final

import numpy as np

from anholonomy.algebra.expressions import time
from anholonomy.base.errors import ArgumentError, IntegrationError, NotSupportedError, UnknownNameError, quoted
from anholonomy.base.tolerances import EXACT, NOTHING
from anholonomy.equations.derivation import Derivation
from anholonomy.language.arguments import expect_number, expect_whole
from anholonomy.language.suggestions import did_you_mean, same_name
from anholonomy.motion.charts.one_motion import runnable_at, runnable_at_start
from anholonomy.motion.dataset.one_motion import DISCRETE
from anholonomy.motion.discrete import METHODS
from anholonomy.motion.discrete.base import AbstractMethod, Scheme
from anholonomy.motion.driver.one_motion import Piece, Run
from anholonomy.motion.integrators.base import Flags, Outcome, Progress, Solution
from anholonomy.motion.problem.one_motion import Problem, pose
from anholonomy.motion.simulate import Record
from anholonomy.programs.backends import fast_function
from anholonomy.programs.backends.base import Array, Kernel
from anholonomy.programs.derivatives import newton_step
from anholonomy.system.model import Model

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["discrete_motion", "method_called"]


_ROUNDS = 25
"""Newton's steps after which a step of time is given up."""
_BLOCK = 64
"""Steps between two looks at progress and at the frame."""


_MOST = 20_000_000
"""Steps that are not begun: their nodes would fill the memory."""


def method_called(name: object) -> type[AbstractMethod]:
    """The discrete method that a word names."""
    if known := same_name(name, METHODS):
        return METHODS[known]
    raise UnknownNameError(
        f"there is no discrete method {quoted(name)}; {did_you_mean(name, METHODS)}there are {', '.join(METHODS)}."
    )


def discrete_motion(
    declared: Model,
    method: object,
    start: Mapping[str, object] | None,
    until: object,
    step: object,
    every: object,
    parameters: Mapping[str, float] | None,
    progress: Progress | None,
) -> tuple[Problem, xr.Dataset]:
    """The problem and the nodes, ``every`` so many of them."""
    kind, model = method_called(method), declared.independent
    if why := kind.obstacle(model):
        raise NotSupportedError(f"{model.name} {why}: the discrete method {kind.name} does not cover it.")
    derivation = Derivation.for_all_values(model, kind.principle(model))
    problem = pose(declared, derivation, start, until=until, parameters=parameters)  # type: ignore[arg-type]
    begin, end = problem.point[time], float(problem.grid[-1])
    length = expect_number(
        step, f"{model.name}: `step`", "a positive number, such as 0.01", above=0, refusal=ArgumentError
    )
    count = int(np.ceil(min(abs(end - begin) / length, 1e18) - 1e-9))
    if count > _MOST:
        raise IntegrationError(f"{model.name}: {count} steps are too many; give longer ones, or an earlier end.")
    each = expect_whole(every, f"{model.name}: `every`", 1, count, refusal=ArgumentError)
    with np.errstate(all="ignore"):
        run, pieces = _marched(problem, kind(), (end - begin) / count, count, each, progress)
    data = Record(problem, run, tuple(pieces)).dataset
    said = {
        "principle": DISCRETE,
        "integrator": kind.name,
        "integrator_reason": "asked for by name",
        "step": (end - begin) / count,
    }
    return problem, data.assign_attrs(said)


def _marched(
    problem: Problem, method: AbstractMethod, h: float, count: int, every: int, progress: Progress | None
) -> tuple[Run, list[Piece]]:
    """The motion in one chart after the other; the nodes of the last step of a piece begin the next."""
    run, p, pieces = Run(problem, None), problem.parameters, list[Piece]()
    point, begin = problem.point, problem.point[time]
    runnable, made = runnable_at_start(problem.derivation, point, p), 0
    span = h * count
    report = None if progress is None else lambda t: progress((t - begin) / span)
    while True:
        t, x = begin + made * h, runnable.state(point)
        scheme = method.scheme(runnable)
        found = marched(
            scheme,
            method.node(runnable, t, x, p, h),
            fast_function(runnable.compiled.rates)(t, x, p),
            p,
            t,
            h,
            count - made,
            runnable.watch(t, x, p),
            report,
        )
        numbers = made + np.arange(len(found.nodes))
        kept = (numbers % every == 0) & ((numbers > made) | (made == 0))
        kept[-1] |= not found.worn and bool(found.ending or numbers[-1] == count)
        made = int(numbers[-1])
        states, stop = found.nodes[:, : scheme.state], found.nodes[-1, : scheme.state]
        outcome = Outcome.STOPPED if found.ending else Outcome.REACHED_END
        times = np.where(numbers == count, problem.grid[-1], begin + h * numbers)
        pieces.append(
            Piece(
                runnable, Solution(times[kept], states[kept], outcome, float(times[-1]), stop, len(states) - 1), (), p
            )
        )
        if not found.worn or made >= count:
            run.ending, run.is_complete = found.ending, not found.ending
            return run, pieces
        point = run.point_from(runnable, float(times[-1]), stop)
        runnable = runnable_at(problem.derivation, point)


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
