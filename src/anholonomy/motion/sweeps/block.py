"""One block of a sweep: integrated, kept, reduced. The same question and block give the same bytes, wherever it is made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from anholonomy.motion.driver.devices import evaluated
from anholonomy.motion.driver.many_motions import Answer, answered
from anholonomy.motion.integrators.lanes import Halt
from anholonomy.motion.lyapunov import largest_exponents
from anholonomy.motion.observables.many_motions import Observables
from anholonomy.motion.problem.many_motions import Question
from anholonomy.motion.signals.many_motions import at_times
from anholonomy.motion.starts.many_motions import Points, complete
from anholonomy.motion.sweeps.reductions import LYAPUNOV, SAMPLES, Reduction, on_the_way
from anholonomy.programs.backends.base import Array

__all__ = ["Part", "Recipe"]


@final
@dataclass
class Part:
    """What a block left: arrays by name, over members or over members and times, the sentences of those that did not reach the end, and events."""

    arrays: dict[str, Any]
    said: dict[int, str]
    events: dict[int, list[tuple[str, float]]]


@final
@dataclass(frozen=True, eq=False)
class Recipe:
    """A question with what is kept of its motions and what is made of them."""

    question: Question
    kept: Observables
    made: tuple[Reduction, ...]
    functions: Observables
    """What reductions are made of, one for each that has an expression."""

    @property
    def names(self) -> dict[str, tuple[str, ...]]:
        """The arrays with their dimensions."""
        found: dict[str, tuple[str, ...]] = dict.fromkeys(self.kept.names, ("member", "time"))
        found |= {each.name: ("member",) for each in self.made}
        return found | {"complete": ("member",), "stop_time": ("member",)}

    @property
    def grid(self) -> Array:
        """The times to integrate at: those to report, and some between where something is sought on the way."""
        grid = self.question.grid
        if not any(each.needs_samples for each in self.made):
            return grid
        return np.unique(np.concatenate([grid, _even(grid)]))[:: 1 if grid[-1] > grid[0] else -1]

    @property
    def _made_of_functions(self) -> list[Reduction]:
        """The reductions that have an expression, in the order of their functions."""
        return [each for each in self.made if each.kind != LYAPUNOV]

    def _some(self, which: list[int]) -> Observables:
        names, functions = self.functions.names, self.functions.functions
        return replace(
            self.functions, names=tuple(names[k] for k in which), functions=tuple(functions[k] for k in which)
        )

    def _at_ends(self, answer: Answer, p: Array) -> Iterator[Array]:
        """The functions of last values, where each member ended."""
        which = [k for k, each in enumerate(self._made_of_functions) if not each.needs_samples]
        if not which or answer.end_q is None or answer.end_w is None:
            return iter(())
        used = at_times(self.question.driven, p, answer.stop_times, self.question.forward)
        return iter(self._some(which).values(Points(answer.stop_times, answer.end_q, answer.end_w, used)))

    def cut(self, begin: int, end: int) -> Recipe:
        """The same of some members, to be sent elsewhere."""
        return replace(self, question=self.question.part(begin, end))

    def part(self, begin: int, halt: Halt) -> Part:
        """All its members, of which the first has the number ``begin``."""
        question = replace(self.question, grid=self.grid)
        points = complete(question.model, question.columns, question.project, lambda i: f"member {begin + i}", begin)
        answer = answered(question, points, halt)
        asked = self.question.grid
        sparse = answer.at(_places(question.grid, asked))
        arrays = dict(
            zip(self.kept.names, evaluated(replace(question, grid=asked), self.kept, sparse, points.p), strict=True)
        )
        ends, seen = self._at_ends(answer, points.p), self._on_the_way(question, points, answer, halt)
        for each in self.made:
            if each.kind == LYAPUNOV:
                arrays[each.name] = largest_exponents(question, points, answer, halt)
            else:
                arrays[each.name] = next(seen if each.needs_samples else ends)
        arrays |= {"complete": answer.complete, "stop_time": answer.stop_times}
        said = {begin + i: text for i, text in answer.said.items()}
        # What is reduced has its numbers, and its events no place in memory.
        return Part(arrays, said, {} if self.made else {begin + i: met for i, met in answer.events.items()})

    def _on_the_way(self, question: Question, points: Points, answer: Answer, halt: Halt) -> Iterator[Array]:
        """What is sought between start and end, at even times."""
        which = [k for k, each in enumerate(self._made_of_functions) if each.needs_samples]
        if not which:
            return iter(())
        even = _even(question.grid)
        kinds = [self._made_of_functions[k].kind for k in which]
        sparse = answer.at(_places(question.grid, even))
        return iter(on_the_way(replace(question, grid=even), self._some(which), kinds, points, sparse, halt))


def _even(grid: Array) -> Array:
    return np.linspace(grid[0], grid[-1], SAMPLES + 1)


def _places(grid: Array, some: Array) -> NDArray[np.intp]:
    """Where some of the times are in a grid."""
    forward = 1.0 if grid[-1] >= grid[0] else -1.0
    return np.searchsorted(forward * grid, forward * some)
