r"""The almost-symplectic form of a system over its base, which the multiplier makes symplectic.

.. math::
   \Omega = \theta^i\wedge d\pi_i - \pi_i\,d\theta^i - \psi\wedge\pi_i\theta^i - \tfrac12\beta_{ij}\,\theta^i\wedge\theta^j, \qquad
   i_X\Omega = dh, \qquad d(f\,\Omega) = 0, \qquad \psi = d\ln f

with the momenta $\pi_i = G_{ij}w^j$ of the old time, the energy $h = \tfrac12 G^{ij}\pi_i\pi_j + V$ and the magnetic part $\beta$. The motion $X$ is that of
$h$ by a form that is not closed; $f\,\Omega = dr\wedge dp - f\beta$ in the momenta $p = f\pi$ of the new time.
"""

from __future__ import annotations

from itertools import combinations

import symengine

from anholonomy.analysis.multipliers.chaplygin_multiplier import ChaplyginMultiplierEquations
from anholonomy.geometry.calculus.forms import Form
from anholonomy.geometry.frames.frame import Frame
from anholonomy.symbolic.display.simplify import simplify
from anholonomy.symbolic.expressions import Expr, Symbol, Vector, dot, identity, unused, zero
from anholonomy.system.model import Model

__all__ = ["almost_symplectic", "momenta_of_old_time", "phase_space"]


def momenta_of_old_time(base: Model) -> tuple[Symbol, ...]:
    r"""The symbols $\pi_i$, with names that nobody else has."""
    return tuple(unused(f"pi{k}", base.names.__contains__) for k, _ in enumerate(base.velocities, start=1))


def phase_space(base: Model, momenta: Vector) -> Frame:
    """The frame of the base beside the directions of the momenta, which commute with everything."""
    frame, n = base.frame_at_values, len(momenta)
    rows = tuple((*row, *(zero,) * n) for row in frame.anchor_ai)
    more = tuple((*(zero,) * len(frame.coordinates), *row) for row in identity(n))
    padded = [[(*entry, *(zero,) * n) for entry in row] + [(zero,) * 2 * n] * n for row in frame.structure_abd]
    structure = (*map(tuple, padded), *(((zero,) * 2 * n,) * 2 * n,) * n)
    both = Frame.with_structure(
        (*frame.coordinates, *momenta),
        (*rows, *more),
        None if frame.is_chart else structure,
        (*frame.labels, *(p.name for p in momenta)),
        (*frame.origin, *(zero,) * n) if frame.origin else (),
        frame.invariants,
        frame.named,
    )
    return both.where(base.values)


def almost_symplectic(equations: ChaplyginMultiplierEquations) -> Form:
    r"""$\Omega$ in the frame of the base and the directions of $\pi$."""
    base, psi, beta = equations.base, equations.psi_i, equations.magnetic_ij
    p = momenta_of_old_time(base)
    n, c = len(p), base.frame.structure_abd
    terms: dict[tuple[int, int], Expr] = {(i, n + i): symengine.Integer(1) for i in range(n)}
    for i, j in combinations(range(n), 2):
        terms[i, j] = simplify(dot(c[i][j], p) - psi[i] * p[j] + psi[j] * p[i] - beta[i][j])
    return Form.of(phase_space(base, p), 2, terms)
