r"""An angular velocity that was set, beside that of the orientation: $[\omega]_\times = \dot R\,R^{\mathsf T}$."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from anholonomy.symbolic.calculus import total_derivative
from anholonomy.symbolic.expressions import Expr, Symbol, Vector, dot, symbol
from anholonomy.system.from_sympy.entrance import Entrance

__all__ = ["contradiction", "orientation_gap"]


def contradiction(frame: Any, other: Any) -> str:
    """The sentence about an angular velocity that was set against an orientation."""
    return (
        f"the angular velocity set for the frame {frame} in {other} contradicts its orientation, whose derivative is another: "
        f"drop `set_ang_vel` for {frame}, or write it with the speeds of the angles that orient it."
    )


def orientation_gap(frame: Any, entrance: Entrance, known: Mapping[Symbol, Expr], what: str) -> Vector:
    r"""$\omega$ as it was set less $\omega$ of $\dot R R^{\mathsf T}$, along the inertial axes."""
    rates = {symbol(q): symbol(f"{q}'") for q in entrance.coordinates}
    R = entrance.rotation(entrance.frame, frame, what)
    turned = [[total_derivative(entry, rates) for entry in row] for row in R]
    omega = [dot(turned[i], R[j]) for i, j in ((2, 1), (0, 2), (1, 0))]
    told = entrance.components(entrance.turning(frame, what), entrance.frame, what)
    return tuple(a.xreplace(known) - b for a, b in zip(told, omega, strict=True))
