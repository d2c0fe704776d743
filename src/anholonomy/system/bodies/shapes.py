r"""Convex surfaces of bodies, and the supports that they roll on: planes, balls, bowls, cylinders, or surfaces by an equation.

A surface is known by its support function, a support by its distance from a sphere about a point; where these meet is a contact.
"""

from __future__ import annotations

import abc
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, final

import symengine

from anholonomy.algebra.calculus import gradient, partial
from anholonomy.algebra.expressions import Expr, Vector, dot, symbol, time, zero
from anholonomy.algebra.zero_test import homogeneity, zero_test
from anholonomy.base.errors import DeclarationError, quoted
from anholonomy.base.notebook import Shown
from anholonomy.base.verdict import Verdict
from anholonomy.system.bodies.part import Part
from anholonomy.system.bodies.vectors import (
    AXES,
    ORIGIN,
    add,
    axis_number,
    cross,
    positive,
    scalar,
    scaled,
    size,
    unit,
    vector,
)

__all__ = [
    "AbstractSurface",
    "Convex",
    "Disc",
    "Ellipsoid",
    "Sphere",
    "Torus",
    "AbstractSupport",
    "Ball",
    "Bowl",
    "Cylinder",
    "LevelSurface",
    "ParallelSurface",
    "Plane",
    "Touch",
]


# Convex surfaces of bodies by their support function, $h(u) = \max_{x}\, u\cdot x$ over the body.
#
# .. math:: x(u) = \frac{\partial h}{\partial u}, \qquad h(u) = h_0(u) + r\,|u| + a\cdot u
#
# $x(u)$ is the point whose outward normal is $u$. The part $r|u|$ rounds the surface by a sphere, $a$ shifts it.
# With the normal $n$ of a plane, $\gamma = R^{\mathsf T}n$ in the body, the point of contact is $x(-\gamma)$.


_U = (symbol("g1"), symbol("g2"), symbol("g3"))
"""The names of the normal's components in a user's support function."""


class AbstractSurface(Part):
    """A convex surface. A new one sets ``core``, ``round`` and ``at``."""

    core: Expr
    """$h_0$ in $g_1, g_2, g_3$; homogeneous of degree one."""
    round: Expr
    """The radius $r$ of the rounding."""
    at: Vector
    """Where the surface's centre is, in the body's axes."""
    axis: Vector | None = None
    """The axis of a wheel, in the body's axes."""

    @property
    @final
    def is_sphere(self) -> bool:
        return bool(self.core == 0)

    @property
    @final
    def width(self) -> Expr:
        r"""The sum of the widths along the body's axes, $\sum_k h(e_k) + h(-e_k)$."""
        return symengine.Add(*(self.reach(scaled(s, e)) for e in AXES for s in (1, -1))) + 6 * self.round

    @final
    def reach(self, gamma: Vector) -> Expr:
        r"""$h_0(-\gamma)$."""
        return self.core.xreplace(dict(zip(_U, scaled(-1, gamma), strict=True)))

    @final
    def core_point(self, gamma: Vector) -> Vector:
        r"""$\partial h_0/\partial u$ at $-\gamma$: the contact before the rounding, from the surface's centre."""
        at = dict(zip(_U, scaled(-1, gamma), strict=True))
        return tuple(entry.xreplace(at) for entry in gradient(self.core, _U))


@final
class Sphere(AbstractSurface):
    """A sphere of a radius about ``at``, by default the body's origin."""

    def __init__(self, radius: Any, at: Sequence[Any] = ORIGIN) -> None:
        self.core, self.round = zero, positive(radius, "the sphere's radius", "m")
        self.at = vector(at, "the sphere's centre", "m")


@final
class Disc(AbstractSurface):
    """A thin disc, ring or wheel: a circle about axis 1, 2 or 3 of the body."""

    def __init__(self, radius: Any, axis: int = 3, at: Sequence[Any] = ORIGIN) -> None:
        self.core, self.round = positive(radius, "the disc's radius", "m") * _perpendicular(axis, "the disc"), zero
        self.at, self.axis = vector(at, "the disc's centre", "m"), AXES[axis - 1]


@final
class Torus(AbstractSurface):
    """A ring of a round cross-section: ``tube`` is the radius of the tube, ``radius`` that of the circle in its middle."""

    def __init__(self, radius: Any, tube: Any, axis: int = 3, at: Sequence[Any] = ORIGIN) -> None:
        self.core = size(radius, "the torus's radius", "m") * _perpendicular(axis, "the torus")
        self.round = positive(tube, "the radius of the torus's tube", "m")
        self.at, self.axis = vector(at, "the torus's centre", "m"), AXES[axis - 1]


@final
class Ellipsoid(AbstractSurface):
    """An ellipsoid with semi-axes along the body's axes."""

    def __init__(self, a: Any, b: Any, c: Any, at: Sequence[Any] = ORIGIN) -> None:
        axes = [size(each, "a semi-axis of the ellipsoid", "m") for each in (a, b, c)]
        self.core, self.round = symengine.sqrt(dot([e**2 for e in axes], [u**2 for u in _U])), zero
        self.at = vector(at, "the ellipsoid's centre", "m")


@final
class Convex(AbstractSurface):
    """A convex surface by its support function of the normal ``g1``, ``g2``, ``g3``, homogeneous of degree one.

    ``round`` adds a sphere of that radius all round.

    >>> Convex("sqrt(a^2*g1^2 + g2^2 + g3^2)").is_sphere
    False
    >>> Convex("g1^2")
    Traceback (most recent call last):
    anholonomy.base.errors.DeclarationError: the support function 'g1^2' is not homogeneous of degree one; ... h(k*g) = k*h(g).
    """

    def __init__(self, support: Any, round: Any = 0, at: Sequence[Any] = ORIGIN) -> None:
        self.core = scalar(support, "the support function")
        if homogeneity(self.core, _U) is Verdict.REFUTED:
            raise DeclarationError(
                f"the support function {support!r} is not homogeneous of degree one; write it so that h(k*g) = k*h(g)."
            )
        self.round = scalar(round, "the radius of the rounding", "m")
        self.at = vector(at, "the surface's centre", "m")


def _perpendicular(axis: int, what: str) -> Expr:
    """The part of the normal that is perpendicular to an axis of the body."""
    return symengine.sqrt(symengine.Add(*(u**2 for k, u in enumerate(_U, 1) if k != axis_number(axis, what))))


# What bodies roll on.
#
# .. math:: g = n\cdot c - r \ \text{(plane)}, \qquad g = F(c),\quad n = \frac{\nabla F}{|\nabla F|} \ \text{(a sphere's centre $c$)},
#    \qquad u = \dot d + \Omega\times(x - d)
#
# $g$ is zero in contact, $n$ the unit normal from the support to the body, $u$ the velocity of the support at the point $x$
# when its origin is displaced by $d(t)$ and it turns with $\Omega$ about that origin in a way that maps it to itself.
# A point is a sphere of radius 0, so the same answers say whether a point lies on the support and what the normal is there.
# A smooth tangent basis exists on all of a sphere but one point, the pole $a$, by default where the support is overhead,
# $n = -e_3$; with $b_1, b_2, -a$ orthonormal,
#
# .. math:: t_i = b_i - \frac{n\cdot b_i}{1 - n\cdot a}\,(n - a), \qquad i = 1, 2 .


_DOWN: Vector = (zero, zero, -AXES[2][2])
_PLACE = (symbol("x"), symbol("y"), symbol("z"))
"""The names of a point's coordinates in a user's equation of a surface."""


@final
@dataclass(frozen=True)
class Touch(Shown):
    """A contact: the gap that must vanish, the unit normal towards the body, and two tangents."""

    gap: Expr
    normal: Vector
    tangents: tuple[Vector, Vector]


class AbstractSupport(Part):
    """A support. A new one sets how it moves and answers where it is touched."""

    displacement: Vector
    rotation: Vector
    takes_points: ClassVar[bool] = True
    """Whether it can say where a point lies on it, which is what a body of any shape needs."""
    takes_spheres: ClassVar[bool] = True
    """Whether a sphere's distance has a closed form, so that its point of contact need not be sought."""

    @property
    def shape(self) -> Vector:
        """What its shape depends on."""
        return ()

    def room(self, radius: Expr) -> dict[str, Expr]:
        """By name, the lengths that must be positive for a sphere of a radius to touch it."""
        return {}

    @abc.abstractmethod
    def touch(self, centre: Vector, radius: Expr) -> Touch:
        """The contact with a sphere about ``centre``, as seen from the support's origin."""

    @final
    def velocity(self, point: Vector) -> Vector:
        r"""$\dot d + \Omega\times(x - d)$, with $x - d$ given."""
        moving = tuple(partial(d, time) for d in self.displacement)
        return moving if self.rotation == ORIGIN else add(moving, cross(self.rotation, point))


@final
class Plane(AbstractSupport):
    """A plane through the origin: level, or falling by ``slope`` along x, or with a ``normal``.

    ``rotating`` is its angular speed about the normal through its origin, ``moving`` the displacement of that origin as
    a function of ``t``; the slope or normal may depend on ``t``, too.

    >>> Plane(slope="alpha").normal
    (sin(alpha), 0, cos(alpha))
    """

    def __init__(
        self,
        *,
        slope: Any = None,
        normal: Sequence[Any] | None = None,
        rotating: Any = 0,
        moving: Sequence[Any] = ORIGIN,
    ) -> None:
        if slope is not None and normal is not None:
            raise DeclarationError("a plane has either a `slope` or a `normal`; give one of them.")
        self.normal: Vector = AXES[2] if normal is None else unit(normal, "the plane's normal")
        if slope is not None:
            alpha = scalar(slope, "the plane's slope", "")
            self.normal = (symengine.sin(alpha), zero, symengine.cos(alpha))
        # A normal that moves in time turns the plane by n × n' as well; its points move along the normal then, not beside it.
        self.rotation = scaled(scalar(rotating, "the plane's angular speed", "1/s"), self.normal)
        self.displacement = _moving(moving)

    @property
    def tangents(self) -> tuple[Vector, Vector]:
        """Two fixed tangents: down the slope and across it; they need not be unit vectors."""
        return _across(self.normal)

    def touch(self, centre: Vector, radius: Expr) -> Touch:
        return Touch(dot(self.normal, centre) - radius, self.normal, self.tangents)


class _Spherical(AbstractSupport):
    """A sphere about the origin, touched from one side.

    ``rotating`` is its angular velocity, a vector, ``moving`` a displacement in time, ``pole`` the normal at which the
    tangents fail.
    """

    _outwards: ClassVar[int]

    @final
    def __init__(
        self,
        radius: Any,
        *,
        rotating: Sequence[Any] = ORIGIN,
        moving: Sequence[Any] = ORIGIN,
        pole: Sequence[Any] = _DOWN,
    ) -> None:
        what = type(self).__name__.lower()
        self.radius = positive(radius, f"the {what}'s radius", "m")
        self.rotation = vector(rotating, f"the {what}'s angular velocity", "1/s")
        self.displacement, self.pole = _moving(moving), unit(pole, f"the {what}'s pole")

    @property
    @final
    def shape(self) -> Vector:
        return (self.radius, *self.pole)

    @final
    def room(self, radius: Expr) -> dict[str, Expr]:
        return {"the bowl's radius less that of the body in it": self.radius + self._outwards * radius}

    @final
    def touch(self, centre: Vector, radius: Expr) -> Touch:
        s = self._outwards
        ((what, gap),) = self.room(radius).items()
        apart = positive(gap, what)
        return _touch(s * (dot(centre, centre) - apart**2) / (2 * apart), scaled(s / apart, centre), self.pole)


@final
class Ball(_Spherical):
    """The outside of a sphere about the origin.

    ``rotating`` is its angular velocity, a vector, ``moving`` a displacement in time, ``pole`` the normal at which the
    tangents fail, by default straight down.
    """

    _outwards = 1


@final
class Bowl(_Spherical):
    """The inside of a sphere about the origin.

    ``rotating`` is its angular velocity, a vector, ``moving`` a displacement in time, ``pole`` the normal at which the
    tangents fail, by default straight down: where the bowl is overhead.
    """

    _outwards = -1


@final
class Cylinder(AbstractSupport):
    """A round cylinder about axis 1, 2 or 3 of space, touched from inside, or from outside with ``inside=False``.

    ``rotating`` is its angular speed about the axis, ``moving`` a displacement in time.
    """

    def __init__(
        self, radius: Any, axis: int = 3, *, inside: bool = True, rotating: Any = 0, moving: Sequence[Any] = ORIGIN
    ) -> None:
        if not isinstance(inside, bool):
            raise DeclarationError(f"the cylinder has inside={quoted(inside)}; say True or False.")
        axis = axis_number(axis, "the cylinder")
        self.radius, self.axis, self.inside = positive(radius, "the cylinder's radius", "m"), axis, inside
        self.rotation = scaled(scalar(rotating, "the cylinder's angular speed", "1/s"), AXES[axis - 1])
        self.displacement = _moving(moving)

    @property
    def shape(self) -> Vector:
        return (self.radius,)

    def room(self, radius: Expr) -> dict[str, Expr]:
        return {"the cylinder's radius less that of the body in it": self.radius + self._sign * radius}

    @property
    def _sign(self) -> int:
        return -1 if self.inside else 1

    def touch(self, centre: Vector, radius: Expr) -> Touch:
        away = tuple(zero if k == self.axis else entry for k, entry in enumerate(centre, 1))
        sign = self._sign
        ((what, gap),) = self.room(radius).items()
        apart = positive(gap, what)
        normal = scaled(sign / apart, away)
        along = AXES[self.axis - 1]
        return Touch(sign * (dot(away, away) - apart**2) / (2 * apart), normal, (along, cross(along, normal)))


class _Implicit(AbstractSupport):
    """A surface $F(x, y, z) = 0$, with $F$ growing towards the body."""

    @final
    def __init__(
        self,
        equation: Any,
        *,
        rotating: Sequence[Any] = ORIGIN,
        moving: Sequence[Any] = ORIGIN,
        pole: Sequence[Any] = _DOWN,
    ) -> None:
        self.equation = scalar(equation, "the equation of the surface")
        if time in self.equation.free_symbols:
            raise DeclarationError("the equation of a surface uses t; say how it moves with `moving` and `rotating`.")
        if not self.equation.free_symbols & set(_PLACE):
            raise DeclarationError(
                f"the surface {equation!r} has no x, y or z in it; give F(x, y, z), zero on the surface."
            )
        self.rotation = vector(rotating, "the surface's angular velocity", "1/s")
        self.displacement, self.pole = _moving(moving), unit(pole, "the surface's pole")
        self._slope = gradient(self.equation, _PLACE)
        drift = dot(self._slope, cross(self.rotation, _PLACE))
        if self.rotation != ORIGIN and zero_test(drift) is Verdict.REFUTED:
            raise DeclarationError(
                f"the rotation does not map the surface {equation!r} to itself; turn it about its axis."
            )

    @property
    @final
    def shape(self) -> Vector:
        return tuple(s for s in self.equation.free_symbols if s not in _PLACE) + self.pole

    @final
    def touch(self, centre: Vector, radius: Expr) -> Touch:
        at = dict(zip(_PLACE, centre, strict=True))
        slope = tuple(entry.xreplace(at) for entry in self._slope)
        steepness = symengine.sqrt(dot(slope, slope))
        # Divided by its steepness the gap is a distance, and its multiplier a force.
        return _touch(self.equation.xreplace(at) / steepness, scaled(1 / steepness, slope), self.pole)


@final
class LevelSurface(_Implicit):
    r"""Any surface, by its equation $F(x, y, z) = 0$; $F$ grows towards the body.

    ``"z - (x^2 + y^2)/(2*a)"`` is a paraboloid's inside, ``"z - a*sin(x)"`` waves. ``rotating`` is an angular velocity
    about the origin that maps the surface to itself, ``moving`` a displacement in time, ``pole`` the normal at which the
    tangents fail, by default straight down.
    """

    takes_spheres = False


@final
class ParallelSurface(_Implicit):
    r"""Any surface for one sphere, by the equation $F(x, y, z) = 0$ of the parallel surface that its centre moves on.

    The words are those of `LevelSurface`; the point of contact needs no coordinates here.
    """

    takes_points = False


def _across(n: Vector) -> tuple[Vector, Vector]:
    """Two directions across another, simple ones rather than unit vectors."""
    if n[0] == n[2] == 0:  # along y
        return AXES[0], AXES[2]
    first = AXES[0] if n[0] == n[1] == 0 else (n[2], zero, -n[0])
    return first, AXES[1] if n[1] == 0 else cross(n, first)


def _touch(gap: Expr, n: Vector, pole: Vector) -> Touch:
    back = scaled(-1, pole)
    if zero_test(1 + dot(n, back)) is Verdict.PROVEN:
        raise DeclarationError("the normal of a support is its pole everywhere; give it another `pole`.")
    share = 1 / (1 + dot(n, back))
    basis = (unit(b, "a tangent at the pole") for b in _across(pole))
    first, second = (add(b, scaled(-dot(n, b) * share, add(n, back))) for b in basis)
    return Touch(gap, n, (first, second))


def _moving(given: Sequence[Any]) -> Vector:
    d = vector(given, "the support's displacement", "m")
    if strange := sorted(s.name for entry in d for s in entry.free_symbols if s.name.endswith("'")):
        raise DeclarationError(f"the support's displacement uses {strange[0]}; it may depend on t and parameters only.")
    return d
