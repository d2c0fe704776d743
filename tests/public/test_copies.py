"""What a user holds can be copied and sent to another process, and behaves there as it does here."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.catalogue import ENTRIES, chaplygin_sleigh

START = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}
SLEIGH = chaplygin_sleigh()
TOP = ah.System(name="top", group="SO3", kinetic=[1, 2, 3])
PLANE = ah.System(name="free", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2")
DAMPED = ah.System(
    name="damped", coordinates=["x"], momenta={"x": "exp(k*t)*x'"}, forces={"x": "-exp(k*t)*x"}, parameters=["k"]
)

NOUNS = {
    "system": lambda: SLEIGH,
    "system on a group": lambda: TOP,
    "system of bodies": lambda: ENTRIES["ball-in-cylinder"].make(),
    "system without lagrangian": lambda: DAMPED,
    "equations": lambda: SLEIGH.derive(),
    "equations with multipliers": lambda: SLEIGH.derive("lagrange-dalembert"),
    "function": lambda: SLEIGH.derive().function(),
    "function by numpy": lambda: SLEIGH.derive().function("numpy", "reactions"),
    "motion": lambda: SLEIGH.simulate(START, times=[0, 1]),
    "ensemble": lambda: SLEIGH.ensemble({**START, "theta'": [0.5, 1.0]}, until=1),
    "sweep": lambda: SLEIGH.sweep({"a": [0.1, 0.2]}, start=START, until=1, summaries={"speed": "u"}),
    "geometry": lambda: SLEIGH.geometry,
    "stability": lambda: SLEIGH.stability,
    "paths": lambda: SLEIGH.paths,
    "verification": lambda: SLEIGH.verify(2),
    "frame": lambda: SLEIGH.geometry.frame,
    "frame of a group": lambda: TOP.geometry.frame,
    "adapted frame": lambda: SLEIGH.geometry.adapted_frame,
    "moving frame": lambda: PLANE.geometry.moving_observer({"x": "x + c*t", "y": "y"}, parameters={"c": None}),
    "distribution": lambda: SLEIGH.geometry.distribution,
    "growth vector": lambda: SLEIGH.geometry.distribution.growth_vector(),
    "integrability": lambda: SLEIGH.geometry.distribution.is_integrable(),
    "leaves": lambda: SLEIGH.geometry.distribution.leaves(),
    "metric": lambda: SLEIGH.geometry.metric,
    "ehresmann": lambda: SLEIGH.geometry.ehresmann(["theta", "x"]),
    "levi-civita": lambda: ah.connections.levi_civita(SLEIGH.geometry.metric),
    "nonholonomic": lambda: ah.connections.nonholonomic(PLANE.geometry.metric, [["1", "x"]]),
    "killing fields": lambda: ah.geometry.killing_fields(PLANE.geometry.metric),
    "killing fields that keep": lambda: ah.geometry.killing_fields(SLEIGH.geometry.metric, distribution=SLEIGH.geometry.distribution),
    "hamiltonian": lambda: SLEIGH.hamiltonian_form(),
    "reduced": lambda: SLEIGH.reduced(fibre=["y"]),
    "exactness": lambda: DAMPED.find_lagrangian(),
    "algebra": lambda: ah.groups.SE3().algebra,
    "form": lambda: ah.geometry.volume_form(PLANE.geometry.metric),
    **{text: lambda text=text: ah.groups.read(text) for kind in ah.groups.ALL for text in (*kind.examples, "SO3:b_")},
}  # fmt: skip

WAYS = [copy.copy, copy.deepcopy, lambda noun: pickle.loads(pickle.dumps(noun))]


def use(noun):
    """Ask for everything that is computed once and kept: what is kept must not get in the way."""
    kind = type(noun)
    for name in dir(kind):
        if not name.startswith("__") and not callable(getattr(kind, name)):
            try:
                getattr(noun, name)
            except ah.Error:
                continue


@pytest.mark.parametrize("make", NOUNS.values(), ids=NOUNS)
def test_a_copy_is_equal_after_use(make):
    noun = make()
    use(noun)
    for way in WAYS:
        again = way(noun)
        assert type(again) is type(noun)
        assert again == noun
        assert repr(again) == repr(noun)
        if isinstance(noun, ah.System | ah.Equations | ah.groups.AbstractGroup):
            assert hash(again) == hash(noun)


def test_groups_are_equal_where_they_read_alike():
    assert ah.groups.SO3() == ah.groups.SO3() != ah.groups.SO3("b_")
    assert ah.groups.SO3() != ah.groups.SU2()
    assert len({ah.groups.SE2() * ah.groups.Circle(), ah.groups.SE2() * ah.groups.Circle()}) == 1


def test_a_system_that_travelled_derives_and_moves_as_before():
    there = pickle.loads(pickle.dumps(SLEIGH))
    for principle in ("hamel", "voronec"):
        assert str(there.derive(principle)) == str(SLEIGH.derive(principle))
    here, copied = (s.simulate(START, until=2) for s in (SLEIGH, there))
    np.testing.assert_array_equal(here.data["q"], copied.data["q"])
    assert there.verify(2).agree


def test_functions_that_travelled_give_the_same_numbers():
    equations = SLEIGH.derive()
    state = np.array([0.1, 0.2, 0.3, 0.4, 0.5])
    for backend in ("llvm", "numpy", "jax"):
        function = equations.function(backend)
        again = pickle.loads(pickle.dumps(function))
        assert again == function
        np.testing.assert_array_equal(again(0.0, state), function(0.0, state))
        np.testing.assert_array_equal(copy.deepcopy(function)(0.0, state), function(0.0, state))
    assert equations.function("llvm") != equations.function("numpy")


@pytest.mark.exhaustive
def test_another_process_can_use_them():
    """As pools, Dask and joblib do: nothing but the bytes gets there."""
    run = SLEIGH.simulate(START, times=[0, 1])
    sent = pickle.dumps((SLEIGH, SLEIGH.derive().function(), run, START))
    program = (
        "import pickle, sys\n"
        "system, rates, run, start = pickle.loads(sys.stdin.buffer.read())\n"
        "here = system.simulate(start, times=[0, 1])\n"
        "print((here['x'] == run['x']).all().item(), rates(0.0, [0, 0, 0, 1, 2])[3].hex(), run.system == system)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], input=sent, capture_output=True, timeout=120, check=True)
    expected = SLEIGH.derive().function()(0.0, [0, 0, 0, 1, 2])[3].hex()
    assert done.stdout.decode().split() == ["True", expected, "True"]
