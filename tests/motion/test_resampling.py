"""A motion at other times: the same motion, on the group and the constraints."""

from __future__ import annotations

import numpy as np
import pytest

import anholonomy as ah
from tests.wording import blames


@pytest.fixture(scope="module")
def run() -> ah.Motion:
    return ah.catalogue.rattleback().simulate(ah.catalogue.ENTRIES["rattleback"].start, times=np.linspace(0, 2, 5))


def test_between_its_samples_a_motion_is_what_it_would_have_been(run) -> None:
    again = run.at([0.3, 0.77, 1.9])
    whole = run.system.simulate(ah.catalogue.ENTRIES["rattleback"].start, times=[0, 0.3, 0.77, 1.9])
    for name in ("q0", "q1", "x", "y", "w1", "w3"):
        np.testing.assert_allclose(again[name].values, whole[name].values[1:], rtol=0, atol=1e-12)
    assert abs(sum(again[f"q{k}"] ** 2 for k in range(4)) - 1).max() < 4e-15
    assert abs(again.constraint_residual).max() < 1e-13


def test_one_time_backward_and_at_a_sample(run) -> None:
    np.testing.assert_allclose(run.at(0.5)["x"], run["x"][1], atol=1e-15)
    back = run.system.simulate({**state(run, -1), "t": 2.0}, times=[2.0, 1.0, 0.0])
    np.testing.assert_allclose(back.at([1.5, 0.5])["w3"], [run["w3"][3], run["w3"][1]], atol=1e-9)


def test_parameters_of_the_run_and_costates_are_kept(tmp_path) -> None:
    sleigh, skate = ah.catalogue.chaplygin_sleigh(), ah.catalogue.skate()
    start = {"x": 0, "y": 0, "theta": 0.3, "x'": 1, "theta'": 0.5}
    run = sleigh.simulate(start, times=[0, 2], parameters={"a": 3.0})
    run.save(tmp_path / "run.nc")
    expected = sleigh.simulate(start, times=[0, 1.5], parameters={"a": 3.0})["x"][-1]
    assert abs(float(ah.load(tmp_path / "run.nc").at(1.5)["x"][0] - expected)) < 1e-13
    label = skate.simulate({**start, "mu1": 0.2}, times=[0, 1, 2], by="vakonomic")
    np.testing.assert_allclose(label.at([1.5])["x"], skate.simulate(
        {**start, "mu1": 0.2}, times=[0, 1.5], by="vakonomic")["x"][-1:], atol=1e-12)  # fmt: skip


@pytest.mark.parametrize(
    ("times", "names"),
    [([3.0], ()), ([1, 0.5], ()), ([], ()), (np.nan, ())],
)
def test_other_times_are_refused(run, times, names) -> None:
    with blames(ah.Error, *names):
        run.at(times)


def state(run: ah.Motion, k: int) -> dict[str, float]:
    names = [*map(str, run.data["coordinate"].values), *map(str, run.data["direction"].values)]
    return {name: float(run[name][k]) for name in names}


@pytest.mark.parametrize("times", ["x", ["x"], None, [[0.5]], {"t": 1}, 1j])
def test_what_is_no_time_is_refused(times) -> None:
    run = ah.catalogue.skate().simulate({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0.5}, times=[0, 1])
    with blames(ah.errors.IntegrationError):
        run.at(times)


def test_a_singularity_that_was_passed_by_chance_is_told() -> None:
    """The same motion ends there when it is integrated at other times."""
    relation = "(s{k}' - log(x^2)*{q}')"
    pairs = [(q, relation.format(k=k, q=q), k) for k, q in enumerate("xyz", 1)]
    inertia = {"x": "1", "y": "2", "z": "(1 + x^2)"}
    system = ah.System(
        name="passing", coordinates=["x", "y", "z", "s1", "s2", "s3"],
        lagrangian=" + ".join(f"{inertia[q]}*{q}'*({q}'/2 + {r}) + 5*{r}^2" for q, r, _ in pairs),
        constraints=[f"s{k}' = log(x^2)*{q}'" for q, _, k in pairs],
    )  # fmt: skip
    start = {"x": -0.5, "y": 0.4, "z": 0.2, "x'": 0.3, "y'": 0.2, "z'": -0.1, "s1": 0, "s2": 0, "s3": 0}
    run = system.simulate(start, until=2)
    assert float(run.time[-1]) == 2
    with blames(ah.errors.IntegrationError):
        system.hamiltonize().time(run)
