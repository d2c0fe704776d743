"""Regulators about steady motions: Riccati's equation by hand, python-control on the same matrices, motions of the whole system."""

from __future__ import annotations

import numpy as np
import pytest

import anholonomy as ah
from tests.wording import blames

REST = {"x": 0, "th": 0, "x'": 0, "th'": 0}
CART = ah.System(
    name="cart",
    coordinates=["x", "th"],
    lagrangian="M*x'^2/2 + m*(x'^2 + 2*l*x'*th'*cos(th) + l^2*th'^2)/2 - m*g*l*cos(th)",
    parameters={"M": 1.0, "m": 0.3, "l": 0.5, "g": 9.81},
    forces={"x": "F"},
    inputs=["F"],
)
HOVER = ah.System(
    name="hover",
    coordinates=["x", "y", "th"],
    lagrangian="(x'^2 + y'^2)/2 + J*th'^2/2",
    parameters={"J": 0.5},
    forces={"x": "F*cos(th) - G*sin(th)", "y": "F*sin(th) + G*cos(th)", "th": "N"},
    inputs=["F", "G", "N"],
)
CIRCLE = {"x": 0, "y": 0, "th": 0, "x'": 1, "y'": 0, "th'": 0.7, "G": 0.7}


def test_inputs_have_their_labelled_column():
    lin = CART.linearize(at=REST)
    assert lin.inputs == ("F",)
    assert lin.labels == ("th", "x'", "th'")
    assert lin.B.sel(input="F", rate="th'").item() == pytest.approx(-1 / (1.0 * 0.5))
    assert lin.B.sel(input="F", rate="x'").item() == pytest.approx(1.0)


def test_a_double_integrator_has_the_gain_of_the_textbook():
    mass = ah.System(coordinates=["x"], lagrangian="x'^2/2", forces={"x": "F"}, inputs=["F"], name="mass")
    gain = mass.linearize(at={"x": 0, "x'": 0}).lqr({"x": 4.0}, 1.0)
    assert gain.labels == ("x", "x'")
    assert gain.matrix == pytest.approx(np.array([[2.0, 2.0]]))
    run = mass.simulate({"x": 1, "x'": 0}, times=np.linspace(0, 4, 9), inputs=gain)
    t = run.time.values
    assert np.abs(run["x"] - np.exp(-t) * (np.cos(t) + np.sin(t))).max() < 1e-13


def test_the_closed_loop_is_what_control_makes_of_it():
    control = pytest.importorskip("control")
    chain = ah.System(
        name="chain",
        coordinates=["a", "b"],
        lagrangian="(a'^2 + 2*b'^2)/2 - (a - b)^2 - b^2/2",
        forces={"a": "F", "b": "-0.1*b'"},
        inputs=["F"],
    )
    lin = chain.linearize(at={"a": 0, "b": 0, "a'": 0, "b'": 0})
    space = lin.to_control()
    assert space.state_labels == list(lin.labels) == ["a", "b", "a'", "b'"]
    assert space.input_labels == ["F"]
    K, _, values = control.lqr(space, np.diag([1, 2, 3, 4]), [[0.5]])
    gain = lin.lqr({"a": 1, "b": 2, "a'": 3, "b'": 4}, {"F": 0.5})
    assert np.allclose(gain.matrix, K, atol=1e-9)
    assert np.allclose(np.sort_complex(gain.eigenvalues), np.sort_complex(values), atol=1e-9)
    times = np.linspace(0, 10, 51)
    start = {"a": 1, "b": -0.5, "a'": 0, "b'": 0.3}
    run = chain.simulate(start, times=times, inputs=gain)
    loop = control.ss(space.A - space.B @ K, np.zeros((4, 1)), np.eye(4), np.zeros((4, 1)))
    wanted = control.initial_response(loop, times, [1, -0.5, 0, 0.3]).states
    assert np.abs(run["b"] - wanted[1]).max() < 1e-8


def test_a_pole_is_balanced_with_and_without_its_place():
    lin = CART.linearize(at=REST)
    start = {"x": 0, "th": 0.3, "x'": 0, "th'": 0}
    free, held = lin.lqr(1, 1), lin.lqr({"x": 1, "th": 1}, 1)
    assert free.labels == ("th", "x'", "th'")
    assert held.labels == ("x", "th", "x'", "th'")
    assert abs(CART.simulate(start, until=20, inputs=free)["th"][-1]) < 1e-5
    run = CART.simulate(start, until=20, inputs=held)
    assert abs(run["x"][-1]) < 1e-5
    text = CART.simulate(start, until=20, inputs=held.texts)
    assert np.abs(text["x"] - run["x"]).max() < 1e-12
    assert "slowest eigenvalue" in str(held)


def test_a_place_that_moves_with_the_steady_motion_is_kept():
    gain = CART.linearize(at={**REST, "x'": 2.0}).lqr({"x": 1, "th": 1}, 1)
    run = CART.simulate({"x": 0, "th": 0.2, "x'": 2.0, "th'": 0}, until=25, inputs=gain)
    assert float(run["x"][-1]) == pytest.approx(50, abs=1e-4)


@pytest.mark.exhaustive
def test_a_motion_that_turns_is_regulated_wherever_it_is():
    gain = HOVER.linearize(at=CIRCLE).lqr(1, 1)
    assert not gain.has_texts
    with blames(ah.errors.NotSupportedError):
        _ = gain.texts
    run = HOVER.simulate(
        {"x": 3, "y": 1, "th": 2, "x'": 0.5, "y'": 0.2, "th'": 0.2}, until=10, inputs=gain, tolerance=1e-6
    )
    assert float(run["x'*cos(th) + y'*sin(th)"][-1]) == pytest.approx(1, abs=1e-4)
    assert float(run["th'"][-1]) == pytest.approx(0.7, abs=1e-4)


def test_of_a_family_the_state_keeps_to_its_member():
    """A sleigh that coasts cannot be driven: its speed stays what it is, and its gain sees nothing of it."""
    sleigh = ah.catalogue.chaplygin_sleigh().with_forces({"theta": "tau"}, inputs=["tau"])
    steady = {"x": 0, "y": 0, "theta": 0, "x'": 1, "y'": 0, "theta'": 0}
    gain = sleigh.linearize(at=steady).lqr({"theta'": 1}, 1)
    assert gain.K.sel(input="tau", of="theta'").item() > 0
    assert np.count_nonzero(gain.matrix) == 1


def test_the_member_of_a_family_is_met_along_the_family():
    """Two masses that push each other keep their common momentum: moving together at another speed needs no force."""
    pair = ah.System(
        name="pair",
        coordinates=["a", "b"],
        lagrangian="(a'^2 + 2*b'^2)/2 + (a - b)^2/2",
        forces={"a": "F", "b": "-F"},
        inputs=["F"],
    )
    gain = pair.linearize(at={"a": 0, "b": 0, "a'": 0, "b'": 0}).lqr(1, 1)
    together = pair.simulate({"a": 0, "b": 0, "a'": 1, "b'": 1}, until=3, inputs=gain)
    assert np.abs(together["F"]).max() < 1e-12
    apart = pair.simulate({"a": 0.2, "b": 0, "a'": 1, "b'": 1}, until=20, inputs=gain)
    assert abs(apart["a - b"][-1]) < 1e-6
    assert float(apart["a'"][-1]) == pytest.approx(1, abs=1e-6)


@pytest.mark.exhaustive
def test_a_bicycle_is_ridden_below_its_weave_speed():
    bike = ah.catalogue.whipple_bicycle().with_forces({"steer": "T"}, inputs=["T"])
    lin = bike.linearize(at=bike.stability.steady_motion(fixed={"x'": 3.0}))
    assert lin.verdict == "unstable"
    gain = lin.lqr({"roll": 1, "steer": 1}, 1)
    start = dict.fromkeys(["x", "y", "theta", "pitch", "steer", "rear_turn", "front_turn", "roll'", "steer'"], 0)
    run = bike.simulate({**start, "roll": 0.1, "rear_turn'": 10}, until=4, inputs=gain, project=True, tolerance=1e-9)
    assert run.is_complete
    assert abs(run["roll"][-1]) < 2e-3


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        (lambda: CART.linearize(at=REST).lqr({"th": 1}, 1), ()),
        (
            lambda: CART.linearize(at=REST).lqr(-1, 1),
            ("Q", "-1"),
        ),
        (lambda: CART.linearize(at=REST).lqr(1, 0), ("R", "0")),
        (lambda: CART.linearize(at=REST).lqr(np.eye(2), 1), ("2", "3")),
        (lambda: CART.linearize(at=REST).lqr([[1, 2, 0], [0, 1, 0], [0, 0, 1]], 1), ("Q",)),
        (lambda: CART.linearize(at=REST).lqr({"thh": 1}, 1), ("Q", "thh")),
        (lambda: CART.linearize(at=REST).lqr("much", 1), ()),
        (lambda: HOVER.linearize(at={**CIRCLE, "G": 0}).lqr(1, 1), ()),
        (lambda: HOVER.linearize(at=CIRCLE).lqr({"x": 1}, 1), ("x",)),
        (
            lambda: ah.catalogue.skate().linearize(at={"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0}).lqr(1, 1),
            (),
        ),
    ],
)
def test_what_cannot_be_regulated_is_refused(asked, names):
    with blames(ah.Error, *names):
        asked()


def test_a_mode_out_of_reach_is_named():
    two = ah.System(
        name="two", coordinates=["a", "b"], lagrangian="(a'^2 + b'^2 + a^2 + 2*b^2)/2", forces={"a": "F"}, inputs=["F"]
    )
    with blames(ah.errors.NotSupportedError, "F", "1.414"):
        two.linearize(at={"a": 0, "b": 0, "a'": 0, "b'": 0}).lqr(1, 1)


def test_what_no_input_changes_stays_where_it_is_not_weighed():
    from scipy.linalg import solve_continuous_are

    beside = ah.System(
        name="beside",
        coordinates=["x", "th", "s"],
        lagrangian=f"{CART.lagrangian} + s'^2/2",
        parameters=CART.parameters,
        forces={"x": "F"},
        inputs=["F"],
    )
    weights = {"x": 1.0, "th": 2.0, "th'": 0.5}
    alone = CART.linearize(at=REST).lqr(weights, 3.0)
    gain = beside.linearize(at={**REST, "s": 0, "s'": 0.4}).lqr(weights, 3.0)
    assert gain.staying == ("s", "s'")
    for name, wanted in zip(alone.labels, alone.matrix[0], strict=True):
        assert gain.K.sel(input="F", of=name).item() == pytest.approx(wanted, rel=1e-9)
    assert not gain.K.sel(of=["s", "s'"]).any()
    M, m, l, g = 1.0, 0.3, 0.5, 9.81
    A = np.array([[0, 0, 1, 0], [0, 0, 0, 1], [0, -m * g / M, 0, 0], [0, (M + m) * g / (M * l), 0, 0]])
    column = np.array([[0], [0], [1 / M], [-1 / (M * l)]])
    P = solve_continuous_are(A, column, np.diag([1.0, 2.0, 0.0, 0.5]), np.array([[3.0]]))
    assert gain.K.sel(of=["x", "th", "x'", "th'"]).values == pytest.approx(column.T @ P / 3, rel=1e-9)
    run = beside.simulate({**REST, "th": 0.1, "x": 0.2, "s": 0, "s'": 0.5}, until=30, inputs=gain)
    assert abs(run["th"][-1]) + abs(run["x"][-1]) < 1e-5
    assert float(run["s'"][-1]) == pytest.approx(0.5, rel=1e-12)


def test_what_stays_is_named_and_must_not_be_weighed_or_grow():
    def pair(potential: str) -> ah.System:
        return ah.System(
            name="pair",
            coordinates=["x", "s"],
            lagrangian=f"(x'^2 + s'^2)/2 - ({potential})",
            forces={"x": "F"},
            inputs=["F"],
        )

    rest = {"x": 0, "s": 0, "x'": 0, "s'": 0}
    swinging = pair("2*s^2").linearize(at=rest).lqr({"x": 4.0}, 1.0)
    assert "what stays shows in s, s'" in str(swinging)
    assert swinging.K.sel(of=["x", "x'"]).values == pytest.approx(np.array([[2.0, 2.0]]))
    with pytest.raises(ah.Error) as caught:
        pair("2*s^2").linearize(at=rest).lqr({"x": 4.0, "s": 1.0}, 1.0)
    blames(caught.value, "pair", "s")
    with pytest.raises(ah.Error) as caught:
        pair("-2*s^2").linearize(at=rest).lqr({"x": 4.0}, 1.0)
    blames(caught.value, "pair", "2")


def test_a_bicycle_keeps_its_heading_and_its_lane():
    bike = ah.catalogue.whipple_bicycle().with_forces({"steer": "T"}, inputs=["T"])
    riding = bike.stability.steady_motion(fixed={"x'": 3.0})
    gain = bike.linearize(at=riding).lqr({"roll": 1, "theta": 1, "y": 4}, {"T": 1})
    assert gain.K.sel(input="T", of="y").item() == pytest.approx(2.0, rel=1e-8)  # what is left of Riccati's equation
    assert gain.eigenvalues.real.max() < -0.5
    assert set(gain.staying) == {"x", "rear_turn", "front_turn", "x'"}
    heading = bike.linearize(at=riding).lqr({"roll": 1, "theta": 9}, {"T": 1})
    assert heading.K.sel(input="T", of="theta").item() == pytest.approx(3.0, rel=1e-8)
    assert "y" in heading.staying


@pytest.mark.exhaustive
def test_a_bicycle_returns_to_its_lane():
    bike = ah.catalogue.whipple_bicycle().with_forces({"steer": "T"}, inputs=["T"])
    riding = bike.stability.steady_motion(fixed={"x'": 3.0})
    gain = bike.linearize(at=riding).lqr({"roll": 1, "theta": 1, "y": 1}, {"T": 1})
    start = {**riding.state, "y": 0.3, "theta": 0.05}
    run = bike.simulate(start, until=12, inputs=gain, tolerance=1e-8, project=True)
    assert max(abs(float(run[name][-1])) for name in ("y", "theta", "roll", "steer")) < 1e-4
    assert float(run["x'"][-1]) == pytest.approx(3, abs=1e-2)
