r"""The smooth pieces within which a quantity is constant: where nothing jumps by which a motion may change it.

.. math:: \dot F = 0 \ \text{where}\ s(q, \dot q, t) \ne 0, \qquad [L]_{s = 0} \ne 0 \ \text{or}\ [\partial L/\partial\dot q]_{s = 0} \ne 0 \ \text{or}\ [F]_{s = 0} \ne 0

Derivatives know nothing of a jump. A force that jumps leaves positions and velocities continuous, and so every continuous quantity: it needs no piece.
A jump of the Lagrangian, of the momenta or of a constraint throws the velocities, and a quantity that jumps itself has another value behind. What only kinks,
as the potential $|x|$, does neither.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

import symengine

from anholonomy.algebra.calculus import partial
from anholonomy.algebra.expressions import Expr, Symbol, Vector, dot, time, zero
from anholonomy.algebra.linear_algebra.symbolic import solve
from anholonomy.algebra.piecewise import is_smooth
from anholonomy.algebra.poles import divisors
from anholonomy.algebra.simplification.simplify import simplify
from anholonomy.algebra.switching import held, is_positive, switches, touches
from anholonomy.algebra.zero_test import zero_test
from anholonomy.findings import Finding
from anholonomy.language.writing import to_text
from anholonomy.laws.ansatz.random_points import roots_modulo_a_prime
from anholonomy.laws.reduced_motion import ReducedMotion

__all__ = ["within_pieces"]

_FINITE = (
    *(symengine.sin, symengine.cos, symengine.sinh, symengine.cosh, symengine.tanh),
    *(symengine.atan, symengine.acot, symengine.atan2, symengine.erf),
)
_MANY = 64
"""Points at which a radicand is looked at; one that is no square has no root at half of them."""


def within_pieces(motion: ReducedMotion, F: Expr, finding: Finding) -> Finding:
    """A proof that a quantity is constant as one for the pieces on which nothing jumps; the same where nothing does."""
    if not finding or (_is_smooth(motion) and not _bends(motion, [F])):
        return finding
    shown = F.xreplace(motion.speeds_of_velocities) if motion.has_frame else F
    found = _jumps_of_motion(motion) | _jumps([shown], motion)
    if not found:
        return finding
    keeps = " and ".join(f"{to_text(s)} {words}" for s, words in found.items())
    points = ", ".join(filter(None, (finding.scope.points, f"while {keeps}")))
    return replace(finding, scope=replace(finding.scope, points=points))


def _moving(motion: ReducedMotion) -> frozenset[Symbol]:
    return frozenset((*motion.coordinates, *motion.model.velocities, *motion.speeds, time))


@lru_cache(maxsize=64)
def _is_smooth(motion: ReducedMotion) -> bool:
    """True if nothing that is declared of the velocities can jump or kink."""
    model = motion.model
    sources = [model.lagrangian, *(model.momenta_a or ()), *(c.expression for c in model.constraints)]
    return not _bends(motion, [*sources, *(e for row in model.frame.anchor_ai for e in row)])


@lru_cache(maxsize=64)
def _jumps_of_motion(motion: ReducedMotion) -> dict[Expr, str]:
    """The switching functions at which the velocities may jump."""
    if _is_smooth(motion):
        return {}
    model = motion.model
    sources = [model.lagrangian, *(model.momenta_a or ()), *_of_constraints(motion)]
    sources += [e for row in model.frame.anchor_ai for e in row]
    slopes = [partial(model.lagrangian, w) for w in model.velocities] if _bends(motion, [model.lagrangian]) else []
    return _jumps([*sources, *slopes], motion)


def _of_constraints(motion: ReducedMotion) -> list[Expr]:
    r"""Functions that jump where the constraints do, however these are multiplied: $A^T(AA^T)^{-1}A$ and $A^T(AA^T)^{-1}a$ where they are affine."""
    every = motion.model.constraints
    plain = [c.expression for c in every]
    if not motion.has_frame or not _bends(motion, plain):
        return plain
    A = [c.coefficients for c in every]
    try:
        columns = solve([[dot(a, b) for b in A] for a in A], [*zip(*A, strict=True), [c.offset for c in every]])
    except ZeroDivisionError:
        return plain
    return [dot(column, weights) for column in zip(*A, strict=True) for weights in columns]


def _jumps(expressions: Iterable[Expr], motion: ReducedMotion) -> dict[Expr, str]:
    """The functions of moving symbols at whose zeros one of some expressions may jump, and what they do where none does."""
    found: dict[Expr, str] = {}
    moving = _moving(motion)
    for given in expressions:
        if not _bends(motion, [given]):
            continue
        e = given.xreplace({r: simplify(r) for r in touches(given)})  # 1 - cos^2 is a square
        squares = [r for r in touches(e) if not r.free_symbols.isdisjoint(moving) and _has_square(motion, [r])]
        inside = _inner_divisors([e], moving)
        for s in (*switches(e), *inside, *squares):
            known = s in found or -s in found or s.free_symbols.isdisjoint(moving) or is_positive(s)
            if not known and (s in squares or s in inside or not _is_continuous(e, s, moving)):
                found[s] = "stays positive" if s in squares else "keeps its sign"
    return found


def _bends(motion: ReducedMotion, expressions: Iterable[Expr]) -> bool:
    """True if something in the expressions may jump or kink, a root of a square included."""
    every, moving = list(expressions), _moving(motion)
    if not all(map(is_smooth, every)):
        return True
    roots = {node.args[0] for e in every for node in e.atoms(symengine.Pow) if _is_root(node)}
    if _inner_divisors(every, moving):
        return True
    radicands = sorted((r for r in roots if not r.free_symbols.isdisjoint(moving)), key=str)
    return any(switches(symengine.sqrt(r)) for r in radicands) or _has_square(motion, radicands)


def _inner_divisors(expressions: Iterable[Expr], moving: frozenset[Symbol]) -> Vector:
    r"""What is divided by inside functions that stay finite or may be made so by others: $\arctan(1/x)$ jumps at $x = 0$.

    So do $2^{1/x}$ from one side, and $x\sqrt{1 + 1/x^2}$.
    """
    nodes = {node for e in expressions for node in e.atoms(*_FINITE, symengine.asinh, symengine.Pow)}
    arguments = (
        node.args[0] if _is_root(node) else node.args[-1]
        for node in nodes
        if not isinstance(node, symengine.Pow) or _is_root(node) or not isinstance(node.args[1], symengine.Number)
    )
    some = sorted({a for a in arguments if _may_be_infinite(a, moving)}, key=str)
    return tuple(s for s in divisors(some, moving) if not is_positive(s)) if some else ()


def _is_root(node: Expr) -> bool:
    exponent = node.args[-1] if isinstance(node, symengine.Pow) else None
    return isinstance(exponent, symengine.Rational) and not isinstance(exponent, symengine.Integer)


def _has_square(motion: ReducedMotion, radicands: Sequence[Expr]) -> bool:
    """True unless every radicand is proven to be no square of a function, by a residue that has no root."""
    try:
        return bool(radicands) and not roots_modulo_a_prime(motion, radicands, _MANY).any(axis=0).all()
    except KeyError:  # a function without residues
        return True


def _is_continuous(e: Expr, s: Expr, moving: frozenset[Symbol]) -> bool:
    """True if an expression is proven to have the same value on both sides of the zeros of a switching function."""
    try:
        above, below = (held(e, {s: symengine.Integer(sign)}) for sign in (1, -1))
        gap = simplify(above - below)
        for q in sorted(s.free_symbols & moving, key=str):
            slope = symengine.expand(partial(s, q))
            if isinstance(slope, symengine.Number) and slope != 0:
                return bool(zero_test(gap.xreplace({q: symengine.expand(q - s / slope)})).is_proven)
        left = gap.xreplace({s: zero})
        return not _may_be_infinite(left, moving) and bool(zero_test(left).is_proven)
    except (RuntimeError, ValueError):  # SymEngine divides by zero in its own way
        return False


def _may_be_infinite(e: Expr, moving: frozenset[Symbol]) -> bool:
    """True if something moving stands below a fraction, perhaps of a tangent."""
    below = (node for node in e.atoms(symengine.Pow) if node.args[1].is_Number and node.args[1] < 0)
    quotients = e.atoms(symengine.tan, symengine.cot, symengine.sec, symengine.csc)
    return any(not node.free_symbols.isdisjoint(moving) for node in (*below, *quotients))
