"""Signals as users give them: numbers, texts of feedback, data over time, Python functions of time and state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from numbers import Number
from typing import Any, Protocol, final, runtime_checkable

import numpy as np

from anholonomy.base.errors import IntegrationError, quoted
from anholonomy.base.notebook import Shown
from anholonomy.language.arguments import finite
from anholonomy.motion.signals.kinds import AbstractSignal, Affine, Constant, Continuous, Feedback, Held, Series, State
from anholonomy.programs.backends.base import Array
from anholonomy.system.declaration.inputs import feedback, refuse_unknown_input
from anholonomy.system.model import Model

__all__ = ["GivesInputs", "Linear", "Signal", "read_signals"]

_INTERPOLATIONS = ("linear", "previous", "cubic")


@final
@dataclass(frozen=True)
class Signal(Shown):
    """A signal with its manner of sampling: a function asked ``every`` so often and held between, or data with an ``interpolation``.

    Parameters
    ----------
    signal
        A Python function of time and state, or data: a pair of times and values, an xarray array over time, a pandas series.
    every
        The sampling time of a function.
    interpolation
        How data goes on between its times: ``"linear"``, ``"previous"`` (each value lasts until the next) or ``"cubic"``, a spline
        with continuous second derivatives.
    """

    signal: Any
    every: float | None = None
    interpolation: str = "linear"

    def __post_init__(self) -> None:
        if self.interpolation not in _INTERPOLATIONS:
            raise IntegrationError(
                f"there is no interpolation {quoted(self.interpolation)}; there are {', '.join(_INTERPOLATIONS)}."
            )
        if callable(self.signal):
            _check_every(self.every)


@final
@dataclass(frozen=True)
class Linear:
    """Feedback that is linear in named quantities, $c + \\sum k\\,(z - z_0 - \\dot z_0 t)$, whose numbers are parameters of the program."""

    offset: float
    terms: tuple[tuple[str, float, float, float], ...]

    @property
    def text(self) -> str:
        """The same as a text of feedback."""
        parts = [_term(name, *numbers) for name, *numbers in self.terms]
        return " + ".join([repr(self.offset), *parts])


def _term(name: str, k: float, at: float, rate: float) -> str:
    return f"({k!r})*({name} - ({at!r}){f' - ({rate!r})*t' if rate else ''})"


@runtime_checkable
class GivesInputs(Protocol):
    """Something that knows the signals of a system, such as a gain."""

    def as_inputs(self) -> Any:
        """A signal by the name of each input, or one function for all."""


def read_signals(
    model: Model, given: Any, sampling: float | None, begin: float, end: float, speeds: Mapping[str, str]
) -> dict[str, AbstractSignal]:
    """The signal of every input of a model for a motion between two times."""
    if isinstance(given, GivesInputs):
        given = given.as_inputs()
    if sampling is not None:
        _check_every(sampling)
    if callable(given) and not isinstance(given, Mapping):
        shared = _Shared(given)
        given = {u: partial(shared, u) for u in model.inputs}
    if given is not None and not isinstance(given, Mapping):
        raise IntegrationError(f"{model.name}: `inputs` is {quoted(given)}; give a dict from inputs to signals.")
    given = dict(given or {})
    for u in given:
        refuse_unknown_input(model, u)
    if missing := [u for u in model.inputs if u not in given]:
        raise IntegrationError(
            f"{model.name}: the input {missing[0]} has no signal; give one, such as inputs={{{missing[0]!r}: 0}}: a number, a text "
            "of feedback, data over time, or a function of time and state."
        )
    if sampling is not None and not any(map(callable, given.values())):
        raise IntegrationError(f"{model.name}: sampling={sampling!r} is for inputs that are Python functions; drop it.")
    return {u: _signal(model, u, given[u], sampling, (begin, end), speeds) for u in model.inputs}


def _signal(
    model: Model, u: str, value: Any, sampling: float | None, span: tuple[float, float], speeds: Mapping[str, str]
) -> AbstractSignal:
    if isinstance(value, Mapping):
        value = _from_words(model, u, value)
    if isinstance(value, tuple) and len(value) == 2 and callable(value[0]):
        value = Signal(*value)
    how = value if isinstance(value, Signal) else Signal(value) if not callable(value) else None
    signal = how.signal if how is not None else value
    if callable(signal):
        every = sampling if how is None else how.every
        return Continuous(u, signal) if every is None else Held(u, signal, float(every), span[0])
    assert how is not None
    if isinstance(signal, Linear):
        return Affine(
            signal.offset, tuple((feedback(model, u, name), *rest) for name, *rest in signal.terms), signal.text
        )
    if isinstance(signal, str) or hasattr(signal, "free_symbols"):
        return Feedback(feedback(model, u, signal, speeds))
    if isinstance(signal, Number | np.generic):
        if (number := finite(signal)) is not None:
            return Constant(number)
        raise IntegrationError(f"{model.name}: the input {u} is {quoted(signal)}, which is not finite; give a number.")
    return _series(model, u, *_data(model, u, signal), how.interpolation, span)


def _check_every(every: object) -> None:
    if (size := finite(every)) is None or not size > 0:
        raise IntegrationError(f"a function is asked every {quoted(every)}; give a sampling time, such as every=0.01.")


def _from_words(model: Model, u: str, words: Mapping[str, Any]) -> Signal:
    """Data in the words of a saved motion."""
    if "function" in words:
        raise IntegrationError(
            f"{model.name}: the input {u} was the Python function {words['function']}, which no file keeps; give `inputs`, or simulate again."
        )
    if not {"times", "values"} <= set(words):
        raise IntegrationError(f"{model.name}: the input {u} is a dict without times and values; give a pair of them.")
    return Signal((words["times"], words["values"]), interpolation=words.get("interpolation", "linear"))


def _data(model: Model, u: str, given: Any) -> tuple[Array, Array]:
    """Times and values, from whatever holds both."""
    if hasattr(given, "dims") and hasattr(given, "coords"):
        if tuple(given.dims) != ("time",):
            raise IntegrationError(
                f"{model.name}: the data of the input {u} has the dimensions {tuple(given.dims)}; give an array over time alone."
            )
        pair: Any = (given["time"].values, given.values)
    elif hasattr(given, "index") and hasattr(given, "to_numpy"):
        pair = (given.index.to_numpy(), given.to_numpy())
    else:
        pair = given
    try:
        times, values = (np.asarray(each, dtype=float) for each in pair)
    except (TypeError, ValueError):
        raise IntegrationError(
            f"{model.name}: the input {u} is {quoted(given)}; give a number, a text of feedback, a pair of times and values, an "
            "array or series over time, or a function of time and state."
        ) from None
    if times.ndim != 1 or times.shape != values.shape or not times.size:
        raise IntegrationError(
            f"{model.name}: the data of the input {u} has {times.size} times and {values.size} values; give one value for each time."
        )
    if not (np.isfinite(times).all() and np.isfinite(values).all()):
        raise IntegrationError(
            f"{model.name}: the data of the input {u} is not finite everywhere; leave such times out."
        )
    if not (np.diff(times) > 0).all():
        raise IntegrationError(
            f"{model.name}: the times of the input {u} must increase from each to the next; sort them."
        )
    return times, values


def _series(model: Model, u: str, times: Array, values: Array, interpolation: str, span: tuple[float, float]) -> Series:
    low, high = min(span), max(span)
    slack = 1e-12 * max(abs(low), abs(high))
    late = interpolation != "previous" and times[-1] < high - slack
    if times[0] > low + slack or late:
        raise IntegrationError(
            f"{model.name}: the data of the input {u} is from t = {times[0]:g} to {times[-1]:g} and the motion from {low:g} to "
            f"{high:g}; give data for all of it, or a shorter motion."
        )
    if interpolation == "previous" or times.size == 1:
        return Series(times, values, interpolation, values[:, None])
    if interpolation == "cubic" and times.size > 2:
        from scipy.interpolate import CubicSpline

        return Series(times, values, interpolation, np.asarray(CubicSpline(times, values).c[::-1].T))
    return Series(times, values, interpolation, np.column_stack([values[:-1], np.diff(values) / np.diff(times)]))


@final
class _Shared:
    """One function for all inputs, asked once at a time and state."""

    def __init__(self, law: Callable[[float, State], Mapping[str, Any]]) -> None:
        self.law, self.key, self.said = law, None, {}
        self.__name__ = getattr(law, "__name__", type(law).__name__)

    key: object
    said: Mapping[str, Any]

    def __call__(self, u: str, t: float, state: State) -> Any:
        if (key := (t, tuple(state.values()))) != self.key:
            self.said, self.key = self.law(t, state), key
        return self.said[u]
