r"""A discrete gradient that keeps the energy.

A discrete gradient in quasi-velocities: energy is kept to rounding, on the constraint.

.. math::
   x_1 - x_0 = h\,\frac{f\,g^{\mathsf T} - g f^{\mathsf T}}{g\cdot g}\,\bar g + h\,\frac{f\cdot g}{g\cdot g}\,g, \qquad
   \bar g = g + \kappa\,(x_1 - x_0), \qquad \bar g\cdot(x_1 - x_0) = E(x_1) - E(x_0)

The state $x$ has coordinates and speeds of an adapted frame, so that the constraint holds by construction; $f$ are its rates and $g$ the
gradient of the energy $E$, both at the middle, and $E$ is taken at the time of the middle. The matrix is skew, so that $E(x_1) = E(x_0)$ where forces do no work, $f\cdot g = 0$.
"""

from __future__ import annotations

from functools import lru_cache
from typing import final

from anholonomy.algebra.expressions import Expr, Symbol, Vector, dot, symbol, time
from anholonomy.algebra.steps.definitions import Assign, Recorder
from anholonomy.equations.principles.base import AbstractPrinciple
from anholonomy.motion.charts.one_motion import RunnableEquations
from anholonomy.motion.discrete.base import STEP, AbstractMethod, Scheme
from anholonomy.motion.problem.one_motion import smallest
from anholonomy.programs.derivatives import jacobian
from anholonomy.programs.program import Program, lower
from anholonomy.system.model import Model

__all__ = ["Energy"]


@final
class Energy(AbstractMethod):
    """Gonzalez's discrete gradient with the skew matrix of McLachlan, Quispel and Robidoux, on the constraint submanifold."""

    name = "energy"
    title = "discrete gradient in quasi-velocities"
    keeps = "the constraint at nodes; energy, where forces do no work; reversibility"
    loses = "momenta; the invariant measure"
    reference = (
        "E. Celledoni, M. Farré Puiggalí, E. Høiseth and D. Martín de Diego, Energy-preserving integrators applied to nonholonomic "
        "systems, J. Nonlinear Sci. 29 (2019); R. McLachlan, G. Quispel and N. Robidoux, Geometric integration using discrete gradients, "
        "Phil. Trans. R. Soc. A 357 (1999)"
    )

    @staticmethod
    def principle(model: Model) -> AbstractPrinciple:
        return smallest(model)

    def scheme(self, runnable: RunnableEquations) -> Scheme:
        return _scheme(runnable)


@lru_cache(maxsize=32)
def _scheme(runnable: RunnableEquations) -> Scheme:
    e, write, kappa = runnable.equations, Recorder("$b"), symbol("$kappa")
    p, size = e.model.parameter_symbols, len(e.state)
    begin, end = (tuple(symbol(f"$n{side}_{k}") for k in range(size)) for side in (0, 1))
    middle = tuple(write((a + b) / 2) for a, b in zip(begin, end, strict=True))
    energy = runnable.compiled.observing(e.observables.energy)
    now = write(time + STEP / 2)  # for both ends, because a gradient knows nothing of time
    f, g, (before,), (after,) = (
        _copied(program, x, p, now, write)
        for program, x in (
            (runnable.compiled.rates, middle),
            (jacobian(energy), middle),
            (energy, begin),
            (energy, end),
        )
    )
    change = tuple(write(b - a) for a, b in zip(begin, end, strict=True))
    bar = tuple(write(part + kappa * step) for part, step in zip(g, change, strict=True))
    gg, gd, fd, fg = (write(dot(a, b)) for a, b in ((g, g), (g, bar), (f, bar), (f, g)))
    rows: list[Expr] = [
        gg * step - STEP * (gd * f_k - (fd - fg) * g_k) for step, f_k, g_k in zip(change, f, g, strict=True)
    ]
    rows.append(kappa * dot(change, change) - (after - before - dot(g, change)))
    return Scheme(lower((*begin, *end, kappa), (*p, STEP), write.steps, rows), size, size)


def _copied(program: Program, states: Vector, parameters: Vector, t: Expr, write: Recorder) -> Vector:
    """The outputs of a program at other states, its steps written once more."""
    known: dict[Symbol, Expr] = dict(zip(program.states, states, strict=True)) | {time: t}
    known |= dict(zip(program.parameters, parameters, strict=True))
    for step in program.steps:
        if isinstance(step, Assign):
            known[step.target] = write(step.value.xreplace(known))
        else:
            matrix = tuple(tuple(entry.xreplace(known) for entry in row) for row in step.matrix)
            found = write.solve(matrix, [entry.xreplace(known) for entry in step.right])
            known |= dict(zip(step.unknowns, found, strict=True))
    return tuple(write(output.xreplace(known)) for output in program.outputs)
