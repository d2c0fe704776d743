"""Generated kernels, compiled for the CPU from the text that a GPU gets, against `simulate` and closed forms."""

from __future__ import annotations

import shutil
import subprocess
import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose

import anholonomy as ah
from anholonomy.catalogue import ENTRIES
from anholonomy.motion.gpu.launcher import METHODS, Launcher
from tests.wording import blames

pytestmark = pytest.mark.skipif(
    not any(map(shutil.which, ("g++", "clang++", "c++"))), reason="there is no C++ compiler"
)

SLEIGH = ah.catalogue.chaplygin_sleigh
ADAPTIVE = {"dopri5": {"tolerance": 1e-11}, "dop853": {"tolerance": 1e-12}, "rk4": {"step": 0.002}}


def of_members(name: str = "chaplygin-sleigh") -> tuple[ah.System, dict[str, float], float]:
    entry = ENTRIES[name]
    return entry.make(), dict(entry.start), min(entry.until, 2.0)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_moves_members_as_simulate_does(method: str) -> None:
    system, kernel = SLEIGH(), SLEIGH().derive("kane").kernel()
    angles, lengths, times = np.linspace(-1, 1, 4), np.linspace(0.1, 0.4, 4), [0.0, 0.7, 1.9, 3.0]
    starts = {"x": 0.0, "y": 1.0, "theta": angles, "u": 1.2, "omega": -0.7}
    runs = kernel(starts, times, parameters={"a": lengths}, method=method, device="cpu", **ADAPTIVE[method])
    for i, (angle, length) in enumerate(zip(angles, lengths, strict=True)):
        start = {"x": 0, "y": 1, "theta": angle, "x'": 1.2 * np.cos(angle), "y'": 1.2 * np.sin(angle), "theta'": -0.7}
        run = system.simulate(start, times=times, parameters={"a": length}, by="kane", project=True)
        for name in kernel.names["state"]:
            assert_allclose(runs[name][:, i], run[name], rtol=0, atol=2e-9)
        assert runs.outcome(i) == "the motion was integrated to the end"


@pytest.mark.parametrize("method", METHODS)
def test_methods_have_their_order(method: str) -> None:
    """Errors fall with tolerance, or with the fourth power of the step, and dense output is as good as the steps."""
    swing = ah.System(name="swing", coordinates=["a"], lagrangian="a'^2/2 - a^2/2")
    kernel, times = swing.derive("kane").kernel(), np.linspace(0, 20, 41)
    errors = []
    for k in range(2):
        how = {"step": 0.1 / 2**k} if method == "rk4" else {"tolerance": 1e-6 / 100**k}
        runs = kernel({"a": 1.0, "a'": 0.0}, times, method=method, device="cpu", **how)
        errors.append(np.abs(runs["a"][:, 0] - np.cos(times)).max())
    ratio = errors[0] / errors[1]
    assert 12 < ratio < 20 if method == "rk4" else ratio > 30
    assert errors[1] < 1e-5


@pytest.mark.parametrize("name", ["leaning-disc", "chaplygin-ball", "ball-on-turntable", "n-trailer"])
def test_kernels_of_the_catalogue_arrive_where_simulate_does(name: str) -> None:
    check(name)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", sorted(ENTRIES))
def test_kernels_of_every_system_arrive_where_simulate_does(name: str) -> None:
    check(name)


def check(name: str) -> None:
    system, start, until = of_members(name)
    try:
        kernel = system.derive().kernel(at=start)
    except ah.errors.NotSupportedError as refused:
        assert "kernel" in str(refused)  # noqa: PT017
        return
    run = system.simulate(start, times=[0, until], by=kernel.names["principle"])
    first = {s: float(run[s][0]) for s in kernel.names["state"]}
    ends = kernel(first, [0, until], device="cpu", tolerance=1e-12)
    if ends.outcomes[0]:
        assert "wear out" in ends.outcome(0), ends.outcome(0)
        return
    for s in kernel.names["state"]:
        assert_allclose(ends[s][-1, 0], float(run[s][-1]), rtol=1e-7, atol=1e-7, err_msg=s)


def test_momenta_and_multipliers_are_states_too() -> None:
    kernel = SLEIGH().derive("hamiltonian").kernel()
    assert kernel.names["velocities"] == {
        "x'": "p1*cos(theta)/m",
        "y'": "p1*sin(theta)/m",
        "theta'": "p2/(a^2*m + I)",
    }
    start = {"x": 0, "y": 0, "theta": 0.3, "x'": np.cos(0.3), "y'": np.sin(0.3), "theta'": 0.5, "mu1": 0.7}
    times = [0.0, 0.3, 0.6]
    runs = SLEIGH().derive("vakonomic").kernel()(start, times, device="cpu", tolerance=1e-12)
    run = SLEIGH().simulate(start, times=times, by="vakonomic")
    for name in ("x", "theta", "mu1"):
        assert_allclose(runs[name][:, 0], run[name], rtol=0, atol=1e-9)


def test_roots_and_their_inverses() -> None:
    """Powers of roots above and below the line, beside `simulate`."""
    system = ah.System(
        name="roots",
        coordinates=["x"],
        lagrangian="x'^2*sqrt(1 + x^2)/2 + 2*k/sqrt(1 + x) + 2*c*(1 + x)^(3/2)/3 - (1 + x^2)^(-5/2)",
        parameters={"k": 1.0, "c": 0.3},
    )
    kernel, start = system.derive("kane").kernel(), {"x": 0.5, "x'": 0.2}
    assert kernel.source.count("rsqrt(") > 1  # once where it is defined for compilers that lack it
    runs = kernel({name: [value, value + 0.1] for name, value in start.items()}, [0, 1], device="cpu", tolerance=1e-12)
    for i in range(2):
        alone = system.simulate({name: value + 0.1 * i for name, value in start.items()}, times=[0, 1])
        assert_allclose([runs[name][-1, i] for name in start], [float(alone[name][-1]) for name in start], atol=1e-10)


def test_single_precision_keeps_its_clock() -> None:
    forced = ah.System(name="forced", coordinates=["x"], lagrangian="x'^2/2", forces={"x": "cos(t)"})
    runs = forced.derive("kane").kernel()(
        {"x": -1.0, "x'": 0.0}, [0, 200 * np.pi], method="rk4", step=0.001, precision="single", device="cpu"
    )
    # -cos(t); a clock in single precision would be off by 0.01 after so many steps.
    assert abs(runs["x"][-1, 0] + 1) < 5e-3


@pytest.mark.parametrize("method", METHODS)
def test_events_are_located_and_end_members(method: str) -> None:
    fall = ah.System(name="fall", coordinates=["z"], lagrangian="z'^2/2 - 2*z")
    kernel, heights = fall.derive("kane").kernel(events={"ground": "z", "slow": "z' + 1"}), np.array([1.0, 4.0, 9.0])
    how = {"step": 0.01} if method == "rk4" else {}
    runs = kernel({"z": heights, "z'": 0.0}, [0, 2.1, 5], method=method, stop=["ground"], device="cpu", **how)
    assert_allclose(runs.events["ground"][0][0], np.sqrt(heights), atol=1e-12)
    assert_allclose(runs.events["slow"][0][0], 0.5, atol=1e-12)
    assert_allclose(runs.reached, np.sqrt(heights), atol=1e-12)
    assert np.isnan(runs["z"]).tolist() == [[False] * 3, [True, True, False], [True] * 3]
    assert runs.outcome(2) == "the integration was stopped where it was asked to stop (t = 3)"


@pytest.mark.parametrize("method", METHODS)
def test_members_go_back_by_the_samples_they_came_by(method: str) -> None:
    kernel, how = SLEIGH().derive("kane").kernel(), ADAPTIVE[method]
    start = {"x": 0.0, "y": 1.0, "theta": 0.3, "u": 1.2, "omega": -0.7}
    there = kernel(start, [0, 1, 2.5], method=method, device="cpu", **how)
    ends = dict(zip(kernel.names["state"], there.ends[:, 0], strict=True))
    back = kernel(ends, [2.5, 1, 0], method=method, device="cpu", **how)
    assert_allclose(back.states[::-1], there.states, rtol=0, atol=1e-8)


def test_the_loss_of_a_contact_is_a_fall_of_its_multiplier() -> None:
    """One-sided constraints are watched for falls alone, other events for both: x passes 1/2 up and down, and up again."""
    swing = ah.System(name="swing", coordinates=["x"], lagrangian="x'^2/2 - x^2/2")
    kernel = swing.derive("kane").kernel(events={"half": "x - 1/2"})
    both = kernel({"x": 0.0, "x'": 1.0}, [0, 7], device="cpu", tolerance=1e-12)
    times = np.array([np.pi / 6, 5 * np.pi / 6, 13 * np.pi / 6])
    assert_allclose(both.events["half"][0][:3, 0], times, atol=1e-9)
    for direction, kept in ((-1, times[[1]]), (1, times[[0, 2]])):
        one = Launcher(kernel.source, {**kernel.names, "directions": [direction]})
        found = one({"x": 0.0, "x'": 1.0}, [0, 7], device="cpu", tolerance=1e-12).events["half"]
        assert int(found[1][0]) == kept.size
        assert_allclose(found[0][: kept.size, 0], kept, atol=1e-9)


def test_events_may_ask_for_multipliers() -> None:
    hoop = ENTRIES["knife-edge"].make()
    start = dict(ENTRIES["knife-edge"].start)
    kernel = hoop.derive("kane").kernel(at=start, events={"no side force": "lambda1"})
    run = hoop.simulate(start, until=3, by=kernel.names["principle"], events={"no side force": "lambda1"})
    first = {s: float(run[s][0]) for s in kernel.names["state"]}
    found = kernel(first, [0, 3], device="cpu", tolerance=1e-12).events["no side force"]
    wanted = run.data["event_time"].values
    assert int(found[1][0]) == wanted.size
    assert_allclose(found[0][: wanted.size, 0], wanted, atol=1e-8)


def test_a_member_that_escapes_says_so_and_leaves_the_others_whole() -> None:
    runaway = ah.System(name="runaway", coordinates=["x"], lagrangian="x'^2/2 + x^4/2")
    runs = runaway.derive("kane").kernel()({"x": [1.0, 0.0], "x'": [1.0, 0.0]}, [0, 0.5, 2], device="cpu")
    assert runs.outcomes[0] in (1, 2)
    assert abs(runs.reached[0] - 1) < 1e-6  # x = 1/(1 - t)
    assert_allclose(runs["x"][:2, 0], [1, 2], atol=1e-6)
    assert np.isnan(runs["x"][2, 0])
    assert runs.outcomes[1] == 0


def test_worn_speeds_end_a_member() -> None:
    """Speeds x' of a skate fail where its heading is a right angle."""
    skate = ah.System(
        name="skate",
        coordinates=["x", "y", "theta"],
        lagrangian="(x'^2 + y'^2 + theta'^2)/2",
        constraints=["x'*sin(theta) = y'*cos(theta)"],
        speeds=["x'", "theta'"],
    )
    kernel = skate.derive("kane").kernel(at={"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 1})
    runs = kernel({"x": 0.0, "y": 0.0, "theta": 0.0, "x'": 1.0, "theta'": [1.0, 0.1]}, [0, 3], device="cpu")
    assert "wear out" in runs.outcome(0)
    assert runs.reached[0] < np.pi / 2
    assert runs.outcomes[1] == 0


def test_a_bundle_needs_nothing_of_the_package(tmp_path) -> None:
    SLEIGH().derive("kane").kernel().save(tmp_path / "sleigh-kernel")
    script = (
        "import sys; sys.path.insert(0, '.'); sys.modules['anholonomy'] = None\n"
        "from launcher import Launcher\n"
        "runs = Launcher.load('.')({'x': 0, 'y': 0, 'theta': 0, 'u': [1, 2], 'omega': 0}, [0, 3], device='cpu')\n"
        "print(runs['x'][-1].round(9).tolist())"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path / "sleigh-kernel", capture_output=True, text=True
    )
    assert done.stdout.strip() == "[3.0, 6.0]", done.stderr


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ({"starts": {"x": 0}}, ("y",)),
        ({"starts": {"x": 0, "y": 0, "theta": 0, "u": 1, "omega": 0, "w": 1}}, ("w",)),
        ({"parameters": {"b": 1}}, ("b",)),
        ({"parameters": {"a": [1, 2, 3]}, "starts": {"x": [0, 1], "y": 0, "theta": 0, "u": 1, "omega": 0}}, ()),
        ({"times": [0]}, ()),
        ({"method": "rk4"}, ()),
        ({"precision": "half"}, ("precision",)),
        ({"stop": ["nowhere"]}, ("nowhere",)),
        ({"device": "cuda"}, ("cpu", "device")),
    ],
)
def test_what_cannot_be_launched_is_refused_in_a_sentence(words, names) -> None:
    if words.get("device") == "cuda" and shutil.which("nvidia-smi"):
        pytest.skip("there is a GPU")
    usual = {"starts": {"x": 0, "y": 0, "theta": 0, "u": 1, "omega": 0}, "times": [0, 1], "device": "cpu"}
    with blames(ah.errors.IntegrationError, *names):
        SLEIGH().derive("kane").kernel()(**usual | words)


def test_more_than_memory_holds_is_refused_with_its_size(monkeypatch) -> None:
    from anholonomy.motion.gpu import launcher

    monkeypatch.setattr(launcher, "_free_memory", lambda: 16e9)
    starts = {"x": 0, "y": 0, "theta": np.zeros(10**6), "u": 1, "omega": 0}
    with blames(ah.errors.IntegrationError, "1", "000", "100", "001"):
        SLEIGH().derive("kane").kernel()(starts, np.linspace(0, 1, 100_001), device="cpu")


def test_what_jumps_and_other_languages_are_refused() -> None:
    rough = ah.System(name="rough", coordinates=["x"], lagrangian="x'^2/2", forces={"x": "-sign(x')"})
    with blames(ah.errors.NotSupportedError):
        rough.derive("kane").kernel()
    with blames(ah.errors.UnknownNameError):
        SLEIGH().derive("kane").kernel(language="fortran")


@pytest.mark.skipif(not shutil.which("nvidia-smi"), reason="there is no GPU")
def test_a_gpu_gives_what_the_cpu_gives() -> None:
    pytest.importorskip("cupy")
    starts = {"x": 0.0, "y": 0.0, "theta": np.linspace(-3, 3, 1000), "u": 1.0, "omega": 0.5}
    here, there = (SLEIGH().derive("kane").kernel()(starts, [0, 10, 20], device=device) for device in ("cpu", "cuda"))
    assert_allclose(there.states, here.states, rtol=0, atol=1e-7)


def test_what_lies_behind_a_stop_did_not_happen() -> None:
    kernel = ah.catalogue.chaplygin_sleigh().derive("kane").kernel(events={"far": "x - 0.31", "near": "x - 0.3"})
    start = {"x": 0.0, "y": 0.0, "theta": 0.0, "u": 1.0, "omega": 0.1}
    for how in ({"method": "rk4", "step": 1.0}, {"method": "dop853", "tolerance": 1e-6}):
        runs = kernel(start, [0, 2], device="cpu", stop="near", **how)
        assert runs.events["near"][1][0] == 1
        assert runs.events["far"][1][0] == 0
        assert np.isnan(runs.events["far"][0]).all()
        both = kernel(start, [0, 2], device="cpu", **how)
        assert both.events["far"][1][0] == 1
        assert both.events["far"][0][0, 0] > both.events["near"][0][0, 0]


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ({"method": "rk4", "step": 0.0}, ("step", "0.0")),
        ({"method": "rk4", "step": -1.0}, ()),
        ({"method": "rk4", "step": "small"}, ()),
        ({"tolerance": -1e-8}, ("tolerance", "-1e-08")),
        ({"tolerance": float("nan")}, ()),
        ({"times": ["now", "then"]}, ()),
        ({"starts": [1, 2]}, ()),
        ({"parameters": {"a": "long"}}, ("a",)),
        ({"parameters": {"a": []}}, ("a",)),
        ({"room": -1}, ()),
        ({"most": 10**10}, ()),
        ({"stop": 3}, ()),
    ],
)
def test_numbers_that_a_kernel_would_step_wrongly_by_are_refused(words, names) -> None:
    kernel = ah.catalogue.chaplygin_sleigh().derive("kane").kernel(events={"turned": "theta - 1"})
    starts = {"x": 0.0, "y": 0.0, "theta": 0.0, "u": 1.0, "omega": 0.5}
    with blames(ah.errors.IntegrationError, *names):
        kernel(**{"starts": starts, "times": [0, 1], "device": "cpu"} | words)
