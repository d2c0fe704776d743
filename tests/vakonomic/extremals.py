r"""The vakonomic equations along a computed motion, from Lagrangian and constraints alone, in SymPy and doubles.

With :math:`\mu` a polynomial in time, :math:`A^T(\dot\mu + \lambda) + E(\varphi)^T\mu = 0` with :math:`E(L) = A^T\lambda` is a linear system for its
coefficients. Its least-squares misfit owes nothing to the decision that it is compared with.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp

from anholonomy.language import to_text

__all__ = ["misfit"]

TERMS, SAMPLES = 28, 90


def _sympy(system: Any, expression: Any) -> sp.Expr:
    plain = to_text(expression).replace("^", "**").replace("'", "_d")
    names = {n.replace("'", "_d"): sp.Symbol(n.replace("'", "_d")) for n in system.model.names}
    values = {sp.Symbol(k): sp.nsimplify(v) for k, v in system.parameters.items() if v is not None}
    return sp.sympify(plain, locals=names).subs(values)


def misfit(system: Any, start: dict[str, Any], until: float = 1.5) -> float:
    """The misfit of the best multiplier, relative to the largest of E(L) and 1."""
    span = (1 - np.cos(np.pi * (np.arange(SAMPLES) + 0.5) / SAMPLES)) / 2  # Chebyshev's points
    run = system.simulate(start, times=[0.0, *(until * span).tolist()])
    t = np.asarray(run.time.values[1:])
    q = [sp.Symbol(s.name) for s in system.coordinates]
    v = [sp.Symbol(f"{s.name}_d") for s in system.coordinates]
    a = [sp.Symbol(f"{s.name}_dd") for s in system.coordinates]
    time = sp.Symbol("t")
    columns = [run[s.name + mark].values[1:] for mark in ("", "'", "''") for s in system.coordinates]

    def total(f: sp.Expr) -> sp.Expr:
        moved = sum(f.diff(x) * y for x, y in zip([*q, *v], [*v, *a], strict=True))
        return f.diff(time) + moved

    def values(f: sp.Expr) -> np.ndarray:
        return np.broadcast_to(np.asarray(sp.lambdify([*q, *v, *a, time], f)(*columns, t), dtype=float), t.shape)

    def euler(f: sp.Expr) -> list[np.ndarray]:
        return [values(total(f.diff(w)) - f.diff(x)) for x, w in zip(q, v, strict=True)]

    phi = [_sympy(system, c.expression) for c in system.model.independent.constraints]
    A, E = [[values(f.diff(w)) for w in v] for f in phi], [euler(f) for f in phi]
    L = euler(_sympy(system, system.lagrangian))
    basis = [np.polynomial.chebyshev.Chebyshev.basis(k, domain=[0, until]) for k in range(TERMS)]
    rows, right = [], []
    for i in range(len(q)):
        blocks = [(A_n[i] * b.deriv()(t) + E_n[i] * b(t)) for A_n, E_n in zip(A, E, strict=True) for b in basis]
        rows.append(np.stack(blocks, axis=1))
        right.append(-L[i])
    matrix, target = np.vstack(rows), np.concatenate(right)
    scale = np.abs(matrix).max(axis=0)
    found, *_ = np.linalg.lstsq(matrix / np.where(scale > 0, scale, 1), target, rcond=1e-13)
    gap = matrix / np.where(scale > 0, scale, 1) @ found - target
    return float(np.abs(gap).max() / max(1.0, np.abs(target).max()))
