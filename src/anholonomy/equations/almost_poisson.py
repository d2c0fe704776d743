r"""The almost-Poisson bracket behind Hamilton's equations with constraints: antisymmetric and Leibniz, Jacobi only without nonholonomy.

.. math::
   \{q^i, \pi_a\} = e_a{}^i, \qquad \{\pi_a, \pi_b\} = -c_{ab}{}^d\,p_d(q, \pi, t), \qquad
   \dot f = \{f, h\} + \partial_tf + e_0{}^i\frac{\partial f}{\partial q^i} + (c_{0a}{}^dp_d + Q_a)\frac{\partial f}{\partial\pi_a}
   :label: almost-poisson

The fields $e_a$ span the admissible directions, $e_0$ is the inhomogeneous part, and the momenta $p_d$ of the base frame are functions on
the constraint submanifold. A bracket that leaves the admissible directions meets momenta that depend on $\pi$ through the metric,

.. math:: \{\{q^i, \pi_a\}, \pi_b\} + \text{cyclic} = -Q^i{}_j\,[e_a, e_b]^j, \qquad Q \text{ the } g\text{-orthogonal projector onto } D^\perp,

so that Jacobi's identity holds exactly when, at each instant, the admissible directions are integrable.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, final

import symengine

from anholonomy.algebra.calculus import gradient, jacobian, partial
from anholonomy.algebra.expressions import Expr, Matrix, Symbol, Vector, dot, matrix_vector, time, unused, zero
from anholonomy.algebra.latex import latex
from anholonomy.algebra.linear_algebra.symbolic import inverse
from anholonomy.algebra.simplification.simplify import PAGE, simplify, simplify_vector
from anholonomy.algebra.simplification.sums import oriented
from anholonomy.algebra.steps.definitions import Recorder, inline, written_size
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import DeclarationError, NotSupportedError
from anholonomy.equations.lagrangian import quadratic_parts
from anholonomy.equations.principles.hamiltonian import Hamiltonian, name_momenta
from anholonomy.findings import Finding, Quantity, vanishing
from anholonomy.geometry.adapted_frame import AdaptedFrame
from anholonomy.language.answers import Mark, Part, Readable, equations, title
from anholonomy.language.arguments import expression
from anholonomy.system.frames.adapted import adapted_frame
from anholonomy.system.model import Model

__all__ = ["AlmostPoisson", "almost_poisson"]

_MOST = 6
"""Momenta, and operations before any is eliminated, up to which the Legendre transformation is written out: a few seconds."""


@final
@dataclass(frozen=True, repr=False)
class AlmostPoisson(Readable):
    r"""The Hamiltonian side of a system: momenta, Hamiltonian, and the bracket on $(q, \pi)$.

    Attributes
    ----------
    momenta, definitions
        The symbols $\pi_a$ and what they are: $\pi_a = S_a{}^d\,\partial L/\partial w^d$ in coordinates, velocities and time.
    velocities
        The velocities $w$ of the system on the constraint submanifold, in $(q, \pi, t)$.
    hamiltonian
        $h(q, \pi, t) = \pi_au^a - l$.
    matrix_xy
        $\{x, y\}$ for $x, y$ among the coordinates and then the momenta.
    drift_x, forces_x
        What the rates of $(q, \pi)$ have besides the bracket with $h$: the inhomogeneous part, and the applied forces.

    Examples
    --------
    >>> from anholonomy.catalogue import chaplygin_sleigh
    >>> sleigh = chaplygin_sleigh().hamiltonian_form()
    >>> print(sleigh)
    Chaplygin sleigh: Hamiltonian form on the constraint submanifold
      p1 = m*(cos(theta)*x' + sin(theta)*y')
      p2 = a*m*(a*theta' + cos(theta)*y' - sin(theta)*x') + I*theta'
      h = (p1^2/m + p2^2/(a^2*m + I))/2
      {x, p1} = cos(theta)
      {y, p1} = sin(theta)
      {theta, p2} = 1
      {p1, p2} = a*m*p2/(a^2*m + I)
    >>> sleigh.bracket("x", "p1^2")
    2*p1*cos(theta)
    >>> sleigh.jacobiator("x", "p1", "p2")
    -sin(theta)
    >>> print(sleigh.is_poisson())
    the bracket obeys Jacobi's identity: refuted, {{x, p1}, p2} + cyclic = -sin(theta), not zero at theta = -1
    """

    model: Model
    momenta: tuple[Symbol, ...]
    definitions: Vector
    velocities: Vector
    hamiltonian: Expr
    matrix_xy: Matrix
    drift_x: Vector
    forces_x: Vector

    @property
    def variables(self) -> tuple[Symbol, ...]:
        r"""$(q, \pi)$, in the order of the bracket matrix."""
        return (*self.model.coordinates, *self.momenta)

    def bracket(self, f: Any, g: Any) -> Expr:
        r"""$\{f, g\} = \frac{\partial f}{\partial x}\{x, y\}\frac{\partial g}{\partial y}$ of functions of $(q, \pi, t)$, as text or expressions.

        Velocities may occur; they stand for their values on the constraint submanifold.
        """
        return simplify(self._bracket(self._read(f), self._read(g)))

    def jacobiator(self, f: Any, g: Any, k: Any) -> Expr:
        r"""$\{\{f, g\}, k\} + \{\{g, k\}, f\} + \{\{k, f\}, g\}$."""
        return simplify(self._jacobiator(*map(self._read, (f, g, k))))

    def is_poisson(self) -> Finding:
        """Whether the Jacobiator vanishes, which it does exactly when the admissible directions are integrable at each instant."""
        return self._jacobi

    def rate(self, f: Any) -> Expr:
        r"""$\dot f = \{f, h\} + \partial_tf + $ drift and forces, along every motion."""
        value = self._read(f)
        slopes = gradient(value, self.variables)
        besides = (d + F for d, F in zip(self.drift_x, self.forces_x, strict=True))
        moved = self._bracket(value, self.hamiltonian) + dot(slopes, tuple(besides))
        return simplify(moved + partial(value, time))

    @cached_property
    def equations(self) -> dict[Symbol, Expr]:
        r"""The rates of $(q, \pi)$ on the constraint submanifold."""
        return {x: self.rate(x) for x in self.variables}

    @cached_property
    def _jacobi(self) -> Finding:
        sums = (
            Quantity(f"{{{{{f}, {g}}}, {k}}} + cyclic", self._jacobiator(f, g, k), _cyclic(*map(latex, (f, g, k))))
            for f, g, k in combinations(self.variables, 3)
        )
        claim, name = "the bracket obeys Jacobi's identity", "{{f, g}, k} + cyclic"
        return vanishing(claim, name, sums, self.model.frame.orbit, _cyclic("f", "g", "k"))

    def _bracket(self, f: Expr, g: Expr) -> Expr:
        return dot(gradient(f, self.variables), matrix_vector(self.matrix_xy, gradient(g, self.variables)))

    def _jacobiator(self, f: Expr, g: Expr, k: Expr) -> Expr:
        cyclic = ((f, g, k), (g, k, f), (k, f, g))
        return symengine.Add(*(self._bracket(self._bracket(a, b), c) for a, b, c in cyclic))

    def _read(self, f: Any) -> Expr:
        value = expression(f, "the function", coordinates=[q.name for q in self.model.coordinates])
        value = value.xreplace(dict(zip(self.model.velocities, self.velocities, strict=True)))
        known = {*(x.name for x in self.variables), *self.model.names}
        if unknown := sorted(s.name for s in value.free_symbols if s.name not in known):
            raise DeclarationError(
                f"{self.model.name}: {unknown[0]} is neither a coordinate, a velocity, a parameter nor one of the momenta "
                f"{', '.join(p.name for p in self.momenta)}."
            )
        return value

    def __repr__(self) -> str:
        return f"AlmostPoisson({self.model.name!r}: momenta {', '.join(p.name for p in self.momenta)}; print shows the brackets)"

    def as_rows(self) -> Iterable[Part]:
        yield title(f"{self.model.name}: Hamiltonian form on the constraint submanifold")
        h, values = unused("h", self.model.names.__contains__), (*self.definitions, self.hamiltonian)
        yield from equations(dict(zip((*self.momenta, h), map(oriented, values), strict=True)))
        for (i, x), (j, y) in combinations(enumerate(self.variables), 2):
            if self.matrix_xy[i][j] != 0:
                bracket = Mark(f"{{{x}, {y}}}", rf"\{{{latex(x)}, {latex(y)}\}}")
                yield from equations({bracket: oriented(self.matrix_xy[i][j])})


def _cyclic(f: str, g: str, k: str) -> str:
    return rf"\{{\{{{f}, {g}\}}, {k}\}} + \text{{cyclic}}"


def almost_poisson(model: Model, frame: AdaptedFrame | None = None) -> AlmostPoisson:
    """The Hamiltonian form of a system, written out and short; refused where it is too long to be read."""
    if why := Hamiltonian().obstacle(model):
        raise NotSupportedError(f"{model.name}: the Hamiltonian form {why}; {_INSTEAD}")
    frame = frame or adapted_frame(model)
    record = Recorder("$r")
    flow, fields = frame.flow(record), frame.fields(record)
    transported_ad = frame.transport(flow, fields)
    lagrangian = model.lagrangian.xreplace(dict(zip(model.velocities, frame.velocities, strict=True)))
    steps = (*frame.definitions, *record.assignments)
    everything = [lagrangian, *frame.velocities, *(entry for row in transported_ad for entry in row)]
    if len(frame.speeds) > _MOST or written_size(everything, steps) > PAGE:
        raise NotSupportedError(
            f"{model.name}: the Hamiltonian form with {len(frame.speeds)} momenta is too long to write out; derive the "
            "equations by 'hamiltonian', which keeps them in steps."
        )
    (written,) = inline([lagrangian], steps)
    return _written(model, frame, written, tuple(inline(row, steps) for row in transported_ad))


_INSTEAD = "derive the equations by another principle, such as 'lagrange-dalembert'."


def _written(model: Model, frame: AdaptedFrame, lagrangian: Expr, transported_ad: Matrix) -> AlmostPoisson:
    momenta, u = name_momenta(model, frame), frame.speeds
    parts = quadratic_parts(lagrangian, u)
    try:
        inverse_ab = inverse(tuple(map(simplify_vector, parts.mass_ab)))
    except ZeroDivisionError:
        raise NotSupportedError(
            f"{model.name}: the inertia is degenerate on the admissible directions; {_INSTEAD}"
        ) from None
    shifted = [p - b for p, b in zip(momenta, parts.linear_a, strict=True)]
    solved = dict(zip(u, simplify_vector(matrix_vector(inverse_ab, shifted)), strict=True))
    span_ba = tuple(inline(row, frame.definitions) for row in frame.span_ba)
    velocities = simplify_vector(value.xreplace(solved) for value in inline(frame.velocities, frame.definitions))
    on_constraint = dict(zip(model.velocities, velocities, strict=True))
    at_rest = dict.fromkeys(u, zero)
    p_d = gradient(model.lagrangian, model.velocities)
    p_on = tuple(p.xreplace(on_constraint) for p in p_d)
    # [u^b e_b + e_0, e_a] is linear in u: its slopes are the brackets of the fields.
    brackets_ab = [
        simplify_vector(dot(column, p_on) for column in zip(*jacobian(row, u), strict=True)) for row in transported_ad
    ]
    drift_a = [simplify(dot([entry.xreplace(at_rest) for entry in row], p_on)) for row in transported_ad]
    fields_ai = [tuple(model.frame.direction(row).values()) for row in span_ba]
    drift_i = model.frame.coordinate_rates(inline(frame.offset_a, frame.definitions)).values()
    applied = [dot(row, [Q.xreplace(on_constraint) for Q in model.forces_a]) for row in span_ba]
    return AlmostPoisson(
        model=model,
        momenta=momenta,
        definitions=simplify_vector(dot(row, p_d) for row in span_ba),
        velocities=velocities,
        hamiltonian=simplify(dot(shifted, tuple(solved.values())) / 2) + simplify(parts.potential),
        matrix_xy=_matrix(fields_ai, brackets_ab, len(model.coordinates)),
        drift_x=(*simplify_vector(drift_i), *drift_a),
        forces_x=(*(zero for _ in model.coordinates), *simplify_vector(applied)),
    )


def _matrix(fields_ai: Sequence[Vector], brackets_ab: Sequence[Vector], n: int) -> Matrix:
    r"""$\{q, q\} = 0$, $\{q^i, \pi_a\} = e_a{}^i$ and $\{\pi_a, \pi_b\} = [e_b, e_a]^dp_d$."""
    top = [(*(zero,) * n, *(field[i] for field in fields_ai)) for i in range(n)]
    bottom = [(*(-e for e in field), *row) for field, row in zip(fields_ai, brackets_ab, strict=True)]
    return (*top, *bottom)
