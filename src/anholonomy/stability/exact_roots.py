r"""Where the roots of a characteristic polynomial lie: right of the imaginary axis, left of it, at zero, or else on it.

.. math:: \chi(\lambda) = \lambda^k r(\lambda), \qquad
          \#\{\mathrm{Re} > 0\} + \#\{\mathrm{Re} < 0\} + \#\{\mathrm{Re} = 0\} + k = n

Over the rationals all numbers are exact: roots on the axis are real roots of the common divisor of the real and the imaginary part of
$r(i\omega)$, and the others are enclosed until each is on one side. In balls Routh's array decides where its pivots exclude zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, cast, final

import flint

from anholonomy.algebra.numbers.balls import precision
from anholonomy.algebra.numbers.local_series import Coefficient, is_certain, is_zero, rational, sign_of

__all__ = ["Roots", "characteristic", "complex_roots", "count_roots", "grows", "product"]

_FINEST = 20_000
"""Digits after which the enclosure of algebraic numbers is given up."""
_SHIFTS = (3, 8, 16, 40, 100)
"""Powers of 1/10 by which the axis is moved, relative to the coefficients, where roots on it may stand in the way."""


@final
@dataclass(frozen=True)
class Roots:
    """How many roots are on each side, at zero, and on the imaginary axis elsewhere."""

    right: int
    left: int
    zero: int
    axis: int


def characteristic(A: Sequence[Sequence[Coefficient]]) -> list[Coefficient]:
    """Return the coefficients of the characteristic polynomial, from the constant on (Faddeev and Leverrier).

    >>> from fractions import Fraction
    >>> A = [[rational(0), rational(1)], [rational(Fraction(1, 10**11)), rational(-1)]]
    >>> [str(c) for c in characteristic(A)]
    ['-1/100000000000', '1', '1']
    """
    n = len(A)
    M = [[rational(0)] * n for _ in range(n)]
    found = [rational(1)]
    for k in range(1, n + 1):
        M = product(A, M)
        for i in range(n):
            M[i][i] = M[i][i] + found[-1]
        AM = product(A, M)
        trace = rational(0)
        for i in range(n):
            trace = trace + AM[i][i]
        found.append(-trace / rational(k))
    return found[::-1]


def product(A: Sequence[Sequence[Coefficient]], B: Sequence[Sequence[Coefficient]]) -> list[list[Coefficient]]:
    """Return the product of two matrices; exact zeros stay exact."""
    out = []
    for row in A:
        entries = [(k, a) for k, a in enumerate(row) if not is_zero(a)]
        new = []
        for j in range(len(B[0]) if B else 0):
            total = rational(0)
            for k, a in entries:
                if not is_zero(B[k][j]):
                    total = total + a * B[k][j]
            new.append(total)
        out.append(new)
    return out


def count_roots(polynomial: Sequence[Coefficient], zeros: int = 0) -> Roots | None:
    """Return where the roots are, or None if that is not decided; at least ``zeros`` are known to be zero.

    >>> Roots(1, 1, 0, 0) == count_roots([rational(-1), rational(0), rational(1)])
    True
    >>> count_roots([rational(c) for c in (0, 1, 0, 1)])
    Roots(right=0, left=0, zero=1, axis=2)
    """
    known = next((k for k, c in enumerate(polynomial) if not is_zero(c)), len(polynomial))
    zeros = max(zeros, known)
    rest = list(polynomial[zeros:])
    if all(isinstance(c, flint.fmpq) for c in rest):
        return _exact(rest, zeros)
    signs = _routh(rest)
    if signs is None:
        return None
    right = sum(a != b for a, b in pairwise(signs))
    return Roots(right, len(rest) - 1 - right, zeros, 0)


def grows(polynomial: Sequence[Coefficient], zeros: int = 0) -> bool:
    """True if a root is proven to be right of the imaginary axis.

    Roots on the axis may stand in the way of a count, so it is moved a little to the right, too.
    """
    found = count_roots(polynomial, zeros)
    if found is not None:
        return found.right > 0
    rest = list(polynomial[zeros:])
    for power in _SHIFTS:
        signs = _routh(_shifted(rest, flint.fmpq(1, 10**power)))
        if signs is not None and any(a != b for a, b in pairwise(signs)):
            return True
    return False


def _shifted(polynomial: Sequence[Coefficient], by: Coefficient) -> list[Coefficient]:
    """Return $r(\\lambda + s)$ by Horner's rule."""
    out: list[Coefficient] = [rational(0)]
    for c in reversed(polynomial):
        moved = [a * by for a in out] + [rational(0)]
        for k, a in enumerate(out):
            moved[k + 1] = moved[k + 1] + a
        moved[0] = moved[0] + c
        out = moved
    return out[: len(polynomial)]


def _routh(polynomial: Sequence[Coefficient]) -> list[int] | None:
    """Return the signs of the first column of Routh's array, or None if one is not decided."""
    down = list(reversed(polynomial))
    above, here = down[::2], down[1::2]
    column = [sign_of(above[0])]
    for _ in range(len(polynomial) - 1):
        if not here or not is_certain(here[0]):
            return None
        column.append(sign_of(here[0]))
        ratio = above[0] / here[0]
        padded = [*here, *(rational(0) for _ in range(len(above) - len(here)))]
        below = [above[k + 1] - ratio * padded[k + 1] for k in range(len(above) - 1)]
        above, here = here, below
    return None if any(s is None or s == 0 for s in column) else [s for s in column if s is not None]


def _exact(rest: Sequence[Coefficient], zeros: int) -> Roots | None:
    degree = len(rest) - 1
    if degree <= 0:
        return Roots(0, 0, zeros, 0)
    p = flint.fmpq_poly(list(rest))
    # p(i w) = even(w) + i odd(w)
    even = flint.fmpq_poly([c * (-1) ** (k // 2) if k % 2 == 0 else 0 for k, c in enumerate(rest)])
    odd = flint.fmpq_poly([c * (-1) ** (k // 2) if k % 2 else 0 for k, c in enumerate(rest)])
    common = even.gcd(odd)
    axis = _real_roots(common) if common.degree() > 0 else 0
    digits = 30
    while digits < _FINEST:
        with precision(digits):
            signs = [(sign_of(root.real), count) for root, count in complex_roots(p)]
        if sum(count for s, count in signs if not s) == axis:
            right = sum(count for s, count in signs if s == 1)
            return Roots(right, degree - right - axis, zeros, axis)
        digits *= 4
    return None


def complex_roots(p: flint.fmpq_poly) -> list[tuple[flint.acb, int]]:
    """Return the roots in balls that do not overlap, each with its multiplicity; real ones are exactly real."""
    return [(flint.acb(root), int(count)) for root, count in cast("Any", p).complex_roots()]


def _real_roots(p: flint.fmpq_poly) -> int:
    """Return the number of real roots with their multiplicities: FLINT gives them exactly real."""
    with precision(60):
        return sum(count for root, count in complex_roots(p) if root.imag == 0)
