r"""The result of every principle: linear equations for the rates of its speeds and its multipliers.

.. math::
   K(q, u, t) \begin{pmatrix}\dot u\\ \lambda\end{pmatrix} = r(q, u, t), \qquad
   w = W(q, u, t), \qquad \dot q = e_a w^a + e_0

Here $u$ are whatever speeds the principle uses (velocities, quasi-velocities, …) and $w$ the velocities of the
system's frame. No consumer asks which principle it came from; what a principle lacks is empty, not absent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, final

import symengine

from anholonomy.algebra.expressions import Matrix, Symbol, Vector, dot, identity, matrix_vector, symbol, time, to_sympy
from anholonomy.algebra.simplification.conditioning import keeps_digits
from anholonomy.algebra.simplification.simplify import PAGE, simplify_vector
from anholonomy.algebra.steps.definitions import Assign, Solve, Step, inline, written_size
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import ArgumentError, StateError
from anholonomy.base.notebook import Shown, Typeset
from anholonomy.equations.evaluation import Evaluation, evaluate_known
from anholonomy.equations.singular_states import Divisors, divisors_of
from anholonomy.equations.textbook import as_latex, as_text
from anholonomy.geometry.adapted_frame import AdaptedFrame
from anholonomy.language.arguments import expect_whole
from anholonomy.system.model import Model
from anholonomy.system.momenta import Momenta, momenta
from anholonomy.system.states.random_states import known_parameters

if TYPE_CHECKING:
    import sympy

__all__ = ["EquationsOfMotion"]


Advice = Callable[[Mapping[str, object], str], str]
"""From a state and a kind of number that is not known there, what to do instead, as the end of a sentence."""


@final
@dataclass(frozen=True, kw_only=True)
class EquationsOfMotion(Typeset):
    r"""$K (\dot u, \lambda) = r$ with $w = W(q, u, t)$ and $\dot w = J\dot u + j$.

    Attributes
    ----------
    principle
        The name of the principle.
    model
        The system it was applied to.
    speeds, multipliers
        The symbols $u$ and $\lambda$; $K$ has a column for each, in this order.
    definitions
        What the expressions use besides $q$, $u$, $t$ and parameters, in order; the velocities $w$ are among
        them wherever they differ from the speeds.
    K, rhs
        The linear equations.
    is_definite
        True when $K$ is symmetric and inherits its definiteness from the kinetic energy.
    acceleration_matrix, acceleration_bias
        $J$ and $j$ of $\dot w = J\dot u + j$.
    frame
        The adapted frame of the speeds, where the principle uses one.
    costates
        Those of the speeds that no velocity determines, such as the multipliers of vakonomic motions; a state gives them.
    speed_values
        The speeds as functions of coordinates, velocities $w$ and time, where they are not those of the frame: momenta.
    needs_least_squares
        True when the equations may be dependent or contradictory; then the shortest of the solutions that meet them
        best counts.
    """

    principle: str
    model: Model
    speeds: tuple[Symbol, ...]
    multipliers: tuple[Symbol, ...] = ()
    definitions: tuple[Assign, ...] = ()
    K: Matrix
    rhs: Vector
    is_definite: bool = False
    acceleration_matrix: Matrix
    acceleration_bias: Vector
    frame: AdaptedFrame | None = None
    costates: tuple[Symbol, ...] = ()
    speed_values: Vector = ()
    needs_least_squares: bool = False

    @property
    def state(self) -> tuple[Symbol, ...]:
        """Coordinates, then speeds: what is integrated."""
        return (*self.model.coordinates, *self.speeds)

    @property
    def rates(self) -> tuple[Symbol, ...]:
        r"""The unknowns $\dot u$, one for each speed."""
        return tuple(symbol(f"{u.name}'") for u in self.speeds)

    @cached_property
    def unknown_steps(self) -> tuple[Step, ...]:
        """The steps that lead from a state to the rates and multipliers."""
        if not self.K:
            return self.definitions
        unknowns = (*self.rates, *self.multipliers)
        if self.is_solved:
            return (*self.definitions, *map(Assign, unknowns, self.rhs))
        return (*self.definitions, Solve(unknowns, self.K, self.rhs, self.needs_least_squares))

    @property
    def is_solved(self) -> bool:
        """Whether ``K`` is the identity, so that nothing is left to solve."""
        return all(entry == int(a == b) for a, row in enumerate(self.K) for b, entry in enumerate(row))

    @cached_property
    def coordinate_rates(self) -> Vector:
        r"""$\dot q^i$ in coordinates, velocities and time."""
        rates = self.model.frame.coordinate_rates(self.model.velocities)
        return tuple(rates[q] for q in self.model.coordinates)

    @cached_property
    def explicit(self) -> tuple[Matrix, Vector]:
        """``K`` and ``rhs`` with every definition written out, for reading; not for computing."""
        flat = inline([*(entry for row in self.K for entry in row), *self.rhs], self.definitions)
        rows, width = len(self.rhs), len(self.rates) + len(self.multipliers)
        return tuple(flat[i * width : (i + 1) * width] for i in range(rows)), flat[rows * width :]

    @cached_property
    def operation_count(self) -> int:
        """Operations in ``K`` and ``rhs``, definitions not written out."""
        return int(symengine.count_ops(*self.rhs, *(entry for row in self.K for entry in row)))

    @cached_property
    def expanded_operation_count(self) -> int:
        """Operations in ``K`` and ``rhs`` with every definition written out."""
        return written_size([*self.rhs, *(entry for row in self.K for entry in row)], self.definitions)

    @cached_property
    def tidied(self) -> EquationsOfMotion:
        """The same equations with every entry in its shortest form.

        For people, and for machines where the equations are small: a shorter program compiles and runs in
        proportion, several times faster for a typical textbook system.
        """
        K, right = self.explicit
        if self.frame is not None and self.speed_values:
            # Short forms are found in the speeds of the frame first; what the speeds are comes last.
            speeds = self.frame.speeds
            others = [step for step in self.definitions if step.target not in speeds]
            meant = dict(zip(speeds, simplify_vector(inline(speeds, self.definitions)), strict=True))
            right = tuple(value.xreplace(meant) for value in simplify_vector(inline(self.rhs, others)))
        return replace(self, K=tuple(simplify_vector(row) for row in K), rhs=simplify_vector(right))

    @cached_property
    def compact(self) -> EquationsOfMotion:
        """The tidied equations where they are as well conditioned as these, and these otherwise: what is compiled."""
        model = self.model
        declared = [
            model.lagrangian,
            *(model.momenta_a or ()),
            *model.forces_a,
            *(c.expression for c in model.constraints),
        ]
        keeps = keeps_digits(
            self.unknown_steps,
            self.tidied.unknown_steps,
            (*self.rates, *self.multipliers),
            declared,
            (*model.coordinates, *model.velocities, time),
            known_parameters(model),
        )
        return self.tidied if keeps else self

    @cached_property
    def divisors(self) -> Divisors:
        """What the choice of the speeds divides by: the equations fail where one of these vanishes, though the system may not."""
        return divisors_of(self)

    @cached_property
    def observables(self) -> Observables:
        """Everything one may ask of a state, as steps and expressions."""
        return Observables.of(self)

    def sympy_velocities(self) -> dict[sympy.Symbol, sympy.Expr]:
        """The rates of the coordinates in coordinates, speeds and time: with `sympy`, the whole system."""
        import sympy

        flat = simplify_vector(inline(self.coordinate_rates, self.definitions))
        names = (f"{q.name}'" for q in self.model.coordinates)
        return {sympy.Symbol(name): to_sympy(value) for name, value in zip(names, flat, strict=True)}

    def sympy(self) -> tuple[sympy.Matrix, sympy.Matrix, tuple[sympy.Symbol, ...]]:
        """``K``, ``r`` and the unknowns as SymPy objects, definitions written out, and short where they are not long."""
        import sympy

        K, right = (self.tidied if self.expanded_operation_count <= PAGE else self).explicit
        unknowns = tuple(sympy.Symbol(z.name) for z in (*self.rates, *self.multipliers))
        rows = [[to_sympy(entry) for entry in row] for row in K]
        return sympy.Matrix(rows), sympy.Matrix([to_sympy(entry) for entry in right]), unknowns

    def at(self, state: Mapping[str, object], digits: int = 16) -> Evaluation:
        """Accelerations, reactions, multipliers and energy at an admissible state, as balls of ``digits`` digits.

        Where cancellation leaves fewer, they are computed again with more. Where that does not help either, as for the sign
        of what no arithmetic can tell from zero, the balls stay wide.
        """
        digits = expect_whole(digits, f"{self.model.name}: `digits`", 1, 10_000, refusal=ArgumentError)
        return evaluate_known(self, state, digits).evaluation

    def accelerations(self, state: Mapping[str, object], advice: Advice | None = None) -> dict[str, float]:
        """The accelerations at a state: a dict of coordinates, velocities and, where needed, ``t`` and parameters.

        Velocities that the constraints determine may be left out. A number that is not known is refused.
        """
        return self._numbers(
            "accelerations", state, {w.name + "'": w.name + "'" for w in self.model.velocities}, advice
        )

    def reactions(self, state: Mapping[str, object], advice: Advice | None = None) -> dict[str, float]:
        r"""The reaction forces $R_a = E_a - Q_a$ at a state, keyed by the velocity they pair with."""
        return self._numbers(
            "reactions", state, {w.name: f"the reaction on {w.name}" for w in self.model.velocities}, advice
        )

    def _numbers(
        self, kind: str, state: Mapping[str, object], names: Mapping[str, str], advice: Advice | None
    ) -> dict[str, float]:
        """Floats by name, each of them known; ``names`` says what to call them in an error, and ``advice`` ends its sentence."""
        found, unknown = evaluate_known(self, state, digits=16)
        values = getattr(found, kind)
        for i in sorted(unknown.get(kind, ())):
            end = "ask at another state" if advice is None else advice(state, kind)
            raise StateError(
                f"{self.model.name}: {list(names.values())[i]} is not known at this state by {self.principle}, only that it is "
                f"{values[i].str(3)}; {end}."
            )
        return {
            name: 0.0 if value.contains(0) else float(value.mid()) for name, value in zip(names, values, strict=True)
        }

    def __str__(self) -> str:
        return self.text()

    def text(self, whole: bool = False) -> str:
        """The equations, one line each; sides longer than a paragraph are counted unless ``whole``."""
        return as_text(self, whole)

    def latex(self) -> str:
        """The equations as LaTeX, one aligned line each."""
        return as_latex(self)


@final
@dataclass(frozen=True)
class Observables(Shown):
    r"""Velocities, accelerations, multipliers, reactions, energy and residuals as functions of a state.

    ``steps`` starts from coordinates, speeds and time. The reactions are $R_a = E_a - Q_a$ for
    every principle; the multipliers solve $A A^{\mathsf T}\lambda = A R$, so that a principle without multipliers
    reports them too. The energy is empty for a dynamics without Lagrangian, momenta and energy of the vakonomic Lagrangian are
    where there are no costates.
    """

    steps: tuple[Step, ...]
    accelerations: Vector
    multipliers: Vector
    reactions: Vector
    energy: Vector
    residuals: Vector
    positions: Vector
    costates: Vector
    momenta: Vector
    vakonomic_energy: Vector

    @classmethod
    def of(cls, equations: EquationsOfMotion) -> Observables:
        model, p = equations.model, momenta(equations.model)
        steps: list[Step] = list(equations.unknown_steps)
        known = {target for step in steps for target in step.targets}
        steps += [step for step in p.definitions if step.target not in known]
        accelerations = tuple(symbol(f"$a{i}") for i in range(model.frame.size))
        moved = matrix_vector(equations.acceleration_matrix, equations.rates)
        for a, part, bias in zip(accelerations, moved, equations.acceleration_bias, strict=True):
            steps.append(Assign(a, part + bias))
        flow = model.frame.drift_direction(model.velocities) | dict(zip(model.velocities, accelerations, strict=True))
        moved_p = p.rates([flow], "$o")
        steps += moved_p.steps
        reactions = tuple(symbol(f"$R{i}") for i in range(model.frame.size))
        for R, rate, unit, Q in zip(
            reactions, *moved_p.momentum_ka, identity(model.frame.size), model.forces_a, strict=True
        ):
            steps.append(Assign(R, rate - p.pull(unit) - Q))
        multipliers: tuple[Any, ...] = ()
        if model.constraints:
            A = model.matrix_na
            multipliers = tuple(symbol(f"$l{k}") for k in range(len(A)))
            gram = tuple(tuple(dot(left, right) for right in A) for left in A)
            steps.append(Solve(multipliers, gram, matrix_vector(A, reactions), model.keeps_redundant))
        found = dict(zip(model.accelerations, accelerations, strict=True))
        extended, extended_energy = _extended(equations, p)
        return cls(
            steps=tuple(steps),
            accelerations=accelerations,
            multipliers=multipliers,
            reactions=reactions,
            energy=p.energy,
            residuals=tuple(c.expression.xreplace(found) for c in model.constraints),
            positions=tuple(c.position for c in model.on_positions),
            costates=equations.costates,
            momenta=extended,
            vakonomic_energy=extended_energy,
        )


def _extended(equations: EquationsOfMotion, p: Momenta) -> tuple[Vector, Vector]:
    r"""Momenta and energy of $L + \mu_\nu\varphi^\nu$, which are what costates keep; empty without these."""
    model, mu = equations.model, equations.costates
    if not mu:
        return (), ()
    columns = zip(*model.matrix_na, strict=True)
    momenta = tuple(p_a + dot(mu, column) for p_a, column in zip(p.momentum_a, columns, strict=True))
    more = [
        dot(model.velocities, row) - c.expression for row, c in zip(model.matrix_na, model.constraints, strict=True)
    ]
    return momenta, tuple(energy + dot(mu, more) for energy in p.energy)
