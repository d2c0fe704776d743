r"""Route: conserved quantities that contain a cyclic coordinate in exponentials, sines and powers.

A shift that leaves the motion alone mixes its integrals, by exponentials and by turns:

.. math:: v(F) = \lambda F \ \Longrightarrow\ F = e^{\lambda s}\,G, \quad v(s) = 1, \quad v(G) = 0, \qquad \dot G + \lambda\,\dot s\,G = 0

So a free particle in polar coordinates has $\lambda = \pm i$ and its momenta contain $\cos\varphi$ and $\sin\varphi$, though $\varphi$ stands nowhere. Over
products of functions $G$ that the shift leaves alone, the $\lambda$ are special values of a parameter (`anholonomy.laws.ansatz.rank_drops`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import symengine

from anholonomy.algebra.calculus import partial
from anholonomy.algebra.expressions import Expr, Symbol, Vector, symbol, time, zero
from anholonomy.algebra.residues.functions import function_nodes
from anholonomy.algebra.residues.linear_algebra import independent_columns, residue_kernel
from anholonomy.base.deadlines import check
from anholonomy.base.errors import NotSupportedError
from anholonomy.laws.ansatz.candidates import MAX_COLUMNS, Ansatz, Letters, degree_classes
from anholonomy.laws.ansatz.functions import FunctionSpace, Generator, density_factors
from anholonomy.laws.ansatz.random_points import SPARE, draw_points
from anholonomy.laws.ansatz.rank_drops import Determinants, NotRational, special_factors
from anholonomy.laws.ansatz.solutions import solve
from anholonomy.laws.known_laws import KnownLaws
from anholonomy.laws.reduced_motion import ReducedMotion

__all__ = ["functions_of_cyclic_coordinates"]

_SMALL = 150
"""Constants of an ansatz up to which the exponents are a matter of a second."""
_WEIGHT = 3
"""The degree of the functions that a shift leaves alone."""
_FEW = 12
"""Points at which it is seen which shifts leave the motion alone."""


def functions_of_cyclic_coordinates(known: KnownLaws) -> None:
    """Add laws that are products of functions which a shift leaves alone with those that it multiplies or turns."""
    classes = degree_classes(known.motion, known.degree)
    if any({1, 2} <= set(degrees) for degrees in classes):  # where degrees mix, low ones first
        classes = [tuple(range(top + 1)) for top in range(1, known.degree + 1)]
    for ansatz in _ansatze(known.motion, known.space, known.letters, classes):
        if known.full:
            break
        solve(known, ansatz)


def _ansatze(
    motion: ReducedMotion, space: FunctionSpace, letters: Letters, classes: Sequence[Sequence[int]]
) -> Iterator[Ansatz]:
    """The products among which there are integrals."""
    rate, singular = symbol("_lambda"), density_factors(motion)[1]  # where the inertia vanishes, its inverse has poles
    generators = [replace(g, least=min(g.least, -int(g.value in singular))) for g in space.generators]
    for s, v in _shifts(motion):
        still = [g for g in generators if symengine.expand(_along(g.value, v)) == 0]
        for degrees in classes:
            check()
            if (base := _base(motion, FunctionSpace(tuple(still)), letters, degrees)) is None:
                continue
            grown = _times(base, [symengine.exp(rate * s)])
            free = [p for p in motion.model.parameter_symbols if p not in motion.model.values]
            try:
                factors = special_factors(Determinants.of(motion, grown, rate), free, real=False)
            except (NotRational, NotSupportedError):
                continue
            closed = s in motion.model.turning_coordinates
            for turning in filter(None, (_functions(factor, rate, s, closed) for factor in factors)):
                ansatz = _times(base, turning)
                if len(ansatz.columns) <= MAX_COLUMNS:
                    yield ansatz


def _shifts(motion: ReducedMotion) -> list[tuple[Symbol, dict[Symbol, int]]]:
    """Constant directions along which nothing changes, each with the coordinate that grows by one along it; time is one that counts and does not occur."""
    model = motion.model
    found: list[tuple[Symbol, dict[Symbol, int]]] = [(time, {time: 1})] if motion.has_clock else []
    if not model.frame.is_chart:
        return found
    sources = [model.lagrangian, *(model.momenta_a or ()), *model.forces_a, *(c.expression for c in model.constraints)]
    q = model.coordinates
    slopes = [[partial(e, s) for s in q] for e in sources]
    flat = tuple(e for row in slopes for e in row)
    points = draw_points(motion, tuple(function_nodes(flat)), _FEW, values=model.values)
    values = [value for value, _ in points.at(flat)]
    rows = np.concatenate([np.stack(values[k : k + len(q)], axis=1) for k in range(0, len(flat), len(q))])
    for vector in residue_kernel(rows % points.prime, points.prime):
        small = {k: c if c <= points.prime // 2 else c - points.prime for k, c in vector.items()}
        if all(abs(c) == 1 for c in small.values()):
            k = min(small)
            found.append((q[k], {q[j]: c * small[k] for j, c in small.items()}))
    return found


def _along(f: Expr, v: dict[Symbol, int]) -> Expr:
    return symengine.Add(*(c * partial(f, s) for s, c in v.items()))


def _base(motion: ReducedMotion, still: FunctionSpace, letters: Letters, degrees: Sequence[int]) -> Ansatz | None:
    """The largest class of functions that stay for which exponents are soon known, without products that depend on others."""
    for weight in range(_WEIGHT, -1, -1):
        whole = Ansatz.of(still, letters, weight, degrees)
        if len(whole.columns) <= MAX_COLUMNS:
            points = draw_points(motion, still.values, len(whole.columns) + SPARE)
            kept = independent_columns(whole.matrices(points, whole.columns)[0], points.prime)
            if len(kept) <= _SMALL:
                return replace(whole, columns=tuple(whole.columns[k] for k in kept))
    return None


def _times(base: Ansatz, functions: Sequence[Expr]) -> Ansatz:
    """The products of a class, each with one of some functions."""
    split, count = len(base.space.generators), len(functions)
    units = [tuple(int(i == k) for i in range(count)) for k in range(count)]
    space = FunctionSpace((*base.space.generators, *(Generator(f, 0, 1) for f in functions)))
    columns = tuple((*c[:split], *unit, *c[split:]) for unit in units for c in base.columns)
    return Ansatz(space, base.letters, columns)


def _functions(factor: Expr, rate: Symbol, s: Symbol, closed: bool) -> Vector:
    r"""$e^{cs}$ where $\lambda = c$, $\cos\omega s$ and $\sin\omega s$ where $\lambda^2 = -\omega^2$; none for $\lambda = 0$ and for what has a higher degree.

    Of a ``closed`` coordinate only what a full turn leaves alone is a function.
    """
    first = symengine.expand(partial(factor, rate))
    second = symengine.expand(partial(first, rate))
    rest = factor.xreplace({rate: zero})
    if rate in second.free_symbols or rest == 0:
        return ()
    if second == 0:
        return () if closed else (symengine.exp(-rest / first * s),)
    if first.xreplace({rate: zero}) != 0:
        return ()
    square = symengine.expand(2 * rest / second)
    if square.is_Number and square.is_negative:
        root = symengine.sqrt(-square)
        return () if closed else (symengine.exp(root * s), symengine.exp(-root * s))
    root = symengine.sqrt(square)
    return (
        () if closed and not isinstance(root, symengine.Integer) else (symengine.cos(root * s), symengine.sin(root * s))
    )
