"""Which integrator: the one that is done first, compilation included; a series is worth a few seconds of it.

Compiling a Taylor stepper takes 2 ms an operation, machine code for Runge–Kutta 0.02 ms; running they are alike. But the
series reaches rounding error, where order eight leaves a drift that falls only eightfold when the tolerance
falls tenfold. So the series is taken where its compilation is short, or no longer than the steps of the other would take.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from anholonomy.base.errors import IntegrationError, UnknownNameError, quoted
from anholonomy.base.tolerances import MACHINE
from anholonomy.language.suggestions import did_you_mean, same_name
from anholonomy.motion.integrators import INTEGRATORS, RungeKutta, Scipy, Taylor
from anholonomy.motion.integrators.base import AbstractIntegrator, Flow
from anholonomy.programs.backends import fast_function
from anholonomy.programs.backends.base import Array
from anholonomy.programs.program import Program

__all__ = ["Work", "choose_integrator", "integrator_name", "turns", "SMALL"]


# What an integration will cost, from the size of a program and the turns of its motion.
#
# A motion's time scale is that in which its rates bend, $\tau^2 = |f|/|\ddot f|$; it makes as many turns as its time has such scales.
# The figures are those of one core of a common machine; only their ratios matter, and these hardly differ.


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
        steps = _STEPS * (MACHINE / tolerance) ** 0.125
        return float(self.turns * steps * 12 * _STAGE * program.operations)


UNKNOWN = Work()
"""A motion of which nothing is known is short."""


def turns(flow: Flow, t: float, x: Array, duration: float) -> float:
    r"""How many time scales $\sqrt{|f|/|\ddot f|}$ of the start a motion lasts.

    >>> import symengine
    >>> from anholonomy.programs.program import lower
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


SMALL = 200
"""Operations up to which a Taylor stepper is compiled in half a second, worth it at any tolerance."""
TIGHT = 1e-12
"""Tolerance below which the series is worth its compilation, and order eight runs into rounding error."""
PATIENCE = 2.5
"""Seconds of compilation, for all the charts of a motion together, that the exactness of a series is worth."""


def choose_integrator(
    program: Program, tolerance: float, name: str | None = None, *, against_series: str = "", work: Work = UNKNOWN
) -> AbstractIntegrator:
    """The integrator for a program and a tolerance, or the one called ``name``; its ``reason`` says why.

    ``against_series`` is what the caller knows that forbids Taylor's, ``work`` how long the motion is.

    Raises `UnknownNameError` for a name that is none, and `IntegrationError` where the integrator asked for
    cannot take the program.

    >>> import symengine
    >>> from anholonomy.programs.program import lower
    >>> x, v = symengine.symbols("x v")
    >>> choose_integrator(lower([x, v], [], [], [v, -x]), 1e-9).reason
    'Taylor series: the program is small (1 operations)'
    """
    if name is not None:
        return _forced(program, name)
    obstacle = against_series or Taylor.obstacle(program)
    size = program.operations
    compilation, stepping = work.compilation(program), work.stepping(program, tolerance)
    if not obstacle and compilation <= PATIENCE:
        if size <= SMALL:
            return _because(Taylor(), f"Taylor series: the program is small ({size} operations)")
        if tolerance < TIGHT:
            return _because(Taylor(), f"Taylor series: the tolerance is tight ({tolerance:.1g})")
    if not obstacle and compilation <= stepping:
        return _because(Taylor(), f"Taylor series: the motion is long ({work.turns:.0f} times its time scale)")
    why = obstacle or f"a series of {size} operations would take {compilation:.1f} s to compile"
    if not (other := RungeKutta.obstacle(program)):
        return _because(RungeKutta(), f"Runge-Kutta of order 8: {why}")
    return _because(Scipy(), f"SciPy: {other}")


def integrator_name(asked: object) -> str:
    """The integrator that a word names."""
    if name := same_name(asked, INTEGRATORS):
        return name
    guess = did_you_mean(asked, INTEGRATORS)
    raise UnknownNameError(f"there is no integrator {quoted(asked)}; {guess}there are {', '.join(INTEGRATORS)}.")


def _forced(program: Program, asked: str) -> AbstractIntegrator:
    name = integrator_name(asked)
    if obstacle := INTEGRATORS[name].obstacle(program):
        others = ", ".join(other for other, kind in INTEGRATORS.items() if not kind.obstacle(program))
        raise IntegrationError(f"the integrator {name} cannot be used: {obstacle}. Use one of: {others}.")
    return _because(INTEGRATORS[name](), "asked for by name")


def _because(integrator: AbstractIntegrator, reason: str) -> AbstractIntegrator:
    integrator.reason = reason
    return integrator
