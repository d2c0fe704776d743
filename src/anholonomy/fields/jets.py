r"""Coordinates of jets of maps $t^a \mapsto u^i$: derivatives by name, and total derivatives.

.. math:: D_a f = \frac{\partial f}{\partial t^a} + \sum_{i, J} u^i_{J a} \frac{\partial f}{\partial u^i_J}
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import final

from anholonomy.lazy import cached_property
from anholonomy.symbolic.calculus import partial
from anholonomy.symbolic.expressions import Expr, Symbol, symbol

__all__ = ["ORDER", "Jets"]

ORDER = 4
"""Derivatives that have names."""


@final
@dataclass(frozen=True)
class Jets:
    """Parameters, fields and the names of derivatives: ``u_t``, ``u_ts``; ``u_time_x`` where a parameter has more than a letter.

    >>> string = Jets((symbol("t"), symbol("s")), (symbol("u"),))
    >>> string.total(string.of(0, (1,)) ** 2, 0)
    2*u_s*u_ts
    """

    parameters: tuple[Symbol, ...]
    fields: tuple[Symbol, ...]

    @cached_property
    def names(self) -> dict[Symbol, tuple[int, tuple[int, ...]]]:
        """Every derivative with its field and its directions, those of order zero included."""
        found: dict[Symbol, tuple[int, tuple[int, ...]]] = {}
        for i in range(len(self.fields)):
            for order in range(ORDER + 1):
                for way in combinations_with_replacement(range(len(self.parameters)), order):
                    found[self.of(i, way)] = (i, way)
        return found

    def of(self, field: int, way: tuple[int, ...] = ()) -> Symbol:
        """The derivative of a field in directions, whatever their order."""
        if not way:
            return self.fields[field]
        letters = [self.parameters[a].name for a in sorted(way)]
        joint = "" if all(len(p.name) == 1 for p in self.parameters) else "_"
        return symbol(f"{self.fields[field].name}_{joint.join(letters)}")

    def first(self, a: int) -> tuple[Symbol, ...]:
        """The derivatives of all fields in one direction."""
        return tuple(self.of(i, (a,)) for i in range(len(self.fields)))

    def order(self, f: Expr) -> int:
        """The highest derivative in an expression."""
        return max((len(self.names[s][1]) for s in f.free_symbols if s in self.names), default=0)

    def total(self, f: Expr, a: int) -> Expr:
        """The total derivative in a direction."""
        value = partial(f, self.parameters[a])
        for s in sorted(f.free_symbols & self.names.keys(), key=str):
            i, way = self.names[s]
            value += partial(f, s) * self.of(i, (*way, a))
        return value

    def prolonged(self, maps: dict[Symbol, Expr], order: int = 2) -> dict[Symbol, Expr]:
        """The derivatives of given functions of the parameters, to be put in for the names."""
        values: dict[Symbol, Expr] = {}
        for s, (i, way) in self.names.items():
            if len(way) <= order:
                value = maps[self.fields[i]]
                for a in way:
                    value = partial(value, self.parameters[a])
                values[s] = value
        return values
