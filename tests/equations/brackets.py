"""The almost-Poisson bracket against the rates of Lagrange–d'Alembert, and systems on which each of its terms counts."""

from __future__ import annotations

import itertools

import pytest
import sympy as sp

from anholonomy import System
from anholonomy.algebra.expressions import symbol, to_sympy
from anholonomy.algebra.numbers.balls import evaluate_balls, precision
from anholonomy.equations import almost_poisson
from anholonomy.equations.evaluation import evaluate_equations
from anholonomy.equations.principles.lagrange_dalembert import LagrangeDAlembert
from anholonomy.language import parse_expression
from anholonomy.language.arguments import plain
from anholonomy.system.states.random_states import admissible_points
from tests.properties.moving_frames import in_frame

_COUNT = itertools.count()


def forced():
    """Affine, time-dependent, forced and gyroscopic, so that every term of the rate is at work."""
    return System(
        name=f"forced {next(_COUNT)}",
        coordinates=["x", "y", "z"],
        lagrangian="(1 + x^2)*x'^2/2 + y'^2/2 + z'^2 + x*y*z' - t*x*y",
        constraints=["z' = t*y*x' + x^2*y' + x + t^2"],
        forces={"x": "-x' + y", "z": "x*y'"},
    )


def moving():
    rows = [[parse_expression(e) for e in row] for row in (["1", "0", "0"], ["t", "1", "0"], ["0", "z", "1"])]
    system = System(
        name=f"moving {next(_COUNT)}",
        coordinates=["x", "y", "z"],
        lagrangian="(1 + y^2)*x'^2/2 + y'^2/2 + z'^2 + x*z' - t*x*y",
        constraints=["z' = y*x'"],
        forces={"x": "-x' + y", "z": "x*y'"},
    )
    return in_frame(system, rows, [parse_expression(e) for e in ("t*y", "x", "0")])


def bracket_agrees(model):
    """Rates of coordinates and momenta against those that Lagrange–d'Alembert's accelerations imply."""
    model = plain(model)
    form = almost_poisson.almost_poisson(model)
    with precision(40):
        point = next(admissible_points(model, 30, seed=3))
        numbers = {s: float(value.mid()) for s, value in point.items()}
    values = [float(v) for v in evaluate_balls(form.definitions, numbers, 30)]
    there = numbers | dict(zip(form.momenta, values, strict=True))
    found = [float(v) for v in evaluate_balls([form.rate(x) for x in form.variables], there, 30)]
    q_dot = model.frame.coordinate_rates(model.velocities)
    with precision(30):
        seen = evaluate_equations(LagrangeDAlembert().derive(model), point)
    w_dot = {symbol(w.name + "'"): float(a.mid()) for w, a in zip(model.velocities, seen.accelerations, strict=True)}
    t = sp.Symbol("t")
    wanted = [float(v) for v in evaluate_balls([q_dot[q] for q in model.coordinates], numbers, 30)]
    at = {sp.Symbol(s.name): value for s, value in numbers.items()} | {sp.Symbol(s.name): v for s, v in w_dot.items()}
    for definition in map(to_sympy, form.definitions):
        rate = definition.diff(t)
        rate += sum(definition.diff(sp.Symbol(q.name)) * to_sympy(r) for q, r in q_dot.items())
        rate += sum(definition.diff(sp.Symbol(w.name)) * sp.Symbol(w.name + "'") for w in model.velocities)
        wanted.append(float(rate.xreplace(at)))
    explicit = form.rate(symbol("t") ** 2) == 2 * symbol("t")
    return explicit and found == pytest.approx(wanted, rel=1e-9, abs=1e-9)
