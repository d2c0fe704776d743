r"""Systems with forces of their own: controllable at rest where the linear part is, accessible where brackets with the drift span.

.. math:: \operatorname{rank}(B, AB, \dots, A^{n-1}B) = n, \qquad \langle f, g_i, [f, g_i], [g_i, [f, g_j]], \dots\rangle = T
"""

from __future__ import annotations

from anholonomy.analysis.controllability.answer import Controllability
from anholonomy.analysis.controllability.control_system import ControlSystem, held
from anholonomy.analysis.controllability.spans import SpanPlace
from anholonomy.analysis.controllability.words import named_brackets
from anholonomy.findings.evidence import Reason
from anholonomy.findings.finding import Finding
from anholonomy.findings.scope import Scope
from anholonomy.geometry.frames.frame import Frame
from anholonomy.symbolic.calculus import gradient
from anholonomy.symbolic.expressions import Vector, dot, unused, zero
from anholonomy.symbolic.zero import zero_test
from anholonomy.verdict import Verdict

__all__ = ["linearly_controllable"]

_LENGTH = 6
"""The longest brackets that are taken."""


def linearly_controllable(
    system: ControlSystem, place: SpanPlace, scope: Scope, accessible: str, small_time: str
) -> Controllability:
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
            findings = [Finding(claim, Verdict.PROVEN, (why, *found[1]), scope) for claim in (accessible, small_time)]
            spanning = tuple(chain[k][0] for k in kept)
            return Controllability(model.name, model.inputs, findings[0], findings[1], spanning)
    plain = {u: unused(f"speed{k}", model.names.__contains__) for k, u in enumerate(system.motion.speeds)}
    frame = Frame([plain[x].name if x in plain else x.name for x in states])
    fields: tuple[Vector, ...] = tuple(tuple(entry.xreplace(plain) for entry in field) for field in (f, *g))
    at_rest = SpanPlace({**place.values, **dict.fromkeys(plain.values(), zero)}, place.sample, place.on)
    spanned = named_brackets(frame, fields, ["f", *named], at_rest, size, _LENGTH)
    proof = at_rest.minor([v for _, v in spanned], "these brackets") if len(spanned) == size else None
    said = f"brackets of up to {_LENGTH} fields span {len(spanned)} of {size} directions"
    evidence = (Reason(said), *(proof[1] if proof else ()))
    first = Finding(accessible, Verdict.of(True if proof else None), evidence, scope)
    why_not = (
        "its linear part at rest is not controllable"
        if still
        else "it does not stay at rest there; ask at an equilibrium"
    )
    second = Finding(small_time, Verdict.UNKNOWN, (Reason(why_not),), scope)
    return Controllability(model.name, model.inputs, first, second, tuple(name for name, _ in spanned))
