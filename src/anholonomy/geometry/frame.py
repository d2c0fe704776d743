r"""A frame: the velocities that quasi-velocities make, and how its directions fail to commute.

.. math::
   \dot q^i = e_a{}^i\,\omega^a + e_0{}^i, \qquad
   [e_a, e_b] = c_{ab}{}^d\, e_d, \qquad [e_0 + \partial_t, e_a] = c_{0a}{}^d\, e_d

A chart is the frame with anchor 1 and structure 0. A Lie group is its frame of left-invariant fields: constant structure, and an
anchor that may act on redundant coordinates. Every other frame is a change $\bar e_b = B_b{}^a e_a$ of one of these roots; its structure
comes from the root's and from $B$, never from inverting the anchor. Nothing may assume that the anchor is square, constant or 1.

.. math::
   \theta^a(e_b) = \delta^a_b, \qquad c_{ab}{}^d = \theta^d([e_a, e_b]) = -d\theta^d(e_a, e_b), \qquad
   \Omega_{ab}{}^d = -c_{ab}{}^d

The coframe is written in the root of the frame, where $d$ needs no bracket of the frame's own fields; so the
structure functions found from it are independent of those found from the brackets.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import Any, Protocol, final

import symengine

from anholonomy.algebra.calculus import along, gradient
from anholonomy.algebra.expressions import (
    Expr,
    Matrix,
    Symbol,
    Vector,
    dot,
    identity,
    matrix_vector,
    symbol,
    time,
    zero,
)
from anholonomy.algebra.linear_algebra.symbolic import inverse, rank, solve
from anholonomy.algebra.numbers.random_points import Ground
from anholonomy.algebra.redundant_coordinates import Orbit, orbit_of
from anholonomy.algebra.simplification.simplify import simplify, simplify_vector
from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.caching import cached_property, fields_only
from anholonomy.base.errors import DeclarationError, quoted
from anholonomy.base.notebook import Shown
from anholonomy.findings import Finding
from anholonomy.geometry.brackets import Structure, bracket
from anholonomy.geometry.field_text import along_coordinates, along_directions, fields_latex, read_component
from anholonomy.geometry.forms import Form
from anholonomy.geometry.tensor import Index, Tensor
from anholonomy.language import check_name, parse_expression
from anholonomy.language.arguments import equation, expect_index, expect_list, expression, factor, name_of

__all__ = ["Frame", "HasTensor"]


@final
@dataclass(frozen=True, init=False, repr=False)
class Frame(Shown):
    r"""Directions $e_a$ at every configuration, and the drift $e_0$.

    Parameters
    ----------
    coordinates
        Names of the coordinates; ``t`` among them makes a frame on $Q \times \mathbb R$.
    vectors
        The components $e_a{}^i$, one row for each direction, as text, SymPy or numbers; without them the frame is
        the chart itself.
    drift
        The components $e_0{}^i$, zero by default.
    labels
        Names of the directions, for printing: those of the coordinates on a chart, otherwise 1, 2, …
    functions
        Names that may be called in the text as functions nobody specifies, such as ``f`` in ``f(x, y)``.

    Attributes
    ----------
    anchor_ai
        $e_a{}^i(q, t)$, one row for each direction.
    drift_i
        $e_0{}^i(q, t)$.
    root, matrix_ba, offset_a
        The frame this one was made from, with $e_b = B_b{}^a E_a$ and $e_0 = E_0 + f^a E_a$; None for a root.
    origin, invariants
        On a group, its identity and what vanishes on its redundant coordinates.
    named
        Names of functions on a group, such as the entries of a rotation matrix, and what they are in its coordinates.
    right_invariant
        On a group, what gives the components of its right-invariant fields in this frame, a row each; otherwise None.
    values
        Parameters whose values are known, with these: what is decided is decided for them.

    Examples
    --------
    >>> frame = Frame(["x", "y", "theta"],
    ...     [["cos(theta)", "sin(theta)", "0"], ["0", "0", "1"], ["-sin(theta)", "cos(theta)", "0"]])
    >>> frame.structure_abd[0][1]          # [forward, turn] = -sideways
    (0, 0, -1)
    """

    coordinates: tuple[Symbol, ...]
    anchor_ai: Matrix
    drift_i: Vector
    labels: tuple[str, ...] = field(compare=False)
    root: Frame | None
    matrix_ba: Matrix
    offset_a: Vector
    constants_abd: Structure | None
    origin: Vector = field(compare=False)
    invariants: Vector = field(compare=False)
    named: Mapping[Symbol, Expr] = field(compare=False)
    right_invariant: Callable[[], Matrix] | None = field(compare=False)
    values: tuple[tuple[Symbol, Expr], ...] = field(compare=False)

    def __init__(
        self,
        coordinates: Sequence[Any],
        vectors: Sequence[Sequence[Any]] | None = None,
        drift: Sequence[Any] | None = None,
        labels: Sequence[str] | None = None,
        functions: Sequence[str] = (),
    ) -> None:
        if isinstance(coordinates, str) or not isinstance(coordinates, Sequence):
            raise DeclarationError(f"a frame needs a list of coordinates, and {quoted(coordinates)} is none.")
        names = [name_of(q, "a coordinate") for q in coordinates]
        for name in names:
            if name != time.name:
                check_name(name, "the coordinate")
        if not names or len(set(names)) < len(names):
            raise DeclarationError(f"a frame needs coordinates with different names; {', '.join(names)} will not do.")
        chart = Frame.chart([symbol(name) for name in names])
        if vectors is None:
            self._set(**{each: getattr(chart, each) for each in Frame.__dataclass_fields__})
            return
        n = len(names)
        rows = [
            _row(vector, f"vector {k}", n, functions)
            for k, vector in enumerate(expect_list(vectors, "the vectors of the frame"), 1)
        ]
        offset = _row(drift, "the drift", n, functions) if drift is not None else (zero,) * n
        if len(rows) == n and rank(rows) < n:
            raise DeclarationError("the vectors of the frame are linearly dependent; give independent ones.")
        changed = chart.change(tuple(rows), offset, labels)
        self._set(**{each: getattr(changed, each) for each in Frame.__dataclass_fields__})

    def _set(self, **values: Any) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @classmethod
    def chart(cls, coordinates: Sequence[Any]) -> Frame:
        """The frame of coordinate directions: anchor 1, structure 0.

        >>> Frame.chart(["x", "y"]) == Frame(["x", "y"])
        True
        """
        given = expect_list(coordinates, "the coordinates of a chart")
        q = tuple(
            each if isinstance(each, symengine.Symbol) else symbol(name_of(each, "a coordinate")) for each in given
        )
        return cls.with_structure(q, identity(len(q)), None, tuple(each.name for each in q))

    @classmethod
    def with_structure(
        cls,
        coordinates: Sequence[Symbol],
        anchor_ai: Matrix,
        constants_abd: Structure | None,
        labels: Sequence[str],
        origin: Vector = (),
        invariants: Vector = (),
        named: Mapping[Symbol, Expr] | None = None,
        right_invariant: Callable[[], Matrix] | None = None,
    ) -> Frame:
        r"""A root: an anchor whose fields close with the given structure functions (None for a chart's zero).

        On a group ``origin`` is its identity, ``invariants`` vanish on redundant coordinates, ``named`` are functions with
        names of their own, and ``right_invariant`` gives the fields that commute with these.
        """
        frame = cls.__new__(cls)
        frame._set(
            coordinates=tuple(coordinates),
            anchor_ai=anchor_ai,
            drift_i=(zero,) * len(coordinates),
            labels=tuple(labels),
            root=None,
            matrix_ba=identity(len(anchor_ai)),
            offset_a=(zero,) * len(anchor_ai),
            constants_abd=constants_abd,
            origin=origin,
            invariants=invariants,
            named=dict(named or {}),
            right_invariant=right_invariant,
            values=(),
        )
        return frame

    def where(self, values: Mapping[Symbol, Expr]) -> Frame:
        """The same frame where parameters have known values: expressions keep their letters, verdicts are for these values.

        >>> chart = Frame(["x"]).where({symbol("k"): symengine.Integer(2)})
        >>> bool(Tensor.of(chart, "d", {(0,): symbol("k") - 2}).is_zero())
        True
        """
        frame = Frame.__new__(Frame)
        own = {each: getattr(self, each) for each in Frame.__dataclass_fields__}
        frame._set(**own | {"values": tuple(values.items()), "root": self.root and self.root.where(values)})
        return frame

    __getstate__ = fields_only

    @property
    def size(self) -> int:
        """The number of directions."""
        return len(self.anchor_ai)

    @cached_property
    def is_chart(self) -> bool:
        """True for coordinate directions, where quasi-velocities are velocities."""
        return self == Frame.chart(self.coordinates)

    @cached_property
    def orbit(self) -> Orbit | None:
        """Where redundant coordinates and known parameters take their values; None where every symbol is free."""
        root = self.root or self
        return orbit_of(root.coordinates, root.anchor_ai, root.origin, root.invariants, root.values)

    def in_coordinates(self, value: Expr) -> Expr:
        """The expression with the names of functions on the group written out.

        >>> from anholonomy.geometry.groups import SO3
        >>> SO3().frame.in_coordinates(symbol("m") * symbol("R33"))
        m*(1 - 2*(q1**2 + q2**2))
        """
        return value.xreplace(dict(self.named)) if self.named else value

    @cached_property
    def inverse_ab(self) -> Matrix:
        r"""$(B^{-1})_a{}^b$: the root's directions in this frame, $E_a = (B^{-1})_a{}^b e_b$."""
        try:
            return inverse(self.matrix_ba)
        except ZeroDivisionError:
            raise DeclarationError("the vectors of the frame are linearly dependent; give independent ones.") from None

    @cached_property
    def structure_abd(self) -> Structure:
        r"""$c_{ab}{}^d$ from the brackets of the fields, written in this frame."""
        n = self.size
        if self.root is None:
            return self.constants_abd or (((zero,) * n,) * n,) * n
        fields = [self.root.direction(row) for row in self.matrix_ba]
        table = [[(zero,) * n for _ in range(n)] for _ in range(n)]
        for a in range(n):
            for b in range(a + 1, n):
                found = bracket(self.root, self.matrix_ba[a], self.matrix_ba[b], fields[a], fields[b])
                table[a][b] = self._from_root(found)
                table[b][a] = tuple(-entry for entry in table[a][b])
        return tuple(tuple(row) for row in table)

    @cached_property
    def drift_structure_ad(self) -> Matrix:
        r"""$c_{0a}{}^d$ with $[e_0 + \partial_t, e_a] = c_{0a}{}^d e_d$."""
        n = self.size
        if self.root is None:
            return ((zero,) * n,) * n
        drift = self.root.drift_direction(self.offset_a)
        return tuple(self._from_root(bracket(self.root, self.offset_a, row, drift)) for row in self.matrix_ba)

    def _from_root(self, components: Vector) -> Vector:
        """A field given in the root frame, in this one."""
        if all(entry == 0 for entry in components):
            return components
        columns = zip(*self.inverse_ab, strict=True)
        return simplify_vector(dot(components, column) for column in columns)

    def coordinate_rates(self, omega: Sequence[Expr]) -> dict[Symbol, Expr]:
        r"""$\dot q^i = e_a{}^i\omega^a + e_0{}^i$, keyed by coordinate."""
        columns = zip(*self.anchor_ai, strict=True)
        return {
            q: dot(column, omega) + e_0 for q, column, e_0 in zip(self.coordinates, columns, self.drift_i, strict=True)
        }

    @property
    def fields(self) -> tuple[dict[Symbol, Expr], ...]:
        """The directions $e_a$ on the coordinates."""
        return tuple(dict(zip(self.coordinates, row, strict=True)) for row in self.anchor_ai)

    def direction(self, components: Sequence[Expr]) -> dict[Symbol, Expr]:
        r"""The field $X^a e_a$ on the coordinates, without drift or time."""
        columns = zip(*self.anchor_ai, strict=True)
        return {q: dot(column, components) for q, column in zip(self.coordinates, columns, strict=True)}

    def drift_direction(self, components: Sequence[Expr]) -> dict[Symbol, Expr]:
        r"""The field $e_0 + X^a e_a + \partial_t$ on coordinates and time."""
        return {**self.coordinate_rates(components), time: symengine.Integer(1)}

    def derivative(self, a: int, f: Expr) -> Expr:
        r"""$e_a(f)$."""
        expect_index(a, self.size, "the direction")
        f = factor(f, "the function")
        return along(f, self.fields[a])

    def change(self, matrix_ba: Matrix, offset_a: Vector | None = None, labels: Sequence[str] | None = None) -> Frame:
        r"""The frame $\bar e_b = B_b{}^a e_a$ with drift $e_0 + f^a e_a$."""
        n = self.size
        if len(expect_list(matrix_ba, "the rows of the change")) != n or any(
            len(expect_list(row, "a row's entries")) != n for row in matrix_ba
        ):
            raise DeclarationError(
                f"a change of frame needs a square matrix of {n} rows; give {n} vectors of {n} components."
            )
        if labels is not None and (
            len(expect_list(labels, "the labels")) != n or not all(isinstance(each, str) for each in labels)
        ):
            raise DeclarationError(f"the labels are {quoted(labels)}; give {n} names, one for each direction.")
        matrix_ba = tuple(tuple(factor(entry, "an entry of the change") for entry in row) for row in matrix_ba)
        offset = offset_a or (zero,) * n
        root = self.root or self
        columns = tuple(zip(*self.matrix_ba, strict=True))
        matrix = tuple(simplify_vector(matrix_vector(columns, row)) for row in matrix_ba)
        total = simplify_vector(map(symengine.Add, self.offset_a, matrix_vector(columns, offset)))
        fields, drift = [root.direction(row) for row in matrix], root.drift_direction(total)
        changed = Frame.__new__(Frame)
        changed._set(
            coordinates=self.coordinates,
            anchor_ai=tuple(tuple(each[q] for q in self.coordinates) for each in fields),
            drift_i=tuple(drift[q] for q in self.coordinates),
            labels=tuple(labels or (str(a + 1) for a in range(n))),
            root=root,
            matrix_ba=matrix,
            offset_a=total,
            constants_abd=None,
            origin=root.origin,
            invariants=root.invariants,
            named=root.named,
            right_invariant=None,
            values=root.values,
        )
        return changed

    @classmethod
    def semi_holonomic(
        cls,
        constraints: Sequence[Any] | Mapping[Any, Any],
        coordinates: Sequence[Any],
        dependent: Sequence[Any] | None = None,
        functions: Sequence[str] = (),
    ) -> Frame:
        r"""The frame $e_i = \partial_i + a^\nu{}_i\partial_\nu$, $e_\nu = \partial_\nu$ of constraints in Chaplygin form.

        The constraints read $\dot q^\nu = a^\nu{}_i\dot q^i + a^\nu$, as ``"z' = y*x'"`` or ``{"z": "y*x'"}``; others that
        are linear are solved for the velocities of ``dependent``. Independent directions come first, and what does not
        depend on velocities is the drift.

        >>> frame = Frame.semi_holonomic(["z' = y*x'"], ["x", "y", "z"])
        >>> print(frame.coframe[2])
        -y dx + dz
        >>> print(frame.structure)
        c_xy^z = -1
        c_yx^z = 1
        """
        return cls(coordinates).change(*_semi_holonomic(constraints, coordinates, dependent, functions))

    def rescaled(self, f: Any, functions: Sequence[str] = ()) -> Frame:
        r"""The frame $f e_a$: $c_{ab}{}^d = \frac1f\left(\bar e_a(f)\delta_b^d - \bar e_b(f)\delta_a^d\right) + f\,c^{e}_{ab}{}^d$, $\bar e = f e$.

        >>> print(Frame(["x", "y"]).rescaled("exp(x)").structure)
        c_12^2 = exp(x)
        c_21^2 = -exp(x)
        """
        scale = self.in_coordinates(read_component(f, "the factor of the frame", functions))
        if is_zero(scale, self.orbit):
            raise DeclarationError("the factor of the frame is zero, and no directions are left; give another.")
        n = range(self.size)
        return self.change(tuple(tuple(scale if a == b else zero for a in n) for b in n))

    def orthonormalised(self, metric: Tensor | HasTensor) -> Frame:
        r"""The frame $u_a$ of Gram and Schmidt, $g(u_a, u_b) = \delta_{ab}$; the first k vectors keep their span.

        >>> polar = Frame(["r", "phi"])
        >>> plane = Tensor.of(polar, "dd", {(0, 0): 1, (1, 1): polar.coordinates[0] ** 2}, "g")
        >>> print(plane.in_frame(polar.orthonormalised(plane)))
        g_11 = 1
        g_22 = 1
        """
        return self.change(_orthonormal_rows(self, metric))

    @cached_property
    def structure(self) -> Tensor:
        r"""$c_{ab}{}^d$ with $[e_a, e_b] = c_{ab}{}^d e_d$, ready to print; numbers of this frame, not a tensor field."""
        values: dict[Index, Expr] = {
            (a, b, d): value
            for a, rows in enumerate(self.structure_abd)
            for b, row in enumerate(rows)
            for d, value in enumerate(row)
        }
        return Tensor.of(self, "ddu", values, "c")

    @cached_property
    def anholonomy(self) -> Tensor:
        r"""$\Omega_{ab}{}^d = -c_{ab}{}^d$, the objects of anholonomy."""
        return (-self.structure).named("Ω")

    @cached_property
    def coframe(self) -> tuple[Form, ...]:
        r"""The forms $\theta^b = (B^{-1})_a{}^b E^a$ with $\theta^b(e_a) = \delta^b_a$, in the coframe $E^a$ of the root.

        >>> frame = Frame(["x", "y"], [["1", "0"], ["x", "2"]])
        >>> print(*frame.coframe, sep="; ")
        dx - x/2 dy; 1/2 dy
        """
        root = self.root or self
        columns = zip(*self.inverse_ab, strict=True)
        return tuple(Form.of(root, 1, {(a,): value for a, value in enumerate(column)}) for column in columns)

    def dual_check(self) -> Finding:
        r"""Whether $\theta^a(e_b) - \delta^a_b$ is proven to vanish.

        >>> print(Frame(["x", "y"], [["1", "0"], ["x", "2"]]).dual_check())
        the coframe is dual to the frame: proven, (θe - δ) = 0
        """
        n = range(self.size)
        forms = [[theta[i] for i in n] for theta in self.coframe]
        pairings: dict[Index, Expr] = {(a, b): dot(forms[a], self.matrix_ba[b]) - int(a == b) for a, b in product(n, n)}
        return Tensor.of(self, "ud", pairings, "(θe - δ)").vanishes("the coframe is dual to the frame")

    def structure_from_coframe(self) -> Tensor:
        r"""$c_{ab}{}^d = -d\theta^d(e_a, e_b)$, which uses no bracket; it equals `structure`."""
        values: dict[Index, Expr] = {}
        for d, theta in enumerate(self.coframe):
            curl = theta.d()
            for a, b in combinations(range(self.size), 2):
                values[a, b, d] = -simplify(_on_pair(curl, self.matrix_ba[a], self.matrix_ba[b]))
                values[b, a, d] = -values[a, b, d]
        return Tensor.of(self, "ddu", values, "c")

    def structure_blocks(self, m: int) -> Mapping[str, Tensor]:
        r"""The structure functions by blocks, D for the first ``m`` directions and N for the others.

        The key ``"DN^D"`` holds the $c_{i\alpha}{}^k$ with $e_i, e_k$ among the first and $e_\alpha$ among the others. The first
        ``m`` directions are integrable exactly when ``"DD^N"`` is zero.

        >>> frame = Frame.semi_holonomic(["z' = y*x'"], ["x", "y", "z"])
        >>> print(frame.structure_blocks(2)["DD^N"])
        c_xy^z = -1
        c_yx^z = 1
        """
        if not isinstance(m, int) or not 0 <= m <= self.size:
            raise DeclarationError(f"the frame has {self.size} directions; it cannot be parted after {quoted(m)}.")
        blocks: dict[str, dict[Index, Expr]] = {f"{a}^{b}": {} for a in ("DD", "DN", "ND", "NN") for b in "DN"}
        for index, value in self.structure.items:
            a, b, d = ("D" if i < m else "N" for i in index)
            blocks[f"{a}{b}^{d}"][index] = value
        return {key: Tensor.of(self, "ddu", values, "c") for key, values in blocks.items()}

    def __repr__(self) -> str:
        return f"{'chart' if self.is_chart else 'frame'} of {self.size} directions on ({', '.join(q.name for q in self.coordinates)})"

    def _repr_latex_(self) -> str | None:
        return fields_latex(along_directions(self.labels), self.anchor_ai, along_coordinates(self.coordinates))


class HasTensor(Protocol):
    """A metric that is more than its tensor."""

    @property
    def tensor(self) -> Tensor: ...


def _row(vector: Any, what: str, width: int, functions: Sequence[str]) -> Vector:
    if isinstance(vector, str) or not isinstance(vector, Sequence) or len(vector) != width:
        raise DeclarationError(f"{what} of the frame needs {width} components, one for each coordinate.")
    return tuple(expression(entry, f"{what} of the frame", functions) for entry in vector)


def _on_pair(form: Form, left: Vector, right: Vector) -> Expr:
    terms = (w * (left[i] * right[j] - left[j] * right[i]) for (i, j), w in form.items)
    return symengine.Add(*terms)


def _orthonormal_rows(frame: Frame, metric: Tensor | HasTensor) -> Matrix:
    r"""Gram and Schmidt: $v_k = e_k - \sum_{j<k}\frac{g(e_k, v_j)}{g(v_j, v_j)}v_j$ and $u_k = v_k/\sqrt{g(v_k, v_k)}$.

    Square roots come in at the end only, so the steps in between stay rational where the metric is.
    """
    tensor = metric if isinstance(metric, Tensor) else getattr(metric, "tensor", None)
    if not isinstance(tensor, Tensor):
        raise DeclarationError(f"the metric is {quoted(metric)}; give a Metric or Tensor.")
    if tensor.slots != "dd":
        raise DeclarationError(f"a metric has two lower indices, and the tensor given has {tensor.slots or 'none'}.")
    g, n = tensor.in_frame(frame), range(frame.size)
    if any(not is_zero(g[a, b] - g[b, a], frame.orbit) for a in n for b in n if a < b):
        raise DeclarationError("a metric is symmetric, and the tensor given is not.")
    rows: list[Vector] = []
    squares: list[Expr] = []
    for k in n:
        row = [zero] * frame.size
        row[k] = symengine.Integer(1)
        for other, square in zip(rows, squares, strict=True):
            share = dot([g[k, b] for b in n], other) / square
            row = [x - share * y for x, y in zip(row, other, strict=True)]
        rows.append(simplify_vector(row))
        # g(v, v) = g(v, e_k), because v is orthogonal to every e_j before.
        squares.append(_positive(simplify(dot([g[k, b] for b in n], rows[k])), k, frame.orbit))
    return tuple(tuple(x / symengine.sqrt(square) for x in row) for row, square in zip(rows, squares, strict=True))


def _positive(square: Expr, k: int, on: Ground | None) -> Expr:
    if is_zero(square, on) or (isinstance(square, symengine.Number) and square.is_negative):
        raise DeclarationError(f"the metric is not positive on the first {k + 1} directions of the frame.")
    return square


def _semi_holonomic(
    constraints: Sequence[Any] | Mapping[Any, Any],
    coordinates: Sequence[Any],
    dependent: Sequence[Any] | None,
    functions: Sequence[str],
) -> tuple[Matrix, Vector, tuple[str, ...]]:
    r"""The fields of constraints solved for some velocities, the drift, and the names of the fields, independent ones first.

    .. math::
       \dot q^\nu = a^\nu{}_i\,\dot q^i + a^\nu \quad\Longrightarrow\quad
       e_i = \partial_i + a^\nu{}_i\,\partial_\nu, \quad e_\nu = \partial_\nu, \quad e_0 = a^\nu\partial_\nu, \qquad
       c_{ij}{}^\nu = e_i(a^\nu{}_j) - e_j(a^\nu{}_i), \quad c_{i\beta}{}^\nu = -\partial_\beta a^\nu{}_i

    and all other structure functions vanish.

    >>> _semi_holonomic({"z": "y*x'"}, ["x", "y", "z"], None, ())[0]
    ((1, 0, y), (0, 1, 0), (0, 0, 1))
    """
    names = [name_of(q, "a coordinate") for q in expect_list(coordinates, "the coordinates")]
    rows, solved = _read(constraints, functions)
    chosen = (
        [name_of(q, "a dependent coordinate") for q in expect_list(dependent, "the dependent coordinates")]
        if dependent is not None
        else solved
    )
    if len(set(chosen)) != len(rows) or not set(chosen) <= set(names):
        raise DeclarationError(
            "a semi-holonomic frame needs one dependent velocity for each constraint: "
            "write `z' = ...` with a coordinate of the frame, each once, or name them in `dependent`."
        )
    velocities = [symbol(name + "'") for name in names]
    matrix, offset = _linear(rows, velocities)
    free = [name for name in names if name not in chosen]
    left = [[row[names.index(name)] for name in chosen] for row in matrix]
    rights = [[-row[names.index(name)] for row in matrix] for name in free]
    try:
        *columns, drift = solve(left, [*rights, [-entry for entry in offset]])
    except ZeroDivisionError:
        raise DeclarationError(f"the constraints cannot be solved for {', '.join(chosen)}; choose others.") from None
    slopes = dict(zip(free, columns, strict=True))

    def vector(label: str) -> Vector:
        lifted = dict(zip(chosen, slopes.get(label, ()), strict=False))
        return tuple(lifted.get(name, symengine.Integer(int(name == label))) for name in names)

    labels = (*free, *(name for name in names if name in chosen))
    e_0 = dict(zip(chosen, drift, strict=True))
    return tuple(map(vector, labels)), tuple(e_0.get(name, zero) for name in names), labels


def _read(constraints: Sequence[Any] | Mapping[Any, Any], functions: Sequence[str]) -> tuple[list[Expr], list[str]]:
    """Each constraint as left side minus right side, and the coordinates whose velocities stand alone on the left."""
    rows, solved = [], []
    if isinstance(constraints, Mapping):
        for key, value in constraints.items():
            name = name_of(key, "a dependent coordinate")
            rows.append(symbol(name + "'") - expression(value, f"the velocity of {name}", functions))
            solved.append(name)
        return rows, solved
    for text in expect_list(constraints, "the constraints"):
        if not isinstance(text, str) or text.count("=") != 1:
            rows.append(equation(text, "the constraint"))
            continue
        left, right = (parse_expression(side, what="the constraint", functions=functions) for side in text.split("="))
        rows.append(left - right)
        if isinstance(left, symengine.Symbol) and left.name.endswith("'"):
            solved.append(left.name[:-1])
    return rows, solved


def _linear(rows: Sequence[Expr], velocities: Sequence[Expr]) -> tuple[list[list[Expr]], list[Expr]]:
    matrix, offset = [], []
    for row in rows:
        slopes = list(gradient(row, velocities))
        if any(slope.free_symbols & set(velocities) for slope in slopes):
            raise DeclarationError(f"the constraint {row} = 0 is not linear in the velocities; it has no such frame.")
        matrix.append(slopes)
        offset.append(row.subs(dict.fromkeys(velocities, zero)))
    return matrix, offset
