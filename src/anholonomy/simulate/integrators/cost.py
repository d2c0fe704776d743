r"""What an integration will cost: seconds to compile, and seconds to run, from the size of a program and the turns of its motion.

A motion's time scale is that in which its rates bend, $\tau^2 = |f|/|\ddot f|$; it makes as many turns as its time has such scales.
The figures are those of one core of a common machine; only their ratios matter, and these hardly differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from anholonomy.compile.backends import fast_function
from anholonomy.compile.program import Program
from anholonomy.simulate.integrators.base import Array, Flow

__all__ = ["UNKNOWN", "Work", "turns"]

_SERIES = 2e-3
"""Seconds to compile an operation of a Taylor stepper."""
_STAGE = 1.5e-9
"""Seconds to run an operation of machine code."""
_STEPS = 10
"""Steps of order eight, of twelve stages each, in a turn at machine precision."""


@final
@dataclass(frozen=True)
class Work:
    """What lies before an integrator: the turns of the motion, and the operations compiled for it as series already."""

    turns: float = 0.0
    compiled: int = 0

    def compilation(self, program: Program) -> float:
        """Seconds spent on compiling series for this motion, with one for the program."""
        return _SERIES * (program.operations + self.compiled)

    def stepping(self, program: Program, tolerance: float) -> float:
        """Seconds that a method of order eight will take."""
        steps = _STEPS * (np.finfo(float).eps / tolerance) ** 0.125
        return float(self.turns * steps * 12 * _STAGE * program.operations)


UNKNOWN = Work()
"""A motion of which nothing is known is short."""


def turns(flow: Flow, t: float, x: Array, duration: float) -> float:
    r"""How many time scales $\sqrt{|f|/|\ddot f|}$ of the start a motion lasts.

    >>> import symengine
    >>> from anholonomy.compile.program import lower
    >>> x, v = symengine.symbols("x v")
    >>> round(turns(Flow(lower([x, v], [], [], [v, -9 * x]), np.empty(0)), 0.0, np.array([1.0, 0.0]), 10.0))
    30
    """
    if not duration:
        return 0.0
    program = fast_function(flow.program)

    def rates(s: float) -> Array:
        """The rates at a time near the start, along a parabola."""
        return program(t + s, x + s * f + s * s / 2 * change, flow.parameters)

    with np.errstate(all="ignore"):
        f, change = program(t, x, flow.parameters), np.zeros_like(x)
        change = (rates(1e-7 * duration) - f) / (1e-7 * duration)
        brief = float(1e-3 / (1 / abs(duration) + np.linalg.norm(change) / np.linalg.norm(f)))
        bend = np.asarray(rates(brief) - 2 * f + rates(-brief)) / brief**2
        pace = np.sqrt(np.linalg.norm(bend) / np.linalg.norm(f))
    return float(abs(duration) * pace) if np.isfinite(pace) else 0.0
