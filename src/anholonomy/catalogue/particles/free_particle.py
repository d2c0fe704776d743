r"""The nonholonomic free particle: no force, one non-integrable constraint.

.. math:: L = \tfrac12(\dot x^2 + \dot y^2 + \dot z^2), \qquad \dot z + x\,\dot y = 0 .

Two momenta are conserved, $\dot x$ and $\sqrt{1 + x^2}\,\dot y$. From $x = y = z = 0$ with $\dot x = \alpha \neq 0$ and
$\dot y = \beta$,

.. math:: x = \alpha t, \qquad y = \frac{\beta}{\alpha}\operatorname{asinh} x, \qquad
   z = \frac{\beta}{\alpha}\left(1 - \sqrt{1 + x^2}\right) .
"""

from __future__ import annotations

from anholonomy.catalogue.entry import Claims, Entry
from anholonomy.catalogue.scenes import contact_scene
from anholonomy.public.system import System

__all__ = ["free_particle"]


def free_particle(m: float | None = 1.0) -> System:
    """A particle of mass ``m`` in space that must obey z' = -x y'.

    >>> print(free_particle().derive("hamel"))
    nonholonomic free particle: equations of motion by hamel
      x' = u
      y' = v
      z' = -v*x
      m*u' = 0
      m*(x^2 + 1)*v' = -m*u*v*x
    """
    return System(
        name="nonholonomic free particle",
        coordinates={"x": "length", "y": "length", "z": "length"},
        lagrangian="m/2*(x'^2 + y'^2 + z'^2)",
        constraints={"contact": "z' + x*y' = 0"},
        parameters={"m": m},
        span=[["1", "0", "0"], ["0", "1", "-x"]],
        speeds=["u", "v"],
        scene=contact_scene("0", "-x"),
    )


ENTRY = Entry(
    make=free_particle,
    start={"x": 0.0, "y": 0.0, "z": 0.0, "x'": 0.7, "y'": 1.3},
    until=10.0,
    facts=("y = (y'(0)/x'(0)) asinh(x) for a start at the origin",),
    claims=Claims(
        source="Rosenberg, Analytical Dynamics, 1977; Fernandez and Bloch, J. Math. Phys. 52 (2011), sec. 5.2",
        integrals=("x'", "sqrt(1 + x^2)*y'"),
        measure=("sqrt(1 + x^2)", "dx dy dz du dv"),
        multiplier="1/sqrt(1 + x^2)",
    ),
    references=(
        "R. M. Rosenberg, Analytical Dynamics of Discrete Systems, 1977",
        "A. M. Bloch, Nonholonomic Mechanics and Control, ch. 5",
        "O. E. Fernandez and A. M. Bloch, The Weitzenböck connection and time reparameterization in "
        "nonholonomic mechanics, J. Math. Phys. 52 (2011), sec. 5.2",
    ),
)
