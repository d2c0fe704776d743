"""Pulses, steps and jumps in time: none is stepped over, against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
import symengine as se
from scipy.special import ive

import anholonomy as ah
from anholonomy.algebra.expressions import time
from anholonomy.motion.driver.step_limits import limits_of
from anholonomy.motion.integrators.base import Limits
from anholonomy.motion.integrators.runge_kutta import RungeKutta
from anholonomy.motion.integrators.scipy import Scipy
from anholonomy.motion.integrators.taylor import Taylor
from tests.motion.oscillator import OSCILLATOR
from tests.wording import blames

REST = {"x": 0, "x'": 0}
PULSES = {
    "gauss": ("exp(-((t - 5)/w)^2)/(w*sqrt(pi))", 1.0),
    "off the middle": ("exp(-((t - pi)/w)^2)/(w*sqrt(pi))", 1.0),
    "sech": ("1/cosh((t - 5)/w)^2/(2*w)", 1.0),
    "tanh": ("(1 + tanh((t - 5)/w))/2", 5.0),
    "atan": ("1/2 + atan((t - 5)/w)/pi", 5.0),
    "weak beside strong": ("exp(-((t - 7.7)/w)^2)/w/1000/sqrt(pi) + exp(-((t - 2)/w)^2)/w/sqrt(pi)", 1.001),
}


def mass(force: str, w: float) -> ah.System:
    return ah.System(name="mass", coordinates=["x"], lagrangian="x'^2/2", forces={"x": force}, parameters={"w": w})


@pytest.mark.parametrize("w", [0.01, 1e-4])
@pytest.mark.parametrize("name", PULSES)
def test_a_pulse_hits_a_mass_at_rest(name: str, w: float) -> None:
    force, exact = PULSES[name]
    for integrator in (None, "runge-kutta"):
        run = mass(force, w).simulate(REST, until=10, integrator=integrator)
        assert run.is_complete
        assert abs(float(run["x'"][-1]) - exact) < 1e-9, integrator


@pytest.mark.parametrize("integrator", [None, "runge-kutta"])
def test_a_train_of_pulses(integrator: str | None) -> None:
    r"""$\int_{-1}^1 e^{-\sin^2(\pi t/2)/w^2}dt = 2e^{-1/2w^2}I_0(1/2w^2)$, four times and two halves."""
    run = mass("exp(-(sin(pi*t/2)/w)^2)/w", 0.01).simulate(REST, until=10, integrator=integrator)
    assert float(run["x'"][-1]) == pytest.approx(5 * 2 / 0.01 * ive(0, 0.5 / 0.01**2), rel=1e-9)


@pytest.mark.parametrize("tolerance", [1e-3, 1e-6])
def test_a_pulse_is_seen_at_every_tolerance_and_backward(tolerance: float) -> None:
    pulse = mass(PULSES["off the middle"][0], 1e-3)
    for integrator in (None, "runge-kutta", "scipy"):
        back = pulse.simulate({**REST, "t": 10}, until=0, tolerance=tolerance, integrator=integrator)
        assert abs(float(back["x'"][-1]) + 1) < 100 * tolerance


def test_a_pulse_in_a_constraint_and_in_the_lagrangian() -> None:
    """A turntable's kick, x' = pulse(t), and a potential -x*pulse(t)."""
    pulse = PULSES["gauss"][0]
    belt = ah.System(
        name="belt",
        coordinates=["x", "y"],
        lagrangian="(x'^2 + y'^2)/2",
        constraints=[f"x' = {pulse}"],
        parameters={"w": 1e-3},
    )
    run = belt.simulate({"x": 0, "y": 0, "y'": 1}, until=10)
    assert abs(float(run["x"][-1]) - 1) < 1e-9
    kicked = ah.System(name="kicked", coordinates=["x"], lagrangian=f"x'^2/2 + x*{pulse}", parameters={"w": 1e-3})
    assert abs(float(kicked.simulate(REST, until=10)["x'"][-1]) - 1) < 1e-9


def test_what_does_not_depend_on_time_is_not_looked_at() -> None:
    x = se.Symbol("x")
    assert (
        limits_of([se.exp(-(x**2)) * se.sin(3 * time + x), se.cos(time) ** 2 + time * x], {}, 0.0, 10.0).breaks.size
        == 0
    )


def test_slow_functions_cost_few_breaks() -> None:
    assert limits_of([se.exp(-time / 10), se.sqrt(1 + time), 1 / (1 + time)], {}, 0.0, 10.0).breaks.size < 10


@pytest.mark.parametrize("integrator", [Taylor(), RungeKutta(), Scipy()], ids=lambda i: i.name)
@pytest.mark.parametrize("end", [10.0, -10.0])
def test_steps_keep_to_their_limits(integrator, end: float) -> None:
    seen: list[float] = [0.0]
    breaks = np.array([1.0, 2.5, 2.5, math.pi, 7.0, 99.0]) * np.sign(end)
    limits = Limits(0.3, breaks)
    run = integrator.integrate(
        OSCILLATOR,
        [1.0, 0.0],
        np.linspace(0, end, 9),
        tolerance=1e-12,
        on_step=lambda t, x: seen.append(t),
        limits=limits,
    )
    assert np.abs(np.diff(seen)).max() <= 0.3 + 1e-12
    assert set(breaks[:5]) <= set(seen)
    np.testing.assert_allclose(run.states[:, 0], np.cos(run.times), atol=1e-10)
    free = integrator.integrate(OSCILLATOR, [1.0, 0.0], np.linspace(0, end, 9), tolerance=1e-12, limits=limits)
    assert free.steps == run.steps == len(seen) - 1
    np.testing.assert_allclose(free.states[:, 0], np.cos(free.times), atol=1e-10)


def test_a_user_may_bound_the_steps() -> None:
    free = mass("0", 1.0)
    assert free.simulate(REST, until=10, max_step=0.01).data.attrs["steps"] >= 1000
    assert free.simulate(REST, until=10, breaks=[1, 2, 3]).data.attrs["steps"] >= 4


@pytest.mark.parametrize(
    "limits",
    [
        {"max_step": 0},
        {"max_step": "a"},
        {"max_step": -1},
        {"max_step": math.nan},
        {"breaks": ["a"]},
        {"breaks": [math.inf]},
    ],
)
def test_bounds_that_are_none_are_refused(limits) -> None:
    with blames(ah.errors.IntegrationError):
        mass("0", 1.0).simulate(REST, until=1, **limits)
