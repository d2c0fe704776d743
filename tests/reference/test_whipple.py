"""The Whipple bicycle: linearised against the benchmark's matrices and eigenvalues, and as it is against a published state.

J. P. Meijaard, J. M. Papadopoulos, A. Ruina, A. L. Schwab, Linearized dynamics equations for the balance and steer of a
bicycle: a benchmark and review, Proc. R. Soc. A 463 (2007) 1955-1982: parameters of table 1, the matrices printed for them,
eigenvalues of table 2. P. Basu-Mandal, A. Chatterjee, J. M. Papadopoulos, Hands-free circular motions of a benchmark bicycle,
Proc. R. Soc. A 463 (2007) 1983-2003: accelerations at a state far from upright, table 1.
"""

from __future__ import annotations

from collections.abc import Callable
from math import pi

import numpy as np
import pytest

import anholonomy as ah
from anholonomy import catalogue
from anholonomy.algebra.expressions import symbol
from anholonomy.algebra.numbers.balls import evaluate_ball, precision
from anholonomy.algebra.steps.definitions import inline
from anholonomy.catalogue.vehicles.whipple_bicycle import _parts
from anholonomy.equations.evaluation import evaluate_equations
from anholonomy.system.bodies import Disc, Plane, Rolling
from anholonomy.system.states.complete_state import complete_state
from tests.reference.whipple_benchmark import C1, CAPSIZE_SPEED, K0, K2, WEAVE_SPEED, M

TABLE_2 = {
    # speed: real and imaginary part of weave, capsize, castering
    1: (3.52696170990070, 0.80774027519930, -3.13423125066578, -7.11008014637442),
    2: (2.68234517512745, 1.68066296590675, -3.07158645641514, -8.67387984831735),
    3: (1.70675605663975, 2.31582447384325, -2.63366137253667, -10.35101467245920),
    4: (0.41325331521125, 3.07910818603206, -1.42944427361326, -12.15861426576447),
    5: (-0.77534188219585, 4.46486771378823, -0.32286642900409, -14.07838969279822),
    6: (-1.52644486584142, 5.87673060598709, -0.00406690076970, -16.08537123098026),
    7: (-2.13875644258362, 7.19525913329805, 0.10268170574766, -18.15788466125262),
    8: (-2.69348683581097, 8.46037971396931, 0.14327879765713, -20.27940894394569),
    9: (-3.21675402252485, 9.69377351531791, 0.15790184030917, -22.43788559040858),
    10: (-3.72016840437287, 10.90681139476287, 0.16105338653172, -24.62459635017404),
}
AT_REST = (3.13164324790656, 5.53094371765393)

SPEEDS = ["roll'", "steer'", "rear_turn'"]
Linearised = Callable[[float], np.ndarray]


@pytest.fixture(scope="module")
def equations() -> ah.Equations:
    """No torque at t = 0, a unit torque of leaning at t = 1, one of steering at t = 2."""
    bicycle = catalogue.whipple_bicycle(roll_torque="t*(2 - t)", steer_torque="t*(t - 1)/2")
    return bicycle.derive("hamel", speeds=SPEEDS, at=catalogue.ENTRIES["whipple-bicycle"].start)


def running(equations: ah.Equations, v: float) -> np.ndarray:
    """Upright straight running, in coordinates and speeds."""
    rolling = {"rear_turn'": v / 0.3}
    return np.array([rolling.get(s.name, 0.0) for s in equations.state])


@pytest.fixture(scope="module")
def linearised(equations: ah.Equations) -> Linearised:
    """By speed, how the accelerations of lean and steer depend on lean, steer and their rates: exact derivatives."""
    pytest.importorskip("casadi")
    jacobian = equations.casadi().factory("jacobian", ["t", "x", "p"], ["jac:dx:x"])
    names = [s.name for s in equations.state]
    rows, columns = (
        [names.index(n) for n in chosen] for chosen in (("roll'", "steer'"), ("roll", "steer", "roll'", "steer'"))
    )
    values = list(equations.system.model.parameters.values())

    def at(v: float) -> np.ndarray:
        return np.array(jacobian(0.0, running(equations, v), values))[np.ix_(rows, columns)]

    return at


def inertia(equations: ah.Equations) -> np.ndarray:
    """The inertia of lean and steer in Hamel's equations, upright."""
    values = dict(zip(equations.state, running(equations, 5.0), strict=True))
    values |= dict(
        zip(equations.system.model.parameter_symbols, equations.system.model.parameters.values(), strict=True)
    )
    flat = inline([entry for row in equations.data.K[:2] for entry in row[:2]], equations.data.definitions)
    return np.array([float(evaluate_ball(entry, values, 30)) for entry in flat]).reshape(2, 2)


def test_the_inertia_is_the_benchmarks(equations: ah.Equations) -> None:
    np.testing.assert_allclose(inertia(equations), M, rtol=0, atol=1e-12)


def test_torques_are_answered_by_the_inverse_of_the_inertia(equations: ah.Equations) -> None:
    rates = equations.function("numpy")
    x = running(equations, 4.0)
    assert np.abs(rates(0.0, x)[-3:]).max() < 1e-13  # without torques it runs on
    response = np.array([rates(t, x)[-3:-1] for t in (1.0, 2.0)]).T
    np.testing.assert_allclose(response @ M, np.eye(2), atol=1e-12)


def test_the_other_matrices_are_the_benchmarks(linearised: Linearised) -> None:
    at_rest, at_five = -M @ linearised(0.0), -M @ linearised(5.0)
    np.testing.assert_allclose(at_rest[:, :2] / 9.81, K0, rtol=0, atol=1e-11)
    np.testing.assert_allclose((at_five - at_rest)[:, :2] / 25, K2, rtol=0, atol=1e-11)
    np.testing.assert_allclose(at_rest[:, 2:], 0, atol=1e-11)
    np.testing.assert_allclose(at_five[:, 2:] / 5, C1, rtol=0, atol=1e-11)


def eigenvalues(accelerations: np.ndarray) -> np.ndarray:
    return np.sort_complex(np.linalg.eigvals(np.vstack([np.eye(4)[2:], accelerations])))


@pytest.mark.parametrize("v", TABLE_2)
def test_the_eigenvalues_are_those_of_table_2(v: int, linearised: Linearised) -> None:
    real, imaginary, capsize, castering = TABLE_2[v]
    weave = complex(real, imaginary)
    printed = np.sort_complex([weave, weave.conjugate(), capsize, castering])
    np.testing.assert_allclose(eigenvalues(linearised(float(v))), printed, rtol=0, atol=1e-11)


def test_the_eigenvalues_at_rest_are_those_of_table_2(linearised: Linearised) -> None:
    printed = np.sort([*AT_REST, *(-value for value in AT_REST)])
    np.testing.assert_allclose(eigenvalues(linearised(0.0)), printed, rtol=0, atol=1e-11)


def growth(accelerations: np.ndarray) -> tuple[float, float]:
    """The largest real part of an oscillation, and the largest real eigenvalue."""
    found = eigenvalues(accelerations)
    waving = np.abs(found.imag) > 1e-9
    return float(found[waving].real.max()), float(found[~waving].real.max())


def from_the_print(v: float) -> np.ndarray:
    return -np.linalg.solve(M, np.hstack([9.81 * K0 + v**2 * K2, v * C1]))


@pytest.mark.parametrize("source", ["ours", "print"])
def test_weave_and_capsize_speeds_are_the_benchmarks(source: str, linearised: Linearised) -> None:
    from scipy.optimize import brentq

    dynamics = linearised if source == "ours" else from_the_print
    weave = brentq(lambda v: growth(dynamics(v))[0], 4.0, 4.6, xtol=1e-14)
    capsize = brentq(lambda v: growth(dynamics(v))[1], 5.8, 6.2, xtol=1e-14)
    assert weave == pytest.approx(WEAVE_SPEED, abs=1e-11)
    assert capsize == pytest.approx(CAPSIZE_SPEED, abs=1e-11)


BASU = {
    # Angle, rate, acceleration. Their lean is measured from the ground, their pitch from upside down, and both, as their
    # steer, turn the other way.
    "theta": (0.0, 0.7830033527065, 0.8353281706379),
    "roll": (pi / 2 - 0.9501292851472, -0.6068425835418, 7.8555281128244),
    "pitch": (3.1257073014894 - pi, -0.0119185528069, 0.1205543897884),
    "steer": (-0.2311385135743, -0.4859824687093, 4.6198904039403),
    "rear_turn": (0.0, 8.9129896614890, 1.8472554144217),
    "front_turn": (0.0, 8.0133620584155, 2.4548072904550),
}


def accelerations(system: ah.System) -> dict[str, float]:
    """At the published state, which has 13 digits and is put onto the ground from there, with its rates checked on the way."""
    given = {name: position for name, (position, _, _) in BASU.items()} | {"x": 0.0, "y": 0.0}
    given |= {f"{name}'": BASU[name][1] for name in ("roll", "steer", "rear_turn")}
    equations = system.derive("hamel")
    with precision(30):
        state = complete_state(system.model, given, project=True)
        for name, (_, rate, _) in BASU.items():
            assert float(state[symbol(f"{name}'")]) == pytest.approx(rate, abs=2e-12)
        found = evaluate_equations(equations.data, state).accelerations
    return {w.name: float(value) for w, value in zip(system.velocities, found, strict=True)}


def test_far_from_upright_it_accelerates_as_published() -> None:
    found = accelerations(catalogue.whipple_bicycle())
    for name, (_, _, published) in BASU.items():
        # A change of the printed state in its last digit moves steer'' by 1e-11.
        assert found[f"{name}'"] == pytest.approx(published, abs=3e-11)
    assert 0.3 * np.sin(0.9501292851472) == pytest.approx(0.2440472102925, abs=1e-13)  # the height they print


@pytest.mark.exhaustive
def test_the_contact_builder_gives_the_same_motion() -> None:
    hand = catalogue.whipple_bicycle()
    bodies, joints = _parts()
    built = ah.System(
        name="bicycle by contacts", bodies=bodies, joints=joints, gravity="g", parameters=hand.parameters,
        contacts=[Rolling("front", surface=Disc("rF", axis=2), on=Plane())],
        constraints=["x' = rR*(pitch' + rear_turn')*cos(theta)", "y' = rR*(pitch' + rear_turn')*sin(theta)"],
    )  # fmt: skip
    expected = accelerations(hand)
    assert accelerations(built) == pytest.approx(expected, abs=1e-11)
    assert max(map(abs, expected.values())) > 1
