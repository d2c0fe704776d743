r"""A state from a plain dict: names checked, velocities completed, constraints verified.

Velocities that the constraints determine may be left out. A state that violates the constraints is refused with
its residual and the nearest admissible state, or projected when asked; without that, no number a user gave changes by
more than the rounding in it.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

import flint
import numpy as np

from anholonomy.language.door import name_of, value_of
from anholonomy.refusals import IllPosedSystem, InadmissibleState
from anholonomy.symbolic.balls import Ball, ball
from anholonomy.symbolic.calculus import gradient, jacobian
from anholonomy.symbolic.expressions import Expr, Matrix, Symbol, symbol, time
from anholonomy.system.constraints import Constraint
from anholonomy.system.kinds import Kind
from anholonomy.system.model import Model
from anholonomy.system.newton import Point, evaluate_at, largest, nearest, onto, rows_at
from anholonomy.system.sizes import sizes_at

__all__ = ["complete_state", "state_name"]

TOLERANCE = 1e-10
"""A residual up to this, relative to the size of the terms, is rounding in the numbers a user typed."""
_ROUNDING = 1e-14
"""The same for the numbers that are not corrected, such as an angle in a velocity constraint: rounding of doubles."""
_MOVED = 1e-9
"""Nothing is corrected by more than this part of the largest of its kind."""

_APART = 1e-6
"""Solutions that differ by more than this part of their size are two."""

_SMALL = 1e-25
"""A velocity this small beside the others may be what a search leaves of zero."""

_DIGITS = 30


def complete_state(
    model: Model, given: Mapping[str, object], project: bool = False, costates: Sequence[Symbol] = ()
) -> Point:
    """The full admissible state that ``given`` describes; use inside ``with precision(…)``.

    ``given`` holds coordinates, velocities, and optionally ``t`` and parameters (which override those of the system).
    ``costates`` are symbols that no constraint concerns and that must be given as well.
    """
    if not isinstance(given, Mapping):
        raise InadmissibleState(f"{model.name}: the state is {given!r:.60}; give a dict from names to numbers.")
    given = {state_name(model, key): value for key, value in given.items()}
    _refuse_unknown(model, given, costates)
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
    if missing := [mu.name for mu in costates if mu not in values]:
        raise InadmissibleState(
            f"{model.name}: the state lacks {', '.join(missing)}; no velocity determines such a multiplier, so give it."
        )
    values = _settle_positions(model, values, project)
    values = _settle_velocities(model, values, project)
    _refuse_flat(model, values)
    return values


def state_name(model: Model, key: object) -> str:
    """Text, or a SymPy symbol, function of time or derivative of one; anything else is a name nobody knows."""
    try:
        return name_of(key, f"{model.name}: a name in the state")
    except IllPosedSystem:
        return repr(key)


def _number(model: Model, name: str, value: object) -> Ball:
    if isinstance(value, flint.arb) and value.is_finite():
        return value
    try:
        exact = _digits(value) if isinstance(value, str) else value
        if isinstance(exact, int | Fraction) and not isinstance(exact, bool) and math.isfinite(float(exact)):
            return ball(exact)
        if exact is not None:
            return ball(value_of(exact, name))  # type: ignore[arg-type]
    except (ValueError, ZeroDivisionError, OverflowError, IllPosedSystem):
        pass
    raise InadmissibleState(f"{model.name}: {name} = {value!r:.60} is not a finite number; give one, in digits.")


def _digits(text: str) -> Fraction:
    """The exact number that a text denotes, if its exponent is that of a double."""
    _, _, exponent = text.lower().partition("e")
    if exponent and abs(int(exponent)) > 400:
        raise OverflowError
    return Fraction(text)


def _refuse_unknown(model: Model, given: Mapping[str, object], costates: Sequence[Symbol]) -> None:
    known = sorted(model.names | {mu.name for mu in costates})
    for name in given:
        if name not in known:
            near = difflib.get_close_matches(str(name), known, 1)
            hint = f"did you mean {near[0]}?" if near else f"the names are {', '.join(known)}."
            raise InadmissibleState(f"{model.name}: the state has {name}, which the system does not know; {hint}")


def _settle_positions(model: Model, values: Point, project: bool) -> Point:
    held = model.independent.held
    if not held:
        return values
    return _settle(model, values, project, held, [c.position for c in held], model.coordinates, "position")


def _settle_velocities(model: Model, values: Point, project: bool) -> Point:
    missing = [w for w in model.velocities if w not in values]
    if not model.velocity_constraints:
        if missing:
            raise InadmissibleState(
                f"{model.name}: the state lacks {', '.join(w.name for w in missing)}; give every velocity."
            )
        return values
    phi = [c.expression for c in model.velocity_constraints]
    if missing:
        values = _complete(model, values, missing)
        _refuse_infinite(model, model.velocity_constraints, phi, values)
        if not project:
            _refuse_uncompleted(model, values, missing, phi)
    return _settle(model, values, project, model.velocity_constraints, phi, model.velocities, "velocity")


def _complete(model: Model, values: Point, missing: Sequence[Symbol]) -> Point:
    """Solve the constraints for the velocities that were not given."""
    rows = jacobian([c.expression for c in model.velocity_constraints], missing)
    nonlinear = any(set(missing) & entry.free_symbols for row in rows for entry in row)
    # Start a nonlinear search away from zero, where |v| = c has no gradient.
    found = _least_squares(model, missing, _at(values, missing, Fraction(1, 3) if nonlinear else 0), rows)
    _refuse_undetermined(model, found, missing, rows)
    if nonlinear:
        _refuse_ambiguous(model, found, missing, rows)
    return found


def _at(values: Point, unknowns: Sequence[Symbol], value: int | Fraction) -> Point:
    return {**values, **dict.fromkeys(unknowns, ball(value))}


def _refuse_undetermined(model: Model, found: Point, missing: Sequence[Symbol], rows: Matrix) -> None:
    jacobian = np.array([[float(entry) for entry in row] for row in rows_at(rows, found)])
    if not np.isfinite(jacobian).all():
        raise InadmissibleState(f"{model.name}: the constraints are not finite at this configuration; start elsewhere.")
    jacobian /= np.maximum(np.abs(jacobian).max(axis=1, keepdims=True), 1e-300)
    _, sizes, directions = np.linalg.svd(jacobian)
    rank = int((sizes > 1e-9 * max(1e-300, sizes.max(initial=0.0))).sum())
    if rank == len(missing):
        return
    loose = np.abs(directions[rank:]).max(axis=0)
    names = [w.name for w, size in zip(missing, loose, strict=True) if size > 1e-9]
    need = len(missing) - rank
    raise InadmissibleState(
        f"{model.name}: the constraints do not determine {', '.join(names)}; give "
        + ("it." if len(names) == 1 else f"{'one' if need == 1 else need} of them.")
    )


def _refuse_ambiguous(model: Model, found: Point, missing: Sequence[Symbol], rows: Matrix) -> None:
    """A nonlinear constraint may leave several velocities to choose from, and the choice is the user's."""
    phi = [c.expression for c in model.velocity_constraints]
    if _violated(model.velocity_constraints, phi, found, missing) is not None:
        return
    trials = [
        {**found, **{w: -found[w] for w in missing}},
        *({**found, w: -found[w]} for w in missing if len(missing) > 1),
        *(_at(found, missing, value) for value in (Fraction(-1, 3), 3, -3)),
    ]
    for trial in trials:
        other = _least_squares(model, missing, trial, rows)
        apart = largest(other[w] - found[w] for w in missing)
        if not apart > _APART * largest(found[w] for w in model.velocities):
            continue
        if _violated(model.velocity_constraints, phi, other, missing) is None:
            raise InadmissibleState(
                f"{model.name}: the constraints allow {_listed(found, missing)} as well as {_listed(other, missing)}; "
                f"give {missing[0].name}."
            )


def _listed(values: Point, unknowns: Sequence[Symbol]) -> str:
    return ", ".join(f"{u.name}={float(values[u].mid()):.6g}" for u in unknowns)


def _refuse_uncompleted(model: Model, values: Point, missing: Sequence[Symbol], phi: Sequence[Expr]) -> None:
    """Whatever is chosen for the missing velocities, the given ones may contradict the constraints."""
    if (worst := _violated(model.velocity_constraints, phi, values, model.velocities)) is not None:
        names = ", ".join(w.name for w in missing)
        raise InadmissibleState(
            f"{model.name}: with the velocities given no {names} was found that satisfies the constraint "
            f"{worst.label}; change them, or pass project=True."
        )


def _refuse_flat(model: Model, values: Point) -> None:
    """At the tip of a cone its equation holds but says nothing about the motion."""
    curved = [c for c in model.velocity_constraints if Kind.NONLINEAR in c.kind]
    for c, row in zip(curved, rows_at([c.coefficients for c in curved], values), strict=True):
        if largest(row) == 0:
            raise InadmissibleState(
                f"{model.name}: the gradient of the constraint {c.label} vanishes at this velocity, so the motion is not "
                "determined; start with another."
            )


def _violated(
    constraints: Sequence[Constraint],
    functions: Sequence[Expr],
    values: Point,
    unknowns: Sequence[Symbol],
    coarse: float = TOLERANCE,
) -> Constraint | None:
    r"""The constraint that is violated most, by more than the rounding in what a user gave; None if there is none.

    The residual of $f$ is compared with the size of its terms and with $\sum|u\,\partial f/\partial u|$ over the unknowns;
    what is not an unknown is taken to be as exact as a double.
    """
    excess = _excess(functions, values, unknowns, coarse)
    worst = int(np.argmax(excess))
    return constraints[worst] if excess[worst] > 0 else None


def _excess(
    functions: Sequence[Expr], values: Point, unknowns: Sequence[Symbol], coarse: float = TOLERANCE
) -> list[float]:
    """Each residual over what is allowed; 0 where it is within."""
    others = [s for s in values if s not in set(unknowns)]
    sizes = sizes_at(functions, values)
    excess = []
    for f, value, size in zip(functions, evaluate_at(functions, values), sizes, strict=True):
        known = [s for s in others if s in f.free_symbols]
        (own,), (other,) = rows_at([gradient(f, unknowns)], values), rows_at([gradient(f, known)], values)
        terms = size + sum((abs(a * values[u]) for a, u in zip(own, unknowns, strict=True)), start=flint.arb(0))
        exact = sum((abs(a * values[s]) for a, s in zip(other, known, strict=True)), start=flint.arb(0))
        allowed = coarse * terms + _ROUNDING * (terms + exact)
        residual = abs(value.mid())
        excess.append(0.0 if residual <= allowed else float((residual / allowed).mid()) if allowed > 0 else math.inf)
    return excess


def _least_squares(model: Model, unknowns: Sequence[Symbol], point: Point, rows: Matrix) -> Point:
    """Gauss–Newton with a pseudo-inverse: the rows may outnumber the unknowns or be short of them."""
    point, phi = dict(point), [c.expression for c in model.velocity_constraints]
    for _ in range(40):
        values, J = [v.mid() for v in evaluate_at(phi, point)], rows_at(rows, point)
        sizes = [largest(row) for row in J]
        scales = [size if size > 0 else flint.arb(1) for size in sizes]
        value = np.array([float(v / scale) for v, scale in zip(values, scales, strict=True)])
        jacobian = np.array([[float(e / scale) for e in row] for row, scale in zip(J, scales, strict=True)])
        if not (np.isfinite(value).all() and np.isfinite(jacobian).all()):
            return point
        step = np.linalg.pinv(jacobian, rcond=1e-10) @ value
        for w, change in zip(unknowns, step, strict=True):
            point[w] = (point[w] - ball(float(change))).mid()
        if all(abs(change) <= 1e-25 * abs(point[w]) for w, change in zip(unknowns, step, strict=True)):
            break
    return _with_zeros(model, unknowns, point)


def _with_zeros(model: Model, unknowns: Sequence[Symbol], point: Point) -> Point:
    """A zero is only ever approached, and what is left of it has no scale of its own: zero is better if it fits."""
    phi = [c.expression for c in model.velocity_constraints]
    small = _SMALL * largest(point[w] for w in model.velocities)
    for w in unknowns:
        if 0 < abs(point[w]) <= small:
            zeroed = {**point, w: flint.arb(0)}
            if sum(_excess(phi, zeroed, unknowns)) <= sum(_excess(phi, point, unknowns)):
                point = zeroed
    return point


def _settle(
    model: Model,
    values: Point,
    project: bool,
    constraints: Sequence[Constraint],
    functions: Sequence[Expr],
    unknowns: Sequence[Symbol],
    what: str,
) -> Point:
    """Accept, project, or refuse with the residual and the nearest admissible values."""
    residuals = _refuse_infinite(model, constraints, functions, values)
    worst = _violated(constraints, functions, values, unknowns)
    if worst is None and (corrected := _corrected(constraints, functions, values, unknowns)) is not None:
        return corrected
    closest = nearest(functions, unknowns, values, _DIGITS)
    if project:
        if closest is not None:
            return closest
        raise InadmissibleState(f"{model.name}: no admissible {what} was found near the given state; start elsewhere.")
    cure = "change it, or pass project=True"
    if closest is not None:
        cure = f"the nearest admissible one has {_listed(closest, unknowns)}; use it, or pass project=True"
    worst = worst or constraints[int(np.argmax(residuals))]
    by = residuals[list(constraints).index(worst)]
    raise InadmissibleState(
        f"{model.name}: the given {what} violates the constraint {worst.label} by {by:.3g}; {cure}."
    )


def _refuse_infinite(
    model: Model, constraints: Sequence[Constraint], functions: Sequence[Expr], values: Point
) -> list[float]:
    """The residuals, all of them finite."""
    residuals = [float(abs(value).mid()) for value in evaluate_at(functions, values)]
    for constraint, residual in zip(constraints, residuals, strict=True):
        if not math.isfinite(residual):
            raise InadmissibleState(
                f"{model.name}: the constraint {constraint.label} is not finite at this state; start elsewhere."
            )
    return residuals


def _corrected(
    constraints: Sequence[Constraint], functions: Sequence[Expr], values: Point, unknowns: Sequence[Symbol]
) -> Point | None:
    """The state without the rounding in it; None where more than rounding would have to change."""
    top = largest(values[u] for u in unknowns)
    weights = [max(abs(values[u]).mid(), _MOVED * top) if top > 0 else flint.arb(1) for u in unknowns]
    found = onto(functions, unknowns, values, _DIGITS, weights=weights)
    if found is None:  # the rows are dependent here, and what rounding left stays
        return values
    if largest(found[u] - values[u] for u in unknowns) <= _MOVED * top:
        return found
    # Near zero there is nothing to compare a correction with; then the residual itself must be rounding.
    return found if _violated(constraints, functions, values, unknowns, coarse=0.0) is None else None
