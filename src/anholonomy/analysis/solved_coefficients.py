r"""Functions of one coordinate that solve linear differential equations, in numbers.

.. math:: \frac{dc}{ds} = N(s)\,c, \qquad c(s_0) = e_j
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from anholonomy.language.brevity import brief
from anholonomy.language.writing import to_text
from anholonomy.refusals import InadmissibleState
from anholonomy.symbolic.display.latex import latex
from anholonomy.symbolic.expressions import Expr, Matrix, Symbol, Vector, dot
from anholonomy.symbolic.numbers.doubles import in_doubles

__all__ = ["SolvedCoefficients"]

_RELATIVE, _ABSOLUTE = 1e-13, 1e-15
"""Errors of a step."""
_STEP = 1 / 64
"""The longest step, for which the polynomial of degree seven between two steps is as good as these."""
_MOST = 200_000
"""Evaluations after which a place is taken for one that cannot be reached."""


@final
@dataclass(frozen=True)
class SolvedCoefficients:
    r"""The functions $c(s)$ by their equations and their values at a place.

    Attributes
    ----------
    s
        The coordinate.
    functions
        What they are called, as functions of the coordinate.
    rates
        Their derivatives are these rows times them.
    origin, values
        The place $s_0$, and the values there.
    """

    s: Symbol
    functions: Vector
    rates: Matrix
    origin: Expr
    values: Vector

    def at(self, places: Any, parameters: Mapping[str, float], name: str) -> np.ndarray:
        """The values at some places, a row for each function; refused, by the name of a system, where the equations do not reach a place."""
        from scipy.integrate import solve_ivp

        flat = [e for row in self.rates for e in row]
        given = {s: parameters[s.name] for e in flat for s in e.free_symbols if s.name in parameters and s != self.s}
        f = in_doubles([self.s], [e.xreplace(given) for e in flat])
        places, origin, k = np.asarray(places, dtype=float), float(self.origin), len(self.functions)
        found, count = np.empty((k, places.size)), 0

        def rate(s: float, c: np.ndarray) -> np.ndarray:
            nonlocal count
            count += 1
            N = np.asarray(f([s]), dtype=float).reshape(k, k) if f is not None and count <= _MOST else np.full((k, k), np.nan)
            if not np.isfinite(N).all():
                raise _Lost
            return np.asarray(N @ c)

        for side in (places >= origin, places < origin):
            if side.any():
                wanted, back = np.unique(places[side], return_inverse=True)
                way = wanted if wanted[0] >= origin else wanted[::-1]
                try:
                    with np.errstate(all="ignore"):
                        done = solve_ivp(rate, (origin, way[-1]), [float(v) for v in self.values], "DOP853", way, rtol=_RELATIVE, atol=_ABSOLUTE, max_step=_STEP)
                except _Lost:
                    done = None
                if done is None or done.y.shape[1] < len(way):
                    raise InadmissibleState(
                        f"{name}: the coefficients are not known at this state: between {self.s.name} = {brief(self.origin)} and {way[-1]:.6g} their equations are singular."
                    )
                found[:, side] = (done.y if way is wanted else done.y[:, ::-1])[:, back]
        return found

    @property
    def equations(self) -> list[tuple[Expr, Expr]]:
        """The functions with their derivatives."""
        return [(c, dot(row, self.functions)) for c, row in zip(self.functions, self.rates, strict=True)]

    def words(self, whole: bool = False) -> str:
        """The equations and the values at the origin."""
        names = [str(c.get_name()) for c in self.functions]
        slopes = [f"d{n}/d{self.s.name} = {brief(self._short(e), whole)}" for n, (_, e) in zip(names, self.equations, strict=True)]
        begin = [f"{n} = {brief(v)}" for n, v in zip(names, self.values, strict=True)]
        return f"{', '.join(slopes)}, and {', '.join(begin)} at {self.s.name} = {brief(self.origin)}"

    def _short(self, e: Expr) -> Expr:
        """With the names of the functions alone."""
        from anholonomy.symbolic.expressions import symbol

        return e.xreplace({c: symbol(str(c.get_name())) for c in self.functions})

    def latex(self) -> str:
        """The equations in LaTeX."""
        x = latex(self.s)
        return r",\; ".join(rf"\frac{{d {latex(c)}}}{{d {x}}} = {latex(e)}" for c, e in self.equations)

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "variable": self.s.name,
            "rates": {to_text(c): to_text(e) for c, e in self.equations},
            "origin": to_text(self.origin),
            "values": [to_text(v) for v in self.values],
        }


class _Lost(Exception):
    """The equations have no numbers here."""
