"""Equations of motion as a textbook prints them: short, one line each, zeros left out; long ones step by step.

Text and LaTeX print the same `Page`. What nobody would read is counted in the text, which is whole on request; in LaTeX a
note stands in the place of pages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, TypeAlias, final

import symengine

from anholonomy.algebra.calculus import partial
from anholonomy.algebra.expressions import Expr, Symbol, Vector, dot, symbol
from anholonomy.algebra.latex import aligned, latex
from anholonomy.algebra.simplification.simplify import PAGE, SEARCHED, simplify
from anholonomy.algebra.simplification.sums import oriented, with_factors_outside, with_unit_circles
from anholonomy.algebra.steps.definitions import Assign, inline, written_size
from anholonomy.equations.singular_states import Divisors
from anholonomy.language import to_text
from anholonomy.language.names import is_written_symbol
from anholonomy.language.writing import brief, leaves_out

if TYPE_CHECKING:
    from anholonomy.equations.equations_of_motion import EquationsOfMotion

__all__ = ["as_latex", "as_text", "page", "step_lines"]

MOST_STEPS, LONGEST_STEP = 80, 150
"""Steps, and operations in the short form of one, up to which equations given in steps are written out one by one."""
_LEFT_OUT = "(left out: what is longer than a paragraph; `.text(whole=True)` or `anholonomy derive … --all` prints it)"
Row: TypeAlias = tuple[Expr, Expr]
"""The left and the right side of an equation."""


def as_text(equations: EquationsOfMotion, whole: bool = False) -> str:
    """A heading, the frame where there is one, the kinematics, and one line for each equation.

    A side longer than a paragraph is counted unless ``whole``; then what is too long to write out comes step by step.
    """
    shown = page(equations, rows=inf, kinematics=inf if whole else PAGE)
    if whole and (shown.unprinted or shown.kinematics_note):
        lines = [*step_lines(equations), *_singular_lines(shown, whole)]
    else:
        lines = _lines(equations, shown, whole)
    lines += ["(met as nearly as can be, by least squares)"] if equations.needs_least_squares else []
    lines += [_LEFT_OUT] if any(map(leaves_out, lines)) else []
    return "\n  ".join([f"{equations.model.name}: equations of motion by {equations.principle}", *lines])


def as_latex(equations: EquationsOfMotion) -> str:
    """The same lines inside an ``aligned`` environment."""
    shown = page(equations)
    lines = [f"{latex(left)} &= {latex(right)}" for left, right in shown.kinematics]
    lines += [rf"&\text{{({shown.kinematics_note}; too long to print)}}"] if shown.kinematics_note else []
    lines += [rf"&\text{{(singular where }} {_places(shown.divisors)}\text{{)}}"] if shown.divisors.values else []
    lines += [f"{latex(left)} &= {latex(right)}" for left, right in shown.equations]
    if shown.unprinted:
        few = _few(latex, shown.unprinted, r"\dots")
        lines.append(rf"&\text{{({_count(shown.unprinted)} for }} {few} \text{{; too long to print)}}")
    return aligned(lines)


# What both print.


@final
@dataclass(frozen=True)
class Page:
    """What both printers print: velocities in terms of speeds, where these degenerate, equations, and notes.

    Where the kinematics are too long to print there is a note about them; where the equations are, the unknowns that
    they determine. Both are empty otherwise.
    """

    kinematics: tuple[Row, ...]
    kinematics_note: str
    divisors: Divisors
    equations: tuple[Row, ...]
    unprinted: tuple[Symbol, ...]


def page(equations: EquationsOfMotion, rows: float = PAGE, kinematics: float = PAGE) -> Page:
    """The equations in their short form, with one limit on what is simplified and others on what is printed."""
    velocities, note = _kinematics(equations, kinematics)
    found = _equations(equations, rows)
    unprinted = () if found else (*equations.rates, *equations.multipliers)
    return Page(velocities, note, equations.divisors, found, unprinted)


def _equations(equations: EquationsOfMotion, longest: float) -> tuple[Row, ...]:
    """The rows, or none where they are too long."""
    if equations.expanded_operation_count > SEARCHED:
        if not equations.is_solved:
            return ()
        values = _written_shortly(equations.rhs, equations.definitions)
        unknowns = (*equations.rates, *equations.multipliers)
        rows = tuple(
            (oriented(z), _without_bracket(oriented(v)))
            for z, v in map(_without_denominators, zip(unknowns, values, strict=False))
        )
    else:
        rows = tuple(readable_rows(equations))
    return rows if _operations(rows) <= longest else ()


def readable_rows(equations: EquationsOfMotion) -> list[Row]:
    """Left and right sides: unknown rates on the left, everything else on the right."""
    tidy = equations.tidied
    unknowns = (*equations.rates, *equations.multipliers)
    moving = len(equations.rates)
    rows = []
    for entries, value in zip(tidy.K, tidy.rhs, strict=True):
        left = with_factors_outside(dot(entries[:moving], unknowns[:moving]))
        # Multipliers belong with the forces, as in every textbook.
        reaction = dot(entries[moving:], unknowns[moving:])
        if left == 0:
            row = with_factors_outside(reaction), value
        else:
            row = left, simplify(value - reaction) if reaction != 0 else value
        left, right = _without_denominators(row)
        rows.append((_without_bracket(oriented(left)), _without_bracket(oriented(right))))
    return rows


def _written_shortly(expressions: Iterable[Expr], definitions: Sequence[Assign]) -> Vector:
    """Definitions written out one by one, each in its short form; empty where there are many or one stays long."""
    values: dict[Symbol, Expr] = {}
    if len(definitions) > MOST_STEPS:
        return ()
    for step in definitions:
        values[step.target] = simplify(step.value.xreplace(values))
        if symengine.count_ops(values[step.target]) > LONGEST_STEP:
            return ()
    return tuple(simplify(expression.xreplace(values)) for expression in expressions)


def _kinematics(equations: EquationsOfMotion, longest: float) -> tuple[tuple[Row, ...], str]:
    """How the velocities follow from the speeds, where they differ; what the speeds are, where that is not the inverse."""
    frame, velocities = equations.frame, equations.model.velocities
    if frame is None or equations.speeds == velocities:
        return (), ""
    note = f"{len(velocities)} velocities in terms of {len(equations.speeds)} speeds"
    if _kinematic_size(equations) > SEARCHED:
        return (), note
    targets, steps = _kinematic_steps(equations)
    meant = zip(equations.speeds, inline(equations.speed_values, frame.definitions), strict=False)
    values = zip(velocities, inline(targets, steps), strict=True)
    rows = tuple((w, oriented(simplify(v))) for w, v in (*meant, *values) if w != v)
    return (rows, "") if _operations(rows) <= longest else ((), note)


def _kinematic_steps(equations: EquationsOfMotion) -> tuple[Vector, Sequence[Assign]]:
    """The velocities in terms of the speeds, and the definitions that they use."""
    frame = equations.frame
    if frame is None or equations.speed_values:
        return equations.model.velocities, equations.definitions
    return frame.velocities, frame.definitions


def _kinematic_size(equations: EquationsOfMotion) -> int:
    targets, steps = _kinematic_steps(equations)
    return written_size((*equations.speed_values, *targets), steps)


def _without_denominators(row: Row) -> Row:
    """Both sides times what they are divided by, where that makes the row shorter."""
    powers: dict[Expr, int] = {}
    for term in (term for side in row for term in _terms(side)):
        for factor in term.args if isinstance(term, symengine.Mul) else (term,):
            if isinstance(factor, symengine.Pow) and factor.args[1].is_Integer:
                powers[factor.args[0]] = max(powers.get(factor.args[0], 0), -int(factor.args[1]))
    scale = symengine.Mul(*(name**power for name, power in powers.items() if power > 0))
    left, right = (with_factors_outside(symengine.Add(*(term * scale for term in _terms(side)))) for side in row)
    return (left, right) if _operations([(left, right)]) < _operations([row]) else row


def _without_bracket(side: Expr) -> Expr:
    """A minus before a sum as a minus before each of its terms."""
    negated = -side
    return symengine.Add(*(-term for term in negated.args)) if isinstance(negated, symengine.Add) else side


def _terms(side: Expr) -> Vector:
    return side.args if isinstance(side, symengine.Add) else (side,)


def _operations(rows: Iterable[Row]) -> int:
    return sum(int(symengine.count_ops(*row)) for row in rows)


# Lines of text and of LaTeX. Both are written here, because they end at different lengths: a text counts what is long and can go step by step, where LaTeX,
# which goes into papers, has a note.


def _lines(equations: EquationsOfMotion, shown: Page, whole: bool) -> list[str]:
    unknowns = (*equations.rates, *equations.multipliers)
    lines = [f"{to_text(left)} = {brief(right, whole)}" for left, right in shown.kinematics]
    if shown.kinematics_note:
        lines.append(f"({shown.kinematics_note}: [{_kinematic_size(equations):,} operations])")
    lines += _singular_lines(shown, whole)
    lines += [
        f"{_linear(left, unknowns, whole)} = {brief(right, whole)}"
        for left, right in shown.equations
        if left != 0 or right != 0
    ]
    if shown.unprinted:
        few = _few(to_text, shown.unprinted, "…")
        lines.append(f"({_count(shown.unprinted)} for {few}: [{equations.expanded_operation_count:,} operations])")
    return lines


def _singular_lines(shown: Page, whole: bool) -> list[str]:
    sentence = shown.divisors.sentence(whole)
    return [f"({sentence})"] if sentence else []


def _linear(left: Expr, unknowns: Sequence[Symbol], whole: bool) -> str:
    """A left side; where it is too long, the sizes of its coefficients before the unknowns."""
    text = brief(left, whole)
    if not leaves_out(text):
        return text
    entries = [(partial(left, z), z) for z in unknowns if z in left.free_symbols]
    return " + ".join(f"[{int(symengine.count_ops(entry)):,} operations]*{z.name}" for entry, z in entries)


def _places(divisors: Divisors) -> str:
    """What vanishes where equations fail, as LaTeX; counted where it would take lines."""
    written = (
        latex(value) if not leaves_out(text) else rf"\text{{{text}}}"
        for value, text in zip(divisors.values, divisors.texts(), strict=True)
    )
    return r" \text{ or } ".join(f"{each} = 0" for each in written)


def _count(unknowns: Sequence[Symbol]) -> str:
    return f"{len(unknowns)} linear equation{'s' if len(unknowns) != 1 else ''}"


def _few(write: Callable[[Expr], str], unknowns: Sequence[Symbol], more: str) -> str:
    return ", ".join([*map(write, unknowns[:4]), *([more] if len(unknowns) > 4 else [])])


# Equations that are too long to write out, step by step: one line for each definition, then the equations in these.


def step_lines(equations: EquationsOfMotion) -> list[str]:
    """Every definition and every equation as it stands, nothing written out and nothing left out."""
    inner = equations.frame.definitions if equations.frame else ()
    steps = {step.target: step.value for step in (*inner, *equations.definitions)}
    unknowns = (*equations.rates, *equations.multipliers)
    meant = zip(equations.speeds, equations.speed_values, strict=False)
    rows = [(dot(entries, unknowns), value) for entries, value in zip(equations.K, equations.rhs, strict=True)]
    sides = [*meant, *steps.items(), *rows]
    names = _names(steps, {each for row in sides for side in row for each in side.free_symbols})
    return [f"{_text(left, names)} = {_text(right, names)}" for left, right in sides]


def _text(side: Expr, names: dict[Symbol, Symbol]) -> str:
    return to_text(with_unit_circles(side.xreplace(names)))


def _names(targets: Iterable[Symbol], used: Iterable[Symbol]) -> dict[Symbol, Symbol]:
    """Names ``c1``, ``c2``, … for what has none in the language, with a letter that is free."""
    nameless = [target for target in targets if not is_written_symbol(target.name)]
    letter = "c"
    while any(re.fullmatch(rf"{letter}\d+", each.name) for each in used):
        letter += "_"
    return {target: symbol(f"{letter}{k}") for k, target in enumerate(nameless, 1)}
