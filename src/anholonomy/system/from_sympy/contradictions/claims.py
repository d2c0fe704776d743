r"""What a SymPy model says twice: accelerations and positions beside velocities, angular velocities beside orientations.

.. math:: a = \dot v, \qquad \alpha = \dot\omega, \qquad [\omega]_\times = \dot R\,R^{\mathsf T}, \qquad v_P - v_O = \dot r

Kane's method takes whatever it was told. ``a2pt_theory`` for two points that are not fixed in one body, or an angular
velocity set about the wrong axes, makes equations of no motion at all, which show it only by the energy they lose.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, final

import flint

from anholonomy.symbolic.calculus import total_derivative
from anholonomy.symbolic.expressions import Expr, Symbol, Vector, dot, symbol
from anholonomy.symbolic.numbers.balls import FEW_DIGITS, ball, precision
from anholonomy.system.from_sympy.contradictions.orientation import contradiction, orientation_gap
from anholonomy.system.from_sympy.contradictions.positions import placed, ways_to_move
from anholonomy.system.from_sympy.energy import centre_of
from anholonomy.system.from_sympy.entrance import Entrance, parts
from anholonomy.system.from_sympy.given import Given
from anholonomy.system.kinds import Kind
from anholonomy.system.model import Model
from anholonomy.system.states.newton import Point, evaluate_at, onto
from anholonomy.system.states.sampling import admissible_points
from anholonomy.system.states.sizes import sizes_at

__all__ = ["Claim", "broken", "claims_of"]

_STATES = 2
"""States at which a claim must fail."""


@final
@dataclass(frozen=True)
class Claim:
    """What vanishes at every admissible state if the model does not contradict itself, and what to say if it does.

    There may be several ``ways`` to mean it, of which one is enough.
    """

    sentence: str
    ways: tuple[Vector, ...]


def claims_of(given: Given, entrance: Entrance, definitions: Mapping[Symbol, Expr]) -> list[Claim]:
    """All that the bodies of a model say twice, in coordinates, velocities and accelerations."""
    rates = {s: symbol(f"{s.name}'") for q in entrance.coordinates for s in (symbol(q), symbol(f"{q}'"))}
    known = dict(definitions) | {symbol(f"{u.name}'"): total_derivative(v, rates) for u, v in definitions.items()}
    places = _positions(given, entrance, known)
    if given.lagrangian is not None:
        return list(places)
    return [*_accelerations(given, entrance, known, rates), *_orientations(given, entrance, known), *places]


def _accelerations(
    given: Given, entrance: Entrance, known: Mapping[Symbol, Expr], rates: Mapping[Symbol, Expr]
) -> Iterator[Claim]:
    N = entrance.frame

    def gaps(rate: Any, motion: Any, what: str) -> Vector:
        set_by_hand = (value.xreplace(known) for value in entrance.components(rate, N, what))
        by_chain_rule = (
            total_derivative(value.xreplace(known), rates) for value in entrance.components(motion, N, what)
        )
        return tuple(a - b for a, b in zip(set_by_hand, by_chain_rule, strict=True))

    for body in given.bodies:
        centre, what = centre_of(body), f"the body {body.name}"
        if N in centre._acc_dict:
            yield Claim(
                f"the acceleration set for the point {centre} in {N} is not the derivative of its velocity; it was not used "
                f"here, but SymPy's own equations use it and describe no motion: drop `set_acc` or `a2pt_theory` for {centre}, "
                "or correct its velocity.",
                (gaps(centre._acc_dict[N], entrance.velocity(centre, what), what),),
            )
        frame = getattr(body, "frame", None)
        if frame is not None and N in frame._ang_acc_dict:
            yield Claim(
                f"the angular acceleration set for the frame {frame} in {N} is not the derivative of its angular velocity; it "
                f"was not used here, but SymPy's own equations use it and describe no motion: drop `set_ang_acc` for {frame}.",
                (gaps(frame._ang_acc_dict[N], entrance.turning(frame, what), what),),
            )


def _orientations(given: Given, entrance: Entrance, known: Mapping[Symbol, Expr]) -> Iterator[Claim]:
    """Frames that velocities are written in; those of rigid bodies may spin about an axis of symmetry unoriented."""
    rigid = {body.frame for body in given.bodies if hasattr(body, "frame")}
    written = {
        own: f"the body {body.name}"
        for body in given.bodies
        for _, own in parts(entrance.velocity(centre_of(body), f"the body {body.name}"))
        if own not in rigid and own is not entrance.frame
    }
    for frame, what in sorted(written.items(), key=lambda each: str(each[0])):
        yield Claim(contradiction(frame, entrance.frame), (orientation_gap(frame, entrance, known, what),))


def _positions(given: Given, entrance: Entrance, known: Mapping[Symbol, Expr]) -> Iterator[Claim]:
    frames = [body.frame for body in given.bodies if hasattr(body, "frame")]
    for point, other in placed([centre_of(body) for body in given.bodies], entrance.frame):
        if ways := ways_to_move(point, other, frames, entrance, known):
            yield Claim(
                f"the velocity set for the point {point} in {entrance.frame} contradicts its position from {other}, whose "
                f"derivative is another: drop `set_vel` for {point} and use `v2pt_theory`, or correct its position.",
                ways,
            )


def broken(model: Model, claims: Sequence[Claim]) -> list[str]:
    """The sentences of the claims that fail at an admissible state."""
    if not claims:
        return []
    with precision(FEW_DIGITS):
        points = [
            _accelerated(model, point) for point in islice(admissible_points(model, FEW_DIGITS, seed=11), _STATES)
        ]
        seen = [point for point in points if point]
        return [c.sentence for c in claims if all(any(_fails(way, point) for point in seen) for way in c.ways)]


def _fails(way: Vector, point: Point) -> bool:
    gaps, sizes = evaluate_at(way, point), sizes_at(way, point)
    tiny = flint.arb(10) ** (-FEW_DIGITS // 2)
    return any(abs(gap.mid()) > tiny * (size + 1) for gap, size in zip(gaps, sizes, strict=True))


def _accelerated(model: Model, point: Point) -> Point | None:
    """The point with accelerations that the constraints allow."""
    own = model.independent
    guess = {a: ball(k) / 7 for k, a in enumerate(own.accelerations, 1)}
    rows = [
        dot(A, own.accelerations) + b
        for c, A, b in zip(own.constraints, own.matrix_na, own.bias_n, strict=True)
        if Kind.ACCELERATION not in c.kind
    ]
    return onto(rows, own.accelerations, {**point, **guess}, FEW_DIGITS) if rows else {**point, **guess}
