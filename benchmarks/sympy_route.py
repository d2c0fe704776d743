"""From SymPy's equations to numbers: `lambdify` with shared subexpressions, `numpy.linalg.solve`, `solve_ivp`."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy
from scipy.integrate import solve_ivp
from sympy.physics.mechanics import KanesMethod, LagrangesMethod, msubs

__all__ = ["KaneRoute", "lagrange_accelerations"]


class KaneRoute:
    """Kane's equations as a right-hand side; the state is coordinates, then independent and dependent speeds."""

    def __init__(self, method: KanesMethod, parameters: dict[str, float], scalar: bool = False) -> None:
        self.q, self.u = list(method.q), list(method.u)
        symbols = [sympy.Symbol(name) for name in parameters]
        self.values = list(parameters.values())
        self.qdot = sympy.Matrix([method.kindiffdict()[c.diff()] for c in self.q])
        self.arguments = [*self.q, *self.u, *symbols]
        self.equations = [method.mass_matrix, method.forcing, self.qdot]
        # As the documentation has it; with Python's own functions one state takes half as long, and a batch is lost.
        modules = ["math", "numpy"] if scalar else "numpy"
        self._all = sympy.lambdify(self.arguments, self.equations, modules, cse=True)

    def rates(self, t: float, state: np.ndarray) -> np.ndarray:
        mass, forcing, qdot = self._all(*state.tolist(), *self.values)
        return np.concatenate([qdot[:, 0], np.linalg.solve(mass, forcing)[:, 0]])

    def solve(self, state: np.ndarray, times: np.ndarray, tolerance: float) -> np.ndarray:
        """The states at ``times``, shape (time, value)."""
        span = float(times[0]), float(times[-1])
        run = solve_ivp(self.rates, span, state, "DOP853", times, rtol=tolerance, atol=tolerance)
        assert run.success, run.message
        return run.y.T

    def state(self, q: np.ndarray, velocities: np.ndarray) -> np.ndarray:
        """The state with these velocities, which are linear in the speeds."""
        jacobian = sympy.lambdify(self.arguments, self.qdot.jacobian(self.u))
        zeros = np.zeros(len(self.u))
        matrix = jacobian(*q, *zeros, *self.values)
        return np.concatenate([q, np.linalg.solve(matrix, velocities)])

    def velocities(self, states: np.ndarray) -> np.ndarray:
        """The velocities along a motion, shape (time, value)."""
        each = sympy.lambdify(self.arguments, list(self.qdot))
        return np.array([np.broadcast_to(v, len(states)) for v in each(*states.T, *self.values)]).T

    def accelerations(self, q: np.ndarray, velocities: np.ndarray) -> np.ndarray:
        state = self.state(q, velocities)
        jacobian = sympy.lambdify(self.arguments, self.qdot.jacobian([*self.q, *self.u]))
        return jacobian(*state, *self.values) @ self.rates(0.0, state)


def lagrange_accelerations(
    method: LagrangesMethod, parameters: dict[str, float], q: np.ndarray, velocities: np.ndarray
) -> np.ndarray:
    """The accelerations from Lagrange's equations with multipliers."""
    count = len(method.q)
    names: list[Any] = [sympy.Symbol(f"v{i}") for i in range(count)]
    plain = dict(zip((c.diff() for c in method.q), names, strict=True))
    system = [msubs(method.mass_matrix_full, plain), msubs(method.forcing_full, plain)]
    arguments = [*method.q, *names, *(sympy.Symbol(name) for name in parameters)]
    mass, forcing = sympy.lambdify(arguments, system)(*q, *velocities, *parameters.values())
    return np.linalg.solve(mass, forcing)[count : 2 * count, 0]
