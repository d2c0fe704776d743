r"""Which coordinates of a group depend on one another, and which take every value whatever the others are.

.. math:: \dot q^i = w^a E_a{}^i(q)

Sets of coordinates whose rates depend on no others, and that share no direction, move independently: the orbit is the product
of theirs. Coordinates $x$ in whose rates nothing depends on $x$ are free over the rest, if directions that move nothing else
move each of them: $\dot x = w^aM_a(q)$ with $M$ of full rank reaches every $x$ at every $q$.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from anholonomy.algebra.expressions import Expr, Symbol, Vector, free_symbols
from anholonomy.algebra.linear_algebra.symbolic import rank

__all__ = ["independent_sets", "rank_at"]


def independent_sets(
    rates: Mapping[Symbol, Vector], origin: Mapping[Symbol, Expr], invariants: Sequence[Expr]
) -> list[set[Symbol]]:
    """The sets that move independently, without the coordinates that are free; ``rates`` has an entry for each direction.

    >>> import symengine
    >>> a, b, x, o = *symengine.symbols("a b x"), symengine.Integer(0)
    >>> rates = {a: (-b, o), b: (a, o), x: (b, a)}
    >>> [sorted(map(str, each)) for each in independent_sets(rates, {a: 1 + o, b: o, x: o}, [a**2 + b**2 - 1])]
    [['a', 'b']]
    """
    tied = {s for value in invariants for s in value.free_symbols}
    left = dict(rates)
    while free := _free(left, origin, tied):
        left = {q: row for q, row in left.items() if q not in free}
    return _joined([*(_closure([q], left) for q in left), *(value.free_symbols & set(left) for value in invariants)])


def rank_at(rows: Sequence[Vector], place: Mapping[Symbol, Expr]) -> int:
    """The rank of rows of functions at a point."""
    here = dict(place)
    return rank([[entry.xreplace(here) for entry in row] for row in rows]) if rows and rows[0] else 0


def _free(rates: Mapping[Symbol, Vector], origin: Mapping[Symbol, Expr], tied: set[Symbol]) -> set[Symbol]:
    """Coordinates that take every value over the others; empty if none are found."""
    size = len(next(iter(rates.values()), ()))
    moved = [{q for q, row in rates.items() if row[a] != 0} for a in range(size)]
    own = [a for a in range(size) if moved[a] and not moved[a] & tied]
    own = [a for a in own if moved[a].isdisjoint(free_symbols(rates[q][a] for q in moved[a]))]
    single = sorted({frozenset(moved[a]) for a in own}, key=lambda each: (len(each), sorted(map(str, each))))
    for found in [*map(set, single), *_joined(map(set, single))]:
        movers = [a for a in own if moved[a] <= found]
        fields = [tuple(rates[q][a] for q in found) for a in movers]
        others = free_symbols(rate for q, row in rates.items() if q not in found for rate in row)
        within = free_symbols(rate for row in fields for rate in row)
        if found.isdisjoint(others | within) and rank_at(fields, origin) == len(found):
            return found
    return set()


def _closure(start: Iterable[Symbol], rates: Mapping[Symbol, Vector]) -> set[Symbol]:
    """The coordinates, those that their rates depend on, and those that the same directions move."""
    found, waiting = set(), list(start)
    while waiting:
        q = waiting.pop()
        if q in found:
            continue
        found.add(q)
        along = [a for a, rate in enumerate(rates[q]) if rate != 0]
        waiting += [s for s in free_symbols(rates[q]) if s in rates]
        waiting += [s for s, row in rates.items() if any(row[a] != 0 for a in along)]
    return found


def _joined(sets: Iterable[set[Symbol]]) -> list[set[Symbol]]:
    """Sets united until no two of them meet."""
    found: list[set[Symbol]] = []
    for each in sets:
        close = [other for other in found if other & each]
        found = [other for other in found if not other & each] + [each.union(*close)]
    return found
