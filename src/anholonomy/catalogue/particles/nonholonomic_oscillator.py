r"""The nonholonomic oscillator: two springs, coupled by a constraint alone.

.. math:: L = \tfrac12 m(\dot x^2 + \dot y^2 + \dot z^2) - \tfrac12(k_x x^2 + k_y y^2), \qquad \dot z = y\,\dot x .

$y$ oscillates as if alone, and it sets the clock by which $x$ does: with $d\tau = dt/\sqrt{1 + y^2}$,

.. math:: m\,\ddot y = -k_y y, \qquad m\frac{d^2x}{d\tau^2} = -k_x x ,

so that $\tfrac12(m\dot y^2 + k_y y^2)$ and $\tfrac12(m(1 + y^2)\,\dot x^2 + k_x x^2)$ are both constant. Without the spring
$k_x$ the quantity $\sqrt{1 + y^2}\,\dot x$ itself is constant; $z$ then oscillates, and $x$ drifts at the mean rate
$\tfrac2\pi K(-A^2)\sqrt{1 + y^2}\,\dot x$, where $A$ is the amplitude of $y$ and $K$ Legendre's complete integral by its parameter.
"""

from __future__ import annotations

from anholonomy.catalogue.entry import Claims, Entry
from anholonomy.catalogue.scenes import contact_scene
from anholonomy.public.system import System

__all__ = ["nonholonomic_oscillator"]


def nonholonomic_oscillator(m: float | None = 1.0, kx: float | None = 1.0, ky: float | None = 2.0) -> System:
    """A particle of mass ``m`` on springs ``kx`` and ``ky`` that must obey z' = y x'.

    >>> print(nonholonomic_oscillator().derive("hamel"))
    nonholonomic oscillator: equations of motion by hamel
      x' = u
      y' = v
      z' = u*y
      m*(y^2 + 1)*u' = -m*u*v*y - kx*x
      m*v' = -ky*y
    """
    return System(
        name="nonholonomic oscillator",
        coordinates={"x": "length", "y": "length", "z": "length"},
        lagrangian="m/2*(x'^2 + y'^2 + z'^2) - kx/2*x^2 - ky/2*y^2",
        constraints={"contact": "z' = y*x'"},
        parameters={"m": m, "kx": kx, "ky": ky},
        span=[["1", "0", "y"], ["0", "1", "0"]],
        speeds=["u", "v"],
        scene=contact_scene(
            "y",
            "0",
            {"shape": "rod", "position": ["0", "y", "z"], "to": ["x", "y", "z"]},
            {"shape": "rod", "position": ["x", "0", "z"], "to": ["x", "y", "z"]},
        ),
    )


ENTRY = Entry(
    make=nonholonomic_oscillator,
    start={"x": 0.5, "y": 0.0, "z": 0.0, "x'": 0.9, "y'": 1.6},
    until=40.0,
    facts=(
        "x oscillates harmonically in the time tau, with dtau = dt / sqrt(1 + y^2)",
        "without kx, x drifts at the mean rate (2/pi) K(-A^2) sqrt(1 + y^2) x' for the amplitude A of y, and z is periodic",
    ),
    claims=Claims(
        source="Bates and Cushman, Rep. Math. Phys. 44 (1999); Modin and Verdier, Discrete Contin. Dyn. Syst. 34 (2014)",
        integrals=("m*y'^2 + ky*y^2", "m*(1 + y^2)*x'^2 + kx*x^2"),
        multiplier="1/sqrt(1 + y^2)",
    ),
    references=(
        "L. Bates and R. Cushman, What is a completely integrable nonholonomic dynamical system?, "
        "Rep. Math. Phys. 44 (1999)",
        "K. Modin and O. Verdier, Integrability of nonholonomically coupled oscillators, Discrete Contin. Dyn. Syst. 34 (2014)",
    ),
)
