"""Momenta of a long Lagrangian, differentiated as a list of steps, are those of the tree; and the equations stay short."""

from __future__ import annotations

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.algebra.expressions import dot, identity, symbol
from anholonomy.algebra.numbers.balls import ball, precision
from anholonomy.algebra.steps.in_balls import run_steps
from anholonomy.catalogue import n_trailer
from anholonomy.equations.lagrangian import variational_derivative
from anholonomy.language import parse_expression
from anholonomy.language.arguments import plain
from anholonomy.programs.of_equations import Compiled
from anholonomy.system.model import Model
from anholonomy.system.momenta import inertia_at, momenta
from anholonomy.system.states.newton import evaluate_at
from tests.properties.moving_frames import in_frame
from tests.system.long_lagrangians import lengthy

_L = "(1 + x^2)*x'^2/2 + (y' + sin(z)*x')^2/2 + (2 + cos(y))*z'^2/2 + x*y*z' - x*cos(y) - t*z"


def _chart() -> ah.System:
    return ah.System(name="chart", coordinates=["x", "y", "z"], lagrangian=_L, constraints=["x' = z*y' + t*sin(x)"])


def _moving() -> Model:
    rows = [["1", "0", "x*t"], ["sin(z)", "1", "0"], ["x*y", "cos(x)", "1"]]
    drift = ["t*y", "x", "sin(z)"]
    return in_frame(
        _chart(), [[parse_expression(e) for e in row] for row in rows], [parse_expression(e) for e in drift]
    )


def _without_lagrangian() -> ah.System:
    return ah.System(
        name="given momenta", coordinates=["x", "y", "z"], momenta={"x": "x'*(1 + y^2)", "y": "y' + t*x*z'", "z": "z' + x'/2"},
        forces={"x": "-x", "z": "sin(t)"},
    )  # fmt: skip


@pytest.mark.parametrize("make", [_chart, _moving, _without_lagrangian])
def test_steps_give_the_variational_derivative_of_the_tree(make):
    model = lengthy(make())
    p, E = momenta(model), variational_derivative(model)
    assert p.steps, "long enough to be differentiated in steps"
    flow = model.frame.drift_direction(model.velocities) | dict(zip(model.velocities, model.accelerations, strict=True))
    rates = p.rates([flow], "$k")
    by_steps = [r - p.pull(unit) for r, unit in zip(*rates.momentum_ka, identity(model.frame.size), strict=True)]
    by_tree = [dot(row, model.accelerations) + h for row, h in zip(E.mass_ab, E.bias_a, strict=True)]
    draw = np.random.default_rng(4)
    symbols = (*model.coordinates, *model.velocities, *model.accelerations, symbol("t"))
    with precision(60):
        point = {s: ball(float(draw.uniform(0.2, 0.9))) for s in symbols}
        known = run_steps([*p.definitions, *rates.steps], point)
        for a, b in zip(evaluate_at(by_steps, known), evaluate_at(by_tree, point), strict=True):
            assert a.overlaps(b)
            assert (a - b).rad() < 1e-45
        for a, b in zip(evaluate_at(p.energy, known), evaluate_at(_energy(model), point), strict=True):
            assert a.overlaps(b)


@pytest.mark.parametrize("make", [_chart, _moving, _without_lagrangian])
@pytest.mark.parametrize("long", [False, True])
def test_the_inertia_at_a_state_is_that_of_the_tree(make, long):
    model = lengthy(make()) if long else make()
    draw = np.random.default_rng(5)
    symbols = (*model.coordinates, *model.velocities, symbol("t"))
    with precision(60):
        point = {s: ball(float(draw.uniform(0.2, 0.9))) for s in symbols}
        expected = [evaluate_at(row, point) for row in variational_derivative(plain(model)).mass_ab]
        for row, by_tree in zip(inertia_at(plain(model), point), expected, strict=True):
            assert all(abs(a - b) < 1e-45 for a, b in zip(row, by_tree, strict=True))


def _energy(model):
    model = plain(model)
    if model.momenta_a is not None:
        return []
    return [dot(model.velocities, [model.lagrangian.diff(w) for w in model.velocities]) - model.lagrangian]


def test_equations_grow_with_the_bodies_and_no_faster():
    """Twice the trailers, twice the operations; as a tree the Lagrangian's derivatives took six times as many."""
    counts = [Compiled(n_trailer(n).derive("kane").data).rates.operations for n in (6, 12)]
    assert counts[1] < 2.2 * counts[0]
    assert counts[1] < 100 * 12
