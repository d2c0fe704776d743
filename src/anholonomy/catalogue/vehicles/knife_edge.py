r"""The knife edge on an inclined plane: it spins, and does not slide down.

The $x$ axis points down the slope of angle $\alpha$; the edge at $(x, y)$ has heading $\varphi$ and moves along it with speed
$u$. The constraint is written with sine and cosine, so that no heading is special:

.. math:: \dot u = g \sin\alpha \cos\varphi, \qquad \ddot\varphi = 0, \qquad
   \sin\varphi\,\dot x = \cos\varphi\,\dot y .

Started at the origin with $\varphi = 0$, $\dot\varphi = \omega \neq 0$ and speed $u_0$,

.. math:: x = \frac{u_0}{\omega}\sin\varphi + \frac{g\sin\alpha}{2\omega^2}\sin^2\varphi, \qquad
   y = \frac{u_0}{\omega}(1 - \cos\varphi) + \frac{g\sin\alpha}{2\omega^2}(\varphi - \sin\varphi\cos\varphi) :

the height stays bounded, and the edge drifts sideways at the mean velocity $g\sin\alpha/2\omega$.
"""

from __future__ import annotations

from anholonomy.catalogue.entry import Claims, Entry
from anholonomy.public.system import System

__all__ = ["knife_edge"]


def knife_edge(
    m: float | None = 1.0, I: float | None = 0.4, g: float | None = 9.81, alpha: float | None = 0.3
) -> System:
    """A blade of mass ``m``, with moment of inertia ``I`` about the normal of a plane inclined by ``alpha``.

    >>> print(knife_edge().derive("hamel"))
    knife edge on an inclined plane: equations of motion by hamel
      x' = u*cos(phi)
      y' = u*sin(phi)
      phi' = omega
      m*u' = g*m*cos(phi)*sin(alpha)
      I*omega' = 0
    """
    return System(
        name="knife edge on an inclined plane",
        coordinates={"x": "length", "y": "length", "phi": "angle"},
        lagrangian="m/2*(x'^2 + y'^2) + I/2*phi'^2 + m*g*x*sin(alpha)",
        constraints={"edge": "sin(phi)*x' = cos(phi)*y'"},
        parameters={"m": m, "I": I, "g": g, "alpha": alpha},
        span=[["cos(phi)", "sin(phi)", "0"], ["0", "0", "1"]],
        speeds=["u", "omega"],
        scene=[
            {"shape": "plane", "rotation": [["y", "alpha"]]},
            {"shape": "blade", "position": ["x*cos(alpha)", "y", "-x*sin(alpha)"],
             "rotation": [["y", "alpha"], ["z", "phi"]], "length": "2*sqrt(I/m)", "height": "0.6*sqrt(I/m)", "trail": True},
        ],
    )  # fmt: skip


ENTRY = Entry(
    make=knife_edge,
    start={"x": 0.0, "y": 0.0, "phi": 0.0, "x'": 0.5, "phi'": 1.2},
    until=20.0,
    facts=(
        "for phi' != 0 the height stays bounded",
        "the mean drift is horizontal, at g sin(alpha) / (2 phi')",
    ),
    claims=Claims(
        source="Fernandez and Bloch, J. Math. Phys. 52 (2011), sec. 5.3",
        integrals=("energy", "phi'", "(x'*cos(phi) + y'*sin(phi))*phi' - g*sin(alpha)*sin(phi)"),
        measure=("1", "dx dy dphi du domega"),
        multiplier="cos(phi)",
    ),
    references=(
        "Ju. I. Neimark and N. A. Fufaev, Dynamics of Nonholonomic Systems, 1972",
        "A. M. Bloch, Nonholonomic Mechanics and Control, ch. 1",
        "O. E. Fernandez and A. M. Bloch, The Weitzenböck connection and time reparameterization in "
        "nonholonomic mechanics, J. Math. Phys. 52 (2011), sec. 5.3",
    ),
)
