"""What can be said for and against a plan: whether it was found, what it violates and by how much, in a sentence and in a table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

import numpy as np

from anholonomy.compile.program import lower
from anholonomy.language.brevity import brief
from anholonomy.lazy import cached_property
from anholonomy.plans.asked.controlled import Controlled
from anholonomy.plans.asked.task import Task
from anholonomy.plans.carried_out import CarriedOut
from anholonomy.plans.collocation.measures import integral
from anholonomy.plans.search.pace import unhurried
from anholonomy.plans.search.search import LIMITS_KEPT
from anholonomy.plans.search.solving import Attempt

__all__ = ["Judged", "judged"]

_SHORT = 80
"""Characters of an expression in a sentence."""


@final
@dataclass(frozen=True, eq=False)
class Judged:
    """A plan with its task, as it was found and as it was carried out.

    Attributes
    ----------
    converged
        Whether it is optimal (near others), keeps its limits, and reaches the end when it is carried out, all to the tolerance.
    verdict
        The same in a sentence: what was reached, or what is violated and by how much.
    """

    task: Task
    best: Attempt
    carried: CarriedOut
    tolerance: float
    converged: bool
    verdict: str

    @cached_property
    def cost(self) -> float:
        """The cost, in the words it was asked in."""
        c, priced = self.task.controlled, self.task.cost
        program = lower((*c.states, *c.controls), c.parameters, c.steps, (priced.integrand,))
        return integral(self.task, self.carried.curve, program, 0)

    @cached_property
    def lines(self) -> list[tuple[str, str]]:
        """Rows of name and text."""
        t, curve = self.task, self.carried.curve
        kind = "inputs" if t.controlled.by_inputs else "speeds"
        missed = self.carried.mismatch
        rows = [
            ("verdict", self.verdict),
            ("cost", f"{self.cost:.10g} ({t.cost.text})"),
            ("time", f"{curve.duration:.10g}{_about_time(t)}"),
            ("controls", f"{kind} {_named(t.controlled)}"),
            ("mesh", f"{curve.shares.size} intervals, polynomials of degree {curve.points.shape[1]}"),
            ("iterations", f"{self.best.iterations} for the last mesh"),
            ("misses the end by", ", ".join(f"{name} {value:.1e}" for name, value in missed.items())),
            ("residual", f"{self.carried.residual:.1e} after integration, at a tolerance of {self.tolerance:.0e}"),
            ("integrator", self.carried.integrator),
        ]
        if t.end.turns:
            rows.append(
                (
                    "turns",
                    ", ".join(f"{name} ends {turn:+d} full turns on" for name, turn in t.end.turns.items() if turn),
                )
            )
        if t.limits.rows:
            rows.append(("limits", f"violated by {max(0.0, *(v for v, _ in _of_limits(t, self.carried))):.1e} at most"))
        return [(name, text) for name, text in rows if text]


def _named(c: Controlled) -> str:
    """The controls, and the numbers by which they may be called, too."""
    numbers = {u: f" ({name})" for name, u in c.numbered.items()}
    return ", ".join(u.name + numbers.get(u, "") for u in c.controls)


def _about_time(task: Task) -> str:
    if task.horizon is not None:
        return ", as asked"
    if unhurried(task) is task:
        return ", free"
    slower = "slower is cheaper" if task.cost.degree > 1 else "slower costs the same"
    return f", the shortest for this way within the bounds; {slower}"


def judged(task: Task, best: Attempt, carried: CarriedOut, tolerance: float, stopped: str) -> Judged:
    """The plan with its verdict."""
    name = task.controlled.model.name
    violations = sorted(_violations(task, carried, tolerance), reverse=True)
    fine = best.keeps_all and not violations
    if fine and task.horizon is None and not task.cost.degree and best.at_longest:
        said = (
            f"the cost still falls at T = {best.curve.duration:.3g}; give a horizon, or a price of time such as '1 + …'"
        )
        return Judged(task, best, carried, tolerance, False, f"{name}: {said}.")
    if fine and best.settled and not stopped:
        missed = max(map(abs, carried.mismatch.values()))
        said = f"a plan was found that misses the end by {missed:.1e} when it is carried out"
        return Judged(task, best, carried, tolerance, True, f"{name}: {said}.")
    if fine:
        why = stopped or f"the search ended with {best.status}"
        return Judged(
            task,
            best,
            carried,
            tolerance,
            False,
            f"{name}: a plan was found, but none cheaper was looked for to the end, because {why}.",
        )
    what = violations[0][1] if violations else f"the rates of the system are violated by {best.violation:.2g}"
    why = f" before {stopped}" if stopped else ""
    pivots = " and ".join(brief(pivot, longest=_SHORT) for pivot in task.controlled.pivots)
    others = f"other `speeds`, since these fail where {pivots} vanishes, " if pivots else ""
    cure = f"give {others}more time, wider bounds, a guess, or another end"
    return Judged(
        task, best, carried, tolerance, False, f"{name}: no plan was found{why}: in the best one, {what}; {cure}."
    )


def _violations(task: Task, carried: CarriedOut, tolerance: float) -> Iterator[tuple[float, str]]:
    """How much beyond what is tolerated, as a factor, and a clause about it."""
    sizes = {
        s.name: max(1.0, abs(v)) for s, v in zip(task.controlled.states, np.nan_to_num(task.end.target), strict=True)
    }
    if not carried.outcome.is_complete:
        yield np.inf, f"the integration ends early ({carried.outcome})"
    for name, missed in carried.mismatch.items():
        if not abs(missed) <= tolerance * sizes.get(name, 1.0):
            yield abs(missed) / tolerance, f"{name} misses its value at the end by {abs(missed):.3g}"
    for violation, label in _of_limits(task, carried):
        if violation > LIMITS_KEPT * tolerance:
            yield violation / tolerance, f"{label} is violated by {violation:.3g}"


def _of_limits(task: Task, carried: CarriedOut) -> Iterator[tuple[float, str]]:
    """The greatest violation of each limited function and each bound along the motion."""
    for row, values in zip(task.limits.rows, carried.limited, strict=True):
        yield float(max((row.low - values).max(), (values - row.high).max())), row.label
    own = (*task.controlled.states, *task.controlled.controls)
    values = np.hstack([carried.states, carried.controls]).T
    for s, series, low, high in zip(own, values, task.limits.low, task.limits.high, strict=True):
        yield float(max((low - series).max(), (series - high).max())), f"the bound of {s.name}"
