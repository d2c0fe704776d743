r"""Back onto the constraints after a step: $w \leftarrow w - A^{\mathsf T}(A A^{\mathsf T})^{-1}\varphi$, until $\varphi$ is rounding.

Only principles in full velocities need it; reduced equations satisfy the constraints by construction.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from anholonomy.compile.backends import fast_function
from anholonomy.compile.backends.base import Array, Function
from anholonomy.compile.program import lower
from anholonomy.system.model import Model

__all__ = ["projector"]


def projector(model: Model, p: Array) -> Callable[[float, Array], Array]:
    """A callback for an integrator whose state is coordinates and velocities, and perhaps costates."""
    function, count, width = _constraint_function(model), len(model.velocity_constraints), len(model.velocities)
    first = len(model.coordinates)
    last = first + width

    def put_back(t: float, x: Array) -> Array:
        x = np.array(x)
        for _ in range(3):
            out = function(t, x[:last], p)
            phi, A = out[:count], out[count:].reshape(count, width)
            if np.abs(phi).max() < 1e-15 * (1.0 + np.abs(x[first:last]).max()):
                break
            x[first:last] -= np.linalg.lstsq(A, phi, rcond=None)[0]
        return x

    return put_back


@lru_cache(maxsize=16)
def _constraint_function(model: Model) -> Function:
    outputs = [c.expression for c in model.velocity_constraints] + [
        entry for row in model.velocity_matrix_na for entry in row
    ]
    return fast_function(lower((*model.coordinates, *model.velocities), model.parameter_symbols, (), outputs))
