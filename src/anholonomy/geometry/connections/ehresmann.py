r"""EhresmannConnection connections: constraints solved for the velocities of a fibre, over any choice of base.

.. math::
   \dot q^\nu = a_{\nu i}\,\dot q^i + a_\nu, \qquad \theta^\nu = dq^\nu - a_{\nu i}\,dq^i - a_\nu\,dt, \qquad
   h_i = \partial_i + a_{\nu i}\,\partial_\nu, \quad h_t = \partial_t + a_\nu\,\partial_\nu

.. math:: B^\nu{}_{ij} = -\theta^\nu([h_i, h_j]) = h_j(a_{\nu i}) - h_i(a_{\nu j}), \qquad
   B^\nu{}_{it} = h_t(a_{\nu i}) - h_i(a_\nu)

The curvature vanishes exactly when the constraints are integrable. In the frame $(h_i, \partial_\nu)$ it is the anholonomy,
$\Omega^\nu{}_{ij} = -c_{ij}{}^\nu = B^\nu{}_{ij}$, and it is what Voronec's equations call $A^{(\nu)}_{ij}$ and $A^{(\nu)}_i$.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, final

import symengine

from anholonomy.algebra.calculus import along
from anholonomy.algebra.expressions import Expr, Matrix, Symbol, Vector, dot, matrix_vector, time, zero
from anholonomy.algebra.latex import latex
from anholonomy.algebra.linear_algebra.symbolic import inverse
from anholonomy.algebra.simplification.simplify import simplify, simplify_vector
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import DeclarationError, NotSupportedError, UnknownNameError, quoted
from anholonomy.findings import Finding
from anholonomy.geometry.constraint_forms import Constrained, constraint_rows, on_spacetime, read_rows
from anholonomy.geometry.frame import Frame
from anholonomy.geometry.tensor import Index, Tensor
from anholonomy.language.answers import EQUALS, Mark, Part, Readable, Row, title
from anholonomy.language.arguments import expect, expect_list, name_of, plain

__all__ = ["EhresmannConnection"]


@final
@dataclass(frozen=True, repr=False)
class EhresmannConnection(Readable):
    r"""A connection on the fibration from all coordinates to those of the base.

    Attributes
    ----------
    coordinates
        All coordinates, with ``t`` last where the constraints are affine or depend on time.
    base, fibre
        The independent coordinates, time among them where it matters, and the others.
    slopes_ni
        $a_{\nu i}$, a row for each coordinate of the fibre, a column for each of the base; $a_\nu$ is the column of time.
    values
        Parameters whose values are known, with these.

    Examples
    --------
    >>> E = EhresmannConnection.from_constraints(["z' = y*x'"], base=["x", "y"], coordinates=["x", "y", "z"])
    >>> print(E)
    EhresmannConnection connection over (x, y) with fibre (z)
      h_x = d_x + (y)*d_z
      h_y = d_y
    >>> print(E.curvature)
    B^z_xy = 1
    B^z_yx = -1
    """

    coordinates: tuple[Symbol, ...]
    base: tuple[Symbol, ...]
    fibre: tuple[Symbol, ...]
    slopes_ni: Matrix
    values: tuple[tuple[Symbol, Expr], ...] = field(default=(), compare=False)

    @classmethod
    def from_constraints(
        cls,
        constraints: Sequence[Any] | Mapping[str, Any],
        base: Sequence[Any],
        coordinates: Sequence[Any],
        functions: Sequence[str] = (),
    ) -> EhresmannConnection:
        """The connection whose horizontal directions are the admissible ones; ``base`` names the independent coordinates.

        Raises `DeclarationError` where the constraints do not determine the other velocities.
        """
        q, rows = constraint_rows(constraints, coordinates, functions)
        return cls._solved(q, rows, base)

    @classmethod
    def of(cls, system: Constrained, base: Sequence[Any]) -> EhresmannConnection:
        """The connection of a system's constraints, over a choice of base coordinates.

        >>> from anholonomy.catalogue import rolling_disk
        >>> E = EhresmannConnection.of(rolling_disk(), base=["theta", "phi"])
        >>> bool(E.is_flat())
        False
        """
        system = plain(system)
        expect(system, "what has constraints", "System", "Model")
        frame = system.frame_at_values
        if not frame.is_chart:
            raise NotSupportedError(
                f"{system.name} does not live on a chart; an EhresmannConnection connection needs coordinates to project to."
            )
        if any(entry.free_symbols & set(system.velocities) for row in system.matrix_na for entry in row):
            raise NotSupportedError(
                f"{system.name} has a constraint nonlinear in the velocities, which is no EhresmannConnection connection."
            )
        q, rows = on_spacetime(frame.coordinates, system.matrix_na, system.offset_n)
        return replace(cls._solved(q, rows, base), values=frame.values)

    @classmethod
    def _solved(cls, q: tuple[Symbol, ...], rows: Matrix, base: Sequence[Any]) -> EhresmannConnection:
        expect_list(
            base,
            "the base",
            f"a list of coordinates, from {', '.join(map(str, q))}",
            verb="is",
            refusal=UnknownNameError,
        )
        names = [name_of(s, "a base coordinate") for s in base]
        if unknown := [name for name in names if name not in {s.name for s in q}]:
            raise UnknownNameError(f"{quoted(unknown[0])} is no coordinate here; there are {', '.join(map(str, q))}.")
        below = tuple(s for s in q if s.name in names or s == time)
        above = tuple(s for s in q if s not in below)
        if len(above) != len(rows):
            raise DeclarationError(
                f"{len(rows)} independent constraints leave {len(q) - len(rows) - (time in q)} base coordinates, "
                f"not {len(below) - (time in q)}; choose as many."
            )
        place = {s: k for k, s in enumerate(q)}
        try:
            block = inverse([[row[place[s]] for s in above] for row in rows])
        except ZeroDivisionError:
            raise DeclarationError(
                f"the constraints do not determine the velocities of {', '.join(map(str, above))}; choose another base."
            ) from None
        columns = [matrix_vector(block, [-row[place[s]] for row in rows]) for s in below]
        slopes = tuple(simplify_vector(row) for row in zip(*columns, strict=True)) if columns else ((),) * len(above)
        return cls(q, below, above, slopes)

    @cached_property
    def chart(self) -> Frame:
        """The coordinates as a frame."""
        return Frame.chart(self.coordinates).where(dict(self.values))

    @cached_property
    def forms_ni(self) -> Matrix:
        r"""The connection one-forms $\theta^\nu = dq^\nu - a_{\nu i}dq^i - a_\nu dt$, components in order of the coordinates."""
        rows = []
        for s, slopes in zip(self.fibre, self.slopes_ni, strict=True):
            known = {b: -a for b, a in zip(self.base, slopes, strict=True)} | {s: symengine.Integer(1)}
            rows.append(tuple(known.get(q, zero) for q in self.coordinates))
        return tuple(rows)

    @cached_property
    def lifts_ij(self) -> Matrix:
        """The horizontal lift of each base direction, components in order of the coordinates."""
        rows = []
        for i, s in enumerate(self.base):
            known = {f: row[i] for f, row in zip(self.fibre, self.slopes_ni, strict=True)} | {s: symengine.Integer(1)}
            rows.append(tuple(known.get(q, zero) for q in self.coordinates))
        return tuple(rows)

    def lift(self, vector: Sequence[Any]) -> Vector:
        """The horizontal lift of a vector of the base.

        >>> EhresmannConnection.from_constraints(["z' = y*x'"], ["x", "y"], ["x", "y", "z"]).lift(["2", "x"])
        (2, x, 2*y)
        """
        (row,) = read_rows([vector], len(self.base), "vector")
        return tuple(dot(row, column) for column in zip(*self.lifts_ij, strict=True))

    def vertical(self, vector: Sequence[Any]) -> Vector:
        r"""The vertical part $\theta^\nu(v)\,\partial_\nu$ of a vector."""
        (row,) = read_rows([vector], len(self.coordinates), "vector")
        parts = dict(zip(self.fibre, (simplify(dot(form, row)) for form in self.forms_ni), strict=True))
        return tuple(parts.get(q, zero) for q in self.coordinates)

    def horizontal(self, vector: Sequence[Any]) -> Vector:
        """What is left of a vector without its vertical part; a lift, and so in the distribution.

        >>> E = EhresmannConnection.from_constraints(["z' = y*x'"], ["x", "y"], ["x", "y", "z"])
        >>> E.horizontal(["1", "0", "0"]), E.vertical(["1", "0", "0"])
        ((1, 0, y), (0, 0, -y))
        """
        (row,) = read_rows([vector], len(self.coordinates), "vector")
        place = {q: k for k, q in enumerate(self.coordinates)}
        return self.lift([row[place[s]] for s in self.base])

    @cached_property
    def curvature(self) -> Tensor:
        r"""$B^\nu{}_{ij} = -\theta^\nu([h_i, h_j])$ in the chart, time components included; all others vanish."""
        place = {q: k for k, q in enumerate(self.coordinates)}
        values: dict[Index, Expr] = {}
        for i, a in enumerate(self.base):
            for j, b in enumerate(self.base[:i]):
                for s, slopes in zip(self.fibre, self.slopes_ni, strict=True):
                    value = simplify(self._along(j, slopes[i]) - self._along(i, slopes[j]))
                    values[place[s], place[a], place[b]] = value
                    values[place[s], place[b], place[a]] = -value
        return Tensor.of(self.chart, "udd", values, "B")

    def _along(self, i: int, f: Expr) -> Expr:
        return along(f, dict(zip(self.coordinates, self.lifts_ij[i], strict=True)))

    def B(self, nu: Any, i: Any, j: Any) -> Expr:
        """One component of the curvature by the names of its coordinates.

        >>> EhresmannConnection.from_constraints(["x' = t*y'"], ["y"], ["x", "y"]).B("x", "y", "t")
        1
        """
        place = {str(q): k for k, q in enumerate(self.coordinates)}
        names = [name_of(s, "a coordinate") for s in (nu, i, j)]
        if unknown := [name for name in names if name not in place]:
            raise UnknownNameError(f"{unknown[0]!r} is no coordinate here; there are {', '.join(place)}.")
        return self.curvature[place[names[0]], place[names[1]], place[names[2]]]

    def is_flat(self) -> Finding:
        """Whether the curvature vanishes, which is whether the constraints are integrable."""
        return self.curvature.vanishes("the connection is flat, the constraints integrable")

    @cached_property
    def frame(self) -> Frame:
        r"""The adapted frame: the lifts $h_i$, then $\partial_\nu$; its anholonomy $\Omega^\nu{}_{ij}$ is the curvature."""
        units = {f: tuple(symengine.Integer(int(q == f)) for q in self.coordinates) for f in self.fibre}
        labels = [f"h_{s}" for s in self.base] + [str(f) for f in self.fibre]
        return self.chart.change((*self.lifts_ij, *units.values()), labels=labels)

    def __repr__(self) -> str:
        base, fibre = (", ".join(map(str, names)) for names in (self.base, self.fibre))
        return f"EhresmannConnection connection over ({base}) with fibre ({fibre})"

    def as_rows(self) -> Iterable[Part]:
        yield title(repr(self))
        for i, s in enumerate(self.base):
            along = [Mark(f"d_{q}", rf"\partial_{{{latex(q)}}}") for q in (s, *self.fibre)]
            slopes = zip((row[i] for row in self.slopes_ni), along[1:], strict=True)
            terms = ((Mark(" + (", r"+ \left("), a, Mark(")*", r"\right)"), d) for a, d in slopes if a != 0)
            yield Row(Mark(f"h_{s}", rf"h_{{{latex(s)}}}"), EQUALS, along[0], terms, depth=1)
