r"""The question "Which states can be reached from rest?": accessibility and small-time controllability, with brackets as evidence.

Without a potential and friction the accelerations that inputs make grow by symmetric products. A product is *bad* where every input
occurs in it an even number of times. If good products span the admissible directions and every bad one is a combination of good ones
of lower degree, and brackets of the admissible directions reach all directions (Chow), the system is small-time controllable (Sussmann;
Lewis and Murray). With forces of its own it is so where its linear part is controllable, and accessible where brackets with the drift span:

.. math:: \operatorname{rank}(B, AB, \dots, A^{n-1}B) = n, \qquad \langle f, g_i, [f, g_i], [g_i, [f, g_j]], \dots\rangle = T

By its speeds alone Chow decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, final

from anholonomy.algebra.calculus import gradient
from anholonomy.algebra.expressions import Expr, Symbol, Vector, dot, unused, zero
from anholonomy.algebra.numbers.balls import precision
from anholonomy.algebra.zero_test import zero_test
from anholonomy.base.deadlines import patience
from anholonomy.base.errors import NotSupportedError, TimeLimitError, UnknownNameError, quoted
from anholonomy.base.verdict import Verdict
from anholonomy.findings.evidence import AbstractEvidence, Reason
from anholonomy.findings.finding import Finding, Scope
from anholonomy.geometry.distributions.distribution import Distribution
from anholonomy.geometry.frame import Frame
from anholonomy.geometry.points import read_place
from anholonomy.language.answers import Part, Readable, below, title
from anholonomy.laws.generic_scope import GENERIC_LEVELS, fixed_by_positions
from anholonomy.laws.position_constraints import told
from anholonomy.stability.control_brackets import LENGTH, Products, named_brackets, spanning_brackets
from anholonomy.stability.control_system import ControlSystem, SpanPlace, held
from anholonomy.system.model import Model
from anholonomy.system.solved_constraints import positions_of, solved_positions
from anholonomy.system.states.random_states import admissible_points

__all__ = ["Controllability", "controllability"]

_ACCESSIBLE = "accessible: the states that are reached fill an open set"
_SMALL_TIME = "small-time controllable: the states reached in small times surround the start"


def controllability(
    model: Model, at: Mapping[str, Any] | None, by: str | None, time_limit: float | None
) -> Controllability:
    """What the inputs reach, or the speeds where there are none."""
    if by not in (None, "inputs", "speeds"):
        raise UnknownNameError(f"{model.name}: by={quoted(by)} means nothing here; say 'inputs' or 'speeds'.")
    if at is None and (solved := solved_positions(model)) is not None:
        found = controllability(solved.model, at, by, time_limit)
        return replace(found, accessible=told(found.accessible, solved), small_time=told(found.small_time, solved))
    place = _place(model, at) or fixed_by_positions(model)
    kinematic = by == "speeds" or (by is None and not model.inputs and bool(model.velocity_constraints))
    scope = Scope(points="at this place, from rest" if at else f"from rest {_generic_places(model)}")
    try:
        with patience(time_limit):
            return _by_speeds(model, at, place) if kinematic else _by_inputs(model, place, scope)
    except (TimeLimitError, KeyboardInterrupt) as trouble:
        findings = [replace(Finding.unknown(claim, trouble), scope=scope) for claim in (_ACCESSIBLE, _SMALL_TIME)]
        return Controllability(model.name, model.inputs, findings[0], findings[1])


@final
@dataclass(frozen=True, repr=False)
class Controllability(Readable):
    """Whether what acts on a system reaches every state near by; true in an ``if`` only where it is proven to do so in small times.

    Attributes
    ----------
    accessible
        That the states reached in any time from a place at rest fill an open set of states.
    small_time
        That those reached in arbitrarily small times surround the place.
    brackets
        The fields, products and brackets that span the directions, in the order in which they were needed.
    reductions
        Fields along which the system can be led as fast as one likes (decoupling fields), in the system's own directions.
    """

    system: str
    by: tuple[str, ...]
    accessible: Finding
    small_time: Finding
    brackets: tuple[str, ...] = ()
    reductions: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.small_time)

    @property
    def verdict(self) -> Verdict:
        """That of small-time controllability."""
        return self.small_time.verdict

    @property
    def findings(self) -> tuple[Finding, Finding]:
        return self.accessible, self.small_time

    def as_rows(self) -> Iterable[Part]:
        yield title(f"{self.system}, by {', '.join(self.by) or 'nothing'}")
        spanned = [f"spanned by {', '.join(self.brackets)}"] if self.brackets else []
        yield from below(*self.findings, *spanned, *(f"led kinematically along {each}" for each in self.reductions))


def _generic_places(model: Model) -> str:
    return "at generic places" if len(fixed_by_positions(model)) == len(positions_of(model)) else GENERIC_LEVELS


def _place(model: Model, at: Mapping[str, Any] | None) -> dict[Symbol, Expr]:
    """The exact values of coordinates; velocities must vanish."""
    if at is None:
        return {}
    moving = {w.name for w in model.velocities}
    for name, value in at.items():
        if name in moving and value not in (0, "0"):
            raise NotSupportedError(
                f"{model.name}: it is asked from rest what inputs reach, and {name} = {quoted(value)}; leave velocities out."
            )
    own = {q: value for q, value in at.items() if q not in moving}
    return read_place(own, model.frame_at_values, ())


def _by_speeds(model: Model, at: Any, place: Mapping[Symbol, Expr]) -> Controllability:
    """Chow and Rashevskii: without drift both claims are that brackets reach every direction."""
    verdict, why, D = _chow(model, place)
    scope = Scope(points="at this place" if at else _generic_places(model))
    names = tuple(model.speed_names or (f"X_{k}" for k in range(1, D.rank + 1)))
    findings = [Finding(claim, verdict, (why,), scope) for claim in (_ACCESSIBLE, _SMALL_TIME)]
    brackets = spanning_brackets(D, _sampled(model, place), [f"X_{k}" for k in range(1, D.rank + 1)])
    return Controllability(model.name, tuple(f"the speed {u}" for u in names), findings[0], findings[1], brackets)


def _by_inputs(model: Model, values: Mapping[Symbol, Expr], scope: Scope) -> Controllability:
    if not model.inputs:
        idle = (Reason("nothing acts on it, so that it goes one way from every state"),)
        found = [Finding(claim, Verdict.REFUTED, idle, scope) for claim in (_ACCESSIBLE, _SMALL_TIME)]
        return Controllability(model.name, (), found[0], found[1])
    place = _sampled(model, values)
    system = ControlSystem.of(model, values, place)
    base, why, _ = _chow(model, values)
    if base is Verdict.REFUTED:
        findings = [Finding(claim, base, (why,), scope) for claim in (_ACCESSIBLE, _SMALL_TIME)]
        return Controllability(model.name, model.inputs, findings[0], findings[1])
    products = Products(system, place)
    drifts = system.only_inertia
    if drifts is not Verdict.PROVEN and not products.fully_actuated:
        return _with_drift(system, place, scope)
    fibre, proof = products.spanning()
    accessible = Verdict.on_all([fibre, base])
    tame, reasons = products.neutralised()
    if accessible is Verdict.REFUTED:
        tame, reasons = Verdict.REFUTED, (Reason("it is not accessible"),)
    elif tame is not Verdict.REFUTED:
        tame = Verdict.on_all([tame, base])
    reached = Finding(_ACCESSIBLE, accessible, (*proof, why), scope)
    surrounds = Finding(_SMALL_TIME, tame, (*reasons, why), scope)
    return Controllability(model.name, model.inputs, reached, surrounds, products.names, products.reductions())


def _with_drift(system: ControlSystem, place: SpanPlace, scope: Scope) -> Controllability:
    """By the linear part at rest, and by brackets with the drift."""
    model, states = system.model, system.states
    size = model.frame.size - held(model) + len(system.motion.speeds)
    rest = dict.fromkeys(system.motion.speeds, zero)
    at_rest = SpanPlace({**place.values, **rest}, place.sample, place.on)
    named = [f"g_{u}" for u in system.inputs]
    g = [(*(zero,) * len(system.motion.coordinates), *Y) for Y in system.fields]
    f = tuple(system.drift[x] for x in states)
    still = Verdict.on_all(zero_test(entry, place.on) for entry in at_rest.here(f))
    chain = list(zip(named, g, strict=True))
    if still:
        A = [at_rest.here(gradient(rate, states)) for rate in f]
        layer = [(name, at_rest.here(v)) for name, v in chain]
        for _ in range(size - 1):
            layer = [(f"[f, {name}]", tuple(dot(row, v) for row in A)) for name, v in layer]
            chain += layer
        kept = at_rest.independent([v for _, v in chain])
        if (
            len(kept) == size
            and (found := at_rest.minor([chain[k][1] for k in kept], "the linear part's reach")) is not None
        ):
            why = Reason("its linear part at rest is controllable (Kalman)")
            findings = [Finding(claim, Verdict.PROVEN, (why, *found[1]), scope) for claim in (_ACCESSIBLE, _SMALL_TIME)]
            spanning = tuple(chain[k][0] for k in kept)
            return Controllability(model.name, model.inputs, findings[0], findings[1], spanning)
    plain = {u: unused(f"speed{k}", model.names.__contains__) for k, u in enumerate(system.motion.speeds)}
    frame = Frame([plain[x].name if x in plain else x.name for x in states])
    fields: tuple[Vector, ...] = tuple(tuple(entry.xreplace(plain) for entry in field) for field in (f, *g))
    at_rest = SpanPlace({**place.values, **dict.fromkeys(plain.values(), zero)}, place.sample, place.on)
    spanned = named_brackets(frame, fields, ["f", *named], at_rest, size)
    proof = at_rest.minor([v for _, v in spanned], "these brackets") if len(spanned) == size else None
    said = f"brackets of up to {LENGTH} fields span {len(spanned)} of {size} directions"
    evidence = (Reason(said), *(proof[1] if proof else ()))
    first = Finding(_ACCESSIBLE, Verdict.of(True if proof else None), evidence, scope)
    why_not = (
        "its linear part at rest is not controllable"
        if still
        else "it does not stay at rest there; ask at an equilibrium"
    )
    second = Finding(_SMALL_TIME, Verdict.UNKNOWN, (Reason(why_not),), scope)
    return Controllability(model.name, model.inputs, first, second, tuple(name for name, _ in spanned))


def _chow(model: Model, at: Mapping[Symbol, Expr]) -> tuple[Verdict, AbstractEvidence, Distribution]:
    D = Distribution.of(model.independent)
    if D.on_spacetime:
        raise NotSupportedError(
            f"{model.name}: a constraint is affine or moves, and what is reached from rest is asked where rest is possible."
        )
    growth, size = D.growth_vector(at=dict(at) or None, time_limit=None), D.frame.size - held(model)
    whole = growth[-1] == size
    known = growth.is_certified if whole else growth.evidence == "exact"
    why = Reason(f"brackets of admissible directions span {growth} of {size}, {growth.evidence}")
    return Verdict.of(whole if known else None), why, D


def _sampled(model: Model, place: Mapping[Symbol, Expr]) -> SpanPlace:
    with precision(40):
        point = next(iter(admissible_points(model.replaced(inputs=()), 30, seed=20)))
    return SpanPlace(dict(place), point, model.frame_at_values.orbit)
