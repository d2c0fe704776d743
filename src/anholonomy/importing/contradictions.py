r"""What a SymPy model says twice and differently, or would lose silently.

Accelerations and positions stand beside velocities, angular velocities beside orientations:

.. math:: a = \dot v, \qquad \alpha = \dot\omega, \qquad [\omega]_\times = \dot R\,R^{\mathsf T}, \qquad v_P - v_O = \dot r

Kane's method takes whatever it was told. ``a2pt_theory`` for two points that are not fixed in one body, or an angular
velocity set about the wrong axes, makes equations of no motion at all, which show it only by the energy they lose. Nor must an
import believe a Lagrangian into which a constraint was substituted, or lose a potential energy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, final

import flint

from anholonomy.algebra.calculus import total_derivative
from anholonomy.algebra.expressions import Expr, Symbol, Vector, dot, symbol
from anholonomy.algebra.numbers.balls import FEW_DIGITS, ball, precision
from anholonomy.base.errors import DeclarationError, Error
from anholonomy.importing.energy import Bodies, centre_of
from anholonomy.importing.model_data import Given
from anholonomy.importing.rigid_motion import contradiction, orientation_gap
from anholonomy.importing.translation import Entrance, parts
from anholonomy.system.constraints import Kind
from anholonomy.system.model import Model
from anholonomy.system.states.newton import Point, evaluate_at, onto
from anholonomy.system.states.random_states import admissible_points
from anholonomy.system.states.rounding import sizes_at
from anholonomy.system.warnings import DeclarationWarning, SubstitutedConstraintWarning, warn_the_user

__all__ = [
    "Claim",
    "InconsistentMotionWarning",
    "PotentialEnergyWarning",
    "claims_of",
    "potential_energy",
    "warn_of_contradictions",
    "warn_of_potentials",
    "warn_of_substitution",
]

_STATES = 2
"""States at which a claim is tried."""


class InconsistentMotionWarning(DeclarationWarning):
    """A model from SymPy says two things about one motion: an acceleration or angular velocity set by hand is another."""


class PotentialEnergyWarning(DeclarationWarning):
    """A body from SymPy has a potential energy that Kane's method ignores, or that its loads may repeat."""


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


def placed(centres: Sequence[Any], frame: Any) -> Iterator[tuple[Any, Any]]:
    """The mass centres with a place given from another one, or from a point at rest, where both have velocities."""
    for point in centres:
        for other in point._pos_dict:
            known = frame in point._vel_dict and frame in other._vel_dict
            if known and (other in centres or other._vel_dict[frame] == 0):
                yield point, other


def ways_to_move(
    point: Any, other: Any, frames: Sequence[Any], entrance: Entrance, known: Mapping[Symbol, Expr]
) -> tuple[Vector, ...]:
    r"""What vanishes if the point moves as its place from the other says, or with one of the frames; nothing if unread.

    $v_P - v_O$ is $\dot r$, or $\omega\times r$ of some frame. The second is what the centre of a wheel has beside its point of
    contact, which is another point of the wheel at every moment: $\omega$ is then that of the wheel and $r$ turns otherwise.
    What is neither is the velocity of no point at $r$.
    """
    what, N = f"the position of the point {point} from {other}", entrance.frame
    rates = {symbol(q): symbol(f"{q}'") for q in entrance.coordinates}

    def along(vector: Any) -> Vector:
        return tuple(value.xreplace(known) for value in entrance.components(vector, N, what))

    try:
        place = point._pos_dict[other]
        own = along(entrance.velocity(point, what) - entrance.velocity(other, what))
        turned = (along(entrance.turning(frame, what) ^ place) for frame in (*frames, *(f for _, f in parts(place))))
        moved = tuple(total_derivative(value, rates) for value in along(place))
        return tuple(tuple(v - w for v, w in zip(own, way, strict=True)) for way in (moved, *turned))
    except DeclarationError:
        return ()  # a place with coordinates that are left out, or a frame that only velocities need


def warn_of_contradictions(model: Model, claims: Sequence[Claim]) -> None:
    """Say what was set by hand and is not so."""
    for sentence in broken(model, claims):
        warn_the_user(f"{model.name}: {sentence}", InconsistentMotionWarning)


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


def warn_of_substitution(name: str, witnesses: Sequence[Any], bodies: Bodies) -> None:
    """Say which bodies have velocities that are derivatives of no position: their energy has a constraint in it."""
    if guilty := [body.name for body in witnesses if _substituted(body, bodies)]:
        angles = ", ".join(q.name for q in bodies.coordinates)
        warn_the_user(
            f"{name}: the velocity of the body {guilty[0]} is the derivative of no function of {angles}, so a constraint was put "
            "into the Lagrangian and its equations are wrong; import the KanesMethod of these bodies, or add the missing "
            "coordinates and constraints.",
            SubstitutedConstraintWarning,
        )


def _substituted(body: Any, bodies: Bodies) -> bool:
    try:
        return bodies.substituted(body)
    except Error:
        return False  # the Lagrangian counts, and does not need what cannot be read here


def potential_energy(body: Any, entrance: Entrance) -> Expr:
    """The potential energy that SymPy's user gave to the body."""
    return entrance.expression(body.potential_energy, f"the potential energy of the body {body.name}")


def warn_of_potentials(name: str, given: Given) -> None:
    """Say it where potential energies do not count, and where loads may say the same again."""
    with_potential = [body.name for body in given.bodies if getattr(body, "potential_energy", 0) != 0]
    if not with_potential or (given.potentials and not given.loads):
        return
    said = (
        "counts beside the loads, since the System has not been formed by Kane's method; set it to 0 if the loads say it "
        "already."
        if given.potentials
        else "does not count in Kane's method; give it as a load and set it to 0, or import a LagrangesMethod."
    )
    warn_the_user(f"{name}: the potential energy of the body {with_potential[0]} {said}", PotentialEnergyWarning)
