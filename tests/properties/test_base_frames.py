"""The law: motion does not depend on the frame in which velocities are written.

A system on a chart is rewritten in a moving frame $w$ with $\\dot q = B(q, t)^{\\mathsf T} w + b(q, t)$: another anchor,
another structure, the same accelerations. Nothing downstream may assume that the anchor is 1.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
import symengine
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anholonomy.algebra.calculus import total_derivative
from anholonomy.algebra.expressions import Expr, dot
from anholonomy.algebra.numbers.balls import precision
from anholonomy.equations.evaluation import evaluate_equations
from anholonomy.equations.principles import PRINCIPLES
from anholonomy.equations.verification import verify
from anholonomy.language import parse_expression
from anholonomy.system.constraints import classify
from anholonomy.system.model import Model
from anholonomy.system.states.newton import evaluate_at
from anholonomy.system.states.random_states import admissible_points
from tests.properties.random_systems import functions, systems


@st.composite
def frames(draw: st.DrawFn, q: list[str]) -> tuple[list[list[Expr]], list[Expr]]:
    """A frame that is triangular with unit diagonal, so invertible everywhere, and a drift; both move in time."""
    n = len(q)
    rows = [
        [
            parse_expression("1" if i == j else draw(functions([*q, "t"])) if j < i and draw(st.booleans()) else "0")
            for j in range(n)
        ]
        for i in range(n)
    ]
    return rows, [parse_expression(draw(functions([*q, "t"]))) for _ in q]


def in_frame(model: Model, rows: list[list[Expr]], drift: list[Expr]) -> Model:
    """The same system with quasi-velocities w of the frame as its velocities."""
    frame = model.frame.change(tuple(map(tuple, rows)), tuple(drift))
    w = tuple(symengine.Symbol(f"w{a}") for a in range(len(rows)))
    rates = frame.coordinate_rates(w)
    swap = {v: rates[q] for v, q in zip(model.velocities, model.coordinates, strict=True)}
    return replace(
        Model(**{name: getattr(model, name) for name in Model.__dataclass_fields__}),
        frame=frame,
        velocities=w,
        lagrangian=model.lagrangian.xreplace(swap),
        forces_a=tuple(dot(row, [Q.xreplace(swap) for Q in model.model.forces_a]) for row in rows),
        constraints=tuple(classify(c.label, c.declared.xreplace(swap), frame, w) for c in model.constraints),
    )


@pytest.mark.exhaustive_for("affine time-dependent", "linear", "nonlinear")
@pytest.mark.parametrize("kind", ["linear", "affine time-dependent", "nonlinear"])
def test_accelerations_do_not_depend_on_the_base_frame(kind: str) -> None:
    @settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def check(data: st.DataObject) -> None:
        system = data.draw(systems(kinds=(kind,)).filter(lambda s: len(s.coordinates) <= 4))
        moved = in_frame(system, *data.draw(frames([q.name for q in system.coordinates])))
        assert not moved.frame.is_chart
        assert verify(moved, states=1).agree
        with precision(40):
            point = next(admissible_points(moved, 35, seed=1))
            rates = moved.frame.coordinate_rates(moved.velocities)
            v = [rates[q] for q in moved.coordinates]
            there = dict(point)
            there |= dict(zip(system.velocities, evaluate_at(v, point), strict=True))
            expected = evaluate_equations(PRINCIPLES[0].derive(system), there).accelerations
            for principle in PRINCIPLES:
                if not principle.covers(moved):
                    continue
                w_dot = evaluate_equations(principle.derive(moved), point).accelerations
                accelerations = [symengine.Symbol(f"a{i}") for i in range(len(w_dot))]
                moving = {**rates, **dict(zip(moved.velocities, accelerations, strict=True))}
                known = {**point, **dict(zip(accelerations, w_dot, strict=True))}
                found = evaluate_at([total_derivative(rate, moving) for rate in v], known)
                gaps = [float(abs(a - b).abs_upper()) for a, b in zip(found, expected, strict=True)]
                assert max(gaps) < 1e-25 * (1 + max(float(abs(b).abs_upper()) for b in expected))

    check()
