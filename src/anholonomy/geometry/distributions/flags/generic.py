r"""Flags at generic points: what brackets of admissible directions reach, step by step.

.. math:: D^1 = D, \qquad D^{s+1} = D^s + [D, D^s] \quad\text{(Lie flag)}, \qquad
   D^{(s+1)} = D^{(s)} + [D^{(s)}, D^{(s)}] \quad\text{(derived flag)}

They are computed on the annihilators, where nothing swells: a form $\lambda = c_\nu\theta^\nu$ that
annihilates $D^s$ annihilates $D^{s+1}$ exactly if $d\lambda(X, Z) = 0$ for $X \in D$ and $Z \in D^s$. That condition is linear in $c$
over the functions, and needs first derivatives only.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from itertools import combinations, product

import symengine

from anholonomy.geometry.distributions.flags.bracket_words import MAX_OPERATIONS
from anholonomy.geometry.distributions.flags.growth_vector import Evidence, GrowthVector
from anholonomy.geometry.frames.frame import Frame
from anholonomy.symbolic.arithmetic import unknown_functions
from anholonomy.symbolic.display.simplify import simplify_vector
from anholonomy.symbolic.expressions import Expr, Matrix, Vector, dot, zero
from anholonomy.symbolic.matrices.ball_elimination import echelon, kernel
from anholonomy.symbolic.matrices.sampled_rank import certified_rows
from anholonomy.symbolic.normal_forms.canonical import Canonical, NoNormalForm
from anholonomy.symbolic.numbers.balls import (
    DIGITS,
    Ball,
    Ground,
    evaluate_balls,
    excludes_zero,
    finite_point,
    precision,
)
from anholonomy.symbolic.orbits.matrices import kernel_on, nullspace_on
from anholonomy.symbolic.zero import is_zero

__all__ = ["derived_flag", "growth_vector", "have_normal_forms"]

_STRENGTHS: tuple[Evidence, ...] = ("exact", "certified below, sampled above", "sampled")
LARGE = 8
"""From this many coordinates on, vanishing is read off at random points instead of from normal forms."""
MAX_GIVEN = 20_000
"""Operations in forms beyond which no fields are computed from them."""


def growth_vector(frame: Frame, forms_ni: Matrix, vectors_ai: Matrix) -> GrowthVector:
    """The Lie flag's dimensions at generic points.

    >>> w, y, o, i = *symengine.symbols("w y"), symengine.Integer(0), symengine.Integer(1)
    >>> growth_vector(Frame(["x", "y", "z", "w"]), ((-w, i, o, o), (-y, o, i, o)), ((i, w, y, o), (o, o, o, i)))
    (2, 3, 4)
    """
    return _descend(frame, forms_ni, vectors_ai)


def derived_flag(frame: Frame, forms_ni: Matrix) -> GrowthVector:
    """The derived flag's dimensions at generic points.

    >>> w, y, o, i = *symengine.symbols("w y"), symengine.Integer(0), symengine.Integer(1)
    >>> derived_flag(Frame(["x", "y", "z", "w"]), ((-w, i, o, o), (-y, o, i, o)))
    (2, 3, 4)
    """
    return _descend(frame, forms_ni, None)


def _descend(frame: Frame, forms: Matrix, movers: Matrix | None) -> GrowthVector:
    """Forms leave one after the other; ``movers`` None means that the flag moves itself."""
    n = frame.size
    dimensions, evidence = [n - len(forms)], 0
    while forms:
        try:
            kept, strength = _annihilators(frame, forms, movers)
        except _Outgrown as step:
            reached = [n - len(forms) + step.found] if step.found else []
            return GrowthVector([*dimensions, *reached], "certified below")
        evidence = max(evidence, strength)
        if len(kept) == len(forms):
            break
        forms = kept
        dimensions.append(n - len(forms))
    return GrowthVector(dimensions, _STRENGTHS[evidence])


class _Outgrown(Exception):
    """A step that exact algebra does not reach; at least ``found`` of the forms leave in it."""

    def __init__(self, found: int) -> None:
        self.found = found


def _annihilators(frame: Frame, forms: Matrix, movers: Matrix | None) -> tuple[Matrix, int]:
    """The forms that annihilate one step more, and how well that is known, 0 for proven."""
    differentials = [_d(frame, form) for form in forms]
    if frame.size >= LARGE:
        kept, _ = _sampled(frame, forms, differentials, movers)
        if kept is not None:
            return tuple(forms[k] for k in kept), 1
    on = frame.orbit
    if _operations(forms) > MAX_GIVEN or _operations(fields := nullspace_on(forms, on)) > MAX_OPERATIONS:
        raise _Outgrown(_sampled(frame, forms, differentials, movers)[1])
    pairs = product(movers, fields) if movers is not None else combinations(fields, 2)
    conditions = [tuple(_tidy(_pair(d, X, Z), on) for d in differentials) for X, Z in pairs]
    rows = [row for row in conditions if any(entry != 0 for entry in row)]
    if not rows:
        return forms, 0
    idle = [k for k, column in enumerate(zip(*rows, strict=True)) if all(entry == 0 for entry in column)]
    certified = len(certified_rows(rows, on=on))
    if certified + len(idle) == len(forms):
        return tuple(forms[k] for k in idle), 0
    columns, kernel = tuple(zip(*forms, strict=True)), kernel_on(rows, on)
    left = tuple(simplify_vector(dot(c, column) for column in columns) for c in kernel.vectors)
    # Normal forms prove what is zero; that a pivot is not, which only looks different from zero, takes a point.
    known = kernel.proven and certified + len(left) == len(forms) and have_normal_forms(rows)
    return left, 0 if known else 2


def _operations(rows: Sequence[Vector]) -> int:
    return int(symengine.count_ops(*(entry for row in rows for entry in row)))


def have_normal_forms(rows: Sequence[Vector]) -> bool:
    """Without them linear algebra chooses pivots at a random point and proves nothing."""
    entries = [entry for row in rows for entry in row]
    try:
        forms = Canonical(entries)
        for entry in entries:
            forms.quotient(entry)
    except NoNormalForm:
        return False
    return True


def _tidy(value: Expr, on: Ground | None) -> Expr:
    return zero if is_zero(value, on) else value


def _d(frame: Frame, form: Vector) -> dict[tuple[int, int], Expr]:
    r"""$d\theta(e_a, e_b) = e_a(\theta_b) - e_b(\theta_a) - c_{ab}{}^d\theta_d$ for $a < b$, without the zeros."""
    values = {}
    for a, b in combinations(range(frame.size), 2):
        value = frame.derivative(a, form[b]) - frame.derivative(b, form[a])
        if not frame.is_chart:
            value -= dot(frame.structure_abd[a][b], form)
        if value != 0:
            values[a, b] = value
    return values


def _pair(two_form: Mapping[tuple[int, int], Expr], X: Sequence[Expr], Z: Sequence[Expr]) -> Expr:
    return symengine.Add(*(w * (X[a] * Z[b] - X[b] * Z[a]) for (a, b), w in two_form.items()))


def _sampled(
    frame: Frame, forms: Matrix, differentials: Sequence[Mapping[tuple[int, int], Expr]], movers: Matrix | None
) -> tuple[list[int] | None, int]:
    """Which forms survive a step as they are, where that accounts for all that survive at two random points, else None.

    Then how many forms are certified not to survive.
    """
    flat = [
        *(entry for row in (*forms, *(movers or ())) for entry in row),
        *(w for two_form in differentials for w in two_form.values()),
    ]
    if any(unknown_functions(entry) for entry in flat):
        return None, 0
    kept: set[int] = set(range(len(forms)))
    rng, leaving, whole = random.Random(len(flat)), 0, True
    for _ in range(2):
        point = finite_point(flat, rng, DIGITS, on=frame.orbit)
        if point is None:
            return None, leaving
        values = dict(zip(flat, evaluate_balls(flat, point, DIGITS), strict=True))
        with precision(DIGITS):
            columns = _conditions_at(values, forms, differentials, movers)
            found = len(echelon([list(row) for row in zip(*columns, strict=True)])) if columns else -1
        kept &= {k for k, column in enumerate(columns) if not any(map(excludes_zero, column))}
        leaving, whole = max(leaving, found), whole and found + len(kept) == len(forms)
    return (sorted(kept) if whole else None), leaving


def _conditions_at(
    values: Mapping[Expr, Ball],
    forms: Matrix,
    differentials: Sequence[Mapping[tuple[int, int], Expr]],
    movers: Matrix | None,
) -> list[list[Ball]]:
    r"""$d\theta^\nu(X_a, Z_b)$ at a point: a list for each form."""
    fields = kernel([[values[entry] for entry in row] for row in forms])
    if len(fields) > len(forms[0]) - len(forms):
        return []  # the forms are dependent at this point, and more would seem to be annihilated
    moving = [[values[entry] for entry in row] for row in movers] if movers is not None else fields
    columns = []
    for two_form in differentials:
        terms = [(a, b, values[w]) for (a, b), w in two_form.items()]
        columns.append(
            [
                sum((w * (X[a] * Z[b] - X[b] * Z[a]) for a, b, w in terms), start=X[0] * 0)
                for X in moving
                for Z in fields
            ]
        )
    return columns
