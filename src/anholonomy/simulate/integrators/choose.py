"""Which integrator: the one that is done first, compilation included; a series is worth a few seconds of it.

Compiling a Taylor stepper takes 2 ms an operation, machine code for Runge–Kutta 0.02 ms; running they are alike. But the
series reaches rounding error, where order eight leaves a drift that falls only eightfold when the tolerance
falls tenfold. So the series is taken where its compilation is short, or no longer than the steps of the other would take.
"""

from __future__ import annotations

from anholonomy.compile.program import Program
from anholonomy.language.mistakes.nearest import did_you_mean, same_name
from anholonomy.refusals import IntegrationProblem, UnknownName
from anholonomy.simulate.integrators import INTEGRATORS, RungeKutta, Scipy, Taylor
from anholonomy.simulate.integrators.base import AbstractIntegrator
from anholonomy.simulate.integrators.cost import UNKNOWN, Work

__all__ = ["PATIENCE", "SMALL", "TIGHT", "choose_integrator", "integrator_name"]

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

    Raises `UnknownName` for a name that is none, and `IntegrationProblem` where the integrator asked for
    cannot take the program.

    >>> import symengine
    >>> from anholonomy.compile.program import lower
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
    raise UnknownName(f"there is no integrator {asked!r:.60}; {guess}there are {', '.join(INTEGRATORS)}.")


def _forced(program: Program, asked: str) -> AbstractIntegrator:
    name = integrator_name(asked)
    if obstacle := INTEGRATORS[name].obstacle(program):
        others = ", ".join(other for other, kind in INTEGRATORS.items() if not kind.obstacle(program))
        raise IntegrationProblem(f"the integrator {name} cannot be used: {obstacle}. Use one of: {others}.")
    return _because(INTEGRATORS[name](), "asked for by name")


def _because(integrator: AbstractIntegrator, reason: str) -> AbstractIntegrator:
    integrator.reason = reason
    return integrator
