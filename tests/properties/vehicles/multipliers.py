r"""Accelerations by the multipliers of d'Alembert and Lagrange, in long double and without the package.

.. math:: \begin{pmatrix} M & -A^{\mathsf T}\\ A & 0\end{pmatrix}\begin{pmatrix}\dot w\\ \lambda\end{pmatrix}
   = \begin{pmatrix} F - \sum_k m_k\,r_k\,(\dot r_k\cdot w)\\ -\dot A\,w\end{pmatrix}, \qquad M = \sum_k m_k\,r_k r_k^{\mathsf T}
"""

from __future__ import annotations

import numpy as np

from tests.properties.vehicles.arrows import Real


def solved(matrix: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Gauss's elimination with the largest pivot of each column, since LAPACK knows no long double."""
    work = np.column_stack([matrix, right]).astype(Real)
    size = len(work)
    for k in range(size):
        best = k + int(np.argmax(np.abs(work[k:, k])))
        work[[k, best]] = work[[best, k]]
        work[k + 1 :] -= np.outer(work[k + 1 :, k] / work[k, k], work[k])
    for k in reversed(range(size)):
        work[k] /= work[k, k]
        work[:k] -= np.outer(work[:k, k], work[k])
    return work[:, size:].reshape(np.shape(right))


def projected(w: np.ndarray, A: np.ndarray) -> np.ndarray:
    """The nearest velocities with $A w = 0$."""
    return w - A.T @ solved(A @ A.T, A @ w)


def accelerations(M: np.ndarray, A: np.ndarray, force: np.ndarray, drift: np.ndarray) -> np.ndarray:
    """$\\dot w$ of the saddle-point system."""
    n, m = len(M), len(A)
    whole = np.zeros((n + m, n + m), dtype=Real)
    whole[:n, :n], whole[:n, n:], whole[n:, :n] = M, -A.T, A
    return solved(whole, np.concatenate([force, -drift]))[:n]
