r"""A variational problem: a Lagrangian, admissible paths, and admissible variations along them; its first variation, and is a path stationary?

.. math:: \mathcal P = (L, \mathcal T, \mathcal W), \qquad
   \langle dS(\gamma), \delta_\xi\gamma\rangle = \int \langle dL(\gamma), \kappa(\dot\xi)\rangle\,dt
   = \int \langle \delta L, \xi\rangle\,dt + \langle p, \xi\rangle\Big|_{t_0}^{t_1}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, final

import numpy as np
import symengine

from anholonomy.algebra.calculus import gradient, partial
from anholonomy.algebra.expressions import Expr, Matrix, Vector, dot, from_sympy, matrix_vector, time, to_sympy, zero
from anholonomy.algebra.linear_algebra.symbolic import inverse, nullspace, rank
from anholonomy.algebra.normal_forms.canonical import NoNormalForm
from anholonomy.algebra.simplification.simplify import simplify
from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.deadlines import GLANCE, effort
from anholonomy.base.errors import ArgumentError, NotSupportedError, TimeLimitError, UnknownNameError, quoted
from anholonomy.base.notebook import Shown
from anholonomy.base.tolerances import HALF
from anholonomy.base.verdict import Verdict
from anholonomy.findings import AbstractEvidence, Bound, Finding, Quantity, Reason, Scope, vanishing
from anholonomy.language.answers import Part
from anholonomy.language.arguments import finite
from anholonomy.language.suggestions import did_you_mean
from anholonomy.laws.primitives import primitive_along
from anholonomy.programs.backends.base import Array
from anholonomy.system.constraints import Kind
from anholonomy.system.model import Model
from anholonomy.vakonomic.paths_and_variations import (
    KINDS,
    Written,
    conditions,
    generator_symbols,
    integrand,
    read_course,
    read_variation,
    read_written,
    sampled_variation,
    varied_velocities,
)
from anholonomy.vakonomic.sampled_path import (
    CarriedCovectors,
    Course,
    along_steps,
    best_multiplier,
    carried,
    path_functions,
)

if TYPE_CHECKING:
    import sympy

__all__ = ["BreakingVariation", "VariationalProblem", "variational"]

_DEGREE = 40
"""The highest power of time that is looked for."""
_EXCLUDED = 100.0
"""How many times the tolerance a residual must be to refute."""


def variational(model: Model, kind: object) -> VariationalProblem:
    """A problem of one kind; refused where a system has no action or its constraints admit no variations."""
    if kind not in KINDS:
        raise UnknownNameError(
            f"there is no variational problem {quoted(kind)}; {did_you_mean(kind, KINDS)}there are {', '.join(KINDS)}."
        )
    if model.momenta_a is not None or any(force != 0 for force in model.forces_a):
        raise NotSupportedError(f"{model.name} has forces without a potential, which no action has; leave them out.")
    if Kind.ACCELERATION in model.kinds and kind != "free":
        raise NotSupportedError(
            f"{model.name} has constraints on accelerations, which say nothing of paths and variations at first order."
        )
    return VariationalProblem(model.independent, str(kind))


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
    >>> bool(skate().paths.variational("nonholonomic").is_stationary(run))
    True
    >>> skate().paths.variational("vakonomic").is_stationary(run).is_refuted
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
        >>> problem = stone.paths.variational("free")
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
            raise ArgumentError(f"{self.model.name}: tolerance={quoted(tolerance)} is not between 0 and 1; 1e-8 is.")
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


# Stationary along a path of functions of time, decided exactly.
#
# .. math::
#    B\mu + a = 0, \quad \dot\mu = R\mu + s \qquad\Longrightarrow\qquad (\dot B + BR)\,\mu + (\dot a + Bs) = 0, \ \ldots
#
# For a vakonomic problem $B = SF^{\mathsf T}$ and $a = SE$ with a basis $S$ of $\ker A$. The conditions are differentiated along the path until their rank settles;
# they then have a solution, or a row of theirs contradicts.


def stationary_exactly(path: Written, kind: str, claim: str) -> Finding:
    """The finding for a path of functions."""
    model = path.model
    if kind != "free" and not (holds := on_constraints(path, claim)):
        return holds
    values = [path.along(f) for f in path_functions(model)]
    n, count = model.frame.size, len(model.constraints)
    E = values[:n]
    if kind == "free" or not count:
        return vanishing(
            claim, "E", (Quantity(f"E_{name}", each) for name, each in zip(model.directions, E, strict=True))
        )
    A = _rows(values[n : n + count * n], n)
    F = _rows(values[n + count * n :], n)
    try:
        S = nullspace(A)
        if kind == "nonholonomic":
            return vanishing(
                claim, "S E", (Quantity(f"(S E)_{k}", each) for k, each in enumerate(matrix_vector(S, E), 1))
            )
        return _prolonged(S, A, F, E, claim)
    except (NoNormalForm, ZeroDivisionError):
        return Finding.unknown(claim, "the path is too long to be decided exactly")


def on_constraints(path: Written, claim: str) -> Finding:
    """Whether the constraints hold along the path."""
    named = (Quantity(f"phi_{c.label}", path.along(c.expression)) for c in path.model.constraints)
    return vanishing(claim, "phi", named)


def _rows(flat: Sequence[Expr], width: int) -> Matrix:
    return tuple(tuple(flat[k : k + width]) for k in range(0, len(flat), width))


def _prolonged(S: Matrix, A: Matrix, F: Matrix, E: Sequence[Expr], claim: str) -> Finding:
    gram = inverse([[dot(one, other) for other in A] for one in A])
    R = tuple(tuple(-dot(row, [dot(each, f) for each in A]) for f in F) for row in gram)
    s = tuple(-dot(row, [dot(each, E) for each in A]) for row in gram)
    layer = [(*(dot(row, f) for f in F), dot(row, E)) for row in S]
    rows: list[Vector] = []
    scope = Scope(points="at generic times")
    for order in range(len(F) + 2):
        before, rows = rank([row[:-1] for row in rows]), rows + layer
        known = rank([row[:-1] for row in rows])
        if rank(rows) > known:
            why = f"after {order} derivatives along the path the conditions on the multipliers contradict each other"
            return Finding(claim, Verdict.REFUTED, (Reason(why),), scope)
        if known == before and order:
            break
        layer = [_derived(row, R, s) for row in layer]
    free = len(F) - known
    which = "one choice of multipliers does" if not free else f"multipliers with {free} free constants do"
    return Finding(claim, Verdict.PROVEN, (Reason(f"{which}, by derivatives along the path"),), scope)


def _derived(row: Vector, R: Matrix, s: Vector) -> Vector:
    r"""$(\dot B + BR,\ \dot a + Bs)$."""
    B, a = row[:-1], row[-1]
    turned = (partial(b, time) + dot(B, column) for b, column in zip(B, zip(*R, strict=True), strict=True))
    return (*turned, partial(a, time) + dot(B, s))


# Definite integrals over time, exact: by a primitive that is proven, term by term where waves and powers are multiplied, or left as an integral.


def exact_integral(value: Expr, interval: tuple[Expr, Expr]) -> sympy.Expr:
    """The integral over an interval of time.

    >>> exact_integral(symengine.sin(time) ** 2, (symengine.Integer(0), symengine.pi))
    pi/2
    >>> exact_integral(time**2 * symengine.sin(time) * symengine.cos(time), (symengine.Integer(0), symengine.pi))
    -pi**2/4
    """
    import sympy
    from sympy.simplify.fu import TR8

    begin, end = interval
    if is_zero(value):
        return sympy.Integer(0)
    value = simplify(value)
    try:
        with effort(GLANCE):
            found = primitive_along((time,), [{time: symengine.Integer(1)}], [value])
    except TimeLimitError:
        found = None
    if found is not None:
        total = found.xreplace({time: end}) - found.xreplace({time: begin})
        return to_sympy(simplify(total))
    plain = symengine.expand(from_sympy(TR8(sympy.expand(to_sympy(value)))))
    terms = plain.args if isinstance(plain, symengine.Add) else (plain,)
    parts = [_by_parts(term) for term in terms]
    if all(part is not None for part in parts):
        found = symengine.Add(*parts)
        return to_sympy(simplify(found.xreplace({time: end}) - found.xreplace({time: begin})))
    return sympy.Integral(to_sympy(value), (sympy.Symbol("t"), to_sympy(begin), to_sympy(end)))


def _by_parts(term: Expr) -> Expr | None:
    r"""A primitive of a power of time times at most one wave, $\int pf = pF - \int p'F$; None for other terms."""
    factors = term.args if isinstance(term, symengine.Mul) else (term,)
    waves = [f for f in factors if _is_wave(f)]
    p = symengine.Mul(*(f for f in factors if f not in waves))
    degree = next((k for k in range(_DEGREE) if time not in (p / time**k).free_symbols), None)
    if len(waves) > 1 or degree is None:
        return None
    if not waves:
        return p * time / (degree + 1)
    wave, total = waves[0], zero
    for k in range(degree + 1):
        wave = _primitive_of(wave)
        total += (-1) ** k * p * wave
        p = partial(p, time)
    return total


def _is_wave(f: Expr) -> bool:
    """Whether it is a sine, cosine or exponential of a multiple of time."""
    kind = isinstance(f, symengine.sin | symengine.cos) or (isinstance(f, symengine.Pow) and f.args[0] == symengine.E)
    if not kind:
        return False
    rate = partial(f.args[-1], time)
    return rate != 0 and time not in rate.free_symbols


def _primitive_of(wave: Expr) -> Expr:
    """A primitive of a wave, times a constant or not."""
    f = next(each for each in (wave.args if isinstance(wave, symengine.Mul) else (wave,)) if _is_wave(each))
    argument = f.args[-1]
    rate, constant = partial(argument, time), wave / f
    if isinstance(f, symengine.sin):
        return -constant * symengine.cos(argument) / rate
    return constant * (symengine.sin(argument) if isinstance(f, symengine.cos) else f) / rate


# Stationary along a path in numbers: the residual that no multiplier meets, and the variation made of it.
#
# .. math::
#    r = \Pi\,(E + F^{\mathsf T}\mu), \qquad \xi = b\,r + A^+\zeta, \quad \dot\zeta = F\xi, \qquad
#    \delta S = -\int E\cdot\xi\,dt = -\int b\,|r|^2\,dt
#
# The weight $b$ vanishes at the ends. Where $\mu_0$ makes $\int b|r|^2$ least, $\zeta$ vanishes at the end by itself: the conditions that it does are those of
# the least square. Free and nonholonomic problems have no $\mu$ and no $\zeta$, free ones $\Pi = 1$.


def stationary_along(model: Model, kind: str, course: Course, claim: str, tolerance: float) -> Finding:
    """The finding for a path in numbers."""
    if kind != "free" and (wrong := violation(model, course, tolerance)):
        return Finding(claim, Verdict.REFUTED, (Reason(wrong),))
    considered = model.replaced(constraints=()) if kind == "free" else model
    found = carried(considered, course)
    weight = _weight(course)
    mu = best_multiplier(found, weight) if kind == "vakonomic" else None
    r = _residual(found, mu)
    size = float(np.abs(r).max() / _force(model, course, found))
    verdict = Verdict.of(True if size <= tolerance else False if size > _EXCLUDED * tolerance else None)
    limit = Decimal(repr(tolerance))
    bound = Bound(
        "the force that no multiplier balances, as a share",
        Decimal(size) if verdict.is_refuted else Decimal(0),
        Decimal(size),
        limit,
    )
    if not verdict.is_refuted:
        return Finding(claim, verdict, (bound,))
    return Finding(claim, verdict, (bound, _witness(model, found, r, weight, kind)))


def violation(model: Model, course: Course, tolerance: float) -> str:
    """A sentence about the constraint that a path violates; empty where it violates none."""
    values = course.functions(model, tuple(c.expression for c in model.constraints))
    A = course.functions(model, tuple(x for row in model.matrix_na for x in row)).reshape(
        len(course.q), len(model.constraints), model.frame.size
    )
    scale = np.einsum("kna,ka->kn", np.abs(A), np.abs(course.w)).max(axis=0, initial=0.0)
    for c, column, size in zip(model.constraints, values.T, scale, strict=True):
        if (by := float(np.abs(column).max())) > max(tolerance, 1e-9) * max(float(size), 1e-300):
            return f"the path violates the constraint {c.label} by {by:.3g}"
    return ""


def _weight(course: Course) -> Array:
    first, last = course.times[0], course.times[-1]
    s = (course.at - first) / (last - first)
    return np.asarray(4 * s * (1 - s))


def _residual(found: CarriedCovectors, mu: Array | None) -> Array:
    if mu is not None:
        return found.residual(mu)
    return np.asarray(np.einsum("kab,kb->ka", found.projector, found.E))


def _force(model: Model, course: Course, found: CarriedCovectors) -> float:
    """The size of the forces that occur: of those of the Lagrangian, and of what would stop the motion in its time."""
    p = course.functions(model, gradient(model.lagrangian, model.velocities))
    duration = abs(float(course.times[-1] - course.times[0]))
    return float(max(np.abs(found.E).max(), np.abs(p).max() / duration)) or 1.0


def _witness(model: Model, found: CarriedCovectors, r: Array, weight: Array, kind: str) -> BreakingVariation:
    eta = weight[:, None] * r
    xi = eta
    if kind == "vakonomic":
        back = np.linalg.pinv(found.A)
        s = np.einsum("kna,ka->kn", found.F, eta)
        _, zeta = along_steps(found.course, found.F @ back, s)
        xi = eta + np.einsum("kan,kn->ka", back, zeta)
    course = found.course
    return BreakingVariation(
        tuple(model.directions),
        tuple(course.at.tolist()),
        tuple(course.weights.tolist()),
        tuple(map(tuple, xi.tolist())),
        tuple(map(tuple, (-found.E).tolist())),
    )


@final
@dataclass(frozen=True, repr=False)
class BreakingVariation(AbstractEvidence):
    r"""A variation with $\xi = 0$ at both ends, in numbers, and the first variation of the action along it.

    Attributes
    ----------
    names
        The directions.
    times, values, forces
        Times, and at each of them $\xi^a$ and what the action changes by, $\delta L_a$, so that
        $\delta S = \int \delta L_a\,\xi^a\,dt$; ``weights`` are those of the quadrature.
    """

    names: tuple[str, ...]
    times: tuple[float, ...]
    weights: tuple[float, ...]
    values: tuple[tuple[float, ...], ...]
    forces: tuple[tuple[float, ...], ...]

    @property
    def change(self) -> float:
        r"""$\delta S$."""
        return float(np.array(self.weights) @ (np.array(self.values) * np.array(self.forces)).sum(axis=1))

    def at(self, times: Array) -> dict[str, Array]:
        """The variation at other times, by direction: arrays that `first_variation` takes."""
        from scipy.interpolate import CubicSpline

        curve = CubicSpline(self.times, self.values)(np.asarray(times, dtype=float))
        return {name: curve[:, k] for k, name in enumerate(self.names)}

    def as_rows(self) -> Iterable[Part]:
        values = np.abs(np.array(self.values))
        k, a = np.unravel_index(int(values.argmax()), values.shape)
        most = self.values[int(k)][int(a)]
        where = f"{most:.3g} along {self.names[int(a)]} at t = {self.times[int(k)]:.3g}"
        return [f"the action changes by {self.change:.3g} along an admissible variation (at most {where})"]

    def check(self) -> Verdict:
        """Whether the change, added up again, is far above the rounding in it."""
        terms = np.array(self.weights)[:, None] * np.array(self.values) * np.array(self.forces)
        return Verdict.PROVEN if abs(self.change) > 1e-9 * np.abs(terms).sum() else Verdict.UNKNOWN
