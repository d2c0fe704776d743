r"""Veselova's system: a body turns about a fixed point, but not about one axis of space.

.. math:: w\cdot\gamma = 0, \qquad I\dot w = Iw\times w + \lambda\gamma, \qquad \dot\gamma = \gamma\times w

with $\gamma = R^{\mathsf T}e_3$ that axis in the body. The reaction is along it, so the horizontal components of the angular
momentum $RIw$ are constant in space; with the energy, and the invariant measure $\sqrt{\gamma\cdot I^{-1}\gamma}\;dw\,d\gamma$, the system
is integrable. Suslov's problem is the same with the axis fixed in the body, and is not.
"""

from __future__ import annotations

from anholonomy.catalogue.entry import Claims, Entry
from anholonomy.catalogue.scenes import pivot_scene
from anholonomy.catalogue.turning_bodies import in_space, of_the_vertical
from anholonomy.public.system import System

__all__ = ["veselova"]


def veselova(I1: float | None = 1.0, I2: float | None = 2.0, I3: float | None = 2.5) -> System:
    """A body with the principal moments ``I1``, ``I2``, ``I3`` that cannot turn about the vertical."""
    return System(
        name="Veselova",
        group="SO3",
        kinetic=["I1", "I2", "I3"],
        constraints={"vertical": "R31*w1 + R32*w2 + R33*w3 = 0"},
        parameters={"I1": I1, "I2": I2, "I3": I3},
        scene=pivot_scene(
            {"shape": "ellipsoid", "length": "2/sqrt(I1)", "width": "2/sqrt(I2)", "height": "2/sqrt(I3)"},
            {"shape": "cylinder", "length": "3/sqrt(I1)", "radius": "0.02/sqrt(I1)", "colour": "muted"},
        ),
    )


_MOMENTUM = ("I1*w1", "I2*w2", "I3*w3")
_DENSITY = f"sqrt({of_the_vertical(('I1', 'I2', 'I3'))})"

ENTRY = Entry(
    make=veselova,
    start={"q0": 0.8, "q1": 0.0, "q2": 0.6, "q3": 0.0, "w1": 0.7, "w2": 2.0, "w3": 2.4},
    until=30.0,
    facts=("the reaction is a couple about the vertical",),
    claims=Claims(
        source="Veselov and Veselova, Funct. Anal. Appl. 20 (1986); Fedorov and Jovanović, J. Nonlinear Sci. 14 (2004)",
        integrals=("energy", in_space(1, _MOMENTUM), in_space(2, _MOMENTUM)),
        measure=(f"{_DENSITY}/R32", "dg(q0, q1, q2, q3) dw1 dw3"),
        multiplier=f"1/{_DENSITY}",
    ),
    references=(
        "A. P. Veselov and L. E. Veselova, Flows on Lie groups with a nonholonomic constraint and integrable"
        " non-Hamiltonian systems, Functional Analysis and its Applications 20, 1986",
        "Y. N. Fedorov and B. Jovanović, Nonholonomic LR systems as generalized Chaplygin systems with an invariant measure"
        " and flows on homogeneous spaces, Journal of Nonlinear Science 14, 2004",
    ),
)
