r"""A field at rest: the extremal equations on a grid, by Newton's method with exact derivatives.

.. math:: J = \sum_{j, K} \operatorname{diag}\Bigl(\frac{\partial E_i}{\partial u^j_K}\Bigr) D_K R, \qquad u = R\,u_{\text{kept}} + r
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import TYPE_CHECKING, Any, final

import numpy as np

from anholonomy.algebra.calculus import partial
from anholonomy.algebra.expressions import Symbol, free_symbols, symbol
from anholonomy.base.errors import ArgumentError, IntegrationError, UnknownNameError
from anholonomy.fields.equations import field_equations
from anholonomy.fields.grid import Lattice, Values, axes_of, function_of, lattice_of, numbers_of

if TYPE_CHECKING:
    import xarray as xr

    from anholonomy.fields.field import Field

__all__ = ["rested"]

_STEPS = 60
"""Newton's steps after which a search is given up."""
_SHORTEST = 1e-6
"""The shortest part of a step that is tried before giving up."""


def rested(
    field: Field, grid: Any, boundary: Any, guess: Mapping[str, Any], scheme: str | None, order: int, tolerance: float
) -> xr.Dataset:
    """The field at rest as a dataset."""
    import xarray as xr

    if field.constraints:
        raise ArgumentError(f"{field.name}: a field at rest is solved without constraints; solve them and put them in.")
    axes = axes_of(field, grid, boundary, scheme, order)
    if left := [p.name for p in field.jets.parameters if p.name not in {axis.name for axis in axes}]:
        raise ArgumentError(f"{field.name}: a field at rest has all its parameters on the grid; {left[0]} is missing.")
    used, names = free_symbols(field.extremal_i), [p.name for p in field.jets.parameters]
    needed = {
        (i, axis.name): field.jets.of(i, (names.index(axis.name),) * 2) in used
        for i in range(len(field.jets.fields))
        for axis in axes
    }
    lattice = lattice_of(field, axes, boundary, needed, None, len(field.jets.fields))
    known = [u.name for u in field.jets.fields]
    if unknown := [each for each in guess if each not in known]:
        raise UnknownNameError(
            f"{field.name}: the guess has {unknown[0]!r}, which is no field; they are {', '.join(known)}."
        )
    rest = _Rest(field, lattice, [numbers_of(field, lattice, guess.get(u, 0), f"the guess of {u}") for u in known])
    y, residual, steps = _newton(rest, rest.start if guess else rest.first_guess(), tolerance)
    dims = tuple(axis.name for axis in axes)
    data = {u: (dims, value) for u, value in zip(known, rest.unpacked(y), strict=True)}
    said = {
        "field": field.name,
        "scheme": scheme or "differences",
        "order": order,
        "steps": steps,
        "residual": residual,
    }
    return xr.Dataset(data, coords={axis.name: axis.points for axis in axes}, attrs=said)


def _newton(rest: _Rest, y: Values, tolerance: float) -> tuple[Values, float, int]:
    """Damped steps: a part of a step is taken where the next one, by the same matrix, would be shorter."""
    from scipy.sparse.linalg import splu

    residual, J = rest.at(y)
    for step in range(1, _STEPS + 1):
        try:
            solve = splu(J).solve
        except RuntimeError:
            raise IntegrationError(
                f"{rest.field.name}: its linear equations are singular; some end leaves the field free, or no extremal is near."
            ) from None
        change = -solve(residual)
        near = np.linalg.norm(change) <= tolerance * (1.0 + np.linalg.norm(y))
        part, found, slopes = 1.0, *rest.at(y + change)
        while not near and part > _SHORTEST and not _is_shorter(solve, found, change, part):
            part /= 2
            found, slopes = rest.at(y + part * change)
        y, residual, J = y + part * change, found, slopes
        if near and np.isfinite(y).all():
            return y, float(np.abs(residual).max()), step
        if part <= _SHORTEST or not np.isfinite(residual).all():
            break
    raise IntegrationError(
        f"{rest.field.name}: Newton's method did not arrive; the largest residual is {np.abs(residual).max():.3g}. Give a better guess."
    )


def _is_shorter(solve: Any, found: Values, change: Values, part: float) -> bool:
    return bool(np.isfinite(found).all() and np.linalg.norm(solve(found)) <= (1 - part / 4) * np.linalg.norm(change))


@final
class _Rest:
    """Residuals and their derivatives by the values that are kept."""

    def __init__(self, field: Field, lattice: Lattice, guess: list[Values]) -> None:
        self.field, self.lattice, self.jets = field, lattice, field.jets
        self.equations = field_equations(field).inside
        self.inputs = sorted((s for s in free_symbols(self.equations) if s in self.jets.names), key=str)
        names = [symbol(axis.name) for axis in lattice.axes]
        slopes = [partial(E, s) for E in self.equations for s in self.inputs]
        self.function = function_of(field, [*self.equations, *slopes], [*names, *self.inputs], None)
        self.mesh = np.array([each.ravel() for each in lattice.mesh])
        order = [p.name for p in self.jets.parameters]
        self.axis_of = {order.index(axis.name): k for k, axis in enumerate(lattice.axes)}
        self.given = [lattice.boundary(i, value)(0.0) for i, value in enumerate(guess)]
        self.cuts = [lattice.kept(i) for i in range(len(guess))]
        self.shapes = [value[cut].shape for value, cut in zip(guess, self.cuts, strict=True)]
        self.start = np.concatenate([value[cut].ravel() for value, cut in zip(guess, self.cuts, strict=True)])

    def unpacked(self, y: Values) -> list[Values]:
        place, fields = 0, list[Values]()
        for i, shape in enumerate(self.shapes):
            size = int(np.prod(shape))
            fields.append(self.lattice.whole(i, y[place : place + size].reshape(shape), self.given[i]))
            place += size
        return fields

    def _ways(self, s: Symbol) -> tuple[int, list[int]]:
        i, way = self.jets.names[s]
        return i, [self.axis_of[a] for a in way]

    def at(self, y: Values) -> tuple[Values, Any]:
        """The residual at the kept points, and its Jacobian."""
        values, operators = self._linear(self.unpacked(y))
        return self._kept(values), self._jacobian(operators)

    def first_guess(self) -> Values:
        """Where the equations linear about the zero map lead with the conditions at the ends; the given start where they lead nowhere."""
        from scipy.sparse.linalg import splu

        values, operators = self._linear([np.zeros(self.lattice.shape) for _ in self.shapes])
        ends = [each.ravel() for each in self.unpacked(np.zeros_like(self.start))]
        for k, row in enumerate(operators):
            values[k] += sum(operator @ end for operator, end in zip(row, ends, strict=True))
        try:
            found = -splu(self._jacobian(operators)).solve(self._kept(values))
        except RuntimeError:
            return self.start
        return np.asarray(found) if np.isfinite(found).all() else self.start

    def _linear(self, fields: list[Values]) -> tuple[list[Values], list[list[Any]]]:
        """The equations at all points, and the operators that they are linear by, one for each equation and field."""
        import scipy.sparse as sparse

        ways = [self._ways(s) for s in self.inputs]
        jets = [self.lattice.derived(fields[i], way).ravel() for i, way in ways]
        found = self.function(0.0, np.concatenate([self.mesh, np.array(jets).reshape(len(jets), self.mesh.shape[1])]))
        count, size = len(self.equations), found.shape[1]
        slopes = found[count:].reshape(count, len(self.inputs), size)
        operators = []
        for k in range(count):
            row = [sparse.csr_array((size, size)) for _ in fields]
            for n, (j, way) in enumerate(ways):
                row[j] = row[j] + sparse.diags_array(slopes[k, n]) @ self._operator(way)
            operators.append(row)
        return list(found[:count]), operators

    def _kept(self, values: list[Values]) -> Values:
        cut = zip(values, self.cuts, strict=True)
        return np.concatenate([value.reshape(self.lattice.shape)[kept].ravel() for value, kept in cut])

    def _jacobian(self, operators: list[list[Any]]) -> Any:
        import scipy.sparse as sparse

        numbers = np.arange(int(np.prod(self.lattice.shape))).reshape(self.lattice.shape)
        rows = [
            [(operator @ self._extension(j)).tocsr()[numbers[self.cuts[k]].ravel()] for j, operator in enumerate(row)]
            for k, row in enumerate(operators)
        ]
        return sparse.block_array(rows, format="csc")

    def _operator(self, way: list[int]) -> Any:
        import scipy.sparse as sparse

        parts = []
        for k, axis in enumerate(self.lattice.axes):
            order = way.count(k)
            parts.append(
                sparse.csr_array(axis.derivative(order)) if order else sparse.eye_array(axis.size, format="csr")
            )
        return reduce(lambda a, b: sparse.kron(a, b, format="csr"), parts)

    def _extension(self, i: int) -> Any:
        import scipy.sparse as sparse

        parts = [sparse.csr_array(self.lattice.ends[i, axis.name].matrix) for axis in self.lattice.axes]
        return reduce(lambda a, b: sparse.kron(a, b, format="csr"), parts)
