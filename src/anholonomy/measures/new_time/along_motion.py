r"""The new time along a motion and its inverse, and the distance of the motion from that of the bracket in the new time.

.. math:: \tau(t) = \int_0^t f\,ds, \qquad \ln f(t) = \ln f(0) + \int_0^t (\psi_iw^i + \psi_t)\,ds, \qquad
   \frac{dx}{d\tau} = f^{-1}\{x, h\}, \quad x = (\gamma, M)

Along a motion both integrals are taken by Gauss's quadrature between its samples, which are taken closer until the last digits stay. Where a
closed form of $f$ jumps on the way, as $e^{\arctan(x/y)}$ at $y = 0$, it is followed from its start by its differential. The new time grows: it is $|f|$ that counts.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import symengine

from anholonomy.algebra.calculus import gradient, partial
from anholonomy.algebra.expressions import (
    Expr,
    from_sympy,
    identity,
    matrix_vector,
    symbol,
    time,
    to_sympy,
    zero,
)
from anholonomy.algebra.numbers.doubles import in_doubles
from anholonomy.algebra.simplification.simplify import simplify
from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.errors import IntegrationError, NotSupportedError, StateError, quoted
from anholonomy.base.tolerances import GATHERED, HALF, snapped
from anholonomy.equations.almost_poisson import AlmostPoisson
from anholonomy.equations.reduction.quotient import Quotient
from anholonomy.geometry.frame import Frame
from anholonomy.laws.evaluation import (
    NODES,
    expect_motion,
    fine_times,
    gauss,
    integral_along,
    settled,
    solution_at,
)
from anholonomy.laws.primitives import primitive
from anholonomy.motion.dataset.one_motion import parameters_of
from anholonomy.system.frames.adapted import adapted_frame
from anholonomy.system.model import Model

if TYPE_CHECKING:
    import xarray as xr

__all__ = [
    "CLOCK",
    "LINE",
    "LOGARITHM",
    "TAU",
    "integrated_along",
    "jumps_on",
    "new_times",
    "old_times",
    "refuse_turning_back",
    "time_map",
    "apart_in_new_time",
]


TAU = symbol("tau")
CLOCK, LOGARITHM = symbol("clock"), symbol("lnf")
"""Coordinates of a system in the new time where the old one, or the multiplier, is not known in closed form."""

LINE = Frame.chart((CLOCK,))
"""The old time as a chart, on which functions of it are integrated."""

_ROUNDS = 6
"""Newton's steps from a sample to a time near by."""
_NEAR = 0.1
"""Below this part of its largest value a pivot counts as near zero."""


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
    """True if a closed form of a multiplier leaves on a motion what its differential makes of its start."""
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

    t, (known, scale) = np.asarray(run.time.values, dtype=float), integrated_along(run, f, rate)
    f = None if jumps_on(run, f, rate) else f
    refuse_turning_back(known)
    # The last tau is an integral, and the same motion with other samples gives another sum for it.
    tau = snapped(_numbers(wanted), 0.0, float(known[-1]), GATHERED)
    if tau.size and not (tau.min() >= 0 and tau.max() <= known[-1]):
        raise IntegrationError(f"tau goes from 0 to {known[-1]:.6g} on this motion; give values between them.")
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
        raise IntegrationError(
            "tau turns back on this motion, so that it does not tell the time; ask on a shorter one."
        )


def _numbers(wanted: Any) -> np.ndarray:
    try:
        return np.atleast_1d(np.asarray(wanted, dtype=float))
    except (TypeError, ValueError):
        raise IntegrationError(f"tau is {quoted(wanted)}; give numbers.") from None


def apart_in_new_time(
    run: Any, form: AlmostPoisson, f: Expr | None, above: Expr, quotient: Quotient | None, rate: Expr = zero
) -> float:
    r"""The largest distance between a motion and the one of $f^{-1}\{\,,\}$ in the new time from its start, relative to its size.

    ``f`` is the multiplier in the coordinates of the bracket and ``above`` in those of the motion. Without a closed form ``above`` and ``rate`` are the rate of its
    logarithm, there and in the coordinates of the bracket, and the logarithm is integrated with the motion.
    """
    seen = _along(run, form, quotient)
    tau, _ = integrated_along(run, above, zero) if f is not None else integrated_along(run, None, above)
    refuse_turning_back(tau)
    given = parameters_of(run.data)
    field = matrix_vector(form.matrix_xy, gradient(form.hamiltonian, form.variables))
    if f is None:
        return _apart_with_logarithm(
            seen,
            tau,
            form,
            [*field, rate.xreplace(dict(zip(form.model.velocities, form.velocities, strict=True)))],
            given,
        )
    rates = _function(form.model, form.variables, [e / f for e in field], given)
    sign = 1.0 if float(run[above][0]) > 0 else -1.0
    apart = 0.0
    stretches = _stretches(form.model, seen, given)
    if not stretches:
        raise StateError(
            f"{form.model.name}: what its momenta divide by is nearly zero all along this motion; begin elsewhere."
        )
    for part in stretches:
        again = _followed(form.model, lambda x: sign * rates(x), seen[part][0], tau[part])
        apart = max(apart, float(np.abs(again - seen[part]).max() / max(1.0, np.abs(seen[part]).max())))
    return apart


def _followed(model: Model, rates: Callable[[Any], np.ndarray], start: np.ndarray, tau: np.ndarray) -> np.ndarray:
    """The motion of a bracket at new times, from its start at the first."""
    found = solution_at(tau, lambda _, x: rates(x), float(tau[0]), start)
    if found is None:
        raise StateError(
            f"{model.name}: in the new time the motion of its bracket does not exist until the end; begin elsewhere."
        )
    return found


def _apart_with_logarithm(
    seen: np.ndarray, tau: np.ndarray, form: AlmostPoisson, field: list[Expr], given: dict[str, float]
) -> float:
    """The same where the logarithm of the multiplier is one more variable, zero at the start."""
    rates = _function(form.model, form.variables, field, given)
    start = np.array([*seen[0], 0.0])
    again = _followed(form.model, lambda x: rates(x[:-1]) * np.exp(-x[-1]), start, tau)[:, :-1]
    return float(np.abs(again - seen).max() / max(1.0, np.abs(seen).max()))


def _stretches(model: Model, seen: np.ndarray, given: dict[str, float]) -> list[slice]:
    """The parts of a motion on which nothing that the momenta divide by comes near zero."""
    pivots = [e for e in adapted_frame(model).pivots if not e.is_Number]
    good = np.ones(len(seen), dtype=bool)
    if pivots:
        width, at = len(model.coordinates), _function(model, model.coordinates, pivots, given)
        values = np.array([at(row[:width]) for row in seen])
        good = (np.abs(values) >= _NEAR * np.abs(values).max(axis=0)).all(axis=1)
    ends = np.flatnonzero(np.diff(np.concatenate([[False], good, [False]]).astype(int)))
    return [slice(a, b) for a, b in ends.reshape(-1, 2) if b - a > 1]


def _along(run: Any, form: AlmostPoisson, quotient: Quotient | None) -> np.ndarray:
    """The variables of a bracket at the samples of a motion of its system, or of the one that it was divided from."""
    own, model = form.model, run.model
    given = parameters_of(run.data)
    if quotient is None or model.coordinates == own.coordinates:
        expect_motion(run, own)
        places = [run[q.name].values for q in own.coordinates]
        speeds = [run[w.name].values for w in own.velocities]
    else:
        expect_motion(run, quotient.model)
        space = quotient.space
        places = [_sampled(run, quotient.model.frame.in_coordinates(e)) for e in space.invariants.values()]
        places += [run[q.name].values for q in space.kept]
        speeds = _speeds(run, quotient)
    x = np.array([*places, *speeds]).T
    momenta = _function(own, (*own.coordinates, *own.velocities), list(form.definitions), given)
    return np.array([[*row[: len(places)], *momenta(row)] for row in x])


def _sampled(run: Any, e: Expr) -> np.ndarray:
    found = np.asarray(run[e].values, dtype=float)
    return np.broadcast_to(found, run.time.shape)


def _speeds(run: Any, quotient: Quotient) -> list[np.ndarray]:
    """The speeds along invariant directions, from the velocities of a motion."""
    carried, model = quotient.carried, quotient.model
    if carried.has_own_directions:
        return [_sampled(run, e) for e in carried.speeds_of({w: w for w in model.velocities})]
    own = {w: np.asarray(run[w.name].values, dtype=float) for w in model.velocities}
    in_coordinates = model.frame.in_coordinates
    span = np.array([[_sampled(run, in_coordinates(e)) for e in row] for row in carried.span_above])
    w = np.array(list(own.values()))
    found = [np.linalg.lstsq(span[:, :, k].T, w[:, k], rcond=None)[0] for k in range(w.shape[1])]
    return list(np.array(found).T)


def _function(model: Model, inputs: Any, entries: list[Expr], given: dict[str, float]) -> Any:
    """Entries as a function of doubles, parameters put in."""
    values = {s: given[s.name] for s in model.parameter_symbols if s.name in given}
    found = in_doubles(inputs, [model.frame.in_coordinates(e).xreplace(values) for e in entries])
    if found is None:
        raise NotSupportedError(
            f"{model.name}: its bracket has no numbers that are doubles, so that no motion can be checked."
        )
    return lambda x: np.asarray(found(list(map(float, x))), dtype=float).ravel()
