r"""Killing fields: the infinitesimal isometries of a metric, and the algebra they close into.

.. math::
   \mathcal L_X g = 0, \qquad X = \sum_{u} c_u\, f_u\, W_u, \qquad
   \mathcal L_{fW} g = f\,\mathcal L_W g + df \otimes W^\flat + W^\flat \otimes df

over a basis of functions $f$ and the fields $W = e_a,\ g^{ab} e_b$, on a group also its right-invariant ones, which preserve
every left-invariant metric; the constants $c_u$ are an exact null space. Brackets of
solutions are solutions, so what the basis misses may still be found by closing up. Every field is returned with the residual
that must vanish.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeAlias, final

import symengine

from anholonomy.geometry.field_basis import automatic_basis
from anholonomy.geometry.fields import lie_bracket, lie_derivative
from anholonomy.geometry.forms import Form
from anholonomy.geometry.frame import Frame, Structure
from anholonomy.geometry.free_coordinates import free_coordinates
from anholonomy.geometry.lie_algebra import LieAlgebra
from anholonomy.geometry.metric import Metric
from anholonomy.geometry.relations import constant_factor, constant_relations, independent_functions
from anholonomy.geometry.symmetry import Span, annihilator, as_tensor, components, scalar, spanning
from anholonomy.geometry.symmetry_bound import symmetry_bound
from anholonomy.geometry.tensor import Tensor
from anholonomy.language.door import expression, name_of
from anholonomy.lazy import cached_property
from anholonomy.refusals import GaveUp, IllPosedSystem, NotCovered
from anholonomy.symbolic.canonical import NoNormalForm
from anholonomy.symbolic.denominators import has_poles
from anholonomy.symbolic.expressions import Expr, Vector, dot, symbol, zero
from anholonomy.symbolic.linear import inverse
from anholonomy.symbolic.patience import LIMIT, check, patience
from anholonomy.symbolic.quotients import TooLarge
from anholonomy.symbolic.simplify import simplify, simplify_vector
from anholonomy.symbolic.zero import Verdict, verdict_of

__all__ = ["KillingField", "Symmetries", "killing_fields"]

MAX_COORDINATES = 25
"""Up to this many coordinates the right-invariant fields of a group are written out; they need the inverse of an element."""
MAX_UNKNOWNS = 340
"""On a group, the number of functions times directions up to which the equations are solved: some seconds."""

FEW_UNKNOWNS = 240
"""Beyond so many, a short basis is tried first, and the rest only where fields may be missing."""

one = symengine.Integer(1)
_HERE = symbol("_here")

Operator: TypeAlias = Callable[[Tensor], Vector]
"""A linear differential operator of first order on fields; its kernel is what is looked for."""


@final
@dataclass(frozen=True)
class KillingField:
    r"""A field with the proof that it preserves what it should.

    Attributes
    ----------
    field
        The components $X^a$.
    residuals
        $\mathcal L_X g$ and whatever else was asked to vanish, one expression each.
    verdict
        Whether all residuals are proven to vanish.
    """

    field: Tensor
    residuals: Vector
    verdict: Verdict

    def __str__(self) -> str:
        return str(self.field)


@final
@dataclass(frozen=True)
class Symmetries:
    """Fields that preserve a metric, over the basis of functions that was tried.

    Attributes
    ----------
    metric
        The metric, lower indices.
    found
        The fields, each with its proof.
    functions
        The basis of functions; a field that is no combination of them and no bracket of the fields found is missed.
    operators
        What must vanish on a field: $\\mathcal L_X g$ first.
    gave_up
        Why a longer basis was not tried to its end; empty where none was left.
    """

    metric: Tensor
    found: tuple[KillingField, ...]
    functions: Vector
    operators: tuple[Operator, ...] = field(repr=False, compare=False)
    gave_up: str = ""

    @property
    def fields(self) -> tuple[Tensor, ...]:
        return tuple(each.field for each in self.found)

    def __len__(self) -> int:
        return len(self.found)

    def __iter__(self) -> Iterator[Tensor]:
        return iter(self.fields)

    @cached_property
    def algebra(self) -> LieAlgebra | None:
        """The algebra the fields close into, or None where they do not (fields inside a distribution need not)."""
        m = len(self.found)
        table: list[list[Vector]] = [[(zero,) * m for _ in range(m)] for _ in range(m)]
        for a in range(m):
            for b in range(a):
                coefficients = _in_terms_of(lie_bracket(self.fields[a], self.fields[b]), self.fields)
                if coefficients is None:
                    return None
                table[a][b], table[b][a] = coefficients, tuple(-c for c in coefficients)
        constants: Structure = tuple(tuple(row) for row in table)
        return LieAlgebra(constants)

    @cached_property
    def bound(self) -> int | None:
        """No more independent fields exist near a generic point than this; None where it was too large to compute."""
        try:
            with patience(LIMIT):
                return self._bound()
        except GaveUp:
            return None

    def _bound(self) -> int | None:
        frame = self.metric.frame
        directions = _directions(self.metric)[: frame.size]
        parts = [_parts(W, self.operators) for W in directions]
        if not _is_redundant(frame):
            return symmetry_bound(parts, frame.coordinates, len(self.found), frame.orbit)
        free = free_coordinates(frame)
        if free is None:
            return None
        return symmetry_bound([free.part(*each) for each in parts], free.coordinates, len(self.found))

    @property
    def is_complete(self) -> bool:
        """Whether it is proven that no field is missing, not even a local one."""
        return self.bound == len(self.found)

    def momenta(self, velocities: Sequence[Expr]) -> Vector:
        r"""$J_X = g(X, v)$ for every field; ``velocities`` are the components of $v$ in the metric's frame.

        Constant along geodesics, and along nonholonomic motions for a field in the distribution.

        >>> from anholonomy.geometry.frame import Frame
        >>> plane = killing_fields(Metric(Frame(["r", "phi"]), ["1", "r^2"]), basis=["1"])
        >>> plane.momenta([symbol("r'"), symbol("phi'")])
        (r**2*phi',)
        """
        n = range(self.metric.frame.size)
        lowered = [[dot(components(X), [self.metric[a, b] for a in n]) for b in n] for X in self.fields]
        return tuple(dot(row, velocities) for row in lowered)

    def __str__(self) -> str:
        lines = [f"{len(self)} Killing field{'' if len(self) == 1 else 's'}"]
        if self.gave_up:
            lines[0] = f"at least {lines[0]}; unknown whether there are more: {self.gave_up}"
        elif self.found and self.algebra is not None and self.algebra.name:
            lines[0] += f", {self.algebra.name}"
        for k, X in enumerate(self.fields, 1):
            lines += [f"  {line}" for line in X.named(f"X{k}").lines()]
        return "\n".join(lines)


def killing_fields(
    g: Metric | Tensor,
    basis: Sequence[Any] | None = None,
    *,
    degree: int = 2,
    angles: Sequence[Any] | None = None,
    potential: Any = None,
    preserving: Sequence[Tensor | Form] = (),
    distribution: Span | None = None,
    in_distribution: Span | None = None,
    limit: float | None = LIMIT,
) -> Symmetries:
    r"""The Killing fields of a metric that a basis of functions can express.

    Parameters
    ----------
    g
        The metric; a symmetric tensor with two lower indices will do.
    basis
        Functions, as text or expressions; chosen from those that occur in the metric when not given.
    degree
        The highest total degree of polynomials in an automatic basis.
    angles
        Coordinates of period 2π: fields must be periodic in them. Without it, fields are local and coordinates open.
    potential, preserving
        A function, and tensors of any type (a one-form, say), that the fields must preserve too.
    distribution
        A distribution (or fields that span it) that must be preserved, $[X, \mathcal D] \subset \mathcal D$.
    in_distribution
        A distribution in which the Killing fields must lie. Their momenta $g(X, \dot q)$ are constant along
        nonholonomic motions without potential.
    limit
        Seconds after which no longer basis is tried: the answer then has what was found, and `Symmetries.gave_up` says why.

    Examples
    --------
    >>> from anholonomy.geometry.frame import Frame
    >>> print(killing_fields(Metric(Frame(["x", "y"]), ["1", "1"])))
    3 Killing fields, se(2)
      X1^x = 1
      X2^y = 1
      X3^x = y
      X3^y = -x
    """
    G = as_tensor(g)
    if G.slots != "dd" or (G - G.permuted(1, 0)).is_zero() is Verdict.NONZERO:
        raise IllPosedSystem("a metric is a symmetric tensor with two lower indices.")
    G = G.in_frame(G.frame.root or G.frame)
    G = G.map(lambda value: value.xreplace(dict(G.frame.values)))
    operators = _conditions(G, potential, preserving, distribution, in_distribution)
    found = Symmetries(G, (), (), tuple(operators))
    try:
        with patience(limit):
            functions = _functions(G, basis, degree, angles)
            _refuse_large(G, functions)
            for some in _stages(G, functions):
                if not (found.functions and found.is_complete):
                    found = _over(found, some, closing=in_distribution is None)
    except GaveUp as trouble:
        return replace(found, gave_up=str(trouble))
    except (NoNormalForm, TooLarge):
        if found.functions:
            return replace(found, gave_up="the equations outgrow exact algebra over a longer basis.")
        raise NotCovered(
            "the Killing equations of this metric outgrow exact algebra over this basis; give a shorter `basis`."
        ) from None
    return found


def _stages(g: Tensor, functions: Vector) -> list[Vector]:
    """The basis, preceded by coordinates and functions of one of them where it is long."""
    if _is_redundant(g.frame) or 2 * len(functions) * g.frame.size <= FEW_UNKNOWNS:
        return [functions]
    return [tuple(f for f in functions if symengine.count_ops(f) <= 1), functions]


def _over(before: Symmetries, functions: Vector, closing: bool) -> Symmetries:
    """The fields over a basis, closed up where they form an algebra."""
    fields = _solutions(before.metric, functions, before.operators)
    if closing:
        fields = _closed(fields)
    proven = tuple(_with_proof(X, before.operators) for X in fields)
    return replace(before, found=proven, functions=functions)


def _refuse_large(g: Tensor, functions: Vector) -> None:
    """On a group every unknown is a rational function of several parameters, which takes its time."""
    if not _is_redundant(g.frame):
        return
    if g.frame.orbit is not None and g.frame.orbit.chart is None:
        raise NotCovered(
            "the group of this metric has redundant coordinates and no rational parametrisation at hand, so its Killing "
            "equations are not solved; give the metric in coordinates."
        )
    if len(functions) * g.frame.size > MAX_UNKNOWNS:
        raise NotCovered(
            f"the Killing equations of this metric have {len(functions) * g.frame.size} unknowns over {len(functions)} functions "
            f"on a group, and more than {MAX_UNKNOWNS} take too long; give a shorter `basis`, ['1'] for the invariant fields."
        )


def _is_redundant(frame: Frame) -> bool:
    return frame.orbit is not None and bool(frame.orbit.tied)


def _conditions(
    g: Tensor, potential: Any, preserving: Sequence[Tensor | Form], distribution: Span | None, inside: Span | None
) -> list[Operator]:
    operators = [_preserving(g)]
    if potential is not None:
        function = potential if isinstance(potential, Tensor) else scalar(g.frame, potential)
        operators.append(_preserving(function.in_frame(g.frame)))
    operators += [_preserving(as_tensor(T).in_frame(g.frame)) for T in preserving]
    if distribution is not None:
        operators.append(_keeping(distribution, g))
    if inside is not None:
        operators.append(_inside(inside, g))
    return operators


def _functions(g: Tensor, basis: Sequence[Any] | None, degree: int, angles: Sequence[Any] | None) -> Vector:
    if basis is not None:
        return tuple(g.frame.in_coordinates(expression(f, "a function of the basis")) for f in basis)
    n = range(g.frame.size)
    rows = [[g[a, b] for b in n] for a in n]
    # The anchor of a frame that is no chart brings its own functions.
    rows += [] if g.frame.is_chart else [list(row) for row in g.frame.anchor_ai]
    closed = None if angles is None else [symbol(name_of(q, "an angle")) for q in angles]
    return automatic_basis(rows, g.frame.coordinates, degree, closed)


def _preserving(T: Tensor) -> Operator:
    indices = [index for index, _ in Tensor.build(T.frame, T.slots, lambda *_: 1).items]
    if T.slots == "dd":
        indices = [(a, b) for a, b in indices if a <= b]
    return partial(_changes, T, indices)


def _changes(T: Tensor, indices: Sequence[Any], X: Tensor) -> Vector:
    changed = lie_derivative(T, X)
    return tuple(changed[index] for index in indices)


def _keeping(D: Span, g: Tensor) -> Operator:
    brought = [e.in_frame(g.frame) for e in spanning(D)]
    rows = annihilator(brought)
    return partial(_leaving, rows, brought)


def _leaving(rows: Sequence[Vector], brought: Sequence[Tensor], X: Tensor) -> Vector:
    return tuple(dot(row, components(lie_bracket(X, e))) for row in rows for e in brought)


def _inside(D: Span, g: Tensor) -> Operator:
    rows = annihilator([e.in_frame(g.frame) for e in spanning(D)])
    return partial(_outside, rows)


def _outside(rows: Sequence[Vector], X: Tensor) -> Vector:
    return tuple(dot(row, components(X)) for row in rows)


def _solutions(g: Tensor, functions: Vector, operators: Sequence[Operator]) -> list[Tensor]:
    """Fields in the kernel of all operators, independent over the constants."""
    coordinates, on = g.frame.coordinates, g.frame.orbit
    gradients = [tuple(f.diff(q) for q in coordinates) for f in functions]
    columns, candidates = [], []
    right = _right_invariant(g.frame)
    for W in [*_directions(g), *(right if _leads_further(g.frame, right, functions) else ())]:
        value, symbols = _parts(W, operators)
        for f, slopes in zip(functions, gradients, strict=True):
            check()
            columns.append([f * A + dot(slopes, B) for A, B in zip(value, symbols, strict=True)])
            candidates.append((f, W))
    # Functions of one weight for all directions together, indices up before indices down.
    size, n = len(functions), g.frame.size
    order = sorted(range(len(columns)), key=lambda u: (u // size // n, u % size, u))
    order += range(len(columns), len(columns) + len(right))
    columns += [[entry for P in operators for entry in P(W)] for W in right]
    candidates += [(one, W) for W in right]
    basis = [order[k] for k in independent_functions([_scaled(*candidates[u]) for u in order], coordinates, on)]
    # The last columns are the free ones; with the simplest there, solutions are simple.
    solutions = constant_relations([columns[u] for u in reversed(basis)], coordinates, on)
    return [
        _combination(g, [(c, *candidates[u]) for c, u in zip(constants, reversed(basis), strict=True) if c != 0])
        for constants in reversed(solutions)
    ]


def _scaled(f: Expr, W: Tensor) -> Vector:
    return tuple(f * value for value in components(W))


def _parts(W: Tensor, operators: Sequence[Operator]) -> tuple[Vector, list[Vector]]:
    r"""$A$ and $B^j$ with $P(fW) = f A + \partial_j f\, B^j$, read off from $f = 1$ and $f = q^j - c$ where $c = q^j$."""
    value = tuple(entry for P in operators for entry in P(W))
    slopes = []
    for q in W.frame.coordinates:
        # At c = q the function q - c vanishes, and what is left of the operator is its symbol.
        moved = (entry for P in operators for entry in P((q - _HERE) * W))
        slopes.append([entry.xreplace({_HERE: q}) for entry in moved])
    return value, [tuple(each) for each in zip(*slopes, strict=True)]


def _right_invariant(frame: Frame) -> list[Tensor]:
    """The right-invariant fields of a group."""
    if frame.right_invariant is None or len(frame.coordinates) > MAX_COORDINATES:
        return []
    return [Tensor.of(frame, "u", {(a,): entry for a, entry in enumerate(row)}, "X") for row in frame.right_invariant()]


def _leads_further(frame: Frame, right: Sequence[Tensor], functions: Vector) -> bool:
    """Whether right-invariant fields deserve functions in front: those that are polynomials are in reach without."""
    if _is_redundant(frame) and 2 * len(functions) * frame.size > MAX_UNKNOWNS:
        return False
    return any(has_poles(value, frame.coordinates) for W in right for value in components(W))


def _directions(g: Tensor) -> list[Tensor]:
    r"""$e_a$, and $g^{ab} e_b$ unless the inverse metric is constant: a field may be simple with its index up or down."""
    frame, n = g.frame, range(g.frame.size)
    upper = [Tensor.of(frame, "u", {(a,): 1}, "X") for a in n]
    rows = inverse([[g[a, b] for b in n] for a in n])
    if not any(entry.free_symbols & set(frame.coordinates) for row in rows for entry in row):
        return upper
    return upper + [Tensor.of(frame, "u", {(b,): entry for b, entry in enumerate(row)}, "X") for row in rows]


def _combination(g: Tensor, terms: Iterable[tuple[Expr, Expr, Tensor]]) -> Tensor:
    total: dict[int, Expr] = {}
    for c, f, W in terms:
        for (a,), value in W.items:
            total[a] = total.get(a, zero) + c * f * value
    factor = constant_factor([total[a] for a in sorted(total)], g.frame.coordinates)
    return Tensor.of(g.frame, "u", {(a,): simplify(value / factor) for a, value in total.items()}, "X")


def _closed(fields: list[Tensor]) -> list[Tensor]:
    """The fields with their brackets, until nothing new appears.

    Isometries of an n-dimensional metric form an algebra of at most n(n+1)/2 dimensions, so this ends.
    """
    known = list(fields)
    for a, X in enumerate(known):
        for Y in known[:a]:
            bracket = lie_bracket(X, Y)
            if bracket.items and _in_terms_of(bracket, known) is None:
                known.append(bracket.simplified())
    return known


def _in_terms_of(X: Tensor, fields: Sequence[Tensor]) -> Vector | None:
    """The constants that combine the fields into X, or None."""
    vectors = [components(each) for each in (*fields, X)]
    relations = constant_relations(vectors, X.frame.coordinates, X.frame.orbit)
    relation = next((each for each in relations if each[-1] != 0), None)
    if relation is None:
        return None
    return simplify_vector(-c / relation[-1] for c in relation[:-1])


def _with_proof(X: Tensor, operators: Sequence[Operator]) -> KillingField:
    residuals = tuple(entry for P in operators for entry in P(X))
    return KillingField(X, residuals, verdict_of(residuals, X.frame.orbit))
