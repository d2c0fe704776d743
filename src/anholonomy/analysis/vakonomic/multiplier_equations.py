r"""What a vakonomic multiplier must do along a motion of mechanics.

.. math::
   E(L) = \nu_\kappa A^\kappa \ \text{(d'Alembert)}, \quad E(L) + \dot\mu_\kappa A^\kappa + \mu_\kappa E(\varphi^\kappa) = 0 \ \text{(vakonomic)}
   \quad\Longrightarrow\quad N\mu = 0, \quad \dot\mu = R\mu - \nu

with $A = \partial\varphi/\partial w$, the rows $N_b = \langle E(\varphi), X_b\rangle$ along admissible directions $X_b$, and
$R_\kappa = -\langle E(\varphi), Z_\kappa\rangle$ along directions with $A^\lambda Z_\kappa = \delta^\lambda_\kappa$. For linear constraints $N$ is made of
the two-forms $d\theta(v, \cdot)$ on the admissible directions. All are functions on the constraint submanifold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import final

from anholonomy.analysis.integrals.proofs import on_submanifold
from anholonomy.analysis.reduced_motion import ReducedMotion
from anholonomy.formulations.euler_lagrange import VariationalDerivative, variational_derivative
from anholonomy.formulations.principles.vakonomic import Vakonomic
from anholonomy.lazy import cached_property
from anholonomy.symbolic.calculus import along
from anholonomy.symbolic.expressions import Expr, Matrix, Symbol, Vector, dot, identity, matrix_vector, time
from anholonomy.symbolic.matrices.linear import nullspace, solve
from anholonomy.symbolic.normal_forms.canonical import Canonical
from anholonomy.symbolic.orbits.orbit import Orbit
from anholonomy.symbolic.orbits.short_forms import shortened
from anholonomy.symbolic.patience import check
from anholonomy.system.model import Model

__all__ = ["MultiplierEquations", "complement", "multiplier_equations", "of_constraint"]


@final
@dataclass(frozen=True)
class MultiplierEquations:
    r"""$N\mu = 0$ and $\dot\mu = R\mu - \nu$ in the state, and the rates of the state.

    Attributes
    ----------
    multipliers
        The names of $\mu$, one for each constraint.
    N_bn, R_nn, nu_n
        The matrices and d'Alembert's multiplier, on the constraint submanifold.
    rates
        Of coordinates, speeds and time along the motion.
    speeds
        Those of the state that are no coordinates.
    on
        Where redundant coordinates take their values.
    model, named
        The system in whose velocities they are written, and those of these that its user did not declare, in those that he did.
    """

    multipliers: tuple[Symbol, ...]
    N_bn: Matrix
    R_nn: Matrix
    nu_n: Vector
    rates: Mapping[Symbol, Expr] = field(hash=False)
    speeds: tuple[Symbol, ...]
    on: Orbit | None
    model: Model
    named: Mapping[Symbol, Expr] = field(default_factory=dict, hash=False)

    @property
    def entries(self) -> Vector:
        """Every function in the equations and the rates."""
        return (*(e for row in (*self.N_bn, *self.R_nn) for e in row), *self.nu_n, *self.rates.values())

    @cached_property
    def divisors(self) -> Vector:
        """What the rates divide by."""
        found = (Canonical([rate]) for rate in self.rates.values())
        below = (
            forms.ring.expanded(forms.quotient(rate).den)
            for forms, rate in zip(found, self.rates.values(), strict=True)
        )
        return tuple(dict.fromkeys(e for e in below if e.free_symbols))

    def rate(self, f: Expr) -> Expr:
        """The rate of a function of the state."""
        return along(f, self.rates)

    def differentiated(self, row: Vector) -> Vector:
        r"""The row of $\frac{d}{dt}(n\mu - r) = (\dot n + nR)\mu - (\dot r + n\nu)$, its last entry being the right side."""
        *n, r = row
        turned = [dot(n, column) for column in zip(*self.R_nn, strict=True)]
        return (
            *(self.rate(a) + b for a, b in zip(n, turned, strict=True)),
            self.rate(r) + dot(n, self.nu_n),
        )

    def misfits(self, mu: Vector) -> Vector:
        r"""$N\mu$ and $\dot\mu - R\mu + \nu$ of functions of the state: zero for a multiplier."""
        moved = zip(mu, matrix_vector(self.R_nn, mu), self.nu_n, strict=True)
        return (*matrix_vector(self.N_bn, mu), *(self.rate(m) - a + b for m, a, b in moved))

    def where(self, values: Mapping[Symbol, Expr]) -> MultiplierEquations:
        """The same on a part of the states that motions do not leave, or for values of parameters."""
        put = dict(values)
        return replace(
            self,
            N_bn=tuple(tuple(e.xreplace(put) for e in row) for row in self.N_bn),
            R_nn=tuple(tuple(e.xreplace(put) for e in row) for row in self.R_nn),
            nu_n=tuple(e.xreplace(put) for e in self.nu_n),
            rates={s: e.xreplace(put) for s, e in self.rates.items() if s not in put},
            speeds=tuple(u for u in self.speeds if u not in put),
        )


def multiplier_equations(motion: ReducedMotion, named: Mapping[Symbol, Expr] | None = None) -> MultiplierEquations:
    """The equations of a system with a Lagrangian, in the speeds of its reduced motion."""
    model, on = motion.model, motion.on
    lagrangian = variational_derivative(model.with_words(constraints=()))
    bends = [of_constraint(model, c.expression) for c in model.constraints]
    w_rates = _velocity_rates(motion)
    check()

    def here(expression: Expr) -> Expr:
        return shortened(on_submanifold(motion, expression), on)

    def along_motion(E: VariationalDerivative) -> Vector:
        return tuple(dot(row, w_rates) + h for row, h in zip(E.mass_ab, E.bias_a, strict=True))

    E_phi = [tuple(map(here, along_motion(E))) for E in bends]
    E_lagrangian = tuple(map(here, along_motion(lagrangian)))
    A = tuple(tuple(here(e) for e in row) for row in model.matrix_na)
    X, Z = (motion.span_ba if motion.has_frame else nullspace(A)), complement(model, A, here)
    still = {u: motion.rates[u] for u in (*motion.speeds, *motion.coordinates)} | {time: motion.rates[time]}
    state = _independent(motion)
    return MultiplierEquations(
        multipliers=Vakonomic.costates(model),
        N_bn=tuple(tuple(shortened(dot(x, E), on) for E in E_phi) for x in X),
        R_nn=tuple(tuple(shortened(-dot(z, E), on) for E in E_phi) for z in Z),
        nu_n=tuple(shortened(dot(z, E_lagrangian), on) for z in Z),
        rates={s: on_submanifold(motion, rate) for s, rate in still.items() if s in state},
        speeds=tuple(u for u in motion.speeds if u in state),
        on=on,
        model=model,
        named=named or {},
    )


def of_constraint(model: Model, phi: Expr) -> VariationalDerivative:
    r"""$E(\varphi)$: the variational derivative with a constraint in the place of the Lagrangian."""
    return variational_derivative(model.with_words(lagrangian=phi, constraints=(), functions=()))


def _velocity_rates(motion: ReducedMotion) -> Vector:
    r"""$\dot w$ along the motion."""
    return tuple(motion.rate(motion.velocities[w]) for w in motion.model.velocities)


def _independent(motion: ReducedMotion) -> set[Symbol]:
    """The state: without the velocities that nonlinear constraints give."""
    every = {*motion.coordinates, *motion.speeds, time}
    return every if motion.has_frame else {s for s in every if on_submanifold(motion, s) == s}


def complement(model: Model, A: Matrix, here: Callable[[Expr], Expr]) -> Matrix:
    r"""$Z = G^{-1}A^{\mathsf T}(AG^{-1}A^{\mathsf T})^{-1}$, orthogonal to what is admissible: $\nu$ then needs no acceleration."""
    mass = variational_derivative(model.with_words(constraints=())).mass_ab
    try:
        columns = solve([[here(e) for e in row] for row in mass], A)
        gram = [[dot(row, column) for column in columns] for row in A]
        weights = solve(gram, identity(len(A)))
    except ZeroDivisionError:  # inertia that is missing outside of the admissible directions
        columns, weights = list(A), solve([[dot(r, s) for s in A] for r in A], identity(len(A)))
    return tuple(tuple(dot(w, entries) for entries in zip(*columns, strict=True)) for w in weights)
