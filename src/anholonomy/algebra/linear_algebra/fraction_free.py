r"""Elimination of polynomial rows without fractions, and back substitution with factored denominators.

.. math:: R_i \leftarrow \frac{p}{g} R_i - \frac{a}{g} R_k, \qquad p = R_{kj},\ a = R_{ij},\ g = \gcd(p, a)

Rows are combined crosswise and divided by what they share: a row is known up to a factor, so its content is removed after every step.
In a domain without relations this finds at least what Bareiss' division by the previous pivot would; where generators obey relations,
that division is tried as well, because it may be exact although no common polynomial factor shows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias, final

from anholonomy.algebra.normal_forms.ring import Polynomial, Quotient, Ring, TooLarge, exact_quotient, without_content

__all__ = ["Factored", "Factors", "Row", "adjugate", "cleared", "components", "determinant_of", "eliminate"]


Row: TypeAlias = dict[int, Polynomial]
"""The entries that are not zero, by column."""
Minors: TypeAlias = dict[tuple[int, ...], Polynomial]

MAX_MINORS = 4_000
"""Minors after which an expansion is given up."""


def cleared(ring: Ring, quotients: Sequence[Quotient]) -> tuple[Row, Polynomial]:
    """A row times its least common denominator, and that denominator."""
    common = ring.context.constant(1)
    for value in quotients:
        if not value.den.is_constant():
            common = common * (value.den / common.gcd(value.den))
    row = {}
    for j, value in enumerate(quotients):
        if not value.num.is_zero():
            row[j] = ring.reduce(value.num * (common / value.den))
    # Unreduced until here, so that every denominator divides it as a polynomial.
    return {j: p for j, p in row.items() if not p.is_zero()}, ring.reduce(common)


def eliminate(
    ring: Ring, rows: list[Row], columns: Iterable[int], *, above: bool = False, ordered: bool = False
) -> list[tuple[int, int]]:
    """Clear as many columns as possible below one entry each, in place; returns the pivots (row, column).

    With ``above`` also rows that have been pivots lose their entries in later pivot columns. With ``ordered``
    the leftmost column that has a pivot is always next; otherwise the cheapest entry is.
    """
    open_rows, open_columns = set(range(len(rows))), list(columns)
    pivots: list[tuple[int, int]] = []
    last: Polynomial | None = None
    for row in rows:
        _shorten(ring, row, None)
    while open_rows and (pivot := _cheapest(rows, open_rows, open_columns, ordered)) is not None:
        k, j = pivot
        pivots.append(pivot)
        open_rows.discard(k)
        # In order, a column without a pivot has none later either: its open entries are zero.
        open_columns = open_columns[open_columns.index(j) + 1 :] if ordered else [c for c in open_columns if c != j]
        for i in range(len(rows)) if above else sorted(open_rows):
            if i != k and j in rows[i]:
                _combine(ring, rows, i, k, j)
                _shorten(ring, rows[i], last)
        last = rows[k][j]
    return pivots


def _cheapest(
    rows: Sequence[Row], open_rows: Iterable[int], open_columns: Sequence[int], ordered: bool
) -> tuple[int, int] | None:
    """The entry to divide by: a number if there is one, else few terms and little fill-in."""
    live = sorted(open_rows)
    if ordered:
        open_columns = next(([j] for j in open_columns if any(j in rows[i] for i in live)), [])
    allowed = set(open_columns)
    counts = dict.fromkeys(open_columns, 0)
    for i in live:
        for j in rows[i].keys() & allowed:
            counts[j] += 1
    best, found = None, None
    for i in live:
        for j in rows[i].keys() & allowed:
            entry = rows[i][j]
            fill = (len(rows[i]) - 1) * (counts[j] - 1)
            cost = (fill > 0, not entry.is_constant(), len(entry), fill, i, j)
            if best is None or cost < best:
                best, found = cost, (i, j)
    return found


def _combine(ring: Ring, rows: list[Row], i: int, k: int, j: int) -> None:
    """Clear column j of row i by row k."""
    pivot, entry = rows[k][j], rows[i].pop(j)
    if not pivot.is_constant():
        common = pivot.gcd(entry)
        pivot, entry = pivot / common, entry / common
    target: Row = {c: ring.times(pivot, p) for c, p in rows[i].items()}
    for c, p in rows[k].items():
        if c != j:
            product = ring.times(entry, p)
            target[c] = target[c] - product if c in target else -product
    rows[i] = {c: p for c, p in target.items() if not p.is_zero()}


def _shorten(ring: Ring, row: Row, last: Polynomial | None) -> None:
    """Divide a row by what its entries share, and by the previous pivot where that is exact."""
    if not row:
        return
    entries, _ = without_content(ring, list(row.values()))
    if last is not None and not last.is_constant() and ring.relations:
        parts = []
        for p in sorted(entries, key=len):
            if (part := exact_quotient(ring, p, last)) is None:
                break
            parts.append(part)
        if len(parts) == len(entries):
            entries = [part for p in entries if (part := exact_quotient(ring, p, last)) is not None]
    row.update(zip(row, entries, strict=True))


def determinant_of(ring: Ring, rows: Sequence[Row]) -> Polynomial:
    """The determinant of a square matrix: numbers are eliminated by, the rest is expanded.

    >>> ring = Ring()
    >>> one = ring.context.constant(1)
    >>> int(determinant_of(ring, [{0: one, 1: 2 * one}, {0: 3 * one, 1: 4 * one}]).leading_coefficient())
    -2
    """
    work, columns, scale = [dict(row) for row in rows], list(range(len(rows))), ring.context.constant(1)
    while (pivot := _number(work)) is not None:
        k, j = pivot
        row = work.pop(k)
        scale *= row[j] if (k + columns.index(j)) % 2 == 0 else -row[j]
        columns.remove(j)
        for i, other in enumerate(work):
            if j in other:
                work[i] = _subtracted(ring, other, row, j)
    order = sorted(range(len(work)), key=lambda i: sum(map(len, work[i].values())))
    scale *= (-1) ** sum(a > b for place, a in enumerate(order) for b in order[place + 1 :])
    return ring.times(scale, _minor(ring, [work[i] for i in order], tuple(columns), {}))


def _number(rows: Sequence[Row]) -> tuple[int, int] | None:
    """The numerical entry whose row is shortest."""
    found = [(len(row), i, j) for i, row in enumerate(rows) for j, p in row.items() if p.is_constant()]
    return min(found)[1:] if found else None


def _subtracted(ring: Ring, target: Row, row: Row, j: int) -> Row:
    """``target`` with column j cleared by a row whose entry there is a number."""
    factor = target[j] / row[j]
    result = dict(target)
    for c, p in row.items():
        result[c] = result.get(c, ring.context.constant(0)) - ring.times(factor, p)
    return {c: p for c, p in result.items() if c != j and not p.is_zero()}


def adjugate(ring: Ring, rows: Sequence[Row]) -> tuple[dict[tuple[int, int], Polynomial], Polynomial]:
    """The cofactors, transposed, and the determinant."""
    size = len(rows)
    cofactors: dict[tuple[int, int], Polynomial] = {}
    for i in range(size):
        others = [*rows[:i], *rows[i + 1 :]]
        known: Minors = {}
        for j in range(size):
            value = _minor(ring, others, tuple(c for c in range(size) if c != j), known)
            cofactors[j, i] = value if (i + j) % 2 == 0 else -value
    total = ring.context.constant(0)
    for j, p in rows[0].items():
        total += ring.times(p, cofactors[j, 0])
    return cofactors, total


def _minor(ring: Ring, rows: Sequence[Row], columns: tuple[int, ...], known: Minors) -> Polynomial:
    """The determinant of the first rows in these columns, by expansion along the last of them.

    Nothing is divided, so nothing can fail to divide; ``known`` keeps the smaller minors.
    """
    if not columns:
        return ring.context.constant(1)
    if columns not in known:
        if len(known) > MAX_MINORS:
            raise TooLarge
        total, row = ring.context.constant(0), rows[len(columns) - 1]
        for place, j in enumerate(columns):
            if j in row:
                inner = _minor(ring, rows, (*columns[:place], *columns[place + 1 :]), known)
                product = ring.times(row[j], inner)
                total = total + product if (len(columns) - place) % 2 else total - product
        known[columns] = total
    return known[columns]


def components(rows: Sequence[Row], width: int) -> list[tuple[list[int], list[int]]]:
    """Rows and columns that entries connect; blocks that can be inverted one by one.

    >>> one = Ring().context.constant(1)
    >>> components([{1: one}, {0: one}, {1: one, 2: one}], 3)
    [([0, 2], [1, 2]), ([1], [0])]
    """
    groups: list[tuple[set[int], set[int]]] = [(set(), {j}) for j in range(width)]
    for i, row in enumerate(rows):
        touched = [group for group in groups if group[1] & row.keys()]
        groups = [group for group in groups if not group[1] & row.keys()]
        groups.append(({i}.union(*(g[0] for g in touched)), set().union(*(g[1] for g in touched))))
    return sorted((sorted(own), sorted(columns)) for own, columns in groups)


# Back substitution with denominators kept as products of factors.
#
# .. math:: x_j = \frac{1}{R_{jj}} \Bigl(b_j - \sum_{k > j} R_{jk}\, \frac{n_k}{\prod_f f^{e_{kf}}}\Bigr)
#
# Multiplied out and reduced by $s^2 = 1 - c^2$, a product no longer shows its factors, and sums would be formed over
# denominators far too large. Kept apart, the factors of the least common denominator are known without a search,
# and each of them is small enough to try whether it divides the numerator by the relations.


MAX_FACTORED_TERMS = 40
"""Terms up to which a pivot is split into factors."""


@final
class Factored(NamedTuple):
    """A numerator over a product of factors, given by their numbers and powers."""

    num: Polynomial
    below: Mapping[int, int]


@final
class Factors:
    """The factors that denominators have been split into.

    >>> ring = Ring()
    >>> from anholonomy.algebra.expressions import symbol
    >>> x = ring.gen(ring.generator(symbol("x")))
    >>> factors = Factors(ring)
    >>> factors.split(2 * x**2 - 2)[1], factors.split(x + 1)[1]
    (Counter({0: 1, 1: 1}), Counter({1: 1}))
    """

    def __init__(self, ring: Ring) -> None:
        self.ring = ring
        self.known: list[Polynomial] = []

    def split(self, polynomial: Polynomial) -> tuple[Polynomial, Counter[int]]:
        """The number and the factors that multiply to the polynomial."""
        if len(polynomial) <= MAX_FACTORED_TERMS:
            unit, parts = polynomial.factor()
        else:
            unit, parts = polynomial.leading_coefficient(), [(polynomial / polynomial.leading_coefficient(), 1)]
        powers: Counter[int] = Counter()
        for part, power in parts:
            lead = part.leading_coefficient()
            unit *= lead ** int(power)
            powers[self._number(part / lead)] += int(power)
        return self.ring.context.constant(unit), powers

    def _number(self, factor: Polynomial) -> int:
        for number, known in enumerate(self.known):
            if known == factor:
                return number
        self.known.append(factor)
        return len(self.known) - 1

    def times(self, polynomial: Polynomial, powers: Mapping[int, int]) -> Polynomial:
        """The polynomial times a product of factors, reduced."""
        for number, power in powers.items():
            for _ in range(power):
                polynomial = self.ring.times(polynomial, self.known[number])
        return polynomial

    def cancelled(self, num: Polynomial, below: Mapping[int, int]) -> Factored:
        """Without the factors that divide the numerator."""
        left = Counter(below)
        for number in below:
            while left[number] and (part := exact_quotient(self.ring, num, self.known[number])) is not None:
                num = part
                left[number] -= 1
        return Factored(num, +left)

    def common(self, values: Iterable[Factored]) -> Counter[int]:
        """The least common denominator."""
        result: Counter[int] = Counter()
        for value in values:
            result |= Counter(value.below)
        return result

    def back_substituted(
        self, rows: Sequence[Row], pivots: Sequence[tuple[int, int]], column: int
    ) -> dict[int, Factored]:
        """The unknowns, where not zero, of an eliminated system whose right-hand sides stand in ``column``."""
        ring, found = self.ring, dict[int, Factored]()
        for i, j in reversed(pivots):
            row = rows[i]
            used = sorted(row.keys() & found.keys())
            below = self.common(found[k] for k in used)
            total = ring.context.constant(0)
            if column in row:
                total += self.times(row[column], below)
            for k in used:
                total -= self.times(ring.times(row[k], found[k].num), below - Counter(found[k].below))
            if not total.is_zero():
                unit, under = self.split(row[j])
                found[j] = self.cancelled(total / unit, below + under)
        return found
