"""Limits of a plan: bounds of names, and obstacles as inequalities that the points of a body keep."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from anholonomy.language.given import is_list, name_of
from anholonomy.language.grammar.parse import parse_inequality
from anholonomy.language.mistakes.nearest import near_symbol
from anholonomy.plans.asked.controlled import Controlled
from anholonomy.plans.asked.costs import known, read_expression
from anholonomy.plans.asked.task import Limit, Limits
from anholonomy.refusals import IllPosedSystem, UnknownName
from anholonomy.symbolic.expressions import Expr, Symbol, symbol
from anholonomy.symbolic.numbers.balls import precision
from anholonomy.system.states.numbers import finite_number

__all__ = ["number", "read_limits"]


def read_limits(c: Controlled, bounds: Any, obstacles: Any, body: Any) -> Limits:
    """The bounds and obstacles that a user gave, in the order of states and controls."""
    name, own = c.model.name, (*c.states, *c.controls)
    if bounds is not None and not isinstance(bounds, Mapping):
        raise IllPosedSystem(f"{name}: `bounds` is {bounds!r:.60}; give pairs by name, such as {{'u1': (-1, 1)}}.")
    low, high, rows = np.full(len(own), -np.inf), np.full(len(own), np.inf), list[Limit]()
    for key, pair in (bounds or {}).items():
        bounded = _bounded(c, key)
        least, most = _pair(name, bounded.name, pair)
        if bounded in own:
            low[own.index(bounded)], high[own.index(bounded)] = least, most
        else:
            rows.append(Limit(bounded.name, c.read(bounded), least, most))
    outside = tuple(_obstacles(name, obstacles))
    points = list(_points(c, body))
    for text, value in outside:
        value = known(c, value, f"the obstacle {text}")
        rows += (Limit(text, each) for each in dict.fromkeys(value.xreplace(point) for point in points))
    return Limits(low, high, tuple(rows), tuple(value for _, value in outside), tuple(points))


def _bounded(c: Controlled, key: object) -> Symbol:
    """The coordinate, velocity, speed or input that a bound is of."""
    named = name_of(key, f"{c.model.name}: a name in `bounds`")
    able = c.names - set(c.model.parameters) - {"t"} | {u.name for u in c.controls}
    if named not in able:
        near = near_symbol(named, able)
        cure = f"did you mean {near}?" if near else f"it can bound {', '.join(sorted(able))}."
        raise UnknownName(f"{c.model.name}: `bounds` has {named}, which the plan does not know; {cure}")
    return c.numbered.get(named, symbol(named))


def _pair(name: str, bounded: str, pair: Any) -> tuple[float, float]:
    if not is_list(pair) or len(pair) != 2:
        raise IllPosedSystem(
            f"{name}: the bound of {bounded} is {pair!r:.60}; give a pair (least, greatest), with None for what is open."
        )
    least, most = (
        otherwise if end is None else number(end, f"{name}: the bound of {bounded}")
        for end, otherwise in zip(pair, (-np.inf, np.inf), strict=True)
    )
    if least > most:
        raise IllPosedSystem(
            f"{name}: the bounds of {bounded} leave nothing between {least:g} and {most:g}; exchange them."
        )
    return least, most


def number(value: object, what: str) -> float:
    """A finite number, from a number or a text such as ``"pi/4"``."""
    with precision(30):
        found = finite_number(value)
        if found is None:
            raise IllPosedSystem(f"{what} is {value!r:.60}; give a finite number, such as 0.5 or, as a text, 'pi/4'.")
        return float(found.mid())


def _obstacles(name: str, given: Any) -> Iterator[tuple[str, Expr]]:
    if given is None:
        return
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise IllPosedSystem(
            f"{name}: `obstacles` is {given!r:.60}; give a list of inequalities that hold outside, such as ['x^2 + y^2 >= 1']."
        )
    for k, text in enumerate(given, 1):
        yield str(text), parse_inequality(text, what=f"{name}: obstacle {k}")


def _points(c: Controlled, body: Any) -> Iterator[dict[Symbol, Expr]]:
    """What stands for coordinates in obstacles, a dict for each point of the body; the configuration itself by default."""
    if body is None:
        yield {}
        return
    if not is_list(body) or not body or not all(isinstance(point, Mapping) for point in body):
        raise IllPosedSystem(
            f"{c.model.name}: `body` is {body!r:.60}; give a list of points, such as [{{'x': 'x + cos(theta)', 'y': 'y + sin(theta)'}}]."
        )
    names = {q.name for q in c.model.coordinates}
    for point in body:
        if foreign := [key for key in point if key not in names]:
            near = near_symbol(str(foreign[0]), names)
            cure = f"did you mean {near}?" if near else f"its coordinates are {', '.join(sorted(names))}."
            raise UnknownName(f"{c.model.name}: a point of `body` has {foreign[0]!r}, which is no coordinate; {cure}")
        yield {symbol(key): read_expression(c, value, f"a point of `body`, {key},") for key, value in point.items()}
