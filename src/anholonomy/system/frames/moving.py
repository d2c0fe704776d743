r"""A system in a moving reference frame: seen by somebody who moves, $q = g_t(x)$.

.. math::
   \dot q = dg_t(\dot x) + \omega_t(q), \qquad
   \omega_t = \dot g_t \circ g_t^{-1}, \quad \Omega_t = dg_t^{-1}(\dot g_t), \quad dg_t(\Omega_t) = \omega_t

.. math::
   l(x, \dot x, t) = L(q, \dot q, t), \qquad f(\xi) = F(dg_t\,\xi), \qquad
   \mathbf A_t = dg_t^{-1}(\mathcal A_t) - \Omega_t

Both sides use the same names for their coordinates, and each has its clock: the fixed one shows $t + c$ where the moving one shows $t$, so that
events that are simultaneous for one are so for the other. Changes of frame follow one another (`then`) and are undone (`inverse`). In the velocities $w$ of a frame the first line reads $w = M\tilde w + m$; with
redundant coordinates $M$ and $m$ come from $w = (e\,B\,e^{\mathsf T})^{-1}e\,B\,\dot q$, where nothing needs a square anchor
(`anholonomy.geometry.quasi_velocities`), and whatever is constant on the group is written as the constant it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
import symengine

from anholonomy.algebra.calculus import along, gradient, jacobian, partial
from anholonomy.algebra.expressions import (
    Expr,
    Matrix,
    Symbol,
    Vector,
    dot,
    free_symbols,
    matrix_vector,
    symbol,
    time,
    zero,
)
from anholonomy.algebra.linear_algebra.symbolic import independent_rows_on, inverse
from anholonomy.algebra.numbers.balls import FEW_DIGITS, precision
from anholonomy.algebra.simplification.simplify import readable, simplify
from anholonomy.algebra.zero_test import is_zero, zero_test
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import DeclarationError, NotSupportedError, UnknownNameError, quoted
from anholonomy.base.notebook import Shown
from anholonomy.base.verdict import Verdict
from anholonomy.findings import Finding, Quantity, vanishing
from anholonomy.geometry.quasi_velocities import reading
from anholonomy.language.arguments import expect_mapping, expression, name_of
from anholonomy.language.writing import brief
from anholonomy.system.checks.redundant_constraints import revalued
from anholonomy.system.constraints import Constraint, classify
from anholonomy.system.declaration.declare import parameter_values
from anholonomy.system.declaration.unspecified_functions import refuse_unspecified
from anholonomy.system.model import Model
from anholonomy.system.states.complete_state import complete_state
from anholonomy.system.states.newton import evaluate_at

__all__ = ["MovingObserver", "moving_frame"]


def moving_frame(
    model: Model, place: Mapping[Any, Any], parameters: Mapping[str, float | None] | None = None, clock: Any = "t"
) -> MovingObserver:
    """A moving frame from the fixed coordinates as functions of the moving ones and ``t``; those not named stay.

    ``clock`` is what the fixed clock shows when the moving one shows ``t``.
    """
    expect_mapping(place, f"{model.name}: the moving frame", "a dict from coordinates to expressions", verb="is")
    extra = parameter_values(model.name, () if parameters is None else parameters)
    if taken := sorted(set(extra) & model.names):
        raise DeclarationError(f"{model.name}: {taken[0]} is already declared; call the frame's parameter otherwise.")
    fixed = model.with_values((*model.parameter_items, *extra.items()))
    names = [q.name for q in model.coordinates]
    given = {name_of(q, "a coordinate"): value for q, value in place.items()}
    if unknown := sorted(set(given) - set(names)):
        raise UnknownNameError(f"{model.name}: {unknown[0]} is no coordinate; there are {', '.join(names)}.")
    read = tuple(expression(given[q], f"the place of {q}") if q in given else symbol(q) for q in names)
    shown = expression(clock, "the clock")
    allowed = {*names, *fixed.parameters, time.name}
    if strange := sorted(s.name for s in free_symbols((*read, shown)) if s.name not in allowed):
        raise UnknownNameError(
            f"{model.name}: {strange[0]} appears in the moving frame but is not declared; add it to `parameters`."
        )
    made = MovingObserver(fixed, read, _shift(fixed, shown))
    made.refuse_unless_map_of_the_group()
    return made


def _shift(model: Model, clock: Expr) -> Expr:
    """How much later it is on the fixed clock; a clock that disagrees about what is simultaneous, or about seconds, is refused."""
    shift = simplify(clock - time)
    if not {s.name for s in shift.free_symbols} <= set(model.parameters):
        raise DeclarationError(
            f"{model.name}: the clock is {brief(clock, longest=60)}; clocks of moving frames differ by a constant, as in t + 2, because what is "
            "simultaneous for one is so for all."
        )
    return shift


@final
@dataclass(frozen=True, repr=False)
class MovingObserver(Shown):
    r"""A time-dependent change of place $q = g_t(x)$ for a system.

    Attributes
    ----------
    fixed
        The system in the fixed frame, with the parameters of the motion of the other among its own.
    place
        $g_t(x)$, in the order of the coordinates, at the time $t$ of the moving frame.
    shift
        $c$: the clock of the fixed frame shows $t + c$.
    """

    fixed: Model
    place: Vector
    shift: Expr = zero

    def __repr__(self) -> str:
        moved = [f"{q.name} = {brief(x, longest=60)}" for q, x in self._map.items() if x != q]
        return f"MovingObserver({self.fixed.name!r}: {', '.join(moved[:4])}{', …' if len(moved) > 4 else ''})"

    @property
    def _map(self) -> dict[Symbol, Expr]:
        """The event of the fixed frame that one of the moving frame is."""
        return dict(zip(self.fixed.coordinates, self.place, strict=True)) | {time: time + self.shift}

    @cached_property
    def _undone(self) -> dict[Symbol, Expr]:
        """The event of the moving frame that one of the fixed frame is; refused where it is not written down."""
        q, back = self.fixed.coordinates, undone(self.place, self.fixed.coordinates)
        if back is None:
            raise NotSupportedError(
                f"{self.fixed.name}: the inverse of this moving frame is not written down; use `carried_a`."
            )
        earlier = {time: time - self.shift}
        return dict(zip(q, (self._tidy(x.xreplace(earlier)) for x in back), strict=True)) | earlier

    def then(self, other: MovingObserver) -> MovingObserver:
        r"""The frame that moves as ``other``, a frame of the system seen from this one: $\phi_{\alpha\gamma} = \phi_{\alpha\beta}\circ\phi_{\beta\gamma}$."""
        if not isinstance(other, MovingObserver):
            raise DeclarationError(
                f"{self.fixed.name}: {quoted(other)} is no moving observer; make one with system.geometry.moving_observer({{…}})."
            )
        other.model_of(self.model)
        own = tuple(item for item in other.fixed.parameter_items if item[0] not in dict(self.fixed.parameter_items))
        fixed = self.fixed.with_values((*self.fixed.parameter_items, *own))
        place = tuple(self._tidy(g.xreplace(other._map)) for g in self.place)
        return MovingObserver(fixed, place, self._tidy(self.shift + other.shift))

    def inverse(self) -> MovingObserver:
        r"""The fixed frame as one of the system seen from the moving one, $\phi_{\beta\alpha} = \phi_{\alpha\beta}^{-1}$."""
        return MovingObserver(self.model, tuple(self._undone[q] for q in self.fixed.coordinates), -self.shift)

    @cached_property
    def pushed_ab(self) -> Matrix:
        r"""$M$ with $dg_t(E_b) = M^a{}_bE_a$, rows $a$, columns $b$; a function of $x$ and $t$."""
        frame = self.fixed.frame
        columns = [
            self._components([along(g, _field(frame.coordinates, row)) for g in self.place]) for row in frame.anchor_ai
        ]
        return tuple(zip(*columns, strict=True))

    @cached_property
    def carried_a(self) -> Vector:
        r"""$\omega_t$ at $q = g_t(x)$, in the frame; a function of $x$ and $t$."""
        return self._components([partial(g, time) for g in self.place])

    @cached_property
    def Omega(self) -> dict[str, Expr]:
        r"""The angular velocity seen from the moving frame, $\Omega_t = dg_t^{-1}(\dot g_t)$, by direction."""
        columns = matrix_vector(inverse(self.pushed_ab), self.carried_a)
        return dict(zip(self.fixed.directions, map(self._tidy, columns), strict=True))

    @cached_property
    def omega(self) -> dict[str, Expr]:
        r"""The angular velocity in the fixed frame, $\omega_t = \dot g_t\circ g_t^{-1}$, by direction; where $g_t$ can be undone."""
        found = (self._tidy(entry.xreplace(self._undone)) for entry in self.carried_a)
        return dict(zip(self.fixed.directions, found, strict=True))

    @cached_property
    def velocities(self) -> Vector:
        r"""The addition of velocities, $w = M\tilde w + m$."""
        w = self.fixed.velocities
        return tuple(dot(row, w) + m for row, m in zip(self.pushed_ab, self.carried_a, strict=True))

    @cached_property
    def model(self) -> Model:
        """The system seen from the moving frame."""
        fixed = self.fixed
        if fixed.momenta_a is not None:
            raise NotSupportedError(
                f"{fixed.name}: a system without Lagrangian is not seen from a moving frame; give one."
            )
        forces = [self._here(Q) for Q in fixed.forces_a]
        columns = zip(*self.pushed_ab, strict=True)
        return self._constrained.replaced(
            lagrangian=self._tidy(self._here(fixed.lagrangian)),
            forces_a=tuple(self._tidy(dot(forces, column)) for column in columns),
            span_ba=None,
            speed_names=None,
            speed_values=None,
            scene=(),
        )

    @cached_property
    def _constrained(self) -> Model:
        """The fixed system with the constraints of the moving frame: what makes a state there admissible."""
        fixed = self.fixed
        rows = tuple(map(self._seen, fixed.constraints))
        return fixed.replaced(name=f"{fixed.name}, moving frame", constraints=rows, start_items=())

    def model_of(self, system: Model) -> Model:
        """A system seen from the frame: that for which the frame was made, perhaps with other values of its parameters."""
        refuse_unspecified(system, "a system in a moving frame")
        known = dict(system.parameter_items)
        own = tuple((p, value) for p, value in self.fixed.parameter_items if p not in known)
        items = (*system.parameter_items, *own)
        mine, theirs = (m.replaced(redundant_rows=(), start_items=()) for m in (self.fixed, system.with_values(items)))
        if mine.with_free_parameters != theirs.with_free_parameters:
            raise DeclarationError(
                f"{system.name}: this moving frame was made for another system, called {self.fixed.name!r}; make one by this "
                "system's own geometry.moving_observer({…})."
            )
        return self.model if items == self.fixed.parameter_items else revalued(self.model, items)

    @property
    def is_distinguished(self) -> Finding:
        """Whether the constraints are homogeneous in the moving frame."""
        offsets = (Quantity(f"the offset of {c.label}", c.offset) for c in self.model.constraints)
        claim = "the constraints are homogeneous in the moving frame"
        return vanishing(claim, "every offset", offsets, self.fixed.frame.orbit)

    def fixed_state(self, state: Mapping[str, object], project: bool = False) -> dict[str, float]:
        """A state in the moving frame (coordinates, velocities, ``t``) as one in the fixed frame; with its ``t`` where clocks differ.

        It is read as the start of a motion is: what the constraints determine may be left out, and what violates them is
        refused, or projected with ``project``. Parameters without a value must be in ``state``.
        """
        names = [s.name for s in (*self.fixed.coordinates, *self.fixed.velocities)]
        clock = {"t": time + self.shift} if self.shift != 0 else {}
        with precision(FEW_DIGITS):
            point = complete_state(self._constrained, state, project)
            found = evaluate_at((*self.place, *self.velocities, *clock.values()), point)
        names += clock
        return {name: float(value.mid()) for name, value in zip(names, found, strict=True)}

    def _here(self, entry: Expr) -> Expr:
        """A function of the fixed state as one of the moving state."""
        model = self.fixed
        flow = {**model.frame.coordinate_rates(model.velocities), time: symengine.Integer(1)}
        flow |= dict(zip(model.velocities, model.accelerations, strict=True))
        seen = self._map | dict(zip(model.velocities, self.velocities, strict=True))
        if not entry.free_symbols.isdisjoint(model.accelerations):
            seen |= {a: along(w, flow) for a, w in zip(model.accelerations, self.velocities, strict=True)}
        return entry.xreplace(seen)

    def _seen(self, constraint: Constraint) -> Constraint:
        model, shown = self.fixed, self._tidy(self._here(constraint.declared))
        return classify(constraint.label, shown, model.frame, model.velocities)

    def _components(self, rates: Sequence[Expr]) -> Vector:
        r"""A vector at $g_t(x)$ in the frame there, from its rates of the coordinates."""
        frame = self.fixed.frame
        if frame.is_chart:
            return tuple(map(self._tidy, rates))
        if (read := reading(frame)) is not None:
            return tuple(self._tidy(dot([entry.xreplace(self._map) for entry in row], rates)) for row in read)
        rows = [[entry.xreplace(self._map) for entry in row] for row in frame.anchor_ai]
        gram = inverse([[self._tidy(dot(left, right)) for right in rows] for left in rows])
        return tuple(map(self._tidy, matrix_vector(gram, [dot(row, rates) for row in rows])))

    def _tidy(self, entry: Expr) -> Expr:
        """Short, and free of what the invariants of redundant coordinates say is constant."""
        if (constant := self._constant(entry)) is not None:
            return constant
        return _on_group(self.fixed, readable(entry))

    def _constant(self, entry: Expr) -> Expr | None:
        """What an expression is if redundant coordinates do not matter on the group, otherwise None."""
        frame = self.fixed.frame
        if frame.orbit is None or not frame.orbit.touches([entry]):
            return None
        here = {q: value for q, value in zip(frame.coordinates, frame.origin, strict=True) if q in frame.orbit.tied}
        try:
            value = entry.xreplace(here)
        except RuntimeError:  # SymEngine refuses to divide by zero
            return None
        return simplify(value) if is_zero(entry - value, frame.orbit) else None

    def _refuse_other_side(self) -> None:
        """The invariants of a group may hold beside it too: a reflection is as orthogonal as a rotation."""
        if not self.fixed.group:
            return
        group = self.fixed.group
        start = dict(zip(self.fixed.coordinates, self.fixed.frame.origin, strict=True)) | {time: zero}
        image = [
            g.xreplace(start) for g, q in zip(self.place, self.fixed.coordinates, strict=True) if q in group.coordinates
        ]
        if free_symbols(image):
            return  # parameters decide
        for label, sign in group.signs(np.array([float(value) for value in image])).items():
            if not sign > 0:
                raise DeclarationError(
                    f"{self.fixed.name}: the moving frame takes the identity to where {label} is not positive, which no motion "
                    "reaches; give a map of the group to itself."
                )

    def refuse_unless_map_of_the_group(self) -> None:
        """Refuse what leaves the group, and what flattens it."""
        model = self.fixed
        for c in model.invariants:
            verdict = zero_test(self._here(c.declared), model.frame.orbit)
            if verdict is Verdict.REFUTED:
                raise DeclarationError(
                    f"{model.name}: the moving frame leaves the group ({c.label}); give a map of it to itself."
                )
            if verdict is Verdict.UNKNOWN:
                raise NotSupportedError(
                    f"{model.name}: whether the moving frame keeps the group ({c.label}) is not decided; write it as "
                    "polynomials of the coordinates, with sines, cosines and exponentials of t."
                )
        self._refuse_other_side()
        pushed = [[along(g, _field(model.coordinates, row)) for g in self.place] for row in model.frame.anchor_ai]
        if len(independent_rows_on(pushed, model.frame.orbit)) < len(pushed):
            raise DeclarationError(
                f"{model.name}: at one instant the moving frame takes different places to the same one; give a map that "
                "can be undone, such as x + t."
            )


def _field(coordinates: Sequence[Symbol], row: Vector) -> dict[Symbol, Expr]:
    return dict(zip(coordinates, row, strict=True))


# Redundant coordinates: $q_0^2 = 1 - q_1^2 - q_2^2 - q_3^2$.


def _on_group(model: Model, entry: Expr) -> Expr:
    r"""A polynomial in redundant coordinates with the square of one of them eliminated, such as $q_0^2 = 1 - q_1^2 - q_2^2 - q_3^2$."""
    for c in model.invariants:
        lead = _eliminable(c.declared, model.coordinates)
        if lead is None or lead not in entry.free_symbols:
            continue
        rest = symengine.expand(lead**2 - c.declared)
        while high := [
            node
            for node in symengine.expand(entry).atoms(symengine.Pow)
            if node.args[0] == lead and _at_least_two(node.args[1])
        ]:
            lower = {node: rest ** (int(node.args[1]) // 2) * lead ** (int(node.args[1]) % 2) for node in high}
            entry = symengine.expand(symengine.expand(entry).xreplace(lower))
        entry = readable(entry)
    return entry


def _eliminable(invariant: Expr, coordinates: Sequence[Symbol]) -> Symbol | None:
    """A coordinate that occurs in an invariant as its square and nothing else."""
    for q in coordinates:
        if q in invariant.free_symbols and is_zero(gradient(invariant, [q])[0] - 2 * q):
            return q
    return None


def _at_least_two(exponent: Expr) -> bool:
    return isinstance(exponent, symengine.Integer) and int(exponent) >= 2


# The inverse of a change of place: $x$ from $q = g(x)$, equation by equation, the rest as one linear system.
#
# .. math:: q^i = \alpha(x^1, \dots, x^{k-1}) + \beta(x^1, \dots, x^{k-1})\,x^k \quad\Longrightarrow\quad x^k = (q^i - \alpha)/\beta


def undone(place: Sequence[Expr], coordinates: Sequence[Symbol]) -> Vector | None:
    """The coordinates as functions of their images, under the same names; None where no step is linear.

    >>> from anholonomy.algebra.expressions import symbol
    >>> from anholonomy.language.arguments import expression
    >>> x, y = symbol("x"), symbol("y")
    >>> [each.subs({x: 2, y: 5}) for each in undone([expression("2*x", "x"), expression("y + x^2", "y")], [x, y])]
    [1, 4]
    """
    images = {q: symengine.Symbol(f"{q.name}__there") for q in coordinates}
    rows = [g - images[q] for g, q in zip(place, coordinates, strict=True)]
    found = _solved(rows, list(coordinates))
    if found is None:
        return None
    back = {image: q for q, image in images.items()}
    return tuple(found[q].xreplace(back) for q in coordinates)


def _solved(rows: list[Expr], unknown: list[Symbol]) -> dict[Symbol, Expr] | None:
    """The unknowns for which all rows vanish."""
    found: dict[Symbol, Expr] = {}
    while unknown:
        step = next(filter(None, (_single(row, unknown) for row in rows)), None) or _jointly(rows, unknown)
        if step is None:
            return None
        found |= step
        unknown = [q for q in unknown if q not in step]
        rows = [row.xreplace(step) for row in rows]
    return found


def _single(row: Expr, unknown: Sequence[Symbol]) -> dict[Symbol, Expr] | None:
    """The unknown of a row that has one, and has it linearly."""
    inside = [q for q in unknown if q in row.free_symbols]
    if len(inside) != 1:
        return None
    (q,) = inside
    slope = partial(row, q)
    return None if q in slope.free_symbols or slope == 0 else {q: -row.xreplace({q: zero}) / slope}


def _jointly(rows: Sequence[Expr], unknown: Sequence[Symbol]) -> dict[Symbol, Expr] | None:
    """All unknowns at once, where the rows that are left are linear in them."""
    left = [row for row in rows if not row.free_symbols.isdisjoint(unknown)]
    slopes = jacobian(left, unknown)
    if len(left) != len(unknown) or not free_symbols(e for line in slopes for e in line).isdisjoint(unknown):
        return None
    at_rest = [-row.xreplace(dict.fromkeys(unknown, zero)) for row in left]
    return dict(zip(unknown, matrix_vector(inverse(slopes), at_rest), strict=True))
