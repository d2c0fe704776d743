"""Measured order and measured drift of the integrators."""

from __future__ import annotations

import numpy as np
import pytest
import symengine as se

from anholonomy.motion.integrators.base import Flow
from anholonomy.motion.integrators.runge_kutta import RungeKutta
from anholonomy.motion.integrators.scipy import Scipy
from anholonomy.motion.integrators.taylor import Taylor
from anholonomy.programs.program import lower

x, v = se.symbols("x v")
PENDULUM = Flow(lower([x, v], [], [], [v, -se.sin(x)]), np.array([]))
OSCILLATOR = Flow(lower([x, v], [], [], [v, -x]), np.array([]))


def energy(states: np.ndarray) -> np.ndarray:
    return states[:, 1] ** 2 / 2 - np.cos(states[:, 0])


def test_runge_kutta_has_order_eight():
    """Global error against steps: halving the steps divides it by 2⁸."""
    errors, steps = [], []
    for tolerance in 10.0 ** -np.arange(5, 12):
        run = RungeKutta().integrate(OSCILLATOR, [1.0, 0.0], [0.0, 200.0], tolerance=tolerance)
        errors.append(np.abs(run.states[-1] - [np.cos(200), -np.sin(200)]).max())
        steps.append(run.steps)
    slope = np.polyfit(np.log(steps), np.log(errors), 1)[0]
    assert -9.0 < slope < -7.3


def test_the_dense_output_of_runge_kutta_has_order_seven():
    """Error between the steps, against steps; the same measure as for the steps themselves."""
    times = np.linspace(0, 20, 1001)
    errors, steps = [], []
    for tolerance in 10.0 ** -np.arange(4, 11):
        run = RungeKutta().integrate(OSCILLATOR, [1.0, 0.0], times, tolerance=tolerance)
        errors.append(np.abs(run.states[:, 0] - np.cos(times)).max())
        steps.append(run.steps)
    slope = np.polyfit(np.log(steps), np.log(errors), 1)[0]
    assert -9.0 < slope < -6.5


@pytest.mark.parametrize(("integrator", "tolerance", "bound"), [(Taylor(), 1e-16, 5e-14), (RungeKutta(), 1e-15, 4e-12)])
def test_energy_hardly_drifts_over_a_long_time(integrator, tolerance, bound):
    run = integrator.integrate(PENDULUM, [2.0, 0.0], np.linspace(0, 1e4, 201), tolerance=tolerance)
    assert np.abs(energy(run.states) - energy(run.states[:1])).max() < bound


def test_compiled_steps_are_those_of_scipy():
    """Two programs of one method: the same steps, and the same states to rounding."""
    ours, theirs = (
        integrator.integrate(PENDULUM, [2.0, 0.0], np.linspace(0, 30, 100), tolerance=1e-10)
        for integrator in (RungeKutta(), Scipy())
    )
    assert abs(ours.steps - theirs.steps) <= 1
    assert np.abs(ours.states - theirs.states).max() < 1e-9


def test_rounding_is_carried_along():
    """At a tolerance below rounding the error stays near rounding instead of growing with the steps."""
    run = RungeKutta().integrate(OSCILLATOR, [1.0, 0.0], [0.0, 1000.0], tolerance=1e-15)
    assert abs(run.states[-1, 0] - np.cos(1000.0)) < 1e-12


def test_going_there_and_back_returns():
    for integrator, bound in ((Taylor(), 1e-12), (RungeKutta(), 1e-9)):
        there = integrator.integrate(PENDULUM, [2.0, 0.1], [0.0, 50.0], tolerance=1e-13)
        back = integrator.integrate(PENDULUM, there.states[-1], [50.0, 0.0], tolerance=1e-13)
        assert np.abs(back.states[-1] - [2.0, 0.1]).max() < bound
