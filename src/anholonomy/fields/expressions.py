r"""The names of a field: derivatives by name (jets) with total derivatives, and the texts of a declaration read into them.

.. math:: D_a f = \frac{\partial f}{\partial t^a} + \sum_{i, J} u^i_{J a} \frac{\partial f}{\partial u^i_J}
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any, final

from anholonomy.algebra.calculus import partial
from anholonomy.algebra.expressions import Expr, Symbol, Vector, free_symbols, symbol, zero
from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import DeclarationError, UnknownNameError, quoted
from anholonomy.language.arguments import equation, expression, is_list
from anholonomy.language.names import check_name
from anholonomy.language.suggestions import did_you_mean

__all__ = ["FieldConstraint", "Jets", "Words", "read_constraints", "read_jets"]

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

    def prolonged(self, maps: dict[Symbol, Expr]) -> dict[Symbol, Expr]:
        """The derivatives of given functions of the parameters, up to the second, to be put in for the names."""
        values: dict[Symbol, Expr] = {}
        for s, (i, way) in self.names.items():
            if len(way) <= 2:
                value = maps[self.fields[i]]
                for a in way:
                    value = partial(value, self.parameters[a])
                values[s] = value
        return values


def read_jets(name: str, parameters: Any, fields: Any) -> Jets:
    """The parameters and fields, each name used once, derivatives included."""
    for given, what in ((parameters, "parameters"), (fields, "fields")):
        if not is_list(given) or not given or not all(isinstance(each, str) for each in given):
            raise DeclarationError(f"{name}: the {what} are {quoted(given)}; give a list of names.")
        for each in given:
            if each != "t" or what == "fields":
                check_name(each, what[:-1])
    names = [*parameters, *fields]
    if twice := [each for k, each in enumerate(names) if each in names[:k]]:
        raise DeclarationError(f"{name}: {twice[0]} is named twice among parameters and fields; rename one.")
    jets = Jets(tuple(map(symbol, parameters)), tuple(map(symbol, fields)))
    for u in jets.fields:
        alone = Jets(jets.parameters, (u,))
        if clash := [each for each in names if symbol(each) in alone.names and each != u.name]:
            raise DeclarationError(f"{name}: {clash[0]} is a derivative of the field {u}; rename one of them.")
        if f"d{u}" in names:
            raise DeclarationError(f"{name}: d{u} is the differential of the field {u}; rename one of them.")
    return jets


@final
@dataclass(frozen=True)
class Words:
    """What texts of one declaration may say."""

    name: str
    jets: Jets
    constants: frozenset[str] | None

    def read(self, text: object, what: str, order: int = 1) -> Expr:
        """An expression in derivatives up to an order; other letters are constants."""
        return self.checked(expression(text, f"{self.name}: {what}"), what, order)

    def read_equation(self, text: object, what: str, order: int = 1) -> Expr:
        return self.checked(equation(text, f"{self.name}: {what}"), what, order)

    def checked(self, value: Expr, what: str, order: int) -> Expr:
        if (met := self.jets.order(value)) > order:
            allowed = ("no derivatives", "first derivatives", "second derivatives")[min(order, 2)]
            raise DeclarationError(
                f"{self.name}: {what} has derivatives of order {met}; it may have {allowed} at most."
            )
        for s in sorted(free_symbols([value]), key=str):
            self._refuse_unknown(s.name, what)
        return value

    def _refuse_unknown(self, name: str, what: str) -> None:
        s = symbol(name)
        if s in self.jets.names or s in self.jets.parameters:
            return
        fields = "|".join(map(re.escape, sorted((f.name for f in self.jets.fields), key=len, reverse=True)))
        if met := re.fullmatch(rf"({fields})('+|_\w+)", name):
            example = self.jets.of(0, (0,)).name.replace(self.jets.fields[0].name, met[1], 1)
            raise UnknownNameError(
                f"{self.name}: {what} has {name}, which is no derivative here; write one as {example}."
            )
        if self.constants is not None and name not in self.constants:
            known = [*(p.name for p in self.jets.parameters), *(f.name for f in self.jets.fields), *self.constants]
            raise UnknownNameError(
                f"{self.name}: {what} has {name}, which nobody declared; {did_you_mean(name, known)}add it to `constants`."
            )


@final
@dataclass(frozen=True)
class FieldConstraint:
    r"""Equations $A_i\,u^i_a + b = 0$, one for each of the ``directions``; with a form $A_i\,du^i$, for all of them."""

    text: str
    row: Vector
    directions: tuple[int, ...]
    offset: Expr = zero
    everywhere: bool = False

    def equations(self, jets: Jets) -> tuple[Expr, ...]:
        return tuple(
            sum((A * u for A, u in zip(self.row, jets.first(a), strict=True)), self.offset) for a in self.directions
        )


def read_constraints(words: Words, given: Any) -> tuple[FieldConstraint, ...]:
    """Constraints linear in first derivatives: ``u_t = r*theta_t``, or ``dv = w*du`` for every direction."""
    texts: Iterable[Any] = list(given.values()) if isinstance(given, Mapping) else given
    if not is_list(texts):
        raise DeclarationError(f"{words.name}: the constraints are {quoted(given)}; give a list of equations.")
    return tuple(_constraint(words, text, f"constraint {k + 1}") for k, text in enumerate(texts))


def _constraint(words: Words, text: Any, what: str) -> FieldConstraint:
    jets = words.jets
    value = equation(text, f"{words.name}: {what}")
    differentials = [symbol(f"d{u.name}") for u in jets.fields]
    if not free_symbols([value]).isdisjoint(differentials):
        row, rest = _linear(words, value, differentials, what)
        if rest != 0:
            raise DeclarationError(f"{words.name}: {what} has differentials and {rest}, which is none; write a form.")
        for entry in row:
            words.checked(entry, what, 0)
        return FieldConstraint(str(text), row, tuple(range(len(jets.parameters))), everywhere=True)
    words.checked(value, what, 1)
    used = {way[0] for s in value.free_symbols if s in jets.names and (way := jets.names[s][1])}
    if len(used) != 1:
        raise DeclarationError(
            f"{words.name}: {what}, {text}, has derivatives in {len(used)} directions; give one direction in each, "
            "or a form such as dv = w*du for all of them."
        )
    (a,) = used
    row, rest = _linear(words, value, jets.first(a), what)
    return FieldConstraint(str(text), row, (a,), rest)


def _linear(words: Words, value: Expr, by: Sequence[Symbol], what: str) -> tuple[Vector, Expr]:
    """Coefficients of some symbols, and what is left."""
    row = tuple(partial(value, s) for s in by)
    if not free_symbols(row).isdisjoint(by):
        raise DeclarationError(f"{words.name}: {what} is not linear in {', '.join(s.name for s in by)}; make it so.")
    if all(is_zero(entry) for entry in row):
        raise DeclarationError(f"{words.name}: {what} has no derivative of a field; it says nothing about motion.")
    return row, value.xreplace(dict.fromkeys(by, zero))
