"""Every integrator against motions known in closed form, and against its promises."""

from __future__ import annotations

import _thread
import threading

import numpy as np
import pytest
import scipy.linalg
import scipy.special
import symengine as se
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from anholonomy.algebra.expressions import symbol, time
from anholonomy.algebra.steps.definitions import Assign, Solve
from anholonomy.base.errors import IntegrationError, UnknownNameError
from anholonomy.motion.integrators import INTEGRATORS, taylor
from anholonomy.motion.integrators.base import Flow, Limits, Outcome
from anholonomy.motion.integrators.choice import Work, choose_integrator, turns
from anholonomy.motion.integrators.runge_kutta import RungeKutta
from anholonomy.motion.integrators.scipy import Scipy
from anholonomy.motion.integrators.taylor import Taylor
from anholonomy.programs.program import Program, lower
from tests.motion.oscillator import OSCILLATOR, k, v, x
from tests.wording import blames

ALL = [Taylor(), RungeKutta(), Scipy()]
every_integrator = pytest.mark.parametrize("integrator", ALL, ids=lambda i: i.name)
NONE = np.array([])


def flow(states, rates, **values):
    parameters = [symbol(name) for name in values]
    return Flow(lower(states, parameters, [], rates), np.array(list(values.values()), dtype=float))


@every_integrator
@pytest.mark.parametrize("end", [20.0, -20.0])
def test_oscillator_on_a_grid_finer_and_coarser_than_the_steps(integrator, end):
    for count in (2, 7, 500):
        run = integrator.integrate(OSCILLATOR, [1.0, 0.0], np.linspace(0, end, count), tolerance=1e-13)
        assert run.outcome is Outcome.REACHED_END
        assert run.states.shape == (count, 2)
        assert_allclose(run.states[:, 0], np.cos(run.times), atol=1e-11)
        assert_allclose(run.states[:, 1], -np.sin(run.times), atol=1e-11)
        assert run.stop_time == end
        assert_allclose(run.stop_state, run.states[-1])


@every_integrator
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_linear_systems_follow_the_matrix_exponential(integrator, seed):
    draw = np.random.default_rng(seed)
    names, matrix = [symbol(f"y{i}") for i in range(3)], draw.normal(size=(3, 3))
    entries = [symbol(f"a{i}{j}") for i in range(3) for j in range(3)]
    rates = [sum(entries[3 * i + j] * names[j] for j in range(3)) for i in range(3)]
    start = draw.normal(size=3)
    linear = Flow(lower(names, entries, [], rates), matrix.ravel())
    run = integrator.integrate(linear, start, np.array([0.0, 0.4, 1.5]), tolerance=1e-12)
    exact = [scipy.linalg.expm(matrix * t) @ start for t in run.times]
    assert_allclose(run.states, exact, atol=1e-9, rtol=1e-9)


@every_integrator
def test_pendulum_follows_jacobi(integrator):
    pendulum = flow([x, v], [v, -se.sin(x)])
    amplitude = 2.0
    m = np.sin(amplitude / 2) ** 2
    times = np.linspace(0, 30, 61)
    run = integrator.integrate(pendulum, [amplitude, 0.0], times, tolerance=1e-13)
    sn = scipy.special.ellipj(times + scipy.special.ellipk(m), m)[0]
    assert_allclose(run.states[:, 0], 2 * np.arcsin(np.sqrt(m) * sn), atol=1e-10)


@every_integrator
def test_kepler_returns_after_a_period(integrator):
    y, w = symbol("y"), symbol("w")
    cube = (x**2 + y**2) ** se.Rational(-3, 2)
    kepler = flow([x, y, v, w], [v, w, -x * cube, -y * cube])
    e = 0.6
    start = np.array([1 - e, 0, 0, np.sqrt((1 + e) / (1 - e))])
    run = integrator.integrate(kepler, start, np.array([0.0, 2 * np.pi, 4 * np.pi]), tolerance=1e-13)
    assert_allclose(run.states[1:], [start, start], atol=1e-9)


@every_integrator
def test_time_and_parameters_reach_the_rates(integrator):
    driven = flow([x], [k * se.cos(k * time)], k=3.0)
    times = np.linspace(1.0, 4.0, 9)
    run = integrator.integrate(driven, [np.sin(3.0)], times, tolerance=1e-13)
    assert_allclose(run.states[:, 0], np.sin(3 * times), atol=1e-11)
    # The same program with another value must not remember the first.
    again = integrator.integrate(Flow(driven.program, np.array([2.0])), [np.sin(2.0)], times, tolerance=1e-13)
    assert_allclose(again.states[:, 0], np.sin(2 * times), atol=1e-11)


@pytest.mark.parametrize("integrator", [RungeKutta(), Scipy()], ids=lambda i: i.name)
def test_linear_systems_inside_the_rates(integrator):
    a, b = symbol("a"), symbol("b")
    # (0 1; 2 0)(a, b) = (-x, 2 v): a = v, b = -x, and the diagonal vanishes.
    two, none = se.Integer(2), se.Integer(0)
    steps = [Solve((a, b), ((none, se.Integer(1)), (two, none)), (-x, 2 * v))]
    run = integrator.integrate(
        Flow(lower([x, v], [], steps, [a, b]), NONE), [1.0, 0.0], np.linspace(0, 5, 6), tolerance=1e-12
    )
    assert_allclose(run.states[:, 0], np.cos(run.times), atol=1e-10)


@every_integrator
def test_on_step_sees_every_step_and_can_stop(integrator):
    seen = []

    def stop(t, state):
        seen.append(t)
        return False if t > 3 else None

    run = integrator.integrate(OSCILLATOR, [1.0, 0.0], np.linspace(0, 10, 101), tolerance=1e-12, on_step=stop)
    assert run.outcome is Outcome.STOPPED
    assert run.steps == len(seen) > 1
    assert run.stop_time == seen[-1] > 3
    assert run.times[-1] <= run.stop_time < run.times[-1] + 0.1
    assert_allclose(run.states[:, 0], np.cos(run.times), atol=1e-10)
    rest = integrator.integrate(OSCILLATOR, run.stop_state, np.array([run.stop_time, 10.0]), tolerance=1e-12)
    assert_allclose(rest.states[-1], [np.cos(10), -np.sin(10)], atol=1e-10)


@every_integrator
def test_a_watch_sees_every_step_once_and_stops_at_the_first_it_names(integrator):
    seen = []

    def watch(times, states):
        assert states == pytest.approx(np.array([np.cos(times), -np.sin(times)]).T, abs=1e-9)
        seen.extend(times)
        late = np.flatnonzero(times > 6)
        return int(late[0]) if late.size else None

    run = integrator.integrate(OSCILLATOR, [1.0, 0.0], np.linspace(0, 10, 101), tolerance=1e-12, watch=watch)
    steps = []
    alone = integrator.integrate(
        OSCILLATOR, [1.0, 0.0], np.linspace(0, 10, 101), tolerance=1e-12, on_step=lambda t, x: steps.append(t)
    )
    assert run.outcome is Outcome.STOPPED
    assert run.stop_time == next(t for t in steps if t > 6)
    assert seen == pytest.approx(steps[: len(seen)])
    assert run.steps == 1 + sum(t < run.stop_time for t in steps)
    assert run.times.size == np.count_nonzero(alone.times <= run.stop_time)
    assert run.states == pytest.approx(alone.states[: run.times.size], abs=1e-13)
    assert run.stop_state == pytest.approx([np.cos(run.stop_time), -np.sin(run.stop_time)], abs=1e-9)


@every_integrator
def test_on_step_can_put_the_state_back(integrator):
    def onto_the_circle(t, state):
        return state / np.hypot(*state)

    run = integrator.integrate(OSCILLATOR, [1.0, 0.0], np.linspace(0, 50, 11), tolerance=1e-6, on_step=onto_the_circle)
    assert run.outcome is Outcome.REACHED_END
    assert_allclose(np.hypot(*run.stop_state), 1.0, rtol=4e-16)
    # Off the grid the interpolant is as good as the tolerance, on the circle or not.
    assert_allclose(np.hypot(*run.states.T), 1.0, atol=1e-4)


@pytest.mark.parametrize("watched", [False, True], ids=["alone", "watched"])
@pytest.mark.parametrize("integrator", [Taylor(), RungeKutta()], ids=lambda i: i.name)
def test_what_may_wait_is_shown_now_and_then(integrator, watched):
    watch = (lambda times, states: None) if watched else None
    for pause in range(1, 9):  # whichever step is the last that was granted
        seen = []
        run = integrator.integrate(
            OSCILLATOR, [1.0, 0.0], np.linspace(0, 20, 101), tolerance=1e-14, watch=watch, pause=pause,
            on_step=lambda t, state, seen=seen: seen.append(t) or state / np.hypot(*state),
        )  # fmt: skip
        assert run.outcome is Outcome.REACHED_END
        assert run.steps // pause <= len(seen) + 1 <= run.steps // pause + run.statistics.get("rejected", 0) + 4
        assert_allclose(run.states[:, 0], np.cos(run.times), atol=1e-11)


@every_integrator
def test_an_interrupt_from_a_callback_keeps_the_motion_so_far(integrator):
    def interrupt(t, state):
        if t > 3:
            raise KeyboardInterrupt

    run = integrator.integrate(OSCILLATOR, [1.0, 0.0], np.linspace(0, 10, 101), tolerance=1e-12, on_step=interrupt)
    assert run.outcome is Outcome.INTERRUPTED
    assert 2.9 < run.times[-1] < 10
    assert_allclose(run.states[:, 0], np.cos(run.times), atol=1e-10)


@pytest.mark.parametrize(
    "seen",
    [{}, {"watch": lambda times, states: None}, {"on_step": lambda t, x: None}],
    ids=["alone", "watched", "followed"],
)
def test_a_series_is_optimised_on_the_way(monkeypatch, seen):
    """After steps that are counted, in the middle of a motion, which goes on from where it was."""
    made, build = [], taylor._build
    monkeypatch.setattr(taylor, "_WORTH", 8)
    monkeypatch.setattr(Taylor, "_pool", type(Taylor._pool)())
    monkeypatch.setattr(taylor, "_build", lambda *asked: made.append(asked[-1]) or build(*asked))
    times = np.linspace(0, 60, 601)
    for _ in range(2):
        run = Taylor().integrate(OSCILLATOR, [1.0, 0.0], times, tolerance=1e-16, **seen)
        assert run.outcome is Outcome.REACHED_END
        assert run.steps > 20
        assert_allclose(run.states, np.transpose([np.cos(times), -np.sin(times)]), rtol=0, atol=1e-14)
        assert made == [False, True]


@every_integrator
def test_an_interrupt_from_outside_keeps_the_motion_so_far(integrator):
    endless = np.linspace(0, 1e8, 1_000_001)
    timer = threading.Timer(0.6, _thread.interrupt_main)
    integrator.integrate(OSCILLATOR, [1.0, 0.0], endless[:3], tolerance=1e-9)  # compile first
    timer.start()
    try:
        run = integrator.integrate(OSCILLATOR, [1.0, 0.0], endless, tolerance=1e-9)
    finally:
        timer.cancel()
    assert run.outcome is Outcome.INTERRUPTED
    assert 0 < run.stop_time < 1e8
    assert run.times.size >= 1
    assert "t = " in run.message


@every_integrator
def test_blowing_up_is_an_outcome(integrator):
    run = integrator.integrate(flow([x], [x**2]), [1.0], np.linspace(0, 2, 21), tolerance=1e-10)
    assert run.outcome in (Outcome.NOT_FINITE, Outcome.STEP_TOO_SMALL)
    assert_allclose(run.stop_time, 1.0, atol=1e-3)
    early = run.times < 0.95
    assert_allclose(run.states[early, 0], 1 / (1 - run.times[early]), rtol=1e-7)


@every_integrator
def test_steps_are_limited(integrator):
    run = integrator.integrate(OSCILLATOR, [1.0, 0.0], np.array([0.0, 1e4]), tolerance=1e-9, max_steps=50)
    assert run.outcome is Outcome.TOO_MANY_STEPS
    assert run.steps <= 50
    assert_allclose(run.stop_state[0], np.cos(run.stop_time), atol=1e-6)


@every_integrator
def test_progress_is_reported(integrator):
    reported = []
    integrator.integrate(
        OSCILLATOR, [1.0, 0.0], np.array([0.0, 3e5 if integrator.name != "scipy" else 1e3]),
        tolerance=1e-9, progress=reported.append,
    )  # fmt: skip
    assert reported == sorted(reported)
    assert reported


@every_integrator
def test_a_single_time_is_the_start(integrator):
    run = integrator.integrate(OSCILLATOR, [1.0, 2.0], np.array([3.0]), tolerance=1e-9)
    assert run.outcome is Outcome.REACHED_END
    assert_allclose(run.states, [[1.0, 2.0]])


@every_integrator
def test_a_flow_at_rest_stays_at_rest(integrator):
    run = integrator.integrate(OSCILLATOR, [0.0, 0.0], np.linspace(0, 9, 4), tolerance=1e-9)
    assert run.outcome is Outcome.REACHED_END
    assert_allclose(run.states, 0.0, atol=0.0)


@pytest.mark.parametrize(
    ("start", "times", "tolerance", "names"),
    [
        ([1.0], [0.0, 1.0], 1e-9, ("2",)),
        ([1.0, np.nan], [0.0, 1.0], 1e-9, ()),
        ([1.0, 0.0], [0.0, 1.0, 1.0], 1e-9, ()),
        ([1.0, 0.0], [], 1e-9, ()),
        ([1.0, 0.0], [0.0, np.inf], 1e-9, ()),
        ([1.0, 0.0], [0.0, 1.0], 0.0, ()),
    ],
)
def test_senseless_questions_are_refused(start, times, tolerance, names):
    with blames(IntegrationError, *names):
        Taylor().integrate(OSCILLATOR, start, times, tolerance=tolerance)


def large(operations: int) -> Program:
    steps, last = [], x
    for i in range(operations // 3):
        target = symbol(f"w{i}")
        steps.append(Assign(target, se.sin(last) * k + v))
        last = target
    return Program((x, v), (k,), tuple(steps), (v, last))


def test_the_choice_follows_size_tolerance_and_smoothness():
    assert choose_integrator(OSCILLATOR.program, 1e-9).name == "taylor"
    assert choose_integrator(large(2000), 1e-9).name == "runge-kutta"
    assert choose_integrator(large(500), 1e-15).name == "taylor"
    assert choose_integrator(large(2000), 1e-15).name == "runge-kutta"
    corner = lower([x], [], [], [-se.Abs(x)])
    assert choose_integrator(corner, 1e-15).name == "runge-kutta"
    assert "abs" in choose_integrator(corner, 1e-15).reason
    for name in INTEGRATORS:
        chosen = choose_integrator(OSCILLATOR.program, 1e-9, name)
        assert (chosen.name, chosen.reason) == (name, "asked for by name")


def test_the_choice_weighs_compilation_against_the_length_of_the_motion():
    """Charts add up, and a long motion makes up for any compilation; both by the figures of `Work` alone."""
    assert choose_integrator(large(500), 1e-15, work=Work(compiled=5000)).name == "runge-kutta"
    assert choose_integrator(large(3000), 1e-15, work=Work(turns=1e3)).name == "runge-kutta"
    assert choose_integrator(large(3000), 1e-15, work=Work(turns=1e6)).name == "taylor"
    assert choose_integrator(large(3000), 1e-6, work=Work(turns=1e4)).name == "runge-kutta"
    assert "compile" in choose_integrator(large(3000), 1e-15).reason


@pytest.mark.parametrize("rate", [0.1, 1.0, 30.0])
def test_a_motion_makes_as_many_turns_as_it_has_time_scales(rate):
    swing = Flow(OSCILLATOR.program, np.array([rate]))
    for phase in (0.0, 0.7, 1.5):
        start = np.array([np.cos(phase), -rate * np.sin(phase)])
        assert 0.2 * 50 * rate < turns(swing, 0.0, start, 50.0) < 5 * 50 * rate


def test_the_choice_falls_back_when_nothing_is_installed(monkeypatch):
    monkeypatch.setattr("anholonomy.motion.integrators.base._is_installed", lambda name: False)
    assert choose_integrator(OSCILLATOR.program, 1e-9).name == "scipy"


def test_the_choice_refuses_in_sentences():
    with blames(UnknownNameError):
        choose_integrator(OSCILLATOR.program, 1e-9, "euler")
    with blames(IntegrationError):
        choose_integrator(lower([x], [], [], [-se.Abs(x)]), 1e-9, "taylor")
    with blames(UnknownNameError):
        Scipy("Euler")


def test_an_interrupt_does_not_wait_for_a_series_to_be_compiled(monkeypatch):
    import heyoka

    released, built = threading.Event(), []

    def slow(*arguments, **options):
        released.wait(30)
        built.append(True)
        raise RuntimeError("too late")

    monkeypatch.setattr(heyoka, "taylor_adaptive", slow)
    threading.Timer(0.2, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        Taylor().integrate(Flow(large(300), np.array([0.123])), [1.0, 0.0], [0.0, 1.0], tolerance=1e-11)
    assert not built
    released.set()


def test_a_stiff_equation_by_an_implicit_method():
    stiff = flow([x], [-1e6 * (x - se.cos(time)) - se.sin(time)])
    run = Scipy("Radau").integrate(stiff, [1.0], np.array([0.0, 1.0]), tolerance=1e-8)
    assert_allclose(run.states[-1, 0], np.cos(1.0), atol=1e-6)
    assert run.steps < 1000


def test_corners_are_followed_by_runge_kutta():
    """x' = -sign(x - 1/2), stopped before it slides: a straight line down."""
    run = RungeKutta().integrate(flow([x], [-se.sign(x - se.Rational(1, 2))]), [1.0], [0.0, 0.4], tolerance=1e-9)
    assert_allclose(run.states[-1, 0], 0.6, atol=1e-12)


@pytest.mark.parametrize("drive", [1e-5, 1e-8, 1e-11])
def test_a_rate_that_is_a_small_difference_takes_no_more_steps_than_it_is_worth(drive: float) -> None:
    """a' = 1, c' = d, b' = c - sin b, the sine written as a difference: b = d (t - 1 + exp(-t)) but for d³, with noise as of a."""
    a, b, c, d = se.symbols("a b c d")
    sine = se.sin(a + b) * se.cos(a) - se.cos(a + b) * se.sin(a)
    motion = flow([a, b, c], [se.Integer(1), c - sine, d], d=drive)
    for end in (0.001, 1.0, 20.0):
        run = RungeKutta().integrate(motion, [0.3, 0, 0], [0.0, end], tolerance=2.3e-16)
        assert run.steps < 2000
        assert run.stop_state[1] == pytest.approx(drive * (end + np.expm1(-end)), rel=1e-6, abs=1e-15 * end)


@pytest.mark.exhaustive_for("scipy")
@every_integrator
def test_steps_that_are_held_short_say_by_what(integrator) -> None:
    run = integrator.integrate(OSCILLATOR, [1.0, 0.0], [0.0, 1.0], tolerance=1e-10, limits=Limits(longest=1e-12))
    assert not run.outcome.is_complete
    assert "max_step" in run.message
