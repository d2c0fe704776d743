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

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, final

import symengine

from anholonomy.findings import CarriesFinding, Finding, Quantity, Reason, Scope, vanishing
from anholonomy.geometry.algebras.lie_algebra import LieAlgebra
from anholonomy.geometry.brackets import Structure
from anholonomy.geometry.calculus.fields import lie_bracket
from anholonomy.geometry.calculus.forms import Form
from anholonomy.geometry.calculus.metric import Metric
from anholonomy.geometry.calculus.tensor import Tensor
from anholonomy.geometry.expected import expect_list, factor
from anholonomy.geometry.frames.frame import Frame
from anholonomy.geometry.frames.free_coordinates import free_coordinates
from anholonomy.geometry.symmetry.bound import symmetry_bound
from anholonomy.geometry.symmetry.conditions import Operator, conditions
from anholonomy.geometry.symmetry.functions import automatic_basis
from anholonomy.geometry.symmetry.linear_equations import (
    MAX_UNKNOWNS,
    closed,
    directions,
    in_terms_of,
    is_redundant,
    parts,
    solutions,
)
from anholonomy.geometry.symmetry.preserved import Span, as_tensor, components
from anholonomy.language.brevity import Readable, page
from anholonomy.language.given import expression, name_of
from anholonomy.lazy import cached_property
from anholonomy.refusals import GaveUp, IllPosedSystem, NotCovered, UnknownName
from anholonomy.symbolic.expressions import Expr, Symbol, Vector, dot, free_symbols, symbol, zero
from anholonomy.symbolic.normal_forms.canonical import NoNormalForm
from anholonomy.symbolic.patience import LIMIT, effort, patience
from anholonomy.verdict import Verdict

__all__ = ["KillingField", "Symmetries", "killing_fields"]

_MARK = r"\mathcal{L}_X g"
FEW_UNKNOWNS = 240
"""Beyond so many, a short basis is tried first, and the rest only where fields may be missing."""


@final
@dataclass(frozen=True, repr=False)
class KillingField(CarriesFinding, Readable):
    r"""A field with the proof that it preserves what it should.

    Attributes
    ----------
    field
        The components $X^a$.
    finding
        That $\mathcal L_X g$ and whatever else was asked to vanish does.
    """

    field: Tensor
    finding: Finding

    def lines(self, whole: bool = False) -> list[str]:
        """One line for each non-zero component."""
        return self.field.lines(whole)


@final
@dataclass(frozen=True, repr=False)
class Symmetries(Readable):
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
    operators: tuple[Operator, ...] = field(compare=False)
    gave_up: str = ""

    @property
    def free(self) -> tuple[Symbol, ...]:
        """Parameters without a value, a common factor apart: the fields hold for all values, their number for generic ones."""
        values = [value for _, value in self.metric.items]
        letters = free_symbols(value / values[0] for value in values) - set(self.metric.frame.coordinates)
        return tuple(sorted(letters, key=str))

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
                coefficients = in_terms_of(lie_bracket(self.fields[a], self.fields[b]), self.fields)
                if coefficients is None:
                    return None
                table[a][b], table[b][a] = coefficients, tuple(-c for c in coefficients)
        constants: Structure = tuple(tuple(row) for row in table)
        return LieAlgebra(constants)

    @cached_property
    def bound(self) -> int | None:
        """No more independent fields exist near a generic point than this; None where it was too large to compute."""
        try:
            with effort(LIMIT):
                return self._bound()
        except GaveUp:
            return None

    def _bound(self) -> int | None:
        frame = self.metric.frame
        pieces = [parts(W, self.operators) for W in directions(self.metric)[: frame.size]]
        if not is_redundant(frame):
            return symmetry_bound(pieces, frame.coordinates, len(self.found), frame.orbit)
        free = free_coordinates(frame)
        if free is None:
            return None
        return symmetry_bound([free.part(*each) for each in pieces], free.coordinates, len(self.found))

    @cached_property
    def is_complete(self) -> Finding:
        """Whether it is proven that no field is missing, not even a local one; unknown where more may exist than were found."""
        most = "no bound was found" if self.bound is None else f"no more than {self.bound} are independent"
        why = tuple(Reason(text) for text in (f"{len(self.found)} were found and {most}", self.gave_up) if text)
        verdict = Verdict.of(self.bound == len(self.found) or None)
        return Finding("no Killing field is missing", verdict, why, Scope(points="near generic points"))

    @property
    def finding(self) -> Finding:
        """That all fields found are proven, and none is missing."""
        verdict = Verdict.on_all([self.is_complete.verdict, *(each.finding.verdict for each in self.found)])
        claim = f"the Killing fields are the combinations of {len(self)}"
        evidence = (*(part for each in self.found for part in each.finding.evidence), *self.is_complete.evidence)
        return Finding(claim, verdict, evidence, self.is_complete.scope)

    def momenta(self, velocities: Sequence[Expr]) -> Vector:
        r"""$J_X = g(X, v)$ for every field; ``velocities`` are the components of $v$ in the metric's frame.

        Constant along geodesics, and along nonholonomic motions for a field in the distribution.

        >>> from anholonomy.geometry.frames.frame import Frame
        >>> plane = killing_fields(Metric(Frame(["r", "phi"]), ["1", "r^2"]), basis=["1"])
        >>> plane.momenta([symbol("r'"), symbol("phi'")])
        (r**2*phi',)
        """
        n = range(self.metric.frame.size)
        if len(expect_list(velocities, "the velocities")) != len(n):
            raise IllPosedSystem(f"a velocity in this frame has {len(n)} components, one for each direction.")
        speeds = [factor(each, "a velocity") for each in velocities]
        lowered = [[dot(components(X), [self.metric[a, b] for a in n]) for b in n] for X in self.fields]
        return tuple(dot(row, speeds) for row in lowered)

    def lines(self, whole: bool = False) -> list[str]:
        """How many fields there are, their algebra, and their components."""
        lines = [f"{len(self)} Killing field{'' if len(self) == 1 else 's'}"]
        if self.gave_up:
            lines[0] = f"at least {lines[0]}; unknown whether there are more: {self.gave_up}"
        elif self.found and self.algebra is not None and self.algebra.name:
            lines[0] += f", {self.algebra.name}"
        if self.free and not self.gave_up:
            lines[0] += f"; at special values of {', '.join(s.name for s in self.free)} there may be more"
        for k, X in enumerate(self.fields, 1):
            lines += [f"  {line}" for line in X.named(f"X{k}").lines(whole)]
        return page(lines, whole)


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
    >>> from anholonomy.geometry.frames.frame import Frame
    >>> print(killing_fields(Metric(Frame(["x", "y"]), ["1", "1"])))
    3 Killing fields, se(2)
      X1^x = 1
      X2^y = 1
      X3^x = y
      X3^y = -x
    """
    G = _symmetric(g)
    operators = conditions(G, potential, preserving, distribution, in_distribution)
    nothing = Symmetries(G, (), (), tuple(operators))
    choose = partial(_functions, G, basis, degree, angles)
    return _searched(nothing, choose, closing=in_distribution is None, limit=limit)


def _searched(nothing: Symmetries, choose: Callable[[], Vector], closing: bool, limit: float | None) -> Symmetries:
    """What is found over longer and longer parts of a basis, until no field is missing or the time is over."""
    found = nothing
    try:
        with patience(limit):
            functions = choose()
            _refuse_large(found.metric, functions)
            for some in _stages(found.metric, functions):
                if not (found.functions and found.is_complete):
                    found = _over(found, some, closing)
    except GaveUp as trouble:
        return replace(found, gave_up=str(trouble))
    except NoNormalForm:
        if found.functions:
            return replace(found, gave_up="the equations outgrow exact algebra over a longer basis.")
        raise NotCovered(
            "the Killing equations of this metric outgrow exact algebra over this basis; give a shorter `basis`."
        ) from None
    return found


def _symmetric(g: Metric | Tensor) -> Tensor:
    """The metric in the root of its frame, with the known values of parameters."""
    G = as_tensor(g)
    if G.slots != "dd" or (G - G.permuted(1, 0)).is_zero().is_refuted:
        raise IllPosedSystem("a metric is a symmetric tensor with two lower indices.")
    G = G.in_frame(G.frame.root or G.frame)
    return G.map(lambda value: value.xreplace(dict(G.frame.values)))


def _stages(g: Tensor, functions: Vector) -> list[Vector]:
    """The basis, preceded by coordinates and functions of one of them where it is long."""
    if is_redundant(g.frame) or 2 * len(functions) * g.frame.size <= FEW_UNKNOWNS:
        return [functions]
    return [tuple(f for f in functions if symengine.count_ops(f) <= 1), functions]


def _over(before: Symmetries, functions: Vector, closing: bool) -> Symmetries:
    """The fields over a basis, closed up where they form an algebra."""
    fields = solutions(before.metric, functions, before.operators)
    if closing:
        fields = closed(fields)
    proven = tuple(_with_proof(X, before.operators) for X in fields)
    return replace(before, found=proven, functions=functions)


def _refuse_large(g: Tensor, functions: Vector) -> None:
    """On a group every unknown is a rational function of several parameters, which takes its time."""
    if not is_redundant(g.frame):
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


def _functions(g: Tensor, basis: Sequence[Any] | None, degree: int, angles: Sequence[Any] | None) -> Vector:
    if basis is not None:
        return tuple(
            g.frame.in_coordinates(expression(f, "a function of the basis"))
            for f in expect_list(basis, "the functions of the basis")
        )
    n = range(g.frame.size)
    rows = [[g[a, b] for b in n] for a in n]
    # The anchor of a frame that is no chart brings its own functions.
    rows += [] if g.frame.is_chart else [list(row) for row in g.frame.anchor_ai]
    if not isinstance(degree, int) or isinstance(degree, bool) or degree < 0:
        raise IllPosedSystem(f"the degree is {degree!r:.40}; give a whole number from 0 on.")
    return automatic_basis(rows, g.frame.coordinates, degree, _angles(g.frame, angles))


def _angles(frame: Frame, angles: Sequence[Any] | None) -> list[Symbol] | None:
    if angles is None:
        return None
    found = [symbol(name_of(q, "an angle")) for q in expect_list(angles, "the angles")]
    if unknown := [str(q) for q in found if q not in frame.coordinates]:
        raise UnknownName(f"{unknown[0]!r} is no coordinate here; there are {', '.join(map(str, frame.coordinates))}.")
    return found


def _with_proof(X: Tensor, operators: Sequence[Operator]) -> KillingField:
    residuals = (Quantity("L_X g", entry, _MARK) for P in operators for entry in P(X))
    return KillingField(X, vanishing("the field is a symmetry", "L_X g", residuals, X.frame.orbit, _MARK))
