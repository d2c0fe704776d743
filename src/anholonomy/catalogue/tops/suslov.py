r"""Suslov's problem: a body turns about a fixed point, but not about one axis of its own.

.. math:: w_3 = 0, \qquad J\dot w = (b\cdot w)\,(-w_2, w_1), \qquad J = \begin{pmatrix} I_{11} & I_{12}\\ I_{12} & I_{22}\end{pmatrix}, \quad b = (I_{13}, I_{23})

for $w = (w_1, w_2)$. The energy $E = \tfrac12 w\cdot Jw$ is constant and every motion is known:

.. math:: w = \alpha\tanh\kappa(t - t_0) \pm \beta\operatorname{sech}\kappa(t - t_0), \qquad \kappa = \sqrt{\frac{2E\; b\cdot J^{-1}b}{\det J}} ,

with $\alpha$ along $(-b_2, b_1)$ and $\beta$ along $J^{-1}b$, both of energy $E$. So a body tends to a steady rotation about an axis
fixed in it, from the opposite one: steady rotations fill the line $b\cdot w = 0$, one half of it stable and the other not,
and no measure is invariant. If the forbidden axis is principal, $b = 0$, every rotation is steady.
"""

from __future__ import annotations

from anholonomy.catalogue.entry import Claims, Entry
from anholonomy.catalogue.scenes import pivot_scene
from anholonomy.public.system import System

__all__ = ["suslov"]


def suslov(
    I11: float | None = 1.0,
    I22: float | None = 1.5,
    I33: float | None = 2.0,
    I12: float | None = 0.0,
    I13: float | None = 0.3,
    I23: float | None = -0.2,
) -> System:
    """A body with the inertia matrix ``I11`` … ``I33`` in axes of which it cannot turn about the third."""
    return System(
        name="Suslov",
        group="SO3",
        kinetic=[["I11", "I12", "I13"], ["I12", "I22", "I23"], ["I13", "I23", "I33"]],
        constraints={"axis": "w3 = 0"},
        parameters={"I11": I11, "I22": I22, "I33": I33, "I12": I12, "I13": I13, "I23": I23},
        span=[["1", "0", "0"], ["0", "1", "0"]],
        scene=pivot_scene(
            {"shape": "convex", "support": _support()},
            # The axis that it cannot turn about.
            {
                "shape": "cylinder",
                "rotation": ["q0", "q1", "q2", "q3"],
                "length": "3/sqrt(I33)",
                "radius": "0.02/sqrt(I33)",
                "colour": "muted",
            },
        ),
    )


def _support() -> str:
    r"""The ellipsoid of inertia, $h(g) = \sqrt{g\cdot I^{-1}g}$, with the inverse by cofactors."""
    rows = {(i, j): f"I{min(i, j)}{max(i, j)}" for i in (1, 2, 3) for j in (1, 2, 3)}
    after = {1: 2, 2: 3, 3: 1}

    def cofactor(i: int, j: int) -> str:
        (a, b), (c, d) = (after[i], after[after[i]]), (after[j], after[after[j]])
        return f"({rows[a, c]}*{rows[b, d]} - {rows[a, d]}*{rows[b, c]})"

    square = " + ".join(f"{cofactor(i, j)}*g{i}*g{j}" for i, j in rows)
    return f"sqrt(({square})/({' + '.join(f'{rows[1, j]}*{cofactor(1, j)}' for j in (1, 2, 3))}))"


ENTRY = Entry(
    make=suslov,
    start={"q0": 1.0, "q1": 0.0, "q2": 0.0, "q3": 0.0, "w1": 1.0, "w2": -2.0},
    until=30.0,
    facts=(
        "w = alpha tanh(kappa (t - t0)) + beta sech(kappa (t - t0))",
        "every motion tends to a steady rotation with I13 w1 + I23 w2 = 0, from the opposite one",
        "w1 and w2 are constant if the forbidden axis is principal",
    ),
    claims=Claims(
        source="Suslov, Theoretical Mechanics, 1946; Kozlov, On the existence of an integral invariant of a smooth dynamic system, PMM 51 (1987)",
        measure="none",
    ),
    references=(
        "G. K. Suslov, Theoretical Mechanics, 1946",
        "Ju. I. Neimark and N. A. Fufaev, Dynamics of Nonholonomic Systems, 1972",
        "A. M. Bloch, Nonholonomic Mechanics and Control",
    ),
)
