r"""Forces, torques, springs, dampers and motors as generalized forces and potentials.

.. math::
   Q_a = F\cdot\frac{\partial \dot x_P}{\partial w^a}, \qquad Q_a = M\cdot\frac{\partial\omega}{\partial w^a}, \qquad
   V = \tfrac12 k\,(\ell - \ell_0)^2, \qquad Q_a = -c\,\dot\ell\,\frac{\partial\dot\ell}{\partial w^a}

for a force at a point, a torque, a spring, and a damper of the length $\ell$.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

import symengine

from anholonomy.algebra.calculus import gradient, jacobian
from anholonomy.algebra.expressions import Expr, Vector, dot, symbol, zero
from anholonomy.algebra.zero_test import zero_test
from anholonomy.base.errors import DeclarationError, UnknownNameError, quoted
from anholonomy.base.verdict import Verdict
from anholonomy.system.bodies.body import RigidBody
from anholonomy.system.bodies.joints import AbstractJoint, Tree
from anholonomy.system.bodies.part import Part
from anholonomy.system.bodies.vectors import ORIGIN, add, scalar, scaled, size, vector

__all__ = ["AbstractLoad", "Damper", "Force", "JointDamper", "JointSpring", "Motor", "Spring", "Torque"]


class AbstractLoad(Part):
    """Something that acts on bodies. A new one is one new class with its forces or its potential."""

    def components(self, tree: Tree) -> Vector:
        """The generalized force, one component for each velocity."""
        return (zero,) * len(tree.velocities)

    def potential(self, tree: Tree) -> Expr:
        """Its potential energy, which becomes part of the Lagrangian."""
        return zero


@final
class Force(AbstractLoad):
    """A force on the point ``at`` of a body; components in ``"space"`` or along the axes of the ``"body"``."""

    def __init__(
        self, body: RigidBody | str, force: Sequence[Any], *, at: Sequence[Any] = ORIGIN, axes: str = "space"
    ) -> None:
        self.body, self.at = body, vector(at, "the force's place", "m")
        self.force, self.turns = vector(force, "the force", "N"), _turns(axes)

    def components(self, tree: Tree) -> Vector:
        pose = tree.pose(self.body)
        force = pose.direction(self.force) if self.turns else self.force
        rows = jacobian(pose.velocity_at(self.at), tree.velocities)
        return tuple(dot(force, column) for column in zip(*rows, strict=True))


@final
class Torque(AbstractLoad):
    """A torque on a body; components in ``"space"`` or along the axes of the ``"body"``."""

    def __init__(self, body: RigidBody | str, torque: Sequence[Any], *, axes: str = "body") -> None:
        self.body, self.torque, self.turns = body, vector(torque, "the torque", "N*m"), _turns(axes)

    def components(self, tree: Tree) -> Vector:
        pose = tree.pose(self.body)
        rows = jacobian(pose.rate if self.turns else pose.spin, tree.velocities)
        return tuple(dot(self.torque, column) for column in zip(*rows, strict=True))


class _Link(AbstractLoad):
    """Something straight between the point ``at`` of a body and the point ``end`` of the body ``to``, or of space."""

    body: RigidBody | str
    to: RigidBody | str | None
    at: Vector
    end: Vector

    @final
    def _connect(self, body: Any, to: Any, at: Sequence[Any], end: Sequence[Any]) -> None:
        self.body, self.to = body, to
        self.at, self.end = vector(at, "where it begins", "m"), vector(end, "where it ends", "m")

    @final
    def _span(self, tree: Tree) -> tuple[Vector, Vector]:
        """From its beginning to its end, and the rate of that."""
        here = tree.pose(self.body)
        place, velocity = self.end, ORIGIN
        if self.to is not None:
            there = tree.pose(self.to)
            place, velocity = there.point(self.end), there.velocity_at(self.end)
        return add(place, scaled(-1, here.point(self.at))), add(velocity, scaled(-1, here.velocity_at(self.at)))


@final
class Spring(_Link):
    r"""A spring, $V = \tfrac12 k(\ell - \ell_0)^2$, from the point ``at`` of a body to the point ``end`` of ``to``, or of space.

    ``length`` is $\ell_0$; with 0 the spring has no direction in which it could fail.
    """

    def __init__(
        self,
        body: RigidBody | str,
        to: RigidBody | str | None = None,
        *,
        stiffness: Any,
        length: Any,
        at: Sequence[Any] = ORIGIN,
        end: Sequence[Any] = ORIGIN,
    ) -> None:
        self._connect(body, to, at, end)
        self.stiffness = size(stiffness, "the spring's stiffness", "N/m")
        self.length = size(length, "the spring's length", "m")

    def potential(self, tree: Tree) -> Expr:
        span, _ = self._span(tree)
        square = dot(span, span)
        stretch = square if self.length == 0 else (symengine.sqrt(square) - self.length) ** 2
        return self.stiffness * stretch / 2


@final
class Damper(_Link):
    r"""A damper, which pulls with $-c\,\dot\ell$ along itself, from the point ``at`` of a body to ``end`` of ``to``, or of space."""

    def __init__(
        self,
        body: RigidBody | str,
        to: RigidBody | str | None = None,
        *,
        damping: Any,
        at: Sequence[Any] = ORIGIN,
        end: Sequence[Any] = ORIGIN,
    ) -> None:
        self._connect(body, to, at, end)
        self.damping = size(damping, "the damper's damping", "N*s/m")

    def components(self, tree: Tree) -> Vector:
        span, drift = self._span(tree)
        if zero_test(square := dot(span, span)) is Verdict.PROVEN:
            raise DeclarationError("a damper begins and ends at one point and has no direction; move one of its ends.")
        rate = dot(span, drift) / symengine.sqrt(square)
        return scaled(-self.damping * rate, gradient(rate, tree.velocities))


class _AtJoint(AbstractLoad):
    """Something that acts on one coordinate: that of a joint, or the one of a name."""

    on: AbstractJoint | str

    @final
    def coordinate(self, tree: Tree) -> str:
        """The name of what it acts on."""
        if not isinstance(self.on, AbstractJoint | str):
            raise DeclarationError(
                f"a {type(self).__name__} acts on {quoted(self.on)}, which is no joint; give one, or the name of its coordinate."
            )
        if isinstance(self.on, AbstractJoint) and len(names := list(self.on.coordinates)) != 1:
            said = f"has the coordinates {', '.join(names)}; name one of them" if names else "has no coordinate"
            raise DeclarationError(
                f"a {type(self).__name__} acts on one coordinate, and its {self.on.kind()} joint {said}."
            )
        name = self.on if isinstance(self.on, str) else next(iter(self.on.coordinates))
        if name not in tree.coordinates:
            known = ", ".join(tree.coordinates) or "none"
            raise UnknownNameError(
                f"a {type(self).__name__} acts on {name!r}, which is no coordinate of the bodies; these are {known}."
            )
        return name

    @final
    def _push(self, tree: Tree, effort: Expr) -> Vector:
        rate = symbol(f"{self.coordinate(tree)}'")
        return tuple(effort if w == rate else zero for w in tree.velocities)


@final
class Motor(_AtJoint):
    """A torque, or a force, along the coordinate of a joint."""

    def __init__(self, on: AbstractJoint | str, effort: Any) -> None:
        self.on, self.effort = on, scalar(effort, "the motor's effort", "N", "N*m")

    def components(self, tree: Tree) -> Vector:
        return self._push(tree, self.effort)


@final
class JointSpring(_AtJoint):
    r"""A spring at a joint, $V = \tfrac12 k(q - q_0)^2$ with $q_0$ the coordinate at ``rest``."""

    def __init__(self, on: AbstractJoint | str, *, stiffness: Any, rest: Any = 0) -> None:
        self.on, self.stiffness = on, size(stiffness, "the spring's stiffness", "N/m", "N*m")
        self.rest = scalar(rest, "the spring's rest", "", "m")

    def potential(self, tree: Tree) -> Expr:
        return self.stiffness * (symbol(self.coordinate(tree)) - self.rest) ** 2 / 2


@final
class JointDamper(_AtJoint):
    r"""A damper at a joint, $Q = -c\,\dot q$."""

    def __init__(self, on: AbstractJoint | str, *, damping: Any) -> None:
        self.on, self.damping = on, size(damping, "the damper's damping", "N*s/m", "N*m*s")

    def components(self, tree: Tree) -> Vector:
        return self._push(tree, -self.damping * symbol(f"{self.coordinate(tree)}'"))


def _turns(axes: str) -> bool:
    if not isinstance(axes, str) or axes not in ("space", "body"):
        raise DeclarationError(f"a load has axes={quoted(axes)}; say 'space' or 'body'.")
    return axes == "body"
