r"""Base angles: every angle of an expression as an integer combination of as few as possible.

Angles are vectors over $\mathbb Q$, $\alpha = \sum_k q_k t_k$ with terms $t_k$ such as ``theta`` or ``k*x``.
The vectors that occur span a lattice; a short basis $b_j$ of it (LLL) gives $\alpha = \sum_j n_j b_j$ with
integers $n_j$, so that sums, multiples and fractions of angles all become polynomials in
$\cos b_j, \sin b_j$. Exponents of ``exp`` are treated the same way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import TypeAlias, final

import flint
import symengine

from anholonomy.algebra.expressions import Expr, nodes_of

__all__ = ["Lattice", "Terms", "angle_terms", "occurring_bases"]


Terms: TypeAlias = Mapping[Expr, Fraction]
"""A combination of terms with rational coefficients, none of them zero."""

MAX_MULTIPLE = 24
"""cos(n b) has about n terms; beyond this multiple an angle becomes a base of its own."""


@final
class Lattice:
    """Bases found so far; `admit` adds what new vectors need, `coordinates` writes a vector in them.

    >>> import symengine
    >>> x, y = symengine.symbols("x y")
    >>> lattice = Lattice()
    >>> lattice.admit([{x: Fraction(1, 2)}, {x: Fraction(1, 3), y: Fraction(1)}])
    >>> len(lattice.bases)
    2
    >>> lattice.coordinates({x: Fraction(1), y: Fraction(3, 2)}) is None
    True
    """

    def __init__(self) -> None:
        self.bases: list[Terms] = []

    def admit(self, vectors: Sequence[Terms]) -> None:
        """Extend the bases until every vector has coordinates; bases already given out stay as they are."""
        known = {term for base in self.bases for term in base}
        fresh = []
        for vector in vectors:
            if self.coordinates(vector) is not None:
                continue
            old = {term: q for term, q in vector.items() if term in known}
            if old and self.coordinates(old) is not None:
                vector = {term: q for term, q in vector.items() if term not in known}
            fresh.append(vector)
        candidates = _basis(fresh)
        written = [_coordinates(vector, candidates) for vector in fresh]
        if any(c is None or max(map(abs, c), default=0) > MAX_MULTIPLE for c in written):
            # Incommensurable in practice, such as x and 0.1*x: each keeps its own base.
            candidates = []
            for vector in fresh:
                if vector not in candidates and _negative(vector) not in candidates:
                    candidates.append(vector)
        self.bases += candidates

    def coordinates(self, vector: Terms) -> dict[int, int] | None:
        """``{j: n_j}`` with the vector equal to $\\sum_j n_j b_j$, or None."""
        for sign, target in ((1, vector), (-1, _negative(vector))):
            if target in self.bases:
                return {self.bases.index(target): sign}
        touched = self._touched(vector)
        solution = _coordinates(vector, [self.bases[j] for j in touched])
        if solution is None or max(map(abs, solution), default=0) > MAX_MULTIPLE:
            return None
        return {j: n for j, n in zip(touched, solution, strict=True) if n}

    def _touched(self, vector: Terms) -> list[int]:
        """The bases that share terms with the vector, or with a base that does, and so on."""
        reached, count = set(vector), 0
        while len(reached) > count:
            count = len(reached)
            for base in self.bases:
                if not reached.isdisjoint(base):
                    reached |= base.keys()
        return [j for j, base in enumerate(self.bases) if not reached.isdisjoint(base)]


def _exact(value: Fraction) -> flint.fmpq:
    return flint.fmpq(value.numerator, value.denominator)


def _negative(vector: Terms) -> Terms:
    return {term: -q for term, q in vector.items()}


def _basis(vectors: Sequence[Terms]) -> list[Terms]:
    """A short basis of the lattice the vectors generate."""
    terms = sorted({term for vector in vectors for term in vector}, key=str)
    scale = lcm(*(q.denominator for vector in vectors for q in vector.values()))
    if not terms:
        return []
    rows = [[int(vector.get(term, Fraction(0)) * scale) for term in terms] for vector in vectors]
    reduced = flint.fmpz_mat(rows).lll().tolist()
    return [
        {term: Fraction(int(n), scale) for term, n in zip(terms, row, strict=True) if n} for row in reduced if any(row)
    ]


def _coordinates(vector: Terms, bases: Sequence[Terms]) -> list[int] | None:
    """Integer coordinates in independent bases, by the normal equations and a check that they are exact."""
    terms = sorted({term for base in bases for term in base} | set(vector), key=str)
    if not bases:
        return None if vector else []
    rows = flint.fmpq_mat([[_exact(base.get(t, Fraction(0))) for t in terms] for base in bases])
    right = flint.fmpq_mat([[_exact(vector.get(t, Fraction(0)))] for t in terms])
    try:
        solution = (rows * rows.transpose()).solve(rows * right)
    except ZeroDivisionError:
        # Bases kept for their own sake may depend on each other; then nothing is written in them.
        return None
    if rows.transpose() * solution != right or any(entry.q != 1 for entry in solution.entries()):
        return None
    return [int(entry.p) for entry in solution.entries()]


# The angles of an expression as combinations of terms, and base angles among those that occur.


def occurring_bases(expression: Expr) -> list[Terms]:
    """Sums and differences that occur as angles, completed by single terms; empty where there is no choice."""
    vectors = []
    for node in nodes_of(expression, symengine.sin, symengine.cos, symengine.tan):
        vector = angle_terms(node.args[0])
        vector.pop(symengine.pi, None)
        if vector and vector not in vectors:
            vectors.append(vector)
    if all(len(vector) == 1 for vector in vectors) or any(q.denominator > 1 for v in vectors for q in v.values()):
        return []
    terms = sorted({term for vector in vectors for term in vector}, key=str)
    if any(term.atoms(symengine.Function) for term in terms):
        return []
    vectors.sort(key=lambda vector: (len(vector) == 1, len(vector), str(vector)))
    bases: list[Terms] = []
    for vector in vectors:
        if _rank([*bases, vector], terms) > len(bases):
            bases.append(vector)
    return bases


def _rank(vectors: Sequence[Terms], terms: Sequence[Expr]) -> int:
    rows = [[flint.fmpq(q.numerator, q.denominator) for q in (v.get(t, Fraction(0)) for t in terms)] for v in vectors]
    return int(flint.fmpq_mat(rows).rank())


def angle_terms(angle: Expr) -> dict[Expr, Fraction]:
    """The terms of an angle with their rational coefficients."""
    found: dict[Expr, Fraction] = {}
    for term in angle.args if isinstance(angle, symengine.Add) else (angle,):
        number = term.args[0] if isinstance(term, symengine.Mul) else symengine.Integer(1)
        q = Fraction(str(number)) if isinstance(number, symengine.Integer | symengine.Rational) else Fraction(1)
        rest = term / symengine.Rational(q.numerator, q.denominator)
        found[rest] = found.get(rest, Fraction(0)) + q
    return found
