r"""That no other value of a parameter is special: two minors of the equations, exactly, as polynomials in the parameter.

.. math:: \det R_P(s),\ \det R_{P'}(s) \in \mathbb Q[s], \qquad \gcd(\det R_P, \det R_{P'})(s_*) \ne 0 \ \Longrightarrow\ \operatorname{rank}R(s_*) = \operatorname{rank}R

The rows are taken at points with whole coordinates, on circles and groups at rational points, times the determinant of the inertia, so that nothing is divided by.
Where the minors share zeros that are neither known nor those of the inertia, other points are taken.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import lcm
from typing import Any

import flint
import symengine

from anholonomy.analysis.integrals.ansatz import Ansatz, Column, product_of
from anholonomy.analysis.integrals.proofs import cramer, on_submanifold, rate_times_inertia
from anholonomy.analysis.reduced_motion import ReducedMotion
from anholonomy.analysis.residues.transcendentals import function_nodes
from anholonomy.symbolic.calculus import partial
from anholonomy.symbolic.expressions import Expr, Symbol, free_symbols, nodes_of, time
from anholonomy.symbolic.patience import check
from anholonomy.symbolic.steps.straight_line import inline

__all__ = ["excluded_others"]

MAX_COLUMNS, MAX_SPEEDS, MAX_DEGREE = 70, 4, 300
"""Products, speeds and degrees in the parameter up to which minors are computed in seconds."""
_SETS = 3
"""Sets of equations, chosen at random, of which two may give determinants without a common zero."""


def excluded_others(
    motion: ReducedMotion, ansatz: Ansatz, columns: Sequence[Column], s: Symbol, known: Sequence[Expr]
) -> str:
    """Empty where every real value but the zeros of ``known`` and of the inertia keeps the rank; otherwise why that is not proven."""
    if not columns:
        return ""
    if len(columns) > MAX_COLUMNS or len(motion.speeds) > MAX_SPEEDS:
        return "the minors are too long to be written out exactly"
    if not motion.has_frame or free_symbols(_sources(motion)) & set(motion.model.parameter_symbols) - {
        s,
        *motion.model.values,
    }:
        return "other parameters are free, for which minors are polynomials in several variables"
    values = (*ansatz.space.values, *ansatz.letters.values)
    written = [on_submanifold(motion, inline([product_of(values, c)], ansatz.letters.steps)[0]) for c in columns]
    rates = [rate_times_inertia(motion, F) for F in written]
    inertia = cramer(motion.mass_ab, motion.force_a)[0]
    shared: Any = None
    for seed in range(_SETS):
        check()
        found = _minor(motion, rates, inertia, s, seed)
        if found is None:
            return "the equations are no polynomials in the parameter with rational values at rational points"
        minor, poles = found
        shared = minor if shared is None else shared.gcd(minor)
        rest = _without(shared, [poles, *(_polynomial(e, s) for e in known)])
        if seed and not _has_real_zero(rest):
            return ""
    return "the minors that were looked at share another factor"


def _sources(motion: ReducedMotion) -> list[Expr]:
    return [e for step in motion.equations.unknown_steps for e in step.sources]


def _minor(motion: ReducedMotion, rates: Sequence[Expr], inertia: Expr, s: Symbol, seed: int) -> tuple[Any, Any] | None:
    """A determinant of as many rows as there are columns, and what the inertia shares at the points; None where points have no numbers."""
    rng, rows, poles = random.Random(seed + 3), list[list[list[Any]]](), flint.fmpq_poly([])
    every = [*rates, inertia]
    nodes = function_nodes(every)
    for _ in rates:
        check()
        at = _point(motion, nodes, s, rng)
        if at is None:
            return None
        entries = [_coefficients(e.xreplace(at), s) for e in every]
        known = [e for e in entries if e is not None]
        if len(known) < len(entries):
            return None
        rows.append(known[:-1])
        poles = poles.gcd(flint.fmpq_poly(known[-1]))
    degree = sum(max(len(e) for e in row) - 1 for row in rows)
    if degree > MAX_DEGREE:
        return None
    scales = [lcm(*(int(c.q) for e in row for c in e)) for row in rows]
    whole = [[flint.fmpz_poly([int(c * k) for c in e]) for e in row] for row, k in zip(rows, scales, strict=True)]
    through, product = flint.fmpq_poly([]), flint.fmpq_poly([1])
    for x in range(degree + 1):  # Newton's interpolation
        check()
        value = flint.fmpz_mat([[e(x) for e in row] for row in whole]).det()
        through += product * ((flint.fmpq(value) - through(x)) / product(x))
        product *= flint.fmpq_poly([-x, 1])
    return through, poles


def _point(motion: ReducedMotion, nodes: set[Expr], s: Symbol, rng: random.Random) -> dict[Expr, Expr] | None:
    """Numbers for everything but the parameter: whole ones, rational ones on circles and on groups."""
    model = motion.model
    on = model.frame.orbit
    tied = dict(on.chart) if on is not None and on.tied and on.chart is not None else {}
    if on is not None and on.tied and not tied:
        return None
    at: dict[Expr, Expr] = {p: value for p, value in model.values.items() if p != s}
    inside = free_symbols(tied.values())
    for v in sorted({*model.coordinates, *motion.speeds, time, *inside} - set(tied), key=str):
        at[v] = symengine.Integer(rng.choice([n for n in range(-9, 10) if n]))
    at |= {q: symengine.expand(value.xreplace(at)) for q, value in tied.items()}
    angles: dict[Expr, tuple[Expr, Expr]] = {}
    for node in sorted(nodes, key=str):
        if not isinstance(node, symengine.sin | symengine.cos) or node.args[0] not in model.coordinates:
            return None
        tau = symengine.Rational(rng.randrange(2, 9), rng.choice([1, 3, 5]))
        c, sine = angles.setdefault(node.args[0], ((1 - tau**2) / (1 + tau**2), 2 * tau / (1 + tau**2)))
        at[node] = c if isinstance(node, symengine.cos) else sine
    return at


def _coefficients(value: Expr, s: Symbol) -> list[Any] | None:
    """The coefficients of a polynomial with rational numbers, lowest first; None where it is none."""
    powers = (node for node in nodes_of(value, symengine.Pow) if s in node.free_symbols)
    if any(not isinstance(node.args[1], symengine.Integer) or node.args[1] < 0 for node in powers):
        return None
    found, rest, factorial = list[Any](), symengine.expand(value), 1
    for k in range(20):
        here = symengine.expand(rest.xreplace({s: symengine.Integer(0)}))
        if not isinstance(here, symengine.Rational):
            return None
        found.append(flint.fmpq(*map(int, str(here).split("/"))) / factorial)
        rest, factorial = symengine.expand(partial(rest, s)), factorial * (k + 1)
        if rest == 0:
            return found
    return None


def _polynomial(e: Expr, s: Symbol) -> Any:
    found = _coefficients(e, s)
    return flint.fmpq_poly([1] if found is None else found)


def _without(polynomial: Any, others: Sequence[Any]) -> Any:
    """The polynomial without the zeros of others."""
    for other in others:
        while other.degree() > 0 and (common := polynomial.gcd(other)).degree() > 0:
            polynomial //= common
    return polynomial


def _has_real_zero(polynomial: Any) -> bool:
    if polynomial.degree() < 1:
        return bool(polynomial == 0)
    return any(root.imag.contains(0) for root, _ in polynomial.numer().complex_roots())
