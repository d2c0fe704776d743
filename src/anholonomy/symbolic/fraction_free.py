r"""Elimination without fractions: rows of polynomials, combined crosswise and divided by what they share.

.. math:: R_i \leftarrow \frac{p}{g} R_i - \frac{a}{g} R_k, \qquad p = R_{kj},\ a = R_{ij},\ g = \gcd(p, a)

A row is known up to a factor, so its content is removed after every step. In a domain without relations
this finds at least what Bareiss' division by the previous pivot would; where generators obey relations,
that division is tried as well, because it may be exact although no common polynomial factor shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from anholonomy.symbolic.divisibility import exact_quotient, without_content
from anholonomy.symbolic.quotients import Polynomial, Quotient, Ring

__all__ = ["Row", "cleared", "eliminate", "minor"]

Row: TypeAlias = dict[int, Polynomial]
"""The entries that are not zero, by column."""

MAX_MINORS = 4_000


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
    return {j: p for j, p in row.items() if not p.is_zero()}, common


def eliminate(
    ring: Ring, rows: list[Row], columns: Iterable[int], *, above: bool = True, ordered: bool = False
) -> list[tuple[int, int]]:
    """Clear all but one entry from as many columns as possible, in place; returns the pivots (row, column).

    Without ``above``, rows that have been pivots keep their entries in later pivot columns. With ``ordered``
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
            cost = (fill > 0 and not entry.is_constant(), len(entry) if fill else 0, fill, i, j)
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


def minor(ring: Ring, rows: Sequence[Row], columns: Sequence[int], known: dict[tuple[int, ...], Polynomial]) -> Polynomial:
    """The determinant of the first ``len(columns)`` rows in these columns, by expansion along the last row.

    Nothing is divided, so nothing can fail to divide; ``known`` keeps the smaller minors.
    """
    key = tuple(columns)
    if not key:
        return ring.context.constant(1)
    if key not in known:
        total, row = ring.context.constant(0), rows[len(key) - 1]
        for place, j in enumerate(key):
            if j in row:
                inner = minor(ring, rows, (*key[:place], *key[place + 1 :]), known)
                product = ring.times(row[j], inner)
                total = total + product if (len(key) - 1 - place) % 2 == 0 else total - product
        known[key] = total
    return known[key]
