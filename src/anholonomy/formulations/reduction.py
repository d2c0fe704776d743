r"""Coordinates that appear nowhere, and what is left of a system without them.

Where the Lagrangian, the forces and the solved constraints $\dot q^\nu = a_{\nu i}(r, t)\,\dot r^i + a_\nu(r, t)$ do not depend on
the coordinates $q^\nu$ of a fibre, the motion of the base coordinates $r$ is that of an unconstrained system,

.. math::
   l(r, \dot r, t) = L(r,\ \dot r,\ a\,\dot r + a_\nu,\ t), \qquad
   F_i = Q_i + a_{\nu i}\,Q_\nu + K_\nu\,\bigl(B^\nu{}_{ij}\,\dot r^j + B^\nu{}_{it}\bigr), \qquad
   K_\nu = \partial L/\partial\dot q^\nu,

.. math:: B^\nu{}_{ij} = \partial_j a_{\nu i} - \partial_i a_{\nu j}, \qquad B^\nu{}_{it} = \partial_t a_{\nu i} - \partial_i a_\nu ,

and the fibre follows by integrating its rates along that motion.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, final

import symengine

from anholonomy.geometry.adapted import AdaptedFrame
from anholonomy.geometry.frame import Frame
from anholonomy.language.door import name_of
from anholonomy.refusals import IllPosedSystem, InadmissibleState, NotCovered, UnknownName
from anholonomy.symbolic.calculus import along, gradient, partial, rates_of_steps
from anholonomy.symbolic.elimination import Recorder
from anholonomy.symbolic.expressions import Expr, Matrix, Symbol, Vector, dot, free_symbols, time, zero
from anholonomy.symbolic.simplify import simplify
from anholonomy.symbolic.steps import Assign, inline
from anholonomy.symbolic.zero import is_zero
from anholonomy.system.adapting import generic_point, solved_frame
from anholonomy.system.model import Model

__all__ = ["AbelianReduction", "fibre_obstacle", "frame_over_fibre"]

_WRITTEN_OUT = 40
"""Steps up to which solved constraints are written out to prove that a coordinate cancels from them."""
_READABLE = 150
"""Operations up to which an expression of the base is made short; a longer one nobody reads, and it can take seconds."""


def fibre_obstacle(model: Model) -> str:
    """Why there is no fibre of coordinates that appear nowhere, as a clause; empty where there is one."""
    try:
        frame_over_fibre(model)
    except NotCovered as problem:
        return str(problem).removeprefix(f"{model.name}: ").removesuffix(".")
    return ""


def frame_over_fibre(
    model: Model,
    at: Mapping[Symbol, float] | None = None,
    strict: bool = False,
    fibre: Sequence[Any] | None = None,
) -> AdaptedFrame:
    """The constraints solved for the velocities of a fibre: the coordinates named, or a choice made at a point.

    Raises `NotCovered` where something depends on the fibre, or there are too few coordinates for one.
    """
    blame, count = _dependence(model), len(model.constraints)
    names = [q.name for q in model.coordinates]
    if fibre is None:
        columns = [k for k, q in enumerate(names) if q not in blame]
        if len(columns) < count:
            raise NotCovered(f"{model.name}: {_too_few(blame, [names[k] for k in columns], count)}.")
    else:
        columns = [names.index(q) for q in _named(model, fibre)]
        if found := [q for q in (names[k] for k in columns) if q in blame]:
            raise NotCovered(f"{model.name}: {found[0]} cannot be in the fibre because {blame[found[0]]} on it.")
        if len(columns) != count:
            raise IllPosedSystem(
                f"{model.name}: a fibre has as many coordinates as there are constraints, {count}, not {len(columns)}."
            )
    try:
        return solved_frame(model, at, strict, dependent=columns)
    except InadmissibleState:
        if at is not None:
            raise
        raise NotCovered(
            f"{model.name}: the constraints cannot be solved for the velocities of {_listed(names[k] for k in columns)}."
        ) from None


def _named(model: Model, fibre: Sequence[Any]) -> list[str]:
    if isinstance(fibre, str) or not isinstance(fibre, Sequence):
        raise IllPosedSystem(f"{model.name}: `fibre` is {fibre!r:.60}; give a list of coordinates.")
    known = [q.name for q in model.coordinates]
    read = list(dict.fromkeys(name_of(q, "a coordinate of the fibre") for q in fibre))
    if unknown := [q for q in read if q not in known]:
        raise UnknownName(f"{model.name}: {unknown[0]} is no coordinate; there are {', '.join(known)}.")
    return read


def _too_few(blame: Mapping[str, str], free: Sequence[str], count: int) -> str:
    has = f"{_listed(free)} appear{'s' if len(free) == 1 else ''} nowhere" if free else "every coordinate appears"
    by_reason: dict[str, list[str]] = {}
    for q, why in blame.items():
        by_reason.setdefault(why, []).append(q)
    reasons = ", ".join(f"{why} on {_listed(qs)}" for why, qs in by_reason.items())
    return f"{'only ' if free else ''}{has} while {count} would be needed: {reasons}"


def _listed(names: Iterable[str]) -> str:
    *most, last = list(names)
    return f"{', '.join(most)} and {last}" if most else last


@lru_cache(maxsize=64)
def _dependence(model: Model) -> dict[str, str]:
    """For each coordinate that appears somewhere, the first thing that depends on it, with its verb."""
    things: list[tuple[str, Sequence[Expr], Sequence[Assign]]] = [("the Lagrangian depends", [model.lagrangian], ())]
    for w, Q in zip(model.velocities, model.forces_a, strict=True):
        things.append((f"the force along {w.name} depends", [Q], ()))
    if model.constraints:
        frame = solved_frame(model)
        entries = [*(entry for row in frame.span_ba for entry in row), *frame.offset_a]
        things.append(("the solved constraints depend", entries, frame.definitions))
    blame = {}
    for q in model.coordinates:
        if found := next((verb for verb, entries, steps in things if _depend(entries, steps, q)), None):
            blame[q.name] = found
    return blame


def _depend(entries: Sequence[Expr], definitions: Sequence[Assign], q: Symbol) -> bool:
    """Whether a coordinate is not proven to cancel from expressions."""
    reached = free_symbols(entries)
    for step in reversed(definitions):
        reached |= step.value.free_symbols if step.target in reached else set()
    if q not in reached:
        return False
    if len(definitions) > _WRITTEN_OUT:
        return True
    return not all(is_zero(partial(entry, q)) for entry in inline(entries, definitions))


@final
@dataclass(frozen=True)
class AbelianReduction:
    r"""A system on its base.

    Attributes
    ----------
    base, fibre
        Positions of the coordinates.
    frame
        The constraints solved for the velocities of the fibre, free of its coordinates.
    definitions
        What the other expressions use besides base coordinates, base velocities and time: the velocities of the fibre
        and the steps of large systems.
    lagrangian
        $l(r, \dot r, t)$.
    gyroscopic_i
        $K_\nu(B^\nu{}_{ij}\dot r^j + B^\nu{}_{it})$.
    forces_i
        $Q_i + a_{\nu i}Q_\nu$.
    directions_i
        $\partial/\partial r^i$ as rates of everything that the expressions use.
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

    @classmethod
    def of(cls, model: Model, frame: AdaptedFrame) -> AbelianReduction:
        """The reduction for a frame whose speeds are velocities of the base; refused where something depends on the rest."""
        base = _base(model, frame)
        fibre = tuple(a for a in range(model.frame.size) if a not in base)
        blame = _dependence(model)
        if found := [q for q in (model.coordinates[n].name for n in fibre) if q in blame]:
            raise NotCovered(
                f"{model.name}: {found[0]} must be a coordinate of the base because {blame[found[0]]} on it; "
                "choose other speeds."
            )
        pinned = _pinned(model, frame, fibre)
        frame = _solved_form(frame, base, pinned)
        given = dict(zip(model.velocities, frame.velocities, strict=True))
        L = _without(model.lagrangian, pinned)
        momenta_n = gradient(L, [model.velocities[n] for n in fibre])
        record, one = Recorder("$r"), symengine.Integer(1)
        directions = tuple(rates_of_steps(frame.definitions, {model.coordinates[i]: one}, record) for i in base)
        turned_n = _turning(frame, fibre, directions, rates_of_steps(frame.definitions, {time: one}, record))
        named = [Assign(w, value) for w, value in given.items() if w != value]
        return cls(
            model=model,
            base=base,
            fibre=fibre,
            frame=frame,
            definitions=(*frame.definitions, *record.steps, *named),
            lagrangian=L.xreplace(given),
            gyroscopic_i=tuple(dot(momenta_n, [turned[i] for turned in turned_n]) for i in range(len(base))),
            forces_i=tuple(dot(row, [_without(Q, pinned) for Q in model.forces_a]) for row in frame.span_ba),
            directions_i=directions,
        )

    @property
    def coordinates(self) -> tuple[Symbol, ...]:
        """The coordinates of the base, in the order of the speeds."""
        return tuple(self.model.coordinates[i] for i in self.base)

    def base_model(self) -> Model:
        """The base as an unconstrained system, everything written out and short; its coordinates in declared order."""
        if not self.base:
            raise NotCovered(f"{self.model.name}: the constraints leave no coordinate for a base.")
        order = sorted(range(len(self.base)), key=self.base.__getitem__)
        (l,) = inline([self.lagrangian], self.definitions)
        forces_i = inline(map(symengine.Add, self.gyroscopic_i, self.forces_i), self.definitions)
        kept = [self.base[i] for i in order]
        return Model(
            name=f"{self.model.name}, base",
            coordinate_kinds=tuple(self.model.coordinate_kinds[a] for a in kept),
            frame=Frame.chart([self.model.coordinates[a] for a in kept]),
            velocities=tuple(self.model.velocities[a] for a in kept),
            lagrangian=_short(l),
            constraints=(),
            forces_a=tuple(_short(forces_i[i]) for i in order),
            parameter_items=self.model.parameter_items,
        )


def _short(expression: Expr) -> Expr:
    """An expression as a person would write it, as long as one would."""
    return simplify(expression) if symengine.count_ops(expression) <= _READABLE else expression


def _base(model: Model, frame: AdaptedFrame) -> tuple[int, ...]:
    if strange := [u.name for u in frame.speeds if u not in model.velocities]:
        names = ", ".join(w.name for w in model.velocities)
        raise NotCovered(
            f"{model.name}: Chaplygin's speeds are velocities of base coordinates ({names} are the velocities), and "
            f'{strange[0]} is none; choose among them with `speeds`, or use "hamel", which takes any speeds.'
        )
    return tuple(model.velocities.index(u) for u in frame.speeds)


def _pinned(model: Model, frame: AdaptedFrame, fibre: Sequence[int]) -> dict[Symbol, Expr]:
    """Values for coordinates of the fibre that are written but cancel: generic ones, so that nothing vanishes by accident."""
    entries = [*(entry for row in frame.span_ba for entry in row), *frame.offset_a]
    steps = [step.value for step in frame.definitions]
    if free_symbols([model.lagrangian, *model.forces_a, *entries, *steps]).isdisjoint(
        model.coordinates[n] for n in fibre
    ):
        return {}
    point = generic_point(model)
    close = {model.coordinates[n]: Fraction(point[model.coordinates[n]]).limit_denominator(64) for n in fibre}
    return {q: symengine.Rational(value.numerator, value.denominator) for q, value in close.items()}


def _without(entry: Expr, pinned: Mapping[Symbol, Expr]) -> Expr:
    """An expression that does not depend on the fibre, written without it."""
    if entry.free_symbols.isdisjoint(pinned):
        return entry
    return _short(entry).xreplace(pinned)


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
) -> list[Vector]:
    r"""$B^\nu{}_{ij}\,\dot r^j + B^\nu{}_{it}$, a row for each coordinate of the fibre."""
    rows = []
    for n in fibre:
        slopes, offset = [row[n] for row in frame.span_ba], frame.offset_a[n]
        row = []
        for a_i, d_i in zip(slopes, directions, strict=True):
            B_j = [along(a_i, d_j) - along(a_j, d_i) for a_j, d_j in zip(slopes, directions, strict=True)]
            row.append(dot(B_j, frame.speeds) + along(a_i, by_time) - along(offset, d_i))
        rows.append(tuple(row))
    return rows
