r"""A state from a plain dict: names checked, velocities completed, constraints verified.

Velocities that the constraints determine may be left out. A state that violates the constraints is refused with
its residual and the nearest admissible state, or projected when asked.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from numbers import Real

import flint
import numpy as np

from anholonomy.refusals import InadmissibleState
from anholonomy.symbolic.balls import Ball, ball
from anholonomy.symbolic.expressions import Symbol, symbol, time
from anholonomy.system.model import Model
from anholonomy.system.sampling import Point, evaluate_at, nearest

__all__ = ["complete_state"]

TOLERANCE = 1e-10
"""A residual up to this, relative to the size of the terms, is rounding in the numbers a user typed."""

_DIGITS = 30


def complete_state(model: Model, given: Mapping[str, object], project: bool = False) -> Point:
    """The full admissible state that ``given`` describes; use inside ``with precision(…)``.

    ``given`` holds coordinates, velocities, and optionally ``t`` and parameters (which override those of the system).
    """
    if not isinstance(given, Mapping):
        raise InadmissibleState(f"{model.name}: the state is {given!r:.60}; give a dict from names to numbers.")
    _refuse_unknown(model, given)
    values = {symbol(name): _number(model, name, value) for name, value in given.items()}
    for name, value in model.parameter_items:
        if (p := symbol(name)) not in values:
            if value is None:
                raise InadmissibleState(
                    f"{model.name}: the parameter {name} has no value; set it in `parameters` or with the state."
                )
            values[p] = ball(value)
    values.setdefault(time, ball(0))
    if missing := [q.name for q in model.coordinates if q not in values]:
        raise InadmissibleState(f"{model.name}: the state lacks {', '.join(missing)}; give every coordinate.")
    values = _settle_positions(model, values, project)
    return _settle_velocities(model, values, project)


def _number(model: Model, name: str, value: object) -> Ball:
    if isinstance(value, flint.arb) and value.is_finite():
        return value
    try:
        exact = _digits(value) if isinstance(value, str) else value
        if isinstance(exact, Real) and not isinstance(exact, bool) and math.isfinite(float(exact)):
            return ball(exact if isinstance(exact, int | Fraction) else float(exact))
    except (ValueError, ZeroDivisionError, OverflowError):
        pass
    raise InadmissibleState(f"{model.name}: {name} = {value!r:.60} is not a finite number; give one, in digits.")


def _digits(text: str) -> Fraction:
    """The exact number that a text denotes, if its exponent is that of a double."""
    _, _, exponent = text.lower().partition("e")
    if exponent and abs(int(exponent)) > 400:
        raise OverflowError
    return Fraction(text)


def _refuse_unknown(model: Model, given: Mapping[str, object]) -> None:
    known = sorted(model.names)
    for name in given:
        if name not in model.names:
            near = difflib.get_close_matches(str(name), known, 1)
            hint = f"did you mean {near[0]}?" if near else f"the names are {', '.join(known)}."
            raise InadmissibleState(f"{model.name}: the state has {name}, which the system does not know; {hint}")


def _settle_positions(model: Model, values: Point, project: bool) -> Point:
    held = [c for c in model.constraints if c.position is not None]
    if not held:
        return values
    return _settle(model, values, project, held, [c.position for c in held], model.coordinates, "position")


def _settle_velocities(model: Model, values: Point, project: bool) -> Point:
    missing = [w for w in model.velocities if w not in values]
    if not model.constraints:
        if missing:
            raise InadmissibleState(
                f"{model.name}: the state lacks {', '.join(w.name for w in missing)}; give every velocity."
            )
        return values
    phi = [c.expression for c in model.constraints]
    if missing:
        values = _complete(model, values, missing)
        if not project:
            _refuse_uncompleted(model, values, missing, phi)
    return _settle(model, values, project, model.constraints, phi, model.velocities, "velocity")


def _complete(model: Model, values: Point, missing: Sequence[Symbol]) -> Point:
    """Solve the constraints for the velocities that were not given."""
    phi = [c.expression for c in model.constraints]
    rows = tuple(tuple(phi_k.diff(w) for w in missing) for phi_k in phi)
    # Start a nonlinear search away from zero, where |v| = c has no gradient.
    trial = {**values, **{w: ball(Fraction(1, 3) if _is_nonlinear(rows, missing) else 0) for w in missing}}
    found = _least_squares(phi, missing, trial, rows)
    flat = [float(value.mid()) for value in evaluate_at([entry for row in rows for entry in row], found)]
    jacobian = np.array(flat).reshape(len(phi), len(missing))
    if not np.isfinite(jacobian).all():
        raise InadmissibleState(f"{model.name}: the constraints are not finite at this configuration; start elsewhere.")
    _, sizes, directions = np.linalg.svd(jacobian)
    rank = int((sizes > 1e-9 * max(1e-300, sizes.max(initial=0.0))).sum())
    if rank < len(missing):
        loose = np.abs(directions[rank:]).max(axis=0)
        names = [w.name for w, size in zip(missing, loose, strict=True) if size > 1e-9]
        need = len(missing) - rank
        raise InadmissibleState(
            f"{model.name}: the constraints do not determine {', '.join(names)}; give "
            + ("it." if len(names) == 1 else f"{'one' if need == 1 else need} of them.")
        )
    return found


def _refuse_uncompleted(model: Model, values: Point, missing: Sequence[Symbol], phi: Sequence[object]) -> None:
    """Whatever is chosen for the missing velocities, the given ones may contradict the constraints."""
    for constraint, residual in zip(model.constraints, evaluate_at(phi, values), strict=True):
        if abs(float(residual.mid())) > TOLERANCE * _scale(values, model.velocities):
            names = ", ".join(w.name for w in missing)
            raise InadmissibleState(
                f"{model.name}: with the velocities given no {names} was found that satisfies the constraint "
                f"{constraint.label}; change them, or pass project=True."
            )


def _scale(values: Point, unknowns: Sequence[Symbol]) -> float:
    return 1.0 + max((abs(float(values[u].mid())) for u in unknowns), default=0.0)


def _is_nonlinear(rows: Sequence[Sequence[object]], unknowns: Sequence[Symbol]) -> bool:
    return any(set(unknowns) & entry.free_symbols for row in rows for entry in row)  # type: ignore[attr-defined]


def _least_squares(
    phi: Sequence[object], unknowns: Sequence[Symbol], point: Point, rows: Sequence[Sequence[object]]
) -> Point:
    """Gauss–Newton with a pseudo-inverse: the rows may outnumber the unknowns or be short of them."""
    point = dict(point)
    for _ in range(40):
        value = np.array([float(v.mid()) for v in evaluate_at(phi, point)])
        flat = [float(v.mid()) for v in evaluate_at([e for row in rows for e in row], point)]
        jacobian = np.array(flat).reshape(len(phi), len(unknowns))
        if not (np.isfinite(value).all() and np.isfinite(jacobian).all()):
            return point
        step = np.linalg.pinv(jacobian, rcond=1e-10) @ value
        for w, change in zip(unknowns, step, strict=True):
            point[w] = (point[w] - ball(float(change))).mid()
        if np.abs(step).max(initial=0.0) < 1e-25:
            break
    return point


def _settle(
    model: Model,
    values: Point,
    project: bool,
    constraints: Sequence[object],
    functions: Sequence[object],
    unknowns: Sequence[Symbol],
    what: str,
) -> Point:
    """Accept, project, or refuse with the residual and the nearest admissible values."""
    residuals = [float(abs(value).mid()) for value in evaluate_at(functions, values)]
    worst = int(np.argmax(np.nan_to_num(residuals, nan=np.inf)))
    if not math.isfinite(residuals[worst]):
        raise InadmissibleState(
            f"{model.name}: the constraint {constraints[worst].label} is not finite at this state; start elsewhere."  # type: ignore[attr-defined]
        )
    fine = residuals[worst] <= TOLERANCE * _scale(values, unknowns)
    closest = nearest(functions, unknowns, values, _DIGITS)
    if fine or project:
        if closest is not None:
            return closest
        if fine:
            return values
        raise InadmissibleState(f"{model.name}: no admissible {what} was found near the given state; start elsewhere.")
    cure = "change it, or pass project=True"
    if closest is not None:
        near = ", ".join(f"{u.name}={float(closest[u].mid()):.6g}" for u in unknowns)
        cure = f"the nearest admissible one has {near}; use it, or pass project=True"
    raise InadmissibleState(
        f"{model.name}: the given {what} violates the constraint {constraints[worst].label} by {residuals[worst]:.3g}; {cure}."  # type: ignore[attr-defined]
    )
