r"""Bilimović's system: a rigid body whose axis of rotation is kept in a plane of the body that turns.

.. math:: \omega_2 = f(t)\,\omega_1, \qquad L = \tfrac12(I_1\omega_1^2 + I_2\omega_2^2 + I_3\omega_3^2) .

The constraint depends on time, and yet it is linear and homogeneous in the velocities, so its reaction does no work and the energy $E$
is kept. With a constant $f$ this is Suslov's problem. Always

.. math:: \omega_3 = \sqrt{\frac{2E}{I_3}}\tanh\kappa, \qquad
   \omega_1 = \sqrt{\frac{2E}{I_1 + I_2 f^2}}\,\frac{1}{\cosh\kappa}, \qquad
   \dot\kappa = \sqrt{\frac{2E}{I_3}}\;\frac{(I_1 - I_2)\,f}{I_1 + I_2 f^2}

for $\omega_1 > 0$: a quadrature. If the mean of $\dot\kappa$ over a period of $f$ vanishes, the rates return; otherwise
the body ends up rotating about its third axis.
"""

from __future__ import annotations

from collections.abc import Mapping

from anholonomy.catalogue.entry import Claims, Entry
from anholonomy.catalogue.scenes import pivot_scene
from anholonomy.public.system import System

__all__ = ["bilimovic"]

_SHAPE = {"k": 1.5, "nu": 0.7}


def bilimovic(
    f: str = "k*sin(nu*t)",
    shape: Mapping[str, float | None] = _SHAPE,
    I1: float | None = 3.0,
    I2: float | None = 1.0,
    I3: float | None = 2.0,
) -> System:
    """A body with principal moments of inertia ``I1``, ``I2``, ``I3`` and w2 = f w1; ``f`` is a text in t and ``shape``.

    >>> print(bilimovic().derive("hamel"))
    Bilimović's system: equations of motion by hamel
      w1 = u
      w2 = k*u*sin(nu*t)
      w3 = v
      (I2*k^2*sin(nu*t)^2 + I1)*u' = (-I2*(k*nu*cos(nu*t) - v) - I1*v)*k*u*sin(nu*t)
      I3*v' = (I1 - I2)*k*u^2*sin(nu*t)
    """
    return System(
        name="Bilimović's system",
        group="SO3",
        kinetic=["I1", "I2", "I3"],
        constraints={"plane": f"w2 = ({f})*w1"},
        parameters={"I1": I1, "I2": I2, "I3": I3, **shape},
        span=[["1", f, "0"], ["0", "0", "1"]],
        speeds=["u", "v"],
        scene=pivot_scene(
            {"shape": "ellipsoid", "length": "2/sqrt(I1)", "width": "2/sqrt(I2)", "height": "2/sqrt(I3)"},
            {
                "shape": "polyline",
                "rotation": ["q0", "q1", "q2", "q3"],
                "points": [[f"{side}cos(atan({f}))", f"{side}sin(atan({f}))", "0"] for side in ("-", "")],
            },
        ),
    )


ENTRY = Entry(
    make=bilimovic,
    start={"q0": 1.0, "q1": 0.0, "q2": 0.0, "q3": 0.0, "w1": 1.2, "w3": 0.3},
    until=20.0,
    facts=(
        "w3 = sqrt(2 E / I3) tanh(kappa), w1 = sqrt(2 E / (I1 + I2 f^2)) / cosh(kappa), "
        "kappa' = sqrt(2 E / I3) (I1 - I2) f / (I1 + I2 f^2)",
        "with f = k sin(nu t) the rates have the period 2 pi / nu",
        "with a constant f it tends to a rotation about the third axis",
    ),
    claims=Claims(source="Bilimovitch, C. R. Acad. Sci. Paris 156 (1913)"),
    references=(
        "A. Bilimovitch, Sur les systèmes conservatifs, non holonomes avec des liaisons dépendantes du temps, "
        "C. R. Acad. Sci. Paris 156 (1913)",
        "A. V. Borisov and A. V. Tsiganov, On rheonomic nonholonomic deformations of the Euler equations proposed by "
        "Bilimovich, Theor. Appl. Mech. 47 (2020)",
        "B. Jovanović, Classical relativistic nonholonomic mechanics and time-dependent G-Chaplygin systems "
        "with affine constraints, Remark 3.1",
    ),
)
