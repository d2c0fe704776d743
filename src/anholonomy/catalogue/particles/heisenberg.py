r"""The Heisenberg system: a particle whose height records the area that its shadow sweeps.

.. math:: \dot z = y\,\dot x - x\,\dot y, \qquad
   L = \tfrac12 m(\dot x^2 + \dot y^2) + \tfrac12 c\,(\dot z - y\,\dot x + x\,\dot y)^2 .

The admissible fields $e_1 = \partial_x + y\,\partial_z$ and $e_2 = \partial_y - x\,\partial_z$ with $[e_1, e_2] = -2\,\partial_z$ are a
frame of the Heisenberg group, in which the kinetic energy is constant. The constraint needs no force: motions are straight lines,

.. math:: \ddot x = \ddot y = \ddot z = 0 ,

the same as without the constraint. The shortest admissible curves are others: they are the extremals of
$L + \mu(\dot z - y\dot x + x\dot y)$, whose shadows are circles of radius $m v/2|\mu|$.
"""

from __future__ import annotations

from anholonomy.catalogue.entry import Claims, Entry
from anholonomy.catalogue.scenes import contact_scene
from anholonomy.public.system import System

__all__ = ["heisenberg"]


def heisenberg(m: float | None = 1.0, c: float | None = 1.0) -> System:
    """A particle of mass ``m`` with z' = y x' - x y'; ``c`` is the inertia across the constraint, which does not matter.

    >>> print(heisenberg().derive("hamel"))
    Heisenberg system: equations of motion by hamel
      x' = u
      y' = v
      z' = u*y - v*x
      m*u' = 0
      m*v' = 0
    """
    return System(
        name="Heisenberg system",
        coordinates={"x": "length", "y": "length", "z": "length"},
        lagrangian="m/2*(x'^2 + y'^2) + c/2*(z' - y*x' + x*y')^2",
        constraints={"area": "z' = y*x' - x*y'"},
        parameters={"m": m, "c": c},
        span=[["1", "0", "y"], ["0", "1", "-x"]],
        speeds=["u", "v"],
        scene=contact_scene("y", "-x"),
    )


ENTRY = Entry(
    make=heisenberg,
    start={"x": 1.0, "y": -0.5, "z": 0.0, "x'": 0.4, "y'": 0.7},
    until=10.0,
    facts=(
        "motions are straight lines, run through at constant speed, as without the constraint",
        "the growth vector is (2, 3) everywhere, with [e1, e2] = -2 d/dz",
        "vakonomic motions with the multiplier mu have circles of radius m v / (2 |mu|) as shadows",
    ),
    claims=Claims(
        source="Jóźwikowski and Respondek, A comparison of vakonomic and nonholonomic variational problems, Example 4.4",
        integrals=("x'", "y'", "x*y' - y*x'"),
        multiplier="1",
    ),
    references=(
        "M. Jóźwikowski and W. Respondek, A comparison of vakonomic and nonholonomic variational problems with "
        "applications to systems on Lie groups, Example 4.4",
        "R. W. Brockett, Control theory and singular Riemannian geometry, in New Directions in Applied Mathematics, 1982",
        "R. Montgomery, A Tour of Subriemannian Geometries, Their Geodesics and Applications, 2002",
    ),
)
