r"""Coefficients of a conserved quantity that are known only as solutions of linear differential equations in one coordinate, in numbers.

.. math:: \frac{dc}{ds} = N(s)\,c, \qquad c(s_0) = e_j
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from anholonomy.algebra.calculus import partial
from anholonomy.algebra.expressions import Expr, Matrix, Symbol, Vector, dot, symbol
from anholonomy.algebra.latex import latex
from anholonomy.algebra.numbers.doubles import in_doubles
from anholonomy.algebra.poles import divisors
from anholonomy.base.deadlines import check
from anholonomy.base.errors import StateError
from anholonomy.language.answers import EQUALS, Mark, Part, Readable, Row, joined

__all__ = ["SolvedCoefficients"]

_RELATIVE, _ABSOLUTE = 1e-13, 1e-15
"""Errors of a step."""
_STEP = 1 / 64
"""The longest step, for which the polynomial of degree seven between two steps is as good as these."""
_FAR, _PART = 1_000.0, 1_024
"""The distance up to which an integration is a matter of seconds, and the steps after which poles on the way are looked at."""


@final
@dataclass(frozen=True, repr=False)
class SolvedCoefficients(Readable):
    r"""The functions $c(s)$ by their equations and their values at a place.

    Attributes
    ----------
    s, place, named
        The variable, the function of the configuration that it is, and the same with the names of functions on a group.
    functions
        What they are called, as functions of the variable.
    rates
        Their derivatives are these rows times them.
    origin, values
        The place $s_0$, and the values there.
    """

    s: Symbol
    place: Expr
    named: Expr
    functions: Vector
    rates: Matrix
    origin: Expr
    values: Vector

    def at(self, places: Any, parameters: Mapping[str, float], name: str) -> np.ndarray:
        """The values at some places, a row for each function; refused, by the name of a system, where the equations do not reach a place."""
        places, origin = np.asarray(places, dtype=float), float(self.origin)
        begin = np.array([float(v) for v in self.values])
        found = np.tile(begin[:, None], places.size)
        for side in (places > origin, places < origin):
            if side.any():
                wanted, back = np.unique(places[side], return_inverse=True)
                forth = wanted if wanted[0] > origin else wanted[::-1]
                if not abs(forth[-1] - origin) <= _FAR:
                    raise StateError(
                        f"{name}: the coefficients are not known at this state, because {self.s.name} = {forth[-1]:.6g} is further than {_FAR:g} from "
                        f"{origin:.6g}, where their values are given; ask at a nearer state."
                    )
                values = self._along(origin, forth, begin, parameters)
                if values is None:
                    raise StateError(
                        f"{name}: the coefficients are not known at this state, because between {self.s.name} = {origin:.6g} and {forth[-1]:.6g} "
                        "their equations are singular; ask at another state."
                    )
                found[:, side] = (values if forth is wanted else values[:, ::-1])[:, back]
        return found

    def _along(
        self, origin: float, forth: np.ndarray, begin: np.ndarray, parameters: Mapping[str, float]
    ) -> np.ndarray | None:
        """The values from the origin on; None where the equations are singular on the way."""
        from scipy.integrate import solve_ivp

        k, flat = len(begin), [e for row in self.rates for e in row]
        given = {s: parameters[s.name] for e in flat for s in e.free_symbols if s.name in parameters and s != self.s}
        here = [e.xreplace(given) for e in flat]
        f = in_doubles([self.s], [*here, self.s])
        if f is None or self._has_pole(here, origin, forth[-1]):
            return None

        def rate(s: float, c: np.ndarray) -> np.ndarray:
            return np.asarray(np.asarray(f([s]), dtype=float).ravel()[:-1].reshape(k, k) @ c)

        with np.errstate(all="ignore"):
            done = solve_ivp(
                rate, (origin, forth[-1]), begin, "DOP853", forth, rtol=_RELATIVE, atol=_ABSOLUTE, max_step=_STEP
            )
        good = done.success and np.isfinite(done.y).all()
        return np.asarray(done.y) if good else None

    def _has_pole(self, rates: list[Expr], begin: float, end: float) -> bool:
        """True if something that is divided by vanishes between two places: it changes sign there, or touches zero."""
        below = divisors(rates, {self.s})
        f = in_doubles([self.s], [*below, *(partial(e, self.s) for e in below), self.s])
        if not below or f is None:
            return bool(below)
        grid = np.linspace(begin, end, 2 + int(abs(end - begin) / _STEP))
        for first in range(0, len(grid) - 1, _PART):  # the nearest pole ends it
            check()
            values = np.array([np.asarray(f([s]), dtype=float).ravel()[:-1] for s in grid[first : first + _PART + 1]])
            if not np.isfinite(values).all():
                return True
            value, slope = np.split(values, 2, axis=1)
            turns = slope[:-1] * slope[1:] <= 0
            near = np.minimum(np.abs(value[:-1]), np.abs(value[1:])) <= _STEP * np.abs(slope).max(axis=0)
            if ((value[:-1] * value[1:] <= 0) | (turns & near)).any():
                return True
        return False

    def near(self, place: Expr) -> Matrix:
        r"""The solutions that are the unit vectors at a place, a column each, to second order: $1 + Nd + \tfrac12(N' + N^2)d^2$ with $d = s - s_*$."""
        at, n = {self.s: place}, range(len(self.functions))
        N = [[e.xreplace(at) for e in row] for row in self.rates]
        slope = [[partial(e, self.s).xreplace(at) for e in row] for row in self.rates]
        d = self.place - place
        return tuple(
            tuple(int(i == j) + N[i][j] * d + (slope[i][j] + dot(N[i], [row[j] for row in N])) * d**2 / 2 for j in n)
            for i in n
        )

    @property
    def equations(self) -> list[tuple[Expr, Expr]]:
        """The functions with their derivatives."""
        return [(c, dot(row, self.functions)) for c, row in zip(self.functions, self.rates, strict=True)]

    def as_rows(self) -> Iterable[Part]:
        names = {c: symbol(str(c.get_name())) for c in self.functions}
        slopes = (
            (Mark(f"d{n}/d{self.s.name}", rf"\frac{{d {latex(n)}}}{{d {latex(self.s)}}}"), EQUALS, e.xreplace(names))
            for n, (_, e) in zip(names.values(), self.equations, strict=True)
        )
        where = () if self.place == self.s else (", ", self.s, EQUALS, self.named)
        yield Row(joined(slopes), ", and ", self.start, where)

    @property
    def start(self) -> Row:
        """The values at the origin."""
        begin = ((symbol(str(c.get_name())), EQUALS, v) for c, v in zip(self.functions, self.values, strict=True))
        return Row(joined(begin), " at ", self.s, EQUALS, self.origin)

    def _data(self) -> dict[str, Any]:
        rates = dict(self.equations)
        return {"variable": {self.s: self.place}, "rates": rates, "origin": self.origin, "values": self.values}
