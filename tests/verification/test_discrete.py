"""Measured order and drift of the discrete methods; what each claims to keep, and that a broken sign loses it."""

from __future__ import annotations

import inspect
import types

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.base.errors import Error
from anholonomy.motion.discrete import METHODS
from anholonomy.motion.discrete.base import AbstractMethod
from benchmarks.discrete import (
    CASES,
    ENTRIES,
    Case,
    Found,
    at_midpoints,
    measured,
    order,
    state,
    system,
    there_and_back,
)
from tests.fitting.closed_forms import FORWARD, blade
from tests.wording import blames

OSCILLATOR, PARTICLE, DISK, EDGE, SLEIGH, LEANING = CASES
EXACT = 1e-11


def check(method: str, case: Case, found: Found) -> None:
    """What a method claims in words, in numbers."""
    assert found.order == pytest.approx(2, abs=0.05)
    assert found.nodes < EXACT
    assert (found.midpoints < EXACT) or method != "dla-midpoint"
    assert (found.back < 1e-10) or method == "gni"
    assert (found.momentum is None or found.momentum < EXACT) or method == "energy"
    if method == "energy":
        assert found.energy < EXACT
    elif (method, case.key) == ("gni", "chaplygin-sleigh"):
        assert found.energy > 0.5  # what it reflects has taken over
    else:
        assert found.energy < 0.05
        assert found.growth < 1.5 or found.energy < EXACT


@pytest.mark.exhaustive
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.key)
def test_what_every_method_claims(case):
    for method in METHODS:
        check(method, case, measured(case, method))


@pytest.mark.parametrize("method", METHODS)
def test_order_two_against_a_closed_form(method):
    """Chaplygin's sleigh moves by hyperbolic functions."""
    m, inertia, a = (system(SLEIGH.key).parameters[name] for name in ("m", "I", "a"))
    start, errors = {"x": 0, "y": 0, "theta": 0, "x'": 0.8, "theta'": 0.9}, []
    for step in (0.1, 0.05):
        run = system(SLEIGH.key).simulate(start, until=4, step=step, integrator=method)
        v, w = blade(run.time.values, m, inertia, a, 0.8, 0.9)
        errors.append(max(np.abs(run[FORWARD].values - v).max(), np.abs(run["theta'"].values - w).max()))
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2, abs=0.05)


@pytest.mark.parametrize("method", METHODS)
def test_a_step_back_undoes_a_step(method):
    """Of the geometric integrator, with its multiplier; begun anew at a node it is only near."""
    far = there_and_back(OSCILLATOR, method)
    assert far < 1e-5 if method == "gni" else far < 1e-11


@pytest.mark.parametrize("method", METHODS)
def test_affine_constraints_forces_and_time(method):
    driven = ah.System(
        name="driven",
        coordinates=["x", "y"],
        lagrangian="(1 + x^2)*x'^2/2 + y'^2/2 - k*x^2/2 + x'*y",
        constraints=["y' = x*x' + w*cos(w*t)"],
        forces={"x": "-c*x'"},
        parameters={"k": 4.0, "w": 1.3, "c": 0.2},
    )
    exact, errors = driven.simulate({"x": 1, "y": 0, "x'": 0.1}, times=[0, 3]), []
    for step in (0.04, 0.02):
        run = driven.simulate({"x": 1, "y": 0, "x'": 0.1}, until=3, step=step, integrator=method)
        assert abs(run.constraint_residual).max() < 1e-13
        errors.append(float(abs(run.data["q"][-1] - exact.data["q"][-1]).max()))
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2, abs=0.06)


@pytest.mark.parametrize("method", ["dla-midpoint", "dla-trapezoidal", "gni"])
def test_nodes_satisfy_the_discrete_equations_of_the_papers(method):
    """The particle on springs with z' = y x', its discrete Lagrangian differentiated by hand, m = 1."""
    h, kx, ky = 0.05, 1.0, 2.0
    q = (
        system(OSCILLATOR.key)
        .simulate(ENTRIES[OSCILLATOR.key].start, until=2, step=h, integrator=method)
        .data["q"]
        .values
    )
    k = np.array([kx, ky, 0.0])

    def momenta(a, b):
        """-D1 L_d and D2 L_d."""
        v = (b - a) / h
        if method == "dla-midpoint":
            return v + h / 2 * k * (a + b) / 2, v - h / 2 * k * (a + b) / 2
        return v + h / 2 * k * a, v - h / 2 * k * b

    for before, here, after in zip(q[1:], q[2:], q[3:], strict=False):
        arriving, leaving = momenta(before, here)[1], momenta(here, after)[0]
        row = np.array([-here[1], 0.0, 1.0])
        forbidden = np.outer(row, row) / (row @ row)
        assert np.abs((np.eye(3) - forbidden) @ (leaving - arriving)).max() < 1e-12
        if method == "gni":
            assert np.abs(forbidden @ (leaving + arriving)).max() < 1e-12
        else:
            chord, middle = (after - here) / h, (after + here) / 2
            assert abs(chord[2] - middle[1] * chord[0]) < 1e-12  # both rules have this one here


def broken(name: str, old: str, new: str) -> type[AbstractMethod]:
    """The method with one thing in its source changed."""
    source = inspect.getsource(inspect.getmodule(METHODS[name]))
    assert source.count(old) == 1
    module = types.ModuleType("broken")
    exec(compile(source.replace(old, new), "broken", "exec"), vars(module))  # noqa: S102 - our own source
    return getattr(module, METHODS[name].__name__)


def test_a_broken_sign_loses_energy(monkeypatch):
    monkeypatch.setitem(METHODS, "energy", broken("energy", "gd * f_k - (fd - fg)", "gd * f_k + (fd - fg)"))
    run = system(OSCILLATOR.key).simulate(ENTRIES[OSCILLATOR.key].start, until=20, step=0.05, integrator="energy")
    assert abs(run.energy / run.energy[0] - 1).max() > 1e-5
    monkeypatch.undo()
    run = system(OSCILLATOR.key).simulate(ENTRIES[OSCILLATOR.key].start, until=20, step=0.05, integrator="energy")
    assert abs(run.energy / run.energy[0] - 1).max() < EXACT


BROKEN = {
    "dla-midpoint": ("middle.p, pushed, end", "middle.p, scaled(-1, pushed), end"),
    "dla-trapezoidal": ("scaled(s.h / 2, last.f)", "scaled(-s.h / 2, last.f)"),
    "reversible": ("added(there.p, scaled(half, there.f)", "added(there.p, scaled(-half, there.f)"),
    "gni": ('begin.reaction(s.multipliers("0"))', 'scaled(-1, begin.reaction(s.multipliers("0")))'),
}


@pytest.mark.parametrize("method", BROKEN)
def test_a_broken_sign_loses_the_order_and_the_way_back(method, monkeypatch):
    before = there_and_back(OSCILLATOR, method, 40)
    monkeypatch.setitem(METHODS, method, broken(method, *BROKEN[method]))
    assert order(OSCILLATOR, method) < 1.5
    assert there_and_back(OSCILLATOR, method, 40) > 1e4 * max(before, 1e-14)


def test_a_broken_sign_loses_the_constraint_at_midpoints(monkeypatch):
    start = ENTRIES[OSCILLATOR.key].start
    assert at_midpoints(system(OSCILLATOR.key).simulate(start, until=5, step=0.05, integrator="dla-midpoint")) < EXACT
    changed = broken(
        "dla-midpoint", "s.at(mean(s.q0, s.q1), s.velocity", "s.at(mean(s.q0, scaled(-1, s.q1)), s.velocity"
    )
    monkeypatch.setitem(METHODS, "dla-midpoint", changed)
    assert at_midpoints(system(OSCILLATOR.key).simulate(start, until=0.5, step=0.05, integrator="dla-midpoint")) > 1e-3


def test_a_broken_sign_loses_momentum(monkeypatch):
    """The free particle may move along x, and its Lagrangian has no x."""
    start = ENTRIES[PARTICLE.key].start
    run = system(PARTICLE.key).simulate(start, until=5, step=0.05, integrator="dla-midpoint")
    assert abs(run["x'"] - run["x'"][0]).max() < EXACT
    changed = broken(
        "dla-midpoint",
        "back = scaled(s.h / 2, middle.f), scaled(-1, middle.p)",
        "back = scaled(s.h / 2, middle.p), scaled(-1, middle.p)",
    )
    monkeypatch.setitem(METHODS, "dla-midpoint", changed)
    run = system(PARTICLE.key).simulate(start, until=5, step=0.05, integrator="dla-midpoint")
    assert abs(run["x'"] - run["x'"][0]).max() > 1e-3


def test_energy_is_kept_past_changes_of_frames():
    turning = ah.System(
        name="turning",
        coordinates=["x", "y", "z"],
        lagrangian="(x'^2 + y'^2 + z'^2)/2 - k*(x^2 + y^2)/2",
        constraints=["cos(x)*z' = sin(x)*y'"],
        parameters={"k": 0.2},
    )
    run = turning.simulate(
        {"x": 0.2, "y": 0, "z": 0, "x'": 1.0, "y'": 0.7}, until=10, step=0.05, every=3, integrator="energy"
    )
    assert abs(run.energy - run.energy[0]).max() < 1e-12
    assert run.is_complete
    assert float(run.time[-1]) == pytest.approx(10)
    assert (np.diff(run.time.values) > 0).all()


def test_a_body_at_rest_stays():
    swing = ah.System(name="swing", coordinates=["a"], lagrangian="a'^2/2 + cos(a)")
    for method in METHODS:
        run = swing.simulate({"a": 0, "a'": 0}, until=1, step=0.1, integrator=method)
        assert run.is_complete
        assert abs(run["a"]).max() == 0


def test_the_motion_is_one_like_any_other(tmp_path):
    run = system(SLEIGH.key).simulate(ENTRIES[SLEIGH.key].start, until=1, step=0.3, every=2, integrator="gni")
    assert run.data.attrs["step"] == pytest.approx(0.25)
    assert run.time.values.tolist() == pytest.approx([0, 0.5, 1.0])
    run.save(tmp_path / "run.nc")
    assert ah.load(tmp_path / "run.nc")["energy"].shape == (3,)
    assert state(run, -1)["t"] == 1.0
    with blames(Error):
        run.at([0.1])
    with blames(Error):
        run.continue_to(until=2)


@pytest.mark.parametrize(
    ("key", "words", "said"),
    [
        ("chaplygin-ball", {}, "lives on a group"),
        ("chaplygin-ball", {"integrator": "energy"}, "holds positions"),
        ("appell-hamel", {}, "nonlinear constraints"),
        ("skate", {"integrator": "midpoint"}, "there is no integrator 'midpoint'; did you mean 'dla-midpoint'?"),
        ("skate", {"step": 0}, "`step` is 0"),
        ("skate", {"step": "a"}, "`step` is 'a'"),
        ("skate", {"step": 1e-12}, "too many"),
        ("skate", {"every": 0}, "`every` is 0"),
        ("skate", {"until": None}, "until"),
        ("skate", {"start": {"x": 0}}, "skate"),
    ],
)
def test_bad_input_gets_a_sentence(key, words, said):
    asked = {"integrator": "dla-midpoint", "start": ENTRIES[key].start, "until": 1.0, "step": 0.1, **words}
    with pytest.raises(Error) as problem:
        ENTRIES[key].make().simulate(**asked)
    assert said in str(problem.value)


def test_inputs_are_refused():
    wheel = ah.System(coordinates=["phi"], lagrangian="phi'^2/2", forces={"phi": "tau"}, inputs=["tau"])
    with blames(Error):
        wheel.simulate({"phi": 0, "phi'": 1}, until=1, step=0.1, integrator="gni")


def test_steps_that_are_too_long_end_in_a_sentence():
    stiff = ah.System(name="stiff", coordinates=["x"], lagrangian="x'^2/2 - exp(40*x) - exp(-40*x)")
    run = stiff.simulate({"x": 0, "x'": 30}, until=10, step=0.5, integrator="dla-trapezoidal")
    assert run.is_complete or "take shorter steps" in run.outcome
