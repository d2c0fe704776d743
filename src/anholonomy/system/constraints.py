r"""A constraint $\varphi(q, w, t) = 0$, its kinds, and how an equation is classified into one.

Linear and affine rows are stored as $A_a(q,t)\,w^a + a(q,t)$, so that a row which only looks nonlinear is treated as what it is.
A constraint on positions $g(q, t) = 0$ acts through $\dot g = 0$ and keeps $g$.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Flag, auto
from typing import final

import symengine

from anholonomy.algebra.calculus import gradient, has_corner, partial, total_derivative
from anholonomy.algebra.expressions import Expr, Symbol, Vector, dot, is_naught, replaced, symbol, time, zero
from anholonomy.algebra.zero_test import not_seen_to_differ, zero_test
from anholonomy.base.errors import DeclarationError
from anholonomy.base.notebook import Shown
from anholonomy.base.verdict import Verdict
from anholonomy.geometry.frame import Frame
from anholonomy.language import to_text
from anholonomy.language.functions import Unreal, check_real

__all__ = ["Kind", "Constraint", "classify", "probes"]


class Kind(Flag):
    """What a system's constraints are like: refusals, the table of principles and the tests of them are made from these flags."""

    LINEAR = auto()
    """Homogeneous and linear in the velocities."""
    AFFINE = auto()
    """Linear with an inhomogeneous part."""
    TIME_DEPENDENT = auto()
    """Explicit time in a coefficient or in the inhomogeneous part."""
    NONLINEAR = auto()
    """Nonlinear in the velocities; ideal in the sense of Chetaev."""
    POSITION = auto()
    """Declared on positions; its time derivative is the velocity constraint."""
    ACCELERATION = auto()
    """Linear in the accelerations, without a constraint on velocities behind it; ideal in the sense of Gauss."""
    REDUNDANT = auto()
    """Some constraint follows from the others, and all are kept."""
    FORCE_MOMENTUM = auto()
    """No Lagrangian: the dynamics is a pair of force and momentum."""

    @property
    def label(self) -> str:
        """The word for people."""
        return str(self.name).lower().replace("_", "-")

    @property
    def phrase(self) -> str:
        """What a system of this kind has."""
        return "a dynamics without Lagrangian" if self is Kind.FORCE_MOMENTUM else f"{self.label} constraints"


@final
@dataclass(frozen=True, repr=False)
class Constraint(Shown):
    r"""$\varphi(q, w, t) = 0$ with its kind.

    Attributes
    ----------
    coefficients
        $\partial\varphi/\partial w^a$; free of $w$ unless the constraint is nonlinear. For one on accelerations,
        $\partial\varphi/\partial\dot w^a$.
    offset
        $a(q, t)$ of an affine constraint, 0 for a nonlinear one and for one on accelerations.
    position
        $g(q, t)$ where the constraint was declared on positions.
    declared
        The equation as the user gave it, left side minus right side.
    """

    label: str
    expression: Expr
    kind: Kind
    coefficients: Vector
    offset: Expr
    position: Expr | None
    declared: Expr

    def __repr__(self) -> str:
        text = to_text(self.declared)
        shown = f"{text[:_PRINTED]}…" if len(text) > _PRINTED else text
        return f"Constraint({self.label!r}, {', '.join(each.label for each in self.kind)}: {shown} = 0)"


_PRINTED = 200
"""Characters of an equation in its printed form; ``declared`` holds it whole."""


def classify(label: str, declared: Expr, frame: Frame, velocities: Sequence[Symbol]) -> Constraint:
    """Find out what kind of constraint an equation is."""
    if declared.free_symbols & {symbol(f"{w.name}'") for w in velocities}:
        return _on_accelerations(label, declared, velocities)
    position = None
    if not declared.free_symbols & set(velocities):
        position = declared
        phi = total_derivative(declared, frame.coordinate_rates(velocities))
    else:
        phi = declared
    coefficients = gradient(phi, velocities)
    kind = Kind.POSITION if position is not None else Kind(0)
    if not _is_affine(coefficients, velocities):
        kind |= Kind.NONLINEAR
        if time in phi.free_symbols:
            kind |= Kind.TIME_DEPENDENT
        return Constraint(label, phi, kind, coefficients, zero, position, declared)
    coefficients, offset = _affine_parts(phi, coefficients, velocities)
    kind |= Kind.LINEAR if offset == 0 else Kind.AFFINE
    if any(time in entry.free_symbols for entry in (*coefficients, offset)):
        kind |= Kind.TIME_DEPENDENT
    return Constraint(label, dot(coefficients, velocities) + offset, kind, coefficients, offset, position, declared)


def _on_accelerations(label: str, declared: Expr, velocities: Sequence[Symbol]) -> Constraint:
    r"""$A_a(q, w, t)\,\dot w^a + b(q, w, t) = 0$."""
    accelerations = tuple(symbol(f"{w.name}'") for w in velocities)
    coefficients = gradient(declared, accelerations)
    if not _is_affine(coefficients, accelerations):
        raise DeclarationError(
            f"the constraint {label} is not linear in the accelerations; solve it for them, or write it with velocities."
        )
    kind = Kind.ACCELERATION | (Kind.TIME_DEPENDENT if time in declared.free_symbols else Kind(0))
    coefficients, offset = _affine_parts(declared, coefficients, accelerations)
    return Constraint(label, dot(coefficients, accelerations) + offset, kind, coefficients, zero, None, declared)


def _affine_parts(phi: Expr, coefficients: Vector, velocities: Sequence[Symbol]) -> tuple[Vector, Expr]:
    r"""$A_a$ and $a$, free of velocities: their values at rest, or at another velocity where rest is 0/0."""
    for values in probes(velocities):
        try:
            A = tuple(replaced(c, values) for c in coefficients)
            found = _tidied([*A, replaced(phi, values) - dot(A, tuple(values.values()))])
            check_real(*found)
        except (Unreal, RuntimeError):  # SymEngine raises the latter for exp(zoo)
            continue
        return found[:-1], found[-1]
    raise DeclarationError(
        f"the constraint {phi} = 0 is not finite where it was looked at; write it without quotients."
    )


def probes(velocities: Sequence[Symbol]) -> Iterator[dict[Symbol, Expr]]:
    """Rest, and two more velocities at which to read off the parts of a polynomial that may be 0/0 at rest."""
    for step in (lambda k: 0, lambda k: k, lambda k: k * k + 1):
        yield {w: symengine.Integer(step(k)) for k, w in enumerate(velocities, start=1)}


def _is_affine(coefficients: Sequence[Expr], velocities: Sequence[Symbol]) -> bool:
    r"""$\partial^2\varphi/\partial w^a\partial w^b = 0$, proven; what cannot be proven counts as nonlinear."""
    for coefficient in coefficients:
        if not (moving := coefficient.free_symbols & set(velocities)):
            continue
        if has_corner(coefficient, velocities):  # the sign of a velocity has no slope, but it is not constant
            return False
        for w in moving:
            if zero_test(partial(coefficient, w)) is not Verdict.PROVEN:
                return False
    return True


def _tidied(entries: Iterable[Expr]) -> Vector:
    """Structural zeros where entries are provably zero."""
    entries = tuple(entries)
    doubtful = [e for e in dict.fromkeys(entries) if not (is_naught(e) or isinstance(e, symengine.Symbol))]
    naught = {e for e in not_seen_to_differ(doubtful) if zero_test(e) is Verdict.PROVEN}
    return tuple(zero if e in naught else e for e in entries)
