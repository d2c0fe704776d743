r"""Events of one motion: the times at which a function $g(q, w, \dot w, \lambda, t)$ of it passes through zero.

The loss of a one-sided constraint is one, found without being asked for (`anholonomy.motion.events.contact_losses`).

Sign changes are looked for on a grid that is at least as fine as the output, using the integrator's dense output;
each is then located to rounding by integrating again from the grid time before it. A function that is zero but for
rounding has no sign there, and where a motion begins that is measured by what the function becomes within a step: one that begins where another
was stopped by an event does not meet it again. A zero that is the end of the motion but for rounding is met there. A motion that takes more than one step for two of its points is looked at again with eight for each. Two zeros closer than the grid
spacing cancel and are not seen; ask for more output times to see them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from anholonomy.algebra.arithmetic import evaluate
from anholonomy.algebra.expressions import Expr, Symbol, Vector, symbol
from anholonomy.base.errors import IntegrationError, UnknownNameError, quoted
from anholonomy.base.tolerances import MACHINE, ROUNDING
from anholonomy.language.arguments import expression
from anholonomy.language.names import is_title
from anholonomy.language.suggestions import near_symbol
from anholonomy.motion.events.contact_losses import EVENT, watched
from anholonomy.motion.observables.one_motion import quantities
from anholonomy.programs.backends.base import Array
from anholonomy.programs.backends.numpy import NumpyArithmetic
from anholonomy.system.model import Model
from anholonomy.system.states.speeds_from_rates import rates_in_speeds

__all__ = [
    "EACH",
    "NOISE",
    "Event",
    "Watchlist",
    "begun",
    "ended",
    "ends_low",
    "finer",
    "locate",
    "noise",
    "passes",
    "refined",
]


NOISE = 64
"""What the functions of events are computed from may be off by so many tolerances."""
_LEAST = 2000
"""Grid points of a motion that is searched for events, at least."""
EACH = 8
"""Samples for each step, which is about a radian of what is fastest."""
_LOW = 1e-3
"""A function ends low where it ends at less than this part of its largest value."""


@final
@dataclass(frozen=True)
class Watchlist:
    """Named functions to watch, and those whose zero ends the motion.

    The last of the functions are the multipliers of the one-sided constraints ``sided``, whose names are those of losses.
    """

    names: tuple[str, ...]
    functions: Vector
    stopping: frozenset[str]
    sided: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        declared: Model,
        model: Model,
        events: Mapping[str, object] | None,
        stop: str | Sequence[str],
        has_multipliers: bool = True,
        inputs: Mapping[str, Expr] | None = None,
    ) -> Watchlist:
        """Parse the user's events; every symbol must be one of the system's, or a quantity of its motion.

        Multipliers are numbered by the constraints of the system as ``declared``; ``model`` is what is integrated.
        """
        if events is not None and not isinstance(events, Mapping):
            raise IntegrationError(f"{model.name}: `events` is {events!r}; give a dict from names to expressions.")
        if not isinstance(stop, str | Sequence):
            raise IntegrationError(f"{model.name}: `stop` is {stop!r}; give the name of an event, or several.")
        if not events and not stop and not declared.one_sided:
            return cls((), (), frozenset())
        given = dict(events or {})
        if wrong := [name for name in given if not is_title(name)]:
            raise IntegrationError(f"{model.name}: an event has the name {quoted(wrong[0])}; give it a plain text.")
        meant = _quantities(declared, model, has_multipliers)
        meant |= {symbol(u): value for u, value in (inputs or {}).items()}
        functions = [_function(model, name, value, meant) for name, value in given.items()]
        sided = watched(declared, model) if has_multipliers else ()
        losses = dict(zip(map(EVENT.format, sided), sided, strict=True))
        if both := [name for name in losses if name in given]:
            raise UnknownNameError(
                f"{model.name}: the event {both[0]!r} has the name that the loss of {losses[both[0]]} has; rename it."
            )
        by_label = {c.label: multiplier for c, multiplier in zip(model.constraints, model.multipliers, strict=True)}
        functions += [by_label[label] for label in sided]
        stopping = [stop] if isinstance(stop, str) and stop else list(stop)
        names = (*given, *losses)
        if missing := [name for name in stopping if name not in names]:
            raise UnknownNameError(_no_such_stop(declared, missing[0], tuple(losses), has_multipliers))
        return cls(names, tuple(functions), frozenset(stopping), sided)

    def __bool__(self) -> bool:
        return bool(self.names)

    @property
    def own(self) -> int:
        """How many of the functions are the user's."""
        return len(self.names) - len(self.sided)


def _quantities(declared: Model, model: Model, has_multipliers: bool) -> dict[Symbol, Expr]:
    """What an event may use besides the names of the system, in the symbols of the integrated model."""
    known = {s: s for s in quantities(model) if s not in model.multipliers}
    if not has_multipliers:
        return known
    kept = {c.label: value for c, value in zip(model.constraints, model.multipliers, strict=True)}
    pairs = zip(declared.constraints, declared.multipliers, strict=True)
    return known | {multiplier: kept[c.label] for c, multiplier in pairs if c.label in kept}


def _function(model: Model, name: str, value: object, meant: Mapping[Symbol, Expr]) -> Expr:
    of_group = {**model.named, **rates_in_speeds(model)}
    _refuse_comparison(name, value)
    g = expression(value, f"the event {name!r}").xreplace(of_group)
    known = {name for name in (*model.names, *(s.name for s in meant)) if not name.startswith("$")}
    if unknown := sorted(s.name for s in g.free_symbols if s.name not in known):
        names = sorted(known - {s.name for s in meant} | {s.name for s in of_group})
        near = near_symbol(unknown[0], known)
        raise UnknownNameError(
            f"{model.name}: the event {name!r} uses {unknown[0]}, which the system does not know; "
            f"{f'did you mean {near}? ' if near else ''}the names are {', '.join(names)}, and of the motion {', '.join(s.name for s in meant)}."
        )
    return g.xreplace(dict(meant))


def _refuse_comparison(name: str, value: object) -> None:
    """An equation or inequality, `x = 1` or `x > 1`, is met where the difference of its sides passes through zero."""
    if not isinstance(value, str):
        return
    outside, more = value, 1
    while more:
        outside, more = re.subn(r"\([^()]*\)", lambda inner: " " * len(inner.group()), outside)
    if sides := re.search(r"[=<>!:]+", outside):
        left, right = value[: sides.start()].strip(), value[sides.end() :].strip()
        taken = f"({right})" if re.search(r"[-+]", right) else right
        raise IntegrationError(
            f"the event {name!r} is {quoted(value.strip())}, and an event is an expression that passes through zero; write "
            f"'{left if right == '0' else f'{left} - {taken}'}'."
        )


def _no_such_stop(model: Model, name: str, losses: tuple[str, ...], has_multipliers: bool) -> str:
    """Why a motion cannot stop there."""
    label = next((label for label in model.one_sided if EVENT.format(label) == name), None)
    if label is not None:
        why = "follows from others or they from it" if has_multipliers else "has no multiplier in a vakonomic motion"
        return (
            f"{model.name}: the motion is to stop at {name!r}, but {label} {why}, so its force is not determined; "
            "name another event."
        )
    found = f" (losses are {', '.join(map(repr, losses))})" if losses else ""
    return f"{model.name}: the motion is to stop at {name!r}, which is not among the events{found}; declare it in `events`."


@final
@dataclass(frozen=True)
class Event:
    """One zero of one function, with the integrated state there."""

    name: str
    time: float
    state: Array


def finer(steps: int, seen: int, size: int) -> int:
    """How many grid points a motion of so many ``steps`` needs, of which ``seen`` of ``size`` points were met; 0 where it had two for each step.

    >>> finer(100, 2000, 2000), finer(4000, 2000, 2000)
    (0, 32000)
    """
    return 0 if 2 * steps <= seen else min(EACH * steps * size // max(seen, 1), 1000 * _LEAST)


def refined(times: Array, least: int = _LEAST) -> tuple[Array, NDArray[np.intp]]:
    """A finer grid and the places of the given times in it.

    >>> fine, places = refined(np.array([0.0, 1.0]))
    >>> len(fine) >= 2000, fine[places]
    (True, array([0., 1.]))
    """
    if times.size < 2:
        return times, np.arange(times.size)
    pieces = max(1, -(-least // (times.size - 1)))
    fractions = np.arange(pieces) / pieces
    inner = (times[:-1, None] + np.diff(times)[:, None] * fractions).ravel()
    return np.append(inner, times[-1]), np.arange(times.size) * pieces


def passes(row: Array, floor: Array | float) -> list[tuple[int, int]]:
    """The pairs of grid places between which a function passes through zero; what is below ``floor`` is rounding.

    A zero at a single place counts, though the sign be the same on both sides; one that lasts does not.

    >>> passes(np.array([2.0, 1.0, -1e-16, 1e-16, -1.0]), 1e-15), passes(np.array([1.0, 1e-16, -1e-16, 1e-16]), 1e-15)
    ([(1, 4)], [])
    >>> passes(np.array([1.0, 0.0, 1.0, 2.0, 1e-16]), 1e-15)
    [(0, 1), (3, 4)]
    """
    signs = np.where(np.abs(row) > floor, np.sign(row), 0.0)
    places = np.flatnonzero(signs)
    turns = places[:-1][signs[places[:-1]] != signs[places[1:]]]
    found = [(int(i), int(places[np.searchsorted(places, i) + 1])) for i in turns]
    after = np.append(signs[2:], np.nan)
    alone = (signs[:-1] != 0) & (signs[1:] == 0) & (((row[1:] == 0.0) & (after == signs[:-1])) | np.isnan(after))
    return sorted([*found, *((int(i), int(i) + 1) for i in np.flatnonzero(alone) if not np.isnan(row[i + 1]))])


def begun(floor: Array | float, row: Array) -> Array:
    """The rounding of a function on a motion's first stretch; at its beginning, which is given in doubles, that of what it becomes within a step.

    >>> begun(0.0, np.array([1e-17, -1.0, -2.0])) > 0
    array([ True, False, False])
    """
    floors = np.full(row.shape, floor)
    soon = row[: EACH + 1]  # later it may have grown by orders of magnitude
    floors[0] = max(floors[0], NOISE * MACHINE * np.abs(soon[np.isfinite(soon)]).max(initial=0.0))
    return floors


def ended(floor: Array | float, row: Array, times: Array) -> Array:
    """The rounding of a function on a motion's last stretch; at its end that of what it changes by while time changes by rounding.

    A zero that is the end but for rounding would be met or not by chance otherwise.

    >>> ended(0.0, np.array([2.0, 1.0, 1e-15]), np.array([0.0, 1.0, 2.0])) > 0
    array([False, False,  True])
    """
    floors = np.full(row.shape, floor)
    if row.size > 1:
        pace = np.nan_to_num(abs((row[-1] - row[-2]) / (times[-1] - times[-2])), posinf=0.0)
        floors[-1] = max(floors[-1], begun(0.0, row[::-1])[0], ROUNDING * max(abs(times[0]), abs(times[-1])) * pace)
    return floors


def ends_low(row: Array) -> bool:
    """Whether a function ends so near to zero that it may be there: a stretch ends where a force jumps, perhaps at an event."""
    return bool(abs(row[-1]) <= _LOW * np.abs(row).max())


def locate(
    watch: Watchlist,
    times: Array,
    states: Array,
    passages: Sequence[tuple[int, int, int]],
    move: Callable[[float, Array, float], Array],
    value: Callable[[float, Array], Array],
    span: tuple[float, float],
) -> list[Event]:
    """The zeros between grid places, in order of time, up to the first that stops the motion.

    ``passages`` are two grid places, which may be the same, and the number of the function; ``move(t, x, s)`` is the state at
    ``s`` from ``x`` at ``t`` and ``value(t, x)`` the functions at a state. ``span`` is the time of the whole motion.
    """
    soonest, end = ROUNDING * abs(span[1] - span[0]), len(times)
    found: list[Event] = []
    for i, j, k in sorted(passages):
        if i >= end:  # behind the event that stopped the motion
            break
        name, state = watch.names[k], states[i]
        is_loss = k >= watch.own
        event = (
            Event(name, float(times[i]), state)
            if i == j
            else _refine(name, k, times[i], times[j], state, move, value, is_loss)
        )
        if event is None or not (is_loss or abs(event.time - span[0]) > soonest):
            continue
        found.append(event)
        if name in watch.stopping:
            end = min(end, j + (i == j))
    found.sort(key=lambda event: event.time * np.sign(times[-1] - times[0]))
    for count, event in enumerate(found, start=1):
        if event.name in watch.stopping:
            return found[:count]
    return found


def _refine(
    name: str,
    k: int,
    before: float,
    after: float,
    x: Array,
    move: Callable[[float, Array, float], Array],
    value: Callable[[float, Array], Array],
    jumps: bool,
) -> Event | None:
    """The zero between two times, or None where the function leaves its domain or jumps instead, unless it may."""
    from scipy.optimize import bisect, brentq

    def g(s: float) -> float:
        return float(value(s, move(before, x, s))[k])

    ends = g(before), g(after)
    # The grid's end point may evaluate to the other side of a rounding error when integrated again.
    if ends[1] == 0.0 or np.sign(ends[0]) == np.sign(ends[1]):
        time = after
    else:
        try:
            time = brentq(g, before, after, xtol=1e-15, rtol=1e-15)
        except RuntimeError:  # a zero of high order, where the function is flat
            time = bisect(g, before, after, xtol=1e-15, rtol=1e-15)
        except ValueError:  # not a number somewhere between
            return None
    state = move(before, x, float(time))
    # At a pole or a jump the sign changes while the function stays large; a force that jumps is lost all the same.
    if not abs(float(value(float(time), state)[k])) <= (10 if jumps else 1e-3) * max(map(abs, ends)):
        return None
    return Event(name, float(time), state)


# What rounding leaves of a function along a motion: a value counts as zero when it is no larger than that.
#
# Every input is off by a share $\rho$ of itself and every operation by the unit roundoff $\varepsilon$; errors add up,
#
# .. math:: \delta(u + v) = \delta u + \delta v + \varepsilon|u + v|, \qquad \delta f(u) = \max_\pm|f(u \pm \delta u) - f(u)| + \varepsilon|f(u)|
#
# so that the energy less its own value is zero all along, and a coordinate never is because it is small.


_Blurred: TypeAlias = tuple[Any, Any]
"""A value and what it may be off by."""


def noise(function: Expr, values: Mapping[Symbol, Array | float], share: float) -> Array:
    """What ``function`` may be off by where its symbols, each off by a ``share`` of itself, have the given values.

    >>> from anholonomy.algebra.expressions import symbol
    >>> x = symbol("x")
    >>> noise(x - 2, {x: np.array([2.0, 20.0])}, 1e-10).round(12)
    array([2.e-10, 2.e-09])
    """
    known: dict[Expr, _Blurred] = {s: (np.asarray(v), share * np.abs(v)) for s, v in values.items()}
    with np.errstate(all="ignore"):
        return np.asarray(evaluate(function, _BlurredArithmetic(), known)[1])


@final
class _BlurredArithmetic:
    """Every node of an expression with what it may be off by."""

    def __init__(self) -> None:
        self.plain = NumpyArithmetic()

    def number(self, value: Fraction | float) -> _Blurred:
        return self.plain.number(value), 0.0

    def pi(self) -> _Blurred:
        return self.plain.pi(), 0.0

    def add(self, terms: Sequence[_Blurred]) -> _Blurred:
        return _rounded(self.plain.add([v for v, _ in terms]), sum(e for _, e in terms))

    def multiply(self, factors: Sequence[_Blurred]) -> _Blurred:
        largest = self.plain.multiply([np.abs(v) + e for v, e in factors])
        product = self.plain.multiply([v for v, _ in factors])
        return _rounded(product, largest - np.abs(product))

    def power(self, base: _Blurred, exponent: int | Fraction) -> _Blurred:
        return _moved(lambda u: self.plain.power(u, exponent), [base])

    def general_power(self, base: _Blurred, exponent: _Blurred) -> _Blurred:
        return _moved(self.plain.general_power, [base, exponent])

    def function(self, name: str, arguments: Sequence[_Blurred]) -> _Blurred:
        return _moved(lambda *u: self.plain.function(name, u), arguments)


def _rounded(value: Any, error: Any) -> _Blurred:
    return value, error + MACHINE * np.abs(value)


def _moved(f: Callable[..., Any], arguments: Sequence[_Blurred]) -> _Blurred:
    """A function and how far it moves with each of its arguments."""
    here = [v for v, _ in arguments]
    value, error = f(*here), 0.0
    for k, (v, e) in enumerate(arguments):
        moved = [f(*here[:k], v + step, *here[k + 1 :]) for step in (e, -e)]
        error = error + np.maximum(*(np.nan_to_num(np.abs(m - value)) for m in moved))
    return _rounded(value, error)
