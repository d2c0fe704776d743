r"""Sets of states that motions do not leave, such as upright rolling, and the equations of the multiplier on them.

Velocities vanish there, coordinates are 0 or equal, a body's axis is level or upright:

.. math:: w^i = 0, \qquad q^j = 0, \qquad q^j = q^k, \qquad R_{kj} \in \{0, 1, -1\}

Whether motions leave such a set is seen from the accelerations at random points of it, in doubles. The few that remain are
examined in formulas, which are short there even where those of the system are not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, product
from typing import Any, final

import flint
import numpy as np
import symengine

from anholonomy.algebra.calculus import along, partial
from anholonomy.algebra.expressions import (
    Expr,
    Matrix,
    Symbol,
    Vector,
    dot,
    free_symbols,
    identity,
    matrix_vector,
    symbol,
    time,
    zero,
)
from anholonomy.algebra.linear_algebra.symbolic import nullspace, solve
from anholonomy.algebra.numbers.balls import FEW_DIGITS, Ball, precision
from anholonomy.algebra.numbers.doubles import kernel
from anholonomy.algebra.short_forms_on_groups import shortened
from anholonomy.algebra.simplification.simplify import simplify_vector
from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.caching import cached_property
from anholonomy.base.deadlines import check
from anholonomy.base.tolerances import HALF
from anholonomy.equations.lagrangian import VariationalDerivative, variational_derivative
from anholonomy.equations.principles.vakonomic import Vakonomic
from anholonomy.geometry.groups import SO3
from anholonomy.geometry.groups.so3 import rotation_matrix
from anholonomy.programs.backends import BACKENDS
from anholonomy.programs.backends.base import Array
from anholonomy.programs.program import lower
from anholonomy.system.constraints import Kind
from anholonomy.system.model import Model
from anholonomy.system.states.random_states import admissible_points
from anholonomy.vakonomic.comparison.multiplier_equations import MultiplierEquations, of_constraint

__all__ = ["SPIN", "TURN", "AxisPose", "InvariantPlane", "OnPlane", "equations_of", "invariant_planes", "on_plane"]

TURN, SPIN = symbol("_turn"), symbol("_spin")
"""Half angles of a pose, with names that nobody can write."""
_AT_ONCE, _VELOCITIES = 2, 7
"""Conditions on a configuration at once, and velocities of a system whose zeros are gone through."""
_POINTS = 2
"""Points at which sets of zeros are looked for."""


# Sets that motions stay in, as far as numbers tell.


def invariant_planes(model: Model) -> list[InvariantPlane]:
    """The sets that motions of a system with linear constraints stay in, as far as numbers tell; those with the fewest equations first."""
    plain = model.independent
    if plain.kinds & ~(Kind.LINEAR | Kind.REDUNDANT) or len(plain.velocities) > _VELOCITIES:
        return []
    if time in free_symbols([plain.lagrangian, *(c.expression for c in plain.constraints)]):
        return []
    look = _Look(plain)
    found: dict[InvariantPlane, int] = {}
    for fixed, pose in look.places():
        for count in range(len(plain.velocities)):
            for some in combinations(plain.velocities, count):
                check()
                met = look.closed(InvariantPlane(frozenset(some), fixed, pose))
                if met is not None:
                    found.setdefault(*met)
    whole = InvariantPlane(frozenset())
    return sorted((p for p in found if p != whole), key=lambda p: (found[p], len(p.fixed) + (p.pose is not None)))


@final
@dataclass(frozen=True)
class InvariantPlane:
    """Velocities that vanish, coordinates with what they equal, and a pose."""

    zeros: frozenset[Symbol]
    fixed: tuple[tuple[Symbol, Expr], ...] = ()
    pose: AxisPose | None = None

    def lies_in(self, other: InvariantPlane) -> bool:
        """Whether it satisfies every equation of another."""
        posed = other.pose is None or (self.pose is not None and self.pose.lies_in(other.pose))
        return posed and other.zeros <= self.zeros and set(other.fixed) <= set(self.fixed)


@final
class _Look:
    """Accelerations of a model in doubles, at random points of planes."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.rng = np.random.default_rng(5)
        with precision(FEW_DIGITS):
            states = admissible_points(model, FEW_DIGITS)
            self.points = [{s: float(v.mid()) for s, v in next(states).items()} for _ in range(_POINTS)]
        self.seen: dict[InvariantPlane, tuple[InvariantPlane, int] | None] = {}
        self.known: dict[tuple[object, ...], tuple[dict[Symbol, float], Array, Array]] = {}

    @cached_property
    def _functions(self) -> Any:
        model = self.model
        E = variational_derivative(model.replaced(constraints=()))
        outputs = {
            "A": [e for row in model.matrix_na for e in row],
            "anchor": [e for row in model.frame.anchor_ai for e in row],
            "M": [e for row in E.mass_ab for e in row],
            "h": list(E.bias_a),
            "b": list(model.bias_n),
        }
        states = (*model.coordinates, *model.velocities)
        flat = [e for part in outputs.values() for e in part]
        return BACKENDS["numpy"].compile(lower(states, model.parameter_symbols, [], flat))

    def _at(self, q: Mapping[Symbol, float], w: Array, values: Mapping[Symbol, float]) -> tuple[Array, ...]:
        model = self.model
        n, m, k = len(w), len(model.constraints), len(model.coordinates)
        x = np.array([*(q[s] for s in model.coordinates), *w])
        with np.errstate(all="ignore"):  # a plane may lie where something is divided by zero
            flat = self._functions(0.0, x, np.array([values[p] for p in model.parameter_symbols], dtype=float))
        ends = np.cumsum([m * n, n * k, n * n, n])
        A, anchor, M, h, b = np.split(np.asarray(flat, dtype=float), ends)
        return A.reshape(m, n), anchor.reshape(n, k), M.reshape(n, n), h, b

    def places(self) -> Iterator[tuple[tuple[tuple[Symbol, Expr], ...], AxisPose | None]]:
        """No condition, one, some at once; all angles equal; the poses of a body."""
        model = self.model
        used = free_symbols([model.lagrangian, *(e for row in model.matrix_na for e in row)])
        free = [q for q in model.coordinates if q in used and q not in model.redundant_coordinates]
        kinds = dict(zip(model.coordinates, model.coordinate_kinds, strict=True))
        angles = [q for q in free if kinds[q] == "angle"]
        equal = [(b, a) for a, b in combinations(angles, 2)]
        single: list[tuple[Symbol, Expr]] = [*((q, zero) for q in free), *equal]
        some = chain.from_iterable(combinations(single, count) for count in range(_AT_ONCE + 1))
        every = tuple((q, angles[0]) for q in angles[1:])
        sets = [each for each in some if len({q for q, _ in each}) == len(each)]
        yield from ((each, None) for each in sets)
        if len(every) > _AT_ONCE:
            yield every, None
        if isinstance(model.group, SO3) and not used.isdisjoint(model.redundant_coordinates):
            yield from (((), pose) for pose in _every_pose())

    def closed(self, plane: InvariantPlane) -> tuple[InvariantPlane, int] | None:
        """The plane with every velocity that vanishes on it, and how many speeds it is short of; None where motions leave it."""
        here = [self._directions(plane, k) for k in range(_POINTS)]
        if not here[0].shape[1] or here[0].shape != here[1].shape:
            return None
        gone = np.abs(np.hstack(here)).max(axis=1) < HALF
        zeros = frozenset(w for w, none in zip(self.model.velocities, gone, strict=True) if none)
        found = InvariantPlane(zeros, plane.fixed, plane.pose)
        if plane.pose is not None and not zeros:
            return None  # a pose is kept by what does not turn
        if found not in self.seen:
            stays = all(self._stays(found, basis, k) for k, basis in enumerate(here))
            A = self._matrices(found, 0)[1]
            self.seen[found] = (found, kernel(A, 1.0, HALF).shape[1] - here[0].shape[1]) if stays else None
        return self.seen[found]

    def _matrices(self, plane: InvariantPlane, k: int) -> tuple[dict[Symbol, float], Array, Array]:
        """The configuration, the constraints and the anchor at a point of a plane."""
        key = plane.fixed, plane.pose, k
        if key not in self.known:
            q = self._place(plane, self.points[k])
            A, anchor, *_ = self._at(q, np.zeros(len(self.model.velocities)), self.points[k])
            self.known[key] = q, A, anchor
        return self.known[key]

    def _directions(self, plane: InvariantPlane, k: int) -> Array:
        """The admissible velocities along a plane, as columns."""
        q, A, anchor = self._matrices(plane, k)
        if not (np.isfinite(A).all() and np.isfinite(anchor).all()):
            return np.zeros((len(self.model.velocities), 0))
        free = [i for i, w in enumerate(self.model.velocities) if w not in plane.zeros]
        basis = _lifted(kernel(A[:, free], 1.0, HALF), free, len(self.model.velocities))
        return self._tangent(basis, plane, anchor, q)

    def _stays(self, plane: InvariantPlane, basis: Array, k: int) -> bool:
        """Whether the velocities that vanish go on doing so."""
        value = basis @ self.rng.uniform(0.5, 2.0, basis.shape[1])
        A, _, M, h, b = self._at(self._matrices(plane, k)[0], value, self.points[k])
        system = np.block([[M, A.T], [A, np.zeros((len(A), len(A)))]])
        if not (np.isfinite(system).all() and np.isfinite(h).all() and np.isfinite(b).all()):
            return False
        try:
            rates = np.linalg.solve(system, np.concatenate([-h, -b]))[: len(value)]
        except np.linalg.LinAlgError:
            return False
        still = [i for i, w in enumerate(self.model.velocities) if w in plane.zeros]
        size = max(1.0, float(np.abs(rates).max()))
        return bool(np.isfinite(rates).all() and np.abs(rates[still]).max(initial=0.0) <= HALF * size)

    def _place(self, plane: InvariantPlane, point: Mapping[Symbol, float]) -> dict[Symbol, float]:
        q = {s: point[s] for s in self.model.coordinates}
        if plane.pose is not None and self.model.group is not None:
            turned = plane.pose.quaternion(0.37 + point[self.model.coordinates[0]], 0.61, math.cos, math.sin, math.sqrt)
            q |= dict(zip(self.model.group.coordinates, turned, strict=True))
        return q | {s: 0.0 if value == 0 else q[value] for s, value in plane.fixed}

    def _tangent(self, basis: Array, plane: InvariantPlane, anchor: Array, q: Mapping[Symbol, float]) -> Array:
        """The directions among some along which the coordinates keep their conditions."""
        names = list(self.model.coordinates)
        rows = [anchor[:, names.index(s)] - (0 if v == 0 else anchor[:, names.index(v)]) for s, v in plane.fixed]
        if plane.pose is not None:
            rows += self._pose_rates(plane.pose, q)
        return basis @ kernel(np.array(rows) @ basis, 1.0, HALF) if rows and basis.shape[1] else basis

    def _pose_rates(self, pose: AxisPose, q: Mapping[Symbol, float]) -> list[Array]:
        r"""$\dot R_{kj} = R_{ka}\epsilon_{abj}w^b$, and for an axis along another also its other entries."""
        group = self.model.group
        if group is None:
            return []
        R = [float(self.model.named[_entry_of(self.model, pose.k, a)].xreplace(dict(q))) for a in range(3)]
        spin = [list(self.model.velocities).index(w) for w in group.speeds]
        rows = []
        for column in (pose.j,) if pose.value == 0 else ((pose.j + 1) % 3, (pose.j + 2) % 3):
            row = np.zeros(len(self.model.velocities))
            one, two = (column + 1) % 3, (column + 2) % 3
            row[spin[one]], row[spin[two]] = -R[two], R[one]
            rows.append(row)
        return rows


def _lifted(columns: Array, places: list[int], size: int) -> Array:
    found = np.zeros((size, columns.shape[1]))
    found[places] = columns
    return found


# The multiplier's equations on a set, written there and nowhere else.
#
# .. math::
#    w = n_i(q)\,s^i, \qquad n_j\cdot(M\dot w + h) = 0 \ \Rightarrow\ \dot s, \qquad X_b\cdot(M\dot w + h) = 0 \ \ \forall b
#
# The last equations, for all admissible directions, say that motions do not leave the set: then d'Alembert's principle holds along the curves in it.


def on_plane(model: Model, plane: InvariantPlane) -> OnPlane | None:
    """The equations on a plane of a model with independent linear constraints; None where motions are not proven to stay in it."""
    on = None if plane.pose is not None else model.frame.orbit
    place = _place(model, plane)

    def here(e: Expr) -> Expr:
        return shortened(e.xreplace(place), on)

    A = tuple(tuple(map(here, row)) for row in model.matrix_na)
    n = _directions(model, plane, A, here)
    if not n:
        return None
    speeds = _speeds(model, n)
    w = tuple(dot(speeds, column) for column in zip(*n, strict=True))
    put = {**place, **dict(zip(model.velocities, w, strict=True))}
    rates = _coordinate_rates(model, plane, put)
    lagrangian = variational_derivative(model.replaced(constraints=()))
    M = tuple(tuple(map(here, row)) for row in lagrangian.mass_ab)
    h = tuple(e.xreplace(put) for e in lagrangian.bias_a)
    check()
    bent = tuple(along(e, rates) for e in w)  # with the speeds held fixed
    pushed = tuple(a + b for a, b in zip(matrix_vector(M, bent), h, strict=True))
    gram = [[dot(x, matrix_vector(M, y)) for y in n] for x in n]
    try:
        (slopes,) = solve(gram, [[-dot(x, pushed) for x in n]])
    except ZeroDivisionError:
        return None
    rates |= dict(zip(speeds, simplify_vector(slopes), strict=True))
    turned = tuple(along(e, rates) for e in w)
    force = tuple(a + b for a, b in zip(matrix_vector(M, turned), h, strict=True))
    X = nullspace(A)
    if not all(is_zero(dot(x, force), on) for x in X):
        return None
    Z = _across(A)
    bends = [_along_motion(of_constraint(model, c.expression), put, turned) for c in model.constraints]
    equations = MultiplierEquations(
        multipliers=Vakonomic.costates(model),
        N_bn=tuple(tuple(shortened(dot(x, E), on) for E in bends) for x in X),
        R_nn=tuple(tuple(shortened(-dot(z, E), on) for E in bends) for z in Z),
        nu_n=tuple(shortened(dot(z, force), on) for z in Z),
        rates={**rates, time: symengine.Integer(1)},
        speeds=speeds,
        on=on,
        model=model,
    )
    return OnPlane(equations, put)


@final
@dataclass(frozen=True)
class OnPlane:
    """The equations there, and what stands for coordinates and velocities of the system."""

    equations: MultiplierEquations
    put: Mapping[Symbol, Expr]


def equations_of(model: Model, plane: InvariantPlane) -> tuple[tuple[Symbol, Expr], ...] | None:
    """The plane as equations; None where more than zeros and equal rates cut it out."""
    on, place = (None if plane.pose is not None else model.frame.orbit), _place(model, plane)

    def here(e: Expr) -> Expr:
        return shortened(e.xreplace(place), on)

    A = tuple(tuple(map(here, row)) for row in model.matrix_na)
    unit = dict(zip(model.velocities, identity(len(model.velocities)), strict=True))
    rate = dict(zip(model.coordinates, (symbol(f"{q.name}'") for q in model.coordinates), strict=True))
    rows = {(w, zero): unit[w] for w in sorted(plane.zeros, key=str)}
    for q, other in plane.fixed:
        if other in rate and rate[q] in unit and rate[other] in unit and rate[q] not in plane.zeros:
            pair = unit[rate[q]], unit[rate[other]]
            rows[rate[q], rate[other]] = tuple(a - b for a, b in zip(*pair, strict=True))
    size = len(_directions(model, plane, A, here))
    if len(nullspace((*A, *rows.values()))) != size:
        return None
    posed = (
        ()
        if plane.pose is None
        else ((_entry_of(model, plane.pose.k, plane.pose.j), symengine.Integer(plane.pose.value)),)
    )
    return (*rows, *plane.fixed, *posed)


def _directions(model: Model, plane: InvariantPlane, A: Matrix, here: Callable[[Expr], Expr]) -> Matrix:
    """The admissible velocities along the plane, a row each."""
    unit = identity(len(model.velocities))
    rows = [*A, *(unit[k] for k, w in enumerate(model.velocities) if w in plane.zeros)]
    anchor = {q: tuple(here(row[i]) for row in model.frame.anchor_ai) for i, q in enumerate(model.coordinates)}
    for q, value in plane.fixed:
        still = anchor.get(value, (zero,) * len(unit))
        rows.append(tuple(a - b for a, b in zip(anchor[q], still, strict=True)))
    if plane.pose is not None and model.group is not None:
        rows += _pose_rates(model, plane, here)
    return nullspace(tuple(rows))


def _pose_rates(model: Model, plane: InvariantPlane, here: Callable[[Expr], Expr]) -> list[Vector]:
    r"""$\dot R_{kj} = R_{ka}\epsilon_{abj}w^b$ of the entries that keep their values."""
    if plane.pose is None or model.group is None:
        return []
    entries = dict(zip(model.coordinates, zip(*model.frame.anchor_ai, strict=True), strict=True))
    k, j = plane.pose.k, plane.pose.j
    rows = []
    for column in (j,) if plane.pose.value == 0 else ((j + 1) % 3, (j + 2) % 3):
        R = model.named[_entry_of(model, k, column)]
        slopes = {q: partial(R, q) for q in model.group.coordinates}
        row = [dot(tuple(slopes.values()), [entries[q][a] for q in slopes]) for a, _ in enumerate(model.velocities)]
        rows.append(tuple(map(here, row)))
    return rows


def _speeds(model: Model, n: Matrix) -> tuple[Symbol, ...]:
    """Names of the speeds along some directions: a velocity that is such a speed, and otherwise one that nobody can write."""
    unit = identity(len(n))
    own = {column: w for w, column in reversed(list(zip(model.velocities, zip(*n, strict=True), strict=True)))}
    return tuple(own.get(row, symbol(f"_s{i}")) for i, row in enumerate(unit))


def _place(model: Model, plane: InvariantPlane) -> dict[Symbol, Expr]:
    """What stands for coordinates."""
    found = dict(plane.fixed)
    if plane.pose is not None and model.group is not None:
        turned = plane.pose.quaternion(TURN, SPIN, symengine.cos, symengine.sin, symengine.sqrt)
        found |= dict(zip(model.group.coordinates, map(symengine.sympify, turned), strict=True))
    return found


def _coordinate_rates(model: Model, plane: InvariantPlane, put: Mapping[Symbol, Expr]) -> dict[Symbol, Expr]:
    """The rates of what is free on the plane: coordinates, or the half angles of a pose."""
    flow = {q: e.xreplace(dict(put)) for q, e in model.frame.coordinate_rates(model.velocities).items()}
    rates = {q: e for q, e in flow.items() if q not in put}
    if plane.pose is None or model.group is None:
        return rates
    own = model.group.speeds
    level = [model.named[_entry_of(model, plane.pose.k, a)].xreplace(dict(put)) for a in range(3)]
    rates[TURN] = dot(level, [put[w] for w in own]) / 2
    if plane.pose.value == 0:
        rates[SPIN] = put[own[plane.pose.j]] / 2
    return rates


def _across(A: Matrix) -> Matrix:
    r"""$Z = A^{\mathsf T}(AA^{\mathsf T})^{-1}$, so that $A^\lambda(Z_\kappa) = \delta^\lambda_\kappa$: the forces are known here, and need no inertia."""
    weights = solve([[dot(r, s) for s in A] for r in A], identity(len(A)))
    return tuple(tuple(dot(w, entries) for entries in zip(*A, strict=True)) for w in weights)


def _along_motion(E: VariationalDerivative, put: Mapping[Symbol, Expr], turned: Vector) -> Vector:
    here = dict(put)
    rows = [[e.xreplace(here) for e in row] for row in E.mass_ab]
    return tuple(dot(row, turned) + h.xreplace(here) for row, h in zip(rows, E.bias_a, strict=True))


# Attitudes of a body with an axis level to an axis in space, or along it, by quaternions.
#
# .. math:: R_{kj} = c \in \{0, \pm1\}: \qquad q = e^{\psi e_k/2}\,p_0\,e^{\alpha e_j/2}


@final
@dataclass(frozen=True)
class AxisPose:
    r"""$R_{kj} = c$; the axes are counted from 0.

    >>> import math
    >>> q = AxisPose(2, 0, 0).quaternion(0.3, 0.8, math.cos, math.sin, math.sqrt)
    >>> abs(2 * (q[1] * q[3] - q[0] * q[2])) < 1e-15, round(sum(e**2 for e in q), 12)
    (True, 1.0)
    """

    k: int
    j: int
    value: int

    def quaternion(
        self, turn: Any, spin: Any, cos: Callable[[Any], Any], sin: Callable[[Any], Any], sqrt: Callable[[Any], Any]
    ) -> list[Any]:
        """The attitude from two half angles, in the arithmetic of the given functions."""
        first = self._first(1 / sqrt(2))
        return _times(_times(_about(self.k, turn, cos, sin), first), _about(self.j, spin, cos, sin))

    def _first(self, c: Any) -> list[Any]:
        """An attitude with this entry: a turn by nothing, by a right angle or by two, about an axis that is neither."""
        third = next(i for i in range(3) if i not in (self.k, self.j))
        axis = [int(i == third) for i in range(3)]
        if self.k == self.j:
            return {0: [c, *(c * e for e in axis)], 1: [1, 0, 0, 0], -1: [0, *axis]}[self.value]
        if self.value == 0:
            return [1, 0, 0, 0]
        # A right angle about the third axis brings axis j to axis k where (j, k, third) is cyclic, else to its opposite.
        sign = self.value if (self.k - self.j) % 3 == 1 else -self.value
        return [c, *(sign * c * e for e in axis)]

    def half_angles(self, q: Sequence[Ball], sqrt: Callable[[Any], Any]) -> tuple[Ball, Ball]:
        """The half angles of an attitude of this kind, up to half turns of both."""
        spin = flint.arb(0)
        if self.value == 0:
            plain = [_level(self.k, a, self._first(1 / sqrt(flint.arb(2)))) for a in range(3)]
            now = [_level(self.k, a, q) for a in range(3)]
            one, two = (self.j + 1) % 3, (self.j + 2) % 3
            across = now[one] * plain[two] - now[two] * plain[one]
            spin = flint.arb.atan2(across, now[one] * plain[one] + now[two] * plain[two]) / 2
        first = _times(self._first(1 / sqrt(flint.arb(2))), _about(self.j, spin, flint.arb.cos, flint.arb.sin))
        turned = _times(list(q), [first[0], *(-e for e in first[1:])])
        return flint.arb.atan2(turned[1 + self.k], turned[0]), spin

    def lies_in(self, other: AxisPose) -> bool:
        """Whether each such attitude is one of the other: an axis along another is level to the rest."""
        along = self.value != 0 and other.value == 0 and (self.k == other.k) != (self.j == other.j)
        return self == other or along


def _every_pose() -> Iterator[AxisPose]:
    """All of them."""
    yield from (AxisPose(k, j, c) for c, k, j in product((0, 1, -1), range(3), range(3)))


def _level(k: int, a: int, q: Sequence[Any]) -> Any:
    """The entry R_ka of the rotation of a unit quaternion."""
    return rotation_matrix(tuple(q))[k][a]


def _about(axis: int, half: Any, cos: Callable[[Any], Any], sin: Callable[[Any], Any]) -> list[Any]:
    return [cos(half), *(sin(half) if i == axis else 0 for i in range(3))]


def _times(p: list[Any], q: list[Any]) -> list[Any]:
    a, b, c, d = p
    e, f, g, h = q
    return [
        a * e - b * f - c * g - d * h,
        a * f + b * e + c * h - d * g,
        a * g - b * h + c * e + d * f,
        a * h + b * g - c * f + d * e,
    ]


def _entry_of(model: Model, k: int, j: int) -> Symbol:
    """The name of an entry of the rotation matrix, whose axes are counted from 0."""
    return symbol(f"{model.group.prefix if isinstance(model.group, SO3) else ''}R{k + 1}{j + 1}")
