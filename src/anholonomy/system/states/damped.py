r"""A zero of functions from far away: Gauss and Newton with damped steps, in floats.

Newton's method overshoots where a function bends, and a linkage of many loops bends everywhere. What is found here is a
start for Newton's method with as many digits as wanted, never an answer.
"""

from __future__ import annotations

from collections.abc import Sequence

import flint
import numpy as np
import symengine

from anholonomy.symbolic.calculus import jacobian
from anholonomy.symbolic.expressions import Expr, Symbol
from anholonomy.symbolic.numbers.doubles import in_doubles
from anholonomy.system.states.newton import Point
from anholonomy.tolerances import NOTHING

__all__ = ["approach"]

_STEPS = 200
"""Evaluations after which a search is given up."""


def approach(functions: Sequence[Expr], unknowns: Sequence[Symbol], point: Point) -> Point | None:
    """The point with ``unknowns`` near a zero of all functions; None where none was found."""
    from scipy.optimize import least_squares

    known = {s: symengine.RealDouble(float(v)) for s, v in point.items() if s not in unknowns}
    rows = jacobian(functions, unknowns)
    entries = [entry.xreplace(known) for entry in (*functions, *(entry for row in rows for entry in row))]
    count = len(functions)
    if (evaluate := in_doubles(unknowns, entries)) is None:
        return None
    try:
        with np.errstate(all="ignore"):
            found = least_squares(
                lambda x: np.asarray(evaluate(x), dtype=float)[:count],
                [float(point[u]) for u in unknowns],
                lambda x: np.asarray(evaluate(x), dtype=float)[count:].reshape(count, -1),
                xtol=1e-15,
                ftol=1e-15,
                gtol=1e-15,
                max_nfev=_STEPS,
                x_scale="jac",  # whatever the units are
            )
    except (ValueError, np.linalg.LinAlgError):  # not finite
        return None
    far = np.asarray(evaluate([float(point[u]) for u in unknowns]), dtype=float)[:count]
    if not np.abs(found.fun).max() < NOTHING * max(1.0, np.abs(far).max()):
        return None
    return {**point, **{u: flint.arb(value) for u, value in zip(unknowns, found.x.tolist(), strict=True)}}
