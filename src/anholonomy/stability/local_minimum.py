r"""Whether a power series is least at its point: by its first forms, in weights that its Newton polygon tells.

.. math:: W = \sum_{\langle w, \alpha\rangle = m} W_\alpha h^\alpha + \dots, \qquad
          \text{strictly least if the sum is positive for } h \ne 0, \ \text{not least if it is negative somewhere}

In two variables the edges of the polygon are enough, once variables are moved along the curves on which an edge vanishes (Puiseux).
All numbers are rational.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import gcd
from typing import TypeAlias

import flint

from anholonomy.algebra.numbers.local_series import Coefficient, rational
from anholonomy.stability.exact_roots import complex_roots

__all__ = ["Terms", "first_form", "is_definite_form", "is_semidefinite_form", "local_sign"]

Terms: TypeAlias = Mapping[tuple[int, ...], Coefficient]
"""Coefficients by the exponents of the variables, without zeros."""

_DEEPEST = 6
"""How often variables are moved along a curve."""
_BOXES = 4000
"""Boxes in which a form is tried to be positive."""


def first_form(W: Terms) -> Terms:
    """Return the terms of the lowest degree."""
    low = min((sum(e) for e in W), default=0)
    return {e: c for e, c in W.items() if sum(e) == low}


def local_sign(W: Terms, count: int, degree: int) -> int | None:
    """Return 1 if a series without constant is strictly least at zero, -1 if it is negative near it, None if undecided.

    ``W`` has all terms up to ``degree`` in ``count`` variables.

    >>> def terms(**c): return {tuple(map(int, e[1:])): rational(v) for e, v in c.items()}
    >>> local_sign(terms(e40=1, e23=1, e06=1), 2, 8), local_sign(terms(e40=1, e23=3, e06=1), 2, 8)
    (1, -1)
    >>> local_sign(terms(e20=1, e12=-3, e04=2), 2, 8)
    -1
    >>> local_sign(terms(e22=1), 2, 8)
    """
    if count == 0:
        return 1
    if not W:
        return None
    if count == 1:
        (k,) = min(W)
        return 1 if k % 2 == 0 and W[(k,)] > 0 else -1
    if count == 2:
        return _plane_sign(W, degree + 1, _DEEPEST)
    form = first_form(W)
    if sum(next(iter(form))) % 2 or _is_negative_somewhere(form, count):
        return -1
    for i, j in combinations(range(count), 2):
        part: Terms = {(e[i], e[j]): c for e, c in W.items() if sum(e) == e[i] + e[j]}
        if part and _plane_sign(part, degree + 1, _DEEPEST) == -1:
            return -1
    return 1 if _is_least_by_weights(W, count, degree) else None


def _is_negative_somewhere(form: Terms, count: int) -> bool:
    """Whether a form is seen to be negative at a point with small whole numbers."""
    reach = range(-3, 4) if count <= 3 else range(-1, 2)
    return any(_value(form, point) < 0 for point in product(reach, repeat=count))


def _value(form: Terms, point: Sequence[int | Fraction]) -> Coefficient:
    total = flint.fmpq(0)
    for exponents, c in form.items():
        term = c
        for k, x in zip(exponents, point, strict=True):
            term = term * rational(x) ** k
        total += term
    return total


def _is_least_by_weights(W: Terms, count: int, degree: int) -> bool:
    """Whether the terms of the weights that the pure powers tell are positive, and no others come before them."""
    powers = [
        min((e[k] for e in W if sum(e) == e[k]), default=0) for k in range(count)
    ]  # the first pure power of each variable
    if not all(powers) or max(powers) > degree:
        return False
    weights = [Fraction(1, k) for k in powers]
    size = {e: sum((k * w for k, w in zip(e, weights, strict=True)), Fraction(0)) for e in W}
    if min(size.values()) < 1:
        return False
    return is_definite_form({e: c for e, c in W.items() if size[e] == 1}, count)


def is_definite_form(form: Terms, count: int) -> bool:
    """True if a form, quasi-homogeneous with positive weights, is proven positive away from zero.

    It suffices that it is so where the largest of the variables is 1 or -1: these faces are divided until it is.
    """
    boxes = _BOXES
    for k, side in product(range(count), (1, -1)):
        waiting: list[list[tuple[Fraction, Fraction]]] = [[(Fraction(-1), Fraction(1))] * (count - 1)]
        while waiting:
            box = waiting.pop()
            boxes -= 1
            if boxes < 0:
                return False
            whole = [*box[:k], (Fraction(side), Fraction(side)), *box[k:]]
            if _over_box(form, whole) > 0:
                continue
            middle = [(a + b) / 2 for a, b in whole]
            if _value(form, middle) <= 0:
                return False
            wide = max(range(count - 1), key=lambda i: box[i][1] - box[i][0])
            a, b = box[wide]
            for part in ((a, (a + b) / 2), ((a + b) / 2, b)):
                waiting.append([*box[:wide], part, *box[wide + 1 :]])
    return True


def is_semidefinite_form(form: Terms, sign: int) -> bool:
    """True if a form of two variables, multiplied by a sign, is nowhere negative.

    >>> square = {(2, 0): rational(1), (1, 1): rational(-2), (0, 2): rational(1)}
    >>> is_semidefinite_form(square, 1), is_semidefinite_form(square, -1)
    (True, False)
    """
    terms = {e: c * sign for e, c in form.items() if c != 0}
    if not terms or sum(next(iter(terms))) % 2:
        return False
    p = _along(terms, 1, 1)
    roots = [(root, count) for root, count in complex_roots(p) if root.imag == 0]
    # Between roots of even multiplicity there is one sign, which the first whole number that is no root tells.
    free = next(k for k in range(p.degree() + 1) if p(flint.fmpq(k)) != 0)
    return all(count % 2 == 0 for _, count in roots) and p(flint.fmpq(free)) > 0


def _over_box(form: Terms, box: Sequence[tuple[Fraction, Fraction]]) -> Fraction:
    """Return a lower bound over a box."""
    total = Fraction(0)
    for exponents, c in form.items():
        low = high = Fraction(int(c.p), int(c.q))
        for k, (a, b) in zip(exponents, box, strict=True):
            ends = (a**k, b**k) if k % 2 or a >= 0 or b <= 0 else (Fraction(0), max(a**k, b**k))
            corners = [x * y for x in (low, high) for y in (min(ends), max(ends))]
            low, high = min(corners), max(corners)
        total += low
    return total


# Two variables.


def _plane_sign(W: Terms, bound: int, depth: int, beyond: int = 0) -> int | None:
    """Return the sign by the edges of the Newton polygon, where $y$ is less than $|x|$ to the power ``beyond``.

    Terms from the weight ``bound`` on are not known, in the weights 1 and ``beyond``, or 1 and 1 in the whole plane.
    """
    if not W:
        return None
    signs: list[int | None] = [_axis_sign(W, k, bound) for k in ((0,) if beyond else (0, 1))]
    touched = []
    for wx, wy, edge in _edges(W):
        if wy <= beyond * wx:
            continue
        unknown = bound * (wx if beyond else min(wx, wy))
        if max(wx * i + wy * j for i, j in edge) >= unknown:
            signs.append(None)
            continue
        found = [_edge_sign(edge, sx, sy) for sx, sy in product((1, -1), repeat=2)]
        if None in found and -1 not in found:
            touched.append((wx, wy, edge, unknown))
        else:
            signs += found
    if -1 in signs:
        return -1
    for wx, wy, edge, unknown in touched:
        signs += _beside(W, wx, wy, edge, unknown, depth) if depth else [None]
    return -1 if -1 in signs else None if None in signs else 1


def _axis_sign(W: Terms, k: int, bound: int) -> int | None:
    powers = [e[k] for e in W if e[1 - k] == 0]
    if not powers or min(powers) >= bound:
        return None
    power = min(powers)
    return 1 if power % 2 == 0 and W[(power, 0) if k == 0 else (0, power)] > 0 else -1


def _edges(W: Terms) -> Iterator[tuple[int, int, Terms]]:
    """Yield the weights and the terms of each edge."""
    points = sorted((int(i), int(j)) for i, j in W)
    hull: list[tuple[int, int]] = []
    lowest = None
    for point in points:
        if lowest is not None and point[1] >= lowest:
            continue
        lowest = point[1]
        while len(hull) > 1 and _is_above(hull[-2], hull[-1], point):
            hull.pop()
        hull.append(point)
    if len(hull) == 1:  # a single term before all others
        yield 1, 1, {(i, j): c for (i, j), c in W.items() if (i, j) == hull[0]}
    for (a, b), (c, d) in pairwise(hull):
        common = gcd(c - a, b - d)
        wx, wy = (b - d) // common, (c - a) // common
        yield wx, wy, {(i, j): v for (i, j), v in W.items() if wx * i + wy * j == wx * a + wy * b}


def _is_above(a: tuple[int, int], b: tuple[int, int], c: tuple[int, int]) -> bool:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) <= 0


def _along(edge: Terms, sx: int, sy: int) -> flint.fmpq_poly:
    """Return an edge at $(s_x, s_y t)$ as a polynomial in $t$."""
    top = max(j for _, j in edge)
    row = [flint.fmpq(0)] * (top + 1)
    for (i, j), c in edge.items():
        row[j] += c * sx**i * sy**j
    return flint.fmpq_poly(row)


def _edge_sign(edge: Terms, sx: int, sy: int) -> int | None:
    """Return the sign of an edge inside a quadrant; None if it touches zero and is not negative."""
    p = _along(edge, sx, sy)
    positive = [(root, count) for root, count in complex_roots(p) if root.imag == 0 and root.real > 0]
    if any(count % 2 for _, count in positive):
        return -1
    if not positive:
        return 1 if p(flint.fmpq(1)) > 0 else -1
    far = 1 + max((abs(c) for c in p.coeffs()), default=flint.fmpq(0)) / abs(p.coeffs()[-1])
    return None if p(far) > 0 else -1


def _beside(W: Terms, wx: int, wy: int, edge: Terms, unknown: int, depth: int) -> list[int | None]:
    """Return the signs near the curves on which an edge vanishes and does not change its sign."""
    if wx > wy and wx % wy == 0:  # x = c y^k
        W, edge, wx, wy = _swapped(W), _swapped(edge), wy, wx
    signs: list[int | None] = []
    for side in (1, -1) if wx > 1 else (1,):
        # With x = ± s^p both halves of a curve y^p = c x^q are looked at.
        unrolled, along = _unrolled(W, wx, side), _unrolled(edge, wx, side)
        for c in _touching(_along(along, 1, 1)):
            signs.append(None if c is None else _plane_sign(_shifted(unrolled, c, wy, unknown), unknown, depth - 1, wy))
    return signs


def _unrolled(W: Terms, power: int, side: int) -> Terms:
    return {(power * i, j): v * side**i for (i, j), v in W.items()}


def _swapped(W: Terms) -> Terms:
    return {(j, i): v for (i, j), v in W.items()}


def _touching(p: flint.fmpq_poly) -> list[Coefficient | None]:
    """Return the real roots other than zero, which are multiple; None for those that are not rational."""
    found: list[Coefficient | None] = []
    for factor, _ in p.factor()[1]:
        if factor.degree() == 1:
            root = -factor[0] / factor[1]
            found += [root] if root != 0 else []
        elif any(root.imag == 0 for root, _ in complex_roots(factor)):
            found.append(None)
    return found


def _shifted(W: Terms, c: Coefficient, power: int, bound: int) -> Terms:
    """Return $W(x, y + c x^k)$ up to the weights that are known."""
    total: dict[tuple[int, ...], Coefficient] = {}
    for (i, j), v in W.items():
        if i + power * j >= bound:
            continue
        binomial = flint.fmpq(1)
        for k in range(j + 1):  # y^(j - k) (c x^power)^k
            place = (i + power * k, j - k)
            total[place] = total.get(place, flint.fmpq(0)) + v * binomial * c**k
            binomial = binomial * (j - k) / (k + 1)
    return {e: v for e, v in total.items() if v != 0}
