r"""Signals for many members: numbers become parameters, feedback is written out, data over time gives coefficients that change at its knots.

.. math:: \tau = \tau_i \ \text{(of member } i\text{)}, \qquad \tau = f(q, w, t), \qquad \tau = c_0 + c_1 s + \dots, \quad s = t - t_k
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, final

import numpy as np

from anholonomy.algebra.expressions import symbol, time
from anholonomy.base.errors import IntegrationError, NotSupportedError, quoted
from anholonomy.equations.derivation import Derivation
from anholonomy.language.arguments import finite
from anholonomy.motion.problem.one_motion import given_times
from anholonomy.motion.signals.driven_system import Driven
from anholonomy.motion.signals.reading import GivesInputs, read_signals
from anholonomy.motion.starts.many_motions import table
from anholonomy.programs.backends.base import Array
from anholonomy.system.declaration.inputs import feedback, refuse_unknown_input, written_inputs
from anholonomy.system.model import Model

__all__ = ["Given", "again", "at_times", "driven_by", "from_time", "joined", "legs", "span", "written_out"]


@final
class Given(NamedTuple):
    """A system whose inputs are data only, values of those that became parameters, and the data."""

    system: Any
    parameters: dict[str, Any]
    data: dict[str, Any]


def written_out(system: Model, inputs: Any, speeds: Mapping[str, str] | None = None) -> Given:
    """Write out what can be; a Python function, which every member would ask at every step, is refused."""
    if inputs is None and not system.inputs:
        return Given(system, {}, {})
    inputs = {} if inputs is None else inputs
    given = inputs.as_inputs() if isinstance(inputs, GivesInputs) else inputs
    if not isinstance(given, Mapping) and not callable(given):
        raise IntegrationError(f"{system.name}: `inputs` is {quoted(inputs)}; give a dict from inputs to signals.")
    signals = dict.fromkeys(system.inputs, given) if callable(given) else dict(given)
    numbers: dict[str, Any] = {}
    texts: dict[str, Any] = {}
    data: dict[str, Any] = {}
    for u, value in signals.items():
        refuse_unknown_input(system, u)
        if callable(getattr(value, "signal", value)) or (isinstance(value, tuple) and value and callable(value[0])):
            raise NotSupportedError(
                f"{system.name}: the input {u} is a Python function, which all members would ask at every step; give a number, one "
                "for each member, a text of feedback or data over time, or simulate them one by one."
            )
        text = getattr(getattr(value, "signal", value), "text", value)
        if isinstance(text, str) or hasattr(text, "free_symbols"):
            texts[u] = feedback(system, u, text, speeds)
        elif _is_for_members(value):
            numbers[u] = value
        else:
            data[u] = value
    if missing := [u for u in system.inputs if u not in signals]:
        raise IntegrationError(
            f"{system.name}: the input {missing[0]} has no signal; give one, such as inputs={{{missing[0]!r}: 0}}: a number, one for "
            "each member, a text of feedback, or data over time."
        )
    plain = written_inputs(system, texts | {u: symbol(u) for u in numbers})
    items = (*plain.parameter_items, *((u, _first(value)) for u, value in numbers.items()))
    plain = plain.replaced(parameter_items=items)
    return Given(plain, numbers, data)


def _is_for_members(value: Any) -> bool:
    """Whether it is a number, or one for each member."""
    if hasattr(value, "dims"):
        return tuple(value.dims) in ((), ("member",))
    return not hasattr(value, "to_numpy") and not hasattr(value, "signal") and _is_flat(value)


def _is_flat(value: Any) -> bool:
    try:
        return bool(np.ndim(value) <= 1) and not isinstance(value, Mapping)
    except ValueError:
        return False


def _first(value: Any) -> float | None:
    """What a single number is; members have their own otherwise."""
    return finite(value) if np.ndim(value) == 0 else None


def driven_by(system: Model, data: Mapping[str, Any], begin: float, end: float) -> Driven:
    """The system driven by data between two times."""
    if not data:
        return Driven(system, {}, {})
    return Driven(system, read_signals(system, data, None, begin, end, {}), {})


def span(system: Model, starts: Any, until: Any, times: Any) -> tuple[float, float]:
    """From when to when motions are asked for; numbers that are none are refused later."""
    if times is not None and until is None:
        grid = given_times(system, times)
        return float(grid[0]), float(grid[-1])
    begin = np.ravel(table(system, starts).get(time.name, 0.0))
    found = [finite(t) for t in (begin[0] if begin.size else 0.0, until)]
    return tuple(np.nan if t is None else t for t in found)  # type: ignore[return-value]


def again(derivation: Derivation, model: Model) -> Derivation:
    """How the equations of a model with its inputs written out are derived: as those with them were."""
    if model is derivation.model or not derivation.model.inputs:
        return derivation
    own = model if derivation.model.constraints == model.constraints else model.independent
    if derivation.speeds:
        return Derivation.of(own, derivation.principle, derivation.asked_speeds)
    return Derivation.for_all_values(own, derivation.principle)


def joined(system: Model, parameters: Any, numbers: Mapping[str, Any]) -> Any:
    """Parameters with the numbers of inputs."""
    if not numbers or not (parameters is None or isinstance(parameters, Mapping)):
        return parameters
    if both := [name for name in parameters or () if name in numbers]:
        raise IntegrationError(f"{system.name}: {both[0]} is in `inputs` and in `parameters`; give it once.")
    return {**(parameters or {}), **numbers}


def legs(driven: Driven, grid: Array) -> Array:
    """The ends of the parts of a motion in which coefficients stay, in its order; the first is its beginning."""
    begin, end = float(grid[0]), float(grid[-1])
    inner = driven.breaks(begin, end, grid)
    inner = inner[(np.sign(end - begin) * (end - inner)) > 0]
    return np.concatenate([[begin], inner, [end]])


def at_times(driven: Driven, p: Array, t: Array, forward: float) -> Array:
    """Parameters, a row for each time, with the coefficients that hold from it on."""
    if not driven:
        return p
    several = np.array(p)
    for when in np.unique(t[np.isfinite(t)]):
        rows = np.flatnonzero(t == when)
        several[rows] = from_time(driven, p[rows], float(when), forward)
    return several


def from_time(driven: Driven, p: Array, t: float, forward: float) -> Array:
    """The same rows with the coefficients that hold from one time on, which are the last columns."""
    first = driven.parameters(p[0], t, forward, dict)
    size = sum(signal.count for signal in driven.signals.values())
    if p.strides[0] == 0:
        return np.broadcast_to(first, p.shape)
    return np.hstack([p[:, : p.shape[1] - size], np.broadcast_to(first[p.shape[1] - size :], (len(p), size))])
