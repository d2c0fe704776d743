"""A full admissible state from a plain dict: numbers read, names checked, missing values found, constraints verified.

Coordinates and velocities that the constraints determine may be left out; on a group, rates of coordinates may stand for
velocities. A state that violates the constraints is refused with its residual and the nearest admissible state, or
projected when asked; without that, no number a user gave changes by more than the rounding in it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from numbers import Rational, Real

import flint
import numpy as np

from anholonomy.algebra.expressions import Expr, Symbol, symbol, time
from anholonomy.algebra.numbers.balls import Ball, ball, digits_carried
from anholonomy.base.errors import DeclarationError, Error, StateError, quoted
from anholonomy.base.tolerances import NOTHING, ROUNDING, TYPED
from anholonomy.language.arguments import expect_mapping, expression, name_of, single
from anholonomy.language.suggestions import near_symbol
from anholonomy.system.checks.redundant_constraints import best_rows
from anholonomy.system.constraints import Constraint, Kind
from anholonomy.system.model import Model
from anholonomy.system.states.missing_values import Completion, listed, or_project
from anholonomy.system.states.newton import Point, evaluate_at, largest, nearest, onto, rows_at
from anholonomy.system.states.rounding import certain_rows, violated
from anholonomy.system.states.speeds_from_rates import coordinate_rates, with_speeds
from anholonomy.system.warnings import warn_of_degrees

__all__ = ["finite_number", "complete_positions", "complete_state", "refuse_unknown", "state_name"]


def complete_state(
    model: Model, given: Mapping[str, object], project: bool | None = None, costates: Sequence[Symbol] = ()
) -> Point:
    """The full admissible state that ``given`` describes; use inside ``with precision(…)``.

    ``given`` holds coordinates, velocities, and optionally ``t`` and parameters (which override those of the system).
    ``costates`` are symbols that no constraint concerns and that must be given as well. ``project`` is None where the user
    has no such choice.
    """
    values = _given_values(model, given, costates)
    if missing := [mu.name for mu in costates if mu not in values]:
        raise StateError(
            f"{model.name}: the state lacks {', '.join(missing)}; no velocity determines such a multiplier, so give it."
        )
    values = _settle_positions(model, _with_coordinates(model, values, project), project)
    _refuse_unreachable(model, values)
    model = best_rows(model.independent, values)
    _refuse_vanished(model, values)
    values = with_speeds(model, values, project, TYPED)
    values = _settle_velocities(model, values, project)
    _refuse_flat(model, values)
    return values


def complete_positions(model: Model, given: Mapping[str, object]) -> Point:
    """The configuration that ``given`` describes, with time and parameters; use inside ``with precision(…)``."""
    values = _given_values(model, given)
    values = _settle_positions(model, _with_coordinates(model, values, None), None)
    _refuse_unreachable(model, values)
    return values


# What was given: names, and numbers to all their digits. A text such as ``"pi/2"`` and a number of SymPy's are exact, a float is what it is.


def _given_values(model: Model, given: Mapping[str, object], costates: Sequence[Symbol] = ()) -> Point:
    """The numbers that were given, with those of the parameters and the time."""
    expect_mapping(given, f"{model.name}: the state", "a dict from names to numbers", verb="is", refusal=StateError)
    given = {state_name(model, key): value for key, value in given.items()}
    refuse_unknown(model, given, costates)
    values = {symbol(name): _number(model, name, value) for name, value in given.items()}
    for name, value in model.parameter_items:
        if (p := symbol(name)) not in values:
            if value is None:
                where = "give it with the state" if name in model.inputs else "set it in `parameters` or with the state"
                kind = "input" if name in model.inputs else "parameter"
                raise StateError(f"{model.name}: the {kind} {name} has no value; {where}.")
            values[p] = ball(value)
    values.setdefault(time, ball(0))
    warn_of_degrees(model, {s: value for s, value in values.items() if s.name in given})
    return values


def state_name(model: Model, key: object) -> str:
    """Text, or a SymPy symbol, function of time or derivative of one; anything else is a name nobody knows."""
    try:
        return name_of(key, f"{model.name}: a name in the state")
    except DeclarationError:
        return repr(key)


def refuse_unknown(model: Model, given: Mapping[str, object], costates: Sequence[Symbol]) -> None:
    """Refuse names that no state of the model has."""
    known = sorted(model.names | {s.name for s in (*costates, *coordinate_rates(model))})
    for name in given:
        if name not in known:
            near = near_symbol(str(name), known)
            hint = f"did you mean {near}?" if near else f"the names are {', '.join(known)}."
            raise StateError(f"{model.name}: the state has {name}, which the system does not know; {hint}")


def _number(model: Model, name: str, value: object) -> Ball:
    if (number := finite_number(value)) is None:
        raise StateError(
            f"{model.name}: {name} = {quoted(value)} is not a finite number; give one, such as 0.5 or, as a text, 'pi/2'."
        )
    return number


def finite_number(value: object) -> Ball | None:
    """The number at the current precision; None where there is none, or none that a double could hold.

    >>> float(finite_number("pi/2")), float(finite_number("5e-1")), finite_number("x"), finite_number("1e400")
    (1.5707963267948966, 0.5, None, None)
    """
    try:
        number = _exact(value)
        return number if number.is_finite() and math.isfinite(float(number.mid())) else None
    except (KeyError, OverflowError, ValueError, ZeroDivisionError, Error):
        return None


def _exact(value: object) -> Ball:
    value = single(value)
    if isinstance(value, flint.arb):
        return value
    if isinstance(value, str):
        try:
            return ball(_digits(value))
        except ValueError:  # an expression
            return evaluate_at([expression(value, "the number")], {})[0]
    if isinstance(value, Rational) and not isinstance(value, bool):
        return ball(Fraction(int(value.numerator), int(value.denominator)))
    if isinstance(value, Real) and not isinstance(value, bool):
        return ball(float(value))
    return evaluate_at([expression(value, "the number")], {})[0]


def _digits(text: str) -> Fraction:
    """The exact number that digits denote, if its exponent is that of a double."""
    _, _, exponent = text.lower().partition("e")
    if exponent and abs(int(exponent)) > 400:
        raise OverflowError
    return Fraction(text)


# The state, positions first.


def _with_coordinates(model: Model, values: Point, project: bool | None) -> Point:
    """The state with the coordinates that equations between them determine, such as the height of a body that touches."""
    missing = tuple(q for q in model.coordinates if q not in values)
    if not missing:
        return values
    equations = {c: c.position for c in model.independent.on_positions if c.position is not None}
    involved = {c: g for c, g in equations.items() if not g.free_symbols.isdisjoint(missing)}
    known = {q for g in involved.values() for q in g.free_symbols}
    if lost := [q.name for q in missing if q not in known]:
        raise StateError(f"{model.name}: the state lacks {', '.join(lost)}; give every coordinate.")
    search = Completion(model.name, tuple(involved), tuple(involved.values()), missing, model.coordinates)
    return search.of(values, project)


def _settle_positions(model: Model, values: Point, project: bool | None) -> Point:
    held = model.independent.on_positions
    if not held:
        return values
    return _settle(model, values, project, held, [c.position for c in held], model.coordinates, "position")


def _refuse_unreachable(model: Model, values: Point) -> None:
    """The invariants of a group may hold beside it too: a reflection is as orthogonal as a rotation."""
    if not model.group:
        return
    group = model.group
    for label, value in group.signs(np.array([float(values[q].mid()) for q in group.coordinates])).items():
        if not value > 0:
            raise StateError(
                f"{model.name}: no motion leads from the identity of {group.name:.60} to this start, because {label} is not "
                "positive; give an element on the identity's side."
            )


def _settle_velocities(model: Model, values: Point, project: bool | None) -> Point:
    missing = [w for w in model.velocities if w not in values]
    if not model.velocity_constraints:
        if missing:
            raise StateError(
                f"{model.name}: the state lacks {', '.join(w.name for w in missing)}; give every velocity."
            )
        return values
    phi = tuple(c.expression for c in model.velocity_constraints)
    if missing:
        search = Completion(model.name, model.velocity_constraints, phi, tuple(missing), model.velocities)
        values = search.of(values, project)
        _refuse_infinite(model, model.velocity_constraints, phi, values)
    return _settle(model, values, project, model.velocity_constraints, phi, model.velocities, "velocity")


def _refuse_vanished(model: Model, values: Point) -> None:
    """Where all coefficients of a constraint vanish it says nothing of the velocities, and the motion is not determined."""
    linear = [c for c in model.velocity_constraints if Kind.NONLINEAR not in c.kind and c.position is None]
    if model.keeps_redundant:
        return
    for c, row in zip(linear, certain_rows([c.coefficients for c in linear], values), strict=True):
        if all(a == 0 for a in row):
            raise StateError(
                f"{model.name}: the constraint {c.label} vanishes at this configuration and says nothing there; start beside it, or "
                "divide it by what vanishes."
            )


def _refuse_flat(model: Model, values: Point) -> None:
    """At the tip of a cone its equation holds but says nothing about the motion."""
    curved = [c for c in model.velocity_constraints if Kind.NONLINEAR in c.kind]
    for c, row in zip(curved, rows_at([c.coefficients for c in curved], values), strict=True):
        if largest(row) == 0:
            raise StateError(
                f"{model.name}: the gradient of the constraint {c.label} vanishes at this velocity, so the motion is not "
                "determined; start with another."
            )


# Numbers accepted, corrected by the rounding in them, projected or refused.


def _settle(
    model: Model,
    values: Point,
    project: bool | None,
    constraints: Sequence[Constraint],
    functions: Sequence[Expr],
    unknowns: Sequence[Symbol],
    what: str,
) -> Point:
    """Accept, project, or refuse with the residual and the nearest admissible values."""
    residuals = _refuse_infinite(model, constraints, functions, values)
    worst = violated(constraints, functions, values, unknowns)
    if worst is None and (corrected := _corrected(constraints, functions, values, unknowns)) is not None:
        return corrected
    closest = nearest(functions, unknowns, values, digits_carried())
    if project:
        if closest is not None:
            return closest
        raise StateError(f"{model.name}: no admissible {what} was found near the given state; start elsewhere.")
    cure = "change it"
    if closest is not None:
        cure = f"the nearest admissible one has {listed(closest, unknowns)}; use it"
    worst = worst or constraints[int(np.argmax(residuals))]
    by = residuals[list(constraints).index(worst)]
    raise StateError(
        f"{model.name}: the given {what} violates the constraint {worst.label} by {by:.3g}; {cure}{or_project(project)}."
    )


def _refuse_infinite(
    model: Model, constraints: Sequence[Constraint], functions: Sequence[Expr], values: Point
) -> list[float]:
    """The residuals, all of them finite."""
    residuals = [float(abs(value).mid()) for value in evaluate_at(functions, values)]
    for constraint, residual in zip(constraints, residuals, strict=True):
        if not math.isfinite(residual):
            raise StateError(
                f"{model.name}: the constraint {constraint.label} is not finite at this state; start elsewhere."
            )
    return residuals


def _corrected(
    constraints: Sequence[Constraint], functions: Sequence[Expr], values: Point, unknowns: Sequence[Symbol]
) -> Point | None:
    """The state without the rounding in it; None where more than rounding would have to change."""
    top = largest(values[u] for u in unknowns)
    sizes = [abs(values[u]).mid() for u in unknowns]
    natural = [
        size if size > ROUNDING * top else top for size in sizes
    ]  # what is left of a zero is as large as all of it
    found = _shifted(functions, values, unknowns, [max(size, NOTHING * top) for size in sizes])
    if found is not None and not _is_rounding(values, found, unknowns, natural):
        # Where a row is all but a zero's, that zero and not a number changes.
        other = _shifted(functions, values, unknowns, natural)
        found = other if other is not None and _is_rounding(values, other, unknowns, natural) else found
    if found is None:  # the rows are dependent here, and what rounding left stays
        return values
    if largest(found[u] - values[u] for u in unknowns) <= NOTHING * top:
        return found
    # Near zero there is nothing to compare a correction with; then the residual itself must be rounding.
    return found if violated(constraints, functions, values, unknowns, coarse=0.0) is None else None


def _shifted(
    functions: Sequence[Expr], values: Point, unknowns: Sequence[Symbol], weights: Sequence[Ball]
) -> Point | None:
    """The state on the constraints, by the correction that is shortest in these weights."""
    given = [weight if weight > 0 else flint.arb(1) for weight in weights]
    return onto(functions, unknowns, values, digits_carried(), weights=given)


def _is_rounding(values: Point, found: Point, unknowns: Sequence[Symbol], sizes: Sequence[Ball]) -> bool:
    """Whether no number has changed by more than the rounding in it."""
    return all(abs(found[u] - values[u]) <= ROUNDING * size for u, size in zip(unknowns, sizes, strict=True))
