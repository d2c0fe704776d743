r"""The Engel particle: two constraints on four coordinates, of which each makes the next.

.. math:: L = \tfrac12 m(\dot x^2 + \dot y^2 + \dot z^2 + \dot w^2), \qquad \dot z = y\,\dot x, \quad \dot w = z\,\dot x .

The admissible directions $X_1 = \partial_x + y\,\partial_z + z\,\partial_w$ and $X_2 = \partial_y$ reach everything in two steps of brackets,
$[X_2, X_1] = \partial_z$ and $[\partial_z, X_1] = \partial_w$, at every point: the growth vector is $(2, 3, 4)$. Free motion keeps

.. math:: \dot y \qquad\text{and}\qquad \sqrt{1 + y^2 + z^2}\;\dot x .

With $\dot y = 0$ the path is a parabola: $z - z_0 = y\,x$ and $w = z_0 x + \tfrac12 y\,x^2$.
"""

from __future__ import annotations

from anholonomy.catalogue.entry import Claims, Entry
from anholonomy.catalogue.scenes import contact_scene
from anholonomy.public.system import System

__all__ = ["engel"]


def engel(m: float | None = 1.0) -> System:
    """A particle of mass ``m`` in four dimensions that must obey z' = y x' and w' = z x'.

    >>> print(engel().derive("hamel"))
    Engel particle: equations of motion by hamel
      x' = u
      y' = v
      z' = u*y
      w' = u*z
      m*(y^2 + z^2 + 1)*u' = -m*u*(u*z + v)*y
      m*v' = 0
    """
    return System(
        name="Engel particle",
        coordinates={"x": "length", "y": "length", "z": "length", "w": "length"},
        lagrangian="m/2*(x'^2 + y'^2 + z'^2 + w'^2)",
        constraints={"first": "z' = y*x'", "second": "w' = z*x'"},
        parameters={"m": m},
        span=[["1", "0", "y", "z"], ["0", "1", "0", "0"]],
        speeds=["u", "v"],
        scene=contact_scene("y", "0"),
    )


ENTRY = Entry(
    make=engel,
    start={"x": 0.0, "y": -1.5, "z": 0.5, "w": 0.0, "x'": 0.8, "y'": 0.4},
    until=10.0,
    facts=(
        "the growth vector is (2, 3, 4) everywhere",
        "with y' = 0 the path is the parabola z = z0 + y x, w = z0 x + y x^2 / 2",
    ),
    claims=Claims(
        source="Montgomery, A Tour of Subriemannian Geometries, 2002", integrals=("y'", "sqrt(1 + y^2 + z^2)*x'")
    ),
    references=("R. Montgomery, A Tour of Subriemannian Geometries, Their Geodesics and Applications, 2002",),
)
