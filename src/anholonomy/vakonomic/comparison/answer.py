r"""The answer of the comparison: verdict, certificate, multiplier, exceptions and reasons; also a check along a motion in numbers.

.. math:: \mu(t) = \Phi(t)\mu_0 + b(t), \qquad \min_{\mu_0}\ \max_t |N(t)\,\mu(t)|

Along a motion the linear equation $\dot\mu = R\mu - \nu$ is solved by Gauss's collocation between the samples, and $\mu_0$ by least squares
over all of them: numbers that owe nothing to the elimination by which the question is decided.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from anholonomy.algebra.expressions import Expr, Vector, free_symbols, symbol, zero
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import NotSupportedError
from anholonomy.base.tolerances import NOTHING
from anholonomy.findings import CarriesFinding, Finding, Witness
from anholonomy.language.answers import EQUALS, Part, Readable, below, equations
from anholonomy.language.writing import to_text
from anholonomy.laws.evaluation import NODES, expect_motion, fine_times, gauss, within
from anholonomy.laws.reduced_motion import reduced_motion
from anholonomy.system.model import Model
from anholonomy.system.solved_constraints import positions_of
from anholonomy.vakonomic.comparison.exceptional_states import Family
from anholonomy.vakonomic.comparison.multiplier_equations import MultiplierEquations, Prolongation
from anholonomy.vakonomic.comparison.sufficient_conditions import conditions, explanation
from anholonomy.vakonomic.comparison.unspecified_functions import FunctionSolution

__all__ = ["VakonomicComparison"]

_PARTS = 2
"""Steps between two samples of a motion."""


@final
@dataclass(frozen=True, repr=False)
class VakonomicComparison(CarriesFinding, Readable):
    """Whether motions of mechanics are vakonomic, why, and with which multiplier.

    Attributes
    ----------
    finding
        The claim, its verdict and its evidence: an identity, or a state and the equation that fails at it.
    multiplier
        The vakonomic multipliers by name, in coordinates and speeds; None where there is none, or none was found as a function.
    freedom
        How many multipliers may be chosen at the start; None where there is no multiplier.
    exceptions
        Families of initial data for which the answer is another, and factors whose zeros were not examined.
    requirements
        Differential equations that a function which nobody specified satisfies if the answer for it is another.
    kept
        The function with fewer arguments, for every one of which the answer is another.
    solutions
        Other functions for which the answer is another: arbitrary ones of some integrals, or polynomials with free coefficients.
    counterexample
        A state whose motion is not vakonomic, complete, by name; None where none is known.
    besides
        The finding about the other of two states that rounding does not tell apart: the one that was given, and an exceptional one.
    equations, found
        The multiplier's equations along a motion, and their reduction.

    Examples
    --------
    >>> from anholonomy.catalogue import skate
    >>> answer = skate().compare_vakonomic()
    >>> answer.verdict, answer.explanation
    (<Verdict.REFUTED: 'refuted'>, 'one constraint')
    >>> for each in answer.exceptions:
    ...     print(each)
    where omega = 0: they are
    where u = 0: they are
    """

    finding: Finding
    model: Model
    multiplier: dict[str, Expr] | None = field(default=None, hash=False)
    freedom: int | None = None
    exceptions: tuple[Family, ...] = ()
    requirements: Vector = ()
    kept: Vector = ()
    solutions: tuple[FunctionSolution, ...] = ()
    counterexample: dict[str, float] | None = field(default=None, hash=False)
    besides: tuple[Finding, ...] = ()
    equations: MultiplierEquations | None = field(default=None, compare=False)
    found: Prolongation | None = field(default=None, compare=False)

    @cached_property
    def conditions(self) -> dict[str, Finding]:
        """The named conditions that each decide the question by themselves, and whether they hold for all admissible velocities.

        There are none where the equations are too long to be written out, or know all levels of constraints on positions.
        """
        if self.equations is None or not self.equations.model.constraints or positions_of(self.equations.model):
            return {}
        return conditions(self.equations.model, self.equations)

    @property
    def explanation(self) -> str:
        """The name of the condition that explains the verdict; empty where none does."""
        return explanation(self.verdict, self.conditions)

    def check(self, run: Any) -> Finding:
        """Whether the best multiplier along a motion satisfies its equations there, in doubles: whatever was decided."""
        expect_motion(run, self.model)
        if self.equations is None:
            raise NotSupportedError(
                f"{self.model.name}: the multiplier's equations are too long to be written out; ask `compare_vakonomic(run)`, "
                "which needs no formulas."
            )
        misfit = _least_misfit(self.equations, run)
        return within(
            "a multiplier does along the motion", "the misfit of the best, relative to its terms,", misfit, NOTHING
        )

    def as_rows(self) -> Iterable[Part]:
        yield self.finding
        yield from below(*self.besides)
        if self.explanation:
            yield from below((f"because ({self.explanation}) ", self.conditions[self.explanation]))
        yield from equations(self.multiplier or {})
        if self.freedom:
            yield from below(f"of the multipliers {self.freedom} may be chosen at the start")
        yield from below(*(("for every ", each, " they are") for each in self.kept), *self.solutions)
        yield from below(*(("where they are, ", each, EQUALS, zero) for each in self.requirements), *self.exceptions)
        yield from below(*(("with ", symbol(name), EQUALS, value) for name, value in self.named.items()))

    @property
    def named(self) -> dict[str, Expr]:
        """Speeds that occur in the answer and were not declared, in those that were: of a ball, its angular velocity in space."""
        if self.equations is None:
            return {}
        said = [*(self.multiplier or {}).values(), *(e for each in self.exceptions for e in each.expressions)]
        said += [each.expression for each in self.finding.evidence if isinstance(each, Witness)]
        used = free_symbols(said)
        return {s.name: e for s, e in self.equations.named.items() if s in used}

    def _data(self) -> dict[str, Any]:
        return {
            "claim": self.finding.claim,
            "verdict": self.verdict,
            "certificate": [each.text(True) for each in self.finding.evidence],
            "explanation": self.explanation,
            "multiplier": self.multiplier,
            "freedom": self.freedom,
            "kept": self.kept,
            "solutions": [{"value": each.value, "among": each.among} for each in self.solutions],
            "requirements": self.requirements,
            "named": self.named,
            "besides": self.besides,
            "exceptions": [{"where": each.text(True), "verdict": each.verdict} for each in self.exceptions],
        }


def _least_misfit(equations: MultiplierEquations, run: Any) -> float:
    """The largest misfit of the multiplier that does best, relative to the sizes of what is compared."""
    times = np.asarray(run.time.values, dtype=float)
    nodes, weights, upto = gauss(NODES)
    _, steps, at = fine_times(times, _PARTS, nodes)
    fine = run.at(at.ravel().tolist())
    shape, k = at.shape, len(equations.multipliers)

    def values(rows: Iterable[Iterable[Expr]]) -> np.ndarray:
        own = reduced_motion(equations.model).speeds_of_velocities
        found = [
            [
                np.broadcast_to(fine[to_text(e.xreplace(own).xreplace(dict(equations.named)))].values, at.size)
                for e in row
            ]
            for row in rows
        ]
        return np.moveaxis(np.array(found, dtype=float).reshape(len(found), -1, *shape), (0, 1), (2, 3))

    N, R, nu = values(equations.N_bn), values(equations.R_nn), values([equations.nu_n])[:, :, 0]
    state = np.hstack([np.eye(k), np.zeros((k, 1))])  # the columns of Phi, and b
    rows, right = [], []
    for h, N_i, R_i, nu_i in zip(steps, N, R, nu, strict=True):
        inside = _collocated(state, h, R_i, nu_i, upto)
        rows.append((N_i @ inside[:, :, :k]).reshape(-1, k))
        right.append((N_i @ inside[:, :, k:]).reshape(-1))
        slopes = R_i @ inside
        slopes[:, :, k] -= nu_i
        state = state + h * np.tensordot(weights, slopes, 1)
    matrix, target = np.vstack(rows), -np.concatenate(right)
    mu, *_ = np.linalg.lstsq(matrix, target, rcond=1e-10)
    size = max(np.abs(matrix).max() * np.abs(mu).max(initial=0.0), np.abs(target).max(), np.abs(nu).max(), 1e-300)
    return float(np.abs(matrix @ mu - target).max() / size) if np.abs(nu).max() else 0.0


def _collocated(state: np.ndarray, h: float, R: np.ndarray, nu: np.ndarray, upto: np.ndarray) -> np.ndarray:
    r"""$Y_i = Y + h\sum_j a_{ij}(R_jY_j - \nu_j)$ at the nodes of one step, for every column of ``state``."""
    count, k = len(R), len(state)
    coupled = np.einsum("ij,jkl->ikjl", upto, R).reshape(count * k, count * k)
    source = np.zeros((count, k, k + 1))
    source[:, :, k] = -np.einsum("ij,jk->ik", upto, nu)
    right = (np.broadcast_to(state, (count, k, k + 1)) + h * source).reshape(count * k, k + 1)
    return np.linalg.solve(np.eye(count * k) - h * coupled, right).reshape(count, k, k + 1)
