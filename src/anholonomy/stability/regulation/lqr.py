r"""The linear-quadratic regulator about a steady motion: the feedback that costs least.

.. math::
   \delta\tau = -K\,\delta z, \qquad K = R^{-1}B^{\mathsf T}P, \qquad A^{\mathsf T}P + PA - PBR^{-1}B^{\mathsf T}P + Q = 0

What no input can change and what does not change by itself, $w^{\mathsf T}(A, B) = 0$, leads from one steady motion of a family to
another, such as the speed of a bicycle that coasts. The gain then acts on the distance from the member of the family that the state
belongs to, $\delta z - v\,w^{\mathsf T}\delta z$ with $Av = 0$ and $w^{\mathsf T}v = 1$.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.refusals import NotCovered
from anholonomy.stability.regulation.weights import weights
from anholonomy.symbolic.numbers.subspaces import kernel, split
from anholonomy.tolerances import NOTHING, VANISHES

__all__ = ["regulator"]


def regulator(
    system: str, A: Array, B: Array, labels: Sequence[str], inputs: Sequence[str], Q: Any, R: Any
) -> tuple[Array, np.ndarray]:
    """The gain $K$, and the eigenvalues of the closed loop without those of families."""
    Q, R = weights(system, "Q", Q, labels, False), weights(system, "R", R, inputs, True)
    T, project = _within_families(system, A, B, labels, inputs)
    a, b, q = T.T @ A @ T, T.T @ B, T.T @ Q @ T
    _refuse_out_of_reach(system, a, b, T, labels, inputs)
    if not a.size:
        raise NotCovered(
            f"{system}: no input changes anything at first order about this motion, so there is nothing to regulate."
        )
    from scipy.linalg import solve_continuous_are

    try:
        P = solve_continuous_are(a, b, (q + q.T) / 2, R)
    except (np.linalg.LinAlgError, ValueError):
        P = None
    k = None if P is None else np.linalg.solve(R, b.T @ P)
    values = np.empty(0) if k is None else np.linalg.eigvals(a - b @ k)
    if k is None or values.real.max() > -NOTHING * np.abs(values).max():
        raise NotCovered(
            f"{system}: with this `Q` no feedback is the cheapest, because it leaves something unweighed that does not decay by itself; "
            f"weigh more of {', '.join(labels)}."
        )
    order = np.lexsort((values.imag, -values.real))
    found = np.asarray(k @ T.T @ project, dtype=float)
    found[np.abs(found) <= VANISHES * np.abs(found).max()] = 0.0
    return found, values[order]


def _within_families(
    system: str, A: Array, B: Array, labels: Sequence[str], inputs: Sequence[str]
) -> tuple[Array, Array]:
    """An orthonormal basis of what keeps to one member of each family, and the projection onto it along the families."""
    n = len(A)
    T, W = split(np.hstack([A, B]))
    if not W.size:
        return np.eye(n), np.eye(n)
    still, one = kernel(A), np.eye(W.shape[1])
    V = still @ np.linalg.lstsq(W.T @ still, one, rcond=None)[0]
    if np.abs(W.T @ V - one).max() > 1e-6:
        culprit = labels[int(np.abs(W).max(axis=1).argmax())]
        raise NotCovered(_unreachable(system, 0.0, culprit, inputs))
    return T, np.eye(n) - V @ W.T


def _refuse_out_of_reach(
    system: str, a: Array, b: Array, T: Array, labels: Sequence[str], inputs: Sequence[str]
) -> None:
    """By Popov, Belevitch and Hautus: what does not decay must be moved by some input."""
    values = np.linalg.eigvals(a)
    scale = max(float(np.abs(a).max(initial=0.0)), float(np.abs(b).max(initial=0.0)), 1e-300)
    for value in values[values.real >= -NOTHING * scale]:
        u, sizes, _ = np.linalg.svd(np.hstack([a - value * np.eye(len(a)), b.astype(complex)]))
        if sizes[-1] <= NOTHING * scale:
            culprit = labels[int(np.abs(T @ u[:, -1]).argmax())]
            raise NotCovered(_unreachable(system, value, culprit, inputs))


def _unreachable(system: str, value: complex, culprit: str, inputs: Sequence[str]) -> str:
    said = f"{value.real:.4g}" + (f" ± {abs(value.imag):.4g}i" if abs(np.imag(value)) > 1e-12 else "")
    return (
        f"{system} cannot be made stable here by {', '.join(inputs)}: the eigenvalue {said} of a mode that shows most in {culprit} "
        "stays whatever they do; add an input that acts on it."
    )
