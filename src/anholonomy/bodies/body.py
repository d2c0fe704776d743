r"""A rigid body: mass, inertia, and where its centre of mass is.

.. math:: T = \tfrac12 m\,|v + R(w\times c)|^2 + \tfrac12\, w\cdot I w

$v$ is the velocity of the body's origin, $w$ the angular velocity in the body's axes, $R$ the rotation from body to space,
$c$ the centre of mass and $I$ the inertia about it, both in the body's axes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

import symengine

from anholonomy.bodies.vectors import NOWHERE, scalar, vector
from anholonomy.language import check_name
from anholonomy.refusals import IllPosedSystem
from anholonomy.symbolic.expressions import Expr, Matrix, Vector, zero
from anholonomy.symbolic.zero import Verdict, zero_test

__all__ = ["MOVES", "RigidBody"]

MOVES = ("space", "plane", "point", "nowhere")


@final
class RigidBody:
    """A rigid body.

    Parameters
    ----------
    name
        What to call it; a prefix of its symbols where several bodies are free.
    mass, inertia
        Text or numbers. The inertia about the centre of mass is a list of three principal moments or a symmetric matrix.
    centre
        The centre of mass in the body's axes; by default it is the body's origin.
    moves
        ``"space"``: position x, y, z and a quaternion; ``"plane"``: x, y and the angle theta about the vertical;
        ``"point"``: a quaternion only, the origin stays at rest; ``"nowhere"``: at rest, something to hang joints on. A body that hangs on a joint moves as that allows.

    >>> RigidBody("ball", mass="m", inertia=["I", "I", "I"])
    RigidBody('ball')
    >>> RigidBody("ball", mass=-1, inertia=[1, 1, 1])
    Traceback (most recent call last):
    anholonomy.refusals.IllPosedSystem: the mass of ball is -1; a mass is positive, or 0 for a part that only connects.
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
            raise IllPosedSystem(f"the body {name} has no {word}; give {example}, because physics has no defaults.")
        if moves not in MOVES:
            raise IllPosedSystem(f"the body {name} moves={moves!r}; say one of {', '.join(map(repr, MOVES))}.")
        self.name, self.moves = name, moves
        self.mass: Expr = scalar(mass, f"the mass of {name}")
        if self.mass.is_Number and float(self.mass) < 0:
            raise IllPosedSystem(
                f"the mass of {name} is {self.mass}; a mass is positive, or 0 for a part that only connects."
            )
        self.inertia: Matrix = _inertia(inertia, f"the inertia of {name}")
        self.centre: Vector = vector(centre, f"the centre of mass of {name}")

    @property
    def is_centred(self) -> bool:
        """Whether the centre of mass is the origin."""
        return self.centre == NOWHERE

    def __repr__(self) -> str:
        return f"RigidBody({self.name!r})"


def _inertia(given: Any, what: str) -> Matrix:
    if isinstance(given, str) or not hasattr(given, "__len__") or len(given) != 3:
        raise IllPosedSystem(f"{what} is {given!r}; give three principal moments or a symmetric 3x3 matrix.")
    if any(isinstance(row, str) or not hasattr(row, "__len__") for row in given):
        moments = vector(given, what)
        for moment in moments:
            if isinstance(moment, symengine.Number) and float(moment) < 0:
                raise IllPosedSystem(f"{what} has the negative moment {moment}; moments of inertia are positive.")
        return tuple(tuple(moments[i] if i == j else zero for j in range(3)) for i in range(3))
    rows = tuple(vector(row, what) for row in given)
    if any(zero_test(rows[i][j] - rows[j][i]) is not Verdict.ZERO for i in range(3) for j in range(i)):
        raise IllPosedSystem(f"{what} is not symmetric; give the same entry on both sides of the diagonal.")
    return rows
