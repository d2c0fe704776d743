r"""The divergence of the motion on the constraint submanifold, one field after the other, for densities of the configuration.

With the momenta $\pi_a = G_{ab}u^b + b_a$ along the admissible fields $X_a$ and a volume of the configurations, the flow of
$(q, \pi)$ has the divergence $\theta_au^a + \theta_0$,

.. math::
   \theta_b = \operatorname{div}X_b + \operatorname{tr}_D\,P[X_b, \cdot\,], \qquad
   \theta_0 = \operatorname{div}X_0 + \operatorname{tr}_D\,P[X_0 + \partial_t, \cdot\,] + s, \qquad s = G^{ab}\,\frac{\partial Q_a}{\partial u^b},

$P$ the $g$-orthogonal projector onto $D$: what the Hamiltonian contributes to $\dot q$ and to $\dot\pi$ cancels, and so does every skew term. A
density $N(q)$ of $dq\,d\pi$ is invariant exactly when $X_a(\ln N) = -\theta_a$ and $(X_0 + \partial_t)(\ln N) = -\theta_0$. The volume is $dq$ in a
chart and that of the left-invariant coframe on a group, with $\operatorname{div}E_a = -c_{ab}{}^b$.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import symengine

from anholonomy.algebra.calculus import along, gradient, jacobian
from anholonomy.algebra.expressions import Expr, Matrix, Vector, dot, free_symbols, matrix_vector, zero
from anholonomy.algebra.linear_algebra.symbolic import determinant, inverse
from anholonomy.algebra.short_forms_on_groups import shortened
from anholonomy.algebra.simplification.simplify import is_readable, readable, simplify
from anholonomy.algebra.steps.definitions import inline
from anholonomy.algebra.steps.linear_systems import small_determinant
from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.caching import cached_property
from anholonomy.base.deadlines import check
from anholonomy.base.errors import NotSupportedError
from anholonomy.laws.group_functions import in_names, reduced_in_names
from anholonomy.laws.prolongation.bracket_closure import ValuedField
from anholonomy.laws.reduced_motion import ReducedMotion

__all__ = ["Divergence"]


@final
@dataclass(frozen=True)
class Divergence:
    """The fields of the motion with the divergence along them.

    ``spread_a`` is the divergence of the directions of the frame in the volume that is meant; by default that of their coframe.
    """

    motion: ReducedMotion
    spread_a: Vector | None = None

    @cached_property
    def _momentum_slopes(self) -> Matrix:
        r"""$g_{dc}S_a{}^c$: how the momenta of the system's own frame change with the speeds, a row for each direction."""
        motion = self.motion
        slopes = jacobian(motion.momenta, motion.speeds)
        if not free_symbols(e for row in slopes for e in row).isdisjoint(motion.speeds):
            slopes = tuple(tuple(map(simplify, row)) for row in slopes)
            if not free_symbols(e for row in slopes for e in row).isdisjoint(motion.speeds):
                raise NotSupportedError(
                    f"{motion.model.name}: the Lagrangian is not quadratic in the velocities, so the divergence of its motion is "
                    "not linear in them."
                )
        return slopes

    @cached_property
    def named_metric_ab(self) -> Matrix:
        r"""$G_{ab} = g(X_a, X_b)$, on a group in its own names where that is shorter."""
        columns, frame = tuple(zip(*self._momentum_slopes, strict=True)), self.motion.model.frame
        rows = ([readable(dot(row, column)) for column in columns] for row in self.motion.span_ba)
        return tuple(tuple(in_names(entry, frame) for entry in row) for row in rows)

    @cached_property
    def named_determinant(self) -> Expr:
        r"""$\det G$, which turns densities of $dq\,du$ into those of $dq\,d\pi$ and back, in the same names."""
        G = self.named_metric_ab
        if not G:
            return symengine.Integer(1)
        value = reduced_in_names(determinant(G) if self._is_short else small_determinant(G), self.motion.model.frame)
        return shortened(value, self.motion.on)

    @property
    def determinant(self) -> Expr:
        """The same in coordinates."""
        return self._plain(self.named_determinant)

    @property
    def _is_short(self) -> bool:
        G = self.named_metric_ab
        return is_readable(e for row in G for e in row)

    def _plain(self, value: Expr) -> Expr:
        check()
        return self.motion.model.frame.in_coordinates(value)

    @cached_property
    def projector(self) -> Matrix:
        r"""$P_d{}^a$: the admissible part of the direction $E_d$ is $P_d{}^aX_a$."""
        return tuple(matrix_vector(self._inverse_ab, row) for row in self._momentum_slopes)

    @cached_property
    def _inverse_ab(self) -> Matrix:
        r"""$G^{ab}$, in lowest terms where it is short; as cofactors over a determinant nobody has multiplied out where it is not."""
        G = self.named_metric_ab
        try:
            if self._is_short:
                return tuple(tuple(map(self._plain, row)) for row in inverse(G))
            n, total = len(G), small_determinant(G)
            minors = [[_minor(G, b, a) * (-1) ** (a + b) for b in range(n)] for a in range(n)]
            return tuple(tuple(self._plain(entry / total) for entry in row) for row in minors)
        except ZeroDivisionError:
            raise NotSupportedError(
                f"{self.motion.model.name}: the inertia is degenerate on the admissible directions, so that they have no momenta."
            ) from None

    def _trace(self, transported: Sequence[Vector]) -> Expr:
        r"""$\sum_a P(Z_a)^a$ of one field $Z_a$ for each $X_a$."""
        columns = tuple(zip(*self.projector, strict=True))
        return symengine.Add(*(dot(Z, column) for Z, column in zip(transported, columns, strict=True)))

    def _spread(self, row: Vector) -> Expr:
        r"""$\operatorname{div}(X^aE_a) = E_a(X^a) - X^ac_{ab}{}^b$."""
        own = map(along, row, self.motion.model.frame.fields)
        return symengine.Add(*own) + dot(row, self._spread_of_directions)

    @cached_property
    def _spread_of_directions(self) -> Vector:
        r"""$\operatorname{div}E_a$, which is $-c_{ab}{}^b$ in the volume of the coframe."""
        structure = self.motion.model.frame.structure_abd
        n = range(len(structure))
        return self.spread_a or tuple(-symengine.Add(*(structure[a][b][b] for b in n)) for a in n)

    @cached_property
    def fields(self) -> tuple[ValuedField, ...]:
        r"""$X_a$ with $-\theta_a$; and last the drift, where constraints are affine, time enters or forces spread."""
        motion = self.motion
        found = []
        for a, (u, row, rates) in enumerate(zip(motion.speeds, motion.span_ba, motion.fields, strict=True)):
            turned = [motion.bracket(a, b) for b in range(len(motion.speeds))]
            theta = self._spread(row) + self._trace(turned) + self.spread_slopes[a]
            found.append(ValuedField(f"X({u.name})", (*row, zero), rates, readable(-theta)))
        return (*found, *self._drift)

    @property
    def spread_of_configurations(self) -> Expr:
        r"""$u^a\operatorname{div}X_a + \operatorname{div}X_0$: the divergence of the configurations with the speeds held fixed."""
        motion = self.motion
        return dot([self._spread(row) for row in motion.span_ba], motion.speeds) + self._spread(self.offset)

    @cached_property
    def _drift(self) -> tuple[ValuedField, ...]:
        motion, model = self.motion, self.motion.model
        offset, spread = self.offset, self.spreading
        if not (self.has_offset or motion.mentions_time) and is_zero(spread, motion.on):
            return ()
        rates = motion.drift
        value = readable(-self._spread(offset) - self._trace(motion.brackets_with(offset, rates)) - spread)
        if motion.mentions_time:
            return (ValuedField("the drift", (*offset, symengine.Integer(1)), rates, value),)
        # What does not know the time has a density that does not either.
        return (ValuedField("the drift", (*offset, zero), model.frame.direction(offset), value),)

    @cached_property
    def offset(self) -> Vector:
        r"""$X_0$, the inhomogeneous part of the constraints, in the frame of the system."""
        return inline(self.motion.frame.offset_a, self.motion.frame.definitions)

    @property
    def has_offset(self) -> bool:
        """True if the constraints have an inhomogeneous part, as they are written."""
        return any(entry != 0 for entry in self.offset)

    @cached_property
    def spread_of_forces(self) -> Expr:
        r"""$s(q, u) = G^{ab}\,\partial Q_a/\partial u^b$, what forces do to volumes."""
        motion, model = self.motion, self.motion.model
        if all(Q == 0 for Q in model.forces_a):
            return zero
        on_motion = [Q.xreplace(motion.velocities) for Q in model.forces_a]
        slopes = [gradient(dot(row, on_motion), motion.speeds) for row in motion.span_ba]
        return readable(symengine.Add(*(dot(a, b) for a, b in zip(self._inverse_ab, slopes, strict=True))))

    @cached_property
    def spread_slopes(self) -> Vector:
        r"""$\partial s/\partial u^a$."""
        return tuple(map(readable, gradient(self.spread_of_forces, self.motion.speeds)))

    @property
    def seen_affine(self) -> bool:
        r"""True if $s$ is seen to be affine in the speeds, so that the divergence is $\theta_au^a + \theta_0$."""
        return free_symbols(self.spread_slopes).isdisjoint(self.motion.speeds)

    @cached_property
    def bends(self) -> tuple[Expr, ...]:
        r"""Functions that vanish if $s$ is affine in the speeds: its second derivatives, and $s(2u) - 2s(u) + \tfrac12(s(u) + s(-u))$.

        Where one of them does not, no function of the configuration makes up for the divergence. The last one sees what has corners, as $|u|$.
        """
        u, s = self.motion.speeds, self.spread_of_forces
        twice, back = (s.xreplace({each: k * each for each in u}) for k in (2, -1))
        curved = [e for a, row in enumerate(jacobian(self.spread_slopes, u)) for e in row[a:] if e != 0]
        return (*curved, readable(twice - 2 * s + (s + back) / 2))

    @cached_property
    def spreading(self) -> Expr:
        r"""$s$ at rest, where it is affine in the speeds."""
        if self.spread_of_forces.free_symbols.isdisjoint(self.motion.speeds):
            return self.spread_of_forces
        return readable(self.spread_of_forces - dot(self.spread_slopes, self.motion.speeds))


def _minor(matrix: Matrix, i: int, j: int) -> Expr:
    """The determinant without a row and a column, as it stands."""
    rows = tuple(row[:j] + row[j + 1 :] for k, row in enumerate(matrix) if k != i)
    return small_determinant(rows) if rows else symengine.Integer(1)
