r"""Benenti's system: two heavy particles in a vertical plane whose velocities stay parallel.

.. math:: \dot x_1 \dot y_2 = \dot x_2 \dot y_1, \qquad L = \tfrac12 m_1 (\dot x_1^2 + \dot y_1^2)
   + \tfrac12 m_2 (\dot x_2^2 + \dot y_2^2) - m_1 g y_1 - m_2 g y_2 .

By Chetaev's rule the reactions are perpendicular to the common direction $\vartheta$ of the velocities, and they do no work
on either particle. With $v_i$ the speeds along that direction, of either sign,

.. math:: \dot v_1 = \dot v_2 = -g\sin\vartheta, \qquad
   (m_1 v_1^2 + m_2 v_2^2)\,\dot\vartheta = -(m_1 v_1 + m_2 v_2)\,g\cos\vartheta ,

so that $v_1 - v_2$, each particle's energy, and $m_1\dot x_1^2 + m_2\dot x_2^2$ are constant. Without gravity both fly straight on.
The constraint is singular where both particles are at rest.
"""

from __future__ import annotations

from typing import Any

from anholonomy.catalogue.entry import Claims, Entry
from anholonomy.public.system import System

__all__ = ["benenti"]


def benenti(m1: float | None = 1.0, m2: float | None = 2.0, g: float | None = 9.81) -> System:
    """Particles of mass ``m1`` and ``m2`` with parallel velocities.

    >>> print(benenti().derive("lagrange-dalembert"))
    particles with parallel velocities: equations of motion by lagrange-dalembert
      m1*x1'' = lambda1*y2'
      m1*y1'' = -lambda1*x2' - g*m1
      m2*x2'' = -lambda1*y1'
      m2*y2'' = lambda1*x1' - g*m2
      x1''*y2' + x1'*y2'' - x2''*y1' - x2'*y1'' = 0
    """
    return System(
        name="particles with parallel velocities",
        coordinates={"x1": "length", "y1": "length", "x2": "length", "y2": "length"},
        lagrangian="m1/2*(x1'^2 + y1'^2) + m2/2*(x2'^2 + y2'^2) - m1*g*y1 - m2*g*y2",
        constraints={"parallel": "x1'*y2' = x2'*y1'"},
        parameters={"m1": m1, "m2": m2, "g": g},
        scene=[shape for k, colour in ((1, "body"), (2, "second")) for shape in _particle(k, colour)],
    )


def _particle(k: int, colour: str) -> list[dict[str, Any]]:
    """A particle of the vertical plane and its velocity."""
    place, tip = [f"x{k}", "0", f"y{k}"], [f"x{k} + x{k}'/4", "0", f"y{k} + y{k}'/4"]
    return [
        {"shape": "sphere", "position": place, "colour": colour, "trail": True},
        {"shape": "arrow", "position": place, "to": tip},
    ]


ENTRY = Entry(
    make=benenti,
    start={"x1": 0.0, "y1": 0.0, "x2": 1.0, "y2": 0.0, "x1'": 6.0, "y1'": 6.0, "x2'": 2.0, "y2'": 2.0},
    until=2.0,
    facts=("without gravity both particles fly straight on",),
    claims=Claims(
        source="Benenti, SIGMA 3 (2007), 036",
        integrals=("m1*(x1'^2 + y1'^2)/2 + m1*g*y1", "m2*(x2'^2 + y2'^2)/2 + m2*g*y2", "m1*x1'^2 + m2*x2'^2"),
        beyond=("sqrt(x1'^2 + y1'^2) - sqrt(x2'^2 + y2'^2)",),
    ),
    references=(
        "S. Benenti, A 'user-friendly' approach to the dynamical equations of non-holonomic systems, SIGMA 3 (2007), 036",
    ),
)
