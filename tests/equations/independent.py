r"""The ingredients $M$, $h$, $Q$, $A$, $b$ of a system, from SymPy's derivatives alone.

.. math:: M\ddot q + h = Q + A^{\mathsf T}\lambda, \qquad A\ddot q + b = 0
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import sympy as sp

import anholonomy as ah
from anholonomy.algebra.numbers.balls import precision
from anholonomy.system.states.random_states import admissible_points

t = sp.Symbol("t")


class Parts(NamedTuple):
    """Numbers at one state."""

    M: np.ndarray
    h: np.ndarray
    Q: np.ndarray
    A: np.ndarray
    b: np.ndarray

    @property
    def free(self) -> np.ndarray:
        """The accelerations without constraints."""
        return np.linalg.solve(self.M, self.Q - self.h)


class Case:
    """A system declared in SymPy, and what SymPy says about it."""

    def __init__(
        self,
        name: str,
        q: Sequence[sp.Symbol],
        lagrangian: sp.Expr,
        rows: Sequence[sp.Expr],
        forces: Mapping[str, sp.Expr] | None = None,
        redundant: str = "refuse",
    ) -> None:
        self.q, self.v = list(q), [sp.Symbol(f"{s.name}'") for s in q]
        self.a = [sp.Symbol(f"{s.name}''") for s in q]
        self.lagrangian, self.rows, self.forces = lagrangian, list(rows), dict(forces or {})
        self.system = ah.System(
            name=name,
            coordinates=list(q),
            lagrangian=lagrangian,
            constraints=[sp.Eq(row, 0) for row in rows],
            forces={sp.Symbol(key): value for key, value in self.forces.items()},
            redundant=redundant,
        )
        self._function = self._compiled()

    def _coasting(self, f: sp.Expr) -> sp.Expr:
        return f.diff(t) + sum(f.diff(s) * w for s, w in zip(self.q, self.v, strict=True))

    def _row(self, row: sp.Expr) -> tuple[list[sp.Expr], sp.Expr]:
        if row.free_symbols & set(self.a):
            return [row.diff(a) for a in self.a], row.subs(dict.fromkeys(self.a, 0))
        phi = row if row.free_symbols & set(self.v) else self._coasting(row)
        return [phi.diff(w) for w in self.v], self._coasting(phi)

    def _compiled(self) -> Callable[..., list]:
        p = [self.lagrangian.diff(w) for w in self.v]
        M = [[p_a.diff(w) for w in self.v] for p_a in p]
        h = [self._coasting(p_a) - self.lagrangian.diff(s) for p_a, s in zip(p, self.q, strict=True)]
        Q = [self.forces.get(s.name, sp.Integer(0)) for s in self.q]
        rows = [self._row(row) for row in self.rows]
        return sp.lambdify([*self.q, *self.v, t], [M, h, Q, [A for A, _ in rows], [b for _, b in rows]])

    def parts(self, state: Mapping[str, float]) -> Parts:
        values = self._function(*(state[s.name] for s in (*self.q, *self.v)), state.get("t", 0.0))
        arrays = [np.array(value, dtype=float) for value in values]
        return Parts(*arrays[:3], arrays[3].reshape(len(self.rows), len(self.q)), arrays[4].reshape(len(self.rows)))

    def states(self, count: int, seed: int = 1) -> list[dict[str, float]]:
        """Random admissible states in doubles."""
        with precision(30):
            points = admissible_points(self.system.model, 20, seed=seed)
            return [{s.name: float(v.mid()) for s, v in next(points).items()} for _ in range(count)]

    def accelerations(self, by: str, state: Mapping[str, float]) -> np.ndarray:
        return np.array(list(self.system.derive(by).accelerations(state).values()))


x, y, z, theta = sp.symbols("x y z theta")
dx, dy, dz, dtheta = sp.symbols("x' y' z' theta'")
ddx, ddy, ddz = sp.symbols("x'' y'' z''")

CURVED = (
    (1 + x**2) * dx**2 / 2 + (dy + sp.sin(z) * dx) ** 2 / 2 + (2 + sp.cos(y)) * dz**2 / 2 + x * y * dz - x * sp.cos(y)
)
FORCES = {"x": -dx + y, "z": x * dy + t}
FLAT = (dx**2 + dy**2 + dz**2) / 2 - z


def cases() -> dict[str, Case]:
    """Every kind of constraint, alone and redundant; in the curved ones every term is at work."""
    made = [
        Case("linear", [x, y, z], CURVED, [dz - y * dx + x * dy], FORCES),
        Case("affine, moving", [x, y, z], CURVED - t * z, [(2 + sp.sin(t * y)) * dx + x * z * dy + dz + t * x], FORCES),
        Case("nonlinear", [x, y, z], CURVED, [dx**2 + 2 * dy**2 + dz**2 - 2 - x**2], FORCES),
        Case("on accelerations", [x, y, z], CURVED, [ddx - dy * ddy + sp.sin(z) * dx + t], FORCES),
        Case("position", [x, y, z], CURVED, [x**2 + y**2 + z**2 - 2], FORCES),
        Case("of three kinds", [x, y, z], CURVED, [dz - y * dx, ddx * z + ddy - dx * dy], FORCES),
        Case("redundant", [x, y, z], CURVED, [dz - y * dx, 3 * dy * x, x * dz - x * y * dx + dy * x], FORCES, "keep"),
        Case(
            "redundant, moving",
            [x, y, z],
            CURVED,
            [dz - t * dx - y, 2 * x * dz - 2 * x * t * dx - 2 * x * y],
            FORCES,
            "keep",
        ),
        Case("contradictory", [x, y, z], CURVED, [ddx + ddy - 1, ddx + ddy - 3, ddz - x], FORCES, "keep"),
    ]
    return {case.system.name: case for case in made}
