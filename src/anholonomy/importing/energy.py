r"""The kinetic energy of bodies, with the coordinates that SymPy's users leave out put back.

Kane's equations ask only for velocities. A disc that rolls may be described by three angles alone, its centre having the
velocity $v(q, \dot q)$ that rolling gives it; but no function of the angles has that derivative, and a Lagrangian that
uses it as if there were one gives wrong equations. So every component whose form $v_i\,dq^i + v_0\,dt$ is not closed gets
a coordinate $X$ and the constraint $\dot X = v(q, \dot q, t)$, and

.. math:: T = \tfrac12 \sum m (\dot X + w)^2 + \tfrac12\,\omega\cdot I\,\omega, \qquad d w = 0 .

For rotations the like conditions are those of `anholonomy.importing.rigid_motion`; what breaks them is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, final

import symengine

from anholonomy.algebra.calculus import jacobian, partial
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
from anholonomy.algebra.poles import has_poles
from anholonomy.algebra.simplification.simplify import simplify
from anholonomy.algebra.zero_test import witness, zero_test
from anholonomy.base.errors import DeclarationError, NotSupportedError
from anholonomy.base.verdict import Verdict
from anholonomy.importing.rigid_motion import (
    belongs_to_an_orientation,
    contradiction,
    orientation_gap,
    turns_with_it,
    vanishes_along,
)
from anholonomy.importing.translation import Entrance, parts

__all__ = ["Bodies", "centre_of"]


def centre_of(body: Any) -> Any:
    """The point whose velocity counts."""
    from sympy.physics.mechanics import Particle, RigidBody

    if not isinstance(body, Particle | RigidBody):
        raise DeclarationError(f"{body!s:.60} is neither a Particle nor a RigidBody; import those only.")
    return body.point if isinstance(body, Particle) else body.masscenter


@final
@dataclass
class Bodies:
    """Adds up kinetic energy; ``hidden`` gains the coordinates put back, each with its axis and what its velocity is.

    ``reduced`` says what speeds and determined velocities are where the constraints hold, ``surface`` which functions of
    the coordinates vanish.
    """

    entrance: Entrance
    coordinates: tuple[Symbol, ...]
    free: Callable[[str], str]
    reduced: Mapping[Symbol, Expr]
    known: dict[str, Expr]
    surface: tuple[Expr, ...]
    hidden: dict[str, tuple[int, Expr]] = field(default_factory=dict)

    @property
    def variables(self) -> tuple[Symbol, ...]:
        return (*self.coordinates, time)

    def kinetic_energy(self, body: Any) -> Expr:
        """The energy of a particle or rigid body."""
        from sympy.physics.mechanics import RigidBody

        what = f"the body {body.name}"
        mass = self.entrance.expression(body.mass, f"the mass of {what}")
        energy = mass * self._square(self.entrance.velocity(centre_of(body), what), body.name, what) / 2
        return energy + self._rotation(body, what) if isinstance(body, RigidBody) else energy

    def substituted(self, body: Any) -> bool:
        """Whether the velocity of the body is proven to be the derivative of no function of the coordinates."""
        what = f"the body {body.name}"
        velocity = self.entrance.velocity(centre_of(body), what)
        values = self.entrance.components(velocity, self.entrance.frame, what)
        return any(
            zero_test(entry) is Verdict.REFUTED
            for value in values
            if not self._closed(value, what)
            for entry in self._curl(value, what)
        )

    def rate(self, raw: Expr) -> Symbol | None:
        """The velocity in a kinematic constraint that equals the expression where the constraint holds, if any."""
        value = raw.xreplace(self.reduced)
        names = (name for name, its_value in self.known.items() if zero_test(value - its_value) is Verdict.PROVEN)
        return next((symbol(f"{name}'") for name in names), None)

    def component(self, raw: Expr, axis: int, what: str) -> Expr | None:
        """A component of a velocity as the derivative of a function of all coordinates, if it is one."""
        value = raw.xreplace(self.reduced)
        own = {coordinate: its_value for coordinate, (its_axis, its_value) in self.hidden.items() if its_axis == axis}
        if (rate := self.rate(raw)) is not None:
            return rate
        if self._closed(value, what):
            return self._short(value, what)
        for coordinate, its_value in (self.known | own).items():
            rest = symengine.expand(value - its_value.xreplace(self.reduced))
            if self._closed(rest, what):
                return symbol(f"{coordinate}'") + self._short(rest, what)
        return None

    def _square(self, velocity: Any, name: str, what: str) -> Expr:
        components = self.entrance.components(velocity, self.entrance.frame, what)
        if not self.known and all(self._closed(raw.xreplace(self.reduced), what) for raw in components):
            return self.entrance.product(velocity, velocity, what).xreplace(self.reduced)
        total = []
        for axis, raw in enumerate(components):
            value = self.component(raw, axis, what)
            total.append((self._hide(axis, raw, name) if value is None else value) ** 2)
        return symengine.Add(*total)

    def _hide(self, axis: int, raw: Expr, name: str) -> Symbol:
        """The velocity of a coordinate that is put back."""
        stem = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_") or "body"
        stem = stem if stem[0].isalpha() else f"body_{stem}"
        coordinate = self.free(f"{stem}_{'xyz'[axis]}")
        self.hidden[coordinate] = axis, raw
        return symbol(f"{coordinate}'")

    def _short(self, value: Expr, what: str) -> Expr:
        """The value, without the poles that cancel."""
        if not self.known or not has_poles(value, set(self.coordinates)):
            return value
        *slopes, offset = map(simplify, self._slopes(value, what))
        return dot(slopes, [symbol(f"{q.name}'") for q in self.coordinates]) + offset

    def _slopes(self, value: Expr, what: str) -> Vector:
        r"""$v_i$ and $v_0$ of $v = v_i\dot q^i + v_0$."""
        velocities = [symbol(f"{q.name}'") for q in self.coordinates]
        (slopes,) = jacobian([value], velocities)
        if free_symbols(slopes) & set(velocities):
            raise DeclarationError(f"{what} has a velocity that is not linear in the speeds; correct it.")
        return (*slopes, value.xreplace(dict.fromkeys(velocities, zero)))

    def _closed(self, value: Expr, what: str) -> bool:
        """Whether it is proven that a component is the derivative of some function, or seen so where constraints hold."""
        if all(zero_test(entry) is Verdict.PROVEN for entry in self._curl(value, what)):
            return True
        if not self.surface:
            return False
        rows = [(entry,) for entry in self._curl(value, what)]
        return bool(vanishes_along(rows, self.variables, self.surface))

    def _curl(self, value: Expr, what: str) -> Iterator[Expr]:
        r"""$\partial_i v_j - \partial_j v_i$ for every pair of variables, one after the other: the first may tell."""
        slopes = self._slopes(value, what)
        for (a, x), (b, y) in combinations(zip(slopes, self.variables, strict=True), 2):
            self.entrance.hurry(what)
            yield partial(b, x) - partial(a, y)

    def _rotation(self, body: Any, what: str) -> Expr:
        turning, inertia = self.entrance.turning(body.frame, what), body.central_inertia
        omega = [
            (tuple(self._turn(self.entrance.expression(value, what)) for value in part), own)
            for part, own in parts(turning)
        ]
        self._check_turning(body.frame, omega, inertia, what)
        terms = []
        for factor, left, right in inertia.args if inertia != 0 else ():
            moment = self.entrance.expression(factor, f"the inertia of {what}")
            if self.known:
                one, other = (self._along(omega, axis, what) for axis in (left, right))
            else:
                one, other = (
                    self.entrance.product(turning, axis, what).xreplace(self.reduced) for axis in (left, right)
                )
            terms.append(moment * one * other / 2)
        return symengine.Add(*terms)

    def _along(self, omega: Sequence[tuple[Vector, Any]], axis: Any, what: str) -> Expr:
        return symengine.Add(*(dot(values, self.entrance.components(axis, own, what)) for values, own in omega))

    def _turn(self, raw: Expr) -> Expr:
        return raw.xreplace(self.reduced) if (rate := self.rate(raw)) is None else rate

    def _check_turning(self, frame: Any, omega: Sequence[tuple[Vector, Any]], inertia: Any, what: str) -> None:
        total = [zero] * 3
        for values, own in omega:
            turned = matrix_vector(self.entrance.rotation(self.entrance.frame, own, what), values)
            total = [a + b for a, b in zip(total, turned, strict=True)]
        slopes = list(zip(*(self._slopes(value, what) for value in total), strict=True))
        flat = belongs_to_an_orientation(slopes, self.variables, self.surface)
        if flat and turns_with_it(self._matrix(inertia, what), slopes, self.variables, self.surface):
            return
        gap = orientation_gap(frame, self.entrance, self.reduced, what)
        own = [self._slopes(value.xreplace(self.reduced), what) for value in gap]
        if any(witness(entry) is not None for row in own for entry in row):
            raise NotSupportedError(f"{what}: {contradiction(frame, self.entrance.frame)}")
        if flat:
            raise NotSupportedError(
                f"{what} has an inertia that does not turn with it; give it in a frame fixed to it."
            )
        raise NotSupportedError(
            f"{what} has an angular velocity that belongs to no orientation, so that it has no Lagrangian; "
            f"add the coordinate that is missing among {', '.join(q.name for q in self.coordinates)}."
        )

    def _matrix(self, inertia: Any, what: str) -> Matrix:
        matrix = [[zero] * 3 for _ in range(3)]
        for factor, left, right in inertia.args if inertia != 0 else ():
            moment = self.entrance.expression(factor, f"the inertia of {what}")
            rows, columns = (self.entrance.components(v, self.entrance.frame, what) for v in (left, right))
            for i in range(3):
                for j in range(3):
                    matrix[i][j] += moment * rows[i] * columns[j]
        return tuple(map(tuple, matrix))
