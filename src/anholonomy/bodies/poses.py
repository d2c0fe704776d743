r"""Where a body is and how it moves, as functions of the system's coordinates and velocities.

.. math:: x_P = x + R\,a, \qquad \dot x_P = v + R\,(w\times a), \qquad \omega = R\,w

for the point that is $a$ in the body's axes. A child is turned by $Q$ in its parent, and its point $b$ is where the parent has the
point $a$:

.. math:: R' = R\,Q, \quad w' = Q^{\mathsf T}(w + \varpi), \quad x' = x + R\,a - R'b .
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from anholonomy.bodies.body import RigidBody
from anholonomy.bodies.vectors import AXES, ORIGIN, add, cross, product, rotation, scaled, transposed
from anholonomy.displays.shown import Shown
from anholonomy.geometry.groups import SO3
from anholonomy.symbolic.expressions import Expr, Matrix, Vector, dot, matrix_vector, symbol, zero

__all__ = ["Pose", "free_coordinates", "free_pose"]


@final
@dataclass(frozen=True)
class Pose(Shown):
    """Position and velocity of the origin in space, rotation from body to space, angular velocity in the body."""

    position: Vector
    rotation: Matrix
    velocity: Vector
    rate: Vector

    def point(self, at: Vector) -> Vector:
        """Where a point of the body is."""
        return self.position if at == ORIGIN else add(self.position, matrix_vector(self.rotation, at))

    def velocity_at(self, at: Vector) -> Vector:
        """The velocity of a point of the body."""
        return self.velocity if at == ORIGIN else add(self.velocity, self.direction(cross(self.rate, at)))

    def direction(self, a: Vector) -> Vector:
        """A direction of the body, in space."""
        return matrix_vector(self.rotation, a)

    def seen(self, n: Vector) -> Vector:
        """A direction of space, in the body."""
        return matrix_vector(transposed(self.rotation), n)

    @property
    def spin(self) -> Vector:
        """The angular velocity in space."""
        return self.direction(self.rate)

    def kinetic_energy(self, body: RigidBody) -> Expr:
        r"""$\tfrac12 m|v|^2 + m\,v\cdot R(w\times c) + \tfrac12 m|w\times c|^2 + \tfrac12 w\cdot I w$."""
        inner = cross(self.rate, body.centre)
        square = dot(self.velocity, self.velocity)
        if not body.is_centred:
            square += 2 * dot(self.velocity, self.direction(inner)) + dot(inner, inner)
        return (body.mass * square + dot(self.rate, matrix_vector(body.inertia, self.rate))) / 2

    def jointed(
        self,
        at: Vector,
        own: Vector,
        turn: Matrix,
        rate: Vector = ORIGIN,
        spin: Vector = ORIGIN,
        drift: Vector = ORIGIN,
    ) -> Pose:
        """The pose of a child with its point ``own`` at the point ``at`` of this body, where it is turned by ``turn``.

        It turns at ``rate``, along the axes of this body, or at ``spin``, along its own; ``drift`` is the rate of ``at``.
        """
        R = product(self.rotation, turn)
        w = add(matrix_vector(transposed(turn), add(self.rate, rate)), spin)
        velocity = self.velocity_at(at) if drift == ORIGIN else add(self.velocity_at(at), self.direction(drift))
        hinge = Pose(self.point(at), R, velocity, w)
        back = scaled(-1, own)
        return Pose(hinge.point(back), R, hinge.velocity_at(back), w)


def free_coordinates(body: RigidBody, prefix: str) -> dict[str, str]:
    """The coordinates of a body that hangs on nothing, those of its attitude apart, with their kinds."""
    if body.moves == "plane":
        return {f"{prefix}x": "length", f"{prefix}y": "length", f"{prefix}theta": "angle"}
    return {f"{prefix}{name}": "length" for name in "xyz"} if body.moves == "space" else {}


def free_pose(body: RigidBody, prefix: str) -> Pose:
    """The pose of a body that hangs on nothing."""
    names = list(free_coordinates(body, prefix))
    q, v = [symbol(name) for name in names], [symbol(f"{name}'") for name in names]
    if body.moves == "plane":
        turn = rotation(AXES[2], q[2])
        return Pose((q[0], q[1], zero), turn, (v[0], v[1], zero), (zero, zero, v[2]))
    if body.moves == "nowhere":
        return Pose(ORIGIN, AXES, ORIGIN, ORIGIN)
    attitude = SO3(prefix)
    if body.moves == "point":
        return Pose(ORIGIN, attitude.matrix, ORIGIN, attitude.speeds)
    return Pose(tuple(q), attitude.matrix, tuple(v), attitude.speeds)
