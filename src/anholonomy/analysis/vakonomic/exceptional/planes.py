r"""Sets of states cut out by zeros that motions do not leave: velocities vanish, coordinates are 0 or equal, a body's axis is level or upright.

.. math:: w^i = 0, \qquad q^j = 0, \qquad q^j = q^k, \qquad R_{kj} \in \{0, 1, -1\}

Whether motions leave such a set is seen from the accelerations at random points of it, in doubles. The few that remain are
examined in formulas (`anholonomy.analysis.vakonomic.exceptional.on_plane`), which are short there even where those of the system are not.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Any, final

import numpy as np

from anholonomy.analysis.vakonomic.exceptional.poses import AxisPose, every_pose
from anholonomy.compile.backends import BACKENDS
from anholonomy.compile.backends.base import Array
from anholonomy.compile.program import lower
from anholonomy.formulations.euler_lagrange import variational_derivative
from anholonomy.geometry.groups import SO3
from anholonomy.lazy import cached_property
from anholonomy.symbolic.expressions import Expr, Symbol, free_symbols, symbol, time, zero
from anholonomy.symbolic.numbers.balls import FEW_DIGITS, precision
from anholonomy.symbolic.numbers.subspaces import kernel
from anholonomy.symbolic.patience import check
from anholonomy.system.kinds import Kind
from anholonomy.system.model import Model
from anholonomy.system.states.sampling import admissible_points
from anholonomy.tolerances import HALF

__all__ = ["InvariantPlane", "entry_of", "invariant_planes"]

_AT_ONCE, _VELOCITIES = 2, 7
"""Conditions on a configuration at once, and velocities of a system whose zeros are gone through."""
_POINTS = 2
"""Points at which sets of zeros are looked for."""


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


def entry_of(model: Model, k: int, j: int) -> Symbol:
    """The name of an entry of the rotation matrix, whose axes are counted from 0."""
    return symbol(f"{model.group.prefix if isinstance(model.group, SO3) else ''}R{k + 1}{j + 1}")


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
        E = variational_derivative(model.with_words(constraints=()))
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
            yield from (((), pose) for pose in every_pose())

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
        R = [float(self.model.named[entry_of(self.model, pose.k, a)].xreplace(dict(q))) for a in range(3)]
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
