r"""A field in time by the method of lines: rates at every point of a grid from compiled equations, integrated by DOP853.

.. math:: M_{ij}\,u^j_{tt} = R_i(t, s, u, u_t, u_s, u_{ss}, u_{ts}), \qquad \text{constraints } D_t(A_i u^i_t + b) = 0
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, final

import numpy as np

from anholonomy.algebra.calculus import partial
from anholonomy.algebra.expressions import Expr, Symbol, dot, free_symbols, symbol, zero
from anholonomy.algebra.steps.definitions import Solve
from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import (
    ArgumentError,
    IntegrationError,
    NotSupportedError,
    StateError,
    UnknownNameError,
    quoted,
)
from anholonomy.base.tolerances import CLEAR
from anholonomy.fields.equations import FieldEquations, field_equations
from anholonomy.fields.expressions import FieldConstraint
from anholonomy.fields.grid import (
    Lattice,
    Values,
    axes_of,
    function_of,
    lattice_of,
    numbers_of,
    on_clock,
)
from anholonomy.language.arguments import expect_mapping, finite
from anholonomy.motion.problem.one_motion import FEW_SAMPLES

if TYPE_CHECKING:
    import xarray as xr

    from anholonomy.fields.field import Field

__all__ = ["evolved"]

_REACHED = "the motion was integrated to the end"


def evolved(
    field: Field,
    grid: Any,
    boundary: Any,
    start: Any,
    until: float | None,
    times: Sequence[float] | None,
    by: str,
    scheme: str | None,
    order: int,
    tolerance: float,
) -> xr.Dataset:
    """The motion as a dataset."""
    equations = field_equations(field, by)
    jets = equations.jets
    axes = axes_of(field, grid, boundary, scheme, order)
    left = [p for p in jets.parameters if p.name not in {axis.name for axis in axes}]
    if len(left) != 1:
        raise ArgumentError(f"{field.name}: the grid must leave out one parameter, time; it leaves out {len(left)}.")
    evolution = _Evolution(field, equations, jets.parameters.index(left[0]))
    names = [p.name for p in jets.parameters]
    needed = {
        (i, axis.name): jets.of(i, (names.index(axis.name),) * 2) in evolution.inputs
        for i in range(len(field.jets.fields))
        for axis in axes
    }
    lattice = lattice_of(field, axes, boundary, needed, left[0], len(jets.fields))
    clock = _clock(field, until, times)
    if finite(tolerance) is None or not 0 < tolerance < 1:
        raise IntegrationError(f"{field.name}: tolerance={quoted(tolerance)} must be between 0 and 1, such as 1e-8.")
    motion = _Motion(evolution, lattice, _starts(field, evolution, lattice, start, float(clock[0])), float(clock[0]))
    motion.refuse_ill_posed()
    _refuse_inadmissible(field, motion)
    found, outcome = _integrated(motion, clock, tolerance)
    said = {"scheme": scheme or "differences", "order": order, "tolerance": tolerance, "by": by, "outcome": outcome}
    return _dataset(field, motion, found, said)


def _clock(field: Field, until: float | None, times: Sequence[float] | None) -> Values:
    if (until is None) == (times is None):
        raise IntegrationError(f"{field.name}: give either `until` or `times`, to say how long the motion lasts.")
    if until is not None:
        if finite(until) is None or float(until) <= 0:
            raise IntegrationError(f"{field.name}: until={quoted(until)} is no time after 0.")
        return np.linspace(0.0, float(until), FEW_SAMPLES)
    try:
        clock = np.asarray(times, dtype=float)
    except (TypeError, ValueError):
        clock = np.zeros(0)
    if clock.ndim != 1 or clock.size < 2 or not np.isfinite(clock).all() or not (np.diff(clock) > 0).all():
        raise IntegrationError(f"{field.name}: `times` must be two or more finite numbers that rise.")
    return clock


def _starts(field: Field, evolution: _Evolution, lattice: Lattice, start: Any, at: float) -> dict[str, Values]:
    jets, c = evolution.equations.jets, evolution.clock
    expect_mapping(
        start,
        f"{field.name}: the start",
        "a dict from fields and rates to texts or arrays",
        verb="is",
        refusal=ArgumentError,
    )
    rates = [jets.of(i, (c,)).name for i, twice in enumerate(evolution.second_order) if twice]
    known = [*(u.name for u in jets.fields), *rates]
    if unknown := [each for each in start if each not in known]:
        raise UnknownNameError(f"{field.name}: the start has {unknown[0]!r}; it is about {', '.join(known)}.")
    multipliers = {s.name for s in evolution.equations.multipliers}
    if missing := [each for each in known if each not in start and each not in multipliers]:
        raise ArgumentError(
            f"{field.name}: the start says nothing of {missing[0]}; give a text in the parameters, or 0."
        )
    return {each: numbers_of(field, lattice, start.get(each, 0), f"the start of {each}", at) for each in known}


def _refuse_inadmissible(field: Field, motion: _Motion) -> None:
    """Refuse starts off the constraints; ends are left out, which have conditions of their own."""
    clock, (fields, rates) = motion.evolution.clock, motion.unpacked(motion.at, motion.start)
    for c, gap in _gaps(field, motion):
        cut = tuple(slice(0 if axis.periodic else 1, None if axis.periodic else -1) for axis in motion.lattice.axes)
        size = max((float(np.abs(part).max()) for part in rates if part is not None), default=0.0)
        off = float(np.abs(gap(motion.at, fields, rates)[cut]).max())
        if off > CLEAR * (1.0 + size):
            name = field.jets.parameters[clock].name
            raise StateError(
                f"{field.name}: the start violates the constraint {c.text} by {off:.3g}; give rates along {name} that satisfy it."
            )


def _gaps(field: Field, motion: _Motion) -> list[tuple[FieldConstraint, Callable[..., Values]]]:
    """Constraints whose rates are states, as functions over the grid."""
    clock = motion.evolution.clock
    return [
        (c, _over_grid(field, motion, c.equations(field.jets)[c.directions.index(clock)]))
        for c in field.constraints
        if clock in c.directions and all(motion.twice[i] for i, A in enumerate(c.row) if A != 0)
    ]


def _integrated(motion: _Motion, clock: Values, tolerance: float) -> tuple[tuple[Values, Values], str]:
    from scipy.integrate import DOP853

    solver = DOP853(
        motion,
        clock[0],
        motion.start,
        clock[-1],
        rtol=tolerance,
        atol=tolerance * max(1e-3, np.abs(motion.start).max()),
    )
    states, filled, outcome = np.full((clock.size, motion.start.size), np.nan), 1, _REACHED
    states[0] = motion.start
    try:
        while solver.status == "running":
            said = solver.step()
            if solver.status == "failed" or not np.isfinite(solver.y).all():
                outcome = f"the motion ended at t = {solver.t:.6g}: {said or 'it ceased to be finite'}"
                break
            dense = solver.dense_output()
            while filled < clock.size and clock[filled] <= solver.t:
                states[filled] = solver.y if clock[filled] == solver.t else dense(clock[filled])
                filled += 1
    except KeyboardInterrupt:
        outcome = f"the integration was interrupted at t = {solver.t:.6g}; the motion up to that time is kept"
    return (clock[:filled], states[:filled]), outcome


def _dataset(field: Field, motion: _Motion, found: tuple[Values, Values], said: Mapping[str, Any]) -> xr.Dataset:
    import xarray as xr

    (clock, states), lattice, jets = found, motion.lattice, motion.jets
    name = jets.parameters[motion.evolution.clock].name
    dims = (name, *(axis.name for axis in lattice.axes))
    unpacked = [motion.unpacked(float(t), y) for t, y in zip(clock, states, strict=True)]
    data: dict[str, Any] = {}
    for i, u in enumerate(jets.fields):
        data[u.name] = (dims, np.array([fields[i] for fields, _ in unpacked]))
        if motion.twice[i]:
            data[motion.rate_name(i)] = (dims, np.array([rates[i] for _, rates in unpacked]))
    for label, density in _observed(field, motion).items():
        data[label] = (name, np.array([density(float(t), *both) for t, both in zip(clock, unpacked, strict=True)]))
    coords = {name: clock, **{axis.name: axis.points for axis in lattice.axes}}
    constants = {f"constant {key}": value for key, value in field.constant_items if value is not None}
    return xr.Dataset(data, coords=coords, attrs={"field": field.name, **said, **constants})


def _observed(field: Field, motion: _Motion) -> dict[str, Callable[..., float]]:
    """The energy, where there is a Lagrangian, and how far constraints are violated."""
    jets, clock = field.jets, motion.evolution.clock
    found: dict[str, Callable[..., float]] = {}
    if field.lagrangian is not None:
        momenta = [row[clock] for row in field.momentum_ia]
        density = dot(momenta, jets.first(clock)) - field.lagrangian
        # The energy of a field of first order has no rates: they are in the Lagrangian linearly, and cancel.
        once = [u for u, twice in zip(jets.first(clock), motion.twice, strict=False) if not twice]
        if all(is_zero(partial(density, u)) for u in once):
            value = _over_grid(field, motion, density.xreplace(dict.fromkeys(once, zero)))
            found["energy"] = lambda t, fields, rates: motion.lattice.integral(value(t, fields, rates))
    for c, gap in _gaps(field, motion):
        label = f"residual_{field.constraints.index(c) + 1}"
        found[label] = lambda t, fields, rates, gap=gap: float(np.abs(gap(t, fields, rates)).max())
    return found


def _over_grid(field: Field, motion: _Motion, value: Expr) -> Callable[..., Values]:
    names = [symbol(axis.name) for axis in motion.lattice.axes]
    clock = motion.jets.parameters[motion.evolution.clock]
    inputs = sorted((s for s in value.free_symbols if s in motion.jets.names), key=str)
    function = function_of(field, [value], [*names, *inputs], clock)

    def over(t: float, fields: Sequence[Values], rates: Sequence[Values | None]) -> Values:
        jets = np.array([motion.jet(s, fields, rates).ravel() for s in inputs]).reshape(
            len(inputs), motion.mesh.shape[1]
        )
        return np.asarray(function(t, np.concatenate([motion.mesh, jets]))[0].reshape(motion.lattice.shape))

    return over


@final
@dataclass(frozen=True, eq=False)
class _Evolution:
    """Equations solved for the highest rates of their fields."""

    field: Field
    equations: FieldEquations
    clock: int

    @cached_property
    def second_order(self) -> tuple[bool, ...]:
        """Whether a field's second rate occurs in the equations, or it is bound to one whose does; its first is a state then."""
        jets = self.equations.jets
        used = free_symbols(self.equations.inside)
        twice = [jets.of(i, (self.clock, self.clock)) in used for i in range(len(jets.fields))]
        bound = [[i for i, A in enumerate(c.row) if A != 0] for c in self.field.constraints]
        for _ in bound:
            for together in bound:
                if any(twice[i] for i in together):
                    for i in together:
                        twice[i] = True
        return tuple(twice)

    @cached_property
    def unknowns(self) -> tuple[Symbol, ...]:
        jets, c = self.equations.jets, self.clock
        return tuple(jets.of(i, (c, c) if twice else (c,)) for i, twice in enumerate(self.second_order))

    @cached_property
    def rows(self) -> tuple[Expr, ...]:
        """Equations affine in the unknowns, as many as these."""
        field, jets = self.field, self.equations.jets
        rows = list(self.equations.inside)
        for c in field.constraints:
            if c.directions != (self.clock,):
                self._refuse_other_directions(c.everywhere)
            said = c.equations(field.jets)[c.directions.index(self.clock)]
            twice = any(self.second_order[i] for i in range(len(field.jets.fields)) if c.row[i] != 0)
            rows.append(jets.total(said, self.clock) if twice else said)
        return tuple(rows)

    def _refuse_other_directions(self, everywhere: bool) -> None:
        field = self.field
        if not everywhere:
            raise NotSupportedError(
                f"{field.name}: a constraint without rates in time restricts every instant, and no instant follows from the one before; solve it and put it in."
            )
        if any(not is_zero(each) for each in field.constraint.compatibility):
            raise NotSupportedError(
                f"{field.name}: its constraints hold in every direction, which demands {field.constraint.compatibility[0]} = 0 of "
                "every map besides; that is no evolution in time. Constrain one direction, or take a leaf."
            )

    @cached_property
    def system(self) -> tuple[list[list[Expr]], list[Expr]]:
        matrix = [[partial(row, z) for z in self.unknowns] for row in self.rows]
        if not free_symbols([e for row in matrix for e in row]).isdisjoint(self.unknowns):
            raise NotSupportedError(
                f"{self.field.name}: its equations are not linear in their highest rates; that is not solved here."
            )
        if any(all(is_zero(row[j]) for row in matrix) for j in range(len(self.unknowns))):
            bare = next(j for j in range(len(self.unknowns)) if all(is_zero(row[j]) for row in matrix))
            raise NotSupportedError(
                f"{self.field.name}: no equation has a rate of {self.equations.jets.fields[bare]} in time; ask for `stationary`."
            )
        return matrix, [-row.xreplace(dict.fromkeys(self.unknowns, zero)) for row in self.rows]

    @cached_property
    def inputs(self) -> list[Symbol]:
        """Derivatives that the rates are computed from."""
        matrix, right = self.system
        used = free_symbols([*(e for row in matrix for e in row), *right])
        return sorted((s for s in used if s in self.equations.jets.names), key=str)

    def rates(self, names: Sequence[Symbol]) -> Callable[[float, Values], Values]:
        matrix, right = self.system
        p = self.equations.jets.parameters[self.clock]
        renamed = on_clock(p)
        targets = tuple(symbol(f"$z{k}") for k in range(len(self.unknowns)))
        solve = Solve(
            targets,
            tuple(tuple(e.xreplace(renamed) for e in row) for row in matrix),
            tuple(e.xreplace(renamed) for e in right),
        )
        return function_of(self.field, targets, [*names, *self.inputs], p, (solve,))


@final
class _Motion:
    """The state of a field on its lattice, packed and unpacked."""

    def __init__(self, evolution: _Evolution, lattice: Lattice, start: Mapping[str, Values], at: float) -> None:
        self.evolution, self.lattice = evolution, lattice
        jets = evolution.equations.jets
        self.jets, self.twice = jets, evolution.second_order
        self.axis_of = {[p.name for p in jets.parameters].index(axis.name): k for k, axis in enumerate(lattice.axes)}
        names = [symbol(axis.name) for axis in lattice.axes]
        self.function = evolution.rates(names)
        self.mesh = np.array([each.ravel() for each in lattice.mesh])
        self.fields = range(len(jets.fields))
        values = [start[u.name] for u in jets.fields]
        self.given = [lattice.boundary(i, values[i]) for i in self.fields]
        self.given_rate = [lattice.boundary(i, values[i], rate=True) for i in self.fields]
        self.cuts = [lattice.kept(i) for i in self.fields]
        self.shapes = [values[i][self.cuts[i]].shape for i in self.fields]
        rate = [start.get(self.rate_name(i)) for i in self.fields]
        parts = [values[i][self.cuts[i]].ravel() for i in self.fields]
        parts += [rate[i][self.cuts[i]].ravel() for i in self.fields if self.twice[i]]  # type: ignore[index]
        self.start = np.concatenate(parts)
        self.at = at

    def rate_name(self, i: int) -> str:
        return str(self.jets.of(i, (self.evolution.clock,)).name)

    def unpacked(self, t: float, y: Values) -> tuple[list[Values], list[Values | None]]:
        """Fields and rates at all points."""
        sizes = [int(np.prod(shape)) for shape in self.shapes]
        place, fields, rates = 0, list[Values](), list[Values | None]()
        for i in self.fields:
            part = y[place : place + sizes[i]].reshape(self.shapes[i])
            fields.append(self.lattice.whole(i, part, self.given[i](t)))
            place += sizes[i]
        for i in self.fields:
            if not self.twice[i]:
                rates.append(None)
                continue
            part = y[place : place + sizes[i]].reshape(self.shapes[i])
            rates.append(self.lattice.whole(i, part, self.given_rate[i](t)))
            place += sizes[i]
        return fields, rates

    def jet(self, s: Symbol, fields: Sequence[Values], rates: Sequence[Values | None]) -> Values:
        i, way = self.jets.names[s]
        clock = self.evolution.clock
        space = [self.axis_of[a] for a in way if a != clock]
        base = rates[i] if clock in way else fields[i]
        if base is None:
            raise NotSupportedError(
                f"{self.evolution.field.name}: {s} mixes rates and derivatives of {self.jets.fields[i]}, whose rate is no state; that is not solved here."
            )
        return self.lattice.derived(base, space)

    def highest(
        self, t: float, fields: Sequence[Values], rates: Sequence[Values | None], more: Mapping[Symbol, float] = {}
    ) -> Values:
        """The unknown rates at all points; ``more`` is added to derivatives by name."""
        jets = [(self.jet(s, fields, rates) + more.get(s, 0.0)).ravel() for s in self.evolution.inputs]
        return self.function(t, np.concatenate([self.mesh, np.array(jets).reshape(len(jets), self.mesh.shape[1])]))

    def __call__(self, t: float, y: Values) -> Values:
        fields, rates = self.unpacked(t, y)
        highest = self.highest(t, fields, rates).reshape(len(fields), *self.lattice.shape)
        parts = [(rates[i] if self.twice[i] else highest[i])[self.cuts[i]].ravel() for i in self.fields]  # type: ignore[index]
        parts += [highest[i][self.cuts[i]].ravel() for i in self.fields if self.twice[i]]
        return np.concatenate(parts)

    def refuse_ill_posed(self) -> None:
        """Refuse where rates are not determined, or waves of some direction grow, the faster the shorter, without bound."""
        t = self.at
        fields, rates = self.unpacked(t, self.start)
        base = self.highest(t, fields, rates)
        if not np.isfinite(base).all():
            raise ArgumentError(
                f"{self.evolution.field.name}: at the start its equations do not determine the rates in time; look for constraints that repeat "
                "others, fields without inertia, and divisions by zero."
            )

        def slope(way: tuple[int, ...]) -> Values:
            """How the highest rates depend on one kind of derivative of every field."""
            found = np.zeros((base.shape[1], len(self.fields), len(self.fields)))
            for j in self.fields:
                if (s := self.jets.of(j, way)) in self.evolution.inputs:
                    found[:, :, j] = (self.highest(t, fields, rates, {s: 1.0}) - base).T
            return np.nan_to_num(found)

        space, clock = list(self.axis_of), self.evolution.clock
        second = {(a, b): slope((a, b)) for k, a in enumerate(space) for b in space[k:]}
        mixed = {a: slope((clock, a)) for a in space}
        for n in _directions(len(space)):
            part = dict(zip(space, n, strict=True))
            K = sum(part[a] * part[b] * value for (a, b), value in second.items())
            B = sum(part[a] * value for a, value in mixed.items())
            names = " and ".join(self.jets.parameters[a].name for a in space if part[a])
            # A grid does not see the slope of its shortest wave, which grows where waves of both directions run one way.
            if _grows(np.asarray(K), 0 * np.asarray(B), np.array(self.twice)):
                if not _grows(np.asarray(K), np.asarray(B), np.array(self.twice)):
                    raise NotSupportedError(
                        f"{self.evolution.field.name}: all its waves run one way along {names}, which no grid at rest follows; "
                        "write the field in parameters that move with it."
                    )
                raise ArgumentError(
                    f"{self.evolution.field.name}: in time and {names} the equations are elliptic (or diffuse backward) at the start, so that short waves "
                    "grow without bound; ask for `stationary`, or turn the sign."
                )


def _directions(size: int) -> list[tuple[float, ...]]:
    """Unit vectors of which every other is near, up to its sign; the axes first."""
    axes = [tuple(map(float, row)) for row in np.eye(size)]
    between = [tuple(v / np.linalg.norm(v)) for v in map(np.array, product((-2, -1, 0, 1, 2), repeat=size)) if v.any()]
    return [*axes, *(v for v in between if next(x for x in v if x) > 0)]


def _grows(K: Values, B: Values, twice: Values) -> bool:
    r"""Whether $u_{tt} = B u_{ts} + K u_{ss}$, or $u_t = K u_{ss}$ for fields of first order, has waves that grow."""
    once = K[np.ix_(np.arange(len(K)), ~twice, ~twice)]
    scale = np.abs(once).max(initial=0.0)
    if scale and (np.linalg.eigvals(once).real < -1e-9 * scale).any():
        return True
    K, B = (part[np.ix_(np.arange(len(part)), twice, twice)] for part in (K, B))
    speed = max(np.sqrt(np.abs(K).max(initial=0.0)), np.abs(B).max(initial=0.0))
    if not speed:
        return False
    # exp(i k s + m k t): m^2 = i B m - K; speeds are measured by the largest.
    size = K.shape[1]
    matrix = np.zeros((len(K), 2 * size, 2 * size), complex)
    matrix[:, :size, size:] = np.eye(size)
    matrix[:, size:, :size], matrix[:, size:, size:] = -K / speed**2, 1j * B / speed
    # Double roots are known to half the digits.
    return bool((np.linalg.eigvals(matrix).real > 1e-6).any())
