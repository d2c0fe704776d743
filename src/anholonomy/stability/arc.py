r"""A family of steady motions along its own arc.

.. math:: F(Y) = 0, \qquad \tau\cdot(Y - Y_0) = s, \qquad Y = (q, u, c, \lambda)

The followed quantity $\lambda$ is an unknown like the others, so that the family goes on where it turns back. A fold is where $\tau_\lambda$
changes its sign; where the derivative of $F$ loses one more rank, another family crosses: its smallest singular value,
with vectors that are continued, changes its sign.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.stability.steady import SteadyMotion
from anholonomy.tolerances import EXACT, HALF, NOTHING

__all__ = ["Arc", "Place", "followed_arc", "value_of"]

_BEND = 0.15
"""How far the tangent may turn in one step, in radians."""
_SHORTEST = 1e-7
"""Steps along a family below which it is not followed further."""
_AGAIN = 0.02
"""A family has come back to its beginning within this part of a unit step."""


def value_of(origin: SteadyMotion, name: str) -> float:
    """The value of what is followed at a steady motion."""
    if name in origin.given:
        return origin.given[name]
    return float(origin.p[[s.name for s in origin.field.model.parameter_symbols].index(name)])


@final
@dataclass(frozen=True, eq=False)
class Place:
    """A point of a family with its tangent and the singular vectors of what would be the next null direction, with its value beside the largest."""

    Y: Array
    tangent: Array
    size: float
    largest: float
    left: Array
    right: Array


@final
@dataclass(frozen=True, eq=False)
class Arc:
    """The equations of a family, in unknowns whose last is the followed value in units of ``unit``."""

    origin: SteadyMotion
    name: str
    unit: float

    def posed(self, Y: Array) -> tuple[Array, Array, Array]:
        """Unknowns, parameters and held values, a row for each point."""
        origin, values = self.origin, Y[:, -1] * self.unit
        p = np.repeat(origin.p[None], len(Y), axis=0)
        held = np.repeat(np.array(list(origin.given.values()))[None], len(Y), axis=0)
        if self.name in origin.given:
            held[:, list(origin.given).index(self.name)] = values
        else:
            p[:, [s.name for s in origin.field.model.parameter_symbols].index(self.name)] = values
        return Y[:, :-1], origin.equations.parameters(Y[:, :-1], p), held

    def equations(self, Y: Array) -> tuple[Array, Array, Array]:
        """What must vanish at points, its derivatives, and the size of its terms."""
        y, p, held = self.posed(Y)
        F, J, size = self.origin.equations.equations(y, p, held)
        if self.name in self.origin.given:
            column = np.zeros_like(F)
            column[:, F.shape[1] - held.shape[1] + list(self.origin.given).index(self.name)] = -1.0
        else:
            column = self._by_parameter(y, p)
        return F, np.concatenate([J, column[:, :, None] * self.unit], axis=2), size

    def _by_parameter(self, y: Array, p: Array) -> Array:
        origin = self.origin
        width = origin.x.size
        slopes = origin.field.jet(y[:, :width], p, (self.name,)).slopes
        z, rate = slopes.z[:, :, width], slopes.rate[:, :, width].copy()
        for k, each in enumerate(origin.symmetries):
            rate -= y[:, [width + k]] * (z @ each.matrix.T)
        return np.concatenate([rate, slopes.held[:, :, width], z[:, list(origin.equations.given)]], axis=1)

    def place(self, Y: Array, along: Array) -> Place | None:
        """A point of the family with its tangent, which goes on as ``along``; None where more than one direction is free."""
        return self._placed(Y, self.equations(Y[None])[1][0], along)

    def places(self, Y: Array) -> list[Place]:
        """Those of many points, which follow each other."""
        found: list[Place] = []
        along = Y[min(1, len(Y) - 1)] - Y[0]
        for row, J in zip(Y, self.equations(Y)[1], strict=True):
            if (place := self._placed(row, J, along)) is not None:
                found.append(place)
                along = place.tangent
        return found

    def _placed(self, Y: Array, J: Array, along: Array) -> Place | None:
        if not np.isfinite(J).all():
            return None
        U, s, V = np.linalg.svd(J)
        free = J.shape[1] - int((s > HALF * s[0]).sum())
        if free > 2 or len(s) < len(V) - 1:
            return None
        null = V[len(V) - max(free, 1) :]
        tangent = null.T @ (null @ along) if free == 2 else null[-1]
        if np.linalg.norm(tangent) < 1e-12:
            return None
        tangent = tangent / np.linalg.norm(tangent) * (1.0 if tangent @ along >= 0 else -1.0)
        k = len(V) - 2
        return Place(Y, tangent, float(s[k]), float(s[0]), U[:, k], V[k])

    def corrected(self, guess: Array, normal: Array) -> Array | None:
        """The point of the family in a plane through a guess, None where Newton's method does not find one near by."""
        Y, best = guess.copy(), np.inf
        for _ in range(12):
            F, J, size = (each[0] for each in self.equations(Y[None]))
            left = float(np.abs(F).max()) / size
            if not np.isfinite(left) or not np.isfinite(J).all():
                return None
            if left <= EXACT or (left <= NOTHING and left > 0.3 * best):
                return Y if np.linalg.norm(Y - guess) < 0.5 * (1 + np.linalg.norm(guess)) else None
            best = min(best, left)
            whole, right = np.vstack([J, normal]), np.append(F, normal @ (Y - guess))
            Y = Y - np.linalg.lstsq(whole, right, rcond=1e-12)[0]
        return None

    def between(self, a: Array, b: Array, share: float) -> Array | None:
        """A point of the family between two neighbours."""
        return self.corrected(a + share * (b - a), (b - a) / np.linalg.norm(b - a))

    def first_tangent(self, Y: Array) -> Array | None:
        """The only direction of the family at its beginning, toward larger values; None where several are free."""
        J = self.equations(Y[None])[1][0]
        if not np.isfinite(J).all():
            return None
        _, s, V = np.linalg.svd(J)
        if int((s > HALF * s[0]).sum()) != J.shape[1] - 1:
            return None
        tangent = V[-1] if V[-1][-1] >= 0 else -V[-1]
        return np.asarray(tangent)


def followed_arc(arc: Arc, low: float, high: float, points: int) -> tuple[list[Place], list[str]] | None:
    """The places of the family between two values, from one end to the other, and why it ends before them; None where it has no arc."""
    origin = arc.origin
    begin = np.append(origin.unknowns, value_of(origin, arc.name) / arc.unit)
    tangent = arc.first_tangent(begin)
    if tangent is None or (first := arc.place(begin, tangent)) is None:
        return None
    span = (low / arc.unit, high / arc.unit)
    ends: list[str] = []
    after, loop = _march(arc, first, tangent, span, points, ends)
    before = [] if loop else _march(arc, first, -tangent, span, points, ends)[0]
    turned = [replace(each, tangent=-each.tangent) for each in before[::-1]]
    return [*turned, *([first] if span[0] <= begin[-1] <= span[1] else []), *after], ends


def _march(
    arc: Arc, first: Place, along: Array, span: tuple[float, float], points: int, ends: list[str]
) -> tuple[list[Place], bool]:
    """One way along the arc until it leaves the values asked for, comes back to where it began, or goes no further."""
    now = replace(first, tangent=along)
    found: list[Place] = []
    inside, longest = span[0] <= now.Y[-1] <= span[1], 2.0 / points
    step = longest / 4
    while len(found) < 5 * points:
        trial = arc.corrected(now.Y + step * now.tangent, now.tangent)
        then = arc.place(trial, now.tangent) if trial is not None else None
        if then is None or np.arccos(np.clip(then.tangent @ now.tangent, -1, 1)) > _BEND:
            step /= 2
            if step < _SHORTEST:
                ends.append(_why(arc, now, trial))
                return found, False
            continue
        if span[0] <= then.Y[-1] <= span[1]:
            inside = True
        elif inside:
            edge = span[0] if then.Y[-1] < span[0] else span[1]
            last = _at_value(arc, now.Y, then.Y, edge)
            if last is not None and np.linalg.norm(last - now.Y) > 1e-9 and (end := arc.place(last, now.tangent)):
                found.append(end)
            return found, False
        if inside:
            found.append(then)
        if len(found) > 5 and _passes(now.Y, then.Y, first.Y):
            ends.append("the family comes back to where it began")
            return found, True
        now, step = then, min(1.5 * step, longest * _freedom(now, then))
    ends.append(f"{5 * points} motions were found before its end; ask for more `points`")
    return found, False


def _freedom(now: Place, then: Place) -> float:
    """Longer steps where the followed value hardly changes beside the states, as long as the family is nearly straight."""
    return 1.0 / max(abs(float(then.tangent[-1])), 0.05)


def _at_value(arc: Arc, a: Array, b: Array, value: float) -> Array | None:
    normal = np.zeros(a.size)
    normal[-1] = 1.0
    share = (value - a[-1]) / (b[-1] - a[-1])
    guess = a + share * (b - a)
    guess[-1] = value
    return arc.corrected(guess, normal)


def _passes(a: Array, b: Array, point: Array) -> bool:
    """Whether a step leads past a point."""
    way = b - a
    share = float(np.clip((point - a) @ way / (way @ way), 0, 1))
    return bool(np.linalg.norm(a + share * way - point) < _AGAIN * np.linalg.norm(way) + 1e-9)


def _why(arc: Arc, now: Place, trial: Array | None) -> str:
    at = f"{arc.name} = {float(now.Y[-1]) * arc.unit:.9g}"
    J = arc.equations((now.Y + 1e-6 * now.tangent)[None])[1]
    if not np.isfinite(J).all():
        return f"the family ends near {at}, where the equations of motion cease to be finite"
    if trial is not None:
        return f"the family ends near {at}, where more directions become free"
    return f"the family ends near {at}, where it can be continued no further"
