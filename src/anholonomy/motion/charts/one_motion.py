"""Equations of motion in one frame, ready to run where it is regular; others take over before it stops being so.

An adapted frame that was chosen by pivoting is singular somewhere. A watch on the integrator ends the piece when
the frame has become much worse than it was, and the next piece goes on from there in a frame chosen on the spot.
Speeds are found from velocities, $u = S^{+}(w - s)$, in doubles where $S$ is so far from singular that no digit is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import final

import numpy as np
import symengine

from anholonomy.algebra.expressions import Symbol, Vector, free_symbols, time
from anholonomy.algebra.numbers.balls import ball, precision
from anholonomy.algebra.numbers.doubles import in_doubles
from anholonomy.algebra.simplification.simplify import PAGE
from anholonomy.algebra.steps.definitions import inline
from anholonomy.algebra.steps.in_balls import run_steps
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import StateError
from anholonomy.base.tolerances import HALF
from anholonomy.equations.derivation import Derivation
from anholonomy.equations.equations_of_motion import EquationsOfMotion
from anholonomy.equations.evaluation import speeds_at
from anholonomy.equations.lagrangian import potential_of
from anholonomy.equations.singular_states import degenerates
from anholonomy.geometry.adapted_frame import AS_GOOD, FAIR, REGULAR, SHRUNK, WORSE, AdaptedFrame
from anholonomy.motion.integrators.base import Flag, Flags
from anholonomy.motion.observables.one_motion import Values, quantities, values_from
from anholonomy.programs.backends import fast_function
from anholonomy.programs.backends.base import Array, Function
from anholonomy.programs.of_equations import Compiled
from anholonomy.programs.program import Program
from anholonomy.system.frames.default import pole_hint
from anholonomy.system.states.newton import rows_at

__all__ = ["RunnableEquations", "frame_quality", "has_jumped", "runnable_at", "runnable_at_start"]


_WRITTEN = 50_000
"""Operations, definitions written out, up to which a frame is evaluated by an interpreter that is made at once."""


_JUMP = 0.1
"""A conserved energy that changes by more than this part of what it consists of, and by more than all of it at first, was lost: errors of
steps are smaller at any tolerance that is worth asking for."""


@final
@dataclass(frozen=True, eq=False)
class RunnableEquations:
    """Equations of motion in one frame, ready to run; each is equal to itself alone, since what a motion notes of a frame belongs to that one."""

    compiled: Compiled

    @property
    def equations(self) -> EquationsOfMotion:
        return self.compiled.equations

    @cached_property
    def observe(self) -> Function:
        """Everything one may ask of states, many at a time."""
        return fast_function(self.compiled.observables)

    def observe_all(self, times: Array, states: Array, p: Array) -> dict[str, Array]:
        """The observables along a motion by name, one row for each time; there may be none."""
        program = self.compiled.observables
        seen = self.observe(times, states.T, p).T if times.size else np.empty((0, len(program.outputs)))
        return {name: seen[:, where] for name, where in program.slices.items()}

    def observe_one(self, name: str, t: float, x: Array, p: Array) -> Array:
        """One of the observables at a state."""
        return self.observe(t, x, p)[self.compiled.observables.slices[name]]

    def straight(self, t: float, x: Array, p: Array, program: Program | None = None) -> Program:
        """The rates, or a ``program``, without linear systems where those are small, with pivots chosen at the state."""
        try:
            return self.compiled.straight(self.compiled.rates if program is None else program, x, p, t)
        except ZeroDivisionError:
            e = self.equations
            state = dict(zip((*e.state, *e.model.parameter_symbols, time), (*x.tolist(), *p.tolist(), t), strict=True))
            raise StateError(
                f"{e.model.name}: the equations of {e.principle} are singular at t = {t:.6g}; {degenerates(e, state)}, so start elsewhere"
                f"{pole_hint(e.model)}."
            ) from None

    @cached_property
    def span(self) -> Function | None:
        """The vectors of the frame at a state; None for a frame that cannot fail."""
        program = self.compiled.span
        return None if program is None else fast_function(program)

    @property
    def never_fails(self) -> bool:
        """Whether the speeds are those of a frame that is regular everywhere."""
        return self.equations.frame is not None and self.span is None

    def events(self, functions: Vector) -> Values:
        """Functions of coordinates, velocities, time and what `anholonomy.motion.observables.one_motion` names, from states."""
        model = self.equations.model
        if functions not in self._known_events:
            plain = free_symbols(functions).isdisjoint(quantities(model))
            self._known_events[functions] = (
                fast_function(self.compiled.values_of(functions))
                if plain
                else values_from(model, self.observe, self.compiled.observables.slices, functions)
            )
        return self._known_events[functions]

    @cached_property
    def _known_events(self) -> dict[Vector, Values]:
        """What was compiled before: a motion comes back to a chart, and the next one starts in it."""
        return {}

    def quality_at(self, t: float, x: Array, p: Array) -> float:
        r"""How far the frame is from failing, $\min(\sigma_{\min}(S), 1/\sigma_{\max}(S))$: 0 where it loses a direction or blows up."""
        return float(self.qualities_at(np.array([t]), x[None], p)[0])

    def qualities_at(self, times: Array, states: Array, p: Array) -> Array:
        """The same along a motion."""
        if self.span is None:
            return np.ones(times.size)
        vectors = self.span(times, states.T, p)
        return _qualities(vectors.T.reshape(times.size, -1, len(self.equations.model.velocities)))

    def watch(self, t: float, x: Array, p: Array) -> Flags | None:
        """Where along steps the frame has become poor; None if it never will."""
        if self.span is None:
            return None
        entry, pivots = self.quality_at(t, x, p), self.pivots_at(t, x, p)

        def is_poor(times: Array, states: Array) -> Flag:
            # The vectors may be regular where a pivot vanishes, but then they are a quotient of two small numbers.
            divides = (self.pivots_at(times, states.T, p) > SHRUNK * pivots[:, None]).all(axis=0)
            return ~(divides & (self.qualities_at(times, states, p) > WORSE * entry))

        return is_poor

    @cached_property
    def _pivots(self) -> Function | None:
        program = self.compiled.pivots
        return None if program is None else fast_function(program)

    def pivots_at(self, t: float | Array, x: Array, p: Array) -> Array:
        """The sizes of what the choice of the frame divides by."""
        return np.abs(self._pivots(t, x, p)) if self._pivots is not None else np.empty((0, *x.shape[1:]))

    def divides_well(self, t: float, x: Array, p: Array) -> bool:
        """Whether no pivot of the frame is nearly zero beside the others."""
        sizes = self.pivots_at(t, x, p)
        return bool(sizes.size == 0 or sizes.min() > SHRUNK * sizes.max())

    @cached_property
    def _rows(self) -> Function | None:
        """The rows of the constraints, where others may stand in for some; otherwise None."""
        model = self.equations.model
        if not model.spare_constraints or self.equations.costates:
            return None
        return fast_function(self.compiled.values_of(tuple(a for row in model.matrix_na for a in row)))

    def watch_rows(self, t: float, x: Array, p: Array) -> Flags | None:
        """Where along steps the constraints in use have become nearly dependent; None where there are no others."""
        if self._rows is None:
            return None
        entry = self.independence_at(np.array([t]), x[None], p)
        return lambda times, states: self.independence_at(times, states, p) <= WORSE * entry

    def independence_at(self, times: Array, states: Array, p: Array) -> Array:
        """The least singular value of the constraints in use along a motion; 1 where there are no others."""
        if self._rows is None:
            return np.ones(times.size)
        rows = self._rows(times, states.T, p).T.reshape(times.size, -1, len(self.equations.model.velocities))
        return np.asarray(np.linalg.svd(np.nan_to_num(rows), compute_uv=False).min(axis=1))

    @cached_property
    def divisors(self) -> Function | None:
        """What the declaration divides by, at a state; None where nothing of the kind can vanish."""
        program = self.compiled.divisors
        return None if program is None else fast_function(program)

    def watch_divisors(self, t: float, x: Array, p: Array) -> Flags | None:
        """Where along steps a divisor has changed its sign: a pole was crossed, not passed; None if none can."""
        values = self.divisors
        if values is None:
            return None
        entry = np.sign(values(t, x, p))[:, None]
        return lambda times, states: np.asarray((np.sign(values(times, states.T, p)) * entry < 0).any(axis=0))

    def watch_energy(self, t: float, x: Array, p: Array) -> Flags | None:
        """Where along steps a conserved energy has jumped: a pole was passed over, though no divisor changed its sign; None where it cannot."""
        model = self.equations.model
        potential = potential_of(model)
        if not potential or self.equations.costates:
            return None
        (name,) = (s for s, (section, _) in quantities(model).items() if section == "energy")
        values = self.events((name, *potential))
        entry = values(np.array([t]), x[None].T, p)

        def flags(times: Array, states: Array) -> Flag:
            now = values(times, states.T, p)
            return has_jumped(now[0], now[1], (entry[0], entry[1]))

        return flags

    @staticmethod
    def watch_pivots(straight: Program, t: float, x: Array, p: Array) -> Flags | None:
        """Where along steps a pivot has become small; None if none was chosen at a state."""
        if not straight.pivots:
            return None
        sizes = _pivot_function(straight)
        entry = np.abs(sizes(t, x, p))[:, None]
        return lambda times, states: np.asarray((np.abs(sizes(times, states.T, p)) <= SHRUNK * entry).any(axis=0))

    def place(self, point: dict[Symbol, float]) -> Array:
        """The configuration as a state at rest, which is all that the frame depends on."""
        e = self.equations
        return np.array([point[q] for q in e.model.coordinates] + [0.0] * (len(e.state) - len(e.model.coordinates)))

    def has_state(self, point: dict[Symbol, float]) -> bool:
        """Whether the speeds can be found there."""
        try:
            self.state(point)
        except StateError:
            return False
        return True

    def state(self, point: dict[Symbol, float]) -> Array:
        """The integrated state at a configuration with its velocities."""
        if (quick := quick_speeds(self.equations, point)) is not None:
            return quick
        with precision(20):
            values = speeds_at(self.equations, {s: ball(value) for s, value in point.items()})
            return np.array([float(values[s].mid()) for s in self.equations.state])


def runnable_at_start(derivation: Derivation, point: dict[Symbol, float], p: Array) -> RunnableEquations:
    """The equations for a start: those of the derivation if their frame is good there, otherwise in one chosen on the spot."""
    if derivation.in_rows_for(point).model is not derivation.model:
        return runnable_at(derivation, point)  # its frame is no better than its constraints
    runnable = _runnable(derivation)
    if runnable.never_fails:
        return runnable
    if runnable.span is None:
        return runnable if runnable.has_state(point) else runnable_at(derivation, point)
    x = runnable.place(point)
    usual = runnable.quality_at(point[time], x, p)
    if derivation.is_chosen and usual > FAIR:
        return runnable
    good = runnable.divides_well(point[time], x, p)
    best = derivation.at(point)  # only looked at: its equations may take seconds to derive
    return runnable if good and usual > AS_GOOD * frame_quality(best.frame, point) else _runnable(best)


def runnable_at(derivation: Derivation, point: dict[Symbol, float]) -> RunnableEquations:
    """The equations whose frame is farthest from singular at a state."""
    return _runnable(derivation.at(point))


@lru_cache(maxsize=64)
def _runnable(derivation: Derivation) -> RunnableEquations:
    equations = derivation.equations
    forms = (
        [equations, equations.compact]
        if max(equations.operation_count, equations.expanded_operation_count) <= PAGE
        else [equations]
    )
    return RunnableEquations(min(map(Compiled, forms), key=lambda form: form.rates.operations))


@lru_cache(maxsize=64)
def _pivot_function(straight: Program) -> Function:
    return fast_function(straight.of_pivots)


def frame_quality(frame: AdaptedFrame, point: dict[Symbol, float]) -> float:
    """How far a frame is from failing at a point; 1 for one that cannot."""
    if not frame.may_fail:
        return 1.0
    with precision(20):
        known = run_steps(frame.definitions, {s: ball(value) for s, value in point.items()})
        S = np.array([[[float(value) for value in row] for row in rows_at(frame.span_ba, known)]])
        return float(_qualities(S)[0])


def _qualities(S: Array) -> Array:
    """Of frames, one a block of vectors."""
    finite = np.asarray(np.isfinite(S).all(axis=(1, 2)))
    sizes = _singular_values(np.where(finite[:, None, None], S, 0.0))
    least = np.minimum(sizes.min(axis=1, initial=1.0), 1.0 / np.maximum(sizes.max(axis=1, initial=0.0), 1e-300))
    return np.asarray(np.where(finite, least, 0.0))


def _singular_values(S: Array) -> Array:
    """Of wide matrices, as roots of the eigenvalues of small ones where these have the digits."""
    if S.shape[1] <= S.shape[2]:
        squares = np.linalg.eigvalsh(S @ S.transpose(0, 2, 1))
        if (squares[:, :1] > HALF * squares[:, -1:]).all():
            return np.asarray(np.sqrt(squares))
    return np.asarray(np.linalg.svd(S, compute_uv=False))


# Speeds from velocities, and an energy that jumped.


def quick_speeds(equations: EquationsOfMotion, point: Mapping[Symbol, float]) -> Array | None:
    """Coordinates and speeds at a point; None where doubles would lose digits, or the speeds are none of a frame."""
    model, frame = equations.model, equations.frame
    if equations.costates or equations.speed_values or frame is None:
        return None
    q = [point[s] for s in model.coordinates]
    w = np.array([point[s] for s in model.velocities])
    if equations.speeds == model.velocities:
        return np.array([*q, *w])
    function = _vectors(frame, (*model.coordinates, time, *model.parameter_symbols))
    if function is None:
        return None
    with np.errstate(all="ignore"):
        S, s = function(np.array([*q, point[time], *(point[p] for p in model.parameter_symbols)]))
        if not (np.isfinite(S).all() and np.isfinite(s).all()):
            return None
    speeds = _fitted(S, w - s)
    return None if speeds is None else np.array([*q, *speeds])


def _fitted(S: Array, w: Array) -> Array | None:
    r"""$u = (SS^{\mathsf T})^{-1}S\,w$, once more for what that leaves; None where singular values of $S$ are not of one size."""
    square = S @ S.T
    try:
        inverse = np.linalg.inv(square)
    except np.linalg.LinAlgError:
        return None
    # Sums of squares bound the largest of these: that of S itself, and the inverse of the least.
    if not (np.trace(square) < REGULAR**-2 and np.trace(inverse) < REGULAR**-2):
        return None
    first = inverse @ (S @ w)
    return np.asarray(first + inverse @ (S @ (w - first @ S)))


@lru_cache(maxsize=128)
def _vectors(frame: AdaptedFrame, inputs: tuple[Symbol, ...]) -> Callable[[Array], tuple[Array, Array]] | None:
    """The vectors $S$ and the shift $s$ as a function of floats."""
    size, width = len(frame.span_ba), len(frame.offset_a)
    if not size:
        return None
    entries = inline([*(entry for row in frame.span_ba for entry in row), *frame.offset_a], frame.definitions)
    if symengine.count_ops(*entries) > _WRITTEN:
        return None
    if (evaluate := in_doubles(inputs, entries)) is None:
        return None

    def vectors(x: Array) -> tuple[Array, Array]:
        values = np.asarray(evaluate(x), dtype=float).reshape(-1)
        return values[: size * width].reshape(size, width), values[size * width :]

    return vectors


def has_jumped(energy: Array, potential: Array, begun: tuple[Array, Array]) -> Flag:
    r"""Whether $|E - E_0| > |T_0| + |V_0| + (|T| + |V|)/10$, the former of what a conserved energy was where it was ``begun``.

    >>> has_jumped(np.array([1.0, 1e9]), np.array([-1e9, -1.0]), (np.array([1.0]), np.array([-1.0])))
    array([False,  True])
    """
    first, at_first = begun
    sizes = np.abs(energy - potential) + np.abs(potential)
    allowed = np.abs(first - at_first) + np.abs(at_first) + _JUMP * sizes
    return np.asarray(np.abs(energy - first) > allowed)
