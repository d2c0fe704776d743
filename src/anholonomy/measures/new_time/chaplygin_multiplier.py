r"""The linear equations for the differential of Chaplygin's multiplier, and the almost-symplectic form that the multiplier closes.

The system $l = \tfrac12 G_{ij}w^iw^j + \Delta_iw^i - V$ with forces $F = F^{(2)} + F^{(1)} + F^{(0)}$, by degree in the velocities, is
Lagrangian in the time $d\tau = f\,dt$, with $l^* = \tfrac12 f^2G_{ij}w'^iw'^j - V^*$ and a magnetic term, exactly when with $\psi = d\ln f$

.. math::
   F^{(2)}_i + (\psi_jw^j)\,G_{ik}w^k - \psi_i\,G_{jk}w^jw^k = 0, \qquad
   F^{(1)}_{(ij)} + \psi_t\,G_{ij} = 0, \qquad F^{(0)} = -dU, \qquad d\psi = 0, \qquad d(f\beta) = 0

where $\beta_{ij} = F^{(1)}_{[ij]} - d\Delta(E_j, E_i)$. The first equation is linear in $\psi$, and its trace solves it,

.. math:: (n - 1)\,\psi_jw^j = -G^{ij}\,\frac{\partial F^{(2)}_i}{\partial w^j} ,

so that what is left of it, the surplus, is a test, and so is closedness. Where time enters, the new time must be a function of
it alone: $\psi_i = 0$ and $\psi_t$ depends on $t$ only. Without time the motion $X$ is that of the energy $h = \tfrac12 G^{ij}\pi_i\pi_j + V$ by a form that is not closed,

.. math::
   \Omega = \theta^i\wedge d\pi_i - \pi_i\,d\theta^i - \psi\wedge\pi_i\theta^i - \tfrac12\beta_{ij}\,\theta^i\wedge\theta^j, \qquad
   i_X\Omega = dh, \qquad d(f\,\Omega) = 0 ,

with the momenta $\pi_i = G_{ij}w^j$ of the old time; $f\,\Omega = dr\wedge dp - f\beta$ in the momenta $p = f\pi$ of the new time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import final

import symengine

from anholonomy.algebra.calculus import along, jacobian, partial
from anholonomy.algebra.expressions import (
    Expr,
    Matrix,
    Symbol,
    Vector,
    dot,
    identity,
    matrix_vector,
    time,
    unused,
    zero,
)
from anholonomy.algebra.linear_algebra.symbolic import inverse
from anholonomy.algebra.redundant_coordinates import Orbit
from anholonomy.algebra.simplification.simplify import simplify, simplify_vector
from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import NotSupportedError
from anholonomy.equations.lagrangian import QuadraticParts, quadratic_parts
from anholonomy.equations.principles.base import QUADRATIC
from anholonomy.equations.reduction.bundle import by_degree
from anholonomy.findings import Quantity
from anholonomy.geometry.forms import Form
from anholonomy.geometry.frame import Frame
from anholonomy.system.model import Model

__all__ = ["ChaplyginMultiplierEquations", "almost_symplectic"]


@final
@dataclass(frozen=True)
class ChaplyginMultiplierEquations:
    """The equations for the multiplier of an unconstrained system with forces, such as the base of a reduction."""

    base: Model

    @property
    def on(self) -> Orbit | None:
        return self.base.frame_at_values.orbit

    @cached_property
    def parts(self) -> QuadraticParts:
        r"""$G_{ij}$, $\Delta_i$ and $V$, in short forms."""
        if why := QUADRATIC.obstacle(self.base):
            raise NotSupportedError(
                f"{self.base.name}: a new time is looked for where inertia does not depend on velocities, but {why}."
            )
        raw = quadratic_parts(self.base.lagrangian, self.base.velocities)
        return QuadraticParts(
            tuple(map(simplify_vector, raw.mass_ab)), simplify_vector(raw.linear_a), simplify(raw.potential)
        )

    @cached_property
    def inverse_ij(self) -> Matrix:
        r"""$G^{ij}$."""
        try:
            return inverse(self.parts.mass_ab)
        except ZeroDivisionError:
            raise NotSupportedError(f"{self.base.name}: the inertia is degenerate; there are no momenta.") from None

    @cached_property
    def forces(self) -> dict[int, Vector]:
        """All forces by degree in the velocities."""
        return by_degree(self.base.forces_a, self.base.velocities, f"{self.base.name}: the force", polynomials=True)

    @property
    def fields(self) -> tuple[dict[Symbol, Expr], ...]:
        return self.base.frame.fields

    @cached_property
    def psi_i(self) -> Vector:
        r"""$E_i(\ln f)$, from the trace of the equations."""
        n, w = len(self.base.velocities), self.base.velocities
        if n == 1:
            return (zero,)
        slopes = jacobian(self.forces[2], w)
        trace = symengine.Add(*(dot(a, b) for a, b in zip(self.inverse_ij, slopes, strict=True)))
        return tuple(simplify(partial(trace, v) / (1 - n)) for v in w)

    @cached_property
    def psi_t(self) -> Expr:
        r"""$\partial_t\ln f$, from the trace of the symmetric part of the linear forces."""
        traces = (dot(a, b) for a, b in zip(self.inverse_ij, self._linear_ij, strict=True))
        return simplify(-symengine.Add(*traces) / len(self.base.velocities))

    @cached_property
    def _linear_ij(self) -> Matrix:
        return jacobian(self.forces[1], self.base.velocities)

    @cached_property
    def magnetic_ij(self) -> Matrix:
        r"""$\beta_{ij}$: the force $\beta_{ij}w^j$ that does no work, of the Lagrangian's linear part and of linear forces."""
        F, b = self._linear_ij, self.parts.linear_a
        n, c, e = range(len(b)), self.base.frame.structure_abd, self.fields

        def entry(i: int, j: int) -> Expr:
            curl = along(b[i], e[j]) - along(b[j], e[i]) - dot(c[j][i], b)
            return simplify((F[i][j] - F[j][i]) / 2 - curl)

        upper = {(i, j): entry(i, j) for i, j in combinations(n, 2)}
        return tuple(tuple(upper[i, j] if i < j else -upper[j, i] if j < i else zero for j in n) for i in n)

    @cached_property
    def push_i(self) -> Vector:
        r"""Forces of degree zero, $F^{(0)}_i - \partial_t\Delta_i$, which must have a potential."""
        return tuple(F - partial(b, time) for F, b in zip(self.forces[0], self.parts.linear_a, strict=True))

    @cached_property
    def time_enters(self) -> bool:
        """True if time enters, or must."""
        return not (all(e == 0 for e in self.time_parts[:-1]) and is_zero(self.psi_t, self.on))

    @cached_property
    def time_parts(self) -> Vector:
        """Functions that vanish if time does not enter and need not; they may for some values of parameters."""
        entries = [*(e for row in self.parts.mass_ab for e in row), *self.parts.linear_a, *self.base.forces_a]
        entries += [along(self.parts.potential, e) for e in self.fields]
        return (*(partial(e, time) if time in e.free_symbols else zero for e in entries), self.psi_t)

    def surplus(self, moving: bool | None = None) -> Iterator[Quantity]:
        """The misfits of the equations for the multiplier with its differential; all must vanish. By default time is ``moving`` where it enters."""
        w, G = self.base.velocities, self.parts.mass_ab
        momenta = matrix_vector(G, w)
        rate, twice = dot(self.psi_i, w), dot(w, momenta)
        for v, F, p, psi in zip(w, self.forces[2], momenta, self.psi_i, strict=True):
            name = f"the surplus of the equation of {v.name}"
            yield Quantity(name, F + rate * p - psi * twice, r"F_i + (\psi\cdot w)\,p_i - \psi_i\,(p\cdot w)")
        F1 = self._linear_ij
        for i, j in combinations(range(len(w)), 2):
            yield Quantity(
                f"the surplus of the drag of {w[i].name} and {w[j].name}",
                (F1[i][j] + F1[j][i]) / 2 + self.psi_t * G[i][j],
                r"F_{(ij)} + \psi_t\,G_{ij}",
            )
        for i, v in enumerate(w):
            yield Quantity(f"the surplus of the drag of {v.name}", F1[i][i] + self.psi_t * G[i][i])
        if self.time_enters if moving is None else moving:
            yield from self._time_alone()

    def _time_alone(self) -> Iterator[Quantity]:
        for q, psi in zip(self.base.directions, self.psi_i, strict=True):
            yield Quantity(f"time enters, and d(ln f) along {q}", psi)
        for q, field in zip(self.base.directions, self.fields, strict=True):
            yield Quantity(f"the change along {q} of d(ln f)/dt", along(self.psi_t, field))

    def curls(self) -> Iterator[Quantity]:
        r"""$d\psi$, $dF^{(0)}$ and $d(f\beta)/f = d\beta + \psi\wedge\beta$; all must vanish."""
        yield from self._curl(self.psi_i, "d(d ln f)", r"d\psi")
        yield from self._curl(self.push_i, "the curl of the force at rest", r"dF^{(0)}")
        n, c, e, beta = range(len(self.psi_i)), self.base.frame.structure_abd, self.fields, self.magnetic_ij
        for i, j, k in combinations(n, 3):
            cyclic = ((i, j, k), (j, k, i), (k, i, j))
            total = symengine.Add(
                *(
                    along(beta[x][y], e[z]) + self.psi_i[z] * beta[x][y] - dot(c[x][y], [beta[d][z] for d in n])
                    for x, y, z in cyclic
                )
            )
            names = ", ".join(self.base.directions[d] for d in (i, j, k))
            yield Quantity(f"d(f beta)({names})/f", total, r"d\beta + \psi\wedge\beta")

    def _curl(self, form: Vector, name: str, mark: str) -> Iterator[Quantity]:
        c, e, names = self.base.frame.structure_abd, self.fields, self.base.directions
        for i, j in combinations(range(len(form)), 2):
            value = along(form[j], e[i]) - along(form[i], e[j]) - dot(c[i][j], form)
            yield Quantity(f"{name}({names[i]}, {names[j]})", value, mark)


def almost_symplectic(equations: ChaplyginMultiplierEquations) -> Form:
    r"""$\Omega$ in the frame of the base and the directions of $\pi$."""
    base, psi, beta = equations.base, equations.psi_i, equations.magnetic_ij
    p = _momenta_of_old_time(base)
    n, c = len(p), base.frame.structure_abd
    terms: dict[tuple[int, int], Expr] = {(i, n + i): symengine.Integer(1) for i in range(n)}
    for i, j in combinations(range(n), 2):
        terms[i, j] = simplify(dot(c[i][j], p) - psi[i] * p[j] + psi[j] * p[i] - beta[i][j])
    return Form.of(_phase_space(base, p), 2, terms)


def _momenta_of_old_time(base: Model) -> tuple[Symbol, ...]:
    r"""The symbols $\pi_i$, with names that nobody else has."""
    return tuple(unused(f"pi{k}", base.names.__contains__) for k, _ in enumerate(base.velocities, start=1))


def _phase_space(base: Model, momenta: Vector) -> Frame:
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
