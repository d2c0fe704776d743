"""An import beside its peer: rates of every speed, and reactions where the peer has them."""

from __future__ import annotations

from typing import Any

import numpy as np

import anholonomy as ah
from anholonomy.algebra.calculus import total_derivative
from anholonomy.algebra.expressions import Expr, symbol
from anholonomy.language.arguments import expression
from tests.reference.peers.numbers import Sample, samples


def difference(thing: Any, states: int = 3) -> float:
    """The largest difference of rates and reactions, relative to the numbers compared."""
    system, speeds = ah.from_sympy(thing, name="imported")
    equations = system.derive("lagrange-dalembert")
    accelerations = equations.function("numpy", of="accelerations")
    reactions = equations.function("numpy", of="reactions")
    worst = 0.0
    for sample in samples(thing, list(system.parameters), states):
        state, p = motion(system, speeds, sample), list(sample.parameters.values())
        x = [state[s] for s in accelerations.inputs]
        second = dict(zip(accelerations.outputs, accelerations(sample.time, x, p), strict=True))
        ours, theirs = _rates(system, speeds, sample, state | second), sample.rates
        worst = max(worst, *(_gap(ours[u], theirs[u], theirs.values()) for u in ours))
        if sample.reactions is not None:
            found = reactions(sample.time, x, p)
            wanted = [sample.reactions[q.name] for q in system.coordinates]
            worst = max(worst, *(_gap(a, b, wanted) for a, b in zip(found, wanted, strict=True)))
    return worst


def _gap(ours: float, theirs: float, all_of_them: Any) -> float:
    size = max(1.0, *(abs(each) for each in all_of_them))
    return abs(ours - theirs) / size if np.isfinite(ours) else float("inf")


def motion(system: ah.System, speeds: dict[str, str], sample: Sample) -> dict[str, float]:
    """Coordinates and velocities of the system: the peer's, and those that it leaves out as the constraints say."""
    values = {q.name: sample.coordinates.get(q.name, 0.3) for q in system.coordinates}
    given = {f"{q}'": v for q, v in sample.velocities.items()}
    missing = [w for w in system.velocities if w.name not in given]
    if missing:
        rows = [c.expression for c in system.constraints]
        rows += [expression(text, u) - sample.speeds[u] for u, text in speeds.items() if u in sample.speeds]
        known = {symbol(s): v for s, v in (values | given | sample.parameters | {"t": sample.time}).items()}
        A = np.array([[number(row.diff(w), known) for w in missing] for row in rows])
        rest = np.array([number(row, known | dict.fromkeys(missing, 0)) for row in rows])
        found = np.linalg.lstsq(A, -rest, rcond=None)[0]
        given |= {w.name: value for w, value in zip(missing, found, strict=True)}
    return values | given


def _rates(system: ah.System, speeds: dict[str, str], sample: Sample, state: dict[str, float]) -> dict[str, float]:
    """The rates of the speeds that are ours too, by the chain rule from accelerations."""
    rates = {s: symbol(f"{s.name}'") for s in (*system.coordinates, *system.velocities)}
    known = {symbol(s): v for s, v in (state | sample.parameters | {"t": sample.time}).items()}
    definitions = {u: expression(text, u) for u, text in speeds.items()} or {w.name: w for w in system.velocities}
    for u, definition in definitions.items():
        assert abs(number(definition, known) - sample.speeds[u]) < 1e-9 * (1 + abs(sample.speeds[u])), u
    return {u: number(total_derivative(definition, rates), known) for u, definition in definitions.items()}


def number(value: Expr, known: dict[Any, float]) -> float:
    return float(value.xreplace(known).n(real=True))
