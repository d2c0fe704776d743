"""The base of a system with a fibre, as a system of its own."""

from __future__ import annotations

import itertools

import anholonomy as ah
from anholonomy.algebra.numbers.balls import precision
from anholonomy.equations.evaluation import evaluate_equations
from anholonomy.equations.principles import hamel
from anholonomy.equations.reduction import cyclic as cyclic_directions
from anholonomy.system.states.random_states import admissible_points

_COUNT = itertools.count()


def trial() -> ah.System:
    return ah.System(
        name=f"trial {next(_COUNT)}",
        coordinates=["x", "y", "z", "w"],
        lagrangian="(1 + x^2)*x'^2/2 + (y' + sin(t)*x')^2/2 + (2 + cos(y))*z'^2/2 + w'^2*(1 + t^2) + x*y*z' - x*cos(y) + t*w'",
        constraints=["z' = (x*y + t)*x' + sin(t*x)*y' + t*y^2", "w' = y*cos(t)*x' + x^2*y' + x*t"],
        forces={"x": "-x' + y", "z": "x*y'", "w": "t - w'"},
    )


def base_agrees() -> bool:
    system = trial()
    base = cyclic_directions.Reduction.of(system.model, cyclic_directions.frame_over_fibre(system.model)).base_model()
    with precision(40):
        point = next(admissible_points(system.model, 35, seed=3))
        above = evaluate_equations(system.derive("lagrange-dalembert").data, point).accelerations
        below = evaluate_equations(hamel.Hamel().derive(base), point).accelerations
        return all(float(abs(a - b).abs_upper()) < 1e-25 for a, b in zip(below, above[:2], strict=True))
