r"""Distributions: which directions are admissible at every configuration, and the questions about them.

.. math:: \mathcal D = \operatorname{span}\{X_a\} = \ker\{\theta^\nu\}, \qquad
   \dot q \in \mathcal D \iff \theta^\nu_i(q, t)\,\dot q^i + \theta^\nu_t(q, t) = 0

Affine and time-dependent constraints live on $Q \times \mathbb R$, where $\dot t = 1$: the offset of a row is the
coefficient of $dt$, and the distribution has one direction more than there are degrees of freedom.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, final

import symengine

from anholonomy.algebra.expressions import Expr, Matrix, Symbol, Vector, dot, identity, time, zero
from anholonomy.algebra.linear_algebra.symbolic import independent_rows_on, nullspace_on, solved_kernel
from anholonomy.algebra.numbers.balls import is_real
from anholonomy.algebra.short_forms_on_groups import shortened_vector
from anholonomy.base.caching import cached_property
from anholonomy.base.deadlines import LIMIT, patience
from anholonomy.base.errors import ArgumentError, DeclarationError, NotSupportedError, TimeLimitError
from anholonomy.base.verdict import Verdict
from anholonomy.findings import Finding, Quantity, Scope
from anholonomy.geometry.brackets import bracket
from anholonomy.geometry.constraint_forms import (
    Constrained,
    constraint_rows,
    coordinate_symbols,
    on_spacetime,
    read_rows,
)
from anholonomy.geometry.distributions.frobenius import CLAIM, frobenius
from anholonomy.geometry.distributions.growth import (
    GrowthVector,
    derived_flag,
    growth_vector,
    singular_conditions,
    special_growth,
)
from anholonomy.geometry.distributions.growth_at_points import growth_at
from anholonomy.geometry.distributions.leaves import Leaves, find_leaves
from anholonomy.geometry.distributions.second_fundamental_form import (
    SecondFundamentalForm,
    as_metric,
    orthogonal_complement,
    projectors,
    second_fundamental_form,
)
from anholonomy.geometry.field_text import along_coordinates, along_directions, field_rows
from anholonomy.geometry.frame import Frame
from anholonomy.geometry.points import multiples_of_pi, read_place
from anholonomy.geometry.tensor import Tensor, components_vanish
from anholonomy.language.answers import Part, Readable, title
from anholonomy.language.arguments import expect, expect_index, expect_whole, plain

__all__ = ["Distribution"]

LENGTH = 24
"""The longest bracket looked at where a flag has not ended before."""


@final
@dataclass(frozen=True, repr=False)
class Distribution(Readable):
    r"""Admissible directions by one-forms that annihilate them, by fields that span them, or both.

    Attributes
    ----------
    frame
        What the components refer to: a chart, with ``t`` last where time matters, or the frame of a group.
    forms_ni
        Independent one-forms $\theta^\nu$; empty if every direction is admissible.
    given_ai
        Spanning fields as the user gave them; None where the software chooses.

    Examples
    --------
    >>> D = Distribution.from_constraints(["z' = y*x'"], coordinates=["x", "y", "z"])
    >>> D.rank, D.growth_vector(), bool(D.is_integrable())
    (2, (2, 3), False)
    >>> print(D)
    distribution of rank 2 on (x, y, z)
      X_1 = (1, 0, y)
      X_2 = (0, 1, 0)
    """

    frame: Frame
    forms_ni: Matrix
    given_ai: Matrix | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        expect(self.frame, "the frame of the distribution", "Frame")

    @classmethod
    def from_constraints(
        cls,
        constraints: Sequence[Any] | Mapping[str, Any],
        coordinates: Sequence[Any],
        functions: Sequence[str] = (),
    ) -> Distribution:
        """The distribution of equations linear in the velocities.

        An offset or explicit time in any of them puts it on Q × R. ``functions`` may be called in the text and stay unspecified.

        >>> Distribution.from_constraints(["x' = a(t)*y'"], ["x", "y"], functions=["a"])
        distribution of rank 2 on (x, y, t)
        """
        q, rows = constraint_rows(constraints, coordinates, functions)
        return cls(Frame.chart(q), rows)

    @classmethod
    def from_forms(
        cls, forms: Sequence[Sequence[Any]], coordinates: Sequence[Any] | Frame, functions: Sequence[str] = ()
    ) -> Distribution:
        """The kernel of one-forms, given by their components on coordinates or in a frame; dependent ones are dropped.

        >>> from anholonomy.geometry.groups import SO3
        >>> print(Distribution.from_forms([["R32", "-R31", "0"]], SO3().frame).leaves())
        leaves: q1^2 + q2^2 = const
        >>> Distribution.from_forms([["y", "x", "0"], ["2*y", "2*x", "0"]], ["x", "y", "z"]).rank
        2
        """
        frame = _frame_of(coordinates)
        rows = _written_out(frame, read_rows(forms, frame.size, "form", functions))
        return cls(frame, tuple(rows[k] for k in independent_rows_on(rows, frame.orbit)))

    @classmethod
    def from_vectors(
        cls, vectors: Sequence[Sequence[Any]], coordinates: Sequence[Any] | Frame, functions: Sequence[str] = ()
    ) -> Distribution:
        """The span of fields, given by their components on coordinates or in a frame; dependent ones are dropped.

        >>> Distribution.from_vectors([["cos(theta)", "sin(theta)", "0"], ["0", "0", "1"]], ["x", "y", "theta"]).forms_ni
        ((-sin(theta), cos(theta), 0),)
        """
        frame = _frame_of(coordinates)
        rows = _written_out(frame, read_rows(vectors, frame.size, "vector", functions))
        rows = tuple(rows[k] for k in independent_rows_on(rows, frame.orbit))
        forms = nullspace_on(rows, frame.orbit) if rows else identity(frame.size)
        return cls(frame, forms, rows)

    @classmethod
    def of(cls, system: Constrained) -> Distribution:
        """The admissible directions of a system whose constraints are linear in the velocities.

        >>> from anholonomy.catalogue import chaplygin_sleigh
        >>> Distribution.of(chaplygin_sleigh()).growth_vector()
        (2, 3)
        """
        system = plain(system)
        expect(system, "what has a distribution", "System", "Model")
        matrix, offset = system.matrix_na, system.offset_n
        if any(entry.free_symbols & set(system.velocities) for row in matrix for entry in row):
            raise NotSupportedError(
                f"{system.name} has a constraint nonlinear in the velocities, so its admissible velocities are no distribution."
            )
        labels, rows = on_spacetime(system.velocities, matrix, offset)
        extended = len(labels) > len(system.velocities)
        frame = _with_time(system.frame_at_values) if extended else system.frame_at_values
        rows = tuple(rows[k] for k in independent_rows_on(rows, frame.orbit)) if rows else ()
        return cls(frame, rows, None if extended else system.span_ba)

    @property
    def coordinates(self) -> tuple[Symbol, ...]:
        """The coordinates, time among them where it matters."""
        return self.frame.coordinates

    @property
    def on_spacetime(self) -> bool:
        """Whether time is one of the coordinates."""
        return time in self.coordinates

    @property
    def rank(self) -> int:
        """The number of independent directions at generic points."""
        return self.frame.size - len(self.forms_ni)

    @property
    def corank(self) -> int:
        """The number of independent one-forms."""
        return len(self.forms_ni)

    @cached_property
    def vectors_ai(self) -> Matrix:
        """Fields that span the distribution: those given, or a choice without denominators."""
        if self.given_ai is not None:
            return self.given_ai
        if not self.forms_ni:
            return identity(self.frame.size)
        return nullspace_on(self.forms_ni, self.frame.orbit)

    def contains(self, vector: Sequence[Any], functions: Sequence[str] = ()) -> Finding:
        """Whether a field lies in the distribution: every form annihilates it.

        >>> D = Distribution.from_constraints(["z' = y*x'"], ["x", "y", "z"])
        >>> D.contains(["x", "1", "x*y"]).is_proven, D.contains(["1", "0", "0"]).is_refuted
        (True, True)
        """
        (row,) = _written_out(self.frame, read_rows([vector], self.frame.size, "vector", functions))
        pairings = (
            Quantity(f"theta^{k}(X)", dot(form, row), rf"\theta^{{{k}}}(X)") for k, form in enumerate(self.forms_ni, 1)
        )
        return components_vanish(
            self.frame, "the field lies in the distribution", "theta(X)", pairings, r"\theta^\nu(X)"
        )

    def bracket(self, a: int, b: int) -> Vector:
        """The bracket of two of the spanning fields, counted from 0."""
        for k in (a, b):
            expect_index(k, self.rank, "a field of the distribution")
        return bracket(self.frame, self.vectors_ai[a], self.vectors_ai[b])

    def is_integrable(self, time_limit: float | None = LIMIT) -> Finding:
        """Whether there are leaves (Frobenius), with the proof or the bracket that leaves the distribution.

        After ``time_limit`` seconds the answer is unknown.

        >>> print(Distribution.from_constraints(["z' = y*x' + x*y'"], ["x", "y", "z"]).is_integrable())
        the distribution is integrable: proven, theta([X_a, X_b]) = 0
        """
        try:
            with patience(time_limit):
                return frobenius(self.frame, self.forms_ni, self.vectors_ai)
        except TimeLimitError as trouble:
            return _gave_up(trouble)

    def leaves(self, time_limit: float | None = LIMIT) -> Leaves:
        """Functions constant on the leaves, as many as were found in ``time_limit`` seconds, each proven.

        >>> print(Distribution.from_constraints(["y*x' = x*y'"], ["x", "y"]).leaves())
        leaves: x/y = const
        """
        try:
            with patience(time_limit):
                return self._leaves()
        except TimeLimitError as trouble:
            return Leaves((), self.corank, _gave_up(trouble), gave_up=str(trouble))

    def _leaves(self) -> Leaves:
        found = self.is_integrable(None)
        if found.is_refuted and self._growth[-1] == self.frame.size and self._growth.is_certified:
            # What is constant along D is constant along its brackets, and those reach every direction.
            return Leaves((), self.corank, found)
        if not self._growth.is_settled:
            # Forms whose kernel outgrows exact algebra are too long to be integrated.
            return Leaves((), self.corank, found)
        # Letters stay letters, but for the values without which there are no leaves.
        known = dict(found.scope.values)
        return find_leaves(self.frame.where({}), _at(self.forms_ni, known), _at(self.vectors_ai, known), found)

    def growth_vector(
        self, at: Mapping[Any, Any] | None = None, length: int = LENGTH, time_limit: float | None = LIMIT
    ) -> GrowthVector:
        """Dimensions of D, D + [D, D], … at generic points, or at a place.

        ``at`` gives values to coordinates, numbers or expressions in the others; coordinates and parameters left out
        stay generic. A float that is the double of a simple multiple of pi, as ``math.pi/2``, is that multiple, and the answer
        says so. The flag is followed there until it reaches the generic dimension, or that of a submanifold which the fields never
        leave; after brackets of ``length`` fields, or ``time_limit`` seconds, the vector ends, "so far".

        >>> D = Distribution.from_vectors([["1", "0", "y^2"], ["0", "1", "0"]], ["x", "y", "z"])
        >>> D.growth_vector(), D.growth_vector(at={"y": 0})
        ((2, 3), (2, 2, 3))
        """
        length = expect_whole(length, "the length of brackets", 1, refusal=ArgumentError)
        try:
            with patience(time_limit):
                if at is None:
                    return self._growth
                place = read_place(at, self.frame, self.vectors_ai)
                found = growth_at(self.frame, self._vectors_around(place), place, self._growth, length)
                read = multiples_of_pi(at)
                return GrowthVector(
                    found, found.evidence, found.special, read, found.where, found.why, self._again(dict(at), length)
                )
        except TimeLimitError:
            return GrowthVector([self.rank], "certified below")

    @cached_property
    def _growth(self) -> GrowthVector:
        found = growth_vector(self.frame, self.forms_ni, self.vectors_ai)
        special = special_growth(self.frame, self.vectors_ai, found)
        return GrowthVector(found, found.evidence, special, again=self._again(None, LENGTH))

    def _again(self, at: dict[Any, Any] | None, length: int) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        """How the growth vector is found once more."""
        return _dimensions, (self.frame, self.forms_ni, self.given_ai, at, length)

    def derived_flag(self, time_limit: float | None = LIMIT) -> GrowthVector:
        """Dimensions of D, D + [D, D], … at generic points, each step bracketed with itself.

        After ``time_limit`` seconds the vector ends, "so far".

        >>> Distribution.from_vectors([["1", "y", "z", "w", "0"], ["0", "0", "0", "0", "1"]], ["x", "v", "y", "z", "w"]).derived_flag()
        (2, 3, 4, 5)
        """
        try:
            with patience(time_limit):
                return derived_flag(self.frame, self.forms_ni)
        except TimeLimitError:
            return GrowthVector([self.rank], "certified below")

    def degree_of_nonholonomy(self, at: Mapping[Any, Any] | None = None, time_limit: float | None = LIMIT) -> int:
        """The number of steps after which brackets reach nothing new; 1 for an integrable distribution.

        Refused where the growth vector is not settled after ``time_limit`` seconds.
        """
        growth = self.growth_vector(at, time_limit=time_limit)
        if not growth.is_settled:
            raise NotSupportedError(
                f"the flag at this place is {growth} and may go on; ask for `growth_vector(at=…, length=…)` with longer brackets."
            )
        return len(growth)

    def is_bracket_generating(self, time_limit: float | None = LIMIT) -> Finding:
        """Whether brackets reach every direction at generic points (Chow, Rashevskii).

        A yes is proven where the dimensions are certified, a no where they are exact; see the evidence of `growth_vector`.

        >>> print(Distribution.from_constraints(["z' = y*x'"], ["x", "y", "z"]).is_bracket_generating())
        brackets reach every direction: proven at generic points, the growth vector is (2, 3) of 3 directions, exact
        """
        growth = self.growth_vector(time_limit=time_limit)
        whole = growth[-1] == self.frame.size
        known = growth.is_certified if whole else growth.evidence == "exact"
        why = growth.said(f"the growth vector is {growth} of {self.frame.size} directions, {growth.evidence}")
        scope = Scope(points="at generic points", special=growth.special)
        return Finding("brackets reach every direction", Verdict.of(whole if known else None), (why,), scope)

    def singular_points(self, time_limit: float | None = LIMIT) -> dict[int, Vector] | None:
        """For each step of the growth vector, functions whose common zeros are where it falls short; None if too many.

        Where the fields that the software has chosen fail, others are taken; those that you gave are asked as they are.
        `TimeLimitError` after ``time_limit`` seconds.

        >>> Distribution.from_vectors([["1", "0", "y^2"], ["0", "1", "0"]], ["x", "y", "z"]).singular_points()
        {1: (), 2: (y,)}
        """
        with patience(time_limit):
            forms = self.forms_ni if self.given_ai is None else ()
            return singular_conditions(self.frame, self.vectors_ai, self._growth, forms)

    def complement(self, g: Any) -> Matrix:
        """Fields that span the directions orthogonal to the distribution in a metric."""
        return orthogonal_complement(as_metric(self.frame, g), self.vectors_ai)

    def projectors(self, g: Any) -> tuple[Tensor, Tensor]:
        """P onto the distribution and Q onto its orthogonal complement; g a `Metric`, a tensor ``dd`` or a matrix.

        >>> P, Q = Distribution.from_vectors([["1", "1"]], ["x", "y"]).projectors([1, 3])
        >>> print(P)
        P^x_x = 1/4
        P^x_y = 3/4
        P^y_x = 1/4
        P^y_y = 3/4
        """
        return projectors(as_metric(self.frame, g), self.vectors_ai)

    def second_fundamental_form(self, g: Any) -> SecondFundamentalForm:
        """How the distribution bends in a metric; its skew part is half the normal part of the bracket."""
        return second_fundamental_form(as_metric(self.frame, g), self.vectors_ai)

    def is_totally_geodesic(self, g: Any) -> Finding:
        """Whether the distribution has leaves that are totally geodesic."""
        return self.second_fundamental_form(g).is_totally_geodesic()

    def is_geodesically_invariant(self, g: Any) -> Finding:
        """Whether geodesics that start in the distribution stay in it, integrable or not.

        >>> D = Distribution.from_constraints(["x'*sin(theta) = y'*cos(theta)"], ["x", "y", "theta"])
        >>> bool(D.is_geodesically_invariant([1, 1, 1])), bool(D.is_totally_geodesic([1, 1, 1]))
        (False, False)
        """
        return self.second_fundamental_form(g).is_geodesically_invariant()

    def _vectors_around(self, place: Mapping[Symbol, Expr]) -> Matrix:
        """Fields that span the distribution around a place, others than usual where those degenerate."""
        if len(independent_rows_on(_at(self.vectors_ai, place), self.frame.orbit)) == self.rank:
            return self.vectors_ai
        if self.given_ai is not None or not self.forms_ni:
            raise DeclarationError(
                "the given fields lose rank at this place; the flag of what they span is not defined there."
            )
        columns = tuple(zip(*_at(self.forms_ni, place), strict=True))
        pivots = independent_rows_on(columns, self.frame.orbit) if columns else ()
        if len(pivots) < self.corank:
            raise DeclarationError(
                "the rank of the distribution itself changes at this place; it has no growth vector there."
            )
        return solved_kernel(self.forms_ni, pivots)

    def __repr__(self) -> str:
        return f"distribution of rank {self.rank} on ({', '.join(str(q) for q in self.coordinates)})"

    def as_rows(self) -> Iterable[Part]:
        rows = tuple(shortened_vector(row, self.frame.orbit) for row in self.vectors_ai)
        basis = along_coordinates(self.coordinates) if self.frame.is_chart else along_directions(self.frame.labels)
        yield title(repr(self))
        yield from field_rows([f"X_{k}" for k in range(1, len(rows) + 1)], rows, basis)


def _dimensions(
    frame: Frame, forms: Matrix, given: Matrix | None, at: dict[Any, Any] | None, length: int
) -> tuple[tuple[int, ...], str]:
    """The growth vector and how well it is known, with nothing remembered."""
    growth = Distribution(frame, forms, given).growth_vector(at, length, None)
    return tuple(growth), growth.evidence


def _gave_up(trouble: TimeLimitError) -> Finding:
    return Finding.unknown(CLAIM, str(trouble))


def _at(rows: Matrix, place: Mapping[Symbol, Expr]) -> Matrix:
    try:
        found = tuple(tuple(entry.xreplace(dict(place)) for entry in row) for row in rows)
    except RuntimeError:  # SymEngine refuses to divide by zero
        found = None
    if found is None or not all(is_real(entry) for row in found for entry in row):
        raise DeclarationError("the distribution is not defined at this place; take another.")
    return found


def _frame_of(coordinates: Sequence[Any] | Frame) -> Frame:
    return coordinates if isinstance(coordinates, Frame) else Frame.chart(coordinate_symbols(coordinates))


def _written_out(frame: Frame, rows: Matrix) -> Matrix:
    return tuple(tuple(map(frame.in_coordinates, row)) for row in rows)


def _with_time(frame: Frame) -> Frame:
    """The frame on Q × R whose last direction is that of time."""
    if frame.is_chart:
        return Frame.chart((*frame.coordinates, time)).where(dict(frame.values))
    n, last = frame.size, (zero,) * len(frame.coordinates)
    anchor = (*((*row, zero) for row in frame.anchor_ai), (*last, symengine.Integer(1)))
    nothing = (zero,) * (n + 1)
    structure = tuple((*((*entry, zero) for entry in row), nothing) for row in frame.structure_abd)
    made = Frame.with_structure(
        (*frame.coordinates, time),
        anchor,
        (*structure, (nothing,) * (n + 1)),
        (*frame.labels, time.name),
        (*frame.origin, zero) if frame.origin else (),
        frame.invariants,
        frame.named,
    )
    return made.where(dict(frame.values))
