r"""A rigid body: mass, inertia, and where its centre of mass is.

.. math:: T = \tfrac12 m\,|v + R(w\times c)|^2 + \tfrac12\, w\cdot I w

$v$ is the velocity of the body's origin, $w$ the angular velocity in the body's axes, $R$ the rotation from body to space,
$c$ the centre of mass and $I$ the inertia about it, both in the body's axes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

import numpy as np

from anholonomy.bodies.parts import Part
from anholonomy.bodies.vectors import ORIGIN, number, scalar, vector
from anholonomy.language import check_name
from anholonomy.language.given import is_list
from anholonomy.refusals import IllPosedSystem
from anholonomy.symbolic.expressions import Expr, Matrix, Vector, zero
from anholonomy.symbolic.zero import zero_test
from anholonomy.tolerances import EXACT
from anholonomy.verdict import Verdict

__all__ = ["MOVES", "RigidBody"]

MOVES = ("space", "plane", "point", "nowhere")


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
        if not isinstance(moves, str) or moves not in MOVES:
            raise IllPosedSystem(f"the body {name} moves={moves!r:.60}; say one of {', '.join(map(repr, MOVES))}.")
        self.name, self.moves = name, moves
        self.mass: Expr = scalar(mass, f"the mass of {name}", "kg")
        if (known := number(self.mass)) is not None and known < 0:
            raise IllPosedSystem(
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
        raise IllPosedSystem(f"{what} is {given!r}; give three principal moments or a symmetric 3x3 matrix.")
    if not all(map(is_list, given)):
        moments = vector(given, what, "kg*m^2")
        for moment in moments:
            if (known := number(moment)) is not None and known < 0:
                raise IllPosedSystem(f"{what} has the negative moment {moment}; moments of inertia are positive.")
        return tuple(tuple(moments[i] if i == j else zero for j in range(3)) for i in range(3))
    rows = tuple(vector(row, what, "kg*m^2") for row in given)
    if any(zero_test(rows[i][j] - rows[j][i]) is not Verdict.PROVEN for i in range(3) for j in range(i)):
        raise IllPosedSystem(f"{what} is not symmetric; give the same entry on both sides of the diagonal.")
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
            raise IllPosedSystem(
                f"{what} has the negative moment {moments[0]:.3g} about ({shown}); moments of inertia are positive."
            )
