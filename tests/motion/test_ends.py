"""Values that are an end but for rounding: times of motions, starts, signals, loops and curves; and what is farther is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest

import anholonomy as ah
from anholonomy import catalogue
from tests.wording import blames

START = {"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}
ULPS = [1, 2, 3, 4]
FAR = 1e-9


def beside(value: float, ulps: int) -> list[float]:
    """The values some ulps below and above."""
    return [value - ulps * math.ulp(value), value + ulps * math.ulp(value)]


@pytest.fixture(scope="module")
def run() -> ah.Motion:
    return catalogue.skate().simulate(START, until=3.0)


@pytest.fixture(scope="module")
def back() -> ah.Motion:
    return catalogue.skate().simulate({**START, "t": 3.0}, times=np.linspace(3.0, 0.3, 11))


@pytest.mark.parametrize("ulps", ULPS)
def test_a_motion_at_its_ends(run, back, ulps: int) -> None:
    for motion, ends in ((run, (0.0, 3.0)), (back, (0.3, 3.0))):
        for end in ends:
            expected = motion["x"].values[np.argmin(abs(motion.time.values - end))]
            for t in [*beside(end, ulps), end - ulps * math.ulp(3.0), end + ulps * math.ulp(3.0)]:
                assert abs(float(motion.at(t)["x"][0] - expected)) < 1e-14
    assert run.at([-1e-17, 1.0, 3.0 + 4 * math.ulp(3.0)]).time.values.tolist() == [0.0, 1.0, 3.0]
    assert run.at([1e-13, 3.0]).time.values.tolist() == [1e-13, 3.0]


def test_a_motion_beyond_its_ends(run, back) -> None:
    for motion, t in ((run, 3.0 + FAR), (run, -FAR), (back, 3.0 + FAR), (back, 0.3 - FAR)):
        with blames(ah.errors.IntegrationError):
            motion.at(t)


@pytest.mark.parametrize("ulps", ULPS)
def test_the_end_is_no_time_beyond_the_end(run, ulps: int) -> None:
    for until in beside(3.0, ulps):
        with blames(ah.errors.IntegrationError):
            run.continue_to(until)
    assert run.continue_to(3.0 + FAR).time.values[-1] == 3.0 + FAR


@pytest.mark.parametrize("ulps", ULPS)
def test_times_begin_at_the_start(ulps: int) -> None:
    skate = catalogue.skate()
    for t in beside(0.3, ulps):
        motion = skate.simulate({**START, "t": t}, times=[0.3, 1.0])
        assert motion.time.values.tolist() == [t, 1.0]
        assert skate.ensemble({**START, "t": t}, times=[0.3, 1.0]).data["time"].values.tolist() == [t, 1.0]
        for method, words in ((skate.simulate, START), (skate.ensemble, START)):
            with blames(ah.errors.IntegrationError):
                method({**words, "t": t}, until=0.3)
    assert skate.simulate({**START, "t": 1e-17}, times=[0.0, 10.0]).time.values.tolist() == [1e-17, 10.0]


def test_times_that_do_not_begin_at_the_start() -> None:
    skate = catalogue.skate()
    for method in (skate.simulate, skate.ensemble):
        with blames(ah.errors.IntegrationError):
            method({**START, "t": 0.3 + FAR}, times=[0.3, 1.0])
    assert skate.simulate({**START, "t": 0.3}, until=0.3 + FAR).time.values[-1] == 0.3 + FAR


@pytest.mark.parametrize("ulps", ULPS)
def test_the_last_node_of_a_discrete_motion_is_its_end(run, ulps: int) -> None:
    for until in (0.3, 1.1, *beside(0.7, ulps)):
        nodes = catalogue.skate().simulate(START, until=until, step=0.1, integrator="dla-midpoint")
        assert nodes.time.values[-1] == until
    assert 49 * (1 / 49) != 1.0
    assert catalogue.skate().simulate(START, until=1.0, step=1 / 49, integrator="dla-midpoint").time.values[-1] == 1.0
    nodes = catalogue.skate().simulate(START, until=3.0, step=0.1, integrator="dla-midpoint")
    assert run.at(nodes.time.values).time.size == 31
    farther = catalogue.skate().simulate(START, until=0.3 + 1e-6, step=0.1, integrator="dla-midpoint")
    assert farther.time.size == 5


PUSHED = ah.System(
    name="pushed", coordinates=["x"], lagrangian="x'^2/2", forces={"x": "F"}, inputs=["F"]
)  # fmt: skip


@pytest.mark.parametrize("ulps", ULPS)
@pytest.mark.parametrize("interpolation", ["linear", "cubic", "previous"])
def test_a_signal_to_the_end_of_the_motion(ulps: int, interpolation: str) -> None:
    for last in beside(3.0, ulps):
        for first in (0.0, -ulps * math.ulp(3.0), ulps * math.ulp(3.0)):
            data = ah.Signal(([first, 1.0, last], [1.0, 1.0, 1.0]), interpolation=interpolation)
            motion = PUSHED.simulate({"x": 0, "x'": 0}, until=3.0, inputs={"F": data})
            assert abs(float(motion["x"][-1]) - 4.5) < 1e-13
            runs = PUSHED.ensemble({"x": 0, "x'": [0, 1]}, until=3.0, inputs={"F": data})
            np.testing.assert_allclose(runs["x"].values[:, -1], [4.5, 7.5], atol=1e-12)


def test_a_signal_that_ends_before_the_motion() -> None:
    for times in ([0.0, 1.0, 3.0 - FAR], [FAR, 1.0, 3.0]):
        for method, start in ((PUSHED.simulate, {"x": 0, "x'": 0}), (PUSHED.ensemble, {"x": 0, "x'": [0, 1]})):
            with blames(ah.errors.IntegrationError):
                method(start, until=3.0, inputs={"F": (times, [1.0, 1.0, 1.0])})


@pytest.mark.parametrize("ulps", ULPS)
def test_what_stops_a_member_at_a_sample(ulps: int) -> None:
    """The last interval between samples is nothing then, and no polynomial goes through both its ends."""
    fall = ah.System(name="fall", coordinates=["z"], lagrangian="z'^2/2 - z")
    for at in beside(0.5, ulps):
        runs = fall.sweep({"z'": [1.0, 2.0]}, start={"z": 0}, until=1.0, summaries={"mean": "mean of z'", "when": "time of z' - 3/4"},
                          events={"half": f"t - ({at!r})"}, stop="half")  # fmt: skip
        np.testing.assert_allclose(runs["mean"].values, [0.75, 1.75], atol=1e-13)
        np.testing.assert_allclose(runs["when"].values, [0.25, np.nan], atol=1e-12)


@pytest.mark.parametrize("ulps", ULPS)
def test_a_loop_and_a_curve_that_end_where_they_should(ulps: int) -> None:
    from anholonomy.geometry.connections import levi_civita
    from anholonomy.geometry.frame import Frame
    from anholonomy.geometry.metric import Metric
    from anholonomy.motion.parallel_transport import parallel_transport

    heisenberg = catalogue.heisenberg().reduced(["z"])
    loop = {"x": "cos(t)", "y": "sin(t)"}
    sphere = levi_civita(Metric(Frame(["theta", "phi"]), ["1", "sin(theta)^2"]))
    whole = heisenberg.phase(loop, until=2 * np.pi)["z"]
    for until in beside(2 * np.pi, ulps):
        assert abs(heisenberg.phase(loop, until=until)["z"] - whole) < 1e-12
        carried = parallel_transport(sphere, {"theta": "pi/3", "phi": "t"}, [1, 0], [0, until], integrator="scipy")
        np.testing.assert_allclose(carried.vector.values[-1], [-1, 0], atol=1e-9)
    with blames(ah.Error):
        heisenberg.phase(loop, until=2 * np.pi * (1 + FAR))


@pytest.mark.parametrize("ulps", ULPS)
def test_a_section_at_the_end_of_a_motion(run, ulps: int) -> None:
    for condition, end in (("t", 3.0), ("theta", 1.5)):
        for value in (end, *beside(end, ulps)):
            section = run.section(f"{condition} = {value!r}")
            assert section["time"].values == pytest.approx([3.0], abs=1e-14)


@pytest.fixture(scope="module")
def two_times():
    particle = catalogue.free_particle()
    motion = particle.simulate({"x": 0, "y": 0, "z": 0, "x'": 1, "y'": 1}, until=3)
    return particle.hamiltonize(), motion


@pytest.mark.parametrize("ulps", ULPS)
def test_the_old_time_at_the_ends_of_the_new_one(two_times, ulps: int) -> None:
    hamiltonization, motion = two_times
    end = float(hamiltonization.time(motion)[-1])
    for tau in beside(end, ulps):
        assert abs(float(hamiltonization.old_time(motion, [0, tau])[-1]) - 3.0) < 1e-14
    assert abs(float(hamiltonization.old_time(motion, [-ulps * math.ulp(end), end])[0])) < 1e-14
    with blames(ah.Error):
        hamiltonization.old_time(motion, [0, end * (1 + FAR)])


@pytest.fixture(scope="module")
def family():
    return catalogue.leaning_disc().stability.steady_motion({"phi'": 3.0}).follow("phi'", 1, 9)


@pytest.mark.parametrize("ulps", ULPS)
def test_a_family_at_its_ends(family, ulps: int) -> None:
    for end in (1.0, 9.0):
        for value in beside(end, ulps):
            assert family.at(value).state["phi'"] == pytest.approx(end, rel=1e-14)


@pytest.mark.parametrize("ulps", ULPS)
def test_a_family_that_begins_where_it_is_followed_from(family, ulps: int) -> None:
    for value in beside(3.0, ulps):
        assert family.origin.follow("phi'", value, 4).values[0] == value
        assert family.origin.follow("phi'", 2, value).values[-1] == value


@pytest.mark.parametrize("ulps", ULPS)
def test_an_extremal_to_its_end(ulps: int) -> None:
    path = catalogue.heisenberg().paths.extremal({"x": 0, "y": 0, "z": 0}, {"x": 1, "y": 0, "z": 0.5}, until=8)
    for until in beside(8.0, ulps):
        assert path.conjugate_time(until) == pytest.approx(2 * math.pi, abs=1e-9)
