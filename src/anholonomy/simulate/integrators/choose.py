"""Which integrator: Taylor where its code is quickly made or accuracy is dear, Runge–Kutta for the rest.

Compiling a Taylor stepper takes 1.5 to 2 ms an operation, machine code for Runge–Kutta 0.02 ms. But the
series reaches rounding error, where order eight leaves a drift that falls only eightfold when the tolerance
falls tenfold, in two to five times as many steps.
"""

from __future__ import annotations

from importlib.util import find_spec

from anholonomy.compile.program import Program
from anholonomy.refusals import IntegrationProblem, UnknownName
from anholonomy.simulate.integrators.base import AbstractIntegrator
from anholonomy.simulate.integrators.runge_kutta import RungeKutta
from anholonomy.simulate.integrators.scipy import Scipy
from anholonomy.simulate.integrators.taylor import Taylor, has_corners

__all__ = ["INTEGRATORS", "LARGE", "SMALL", "TIGHT", "choose_integrator"]

INTEGRATORS: dict[str, type[AbstractIntegrator]] = {kind.name: kind for kind in (Taylor, RungeKutta, Scipy)}
_NEEDS = {"taylor": "heyoka", "runge-kutta": "numba"}

SMALL = 200
"""Operations up to which a Taylor stepper is compiled in half a second, worth it at any tolerance."""
LARGE = 3000
"""Operations above which compiling a Taylor stepper takes five seconds and more."""
TIGHT = 1e-12
"""Tolerance below which the series is worth its compilation, and order eight runs into rounding error."""


def choose_integrator(
    program: Program, tolerance: float, name: str | None = None, *, against_series: str = ""
) -> AbstractIntegrator:
    """The integrator for a program and a tolerance, or the one called ``name``; its ``reason`` says why.

    ``against_series`` is what the caller knows that forbids Taylor's.

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
    obstacle = against_series or _obstacle(program, "taylor")
    size = program.operations
    if not obstacle and size <= SMALL:
        return _because(Taylor(), f"Taylor series: the program is small ({size} operations)")
    if not obstacle and tolerance < TIGHT and size <= LARGE:
        return _because(Taylor(), f"Taylor series: the tolerance is tight ({tolerance:.1g})")
    why = obstacle or f"the program is large ({size} operations)"
    if not _obstacle(program, "runge-kutta"):
        return _because(RungeKutta(), f"Runge-Kutta of order 8: {why}")
    return _because(Scipy(), f"SciPy: {_obstacle(program, 'runge-kutta')}")


def _forced(program: Program, name: str) -> AbstractIntegrator:
    if not isinstance(name, str) or name not in INTEGRATORS:
        raise UnknownName(f"there is no integrator {name!r}; there are {', '.join(INTEGRATORS)}.")
    if obstacle := _obstacle(program, name):
        others = ", ".join(other for other in INTEGRATORS if not _obstacle(program, other))
        raise IntegrationProblem(f"the integrator {name} cannot be used: {obstacle}. Use one of: {others}.")
    return _because(INTEGRATORS[name](), "asked for by name")


def _obstacle(program: Program, name: str) -> str:
    """Why an integrator cannot take the program; empty when it can."""
    needed = _NEEDS.get(name)
    if needed and find_spec(needed) is None:
        return f"{needed} is not installed"
    if name != "scipy" and program.has_least_squares:
        return "the constraints may be dependent, so that their rank is found at every step"
    if name == "taylor" and not program.is_straight:
        return "the program has linear systems to factorise"
    if name == "taylor" and has_corners(program):
        return "a Taylor series cannot follow abs or sign across zero"
    return ""


def _because(integrator: AbstractIntegrator, reason: str) -> AbstractIntegrator:
    integrator.reason = reason
    return integrator
