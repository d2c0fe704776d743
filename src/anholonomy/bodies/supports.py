r"""What bodies roll on: a plane, a ball, a bowl, a cylinder, or any surface that a sphere's centre moves on.

.. math:: g = n\cdot c - r \ \text{(plane)}, \qquad g = F(c),\quad n = \frac{\nabla F}{|\nabla F|} \ \text{(a sphere's centre $c$)},
   \qquad u = \dot d + \Omega\times(x - d)

$g$ is zero in contact, $n$ the unit normal from the support to the body, $u$ the velocity of the support at the point $x$
when its origin is displaced by $d(t)$ and it turns with $\Omega$ about that origin in a way that maps it to itself.
A smooth tangent basis exists on all of a sphere but one point; it is taken to be where the support is overhead,
$n = -e_3$:

.. math:: t_i = e_i - \frac{n_i}{1 + n_3}\,(n + e_3), \qquad i = 1, 2 .
"""

from __future__ import annotations

import abc
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import symengine

from anholonomy.bodies.vectors import AXES, NOWHERE, add, cross, scalar, scaled, unit, vector
from anholonomy.refusals import IllPosedSystem
from anholonomy.symbolic.calculus import gradient, partial
from anholonomy.symbolic.expressions import Expr, Vector, dot, symbol, time, zero

__all__ = ["AbstractSupport", "Ball", "Bowl", "Cylinder", "ParallelSurface", "Plane", "Touch"]


@final
@dataclass(frozen=True)
class Touch:
    """A contact: the gap that must vanish, the unit normal towards the body, and two tangents."""

    gap: Expr
    normal: Vector
    tangents: tuple[Vector, Vector]


class AbstractSupport(abc.ABC):
    """A support. A new one sets how it moves and answers where it is touched."""

    displacement: Vector
    rotation: Vector

    @abc.abstractmethod
    def touch(self, centre: Vector, radius: Expr) -> Touch:
        """The contact with a sphere about ``centre``, as seen from the support's origin."""

    @final
    def velocity(self, point: Vector) -> Vector:
        r"""$\dot d + \Omega\times(x - d)$, with $x - d$ given."""
        moving = tuple(partial(d, time) for d in self.displacement)
        return moving if self.rotation == NOWHERE else add(moving, cross(self.rotation, point))


@final
class Plane(AbstractSupport):
    """A plane through the origin: level, or falling by ``slope`` along x, or with a ``normal``.

    ``rotating`` is its angular speed about the normal through its origin, ``moving`` the displacement of that origin as
    a function of ``t``.

    >>> Plane(slope="alpha").normal
    (sin(alpha), 0, cos(alpha))
    """

    def __init__(
        self,
        *,
        slope: Any = None,
        normal: Sequence[Any] | None = None,
        rotating: Any = 0,
        moving: Sequence[Any] = NOWHERE,
    ) -> None:
        if slope is not None and normal is not None:
            raise IllPosedSystem("a plane has either a `slope` or a `normal`; give one of them.")
        self.normal: Vector = AXES[2] if normal is None else unit(normal, "the plane's normal")
        if slope is not None:
            alpha = scalar(slope, "the plane's slope")
            self.normal = (symengine.sin(alpha), zero, symengine.cos(alpha))
        self.rotation = scaled(scalar(rotating, "the plane's angular speed"), self.normal)
        self.displacement = _moving(moving)

    @property
    def tangents(self) -> tuple[Vector, Vector]:
        """Two fixed tangents: down the slope and across it; they need not be unit vectors."""
        n1, n2, n3 = self.normal
        if n1 == n3 == 0:  # the plane faces along y
            return AXES[0], AXES[2]
        first = AXES[0] if n1 == n2 == 0 else (n3, zero, -n1)
        return first, AXES[1] if n2 == 0 else cross(self.normal, first)

    def touch(self, centre: Vector, radius: Expr) -> Touch:
        return Touch(dot(self.normal, centre) - radius, self.normal, self.tangents)


@final
class Ball(AbstractSupport):
    """The outside of a sphere about the origin; ``rotating`` is a vector, ``moving`` a displacement in time."""

    def __init__(self, radius: Any, *, rotating: Sequence[Any] = NOWHERE, moving: Sequence[Any] = NOWHERE) -> None:
        self.radius = scalar(radius, "the ball's radius")
        self.rotation = vector(rotating, "the ball's angular velocity")
        self.displacement = _moving(moving)

    def touch(self, centre: Vector, radius: Expr) -> Touch:
        apart = self.radius + radius
        return _touch((dot(centre, centre) - apart**2) / (2 * apart), scaled(1 / apart, centre))


@final
class Bowl(AbstractSupport):
    """The inside of a sphere about the origin; ``rotating`` is a vector, ``moving`` a displacement in time."""

    def __init__(self, radius: Any, *, rotating: Sequence[Any] = NOWHERE, moving: Sequence[Any] = NOWHERE) -> None:
        self.radius = scalar(radius, "the bowl's radius")
        self.rotation = vector(rotating, "the bowl's angular velocity")
        self.displacement = _moving(moving)

    def touch(self, centre: Vector, radius: Expr) -> Touch:
        apart = self.radius - radius
        return _touch((apart**2 - dot(centre, centre)) / (2 * apart), scaled(-1 / apart, centre))


@final
class Cylinder(AbstractSupport):
    """A round cylinder about axis 1, 2 or 3 of space, touched from inside, or from outside with ``inside=False``.

    ``rotating`` is its angular speed about the axis, ``moving`` a displacement in time.
    """

    def __init__(
        self, radius: Any, axis: int = 3, *, inside: bool = True, rotating: Any = 0, moving: Sequence[Any] = NOWHERE
    ) -> None:
        if axis not in (1, 2, 3):
            raise IllPosedSystem(f"the cylinder has axis={axis!r}; say 1, 2 or 3.")
        self.radius, self.axis, self.inside = scalar(radius, "the cylinder's radius"), axis, inside
        self.rotation = scaled(scalar(rotating, "the cylinder's angular speed"), AXES[axis - 1])
        self.displacement = _moving(moving)

    def touch(self, centre: Vector, radius: Expr) -> Touch:
        away = tuple(zero if k == self.axis else entry for k, entry in enumerate(centre, 1))
        sign = -1 if self.inside else 1
        apart = self.radius + sign * radius
        normal = scaled(sign / apart, away)
        along = AXES[self.axis - 1]
        return Touch(sign * (dot(away, away) - apart**2) / (2 * apart), normal, (along, cross(along, normal)))


@final
class ParallelSurface(AbstractSupport):
    r"""Any surface, by the equation $F(x, y, z) = 0$ of the parallel surface that the rolling sphere's centre moves on.

    $F$ grows away from the support: ``"z - (x^2 + y^2)/(2*a)"`` for a sphere on the inside of a paraboloid-like cup.
    ``rotating`` is an angular velocity about the origin that maps the surface to itself.
    """

    def __init__(self, equation: Any, *, rotating: Sequence[Any] = NOWHERE, moving: Sequence[Any] = NOWHERE) -> None:
        self.equation = scalar(equation, "the parallel surface")
        self.rotation = vector(rotating, "the surface's angular velocity")
        self.displacement = _moving(moving)

    def touch(self, centre: Vector, radius: Expr) -> Touch:
        places = (symbol("x"), symbol("y"), symbol("z"))
        at = dict(zip(places, centre, strict=True))
        slope = tuple(entry.xreplace(at) for entry in gradient(self.equation, places))
        steepness = symengine.sqrt(dot(slope, slope))
        # Divided by its steepness the gap is a distance, and its multiplier a force.
        return _touch(self.equation.xreplace(at) / steepness, scaled(1 / steepness, slope))


def _touch(gap: Expr, n: Vector) -> Touch:
    share = 1 / (1 + n[2])
    first, second = (add(AXES[i], scaled(-n[i] * share, add(n, AXES[2]))) for i in (0, 1))
    return Touch(gap, n, (first, second))


def _moving(given: Sequence[Any]) -> Vector:
    d = vector(given, "the support's displacement")
    if strange := sorted(s.name for entry in d for s in entry.free_symbols if s.name.endswith("'")):
        raise IllPosedSystem(f"the support's displacement uses {strange[0]}; it may depend on t and parameters only.")
    return d
