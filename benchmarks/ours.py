"""Our side in numbers: full states, the program behind a simulation, energy and residuals of anyone's motion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from anholonomy import System
from anholonomy.algebra.expressions import Symbol
from anholonomy.algebra.numbers.balls import precision
from anholonomy.equations.derivation import Derivation
from anholonomy.equations.lagrangian import energy
from anholonomy.equations.principles import formulation
from anholonomy.motion.charts.one_motion import runnable_at_start
from anholonomy.programs.backends.heyoka import variables_and_outputs
from anholonomy.programs.backends.numpy import NumpyBackend
from anholonomy.programs.program import Program, lower
from anholonomy.system.states.complete_state import complete_state

__all__ = ["Flow", "energy_and_residual", "flow", "full_state", "parameters", "reference"]


def parameters(system: System) -> np.ndarray:
    return np.array(list(system.parameters.values()), dtype=float)


def full_state(system: System, given: Mapping[str, float]) -> dict[Symbol, float]:
    """Coordinates, velocities, parameters and time, the velocities completed from the constraints."""
    with precision(30):
        return {s: float(value.mid()) for s, value in complete_state(system.model, given).items()}


@dataclass(frozen=True)
class Flow:
    """The program that a simulation integrates, unrolled and not, and where it starts."""

    straight: Program
    rates: Program
    start: np.ndarray
    parameters: np.ndarray


def flow(system: System, given: Mapping[str, float], by: str = "hamel") -> Flow:
    point, p = full_state(system, given), parameters(system)
    runnable = runnable_at_start(Derivation.for_all_values(system.model, formulation(by)), point, p)
    x = runnable.state(point)
    return Flow(runnable.straight(0.0, x, p), runnable.compiled.rates, x, p)


def reference(flow: Flow, times: np.ndarray) -> np.ndarray:
    """The states at ``times`` by Taylor series in extended precision, eleven bits beyond a double."""
    import heyoka

    variables, rates = variables_and_outputs(flow.straight)
    wide = np.longdouble
    stepper = heyoka.taylor_adaptive(
        list(zip(variables, rates, strict=True)), flow.start.astype(wide), fp_type=wide, compact_mode=True
    )
    stepper.pars[:] = flow.parameters[: len(stepper.pars)].astype(wide)
    *_, states = stepper.propagate_grid(times.astype(wide))
    return states


def energy_and_residual(system: System, q: np.ndarray, velocities: np.ndarray) -> tuple[float, float]:
    """The largest relative change of the energy, and the largest residual of a constraint; arrays (time, value)."""
    outputs = [*energy(system.model), *(c.expression for c in system.constraints)]
    program = lower((*system.coordinates, *system.velocities), system.model.parameter_symbols, (), outputs)
    values = NumpyBackend().compile(program)(0.0, np.hstack([q, velocities]).T, parameters(system))
    return float(np.abs(values[0] / values[0, 0] - 1).max()), float(np.abs(values[1:]).max())
