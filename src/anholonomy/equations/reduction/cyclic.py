r"""Cyclic directions, which nothing depends on, and the system on the base that is left without them.

The frame is a product of base directions $E_i$ and the directions $E_A$ of a fibre: coordinates that are translated, or a
group with $[E_A, E_B] = C_{AB}{}^D E_D$. Where the Lagrangian, the forces and the solved constraints
$\xi^A = a^A{}_i(r, t)\,w^i + a^A(r, t)$ do not depend on the point of the fibre, the base moves like an unconstrained system,

.. math::
   l(r, w, t) = L(r,\ w,\ a\,w + a^A,\ t), \qquad
   F_i = Q_i + a^A{}_i\,Q_A + K_D\,\bigl(B^D{}_{ij}\,w^j + B^D{}_{it}\bigr), \qquad
   K_D = \partial L/\partial\xi^D,

.. math::
   B^D{}_{ij} = E_j(a^D{}_i) - E_i(a^D{}_j) + C_{AB}{}^D a^A{}_j a^B{}_i - c_{ji}{}^k a^D{}_k, \qquad
   B^D{}_{it} = \partial_t a^D{}_i - E_i(a^D) + C_{AB}{}^D a^A a^B{}_i ,

and the fibre follows by integrating its velocities along that motion. For coordinates all structure constants are zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, final

import symengine

from anholonomy.algebra.calculus import along, gradient
from anholonomy.algebra.expressions import Expr, Matrix, Symbol, Vector, dot, free_symbols, time, zero
from anholonomy.algebra.simplification.simplify import readable
from anholonomy.algebra.steps.definitions import Assign, Recorder, inline
from anholonomy.algebra.steps.derivatives import rates_of_steps
from anholonomy.algebra.zero_test import are_all_zero
from anholonomy.base.errors import DeclarationError, NotSupportedError, StateError, UnknownNameError, quoted
from anholonomy.equations.reduction.bundle import (
    Directions,
    base_group,
    factors,
    fibre_choices,
    identity_of,
    moved,
    restricted_frame,
    restricted_invariants,
)
from anholonomy.geometry.adapted_frame import AdaptedFrame
from anholonomy.geometry.brackets import contract
from anholonomy.language.arguments import name_of
from anholonomy.system.declaration.inputs import refuse_inputs
from anholonomy.system.declaration.unspecified_functions import refuse_unspecified
from anholonomy.system.frames.adapted import solved_frame
from anholonomy.system.frames.default import generic_point
from anholonomy.system.model import Model

__all__ = ["Reduction", "depends_on", "fibre_obstacle", "frame_over_fibre"]

_WRITTEN_OUT = 40
"""Steps up to which solved constraints are written out to prove that a coordinate cancels from them."""


def fibre_obstacle(model: Model) -> str:
    """Why there is no fibre of coordinates that appear nowhere, as a clause; empty where there is one."""
    try:
        frame_over_fibre(model)
    except NotSupportedError as problem:
        return str(problem).removeprefix(f"{model.name}: ").removesuffix(".")
    return ""


def frame_over_fibre(
    model: Model,
    at: Mapping[Symbol, float] | None = None,
    strict: bool = False,
    fibre: Sequence[Any] | None = None,
) -> AdaptedFrame:
    """The constraints solved for the velocities of a fibre: the coordinates named, or a choice made at a point.

    Raises `NotSupportedError` where something depends on the fibre, or there are too few coordinates for one.
    """
    blame, count = depends_on(model), len(model.constraints)
    choices = list(_choices(model, blame, count) if fibre is None else [_named(model, blame, count, fibre)])
    problem: StateError | None = None
    for columns in choices:
        try:
            return _over(model, columns, count, solved_frame(model, at, strict, dependent=columns))
        except StateError as found:
            problem = found
    if at is not None and problem is not None:
        raise problem
    raise NotSupportedError(
        f"{model.name}: the constraints cannot be solved for the velocities of "
        f"{_listed(q.name for q in moved(model.frame, choices[0]))}."
    )


def _over(model: Model, columns: Directions, count: int, frame: AdaptedFrame) -> AdaptedFrame:
    """The frame with its speeds called after the base: where a velocity of the fibre equals one of these, both names fit."""
    if len(columns) != count:
        return frame
    return replace(frame, speeds=tuple(w for a, w in enumerate(model.velocities) if a not in columns))


def _choices(model: Model, blame: Mapping[Directions, str], count: int) -> list[Directions]:
    free = [block for block in factors(model.frame) if block not in blame]
    found = list(fibre_choices(free, count))
    if not found:
        raise NotSupportedError(f"{model.name}: {_too_few(model, blame, free, count)}.")
    return found


def _named(model: Model, blame: Mapping[Directions, str], count: int, fibre: Sequence[Any]) -> Directions:
    """The factors that the user names by their coordinates or speeds."""
    if isinstance(fibre, str) or not isinstance(fibre, Sequence):
        raise DeclarationError(f"{model.name}: `fibre` is {quoted(fibre)}; give a list of coordinates.")
    by_name: dict[str, Directions] = {}
    for block in factors(model.frame):
        by_name |= dict.fromkeys((model.velocities[a].name for a in block), block)
        by_name |= dict.fromkeys((q.name for q in moved(model.frame, block)), block)
    read = list(dict.fromkeys(name_of(q, "a coordinate of the fibre") for q in fibre))
    if unknown := [q for q in read if q not in by_name]:
        known = ", ".join(q.name for q in model.coordinates)
        raise UnknownNameError(f"{model.name}: {unknown[0]} is no coordinate; there are {known}.")
    blocks = dict.fromkeys(by_name[q] for q in read)
    if found := [block for block in blocks if block in blame]:
        raise NotSupportedError(
            f"{model.name}: {_label(model, found[0])} cannot be in the fibre because {blame[found[0]]} on it."
        )
    columns = tuple(a for block in blocks for a in block)
    if len(columns) != count:
        raise DeclarationError(
            f"{model.name}: a fibre has as many coordinates as there are constraints, {count}, not {len(columns)}."
        )
    return columns


def _label(model: Model, block: Directions) -> str:
    """How to call a factor: by its coordinate, or by all of a group's."""
    names = [q.name for q in moved(model.frame, block)]
    return names[0] if len(names) == 1 else f"({', '.join(names)})"


def _too_few(model: Model, blame: Mapping[Directions, str], free: Sequence[Directions], count: int) -> str:
    names = [_label(model, block) for block in free]
    has = f"{_listed(names)} appear{'s' if len(names) == 1 else ''} nowhere" if names else "every coordinate appears"
    if sum(map(len, free)) >= count:
        return (
            f"{has}, but a group goes into a fibre as a whole, and none has as many directions as there are constraints"
        )
    by_reason: dict[str, list[str]] = {}
    for block, why in blame.items():
        by_reason.setdefault(why, []).append(_label(model, block))
    reasons = ", ".join(f"{why} on {_listed(qs)}" for why, qs in by_reason.items())
    return f"{'only ' if names else ''}{has} while {count} would be needed: {reasons}"


def _listed(names: Iterable[str]) -> str:
    *most, last = list(names)
    return f"{', '.join(most)} and {last}" if most else last


@lru_cache(maxsize=64)
def depends_on(model: Model) -> dict[Directions, str]:
    """For each factor that something depends on, the first such thing, with its verb."""
    things: list[tuple[str, Sequence[Expr], Sequence[Assign]]] = [("the Lagrangian depends", [model.lagrangian], ())]
    for w, Q in zip(model.velocities, model.forces_a, strict=True):
        things.append((f"the force along {w.name} depends", [Q], ()))
    if model.constraints:
        frame = solved_frame(model)
        entries = [*(entry for row in frame.span_ba for entry in row), *frame.offset_a]
        things.append(("the solved constraints depend", entries, frame.definitions))
    blame = {}
    for block in factors(model.frame):
        fields = [dict(zip(model.coordinates, model.frame.anchor_ai[a], strict=True)) for a in block]
        if found := next((verb for verb, entries, steps in things if _depend(model, entries, steps, fields)), None):
            blame[block] = found
    return blame


def _depend(
    model: Model, entries: Sequence[Expr], definitions: Sequence[Assign], fields: Sequence[Mapping[Symbol, Expr]]
) -> bool:
    """Whether expressions are not proven to be constant along fields; on the group, where coordinates are redundant."""
    reached = free_symbols(entries)
    for step in reversed(definitions):
        reached |= step.value.free_symbols if step.target in reached else set()
    if reached.isdisjoint(q for field in fields for q, rate in field.items() if rate != 0):
        return False
    if len(definitions) > _WRITTEN_OUT:
        return True
    written, on = inline(entries, definitions), model.frame.orbit
    return not are_all_zero((along(entry, field) for entry in written for field in fields), on)


@final
@dataclass(frozen=True)
class Reduction:
    r"""A system on its base.

    Attributes
    ----------
    base, fibre
        Positions of the directions.
    frame
        The constraints solved for the velocities of the fibre, free of its coordinates.
    definitions
        What the other expressions use besides base coordinates, base velocities and time: the velocities of the fibre
        and the steps of large systems.
    lagrangian
        $l(r, w, t)$.
    gyroscopic_i
        $K_D(B^D{}_{ij}w^j + B^D{}_{it})$.
    forces_i
        $Q_i + a^A{}_iQ_A$.
    directions_i
        $E_i$ as rates of everything that the expressions use.
    transport_ik
        $w^jc_{ji}{}^k$ of the base; zero where it has coordinates.
    """

    model: Model
    base: tuple[int, ...]
    fibre: tuple[int, ...]
    frame: AdaptedFrame
    definitions: tuple[Assign, ...]
    lagrangian: Expr
    gyroscopic_i: Vector
    forces_i: Vector
    directions_i: tuple[dict[Symbol, Expr], ...]
    transport_ik: Matrix

    @classmethod
    def of(cls, model: Model, frame: AdaptedFrame) -> Reduction:
        """The reduction for a frame whose speeds are velocities of the base; refused where something depends on the rest."""
        base = _base(model, frame)
        fibre = tuple(a for a in range(model.frame.size) if a not in base)
        _refuse_dependent(model, fibre)
        pinned = _pinned(model, frame, fibre)
        frame = _solved_form(frame, base, pinned)
        given = dict(zip(model.velocities, frame.velocities, strict=True))
        L = _without(model.lagrangian, pinned)
        momenta_n = gradient(L, [model.velocities[n] for n in fibre])
        record, one = Recorder("$r"), symengine.Integer(1)
        fields = [_nonzero(dict(zip(model.coordinates, model.frame.anchor_ai[i], strict=True))) for i in base]
        directions = tuple(rates_of_steps(frame.definitions, field, record) for field in fields)
        turned_n = _turning(frame, fibre, directions, rates_of_steps(frame.definitions, {time: one}, record))
        bent_ia = [contract(model.frame.structure_abd, model.velocities, row) for row in frame.span_ba]
        transport = tuple(tuple(bent[k] for k in base) for bent in bent_ia)
        for n, turned in zip(fibre, turned_n, strict=True):
            slopes = [row[n] for row in frame.span_ba]
            for i, bent in enumerate(bent_ia):
                turned[i] = turned[i] + bent[n] - dot(transport[i], slopes)
        named = [Assign(w, value) for w, value in given.items() if w != value]
        return cls(
            model=model,
            base=base,
            fibre=fibre,
            frame=frame,
            definitions=(*frame.definitions, *record.assignments, *named),
            lagrangian=L.xreplace(given),
            gyroscopic_i=tuple(dot(momenta_n, [turned[i] for turned in turned_n]) for i in range(len(base))),
            forces_i=tuple(dot(row, [_without(Q, pinned) for Q in model.forces_a]) for row in frame.span_ba),
            directions_i=directions,
            transport_ik=transport,
        )

    @property
    def rates(self) -> dict[Symbol, Expr]:
        """The rates of the coordinates of the base."""
        known = set(moved(self.model.frame, self.base))
        rates = self.model.frame.coordinate_rates(self.model.velocities)
        return {q: rate for q, rate in rates.items() if q in known}

    @property
    def written(self) -> tuple[Vector, Vector, Vector]:
        r"""Gyroscopic and applied forces in the order of the speeds, and the velocities of the fibre, written out."""
        velocities = tuple(self.model.velocities[n] for n in self.fibre)
        parts = (self.gyroscopic_i, self.forces_i, velocities)
        short = (tuple(map(readable, inline(part, self.definitions))) for part in parts)
        return next(short), next(short), next(short)

    def base_model(self) -> Model:
        """The base as an unconstrained system, everything written out and short; its coordinates in declared order."""
        refuse_unspecified(self.model, "a base")
        refuse_inputs(self.model, "a base")
        if not self.base:
            raise NotSupportedError(f"{self.model.name}: the constraints leave no coordinate for a base.")
        order = sorted(range(len(self.base)), key=self.base.__getitem__)
        (l,) = inline([self.lagrangian], self.definitions)
        forces_i = inline(map(symengine.Add, self.gyroscopic_i, self.forces_i), self.definitions)
        kept, model = [self.base[i] for i in order], self.model
        frame = restricted_frame(model.frame, kept)
        kinds = dict(zip(model.coordinates, model.coordinate_kinds, strict=True))
        return Model(
            name=f"{model.name}, base",
            coordinate_kinds=tuple(kinds[q] for q in frame.coordinates),
            frame=frame,
            velocities=tuple(model.velocities[a] for a in kept),
            lagrangian=readable(l),
            constraints=(),
            forces_a=tuple(readable(forces_i[i]) for i in order),
            parameter_items=model.parameter_items,
            group=base_group(model, kept),
            invariants=restricted_invariants(model, frame),
        )


def _refuse_dependent(model: Model, fibre: Sequence[int]) -> None:
    """A fibre is made of whole factors on which nothing depends."""
    blame = depends_on(model)
    for block in factors(model.frame):
        if set(block) & set(fibre) and not set(block) <= set(fibre):
            raise NotSupportedError(
                f"{model.name}: the velocities of {_label(model, block)} go into a fibre together; choose other speeds."
            )
        if set(block) <= set(fibre) and block in blame:
            raise NotSupportedError(
                f"{model.name}: {_label(model, block)} must be a coordinate of the base because {blame[block]} on it; "
                "choose other speeds."
            )


def _nonzero(field: Mapping[Symbol, Expr]) -> dict[Symbol, Expr]:
    return {q: rate for q, rate in field.items() if rate != 0}


def _base(model: Model, frame: AdaptedFrame) -> tuple[int, ...]:
    if strange := [u.name for u in frame.speeds if u not in model.velocities]:
        names = ", ".join(w.name for w in model.velocities)
        raise NotSupportedError(
            f"{model.name}: Chaplygin's speeds are velocities of base coordinates ({names} are the velocities), and "
            f'{strange[0]} is none; choose among them with `speeds`, or use "hamel", which takes any speeds.'
        )
    return tuple(model.velocities.index(u) for u in frame.speeds)


def _pinned(model: Model, frame: AdaptedFrame, fibre: Sequence[int]) -> dict[Symbol, Expr]:
    """Values for coordinates of the fibre that are written but cancel: generic ones, so that nothing vanishes by accident;
    for a group its neutral element, because a point near the group is not on it."""
    entries = [*(entry for row in frame.span_ba for entry in row), *frame.offset_a]
    steps = [step.value for step in frame.definitions]
    written = moved(model.frame, fibre)
    if free_symbols([model.lagrangian, *model.forces_a, *entries, *steps]).isdisjoint(written):
        return {}
    point, neutral = generic_point(model), identity_of(model)
    close = {q: Fraction(point[q]).limit_denominator(64) for q in written if q not in neutral}
    exact = {q: symengine.Rational(value.numerator, value.denominator) for q, value in close.items()}
    return exact | {q: neutral[q] for q in written if q in neutral}


def _without(entry: Expr, pinned: Mapping[Symbol, Expr]) -> Expr:
    """An expression that does not depend on the fibre, written without it."""
    if entry.free_symbols.isdisjoint(pinned):
        return entry
    return readable(entry).xreplace(pinned)


def _solved_form(frame: AdaptedFrame, base: Sequence[int], pinned: Mapping[Symbol, Expr]) -> AdaptedFrame:
    """The frame with its unit entries written as such and free of the fibre's coordinates."""
    place = {a: i for i, a in enumerate(base)}
    span_ba: Matrix = tuple(
        tuple(symengine.Integer(int(place[a] == i)) if a in place else _without(e, pinned) for a, e in enumerate(row))
        for i, row in enumerate(frame.span_ba)
    )
    offset_a = tuple(zero if a in place else _without(e, pinned) for a, e in enumerate(frame.offset_a))
    definitions = tuple(Assign(step.target, step.value.xreplace(pinned)) for step in frame.definitions)
    return replace(frame, span_ba=span_ba, offset_a=offset_a, definitions=definitions)


def _turning(
    frame: AdaptedFrame,
    fibre: Sequence[int],
    directions: Sequence[Mapping[Symbol, Expr]],
    by_time: Mapping[Symbol, Expr],
) -> list[list[Expr]]:
    r"""$w^j(E_ja^D{}_i - E_ia^D{}_j) + \partial_ta^D{}_i - E_ia^D$, a row for each direction of the fibre."""
    rows = []
    for n in fibre:
        slopes, offset = [row[n] for row in frame.span_ba], frame.offset_a[n]
        row = []
        for a_i, d_i in zip(slopes, directions, strict=True):
            B_j = [along(a_i, d_j) - along(a_j, d_i) for a_j, d_j in zip(slopes, directions, strict=True)]
            row.append(dot(B_j, frame.speeds) + along(a_i, by_time) - along(offset, d_i))
        rows.append(row)
    return rows
