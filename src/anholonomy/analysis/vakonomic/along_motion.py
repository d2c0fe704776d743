r"""The multiplier integrated along a computed motion, and how well the best one satisfies its equations.

.. math:: \mu(t) = \Phi(t)\mu_0 + b(t), \qquad \min_{\mu_0}\ \max_t |N(t)\,\mu(t)|

The linear equation $\dot\mu = R\mu - \nu$ is solved by Gauss's collocation between the samples of the motion, and $\mu_0$ by least squares
over all of them: numbers that owe nothing to the elimination by which the question is decided.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from anholonomy.analysis.along_motions import NODES, fine_times, gauss
from anholonomy.analysis.reduced_motion import reduced_motion
from anholonomy.analysis.vakonomic.multiplier_equations import MultiplierEquations
from anholonomy.language.writing import to_text
from anholonomy.symbolic.expressions import Expr

__all__ = ["best_multiplier"]

_PARTS = 2
"""Steps between two samples of a motion."""


def best_multiplier(equations: MultiplierEquations, run: Any) -> tuple[np.ndarray, float]:
    """The multipliers at the start that do best, and the largest misfit, relative to the sizes of what is compared."""
    times = np.asarray(run.time.values, dtype=float)
    nodes, weights, upto = gauss(NODES)
    _, steps, at = fine_times(times, _PARTS, nodes)
    fine = run.at(at.ravel().tolist())
    shape, k = at.shape, len(equations.multipliers)

    def values(rows: Iterable[Iterable[Expr]]) -> np.ndarray:
        own = reduced_motion(equations.model).speeds_of_velocities
        found = [
            [
                np.broadcast_to(fine[to_text(e.xreplace(own).xreplace(dict(equations.named)))].values, at.size)
                for e in row
            ]
            for row in rows
        ]
        return np.moveaxis(np.array(found, dtype=float).reshape(len(found), -1, *shape), (0, 1), (2, 3))

    N, R, nu = values(equations.N_bn), values(equations.R_nn), values([equations.nu_n])[:, :, 0]
    state = np.hstack([np.eye(k), np.zeros((k, 1))])  # the columns of Phi, and b
    rows, right = [], []
    for h, N_i, R_i, nu_i in zip(steps, N, R, nu, strict=True):
        inside = _collocated(state, h, R_i, nu_i, upto)
        rows.append((N_i @ inside[:, :, :k]).reshape(-1, k))
        right.append((N_i @ inside[:, :, k:]).reshape(-1))
        slopes = R_i @ inside
        slopes[:, :, k] -= nu_i
        state = state + h * np.tensordot(weights, slopes, 1)
    matrix, target = np.vstack(rows), -np.concatenate(right)
    mu, *_ = np.linalg.lstsq(matrix, target, rcond=1e-10)
    size = max(np.abs(matrix).max() * np.abs(mu).max(initial=0.0), np.abs(target).max(), np.abs(nu).max(), 1e-300)
    return mu, float(np.abs(matrix @ mu - target).max() / size) if np.abs(nu).max() else 0.0


def _collocated(state: np.ndarray, h: float, R: np.ndarray, nu: np.ndarray, upto: np.ndarray) -> np.ndarray:
    r"""$Y_i = Y + h\sum_j a_{ij}(R_jY_j - \nu_j)$ at the nodes of one step, for every column of ``state``."""
    count, k = len(R), len(state)
    coupled = np.einsum("ij,jkl->ikjl", upto, R).reshape(count * k, count * k)
    source = np.zeros((count, k, k + 1))
    source[:, :, k] = -np.einsum("ij,jk->ik", upto, nu)
    right = (np.broadcast_to(state, (count, k, k + 1)) + h * source).reshape(count * k, k + 1)
    return np.linalg.solve(np.eye(count * k) - h * coupled, right).reshape(count, k, k + 1)
