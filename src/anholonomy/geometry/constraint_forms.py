r"""Constraints linear in the velocities, read as one-forms.

.. math:: A_{\nu i}(q, t)\,\dot q^i + a_\nu(q, t) = 0 \quad\longrightarrow\quad
   \theta^\nu = A_{\nu i}\,dq^i + a_\nu\,dt

Where no row has an offset or mentions time, the forms live on $Q$; otherwise on $Q \times \mathbb R$, with $\dot t = 1$.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from anholonomy.algebra.calculus import gradient, has_corner, partial, total_derivative
from anholonomy.algebra.expressions import Expr, Matrix, Symbol, Vector, symbol, time, zero
from anholonomy.algebra.linear_algebra.symbolic import independent_rows
from anholonomy.algebra.zero_test import zero_test
from anholonomy.base.errors import DeclarationError, UnknownNameError
from anholonomy.base.verdict import Verdict
from anholonomy.geometry.frame import Frame
from anholonomy.language import check_name, parse_expression
from anholonomy.language.arguments import equation, expect_list, expression, name_of

__all__ = ["Constrained", "constraint_rows", "coordinate_symbols", "on_spacetime", "read_rows"]


class Constrained(Protocol):
    """What geometry needs of a system with constraints linear in the velocities."""

    @property
    def name(self) -> str: ...
    @property
    def frame_at_values(self) -> Frame: ...
    @property
    def velocities(self) -> tuple[Symbol, ...]: ...
    @property
    def matrix_na(self) -> Matrix: ...
    @property
    def offset_n(self) -> Vector: ...
    @property
    def span_ba(self) -> Matrix | None: ...


def constraint_rows(
    constraints: Sequence[Any] | Mapping[str, Any], coordinates: Sequence[Any], functions: Sequence[str] = ()
) -> tuple[tuple[Symbol, ...], Matrix]:
    """The coordinates, with time where it matters, and independent one-forms that annihilate the admissible velocities.

    >>> constraint_rows(["z' = y*x' + 1"], ["x", "y", "z"])
    ((x, y, z, t), ((-y, 0, 1, -1),))
    >>> constraint_rows(["x'^2 = y'"], ["x", "y"])
    Traceback (most recent call last):
    anholonomy.base.errors.DeclarationError: constraint 1 is not linear in the velocities; ...
    """
    q = tuple(s for s in coordinate_symbols(coordinates) if s != time)
    on_time = len(q) < len(coordinates)
    velocities = tuple(symbol(s.name + "'") for s in q)
    given = constraints.values() if isinstance(constraints, Mapping) else expect_list(constraints, "the constraints")
    found = [_affine(_equation(row, f"constraint {k}", functions), q, velocities, k) for k, row in enumerate(given, 1)]
    matrix, offset = tuple(A for A, _ in found), tuple(a for _, a in found)
    q, rows = on_spacetime(q, matrix, offset, on_time)
    if len(rows) > len(independent_rows(matrix)):
        raise DeclarationError(
            "the constraints contradict each other: no velocity satisfies them all; correct or drop one."
        )
    return q, rows


def on_spacetime(
    q: Sequence[Symbol], matrix: Matrix, offset: Vector, on_time: bool = False
) -> tuple[tuple[Symbol, ...], Matrix]:
    """Forms on $Q$, or on $Q \\times R$ where an offset or explicit time makes that necessary (or ``on_time`` says so)."""
    moving = any(a != 0 for a in offset) or any(time in entry.free_symbols for row in matrix for entry in row)
    rows = matrix
    if moving or on_time:
        q, rows = (*q, time), tuple((*row, a) for row, a in zip(matrix, offset, strict=True))
    return tuple(q), tuple(rows[k] for k in independent_rows(rows))


def _equation(value: Any, what: str, functions: Sequence[str]) -> Expr:
    if not functions or not isinstance(value, str):
        return equation(value, what)
    sides = value.split("=")
    if len(sides) != 2:
        raise DeclarationError(f"{what} is an equation with one `=`, such as `x' = a(x)*y'`.")
    left, right = (parse_expression(side, what=what, functions=functions) for side in sides)
    return left - right


def _affine(phi: Expr, q: Sequence[Symbol], velocities: Sequence[Symbol], number: int) -> tuple[Vector, Expr]:
    r"""$A_i$ and $a$ of $A_i\dot q^i + a$; an equation between positions is differentiated first."""
    strange = sorted(s.name for s in phi.free_symbols if s.name.endswith("'") and s not in velocities)
    if strange:
        raise UnknownNameError(
            f"constraint {number} uses {strange[0]}, which is no velocity of the coordinates {', '.join(s.name for s in q)}."
        )
    if not phi.free_symbols & set(velocities):
        phi = total_derivative(phi, dict(zip(q, velocities, strict=True)))
    A = gradient(phi, velocities)
    if all(entry == 0 for entry in A) and phi == 0:
        raise DeclarationError(
            f"constraint {number} says nothing about velocities: it is an identity, or can never be met; drop it."
        )
    for entry in A:
        for v in entry.free_symbols & set(velocities):
            # The slope of a modulus is a sign, whose own slope vanishes though it is not constant.
            if has_corner(entry, velocities) or zero_test(partial(entry, v)) is not Verdict.PROVEN:
                raise DeclarationError(
                    f"constraint {number} is not linear in the velocities; a distribution needs equations linear in them."
                )
    rest = dict.fromkeys(velocities, zero)
    return tuple(entry.xreplace(rest) for entry in A), phi.xreplace(rest)


def coordinate_symbols(coordinates: Sequence[Any]) -> tuple[Symbol, ...]:
    """The coordinates as symbols, refused unless they have different names; ``t`` is allowed."""
    names = [name_of(q, "a coordinate") for q in expect_list(coordinates, "the coordinates")]
    for name in names:
        if name != time.name:
            check_name(name, "the coordinate")
    if not names or len(set(names)) < len(names):
        raise DeclarationError(
            f"coordinates with different names are needed; {', '.join(names) or 'none'} will not do."
        )
    return tuple(map(symbol, names))


def read_rows(rows: Sequence[Sequence[Any]], width: int, what: str, functions: Sequence[str] = ()) -> Matrix:
    """Lists of components as expressions, each as long as there are coordinates."""
    for k, row in enumerate(expect_list(rows, f"the {what}s"), 1):
        if isinstance(row, str) or not isinstance(row, Sequence) or len(row) != width:
            raise DeclarationError(f"{what} {k} needs {width} components, one for each coordinate.")
    return tuple(tuple(expression(entry, f"{what} {k}", functions) for entry in row) for k, row in enumerate(rows, 1))
