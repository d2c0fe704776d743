r"""A motion beside that of a bracket in a new time, and how much of a bracket there is.

.. math:: \frac{dx}{d\tau} = f^{-1}\{x, h\}, \qquad d\tau = f\,dt, \qquad x = (\gamma, M)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from anholonomy.analysis.along_motions import ABSOLUTE, RELATIVE, expect_motion
from anholonomy.analysis.multipliers.new_time import integrated_along, refuse_turning_back
from anholonomy.formulations.almost_poisson import AlmostPoisson
from anholonomy.formulations.reduction.quotient import Quotient
from anholonomy.refusals import InadmissibleState, NotCovered
from anholonomy.simulate.trajectories.from_dataset import parameters_of
from anholonomy.symbolic.calculus import gradient
from anholonomy.symbolic.expressions import Expr, matrix_vector, zero
from anholonomy.symbolic.numbers.doubles import in_doubles
from anholonomy.system.frames.adapted import adapted_frame
from anholonomy.system.model import Model

__all__ = ["apart_in_new_time", "rank_of"]

_NEAR = 0.1
"""Below this part of its largest value a pivot counts as near zero."""


def rank_of(form: AlmostPoisson) -> int:
    """The rank of a bracket at a generic point, in doubles."""
    model = form.model
    entries = [e for row in form.matrix_xy for e in row]
    inputs = sorted({*form.variables, *(s for e in entries for s in e.free_symbols)}, key=str)
    at = in_doubles(inputs, entries)
    if at is None:
        return 0
    rng, best, on = np.random.default_rng(3), 0, model.frame.orbit
    for _ in range(4):
        values = dict(zip(inputs, rng.uniform(0.4, 1.6, len(inputs)), strict=True))
        if on is not None:
            import random

            found = on.point(list(on.tied), random.Random(int(rng.integers(1 << 30))), 1, 20)
            values |= {q: float(v) for q, v in found.items()}
        table = np.asarray(at([float(values[s]) for s in inputs]), dtype=float).reshape(len(form.variables), -1)
        if np.isfinite(table).all():
            best = max(best, int(np.linalg.matrix_rank(table, tol=1e-8 * np.abs(table).max())))
    return best


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
        raise InadmissibleState(
            f"{form.model.name}: what its momenta divide by is nearly zero all along this motion; begin elsewhere."
        )
    for part in stretches:
        again = _integrated(lambda x: sign * rates(x), seen[part][0], tau[part])
        apart = max(apart, float(np.abs(again - seen[part]).max() / max(1.0, np.abs(seen[part]).max())))
    return apart


def _apart_with_logarithm(
    seen: np.ndarray, tau: np.ndarray, form: AlmostPoisson, field: list[Expr], given: dict[str, float]
) -> float:
    """The same where the logarithm of the multiplier is one more variable, zero at the start."""
    rates = _function(form.model, form.variables, field, given)
    start = np.array([*seen[0], 0.0])
    again = _integrated(lambda x: rates(x[:-1]) * np.exp(-x[-1]), start, tau)[:, :-1]
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
        raise NotCovered(
            f"{model.name}: its bracket has no numbers that are doubles, so that no motion can be checked."
        )
    return lambda x: np.asarray(found(list(map(float, x))), dtype=float).ravel()


def _integrated(rates: Any, start: np.ndarray, tau: np.ndarray) -> np.ndarray:
    from scipy.integrate import solve_ivp

    found = solve_ivp(
        lambda _, x: rates(x), (float(tau[0]), float(tau[-1])), start, "DOP853", tau, rtol=RELATIVE, atol=ABSOLUTE
    )
    return np.asarray(found.y.T)
