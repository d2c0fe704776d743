r"""The kinds of signal, one class each: all are expressions with coefficients that are constant between breaks.

.. math:: \tau = c_0 + c_1 s + c_2 s^2 + c_3 s^3, \quad s = t - t_k \qquad\text{or}\qquad \tau = f(q, w, t)

So the program is compiled once, is smooth between breaks, and takes new coefficients at each.
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeAlias, final

import numpy as np

from anholonomy.algebra.expressions import Expr, Symbol, symbol, time, zero
from anholonomy.language.writing import to_text
from anholonomy.programs.backends.base import Array

__all__ = [
    "AbstractSignal",
    "Affine",
    "Constant",
    "Continuous",
    "Feedback",
    "Held",
    "Law",
    "NotFinite",
    "Series",
    "State",
]

State: TypeAlias = Mapping[str, float]
Law: TypeAlias = Callable[[float, State], Any]
"""A user's function of time and state."""


class NotFinite(Exception):
    """What a user's function returned, or raised, instead of a number, in a sentence."""


class AbstractSignal(abc.ABC):
    """What an input does over time."""

    count: int = 0
    """How many coefficients it has."""
    asks_always: ClassVar[bool] = False
    """Whether its coefficient changes all the time, so that the integrator must ask for it."""

    @abc.abstractmethod
    def written(self, coefficients: tuple[Symbol, ...]) -> Expr:
        """The input as an expression."""

    def breaks(self, t: float, end: float) -> Array:
        """Times at which coefficients change, those between these among them."""
        return np.empty(0)

    def coefficients(self, t: float, forward: float, state: Callable[[], State]) -> tuple[float, ...]:
        """From a time on, as the motion goes."""
        return ()

    @abc.abstractmethod
    def words(self) -> Any:
        """In words that can be read again, as far as there are any."""

    def again(self) -> Any:
        """As a user may give it again."""
        return self.words()


@final
@dataclass(frozen=True)
class Feedback(AbstractSignal):
    """An expression of state and time, which becomes part of the program."""

    value: Expr

    def written(self, coefficients: tuple[Symbol, ...]) -> Expr:
        return self.value

    def words(self) -> Any:
        return to_text(self.value)


@final
@dataclass(frozen=True)
class Constant(AbstractSignal):
    """A number."""

    value: float
    count: int = 1

    def written(self, coefficients: tuple[Symbol, ...]) -> Expr:
        return coefficients[0]

    def coefficients(self, t: float, forward: float, state: Callable[[], State]) -> tuple[float, ...]:
        return (self.value,)

    def words(self) -> Any:
        return self.value


@final
@dataclass(frozen=True)
class Affine(AbstractSignal):
    """A gain, $c + \\sum_j k_j\\,(z_j - a_j - b_j t)$: its numbers are parameters, so that one program serves all gains."""

    offset: float
    terms: tuple[tuple[Expr, float, float, float], ...]
    text: str

    @property
    def count(self) -> int:  # type: ignore[override]
        return len(self.numbers)

    @property
    def numbers(self) -> tuple[float, ...]:
        return (
            self.offset,
            *(number for _, k, at, rate in self.terms for number in ((k, at, rate) if rate else (k, at))),
        )

    def written(self, coefficients: tuple[Symbol, ...]) -> Expr:
        numbers = iter(coefficients)
        found = next(numbers)
        for z, _, _, rate in self.terms:
            k, at = next(numbers), next(numbers)
            found += k * (z - at - (next(numbers) * time if rate else 0))
        return found

    def coefficients(self, t: float, forward: float, state: Callable[[], State]) -> tuple[float, ...]:
        return self.numbers

    def words(self) -> Any:
        return self.text


@final
@dataclass(frozen=True, eq=False)
class Series(AbstractSignal):
    """Data over time, a polynomial between each two knots; ``pieces`` has a row of coefficients for each knot."""

    times: Array
    values: Array
    interpolation: str
    pieces: Array
    count: int = 5

    def written(self, coefficients: tuple[Symbol, ...]) -> Expr:
        *c, begin = coefficients
        s, found = time - begin, zero
        for factor in reversed(c[: self.pieces.shape[1]]):
            found = found * s + factor
        return found

    def breaks(self, t: float, end: float) -> Array:
        return self.times

    def coefficients(self, t: float, forward: float, state: Callable[[], State]) -> tuple[float, ...]:
        # What is a few roundings from a knot is beyond it.
        t = t + forward * 1e-13 * max(abs(float(self.times[0])), abs(float(self.times[-1])))
        k = int(np.clip(np.searchsorted(self.times, t, "right") - 1, 0, len(self.pieces) - 1))
        row = np.zeros(4)
        row[: self.pieces.shape[1]] = self.pieces[k]
        return (*map(float, row), float(self.times[k]))

    def words(self) -> Any:
        return {"times": self.times.tolist(), "values": self.values.tolist(), "interpolation": self.interpolation}


@final
@dataclass(eq=False)
class Held(AbstractSignal):
    """A function that is asked every so often, and its answer held until the next time; ``samples`` are the answers."""

    name: str
    law: Law
    every: float
    begin: float
    samples: dict[int, tuple[float, float]] = field(default_factory=dict)
    count: int = 1

    def written(self, coefficients: tuple[Symbol, ...]) -> Expr:
        return coefficients[0]

    def breaks(self, t: float, end: float) -> Array:
        n = int(np.floor(abs(end - self.begin) / self.every + 1e-9))
        return np.asarray(self.begin + np.sign(end - self.begin) * self.every * np.arange(1, n + 1))

    def coefficients(self, t: float, forward: float, state: Callable[[], State]) -> tuple[float, ...]:
        k = int(np.floor(abs(t - self.begin) / self.every + 1e-6))
        if k not in self.samples:
            self.samples[k] = t, number(self.name, self.law, t, state())
        return (self.samples[k][1],)

    def words(self) -> Any:
        times, values = zip(*sorted(self.samples.values()), strict=True) if self.samples else ((), ())
        return {"times": list(times), "values": list(values), "interpolation": "previous"}

    def again(self) -> Any:
        return self.law, self.every


@final
@dataclass(frozen=True, eq=False)
class Continuous(AbstractSignal):
    """A function that the integrator asks at every stage of every step."""

    name: str
    law: Law
    count: int = 1
    asks_always = True

    def written(self, coefficients: tuple[Symbol, ...]) -> Expr:
        return coefficients[0]

    def coefficients(self, t: float, forward: float, state: Callable[[], State]) -> tuple[float, ...]:
        return (number(self.name, self.law, t, state()),)

    def words(self) -> Any:
        return {"function": getattr(self.law, "__name__", type(self.law).__name__)}

    def again(self) -> Any:
        return self.law


def number(name: str, law: Law, t: float, state: State) -> float:
    """What a user's function says, if it is a number."""
    try:
        said = law(t, state)
        value = float(np.asarray(said, dtype=float).reshape(()))
    except (KeyboardInterrupt, SystemExit):
        raise
    except Exception as problem:
        raise NotFinite(
            f"the function of the input {name} failed at t = {t:.6g}: {type(problem).__name__}: {problem}"
        ) from problem
    if not np.isfinite(value):
        raise NotFinite(f"the input {name} is not finite at t = {t:.6g}: its function returned {value}")
    return value


def coefficient_symbols(u: str, count: int) -> tuple[Symbol, ...]:
    """Names that no user can write."""
    return tuple(symbol(f"$in_{u}_{k}") for k in range(count))
