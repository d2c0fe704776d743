r"""The new time $\tau = \int f\,dt$: along a motion, as a function of time, and the system that moves in it.

.. math:: \tau(t) = \int_0^t f\,ds, \qquad \ln f(t) = \ln f(0) + \int_0^t (\psi_iw^i + \psi_t)\,ds

Along a motion both are integrated by Gauss's quadrature between its samples, which are taken closer until the last digits stay. Where a
closed form of $f$ jumps on the way, as $e^{\arctan(x/y)}$ at $y = 0$, it is followed from its start by its differential. The new time grows: it is $|f|$ that counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import symengine

from anholonomy.analysis.along_motions import NODES, fine_times, gauss, integral_along, settled
from anholonomy.analysis.at_states import value_at
from anholonomy.analysis.closed_forms.primitives import primitive
from anholonomy.geometry.frames.frame import Frame
from anholonomy.language import to_text
from anholonomy.refusals import IntegrationProblem
from anholonomy.symbolic.calculus import partial
from anholonomy.symbolic.display.simplify import simplify
from anholonomy.symbolic.expressions import Expr, Symbol, from_sympy, identity, symbol, time, to_sympy, unused
from anholonomy.symbolic.zero import is_zero
from anholonomy.system.declaration.declare import declare
from anholonomy.system.model import Model
from anholonomy.tolerances import HALF

if TYPE_CHECKING:
    import xarray as xr

__all__ = [
    "CLOCK",
    "LINE",
    "LOGARITHM",
    "TAU",
    "exp_line_integral",
    "integrated_along",
    "jumps_on",
    "new_times",
    "old_times",
    "refuse_turning_back",
    "time_map",
    "with_companions",
]

TAU = symbol("tau")
CLOCK, LOGARITHM = symbol("clock"), symbol("lnf")
"""Coordinates of a system in the new time where the old one, or the multiplier, is not known in closed form."""

LINE = Frame.chart((CLOCK,))
"""The old time as a chart, on which functions of it are integrated."""

_PIECES = 16
"""Parts of an interval on each of which a function is integrated by one quadrature."""
_ROUNDS = 6
"""Newton's steps from a sample to a time near by."""


@lru_cache(maxsize=64)
def time_map(f: Expr | None) -> tuple[Expr | None, Expr | None]:
    r"""$\tau(t)$ with $\tau(0) = 0$ and its inverse, as far as they were found, of a multiplier that depends on time alone.

    >>> k = symbol("k")
    >>> time_map(symengine.exp(k * time))
    ((-1 + exp(k*t))/k, log(1 + k*tau)/k)
    """
    if f is None or time not in f.free_symbols:
        return None, None
    found = primitive(LINE, identity(1), [f.xreplace({time: CLOCK})])
    if found is None:
        return None, None
    found = found.xreplace({CLOCK: time})
    tau = simplify(found - found.xreplace({time: symengine.Integer(0)}))
    return tau, _inverse(tau)


def _inverse(tau: Expr) -> Expr | None:
    r"""The one solution of $\tau(t) = \tau$, proven by putting it in."""
    import sympy

    positive = {s: sympy.Symbol(s.name, positive=True) for s in to_sympy(tau).free_symbols}
    t = positive[sympy.Symbol(time.name)]
    new = sympy.Symbol(TAU.name, positive=True)
    try:
        solutions = sympy.solve(to_sympy(tau).xreplace(positive) - new, t)
    except (NotImplementedError, TypeError, ValueError):
        return None
    if len(solutions) != 1:
        return None
    found = simplify(from_sympy(solutions[0]))
    # Substitution alone may leave a logarithm of an exponential; slopes settle it, and so does the value at 0.
    slope = partial(found, TAU).xreplace({TAU: tau}) * partial(tau, time)
    begins = found.xreplace({TAU: symengine.Integer(0)})
    return found if is_zero(slope - 1) and is_zero(begins) else None


def integrated_along(run: Any, f: Expr | None, rate: Expr) -> tuple[np.ndarray, float]:
    r"""$\tau$ at the samples of a motion, and $f$ at its start, taken positive; ``rate`` is $d(\ln f)/dt$, and zero where $f$ alone is known."""
    times = np.asarray(run.time.values, dtype=float)
    start = 1.0 if f is None else float(run[f][0])
    sign = 1.0 if start > 0 else -1.0
    if jumps_on(run, f, rate):
        f, sign = None, abs(start)
    return sign * settled(lambda parts: _quadrature(run, times, f, rate, parts)), abs(start)


def jumps_on(run: Any, f: Expr | None, rate: Expr) -> bool:
    """Whether a closed form of a multiplier leaves on a motion what its differential makes of its start."""
    if f is None or rate == 0:
        return False
    with np.errstate(all="ignore"):
        values = np.broadcast_to(np.asarray(run[f].values, dtype=float), run.time.shape)
        if not np.isfinite(values).all() or values.min() * values.max() <= 0:
            return False
        followed = integral_along(run, lambda part: np.broadcast_to(part[rate].values, part.time.shape))
        apart = np.abs(np.log(values / values[0]) - followed).max()
    return bool(np.isfinite(followed).all() and apart > HALF * max(1.0, np.abs(followed).max()))


def _quadrature(run: Any, times: np.ndarray, f: Expr | None, rate: Expr, parts: int) -> np.ndarray:
    nodes, weights, stages = gauss(NODES)
    fine, steps, at = fine_times(times, parts, nodes)
    dense = run.at(at.ravel().tolist())
    if f is not None:
        values = dense[f].values.reshape(at.shape)
    else:
        rates = dense[rate].values.reshape(at.shape)
        ends = np.concatenate([[0.0], np.cumsum(steps * (rates @ weights))])
        values = np.exp(ends[:-1, None] + steps[:, None] * (rates @ stages.T))
    total = np.concatenate([[0.0], np.cumsum(steps * (values @ weights))])
    return np.asarray(total[np.searchsorted(fine, times)])


def new_times(run: Any, f: Expr | None, rate: Expr) -> xr.DataArray:
    r"""$\tau$ at the samples of a motion, 0 at its start."""
    found: xr.DataArray = run.time.copy(data=integrated_along(run, f, rate)[0]).rename("tau")
    return found


def old_times(run: Any, f: Expr | None, rate: Expr, wanted: Any) -> xr.DataArray:
    r"""$t$ where $\tau(t)$ has the values wanted, by Newton's steps from the sample before it."""
    import xarray as xr

    tau = _numbers(wanted)
    t, (known, scale) = np.asarray(run.time.values, dtype=float), integrated_along(run, f, rate)
    f = None if jumps_on(run, f, rate) else f
    refuse_turning_back(known)
    if tau.size and not (tau.min() >= 0 and tau.max() <= known[-1]):
        raise IntegrationProblem(f"tau goes from 0 to {known[-1]:.6g} on this motion; give values between them.")
    left = np.clip(np.searchsorted(known, tau, side="right") - 1, 0, len(t) - 2)
    growth = np.zeros_like(t) if f is not None else integral_along(run, lambda part: part[rate].values)
    nodes, weights, stages = gauss(NODES)
    guess = np.interp(tau, known, t)
    for _ in range(_ROUNDS):
        steps = (guess - t[left])[:, None]
        at, place = np.unique(t[left][:, None] + steps * nodes, return_inverse=True)
        seen = run.at(at.tolist())[rate if f is None else f].values[place].reshape(len(tau), NODES)
        values = abs(seen) if f is not None else scale * np.exp(growth[left][:, None] + steps * (seen @ stages.T))
        missed = known[left] + steps[:, 0] * (values @ weights) - tau
        guess = np.clip(guess - missed / values[:, -1], t[left], t[-1])
    return xr.DataArray(guess, coords={"tau": tau}, dims="tau", name="t")


def refuse_turning_back(tau: np.ndarray) -> None:
    """Refuse a motion on which the multiplier changes its sign."""
    if (np.diff(tau) <= 0).any():
        raise IntegrationProblem(
            "tau turns back on this motion, so that it does not tell the time; ask on a shorter one."
        )


def _numbers(wanted: Any) -> np.ndarray:
    try:
        return np.atleast_1d(np.asarray(wanted, dtype=float))
    except (TypeError, ValueError):
        raise IntegrationProblem(f"tau is {wanted!r:.60}; give numbers.") from None


def exp_line_integral(model: Model, base: Model, form: Mapping[Symbol, Expr], state: Mapping[str, object]) -> float:
    """The exponential of a form integrated from the origin to a state, on a straight line."""
    way = unused("s", base.names.__contains__)
    place = {q: value_at(model, q, state, "the multiplier") for q in form}
    line = {q: way * symengine.RealDouble(end) for q, end in place.items()}
    rate = symengine.Add(*(entry.xreplace(line) * symengine.RealDouble(place[q]) for q, entry in form.items()))
    nodes, weights, _ = gauss(NODES)
    _, steps, at = fine_times(np.array([0.0, 1.0]), _PIECES, nodes)
    rates = [[value_at(model, rate, {way.name: float(s)}, "the multiplier") for s in piece] for piece in at]
    return float(np.exp(steps @ (np.array(rates) @ weights)))


def with_companions(base: Model, lagrangian: Expr, forces: Mapping[str, Expr], rates: Mapping[Expr, Expr]) -> Model:
    """The system with further coordinates whose rates are given: the old time, or the logarithm of the multiplier."""
    return declare(
        name=f"{base.name}, in its own time",
        coordinates={**base.own_coordinates, **{q.name: "" for q in rates}},
        group=base.group or None,
        lagrangian=to_text(lagrangian),
        constraints={q.name: f"{q.name}' = {to_text(rate)}" for q, rate in rates.items()},
        forces={name.removesuffix("'"): to_text(F) for name, F in forces.items()},
        parameters=dict(base.parameters),
    )
