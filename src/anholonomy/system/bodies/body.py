r"""A rigid body with its mass and inertia, and its pose as a function of the coordinates.

.. math:: T = \tfrac12 m\,|v + R(w\times c)|^2 + \tfrac12\, w\cdot I w, \qquad
   x_P = x + R\,a, \qquad \dot x_P = v + R\,(w\times a), \qquad \omega = R\,w

$v$ is the velocity of the body's origin $x$, $w$ the angular velocity in the body's axes, $R$ the rotation from body to space,
$c$ the centre of mass and $I$ the inertia about it, both in the body's axes, where the point $P$ is $a$.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from anholonomy.algebra.expressions import Expr, Matrix, Vector, dot, matrix_vector, symbol, zero
from anholonomy.algebra.zero_test import zero_test
from anholonomy.base.errors import DeclarationError, quoted
from anholonomy.base.notebook import Shown
from anholonomy.base.tolerances import EXACT
from anholonomy.base.verdict import Verdict
from anholonomy.geometry.groups import SO3
from anholonomy.language import check_name
from anholonomy.language.arguments import is_list
from anholonomy.system.bodies.part import Part
from anholonomy.system.bodies.vectors import (
    AXES,
    ORIGIN,
    add,
    cross,
    number,
    product,
    rotation,
    scalar,
    scaled,
    transposed,
    vector,
)

__all__ = ["Pose", "RigidBody", "free_coordinates", "free_pose"]

_MOVES = ("space", "plane", "point", "nowhere")


@final
class RigidBody(Part):
    """A rigid body.

    Parameters
    ----------
    name
        What to call it; a prefix of its symbols where several bodies are free.
    mass, inertia
        Text, numbers or quantities such as ``"12 kg"``. The inertia about the centre of mass is a list of three principal moments or a symmetric matrix;
        numbers that give some direction a negative moment are refused.
    centre
        The centre of mass in the body's axes; by default it is the body's origin.
    moves
        ``"space"``: position x, y, z and a quaternion; ``"plane"``: x, y and the angle theta about the vertical;
        ``"point"``: a quaternion only, the origin stays at rest; ``"nowhere"``: at rest, something to hang joints on. A body that hangs on a joint moves as that allows.

    >>> RigidBody("ball", mass="m", inertia=["I", "I", "I"])
    RigidBody('ball')
    >>> RigidBody("ball", mass=-1, inertia=[1, 1, 1])
    Traceback (most recent call last):
    anholonomy.base.errors.DeclarationError: the mass of ball is -1; a mass is positive, or 0 for a part that only connects.
    """

    def __init__(
        self,
        name: str,
        *,
        mass: Any = None,
        inertia: Any = None,
        centre: Sequence[Any] = (0, 0, 0),
        moves: str = "space",
    ) -> None:
        check_name(name, "the body")
        if mass is None or inertia is None:
            word, example = ("mass", "mass='m'") if mass is None else ("inertia", "inertia=['I1', 'I2', 'I3']")
            raise DeclarationError(f"the body {name} has no {word}; give {example}, because physics has no defaults.")
        if not isinstance(moves, str) or moves not in _MOVES:
            raise DeclarationError(f"the body {name} moves={quoted(moves)}; say one of {', '.join(map(repr, _MOVES))}.")
        self.name, self.moves = name, moves
        self.mass: Expr = scalar(mass, f"the mass of {name}", "kg")
        if (known := number(self.mass)) is not None and known < 0:
            raise DeclarationError(
                f"the mass of {name} is {self.mass}; a mass is positive, or 0 for a part that only connects."
            )
        self.inertia: Matrix = _inertia(inertia, f"the inertia of {name}")
        self.centre: Vector = vector(centre, f"the centre of mass of {name}", "m")

    @property
    def is_centred(self) -> bool:
        """Whether the centre of mass is the origin."""
        return self.centre == ORIGIN

    @property
    def reference(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"RigidBody({self.name!r})"


def _inertia(given: Any, what: str) -> Matrix:
    # The members of a SymPy matrix are its entries, not its rows.
    given = given.tolist() if hasattr(given, "tolist") else given
    if isinstance(given, str) or not hasattr(given, "__len__") or len(given) != 3:
        raise DeclarationError(f"{what} is {given!r}; give three principal moments or a symmetric 3x3 matrix.")
    if not all(map(is_list, given)):
        moments = vector(given, what, "kg*m^2")
        for moment in moments:
            if (known := number(moment)) is not None and known < 0:
                raise DeclarationError(f"{what} has the negative moment {moment}; moments of inertia are positive.")
        return tuple(tuple(moments[i] if i == j else zero for j in range(3)) for i in range(3))
    rows = tuple(vector(row, what, "kg*m^2") for row in given)
    if any(zero_test(rows[i][j] - rows[j][i]) is not Verdict.PROVEN for i in range(3) for j in range(i)):
        raise DeclarationError(f"{what} is not symmetric; give the same entry on both sides of the diagonal.")
    _refuse_indefinite(rows, what)
    return rows


def _refuse_indefinite(rows: Matrix, what: str) -> None:
    """Where the entries are numbers, no direction may have a negative moment.

    One moment may exceed the sum of the others, with a warning: no solid does that, but a plane figure of which one moment
    matters, or a body with rotors or water around it, does.
    """
    numbers = [[number(entry) for entry in row] for row in rows]
    for axes in ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)):
        part = [[numbers[i][j] for j in axes] for i in axes]
        if any(entry is None for row in part for entry in row):
            continue
        moments, directions = np.linalg.eigh(np.array(part, dtype=float))
        if moments[0] < -EXACT * abs(moments).max():
            along = dict(zip(axes, directions[:, 0], strict=True))
            shown = ", ".join(f"{along.get(k, 0.0) + 0.0:.3g}" for k in range(3))
            raise DeclarationError(
                f"{what} has the negative moment {moments[0]:.3g} about ({shown}); moments of inertia are positive."
            )


# Its pose. A child is turned by $Q$ in its parent, and its point $b$ is where the parent has the point $a$:
#
# .. math:: R' = R\,Q, \quad w' = Q^{\mathsf T}(w + \varpi), \quad x' = x + R\,a - R'b .


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
