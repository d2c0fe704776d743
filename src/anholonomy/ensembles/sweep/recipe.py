"""How a block of a sweep is made: integrated, kept, reduced. The same question and block give the same bytes, wherever it is made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.ensembles.inputs import at_times
from anholonomy.ensembles.kernel.kernel import Halt
from anholonomy.ensembles.members.blocks import Answer, answered
from anholonomy.ensembles.members.observing import Observables
from anholonomy.ensembles.members.points import Points, complete
from anholonomy.ensembles.question import Question
from anholonomy.ensembles.running import evaluated
from anholonomy.ensembles.sweep.exponents import largest_exponents
from anholonomy.ensembles.sweep.reductions import LYAPUNOV, SAMPLES, Reduction, reduced

__all__ = ["Part", "Recipe"]


@final
@dataclass
class Part:
    """What a block left: arrays by name, over members or over members and times, and the sentences of those that did not reach the end."""

    arrays: dict[str, Any]
    said: dict[int, str]


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
        even = np.linspace(grid[0], grid[-1], SAMPLES + 1)
        return np.unique(np.concatenate([grid, even]))[:: 1 if grid[-1] > grid[0] else -1]

    def _at_ends(self, answer: Answer, p: Array) -> Iterator[Array]:
        """The functions of last values, where each member ended."""
        which = [
            k for k, each in enumerate(each for each in self.made if each.kind != LYAPUNOV) if each.kind == "final"
        ]
        if not which or answer.end_q is None or answer.end_w is None:
            return iter(())
        some = replace(
            self.functions,
            names=tuple(self.functions.names[k] for k in which),
            functions=tuple(self.functions.functions[k] for k in which),
        )
        used = at_times(self.question.driven, p, answer.stop_times, self.question.forward)
        return iter(some.values(Points(answer.stop_times, answer.end_q, answer.end_w, used)))

    def cut(self, begin: int, end: int) -> Recipe:
        """The same of some members, to be sent elsewhere."""
        return replace(self, question=self.question.part(begin, end))

    def part(self, begin: int, halt: Halt) -> Part:
        """All its members, of which the first has the number ``begin``."""
        question = replace(self.question, grid=self.grid)
        points = complete(question.model, question.columns, question.project, lambda i: f"member {begin + i}", begin)
        answer = answered(question, points, halt)
        asked = self.question.grid
        places = (
            np.searchsorted(question.grid, asked) if asked[-1] > asked[0] else np.searchsorted(-question.grid, -asked)
        )
        sparse = Answer(answer.q[:, places], answer.w[:, places], answer.stop_times, answer.complete)
        ends = self._at_ends(answer, points.p)
        arrays = dict(
            zip(self.kept.names, evaluated(replace(question, grid=asked), self.kept, sparse, points.p), strict=True)
        )
        seen = iter(evaluated(question, self.functions, answer, points.p) if self.functions.names else ())
        for each in self.made:
            if each.kind == LYAPUNOV:
                arrays[each.name] = largest_exponents(question, points, halt)
            else:
                values: Array = next(seen)
                arrays[each.name] = next(ends) if each.kind == "final" else reduced(each.kind, question.grid, values)
        arrays |= {"complete": answer.complete, "stop_time": answer.stop_times}
        return Part(arrays, {begin + i: text for i, text in answer.said.items()})
