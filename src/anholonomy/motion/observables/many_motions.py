r"""The same of many states at once.

What one may ask of many states at once, by name or as an expression: $f(q, w, \dot w, R, \lambda, u, t)$, computed for those alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from anholonomy.algebra.expressions import Expr, Symbol, Vector, free_symbols, time
from anholonomy.base.errors import UnknownNameError
from anholonomy.equations.derivation import Derivation
from anholonomy.language.arguments import expression
from anholonomy.language.suggestions import near_symbol
from anholonomy.motion.charts.many_motions import flight_at
from anholonomy.motion.charts.one_motion import RunnableEquations
from anholonomy.motion.observables.one_motion import defined_speeds, quantities
from anholonomy.motion.starts.many_motions import Points, as_columns
from anholonomy.programs.backends import fast_function
from anholonomy.programs.backends.base import Array
from anholonomy.programs.program import lower
from anholonomy.system.model import Model
from anholonomy.system.states.speeds_from_rates import rates_in_speeds

__all__ = ["Observables", "observables"]


@final
@dataclass(frozen=True)
class Observables:
    """Named functions of members' states."""

    model: Model
    derivation: Derivation
    names: tuple[str, ...]
    functions: Vector

    @property
    def _plain(self) -> frozenset[Symbol]:
        model = self.model
        return frozenset((*model.coordinates, *model.velocities, *model.parameter_symbols, time))

    def values(self, points: Points) -> Array:
        """A row for each function, a column for each point; what is not a number stays none."""
        out = np.full((len(self.functions), len(points.t)), np.nan)
        simple = [k for k, f in enumerate(self.functions) if f.free_symbols <= self._plain]
        if simple:
            inputs = (*self.model.coordinates, *self.model.velocities)
            function = fast_function(
                lower(inputs, self.model.parameter_symbols, (), [self.functions[k] for k in simple])
            )
            with np.errstate(all="ignore"):
                out[simple] = function(points.t, np.hstack([points.q, points.w]).T, as_columns(points.p))
        others = [k for k in range(len(self.functions)) if k not in simple]
        if others:
            self._by_charts(points, others, out)
        return out

    def _by_charts(self, points: Points, which: list[int], out: Array) -> None:
        """Those that need the equations of motion, in charts that are good where the points are."""
        pending: NDArray[np.bool_] = np.asarray(np.isfinite(np.hstack([points.q, points.w])).all(axis=1))
        while pending.any():
            waiting = np.flatnonzero(pending)
            ready = flight_at(self.derivation, self.model, points, int(waiting[0]))
            if ready is None:
                pending[waiting[0]] = False
                continue
            x, quality = ready.states(points[waiting])
            goes = ready.serves(quality)
            goes[0] = True
            who = waiting[goes]
            t, p = points.t[who], points.p[who].T
            for k in which:
                with np.errstate(all="ignore"):
                    out[k, who] = self._evaluate(ready.runnable, self.functions[k], t, x[goes].T, p)
            pending[who] = False

    def _evaluate(self, runnable: RunnableEquations, f: Expr, t: Array, x: Array, p: Array) -> Array:
        speeds = set(runnable.equations.speeds) - set(self.model.velocities)
        if f.free_symbols & speeds:
            return np.asarray(fast_function(runnable.compiled.values_of((f,)))(t, x, p)[0])
        return np.asarray(runnable.events((f,))(t, x, p)[0])


def observables(model: Model, derivation: Derivation, asked: Sequence[object]) -> Observables:
    """What was asked for, parsed; a name that is none gets the nearest one that is."""
    own = {s.name: s for s in (*model.coordinates, *model.velocities)}
    if all(isinstance(each, str) and each in own for each in asked):
        return Observables(model, derivation, tuple(map(str, asked)), tuple(own[str(each)] for each in asked))
    of_group = {**model.named, **rates_in_speeds(model)}
    meant = defined_speeds(model, derivation.asked_speeds)
    known = {*model.coordinates, *model.velocities, *model.parameter_symbols, time, *quantities(model)}
    frame_speeds = _frame_speeds(derivation, known)
    functions = []
    for each in asked:
        f = expression(each, f"`{each!s:.60}`").xreplace(of_group)
        f = f.xreplace({u: value for u, value in meant.items() if u not in known}).xreplace(of_group)
        for s in sorted(free_symbols((f,)) - known - frame_speeds, key=str):
            names = [k.name for k in (*known, *frame_speeds, *meant)]
            near = near_symbol(s.name, names)
            begin = f"did you mean {near}? They" if near else "they"
            raise UnknownNameError(
                f"{model.name}: the members have no {s.name!r}; {begin} have {', '.join(sorted(names))}, and expressions of these."
            )
        functions.append(f)
    return Observables(model, derivation, tuple(map(str, asked)), tuple(functions))


def _frame_speeds(derivation: Derivation, known: set[Symbol]) -> set[Symbol]:
    """The speeds of the chosen frame, where it is one and the same everywhere."""
    if derivation.frame.may_fail and not derivation.is_chosen:
        return set()
    return {u for u in derivation.equations.speeds if u not in known}
