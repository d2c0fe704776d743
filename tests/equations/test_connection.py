"""The nonholonomic connection as a principle: against other principles, closed forms and the geometry room's tensors."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import symengine
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import anholonomy as ah
from anholonomy import System, catalogue
from anholonomy.algebra.expressions import symbol
from anholonomy.algebra.numbers.balls import evaluate_balls, precision
from anholonomy.equations.principles import connection
from anholonomy.equations.principles.connection import Connection
from anholonomy.equations.principles.hamel import Hamel
from anholonomy.equations.principles.lagrange_dalembert import LagrangeDAlembert
from anholonomy.equations.textbook import page
from anholonomy.equations.verification import verify
from anholonomy.geometry.connections import nonholonomic
from anholonomy.geometry.metric import kinetic_metric
from anholonomy.language import parse_expression
from anholonomy.system.states.complete_state import complete_state
from tests.equations.quadratic_parts import quadratic_parts_are_right
from tests.properties.moving_frames import in_frame
from tests.properties.random_systems import functions, systems
from tests.wording import blames

OTHERS = [LagrangeDAlembert(), Hamel()]
FEW = settings(max_examples=8, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
_COUNT = itertools.count()


@pytest.mark.parametrize("key", catalogue.ENTRIES)
def test_it_agrees_on_the_catalogue_where_it_applies(key):
    system = catalogue.ENTRIES[key].make()
    if beyond := system.model.kinds & ~Connection.handles:
        assert any(kind.label in Connection().obstacle(system) for kind in beyond)
        return
    verification = verify(system, states=2, principles=[*OTHERS, Connection()])
    assert verification.agree, str(verification)
    assert "connection" in verification.principles


@pytest.mark.parametrize("kind", ["linear", "position"])
def test_it_agrees_on_random_systems(kind):
    """Position-dependent metrics, gyroscopic terms, potentials that depend on time, forces that depend on velocities."""

    @FEW
    @given(systems(kinds=(kind,)))
    def check(system):
        verification = verify(system, states=1, principles=[OTHERS[0], Connection()])
        assert verification.principles == ("lagrange-dalembert", "connection")
        assert verification.worst < 1e-25

    check()


def test_it_agrees_in_moving_base_frames():
    @FEW
    @given(st.data())
    def check(data):
        system = data.draw(systems(kinds=("linear",)).filter(lambda s: len(s.coordinates) <= 4))
        q = [s.name for s in system.coordinates]
        rows = [
            [parse_expression("1" if i == j else data.draw(functions(q)) if j < i else "0") for j in range(len(q))]
            for i in range(len(q))
        ]
        moved = in_frame(system, rows, [symengine.Integer(0)] * len(q))
        assert not moved.frame.is_chart
        verification = verify(moved, states=1, principles=[OTHERS[0], Connection()])
        assert verification.principles == ("lagrange-dalembert", "connection")
        assert verification.worst < 1e-25

    check()


def test_without_constraints_it_is_the_geodesic_equation_of_the_metric():
    """The sphere: theta'' = sin cos phi'^2 and phi'' = -2 cot theta theta' phi'."""
    system = System(
        name="sphere", coordinates=["theta", "phi"], lagrangian="(theta'^2 + sin(theta)^2*phi'^2)/2 - cos(theta)"
    )
    a = system.derive("connection").accelerations({"theta": 0.7, "phi": 0.2, "theta'": 0.3, "phi'": -1.1})
    s, c = np.sin(0.7), np.cos(0.7)
    assert a["theta''"] == pytest.approx(s * c * 1.1**2 + s, rel=1e-14)
    assert a["phi''"] == pytest.approx(2 * c / s * 0.3 * 1.1, rel=1e-14)


@pytest.mark.parametrize("make", [catalogue.skate, catalogue.chaplygin_sleigh, catalogue.free_particle])
def test_its_motions_are_the_geodesics_of_the_geometry_room(make):
    """The same accelerations from tensors: projectors, covariant derivatives, coefficients of the connection."""
    system = make()
    geometric = nonholonomic(kinetic_metric(system), [list(row) for row in system.model.span_ba])
    place = {q: 0.4 + 0.3 * k for k, q in enumerate(system.coordinates)}
    values = {symbol(name): value for name, value in system.parameters.items()}
    rows = np.array([[float(e) for e in evaluate_balls(row, {**place, **values}, 30)] for row in system.model.span_ba])
    state = place | dict(zip(system.velocities, np.array([0.7, -0.9]) @ rows, strict=True))
    wanted = [float(a) for a in evaluate_balls(geometric.geodesic_equations().accelerations, {**state, **values}, 30)]
    found = system.derive("connection").accelerations({s.name: value for s, value in state.items()})
    np.testing.assert_allclose(list(found.values()), wanted, atol=1e-13)


def test_a_long_train_is_given_in_steps():
    equations = catalogue.n_trailer(6).derive("connection")
    assert equations.data.operation_count < 300
    assert equations.data.is_solved
    assert "operations]" in str(equations)


def test_it_prints_accelerations_and_multipliers():
    text = str(catalogue.skate().derive("connection"))
    assert "x'' = -sin(theta)*(cos(theta)*x' + sin(theta)*y')*theta'" in text
    assert "lambda1 = -m*(cos(theta)*x' + sin(theta)*y')*theta'" in text


@pytest.mark.exhaustive
def test_the_long_form_says_what_the_steps_say():
    """Equations that are printable only step by step hold for the numbers of Lagrange–d'Alembert."""
    system = catalogue.leaning_disc()
    rows = page(system.derive("connection").data).equations
    state = {"x": 0, "y": 0, "psi": 0.3, "theta": 0.4, "phi": 0.1, "psi'": 0.5, "theta'": -0.2, "phi'": 1.3}
    expected = system.derive("lagrange-dalembert").at(state)
    numbers = [float(v) for v in (*expected.accelerations, *expected.multipliers)]
    with precision(30):
        point = {s: float(value.mid()) for s, value in complete_state(system.model, state).items()}
    equations = system.derive("connection")
    solved = dict(zip((*equations.rates, *equations.multipliers), numbers, strict=True))
    assert len(rows) == len(solved)
    for left, right in rows:
        (gap,) = evaluate_balls([left - right], {**point, **solved}, 30)
        assert abs(float(gap)) < 1e-12


@pytest.mark.filterwarnings("ignore::anholonomy.errors.SubstitutedConstraintWarning")
@pytest.mark.parametrize(
    ("words", "names"),
    [
        ({"lagrangian": "x'^4 + y'^2/2"}, ()),
        ({"lagrangian": "exp(t)*x'^2 + y'^2/2"}, ()),
        (
            {"lagrangian": "(x' + y')^2/2", "constraints": ["x' = y*y'"]},
            (),
        ),
        ({"lagrangian": "x'^2 + y'^2", "constraints": ["x' = t*y'"]}, ()),
    ],
)
def test_what_it_does_not_cover_is_said(words, names):
    system = System(name="trial", coordinates=["x", "y"], **words)
    with blames(ah.errors.NotSupportedError, *names):
        system.derive("connection")


def test_an_indefinite_kinetic_energy_is_no_obstacle():
    system = System(
        name="hyperbolic", coordinates=["x", "y", "z"],
        lagrangian="x'*y' + z'^2/2 - (1 + x^2)*z'*x' - x*z", constraints=["x' + 2*y' = sin(x)*z'"],
    )  # fmt: skip
    verification = verify(system, principles=[*OTHERS, Connection()])
    assert verification.agree
    assert len(verification.principles) == 3


def trial_models():
    """A new name each time, so that nothing is remembered from another mutant; the long one goes by steps."""
    short = System(
        name=f"trial {next(_COUNT)}",
        coordinates=["x", "y", "z"],
        lagrangian="(1 + x^2)*x'^2/2 + (y' + z*x')^2/2 + z'^2 + x*y*z' + t*x'*z - x*cos(y) - t*z",
        constraints=["(2 + y^2)*x' + x*z*y' + cos(z)*z' = 0"],
        forces={"x": "-x' + y", "z": "x*y'"},
    )
    rows = [[parse_expression(e) for e in row] for row in (["1", "0", "0"], ["sin(z)", "1", "0"], ["x", "cos(x)", "1"])]
    return [short, in_frame(short, rows, [symengine.Integer(0)] * 3)]


def connection_agrees():
    principles = [LagrangeDAlembert(), connection.Connection()]
    return all(verify(model, states=1, principles=principles).agree for model in trial_models())


def test_every_term_at_work_it_agrees():
    assert connection_agrees()


def test_a_lagrangian_that_is_undefined_at_rest_is_read_elsewhere():
    assert quadratic_parts_are_right()
