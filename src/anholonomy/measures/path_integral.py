r"""A function that is known by its derivatives along fields, integrated along a path in numbers, inside what brackets reach.

.. math:: q'_D = q_D^{\text{end}}, \qquad q' = v^AX_A(q), \qquad (\ln N)' = v^A\theta_A, \qquad 0 \le s \le 1

As many coordinates $q_D$ as the fields have directions go straight from zero to their values, the others follow, staying on the leaf. The function is 0 where
all $q_D$ are (or have the values of another place, where the fields have none there); where brackets reach everything, the path is a straight line from the origin. On a group the coordinates are the parameters of its rational
chart, zero at the identity, and rates of redundant coordinates are turned into theirs, $\dot q = \partial q/\partial\xi\;\dot\xi$, in numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Any, final

import numpy as np

from anholonomy.algebra.calculus import partial
from anholonomy.algebra.expressions import Expr, Symbol
from anholonomy.algebra.numbers.doubles import in_doubles
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import NotSupportedError, StateError
from anholonomy.base.tolerances import NOTHING, TYPED
from anholonomy.laws.prolongation.bracket_closure import ValuedField
from anholonomy.system.model import Model

__all__ = ["PathIntegral"]

_RELATIVE, _ABSOLUTE = 1e-13, 1e-14
"""Errors of a step along a path."""
_POINTS, _CHOICES = 20, 300
"""Points, and choices of fields at each, of which the one farthest from dependent is taken."""
_MOST = 30_000
"""Evaluations after which a path is given up."""


@final
@dataclass(frozen=True)
class PathIntegral:
    """Independent fields with the values of a function's derivatives along them; brackets must agree.

    ``chart`` are redundant coordinates in the parameters of a chart, none where there are none.
    """

    name: str
    coordinates: tuple[Symbol, ...]
    fields: tuple[ValuedField, ...]
    values: tuple[tuple[Symbol, Expr], ...]
    chart: tuple[tuple[Symbol, Expr], ...] = ()

    @classmethod
    def of(cls, model: Model, coordinates: tuple[Symbol, ...], fields: tuple[ValuedField, ...]) -> PathIntegral | None:
        """The integral over configurations of a system, for its values of the parameters; None on a group that has no chart."""
        orbit = model.frame.orbit
        chart = orbit.chart if orbit is not None and orbit.tied else {}
        return (
            None
            if chart is None
            else cls(model.name, coordinates, fields, tuple(model.values.items()), tuple(chart.items()))
        )

    @cached_property
    def _variables(self) -> tuple[Symbol, ...]:
        """The free variables: the parameters of the chart, and the coordinates that are not redundant."""
        tied = dict(self.chart)
        own = sorted({s for value in tied.values() for s in value.free_symbols}, key=str)
        return (*own, *(q for q in self.coordinates if q not in tied))

    def _variables_at(self, end: np.ndarray) -> np.ndarray:
        """The free variables of a configuration."""
        if not self.chart:
            return end
        from scipy.optimize import least_squares

        at = dict(zip(self.coordinates, end, strict=True))
        count = len(self._variables) - (len(self.coordinates) - len(self.chart))
        wanted = np.array([at[q] for q, _ in self.chart])
        here = in_doubles(self._variables[:count], [value for _, value in self.chart])
        assert here is not None  # a rational chart
        found = least_squares(
            lambda xi: np.ravel(here(xi.tolist())) - wanted,
            np.zeros(count),
            xtol=_RELATIVE,
            ftol=_RELATIVE,
            gtol=_RELATIVE,
        )
        if np.abs(found.fun).max() > TYPED:
            raise StateError(
                f"{self.name}: this state is not on the group, or where its chart ends; ask at another state."
            )
        return np.array([*found.x, *(at[q] for q in self._variables[count:])])

    @cached_property
    def _entries(self) -> list[Expr]:
        given = dict(self.values)
        rows = [[each.rates.get(q, 0 * q) for q in self.coordinates] for each in self.fields]
        return [e.xreplace(given) for row in (*rows, [each.value for each in self.fields]) for e in row]

    def where_given(
        self, value: Callable[[Symbol], float], state: Mapping[Any, object], parameters: Mapping[str, float]
    ) -> float:
        """The function where a state gives all coordinates that it depends on; of others ``value`` is not asked.

        In a coordinate that neither the fields nor the values know it is affine: two values tell whether it depends on it.
        """
        used = {s for e in self._entries for s in e.free_symbols} | {*dict(self.chart)}
        given = {str(name) for name in state} if isinstance(state, Mapping) else set()
        left = [q for q in self.coordinates if q not in used and q.name not in given]
        places = {q.name: value(q) for q in self.coordinates if q not in left}
        here, other = (self.at(places | {q.name: at for q in left}, parameters) for at in (0.0, 1.0))
        if left and abs(here - other) > NOTHING:
            value(left[0])  # refused
        return here

    def at(self, state: Mapping[str, float], parameters: Mapping[str, float]) -> float:
        """The function at a configuration, for values of the parameters that have none."""
        given = {s: parameters[s.name] for e in self._entries for s in e.free_symbols if s.name in parameters}
        chart = dict(self.chart)
        slopes = [partial(chart.get(q, q), z) for q in self.coordinates for z in self._variables] if chart else []
        entries = [e.xreplace(given).xreplace(chart) for e in self._entries]
        f = in_doubles(self._variables, [*entries, *slopes])
        if f is None:
            raise NotSupportedError(f"{self.name}: its density has no numbers that are doubles.")
        return self._integrated(f, self._variables_at(np.array([float(state[q.name]) for q in self.coordinates])))

    def _integrated(self, f: Callable[[list[float]], Any], end: np.ndarray) -> float:
        """Backward from the state to where the driven coordinates vanish."""
        from scipy.integrate import solve_ivp

        n, k, wide = len(self._variables), len(self.fields), len(self.coordinates)
        count = 0

        def parts(q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            flat = np.asarray(f(q.tolist()), dtype=float).ravel()
            X, theta, slopes = flat[: wide * k].reshape(k, wide), flat[wide * k : wide * k + k], flat[wide * k + k :]
            if self.chart and np.isfinite(flat).all():
                X = np.linalg.lstsq(slopes.reshape(wide, n), X.T, rcond=None)[0].T
            return X[:, :n], theta

        driven, way = _driven(parts, n, k), end - _begin(parts, n)

        def rate(_: float, x: np.ndarray) -> np.ndarray:
            nonlocal count
            count += 1
            X, theta = parts(x[:n])
            if count > _MOST or not np.isfinite(X).all():
                raise _Lost
            v = np.linalg.solve(X[:, driven].T, way[driven])
            return np.array([*(v @ X), v @ theta])

        try:
            found = solve_ivp(rate, (1.0, 0.0), [*end, 0.0], "DOP853", rtol=_RELATIVE, atol=_ABSOLUTE)
        except (_Lost, np.linalg.LinAlgError):
            found = None
        if found is None or not found.success or not np.isfinite(found.y[-1, -1]):
            raise StateError(
                f"{self.name}: the way from zero to this state meets a place where the directions fail; ask at another state."
            )
        return -float(found.y[-1, -1])


def _begin(parts: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]], n: int) -> np.ndarray:
    """The place where the function is 0: the origin, or where the fields have no values there another place, the same for every state."""
    rng = np.random.default_rng(3)
    places = [np.zeros(n), *rng.uniform(0.5, 2, (_POINTS, n))]
    with np.errstate(all="ignore"):
        good = [q for q in places if all(np.isfinite(each).all() for each in parts(q))]
    return np.asarray(good[0] if good else places[0])


class _Lost(Exception):
    """The path left what has numbers."""


def _driven(parts: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]], n: int, k: int) -> list[int]:
    """The coordinates that can best be driven by the fields, the same for every state: those whose determinant stays farthest from zero."""
    rng = np.random.default_rng(2)
    points = [np.zeros(n), *rng.uniform(-2, 2, (_POINTS, n))]
    with np.errstate(all="ignore"):
        tables = [X for X in (parts(q)[0] for q in points) if np.isfinite(X).all()]
    choices = [list(c) for c in islice(combinations(range(n), k), _CHOICES)]
    sizes = [np.abs([np.linalg.det(X[:, c]) for X in tables]) for c in choices]
    return choices[int(np.argmax([float(size.min() / (size.max() or 1.0)) for size in sizes]))]
