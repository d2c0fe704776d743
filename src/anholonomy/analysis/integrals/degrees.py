r"""Which degrees in the speeds an integral may mix: none without potential and forces, those of one parity where motions can be reversed.

.. math:: L(q, -w) = L(q, w), \quad Q(q, -w) = Q(q, w), \quad \varphi(q, -w) = \pm\varphi(q, w)
   \quad\Longrightarrow\quad F = F_+ + F_-, \quad \dot F_+ = \dot F_- = 0
"""

from __future__ import annotations

import symengine

from anholonomy.analysis.reduced_motion import ReducedMotion
from anholonomy.symbolic.calculus import gradient
from anholonomy.symbolic.expressions import Expr, Symbol, dot
from anholonomy.symbolic.zero import is_zero
from anholonomy.system.model import Model

__all__ = ["degree_at_rest", "degree_classes", "functions_at_rest"]


def degree_classes(motion: ReducedMotion, degree: int) -> list[tuple[int, ...]]:
    """Sets of degrees, up to the given one, that can be looked at one after the other."""
    every = tuple(range(degree + 1))
    if not _is_reversible(motion) or not all(_has_parity(I, motion.speeds) for I in motion.level_functions):
        return [every]
    if _is_free(motion) and all(
        any(_scales(I, motion.speeds, k) for k in (1, 2, 3, 4)) for I in motion.level_functions
    ):
        return [(d,) for d in every]
    return [some for some in (every[1::2], every[0::2]) if some]


def _is_reversible(motion: ReducedMotion) -> bool:
    model = motion.model
    back = {w: -w for w in model.velocities}
    even = [model.lagrangian, *model.forces_a]
    if motion.mentions_time or model.momenta_a is not None or any(e != 0 for e in model.frame.drift_i):
        return False
    phi = [c.expression for c in model.constraints]
    if any(not is_zero(e.xreplace(back) + e) and not is_zero(e.xreplace(back) - e) for e in phi):
        return False
    return all(is_zero(e.xreplace(back) - e) for e in even)


def _has_parity(f: Expr, u: tuple[Symbol, ...]) -> bool:
    back = f.xreplace({s: -s for s in u})
    return is_zero(f - back) or is_zero(f + back)


def _is_free(motion: ReducedMotion) -> bool:
    """Whether kinetic energy and constraints that scale with the velocities are all there is."""
    model = motion.model
    w = model.velocities
    if any(e != 0 for e in model.forces_a) or not _scales(model.lagrangian, w, 2):
        return False
    return all(any(_scales(c.expression, w, k) for k in (1, 2)) for c in model.constraints)


def _scales(f: Expr, w: tuple[Symbol, ...], degree: int) -> bool:
    """Euler's relation for homogeneous functions."""
    return is_zero(dot(gradient(f, w), w) - degree * f)


def degree_at_rest(model: Model) -> int:
    """The degree of the potential in the coordinates that stand bare in it."""
    return max((_degree(term, set(model.coordinates)) for term in _at_rest(model)), default=0)


def functions_at_rest(model: Model) -> tuple[Expr, ...]:
    """The terms of the potential that are no polynomials, without their constants."""
    q, found = set(model.coordinates), dict[Expr, None]()
    for term in _at_rest(model):
        factors = term.args if isinstance(term, symengine.Mul) else (term,)
        moving = symengine.Mul(*(f for f in factors if not f.free_symbols.isdisjoint(q)))
        if not _is_monomial(moving, q):
            found[moving] = None
    return tuple(found)


def _at_rest(model: Model) -> tuple[Expr, ...]:
    V = symengine.expand(model.lagrangian.xreplace(dict.fromkeys(model.velocities, symengine.Integer(0))))
    return tuple(V.args) if isinstance(V, symengine.Add) else (V,)


def _is_monomial(term: Expr, coordinates: set[Symbol]) -> bool:
    for factor in term.args if isinstance(term, symengine.Mul) else (term,):
        base, power = factor.args if isinstance(factor, symengine.Pow) else (factor, symengine.Integer(1))
        if base.free_symbols & coordinates and base not in coordinates:
            return False
        if not isinstance(power, symengine.Integer) or int(power) < 0:
            return False
    return True


def _degree(term: Expr, coordinates: set[Symbol]) -> int:
    """The degree of a product in coordinates that stand bare."""
    total = 0
    for factor in term.args if isinstance(term, symengine.Mul) else (term,):
        base, power = factor.args if isinstance(factor, symengine.Pow) else (factor, 1)
        if base in coordinates and isinstance(power, int | symengine.Integer):
            total += max(int(power), 0)
    return total
