"""The angles of an expression as combinations of terms, and base angles among those that occur."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import flint
import symengine

from anholonomy.symbolic.expressions import Expr, nodes_of
from anholonomy.symbolic.normal_forms.lattice import Terms

__all__ = ["angle_terms", "occurring_bases"]


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
