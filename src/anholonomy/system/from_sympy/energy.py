r"""The kinetic energy of bodies, with the coordinates that SymPy's users leave out put back.

Kane's equations ask only for velocities. A disc that rolls may be described by three angles alone, its centre having the
velocity $v(q, \dot q)$ that rolling gives it; but no function of the angles has that derivative, and a Lagrangian that
uses it as if there were one gives wrong equations. So every component whose form $v_i\,dq^i + v_0\,dt$ is not closed gets
a coordinate $X$ and the constraint $\dot X = v(q, \dot q, t)$, and

.. math:: T = \tfrac12 \sum m (\dot X + w)^2 + \tfrac12\,\omega\cdot I\,\omega, \qquad d w = 0 .

For rotations the like condition is $\partial_i\Omega_j - \partial_j\Omega_i = \Omega_i\times\Omega_j$, and the inertia must
turn with its body, $\partial_i I = \Omega_i\times I - I\times\Omega_i$; what breaks them is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, final

import symengine

from anholonomy.refusals import IllPosedSystem, NotCovered
from anholonomy.symbolic.calculus import jacobian, partial
from anholonomy.symbolic.expressions import Expr, Symbol, Vector, free_symbols, symbol, time, zero
from anholonomy.symbolic.zero import Verdict, witness, zero_test
from anholonomy.system.from_sympy.entrance import Entrance

__all__ = ["Bodies"]


@final
@dataclass
class Bodies:
    """Adds up kinetic energy; ``hidden`` gains the coordinates put back, each with its axis and what its velocity is.

    ``known`` are coordinates that are there already and whose velocities constraints determine.
    """

    entrance: Entrance
    frame: Any
    coordinates: tuple[Symbol, ...]
    free: Callable[[str], str]
    known: dict[str, Expr] = field(default_factory=dict)
    hidden: dict[str, tuple[int, Expr]] = field(default_factory=dict)

    @property
    def variables(self) -> tuple[Symbol, ...]:
        return (*self.coordinates, time)

    def kinetic_energy(self, body: Any) -> Expr:
        """The energy of a particle or rigid body."""
        from sympy.physics.mechanics import Particle, RigidBody

        if not isinstance(body, Particle | RigidBody):
            raise IllPosedSystem(f"{body!s:.60} is neither a Particle nor a RigidBody; import those only.")
        what = f"the body {body.name}"
        mass = self.entrance.expression(body.mass, f"the mass of {what}")
        point = body.point if isinstance(body, Particle) else body.masscenter
        energy = mass * self._square(point.vel(self.frame), body.name, what) / 2
        return energy + self._rotation(body, what) if isinstance(body, RigidBody) else energy

    def _square(self, velocity: Any, name: str, what: str) -> Expr:
        components = self.entrance.components(velocity, self.frame, what)
        known = [self._closed(value, what) for value in components]
        if all(known):
            return self.entrance.product(velocity, velocity, what)
        parts = (
            value if closed else self._with_hidden(axis, value, name, what)
            for axis, (value, closed) in enumerate(zip(components, known, strict=True))
        )
        return symengine.Add(*(part**2 for part in parts))

    def _with_hidden(self, axis: int, value: Expr, name: str, what: str) -> Expr:
        """The component as the velocity of a coordinate put back, plus what is the derivative of a function."""
        own = {coordinate: its_value for coordinate, (its_axis, its_value) in self.hidden.items() if its_axis == axis}
        for coordinate, its_value in (self.known | own).items():
            rest = symengine.expand(value - its_value)
            if self._closed(rest, what):
                return symbol(f"{coordinate}'") + rest
        stem = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_") or "body"
        stem = stem if stem[0].isalpha() else f"body_{stem}"
        coordinate = self.free(f"{stem}_{'xyz'[axis]}")
        self.hidden[coordinate] = axis, value
        return symbol(f"{coordinate}'")

    def _slopes(self, value: Expr, what: str) -> Vector:
        r"""$v_i$ and $v_0$ of $v = v_i\dot q^i + v_0$."""
        velocities = [symbol(f"{q.name}'") for q in self.coordinates]
        (slopes,) = jacobian([value], velocities)
        if free_symbols(slopes) & set(velocities):
            raise IllPosedSystem(f"{what} has a velocity that is not linear in the speeds; correct it.")
        return (*slopes, value.xreplace(dict.fromkeys(velocities, zero)))

    def _closed(self, value: Expr, what: str) -> bool:
        """Whether it is proven that a component is the derivative of some function."""
        slopes = self._slopes(value, what)
        return all(
            zero_test(partial(b, x) - partial(a, y)) is Verdict.ZERO
            for (a, x), (b, y) in combinations(zip(slopes, self.variables, strict=True), 2)
        )

    def _rotation(self, body: Any, what: str) -> Expr:
        omega = body.frame.ang_vel_in(self.frame)
        inertia = body.central_inertia
        self._check_turning(omega, inertia, what)
        terms = []
        for factor, left, right in inertia.args if inertia != 0 else ():
            moment = self.entrance.expression(factor, f"the inertia of {what}")
            terms.append(
                moment * self.entrance.product(omega, left, what) * self.entrance.product(omega, right, what) / 2
            )
        return symengine.Add(*terms)

    def _check_turning(self, omega: Any, inertia: Any, what: str) -> None:
        components = self.entrance.components(omega, self.frame, what)
        slopes = list(zip(*(self._slopes(value, what) for value in components), strict=True))
        for (a, x), (b, y) in combinations(zip(slopes, self.variables, strict=True), 2):
            crossed = _cross(a, b)
            for k in range(3):
                if witness(partial(b[k], x) - partial(a[k], y) - crossed[k]) is not None:
                    raise NotCovered(
                        f"{what} has an angular velocity that belongs to no orientation, so that it has no Lagrangian; "
                        f"add the coordinate that is missing among {', '.join(q.name for q in self.coordinates)}."
                    )
        matrix = self._matrix(inertia, what)
        for slope, x in zip(slopes, self.variables, strict=True):
            for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)):
                turned = _cross(slope, [row[j] for row in matrix])[i] + _cross(slope, matrix[i])[j]
                if witness(partial(matrix[i][j], x) - turned) is not None:
                    raise NotCovered(
                        f"{what} has an inertia that does not turn with it; give it in a frame fixed to it."
                    )

    def _matrix(self, inertia: Any, what: str) -> list[list[Expr]]:
        matrix = [[zero] * 3 for _ in range(3)]
        for factor, left, right in inertia.args if inertia != 0 else ():
            moment = self.entrance.expression(factor, f"the inertia of {what}")
            rows, columns = (self.entrance.components(v, self.frame, what) for v in (left, right))
            for i in range(3):
                for j in range(3):
                    matrix[i][j] += moment * rows[i] * columns[j]
        return matrix


def _cross(a: Sequence[Expr], b: Sequence[Expr]) -> tuple[Expr, Expr, Expr]:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
