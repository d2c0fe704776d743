r"""The equations of a vakonomic multiplier along a motion of mechanics, differentiated until their rank stops growing.

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
from fractions import Fraction
from typing import final

import symengine

from anholonomy.algebra.calculus import along
from anholonomy.algebra.expressions import Expr, Matrix, Symbol, Vector, dot, identity, matrix_vector, time, zero
from anholonomy.algebra.linear_algebra.symbolic import MatrixForms, nullspace, solve
from anholonomy.algebra.normal_forms.canonical import Canonical
from anholonomy.algebra.normal_forms.ring import lowest
from anholonomy.algebra.redundant_coordinates import Orbit
from anholonomy.algebra.short_forms_on_groups import shortened
from anholonomy.algebra.simplification.polynomials import short_form as display_form
from anholonomy.algebra.simplification.simplify import simplify
from anholonomy.algebra.zero_test import witness
from anholonomy.base.caching import cached_property
from anholonomy.base.deadlines import check
from anholonomy.base.verdict import Verdict
from anholonomy.equations.lagrangian import VariationalDerivative, variational_derivative
from anholonomy.equations.principles.vakonomic import Vakonomic
from anholonomy.laws.proofs import on_submanifold
from anholonomy.laws.reduced_motion import ReducedMotion
from anholonomy.system.model import Model

__all__ = [
    "MultiplierEquations",
    "Prolongation",
    "complement",
    "multiplier_equations",
    "of_constraint",
    "primitive_row",
    "prolonged",
]


def multiplier_equations(motion: ReducedMotion, named: Mapping[Symbol, Expr] | None = None) -> MultiplierEquations:
    """The equations of a system with a Lagrangian, in the speeds of its reduced motion."""
    model, on = motion.model, motion.on
    lagrangian = variational_derivative(model.replaced(constraints=()))
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


def of_constraint(model: Model, phi: Expr) -> VariationalDerivative:
    r"""$E(\varphi)$: the variational derivative with a constraint in the place of the Lagrangian."""
    return variational_derivative(model.replaced(lagrangian=phi, constraints=(), functions=()))


def _velocity_rates(motion: ReducedMotion) -> Vector:
    r"""$\dot w$ along the motion."""
    return tuple(motion.rate(motion.velocities[w]) for w in motion.model.velocities)


def _independent(motion: ReducedMotion) -> set[Symbol]:
    """The state: without the velocities that nonlinear constraints give."""
    every = {*motion.coordinates, *motion.speeds, time}
    return every if motion.has_frame else {s for s in every if on_submanifold(motion, s) == s}


def complement(model: Model, A: Matrix, here: Callable[[Expr], Expr]) -> Matrix:
    r"""$Z = G^{-1}A^{\mathsf T}(AG^{-1}A^{\mathsf T})^{-1}$, orthogonal to what is admissible: $\nu$ then needs no acceleration."""
    mass = variational_derivative(model.replaced(constraints=())).mass_ab
    try:
        columns = solve([[here(e) for e in row] for row in mass], A)
        gram = [[dot(row, column) for column in columns] for row in A]
        weights = solve(gram, identity(len(A)))
    except ZeroDivisionError:  # inertia that is missing outside of the admissible directions
        columns, weights = list(A), solve([[dot(r, s) for s in A] for r in A], identity(len(A)))
    return tuple(tuple(dot(w, entries) for entries in zip(*columns, strict=True)) for w in weights)


# The equations differentiated along the flow until nothing new comes.
#
# .. math:: n\mu = r \quad\Longrightarrow\quad (\dot n + nR)\,\mu = \dot r + n\nu
#
# Rows $(n, r)$ are kept reduced over the field of functions on the constraint submanifold. When every derivative is a combination of the
# rows, their span is closed: a multiplier that satisfies them at one time satisfies them always. A combination $0\cdot\mu = \varrho$ with
# $\varrho \ne 0$ says that there is none.


def prolonged(equations: MultiplierEquations) -> Prolongation:
    """Differentiate and reduce until the span is closed or contradicts itself; at most once more than there are multipliers."""
    return _Reduction(equations).done()


@final
@dataclass(frozen=True)
class Prolongation:
    r"""The closed system of equations for $\mu$ at a state, or the one that nothing can satisfy.

    Attributes
    ----------
    rows
        Reduced rows $(n, r)$ by the column of their pivot.
    failing
        $\varrho$ of an equation $0 = \varrho$; None where the equations agree.
    divided
        What the reduction divided by: where one of these vanishes, the equations must be looked at again.
    vanished
        The expressions that were found to be zero where a derivative brought nothing new.
    order
        How often the equations $N\mu = 0$ were differentiated.
    """

    width: int
    rows: tuple[tuple[int, Vector], ...]
    failing: Expr | None
    divided: Vector
    vanished: Vector
    order: int

    @property
    def free(self) -> tuple[int, ...]:
        """The multipliers that may have any value at the start."""
        pivots = {column for column, _ in self.rows}
        return tuple(k for k in range(self.width) if k not in pivots)

    def verdict(self, on: Orbit | None) -> Verdict:
        """Whether a multiplier exists at generic states, where what was divided by is proven not to vanish."""
        return Verdict.UNKNOWN if self.witness(on) is None else Verdict.of(self.failing is None)

    def witness(self, on: Orbit | None) -> dict[Symbol, Fraction] | None:
        """A state where nothing that was divided by vanishes, nor the equation that fails."""
        return witness(symengine.Mul(*self.divided, symengine.Integer(1) if self.failing is None else self.failing), on)

    def solved(self) -> Vector:
        r"""The multipliers that the rows give where those that are free are zero."""
        values = [zero] * self.width
        for column, row in self.rows:
            values[column] = simplify(row[-1] / row[column])
        return tuple(values)


@final
class _Reduction:
    """Rows that are taken in one by one."""

    def __init__(self, equations: MultiplierEquations) -> None:
        self.equations, self.on = equations, equations.on
        self.width = len(equations.multipliers)
        self.rows: dict[int, Vector] = {}
        self.divided: list[Expr] = []
        self.vanished: list[Expr] = []

    def done(self) -> Prolongation:
        fresh: list[Vector] = [(*row, zero) for row in self.equations.N_bn]
        for order in range(self.width + 2):
            added = []
            for row in fresh:
                check()
                left = self._reduced(row)
                if all(entry == 0 for entry in left[:-1]) and left[-1] != 0:
                    return self._result(order, left[-1])
                if any(entry != 0 for entry in left[:-1]):
                    added.append(self._taken_in(left))
            if not added:
                break
            fresh = [self.equations.differentiated(row) for row in added]
        return self._result(order, None)

    def _result(self, order: int, failing: Expr | None) -> Prolongation:
        kept = tuple(sorted(self.rows.items()))
        return Prolongation(self.width, kept, failing, tuple(self.divided), tuple(self.vanished), order)

    def _reduced(self, row: Vector) -> Vector:
        """What is left of a row when the pivots' columns are removed, a function times it."""
        for column, known in self.rows.items():
            if row[column] != 0:
                row = tuple(known[column] * a - row[column] * b for a, b in zip(row, known, strict=True))
        found = tuple(_normal(entry, self.on) for entry in row)
        self.vanished += [raw for raw, entry in zip(row, found, strict=True) if entry == 0 and raw != 0]
        return found

    def _taken_in(self, row: Vector) -> Vector:
        """A new row with its pivot, which is removed from the others."""
        row, content = primitive_row(row)
        column = min((k for k in range(self.width) if row[k] != 0), key=lambda k: _length(row[k]))
        self.divided += [each for each in (content, row[column]) if each.free_symbols]
        for other, known in self.rows.items():
            if known[column] != 0:
                mixed = tuple(row[column] * a - known[column] * b for a, b in zip(known, row, strict=True))
                self.rows[other], factor = primitive_row(tuple(_normal(e, self.on) for e in mixed))
                self.divided += [each for each in (factor, self.rows[other][other]) if each.free_symbols]
        self.rows[column] = row
        return row


def _length(e: Expr) -> tuple[int, int]:
    """Numbers first, then what is short."""
    return len(e.free_symbols), int(symengine.count_ops(e))


def _normal(entry: Expr, on: Orbit | None) -> Expr:
    """The normal form, in which zero is 0; on a group what it is there."""
    if entry == 0 or not entry.args:
        return entry
    short = shortened(entry, on)
    forms = Canonical([short])
    return display_form(forms, lowest(forms.ring, *forms.quotient(short)))


def primitive_row(row: Vector) -> tuple[Vector, Expr]:
    """The row as polynomials without a common factor, and that factor."""
    space = MatrixForms((row,))
    entries = tuple(space.write_polynomial(space.rows[0][k]) if k in space.rows[0] else zero for k in range(len(row)))
    return entries, space.write(space.ring.invert(space.factors[0]))
