r"""The question "Is there an invariant measure?", the order of its routes, and its answer with the density.

.. math:: X_a(\ln N) = -\theta_a, \qquad \mu = N\,dq\,d\pi = N\det G\;dq\,du

$\theta_a$ is the divergence of the motion along the admissible field $X_a$ (`anholonomy.laws.divergence`), and $N$ a density of the configuration on
the constraint submanifold. Each route has a file in `anholonomy.measures.density`, with its theorem at the head; `ROUTES` says which comes when and why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, final

import numpy as np

from anholonomy.algebra.calculus import gradient, jacobian
from anholonomy.algebra.expressions import Expr, Symbol, dot, symbol, time, zero
from anholonomy.algebra.latex import latex
from anholonomy.algebra.linear_algebra.symbolic import determinant
from anholonomy.algebra.simplification.simplify import readable, simplify
from anholonomy.algebra.simplification.sums import oriented
from anholonomy.algebra.steps.definitions import inline
from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.caching import cached_property
from anholonomy.base.deadlines import check, patience
from anholonomy.base.errors import NotSupportedError, StateError, TimeLimitError
from anholonomy.base.tolerances import GATHERED
from anholonomy.base.verdict import Verdict
from anholonomy.equations.lagrangian import quadratic_parts
from anholonomy.equations.reduction.bundle import factors, moved
from anholonomy.equations.reduction.quotient import Quotient
from anholonomy.findings import CarriesFinding, Finding, Reason, vanishing
from anholonomy.geometry.frame import Frame
from anholonomy.language.answers import Mark, Part, Readable, Row, below, equations
from anholonomy.laws.divergence import Divergence
from anholonomy.laws.evaluation import expect_motion, integral_along, value_at, within
from anholonomy.laws.generic_scope import on_declared_level
from anholonomy.laws.group_functions import logarithm_in_names
from anholonomy.laws.position_constraints import CURE, is_regular_on_level, told
from anholonomy.laws.primitives import exponential
from anholonomy.laws.prolongation.bracket_closure import BracketClosure
from anholonomy.laws.reduced_motion import reduced_motion
from anholonomy.measures.density.brackets import contradiction_at_a_glance, contradiction_at_a_point, every_bracket
from anholonomy.measures.density.closed_form import closed_form
from anholonomy.measures.density.forces import force_jumps, forces_at_rest, forces_not_affine
from anholonomy.measures.density.modulo_symmetries import (
    OrbitDivergence,
    has_no_drift,
    is_redundant_with_roots,
    is_redundant_without_roots,
    modulo_symmetries,
    modulo_symmetries_at_a_glance,
)
from anholonomy.measures.density.natural_volume import (
    function_times_natural_volume,
    has_roots,
    natural_volume,
    natural_volume_seen_from_space,
)
from anholonomy.measures.density.over_base import over_base
from anholonomy.measures.density.problem import Decision, DensityProblem
from anholonomy.measures.density.too_many_brackets import too_many_brackets
from anholonomy.measures.multivalued import jumping
from anholonomy.measures.path_integral import PathIntegral
from anholonomy.measures.single_valued import single_valued
from anholonomy.motion.dataset.one_motion import parameters_of
from anholonomy.system.model import Model
from anholonomy.system.solved_constraints import positions_of, solved_divided_positions, solved_positions

__all__ = ["ROUTES", "InvariantMeasure", "invariant_measure", "measure_over_orbits"]


Route = Callable[[DensityProblem], Decision | None]
Condition = Callable[[DensityProblem], bool]


def _always(_: DensityProblem) -> bool:
    return True


ROUTES: tuple[tuple[Condition, Route], ...] = (
    (has_roots, natural_volume_seen_from_space),  # what rolls on a curved surface: all else is long
    (is_redundant_without_roots, modulo_symmetries_at_a_glance),  # with redundant coordinates all else is long
    (DensityProblem.has_long_fields, natural_volume),  # one identity, no bracket and no inverse of what is long
    (DensityProblem.has_unfinished_routes, modulo_symmetries),  # still shorter than what follows
    (_always, force_jumps),  # else what follows would be about a divergence that is not there
    (_always, forces_not_affine),  # from here on the divergence is affine in the speeds
    (_always, forces_at_rest),  # drag: one function to look at
    (DensityProblem.has_long_fields, too_many_brackets),  # ranks modulo a prime write nothing out
    (_always, contradiction_at_a_glance),  # most refutations are met by the first brackets
    (DensityProblem.has_long_fields, function_times_natural_volume),  # its slopes are shorter than the divergence
    (_always, closed_form),  # most proofs; after refutations, which are met sooner
    (DensityProblem.has_short_fields, every_bracket),  # decides, where there is no closed form
    (_always, contradiction_at_a_point),  # long fields, with all the time that is left
    (_always, over_base),  # Hamiltonization takes longest
)
"""The routes in their order, each with the condition on which it is tried: the first decision counts."""

_NONE_LEFT = "no bracket contradicts it, and no density was found in closed form"


def invariant_measure(model: Model, time_limit: float | None) -> InvariantMeasure:
    """The decision, within a time; on the declared level of constraints on positions where these are solved."""
    try:
        with patience(time_limit):
            return _measure_on_level(model)
    except (TimeLimitError, KeyboardInterrupt) as trouble:
        return InvariantMeasure(Finding.unknown(_claim(model), trouble), model, None, None)


def _claim(model: Model) -> str:
    return f"the motion of {model.name} keeps a measure with a density of the configuration"


def _measure_on_level(model: Model) -> InvariantMeasure:
    if (solved := solved_positions(model) or solved_divided_positions(model)) is not None:
        there = _measure_on_level(solved.model)
        cover = None if there.on_cover is None else told(there.on_cover, solved)
        return replace(there, finding=told(there.finding, solved), declared=model, on_cover=cover)
    motion = reduced_motion(model)
    if not motion.has_frame:
        raise NotSupportedError(
            f"{model.name}: constraints that are nonlinear in the velocities have no measure of this kind; ask a system with linear "
            "or affine ones."
        )
    if model.momenta_a is not None:
        raise NotSupportedError(f"{model.name} has no Lagrangian, and so no momenta for a measure.")
    divergence, claim = Divergence(motion), _claim(model)
    logarithm = density = on_cover = None
    try:
        finding, logarithm, density = _decided(DensityProblem(claim, divergence))
        finding = on_declared_level(finding, model)
        if finding and positions_of(model) and not _is_regular(divergence, logarithm):
            logarithm = density = None
            why = f"the density is known off the declared level of the constraints on positions, and there nothing follows; {CURE}"
            finding = Finding.unknown(claim, why)
        finding, on_cover, more = single_valued(finding, divergence, logarithm)
        logarithm, density = (e if e is None else e + more for e in (logarithm, density))
        theorem = _consequence_for_velocities(model, divergence) if finding.is_refuted else ""
    except (TimeLimitError, KeyboardInterrupt) as trouble:
        finding, logarithm, density, on_cover, theorem = Finding.unknown(claim, trouble), None, None, None, ""
    return InvariantMeasure(finding, model, divergence, logarithm, theorem, density, on_cover=on_cover)


def _decided(problem: DensityProblem) -> Decision:
    """The first decision. With roots of redundant coordinates the symmetries come last, because brackets are short there."""
    routes = (route(problem) for condition, route in ROUTES if condition(problem))
    found = next(filter(None, routes), None) or Decision(Finding.unknown(problem.claim, _NONE_LEFT))
    if found.answer.is_unknown and is_redundant_with_roots(problem):
        return modulo_symmetries(problem) or found
    return found


def _is_regular(divergence: Divergence, logarithm: Expr | None) -> bool:
    """True if what a density must do is finite on the declared level of constraints on positions, and the density positive there."""
    frame = divergence.motion.model.frame
    finite = tuple(e for each in divergence.fields for e in (each.value, *each.rates.values()))
    density = () if logarithm is None else (frame.in_coordinates(exponential(logarithm)),)
    return is_regular_on_level(divergence.motion, (divergence.determinant, *density), finite)


def measure_over_orbits(model: Model, quotient: Quotient, time_limit: float | None) -> InvariantMeasure:
    """The decision for the motion modulo symmetries: a density there is one above, so that a refutation above is one here."""
    claim = f"the motion of {model.name} modulo symmetries keeps a measure with a density of the invariants"
    below = OrbitDivergence(quotient)
    divergence, proof, motion = Divergence(below.motion, below.spread_a), None, reduced_motion(model)
    still = Finding(claim, Verdict.UNKNOWN, ())
    try:
        with patience(time_limit):
            if has_no_drift(motion) and (proof := below.proven(claim)) is None:
                still = vanishing(
                    claim, "the divergence along what moves no invariant", below.misfits(), below.motion.on
                )
    except (TimeLimitError, KeyboardInterrupt, NotSupportedError):
        check()
    if proof is not None:
        finding, on_cover, more = single_valued(proof[0], divergence, proof[1])
        density = below.logarithm_of_density(proof[1])
        return InvariantMeasure(
            finding, quotient.base, divergence, proof[1] + more, "", density + more, on_cover=on_cover
        )
    if still.is_refuted:
        theorem = _consequence_for_velocities(model, Divergence(motion))
        return InvariantMeasure(still, quotient.base, divergence, None, theorem)
    above = invariant_measure(model, time_limit)
    why = above.finding.evidence if above.finding.is_refuted else (Reason("no density was found in closed form"),)
    verdict = Verdict.REFUTED if above.finding.is_refuted else Verdict.UNKNOWN
    return InvariantMeasure(
        Finding(claim, verdict, why, above.finding.scope), quotient.base, divergence, None, above.theorem
    )


# The answer: the density with its volume, at a state and along a motion.


_SAMPLES = 12
"""Samples of a motion at which a density without closed form is compared."""


@final
@dataclass(frozen=True, repr=False)
class InvariantMeasure(CarriesFinding, Readable):
    r"""The measure that the motion keeps, with a density of the configuration; true in an ``if`` when one is proven to exist.

    Attributes
    ----------
    finding
        The claim, its verdict and its evidence: an identity, or a bracket that contradicts it and where.
    logarithm
        $\ln N$ of the density with respect to $dq\,d\pi$, in closed form, otherwise None.
    theorem
        What the verdict says about densities that depend on velocities too; empty where it says nothing.
    model, declared
        The system in whose coordinates the density is, and the declared one where that has constraints on positions which were solved.
    on_cover
        The finding about densities with several values at one configuration, which go over into each other where an angle turns; None where
        the density has one value, and where none is known. Density, slopes and numbers are then those on the cover.

    Examples
    --------
    >>> from anholonomy.catalogue import free_particle
    >>> mu = free_particle().invariant_measure()
    >>> mu.density, mu.volume
    (m**2*sqrt(1 + x**2), 'dx dy dz du dv')
    """

    finding: Finding
    model: Model
    known_divergence: Divergence | None = field(compare=False, repr=False)
    logarithm: Expr | None
    theorem: str = ""
    logarithm_of_density: Expr | None = field(default=None, compare=False, repr=False)
    declared: Model | None = field(default=None, compare=False, repr=False)
    on_cover: Finding | None = field(default=None, compare=False)

    @property
    def _divergence(self) -> Divergence:
        """The divergence of the motion; refused where the time was over before its equations were written."""
        if self.known_divergence is None:
            raise NotSupportedError(f"the divergence is asked for, but {self.finding}.")
        return self.known_divergence

    @cached_property
    def density(self) -> Expr | None:
        r"""$N\det G$, with respect to the volume $dq\,du$."""
        if self.logarithm is None:
            return None
        if self.logarithm_of_density is not None:
            return readable(exponential(self.logarithm_of_density))
        det = self._divergence.named_determinant
        return readable(exponential(self.logarithm + logarithm_in_names(det, self.model.frame)))

    @property
    def volume(self) -> str:
        """The volume that the density multiplies: coordinates, or the left Haar measure ``dg`` of a group by its coordinates, and speeds.

        >>> from anholonomy.groups import Rn, Semidirect
        >>> from anholonomy import System
        >>> System(group=Semidirect(Rn("s"), ["x"], [["exp(s)"]]), kinetic=[1, 1]).invariant_measure().volume
        "dg(s, x) ds' dv_x"
        """
        motion = self.known_divergence and self.known_divergence.motion
        return volume_in_words(self.model.frame, motion.speeds) if motion else ""

    @property
    def speeds(self) -> dict[str, Expr]:
        """The speeds of the volume in the velocities, where they are not velocities themselves."""
        motion = self.known_divergence and self.known_divergence.motion
        if motion is None:
            return {}
        return {u.name: value for u in motion.speeds if (value := motion.speeds_of_velocities[u]) != u}

    @property
    def slopes(self) -> dict[str, Expr]:
        r"""$X_a(\ln N) = -\theta_a$ by field: what a density must have."""
        return {each.name: each.value for each in self._divergence.fields}

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """Warnings that the density jumps though its slopes do not."""
        return () if self.logarithm is None else tuple(jumping(self.model, self.logarithm))

    def __call__(self, state: Mapping[str, object]) -> float:
        """The density at a state; what it does not depend on may be left out.

        Without a closed form it is integrated on a path to the state, from where as many coordinates as the motion reaches are zero; the whole
        configuration is needed then.
        """
        value = partial(value_at, self.declared or self.model, state=state, what="the density")
        if self.density is not None:
            return value(self.model.frame.in_coordinates(self.density))
        path, free = self._path_integral, [s for s in self.model.parameter_symbols if s not in self.model.values]
        logarithm = path.where_given(value, state, {s.name: value(s) for s in free})
        return float(np.exp(logarithm)) * value(self._divergence.determinant)

    @cached_property
    def _path_integral(self) -> PathIntegral:
        """The logarithm of the density in numbers, where there are any."""
        if not self and not self.on_cover:
            raise NotSupportedError(f"a density is asked for, but {self.finding}.")
        motion, model = self._divergence.motion, self.model
        places = (*model.coordinates, time) if motion.mentions_time else model.coordinates
        found = PathIntegral.of(model, places, BracketClosure(model.frame, self._divergence.fields, motion.on).basis)
        if found is None:
            raise NotSupportedError(
                f"{model.name} has an invariant measure, but no closed form of its density was found, and its group has no chart "
                "to integrate it in; `slopes` says how it changes."
            )
        return found

    def check(self, run: Any) -> Finding:
        r"""Compare the change of $\ln N$ along a motion with minus the integral of the divergence, which comes from the equations of motion."""
        expect_motion(run, self.model)
        self._refuse_poles(run)
        chosen = slice(None) if self.density is not None else _some(len(run.time))
        with np.errstate(all="ignore"):
            values = np.log(np.abs(self._densities(run, chosen)))
        if not np.isfinite(values).all():
            raise self._pole()
        spread = integral_along(run, self._divergence_along)[chosen]
        apart = float(np.abs(values - values[0] + spread).max())
        return within("the density is carried along the motion", "the largest change", apart, GATHERED)

    def _densities(self, run: Any, chosen: Any) -> np.ndarray:
        """The density at chosen samples of a motion."""
        if self.density is not None:
            return np.asarray(run[self.model.frame.in_coordinates(self.density)].values, dtype=float)
        given, path = parameters_of(run.data), self._path_integral
        own = replace(path, values=tuple((s, given[s.name]) for s in self.model.parameter_symbols))
        at = np.arange(len(run.time))[chosen]
        columns = {q.name: run[q.name].values if q != time else run.time.values for q in path.coordinates}
        logarithms = [own.at({name: float(column[k]) for name, column in columns.items()}, {}) for k in at]
        return np.asarray(
            np.exp(logarithms) * np.broadcast_to(run[self._divergence.determinant].values, run.time.shape)[at]
        )

    def _refuse_poles(self, run: Any) -> None:
        """Refuse a motion on which a divisor of the speeds changes its sign: the volume is none there."""
        frame = self._divergence.motion.frame
        for pivot in inline(frame.pivots, frame.definitions):
            signs = np.sign(run[self.model.frame.in_coordinates(pivot)].values)
            if signs.min() * signs.max() <= 0:
                raise self._pole()

    def _pole(self) -> StateError:
        return StateError(
            f"{self.model.name}: the speeds of the volume ({self.volume}) fail where this motion passes; begin elsewhere."
        )

    def _divergence_along(self, run: Any) -> np.ndarray:
        r"""$\operatorname{div}(\dot q, \dot u) = u^a\operatorname{div}X_a + \operatorname{tr}(M^{-1}\,\partial f/\partial u)$ with $M\dot u = f$, at the samples."""
        motion = self._divergence.motion
        own = motion.speeds_of_velocities

        def values(expression: Expr) -> np.ndarray:
            return np.asarray(run[expression.xreplace(own)].values, dtype=float)

        slopes = jacobian(motion.force_a, motion.speeds)
        M = np.array([[values(entry) for entry in row] for row in motion.mass_ab])
        F = np.array([[values(entry) for entry in row] for row in slopes])
        M, F = np.moveaxis(M, -1, 0), np.moveaxis(F, -1, 0)
        trace = np.trace(np.linalg.solve(M, F), axis1=1, axis2=2)
        return np.asarray(trace + values(self._divergence.spread_of_configurations))

    def as_rows(self) -> Iterable[Part]:
        yield self.finding
        if self.on_cover is not None:
            yield from below(self.on_cover)
        if self.density is not None:
            names = (name if "(" in name else latex(symbol(name)) for name in self.volume.removeprefix("d").split(" d"))
            volume = Mark(f" of {self.volume}", r"\;\mathrm{d}" + r"\,\mathrm{d}".join(names))
            yield Row(Mark("density", r"\mu"), Mark(" ", "="), oriented(self.density), volume, depth=1)
            yield from equations(self.speeds)
        elif self or self.on_cover:
            yield from below("no closed form of the density was found; its numbers are integrated on a path to a state")
            yield from equations({f"{name}(ln N)": value for name, value in self.slopes.items() if value != 0})
        yield from below(*filter(None, (self.theorem, *self.warnings)))

    def _data(self) -> dict[str, Any]:
        return self.finding.to_dict() | {
            "density": self.density,
            "volume": self.volume,
            "speeds": self.speeds,
            "on_cover": self.on_cover or "",
            "theorem": self.theorem,
            "warnings": self.warnings,
            "text": self.text(),
        }


def _some(count: int) -> np.ndarray:
    """Samples at which a density that must be integrated is looked at."""
    return np.unique(np.linspace(0, count - 1, _SAMPLES).astype(int))


# What a refuted density of the configuration says about densities that depend on the velocities too.


def _consequence_for_velocities(model: Model, divergence: Divergence) -> str:
    r"""The consequence of a refutation for densities of positions and velocities.

    Where $\dot q = u^aX_a$ and $\dot u$ is homogeneous of degree two in the speeds, the motion raises the degree in them by one. Of a smooth
    density $N_0(q) + N_1(q, u) + \dots$ the terms of degree one in $Z(N) + N\operatorname{div}Z = 0$ are then $X_a(N_0)u^a + N_0\theta_au^a = 0$, so
    that $N_0$ is a density of the configuration. A gyroscopic term, of degree one in $\dot u$, would add a derivative of $N_1$. Where time enters or
    constraints are inhomogeneous, nothing rests.
    """
    motion = divergence.motion
    if not divergence.seen_affine or motion.mentions_time or divergence.has_offset:
        return "densities that depend on the velocities are not excluded"
    if not is_zero(divergence.spreading, motion.on) and _rests_anywhere(divergence):
        return "nor any that is smooth and positive: wherever it rests the divergence is not zero, and there it would have to be"
    if not _is_kinetic(model, divergence):
        return "densities that depend on the velocities are not excluded"
    return "nor any that is smooth and positive near rest: its part at rest would be one of the configuration, there being no potential"


def _is_kinetic(model: Model, divergence: Divergence) -> bool:
    """True if what changes the speeds is homogeneous of degree two in them, the constraints being linear: no potential, nothing gyroscopic, no drag."""
    motion = divergence.motion
    w = model.velocities
    grows = all(is_zero(dot(gradient(F, w), w) - 2 * F, motion.on) for F in model.forces_a if F != 0)
    return grows and _rests_anywhere(divergence) and not _turns(model, divergence)


def _turns(model: Model, divergence: Divergence) -> bool:
    """True if a part that is linear in the speeds changes them, such as of a magnetic field; it comes from one of the Lagrangian that is."""
    if all(entry == 0 for entry in quadratic_parts(model.lagrangian, model.velocities).linear_a):
        return False
    motion = divergence.motion
    back = {u: -u for u in motion.speeds}
    return not all(is_zero(push - push.xreplace(back), motion.on) for push in motion.force_a)


def _rests_anywhere(divergence: Divergence) -> bool:
    """True if every configuration is an equilibrium: no force on what is at rest."""
    motion = divergence.motion
    at_rest: dict[Symbol, Expr] = dict.fromkeys(motion.speeds, zero)
    try:
        pushes = [F.xreplace(at_rest) for F in motion.force_a]
    except RuntimeError:  # SymEngine refuses to divide by zero
        return False
    return all(is_zero(push, motion.on) for push in pushes)


# The volume that a density multiplies, in words: that of the coframe of the configurations, and of the speeds.
#
# .. math:: \varepsilon^1\wedge\dots\wedge\varepsilon^n = \frac{dq^1\wedge\dots\wedge dq^n}{\det E_a{}^i}
#
# On a group that is its left Haar measure ``dg``. Where the determinant is constant, as in a chart, the coordinates have the same.


def volume_in_words(frame: Frame, speeds: Sequence[Symbol]) -> str:
    """Haar measures of groups, differentials of the other coordinates, and those of the speeds.

    >>> from anholonomy.geometry.groups import Rn, SO3
    >>> volume_in_words((SO3() * Rn("x")).frame, [])
    'dg(q0, q1, q2, q3) dx'
    """
    groups = _groups(frame)
    haar = [f"dg({', '.join(q.name for q in each)})" for each in groups]
    plain = [f"d{q.name}" for q in frame.coordinates if all(q not in each for each in groups)]
    return " ".join([*haar, *plain, *(f"d{u.name}" for u in speeds)])


def _groups(frame: Frame) -> list[tuple[Symbol, ...]]:
    """The coordinates of each factor of a frame whose coframe has another volume than they: those of groups that are redundant or stretch it."""
    redundant = () if frame.orbit is None else frame.orbit.tied
    found = []
    for block in factors(frame):
        own = moved(frame, block)
        rows = [[frame.anchor_ai[a][frame.coordinates.index(q)] for q in own] for a in block]
        stretches = len(own) == len(block) and not simplify(determinant(rows)).free_symbols.isdisjoint(own)
        if stretches or not set(own).isdisjoint(redundant):
            found.append(own)
    return found
