r"""Derivatives of lists of steps, step by step: forward along directions, backward against covectors.

.. math::
   z = f(s): \quad \dot z = \partial_s f\,\dot s, \quad \bar s = \bar z\,\partial_s f; \qquad
   M z = b: \quad M\dot z = \dot b - \dot M z, \quad M^{\mathsf T}\bar b = \bar z,\ \ \bar M = -\bar b\,z^{\mathsf T}

Where each step is one operation (`single_operations`), a derivative is a constant times as long as its function.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import final

import symengine

from anholonomy.algebra.arithmetic import evaluate
from anholonomy.algebra.calculus import along, gradient
from anholonomy.algebra.expressions import (
    ATOMS,
    Expr,
    Symbol,
    Vector,
    dot,
    free_symbols,
    is_naught,
    zero,
)
from anholonomy.algebra.piecewise import CORNERS
from anholonomy.algebra.steps.definitions import Assign, Recorder, Solve, Step
from anholonomy.base.errors import NotSupportedError

__all__ = ["Slopes", "backward", "forward", "rates_of_steps", "single_operations"]


# Lists of steps with one operation each, whatever occurs twice there once: what derivatives are taken of.


@final
@dataclass(frozen=True)
class _Named:
    """Expressions as names, each of one operation on names."""

    write: Recorder

    def number(self, value: Fraction | float) -> Expr:
        # A double is an exact number, and products of exact numbers stay exact.
        exact = Fraction(value)
        return symengine.Rational(exact.numerator, exact.denominator)

    def pi(self) -> Expr:
        return symengine.pi

    def add(self, terms: Sequence[Expr]) -> Expr:
        return self.write(symengine.Add(*terms))

    def multiply(self, factors: Sequence[Expr]) -> Expr:
        return self.write(symengine.Mul(*factors))

    def power(self, base: Expr, exponent: int | Fraction) -> Expr:
        return self.write(base ** self.number(Fraction(exponent)))

    def general_power(self, base: Expr, exponent: Expr) -> Expr:
        return self.write(base**exponent)

    def function(self, name: str, arguments: Sequence[Expr]) -> Expr:
        return self.write((CORNERS[name] if name in CORNERS else getattr(symengine, name))(*arguments))


def single_operations(steps: Iterable[Step], outputs: Sequence[Expr], prefix: str = "$") -> tuple[list[Step], Vector]:
    """The same steps with one operation each, called ``prefix`` and a number, and the outputs as atoms or multiples of them.

    >>> x, z = symengine.symbols("x z")
    >>> found, outputs = single_operations([Assign(z, symengine.sin(x + 1) ** 2)], [z * symengine.sin(x + 1)])
    >>> [str(step.value) for step in found], outputs
    (['1 + x', 'sin($0)', '$1**2', '$1*$2'], ($3,))
    """
    steps = list(steps)
    write = Recorder(prefix)
    arithmetic = _Named(write)
    defined = {target for step in steps for target in step.targets}
    inputs = free_symbols([*outputs, *(source for step in steps for source in step.sources)]) - defined
    known: dict[Expr, Expr] = {s: s for s in inputs}

    def name(expression: Expr) -> Expr:
        return evaluate(expression, arithmetic, known)

    for step in steps:
        if isinstance(step, Assign):
            known[step.target] = name(step.value)
        else:
            matrix = tuple(tuple(map(name, row)) for row in step.matrix)
            write.keep(Solve(step.unknowns, matrix, tuple(map(name, step.right)), step.least))
            known.update((z, z) for z in step.unknowns)
    return write.steps, tuple(map(name, outputs))


# Forward along directions, backward against covectors.


_ONE = symengine.Integer(1)
Slopes = list[tuple[Symbol, Expr]]
"""The derivatives of one step by what it uses."""


def rates_of_steps(definitions: Sequence[Assign], rates: Mapping[Symbol, Expr], record: Recorder) -> dict[Symbol, Expr]:
    """The rates of everything defined by ``definitions``, added to ``rates``.

    The new expressions are recorded as steps, so that a derivative is no longer than its function.
    """
    known = dict(rates)
    for step in definitions:
        known[step.target] = record(along(step.value, known))
    return known


def forward(
    steps: Sequence[Step], directions: Sequence[Mapping[Symbol, Expr]], write: Recorder
) -> list[dict[Symbol, Expr]]:
    r"""The rates of everything along each direction, which gives the rates of inputs; ``write`` gains the steps to them.

    >>> x, z = symengine.symbols("x z")
    >>> write = Recorder("d")
    >>> forward([Assign(z, symengine.sin(x))], [{x: symengine.Integer(3)}], write)[0][z], write.steps
    (3*d0, [Assign(target=d0, value=cos(x))])
    """
    known = [{s: rate for s, rate in direction.items() if not is_naught(rate)} for direction in directions]
    moving = {s for direction in known for s in direction}
    for step in steps:
        if moving.isdisjoint(free_symbols(step.sources)):
            continue
        moving.update(step.targets)
        if isinstance(step, Assign):
            slopes = _slopes(step.value, moving, write)
            for rates in known:
                terms = [slope * rate for s, slope in slopes if (rate := rates.get(s)) is not None]
                if terms and not is_naught(rate := terms[0] if len(terms) == 1 else symengine.Add(*terms)):
                    rates[step.target] = write(rate)
        else:
            _solve_forward(step, known, write)
    return known


def _solve_forward(step: Solve, known: Sequence[dict[Symbol, Expr]], write: Recorder) -> None:
    r"""$M\dot z = \dot b - \dot M z$."""
    _refuse_least_squares(step)
    for rates in known:
        right = []
        for row, b in zip(step.matrix, step.right, strict=True):
            turned = dot([_rate(entry, rates) for entry in row], step.unknowns)
            right.append(write(_rate(b, rates) - turned))
        found = write.solve(step.matrix, right)
        rates |= {z: rate for z, rate in zip(step.unknowns, found, strict=True) if not is_naught(rate)}


def backward(
    steps: Sequence[Step],
    covector: Mapping[Symbol, Expr],
    by: Sequence[Symbol],
    write: Recorder,
    slopes: dict[Symbol, Slopes] | None = None,
) -> Vector:
    r"""$\sum_z \bar z\,\partial z/\partial s$ for every ``s`` in ``by``, where ``covector`` gives $\bar z$.

    >>> x, y, z = symengine.symbols("x y z")
    >>> write = Recorder("d")
    >>> backward([Assign(z, x * y)], {z: symengine.Integer(1)}, [x, y], write), write.steps
    ((y, x), [])
    """
    moving, slopes = _moving(steps, by), {} if slopes is None else slopes
    gathered: dict[Symbol, list[Expr]] = defaultdict(list, {s: [value] for s, value in covector.items()})
    for step in reversed(steps):
        if moving.isdisjoint(step.targets):
            continue
        bars = [write(symengine.Add(*gathered.pop(target, ()))) for target in step.targets]
        if all(map(is_naught, bars)):
            continue
        if isinstance(step, Assign):
            if step.target not in slopes:
                slopes[step.target] = _slopes(step.value, moving, write)
            for s, slope in slopes[step.target]:
                gathered[s].append(bars[0] * slope)
        else:
            for s, term in _solve_backward(step, bars, write):
                gathered[s].append(term)
    return tuple(write(symengine.Add(*gathered[s])) for s in by)


def _solve_backward(step: Solve, bars: Sequence[Expr], write: Recorder) -> list[tuple[Symbol, Expr]]:
    r"""$M^{\mathsf T}\bar b = \bar z$, $\bar M = -\bar b\,z^{\mathsf T}$, as terms for every symbol among the entries."""
    _refuse_least_squares(step)
    transposed = tuple(zip(*step.matrix, strict=True))
    found = write.solve(transposed, bars)
    terms = []
    for bar, row, b in zip(found, step.matrix, step.right, strict=True):
        for entry, factor in ((b, bar), *((entry, -bar * z) for entry, z in zip(row, step.unknowns, strict=True))):
            symbols = sorted(entry.free_symbols, key=str)
            terms += [(s, factor * slope) for s, slope in zip(symbols, gradient(entry, symbols), strict=True)]
    return terms


def _moving(steps: Sequence[Step], by: Sequence[Symbol]) -> set[Symbol]:
    """The symbols that depend on those given."""
    moving = set(by)
    for step in steps:
        if not moving.isdisjoint(free_symbols(step.sources)):
            moving.update(step.targets)
    return moving


@lru_cache(maxsize=16384)
def partials(value: Expr) -> tuple[tuple[Symbol, Expr], ...]:
    """The derivatives of one step that do not vanish, by their symbols: backward and forward sweeps ask for the same."""
    plain = {symengine.Mul: _of_product, symengine.Add: _of_sum}.get(type(value), lambda other: None)(value)
    if plain is not None:
        return tuple((s, plain[s]) for s in sorted(plain, key=str) if not is_naught(plain[s]))
    symbols = sorted(value.free_symbols, key=str)
    slopes = zip(symbols, gradient(value, symbols), strict=True)
    return tuple((s, slope) for s, slope in slopes if not is_naught(slope))


def _of_product(value: Expr) -> dict[Symbol, Expr] | None:
    """The slope of each factor is the product of the others; None where a factor is no atom. Most single operations are such."""
    factors = value.args
    if not all(type(factor) in ATOMS for factor in factors):
        return None
    symbols = ((k, s) for k, s in enumerate(factors) if type(s) is symengine.Symbol)
    return {s: symengine.Mul(*factors[:k], *factors[k + 1 :]) for k, s in symbols}


def _of_sum(value: Expr) -> dict[Symbol, Expr] | None:
    """The slopes of a sum of symbols and such products; None where a term is more."""
    slopes: dict[Symbol, list[Expr]] = defaultdict(list)
    for term in value.args:
        if type(term) is symengine.Symbol:
            slopes[term].append(_ONE)
        elif type(term) is symengine.Mul:
            if (parts := _of_product(term)) is None:
                return None
            for s, slope in parts.items():
                slopes[s].append(slope)
        elif type(term) not in ATOMS:
            return None
    return {s: found[0] if len(found) == 1 else symengine.Add(*found) for s, found in slopes.items()}


def _slopes(value: Expr, moving: set[Symbol], write: Recorder) -> Slopes:
    return [(s, write(slope)) for s, slope in partials(value) if s in moving]


def _rate(entry: Expr, rates: Mapping[Symbol, Expr]) -> Expr:
    """The rate of an entry of a linear system: a symbol, a number, or one times the other."""
    symbols = [s for s in sorted(entry.free_symbols, key=str) if s in rates]
    return dot(gradient(entry, symbols), [rates[s] for s in symbols]) if symbols else zero


def _refuse_least_squares(step: Solve) -> None:
    if step.least:
        raise NotSupportedError(
            "a linear system that may be dependent is solved by least squares, whose solution jumps where the rank changes and so "
            "has no derivative; declare the system with redundant='drop'."
        )
