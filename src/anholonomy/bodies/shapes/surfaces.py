r"""Convex surfaces of bodies by their support function, $h(u) = \max_{x}\, u\cdot x$ over the body.

.. math:: x(u) = \frac{\partial h}{\partial u}, \qquad h(u) = h_0(u) + r\,|u| + a\cdot u

$x(u)$ is the point whose outward normal is $u$. The part $r|u|$ rounds the surface by a sphere, $a$ shifts it.
With the normal $n$ of a plane, $\gamma = R^{\mathsf T}n$ in the body, the point of contact is $x(-\gamma)$.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

import symengine

from anholonomy.bodies.parts import Part
from anholonomy.bodies.vectors import AXES, ORIGIN, axis_number, positive, scalar, scaled, size, vector
from anholonomy.refusals import IllPosedSystem
from anholonomy.symbolic.calculus import gradient
from anholonomy.symbolic.expressions import Expr, Vector, dot, symbol, zero
from anholonomy.symbolic.homogeneity import homogeneity
from anholonomy.verdict import Verdict

__all__ = ["AbstractSurface", "Convex", "Disc", "Ellipsoid", "Sphere", "Torus"]

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
    anholonomy.refusals.IllPosedSystem: the support function 'g1^2' is not homogeneous of degree one; ... h(k*g) = k*h(g).
    """

    def __init__(self, support: Any, round: Any = 0, at: Sequence[Any] = ORIGIN) -> None:
        self.core = scalar(support, "the support function")
        if homogeneity(self.core, _U) is Verdict.REFUTED:
            raise IllPosedSystem(
                f"the support function {support!r} is not homogeneous of degree one; write it so that h(k*g) = k*h(g)."
            )
        self.round = scalar(round, "the radius of the rounding", "m")
        self.at = vector(at, "the surface's centre", "m")


def _perpendicular(axis: int, what: str) -> Expr:
    """The part of the normal that is perpendicular to an axis of the body."""
    return symengine.sqrt(symengine.Add(*(u**2 for k, u in enumerate(_U, 1) if k != axis_number(axis, what))))
