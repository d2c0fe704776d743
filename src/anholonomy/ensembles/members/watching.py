"""What a chart must not lose on the way, as one program: its frame, pivots, divisors and the signs of what jumps."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from anholonomy.compile.program import Program, lower
from anholonomy.ensembles.kernel.kernel import Watching
from anholonomy.geometry.frames.quality import SHRUNK, WORSE
from anholonomy.simulate.pieces.runnable_equations import RunnableEquations
from anholonomy.symbolic.expressions import Expr, Symbol, replaced, symbol, time
from anholonomy.symbolic.normal_forms.denominators import divisors
from anholonomy.symbolic.steps.straight_line import Assign, Solve, Step

__all__ = ["joined", "watching"]


@lru_cache(maxsize=64)
def watching(runnable: RunnableEquations, straight: Program) -> Watching | None:
    """What is watched of the motions in a chart by a program; None where nothing can fail."""
    e, compiled = runnable.equations, runnable.compiled
    model, frame, modes = e.model, e.frame, compiled.modes
    span = compiled.span
    pivots = compiled.values_of(frame.pivots) if frame is not None and frame.pivots else None
    own = Program(straight.states, straight.parameters, straight.steps, straight.pivots) if straight.pivots else None
    parts = (model.lagrangian, *model.forces_a, *(model.momenta_a or ()))
    found = divisors(parts, {*model.coordinates, time})
    signs = compiled.values_of(found) if found else None
    jumps = touched = None
    if modes is not None:
        inputs = e.state, model.parameter_symbols, e.unknown_steps
        jumps = lower(*inputs, modes.switches) if modes.switches else None
        touched = lower(*inputs, modes.touches) if modes.touches else None
    shrinking = [each for each in (pivots, own, touched) if each is not None]
    programs = [each for each in (span, *shrinking, signs, jumps) if each is not None]
    if not programs:
        return None
    vectors = 0 if span is None else len(span.outputs) // len(model.velocities)
    return Watching(
        joined(programs),
        vectors,
        len(model.velocities) if vectors else 0,
        sum(len(each.outputs) for each in shrinking),
        WORSE,
        SHRUNK,
    )


def joined(programs: Sequence[Program]) -> Program:
    """Programs of the same inputs as one, their outputs one after the other.

    >>> from anholonomy.symbolic.expressions import symbol
    >>> x = symbol("x")
    >>> joined([lower([x], [], [], [x + 1]), lower([x], [], [], [2 * x])]).outputs
    (1 + x0, 2*x0)
    """
    steps: list[Step] = []
    outputs: list[Expr] = []
    for k, program in enumerate(programs):
        names: dict[Symbol, Symbol] = {
            target: symbol(f"{target.name}j{k}") for step in program.steps for target in step.targets
        }
        for step in program.steps:
            if isinstance(step, Assign):
                steps.append(Assign(names[step.target], replaced(step.value, names)))
            else:
                matrix = tuple(tuple(replaced(entry, names) for entry in row) for row in step.matrix)
                right = tuple(replaced(entry, names) for entry in step.right)
                steps.append(Solve(tuple(names[u] for u in step.unknowns), matrix, right, step.least))
        outputs += [replaced(output, names) for output in program.outputs]
    return Program(programs[0].states, programs[0].parameters, tuple(steps), tuple(outputs))
