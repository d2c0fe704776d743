r"""A variational problem: a Lagrangian, admissible paths, and admissible variations along them.

.. math:: \mathcal P = (L, \mathcal T, \mathcal W), \qquad
   \langle dS(\gamma), \delta_\xi\gamma\rangle = \int \langle dL(\gamma), \kappa(\dot\xi)\rangle\,dt
   = \int \langle \delta L, \xi\rangle\,dt + \langle p, \xi\rangle\Big|_{t_0}^{t_1}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from anholonomy.displays.shown import Shown
from anholonomy.findings import Finding, Quantity, Reason, vanishing
from anholonomy.language.given import finite
from anholonomy.language.mistakes.nearest import did_you_mean
from anholonomy.paths.course import Course
from anholonomy.paths.variational.exact import on_constraints, stationary_exactly
from anholonomy.paths.variational.exact_integrals import exact_integral
from anholonomy.paths.variational.given import (
    Written,
    generator_symbols,
    read_course,
    read_variation,
    read_written,
    sampled_variation,
)
from anholonomy.paths.variational.stationary import stationary_along, violation
from anholonomy.paths.variational.variations import KINDS, conditions, integrand, varied_velocities
from anholonomy.refusals import IllPosedSystem, NotCovered, UnknownName
from anholonomy.symbolic.calculus import partial
from anholonomy.symbolic.expressions import Expr, Vector, time
from anholonomy.system.kinds import Kind
from anholonomy.system.model import Model
from anholonomy.tolerances import HALF
from anholonomy.verdict import Verdict

__all__ = ["VariationalProblem", "variational"]


@final
@dataclass(frozen=True, repr=False)
class VariationalProblem(Shown):
    r"""The action of a system, with the paths and variations that one kind of problem admits.

    A path is a motion, or a dict of functions of ``t`` with an ``interval``; a variation is a dict from directions to functions of ``t``, or to
    arrays over the times of a motion. Directions that are left out are not varied.

    Attributes
    ----------
    model
        The system, without constraints that follow from others.
    kind
        ``"free"``, ``"nonholonomic"`` (variations along the constraints) or ``"vakonomic"`` (variations that keep them).

    Examples
    --------
    >>> from anholonomy.catalogue import skate
    >>> start = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}
    >>> run = skate().simulate(start, until=3)
    >>> bool(skate().variational("nonholonomic").is_stationary(run))
    True
    >>> skate().variational("vakonomic").is_stationary(run).is_refuted
    True
    """

    model: Model
    kind: str

    def __repr__(self) -> str:
        return f"VariationalProblem({self.model.name!r}, {self.kind!r})"

    @property
    def path_conditions(self) -> Vector:
        r"""What vanishes along admissible paths: $\varphi^\nu$; nothing in a free problem."""
        return () if self.kind == "free" else tuple(c.expression for c in self.model.constraints)

    @property
    def variation_conditions(self) -> Vector:
        r"""What vanishes for admissible variations, in $\xi^a$ (``xi_x``) and $\dot\xi^a$ (``xi_x'``)."""
        return conditions(self.model, self.kind)

    @property
    def varied_velocities(self) -> Vector:
        r"""$\delta w^a = \dot\xi^a + c_{bd}{}^aw^b\xi^d + c_{0d}{}^a\xi^d$: the canonical flip of $\dot\xi$ in the system's frame."""
        return varied_velocities(self.model)

    def first_variation(self, path: Any, variation: Mapping[str, Any], interval: Any = None) -> Any:
        r"""$\int (\partial_qL\cdot\xi + \partial_wL\cdot\delta w)\,dt$: exact for functions of time, a number along a motion.

        What has no primitive that is found stays an integral of SymPy's, whose ``.evalf()`` is a number. The variation is not asked
        to be admissible, nor to vanish at the ends; `is_admissible` says whether it is.

        >>> from anholonomy import System
        >>> stone = System(name="stone", coordinates=["y"], lagrangian="y'^2/2 - 9*y")
        >>> problem = stone.variational("free")
        >>> problem.first_variation({"y": "0"}, {"y": "t*(1 - t)"}, interval=(0, 1))
        -3/2
        """
        if isinstance(path, Mapping):
            written = self._written(path, interval)
            return exact_integral(self._varied(written, integrand(self.model), variation), written.interval)
        course = read_course(self.model, path)
        values = self._sampled(course, (integrand(self.model),), variation, path)
        return float(course.weights @ values[:, 0])

    def is_admissible(self, path: Any, variation: Mapping[str, Any] | None = None, interval: Any = None) -> Finding:
        """Whether the path is admissible or, where one is given, the variation along it."""
        what = "the path is admissible" if variation is None else "the variation is admissible"
        if isinstance(path, Mapping):
            written = self._written(path, interval)
            if variation is None:
                return vanishing(what, "phi", ()) if self.kind == "free" else on_constraints(written, what)
            values = [self._varied(written, f, variation) for f in self.variation_conditions]
            labels = [c.label for c in self.model.constraints]
            return vanishing(
                what,
                "the conditions",
                (Quantity(f"that of {name}", v) for name, v in zip(labels, values, strict=False)),
            )
        course = read_course(self.model, path)
        if variation is None:
            wrong = "" if self.kind == "free" else violation(self.model, course, HALF)
            return Finding(what, Verdict.of(not wrong), (Reason(wrong or "the constraints hold within 1e-8"),))
        return self._is_kept(course, variation, path, what)

    def is_stationary(self, path: Any, interval: Any = None, tolerance: float = HALF) -> Finding:
        """Whether the action is stationary for all admissible variations that vanish at the ends.

        A path of functions is decided exactly. Along a motion forces are compared to ``tolerance``, and the variation that breaks the claim is the
        last of the evidence, a `BreakingVariation`.
        """
        claim = f"the action is stationary for all {self.kind} variations"
        if isinstance(path, Mapping):
            return stationary_exactly(self._written(path, interval), self.kind, claim)
        size = finite(tolerance)
        if size is None or not 0 < size < 1:
            raise IllPosedSystem(f"{self.model.name}: tolerance={tolerance!r:.60} is not between 0 and 1; 1e-8 is.")
        return stationary_along(self.model, self.kind, read_course(self.model, path), claim, float(size))

    def _written(self, path: Mapping[str, Any], interval: Any) -> Written:
        return read_written(self.model, path, (0, 1) if interval is None else interval)

    def _varied(self, path: Written, f: Expr, variation: Mapping[str, Any]) -> Expr:
        xi = read_variation(self.model, variation)
        known = dict(zip(generator_symbols(self.model), (*xi, *(partial(each, time) for each in xi)), strict=True))
        return path.along(f).xreplace(known)

    def _sampled(self, course: Course, functions: Vector, variation: Mapping[str, Any], path: Any) -> np.ndarray:
        """Functions of path and variation at the nodes; linear in the variation."""
        values = sampled_variation(self.model, variation, path, course)
        symbols = generator_symbols(self.model)
        slopes = course.functions(self.model, tuple(partial(f, s) for f in functions for s in symbols))
        return np.asarray(np.einsum("kfs,ks->kf", slopes.reshape(len(values), len(functions), -1), values))

    def _is_kept(self, course: Course, variation: Mapping[str, Any], path: Any, what: str) -> Finding:
        if not self.variation_conditions:
            return Finding(what, Verdict.PROVEN, (Reason("every variation is"),))
        values = self._sampled(course, self.variation_conditions, variation, path)
        sizes = np.abs(sampled_variation(self.model, variation, path, course)).max()
        left = float(np.abs(values).max() / sizes) if sizes else 0.0
        good = left <= 1e-6  # arrays are interpolated
        return Finding(what, Verdict.of(good), (Reason(f"the conditions leave {left:.1g} of it"),))


def variational(model: Model, kind: object) -> VariationalProblem:
    """A problem of one kind; refused where a system has no action or its constraints admit no variations."""
    if kind not in KINDS:
        raise UnknownName(
            f"there is no variational problem {kind!r:.60}; {did_you_mean(kind, KINDS)}there are {', '.join(KINDS)}."
        )
    if model.momenta_a is not None or any(force != 0 for force in model.forces_a):
        raise NotCovered(f"{model.name} has forces without a potential, which no action has; leave them out.")
    if Kind.ACCELERATION in model.kinds and kind != "free":
        raise NotCovered(
            f"{model.name} has constraints on accelerations, which say nothing of paths and variations at first order."
        )
    return VariationalProblem(model.independent, str(kind))
