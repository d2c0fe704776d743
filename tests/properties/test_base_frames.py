"""The law: motion does not depend on the frame in which velocities are written.

A system on a chart is rewritten in a moving frame $w$ with $\\dot q = B(q, t)^{\\mathsf T} w + b(q, t)$: another anchor,
another structure, the same accelerations. Nothing downstream may assume that the anchor is 1.
"""

from __future__ import annotations

import pytest
import symengine
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from anholonomy.algebra.calculus import total_derivative
from anholonomy.algebra.numbers.balls import precision
from anholonomy.equations.evaluation import evaluate_equations
from anholonomy.equations.principles import PRINCIPLES
from anholonomy.equations.verification import verify
from anholonomy.system.states.newton import evaluate_at
from anholonomy.system.states.random_states import admissible_points
from tests.properties.moving_frames import frames, in_frame
from tests.properties.random_systems import systems


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
