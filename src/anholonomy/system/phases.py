r"""Sines and cosines of one angle with several phases, written by those of one phase.

.. math:: \sin(\vartheta + \delta) = \sin\vartheta\cos\delta + \cos\vartheta\sin\delta, \qquad \delta \in \tfrac\pi{12}\,\mathbb Z

Three wheels at $\vartheta$, $\vartheta + 2\pi/3$ and $\vartheta + 4\pi/3$ have two functions of $\vartheta$, not six: a search for products of functions does not
know that by itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

import symengine

from anholonomy.algebra.expressions import Expr, Vector, zero
from anholonomy.system.constraints import Constraint
from anholonomy.system.model import Model

__all__ = ["without_phases"]

_TWELFTHS = 12
"""Multiples of a twelfth of pi have sines by square roots."""
_CIRCULAR = (symengine.sin, symengine.cos, symengine.tan, symengine.cot, symengine.sec, symengine.csc)


@lru_cache(maxsize=64)
def without_phases(model: Model) -> Model:
    """The same system with one phase for each angle; the model itself where no angle has several that differ by twelfths of pi.

    >>> import anholonomy as ah
    >>> system = ah.System(coordinates=["a"], lagrangian="a'^2/2 + sin(a) + sin(a + 2*pi/3) + sin(a + 4*pi/3)")
    >>> without_phases(system.model).lagrangian.expand()
    (1/2)*a'**2
    """
    sources = [model.lagrangian, *(model.momenta_a or ()), *model.forces_a, *(c.expression for c in model.constraints)]
    known = _by_one_phase(sources)
    if not known:
        return model

    def written(e: Expr) -> Expr:
        return e.xreplace(known)

    def vector(row: Vector | None) -> Vector | None:
        return None if row is None else tuple(map(written, row))

    def constraint(c: Constraint) -> Constraint:
        coefficients = tuple(symengine.expand(written(e)) for e in c.coefficients)
        position = None if c.position is None else written(c.position)
        return replace(
            c,
            expression=written(c.expression),
            coefficients=coefficients,
            offset=written(c.offset),
            position=position,
        )

    return model.replaced(
        lagrangian=written(model.lagrangian),
        momenta_a=vector(model.momenta_a),
        forces_a=vector(model.forces_a),
        constraints=tuple(map(constraint, model.constraints)),
        spare_constraints=tuple(map(constraint, model.spare_constraints)),
        implied=tuple(map(constraint, model.implied)),
        span_ba=None if model.span_ba is None else tuple(tuple(map(written, row)) for row in model.span_ba),
        speed_values=vector(model.speed_values),
    )


def _by_one_phase(sources: Iterable[Expr]) -> dict[Expr, Expr]:
    """Sines and cosines by those of the same angle with its first phase."""
    nodes = sorted({node for e in sources for node in e.atoms(*_CIRCULAR)}, key=str)
    first: dict[Expr, Expr] = {}
    split = {node: _split(node.args[0]) for node in nodes}
    # An angle that stands there without a phase is the one by which the others are written.
    for angle, phase in sorted(split.values(), key=lambda each: (each[1] != 0, str(each[1]))):
        if -angle not in first:
            first.setdefault(angle, phase)
    found = {}
    for node, (angle, phase) in split.items():
        sign = 1 if angle in first else -1
        begin = first[sign * angle]
        turn = sign * phase - begin
        if turn != 0 and symengine.expand(_TWELFTHS * turn / symengine.pi).is_Integer:
            found[node] = _turned(type(node), sign, sign * angle + begin, turn)
    return found


def _split(argument: Expr) -> tuple[Expr, Expr]:
    """The angle and the phase of an argument."""
    expanded = symengine.expand(argument)
    terms = expanded.args if isinstance(expanded, symengine.Add) else (expanded,)
    phase = symengine.Add(zero, *(term for term in terms if not term.free_symbols))
    return symengine.expand(expanded - phase), phase


def _turned(function: type, sign: int, angle: Expr, turn: Expr) -> Expr:
    """A function of $\\pm(\\vartheta + \\delta)$."""
    c, s = symengine.cos(turn), symengine.sin(turn)
    cosine = symengine.cos(angle) * c - symengine.sin(angle) * s
    sine = sign * (symengine.sin(angle) * c + symengine.cos(angle) * s)
    return {
        symengine.sin: sine,
        symengine.cos: cosine,
        symengine.tan: sine / cosine,
        symengine.cot: cosine / sine,
        symengine.sec: 1 / cosine,
        symengine.csc: 1 / sine,
    }[function]
