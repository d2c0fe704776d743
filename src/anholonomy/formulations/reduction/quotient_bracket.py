r"""The bracket of a system modulo symmetries, on functions of the invariants and of the momenta along invariant directions.

.. math::
   \{\gamma_i, M_a\} = Y_a(\gamma_i), \qquad \{M_a, M_b\} = -K_{ab}{}^dM_d - \nu_{abd}u^d - \beta(N_{ab}), \qquad
   M_a = \frac{\partial\ell}{\partial u^a}, \quad u = G^{-1}(M - b)

It is antisymmetric and gives the motion with the Hamiltonian $h = \tfrac12(M - b)\cdot G^{-1}(M - b) + V$; Jacobi's identity it need not obey.
"""

from __future__ import annotations

from itertools import combinations

from anholonomy.formulations.almost_poisson import AlmostPoisson
from anholonomy.formulations.principles.hamiltonian import name_momenta
from anholonomy.formulations.reduction.quotient import Quotient
from anholonomy.geometry.brackets import bracket
from anholonomy.refusals import NotCovered
from anholonomy.symbolic.calculus import gradient
from anholonomy.symbolic.display.readable import readable
from anholonomy.symbolic.display.simplify import simplify_vector
from anholonomy.symbolic.expressions import Matrix, Symbol, Vector, dot, identity, matrix_vector, unused, zero
from anholonomy.symbolic.matrices.linear import inverse
from anholonomy.symbolic.steps.straight_line import inline
from anholonomy.system.frames.adapted import adapted_frame

__all__ = ["momentum_symbols", "quotient_bracket"]


def momentum_symbols(quotient: Quotient) -> tuple[Symbol, ...]:
    """M1, M2, …, one for each speed, with names that nobody else has."""
    base = quotient.base
    return tuple(unused(f"M{a}", base.names.__contains__) for a, _ in enumerate(base.velocities, 1))


def quotient_bracket(quotient: Quotient) -> AlmostPoisson:
    r"""The Hamiltonian form; where constraints are kept, in the momenta $\pi_b = S_b{}^aM_a$ along the directions $X_b = S_b{}^aY_a$ that these leave."""
    base, frame = quotient.base, adapted_frame(quotient.base)
    if any(e != 0 for e in frame.offset_a):
        raise NotCovered(
            f"{quotient.model.name}: its constraints are inhomogeneous, so that its motion is not that of a bracket."
        )
    S = tuple(inline(row, frame.definitions) for row in frame.span_ba)
    M = momentum_symbols(quotient) if identity(len(S)) == S else name_momenta(base, frame)
    linear = matrix_vector(S, quotient.linear_a)
    shifted = [p - b for p, b in zip(M, linear, strict=True)]
    speeds = matrix_vector(_inverse(quotient, S), shifted)
    w = tuple(map(readable, (dot(speeds, column) for column in zip(*S, strict=True))))
    potential, n = quotient.space.written(quotient.carried.potential), len(base.coordinates)
    moving = dict(zip(base.velocities, w, strict=True))
    pushed = matrix_vector(S, [Q.xreplace(moving) for Q in quotient.forces_a])
    return AlmostPoisson(
        model=base,
        momenta=M,
        definitions=simplify_vector(matrix_vector(S, gradient(quotient.lagrangian, base.velocities))),
        velocities=w,
        hamiltonian=readable(dot(shifted, speeds) / 2) + potential,
        matrix_xy=_matrix(quotient, S, w),
        drift_x=(zero,) * (n + len(M)),
        forces_x=(*(zero,) * n, *pushed),
    )


def _inverse(quotient: Quotient, S: Matrix) -> Matrix:
    if identity(len(S)) == S:
        return quotient.inverse_ab
    lowered = [matrix_vector(quotient.metric_ab, row) for row in S]
    return inverse(tuple(tuple(quotient.shortest(dot(low, row)) for row in S) for low in lowered))


def _matrix(quotient: Quotient, S: Matrix, w: Vector) -> Matrix:
    r"""$\{\gamma, \pi_b\} = X_b(\gamma)$ and $\{\pi_b, \pi_c\} = -[X_b, X_c]_K\cdot M - \nu(X_b, X_c, w) - \beta(N_{bc})$."""
    frame, M = (
        quotient.base.frame,
        tuple(p + b for p, b in zip(matrix_vector(quotient.metric_ab, w), quotient.linear_a, strict=True)),
    )
    if identity(len(S)) == S:
        M = momentum_symbols(quotient)
    fields = [frame.direction(row) for row in S]
    width, n = len(frame.coordinates), range(len(S))
    turned = [[zero] * len(n) for _ in n]
    for b, c in combinations(n, 2):
        total = dot(bracket(frame, S[b], S[c], fields[b], fields[c]), M)
        for (i, j), (lower, bent) in quotient.outside.items():
            total = total + (S[b][i] * S[c][j] - S[b][j] * S[c][i]) * (dot(lower, w) + bent)
        turned[b][c], turned[c][b] = -readable(total), readable(total)
    rows = [tuple(field.values()) for field in fields]
    top = [(*(zero,) * width, *(row[i] for row in rows)) for i in range(width)]
    return (*top, *((*(-e for e in row), *right) for row, right in zip(rows, turned, strict=True)))
