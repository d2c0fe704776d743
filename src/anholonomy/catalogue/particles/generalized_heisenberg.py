r"""The generalized Heisenberg system: a particle on any surface, whose height records an area.

.. math:: \dot z = y\,\dot x - x\,\dot y, \qquad
   L = \tfrac12\left(f\,\dot x^2 + g\,\dot x\dot y + h\,\dot y^2 + \Phi\,\gamma^2\right) - U, \qquad
   \gamma = \dot z - y\,\dot x + x\,\dot y ,

with $f$, $g$, $h$ and the potential $U$ functions of $x$ and $y$ alone, and $\Phi(x, y, z)$ any function. Since
$\partial_z$ commutes with the admissible fields, is orthogonal to them and moves neither $U$ nor the energy on them, the constraint needs
no force. The shadow $(x, y)$ moves as a particle on the surface with metric $(f, g/2, h)$, and the height follows from
the area that it sweeps about the origin, $z = z_0 - 2A$.
"""

from __future__ import annotations

from collections.abc import Mapping

from anholonomy.catalogue.entry import Claims, Entry
from anholonomy.catalogue.scenes import contact_scene
from anholonomy.public.system import System

__all__ = ["generalized_heisenberg"]

_SHAPE = {"m": 1.0, "a": 0.5, "k": 2.0}


def generalized_heisenberg(
    f: str = "m + a*x^2",
    g: str = "a*x*y",
    h: str = "m + a*y^2",
    Phi: str = "m*(1 + z^2 + x^2)",
    U: str = "k/2*(x^2 + y^2)",
    shape: Mapping[str, float | None] = _SHAPE,
) -> System:
    """A particle with z' = y x' - x y'; ``f``, ``g``, ``h`` and ``U`` are texts in x and y, ``Phi`` also in z.

    ``shape`` holds the parameters that the texts use.

    >>> print(generalized_heisenberg("m", "0", "m", "m", "k/2*(x^2 + y^2)", {"m": 1.0, "k": 2.0}).derive("hamel"))
    generalized Heisenberg system: equations of motion by hamel
      x' = u
      y' = v
      z' = u*y - v*x
      m*u' = -k*x
      m*v' = -k*y
    """
    metric = f"({f})*x'^2 + ({g})*x'*y' + ({h})*y'^2 + ({Phi})*(z' - y*x' + x*y')^2"
    return System(
        name="generalized Heisenberg system",
        coordinates={"x": "length", "y": "length", "z": "length"},
        lagrangian=f"({metric})/2 - ({U})",
        constraints={"area": "z' = y*x' - x*y'"},
        parameters=dict(shape),
        span=[["1", "0", "y"], ["0", "1", "-x"]],
        speeds=["u", "v"],
        scene=contact_scene("y", "-x"),
    )


ENTRY = Entry(
    make=generalized_heisenberg,
    start={"x": 1.0, "y": 0.0, "z": 0.0, "x'": 0.3, "y'": 0.9},
    until=15.0,
    facts=(
        "every motion is one of the system without the constraint",
        "the shadow moves as a particle on a surface, and the height changes by minus twice the area that it sweeps",
        "as an isotropic oscillator it loses in each turn twice the area of an ellipse",
        "a potential that depends on the height needs a reaction",
    ),
    claims=Claims(
        source="Jóźwikowski and Respondek, A comparison of vakonomic and nonholonomic variational problems, Example 4.7",
        multiplier="1",
    ),
    references=(
        "M. Jóźwikowski and W. Respondek, A comparison of vakonomic and nonholonomic variational problems with "
        "applications to systems on Lie groups, Examples 4.7 and 4.11",
    ),
)
