r"""Translations of $\mathbb R^n$, and circles, which are the same but for what a figure does with them.

.. math:: g h = g + h, \qquad E_a = \partial_a, \qquad c = 0
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, final

import numpy as np

from anholonomy.algebra.expressions import Expr, Matrix, Symbol, Vector, identity, symbol, zero
from anholonomy.base.errors import DeclarationError
from anholonomy.geometry.algebras.lie_algebra import LieAlgebra
from anholonomy.geometry.groups.base import AbstractGroup, Array, refuse_large, titled
from anholonomy.language import check_name

__all__ = ["Rn", "Circle", "SO2"]


def abelian(dimension: int) -> LieAlgebra:
    """The algebra in which everything commutes."""
    return LieAlgebra((((zero,) * dimension,) * dimension,) * dimension)


class _Additive(AbstractGroup):
    """Coordinates that add; the speeds are their velocities. Their names have the prefix, if there is one."""

    motion = ""
    spellings: ClassVar[tuple[str, ...]]
    """What a text calls it, before the names of its coordinates."""

    @classmethod
    def read(cls, name: str, prefix: str, inside: str | None) -> AbstractGroup | None:
        make: Callable[..., AbstractGroup] = cls
        if inside is None or prefix or name not in cls.spellings:
            return None
        return make(*(each.strip() for each in inside.split(",")))

    def __init__(self, name: str, names: Sequence[str], prefix: str) -> None:
        titled(name, prefix)
        for each in names:
            check_name(each, "the coordinate")
        names = [prefix + each for each in names]
        if twice := [each for k, each in enumerate(names) if each in names[:k]]:
            raise DeclarationError(f"{name} has the coordinate {twice[0]} twice; name every one once.")
        refuse_large(name, len(names))
        self.name = f"{name}({', '.join(names)})"
        self.algebra = abelian(len(names))
        self.coordinates = tuple(map(symbol, names))
        self.speeds = tuple(symbol(f"{each}'") for each in names)

    @property
    def anchor_ai(self) -> Matrix:
        return identity(len(self.coordinates))

    @property
    def invariants(self) -> Mapping[str, Expr]:
        return {}

    def signs(self, g: Array) -> Mapping[str, float]:
        return {}

    @property
    def named(self) -> Mapping[str, Expr]:
        return {}

    @property
    def identity(self) -> Array:
        return np.zeros(len(self.coordinates))

    def _multiply(self, g: Array, h: Array) -> Array:
        return np.asarray(np.asarray(g, dtype=float) + np.asarray(h, dtype=float))

    def _inverse(self, g: Array) -> Array:
        return np.asarray(-np.asarray(g, dtype=float))

    def _exp(self, xi: Array) -> Array:
        return np.array(xi, dtype=float)

    @property
    def adjoint_ab(self) -> Matrix:
        return identity(len(self.coordinates))

    @property
    def inverse_i(self) -> Vector:
        return tuple(-q for q in self.coordinates)

    def _adjoint(self, g: Array) -> Array:
        return np.eye(len(self.coordinates))


@final
class Rn(_Additive):
    """Translations along coordinates that are named, or x1, x2, … for a number.

    >>> Rn("x", "y"), Rn(3).speeds, Rn("x", prefix="a_")
    (R(x, y), (x1', x2', x3'), R(a_x))
    """

    examples = ("R(x, y)",)
    elements = "translations"
    spellings = ("R",)

    def __init__(self, *names: str | int, prefix: str = "") -> None:
        if len(names) == 1 and isinstance(names[0], int) and not isinstance(names[0], bool):
            refuse_large("R", names[0])
            names = tuple(f"x{k}" for k in range(1, names[0] + 1))
        if not names or not all(isinstance(each, str) for each in names):
            raise DeclarationError(
                "Rn takes the names of its coordinates, such as Rn('x', 'y'), or their number, such as Rn(2)."
            )
        super().__init__("R", [str(each) for each in names], prefix)

    def _log(self, g: Array) -> Array:
        return np.array(g, dtype=float)


@final
class Circle(_Additive):
    """Angles that are named, or one called phi; the shortest way to an element goes less than half round.

    >>> Circle().log(np.array([3 * np.pi / 2])).round(4)
    array([-1.5708])
    >>> Circle(), Circle("theta"), Circle(prefix="b_")
    (S1(phi), S1(theta), S1(b_phi))
    """

    examples = ("S1(phi)",)
    elements = "angles"
    spellings = ("S1", "SO2")

    def __init__(self, *names: str, prefix: str = "") -> None:
        super().__init__("S1", names or ("phi",), prefix)

    @property
    def turning(self) -> tuple[Symbol, ...]:
        return self.coordinates

    def _log(self, g: Array) -> Array:
        angle = np.asarray(g, dtype=float)
        # A small angle stays as it is, to its last digit.
        return np.where(abs(angle) <= np.pi, angle, np.mod(angle + np.pi, 2 * np.pi) - np.pi)


SO2 = Circle
"""Rotations of the plane: the circle under its other name."""
