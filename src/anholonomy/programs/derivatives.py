r"""Derivatives of programs, as programs.

Derivatives of programs, as programs: any backend compiles them, and they can be differentiated again.

.. math::
   y = f(x): \qquad J_{ij} = \partial_j f_i, \qquad
   (x, \dot x) \mapsto (f,\, J\dot x), \qquad (x, \bar y) \mapsto \bar y J

They are taken step by step, through linear systems too, and what they have in common is computed once. Where a function has a corner,
its derivative is that on either side. The inputs by which to differentiate may be states, parameters and time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import symengine

from anholonomy.algebra.expressions import Expr, Symbol, symbol, zero
from anholonomy.algebra.steps.definitions import Assign, Recorder, Solve, Step
from anholonomy.algebra.steps.derivatives import Slopes, backward, forward, single_operations
from anholonomy.programs.program import Program, lower

__all__ = ["against_covector", "along_direction", "jacobian", "newton_step"]

_one = symengine.Integer(1)


def along_direction(
    program: Program,
    by: Sequence[Symbol] | None = None,
    count: int = 1,
    besides: Sequence[Mapping[Symbol, Expr]] = (),
) -> Program:
    """The outputs, then their rates, where the inputs in ``by`` (default: all states) have rates, which are further states.

    With ``count``, so many directions at once, rates and results one direction after the other. ``besides`` has for each direction the
    rates of further inputs, such as 1 for a parameter.

    >>> from anholonomy.programs.backends.numpy import NumpyBackend
    >>> x, v = symbol("x"), symbol("v")
    >>> moved = along_direction(lower([x, v], [], [], [x * v]))
    >>> NumpyBackend().compile(moved)(0.0, [3.0, 5.0, 1.0, 10.0])
    array([15., 35.])
    """
    steps, outputs, write = *_taken_apart(program), Recorder("$d")
    inputs = _inputs(program, by)
    directions = [{s: symbol(f"$rate{n}_{k}") for k, s in enumerate(inputs)} for n in range(count)]
    fixed = besides or ({},) * count
    known = forward(steps, [rates | dict(more) for rates, more in zip(directions, fixed, strict=True)], write)
    states = (*program.states, *(rate for rates in directions for rate in rates.values()))
    moved = [rates.get(y, zero) for rates in known for y in outputs]
    return lower(states, program.parameters, (*steps, *write.steps), (*outputs, *moved))


def against_covector(program: Program, by: Sequence[Symbol] | None = None) -> Program:
    """The derivatives by the inputs in ``by`` (default: all states) of the outputs times a covector, whose entries are further states.

    >>> from anholonomy.programs.backends.numpy import NumpyBackend
    >>> x, v = symbol("x"), symbol("v")
    >>> pulled = against_covector(lower([x, v], [], [], [x * v, 3 * v]))
    >>> NumpyBackend().compile(pulled)(0.0, [2.0, 5.0, 1.0, 10.0])
    array([ 5., 32.])
    """
    steps, outputs, write = *_taken_apart(program), Recorder("$d")
    covector = {y: symbol(f"$bar{k}") for k, y in enumerate(outputs)}
    pulled = backward(steps, covector, _inputs(program, by), write)
    return lower((*program.states, *covector.values()), program.parameters, (*steps, *write.steps), pulled)


def jacobian(program: Program, by: Sequence[Symbol] | None = None) -> Program:
    """The derivatives of all outputs by the inputs in ``by`` (default: all states): the rows of a matrix, one after the other.

    Backward where there are fewer outputs than inputs, forward otherwise.

    >>> x, v = symbol("x"), symbol("v")
    >>> jacobian(lower([x, v], [], [], [x * v, 3 * v])).outputs
    (x1, x0, 0, 3)
    """
    steps, outputs, write = *_taken_apart(program), Recorder("$d")
    inputs = _inputs(program, by)
    entries: list[Expr] = []
    if len(outputs) < len(inputs):
        slopes: dict[Symbol, Slopes] = {}
        for y in outputs:
            entries += backward(steps, {y: _one}, inputs, write, slopes)
    else:
        known = forward(steps, [{s: _one} for s in inputs], write)
        entries += [rates.get(y, zero) for y in outputs for rates in known]
    return lower(program.states, program.parameters, (*steps, *write.steps), entries)


def newton_step(program: Program, by: Sequence[Symbol]) -> Program:
    r"""The change $\delta$ of the inputs in ``by`` that makes as many outputs vanish, $J\delta = -f$, and the outputs.

    >>> from anholonomy.programs.backends.numpy import NumpyBackend
    >>> x = symbol("x")
    >>> program = lower([x], [], [], [x**2 - 2])
    >>> NumpyBackend().compile(newton_step(program, program.states))(0.0, [1.0])
    array([ 0.5, -1. ])
    """
    steps, outputs, write = *_taken_apart(program), Recorder("$d")
    known = forward(steps, [{s: _one} for s in by], write)
    rows = tuple(tuple(rates.get(y, zero) for rates in known) for y in outputs)
    change = tuple(symbol(f"$step{k}") for k, _ in enumerate(by))
    solved = Solve(change, rows, tuple(-y for y in outputs))
    return lower(program.states, program.parameters, (*steps, *write.steps, solved), (*change, *outputs))


def _inputs(program: Program, by: Sequence[Symbol] | None) -> tuple[Symbol, ...]:
    return program.states if by is None else tuple(by)


def _taken_apart(program: Program) -> tuple[list[Step], tuple[Symbol, ...]]:
    """The program in single operations, and symbols for its outputs."""
    steps, values = single_operations(program.steps, program.outputs)
    outputs = tuple(symbol(f"$y{k}") for k, _ in enumerate(values))
    return [*steps, *map(Assign, outputs, values)], outputs
