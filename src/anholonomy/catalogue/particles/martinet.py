r"""The Martinet particle: a constraint that touches being integrable on a plane.

.. math:: L = \tfrac12 m(\dot x^2 + \dot y^2 + \dot z^2), \qquad \dot z = \tfrac12 y^2\,\dot x .

Brackets of the admissible directions $X_1 = \partial_x + \tfrac12 y^2\,\partial_z$ and $X_2 = \partial_y$ give $[X_2, X_1] = y\,\partial_z$, and on the
plane $y = 0$ only the next ones leave the distribution. Nothing happens to the motion there:
$\dot y$ and $\sqrt{1 + y^4/4}\,\dot x$ are constant. From $y = 0$ with $\dot x = \alpha$ and $\dot y = \beta > 0$,

.. math:: x = \frac{\alpha}{\sqrt2\,\beta}\, F\!\left(2\arctan\frac{y}{\sqrt2}\,\Big|\,\tfrac12\right), \qquad y = \beta t ,

with Legendre's integral of the first kind, so that $x$ stays bounded while $y$ and $z$ run away.
"""

from __future__ import annotations

from anholonomy.catalogue.entry import Claims, Entry
from anholonomy.catalogue.scenes import contact_scene
from anholonomy.public.system import System

__all__ = ["martinet"]


def martinet(m: float | None = 1.0) -> System:
    """A particle of mass ``m`` in space that must obey z' = y^2 x' / 2.

    >>> print(martinet().derive("hamel"))
    Martinet particle: equations of motion by hamel
      x' = u
      y' = v
      z' = u*y^2/2
      m*(y^4/4 + 1)*u' = -m*u*v*y^3/2
      m*v' = 0
    """
    return System(
        name="Martinet particle",
        coordinates={"x": "length", "y": "length", "z": "length"},
        lagrangian="m/2*(x'^2 + y'^2 + z'^2)",
        constraints={"flat": "z' = y^2*x'/2"},
        parameters={"m": m},
        span=[["1", "0", "y^2/2"], ["0", "1", "0"]],
        speeds=["u", "v"],
        scene=contact_scene("y^2/2", "0"),
    )


ENTRY = Entry(
    make=martinet,
    start={"x": 0.0, "y": -2.0, "z": 0.0, "x'": 0.6, "y'": 0.5},
    until=10.0,
    facts=(
        "the growth vector is (2, 3), but (2, 2, 3) on the plane y = 0",
        "x = (x'(0) / (sqrt(2) y'(0))) F(2 atan(y / sqrt(2)) | 1/2) for a start at the origin",
        "from end to end x changes by 2 sqrt(2) K(1/2) times the slope x'/y' at y = 0, while y and z run away",
    ),
    claims=Claims(
        source="Montgomery, A Tour of Subriemannian Geometries, 2002", integrals=("y'", "sqrt(1 + y^4/4)*x'")
    ),
    references=(
        "J. Martinet, Sur les singularités des formes différentielles, Ann. Inst. Fourier 20 (1970)",
        "R. Montgomery, A Tour of Subriemannian Geometries, Their Geodesics and Applications, 2002",
    ),
)
