r"""Conserved quantities of a reduced system in momenta: $M\cdot\gamma$, $M\cdot M$ and what is left of it without the vertical.

.. math:: E = \tfrac12M\cdot u + V, \qquad M\cdot\gamma, \qquad M\cdot M, \qquad M\cdot M - (M\cdot\gamma)^2

These are tried, and proven, because a book has them; they take the place of those that follow from them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from anholonomy.analysis.integrals.proofs import constant
from anholonomy.analysis.law import Law
from anholonomy.analysis.laws import Laws
from anholonomy.analysis.reduced_motion import ReducedMotion, reduced_motion
from anholonomy.formulations.reduction.book_form import BookForm
from anholonomy.formulations.reduction.combinations import numeric_rank
from anholonomy.symbolic.calculus import along, gradient
from anholonomy.symbolic.expressions import Expr, Vector, dot

__all__ = ["in_momenta"]


def in_momenta(laws: Laws, book: BookForm) -> Laws:
    """The same laws, written in momenta where that is possible."""
    motion = reduced_motion(book.quotient.base)
    mine = [_read(law, book) for law in laws if law.kind == "energy"]
    degree = max((law.degree for law in laws), default=0)
    mine += [law for law in _tried(motion, book) if law.degree <= degree]
    rest = [replace(law, named=_shortest(law.named, book)) for law in laws if law.kind != "energy"]
    kept: list[Law] = []
    for law in (*mine, *rest):
        if len(kept) < len(laws) and _rank(motion, [*kept, law]) > len(kept):
            kept.append(law)
    return replace(laws, found=tuple(kept)) if len(kept) == len(laws) else laws


def _read(energy: Law, book: BookForm) -> Law:
    """The energy as half of momentum times speed and the potential."""
    quotient = book.quotient
    if any(b != 0 for b in quotient.linear_a):
        return energy
    potential = quotient.space.written(quotient.carried.potential)
    return replace(energy, named=dot(tuple(book.momenta), quotient.base.velocities) / 2 + potential)


def _tried(motion: ReducedMotion, book: BookForm) -> Iterator[Law]:
    M, g = tuple(book.momenta), book.directions
    squares = dot(M, M)
    candidates: list[tuple[int, Expr]] = [(2, squares)]
    if g:
        candidates = [(1, dot(M, g)), (2, squares), (2, squares - dot(M, g) ** 2)]
    for degree, named in candidates:
        F = named.xreplace(book.momenta)
        if _looks_constant(motion, F) and (proof := constant(motion, F, (), motion.on, named)):
            yield Law(motion.model, ("linear", "quadratic")[degree - 1], degree, F, proof, named)


def _looks_constant(motion: ReducedMotion, F: Expr) -> bool:
    rate = along(F.xreplace(motion.velocities), motion.rates)
    return numeric_rank([[rate]], motion.model.frame) == 0


def _shortest(F: Expr, book: BookForm) -> Expr:
    return book.quotient.shortest(F)


def _rank(motion: ReducedMotion, laws: list[Law]) -> int:
    """How many of them are independent on the constraint submanifold, as doubles see it."""
    rows: list[Vector] = []
    for law in laws:
        F = law.expression.xreplace(motion.velocities)
        rows.append((*(along(F, field) for field in motion.fields), *gradient(F, motion.speeds)))
    return numeric_rank(rows, motion.model.frame)
