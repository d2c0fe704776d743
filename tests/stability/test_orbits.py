"""Exponents and sections, against closed forms and a second method."""

from __future__ import annotations

import math

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.catalogue import ENTRIES, chaplygin_ball, chaplygin_sleigh
from tests.wording import blames

DOUBLE = ah.System(
    name="double pendulum",
    coordinates=["a", "b"],
    lagrangian="a'^2 + b'^2/2 + a'*b'*cos(a - b) + 2*9.81*cos(a) + 9.81*cos(b)",
)


def test_overdamped_rates_are_the_exponents() -> None:
    slow = ah.System(coordinates=["x"], lagrangian="x'^2/2 - x^2", forces={"x": "-3*x'"})  # roots -1 and -2
    found = slow.stability.lyapunov_exponents({"x": 1, "x'": -1}, until=60)
    assert found.values == pytest.approx([-1, -2], abs=0.03)
    assert found.values.sum() == pytest.approx(-3, abs=1e-9)


def test_what_is_driven_has_the_exponents_of_floquet() -> None:
    mathieu = ah.System(coordinates=["x"], lagrangian="x'^2/2 - (1.5 - 1.2*cos(2*t))*x^2/2", forces={"x": "-0.1*x'"})
    orbit = mathieu.stability.periodic_orbit(near={"x": 0, "x'": 0}, period=math.pi)
    found = mathieu.stability.lyapunov_exponents({"x": 0, "x'": 0}, until=60)
    assert found.values == pytest.approx(np.sort(orbit.exponents.real)[::-1], abs=0.03)
    assert found.values.sum() == pytest.approx(-0.1, abs=1e-9)


def test_the_sleigh_comes_to_go_straight() -> None:
    """On the line it tends to, two velocities are left: one is kept with the energy, the other decays at u m a/(I + m a²)."""
    m, I, a, u = 1.0, 0.5, 0.4, 2.0
    sleigh = chaplygin_sleigh(m=m, I=I, a=a)
    found = sleigh.stability.lyapunov_exponents({"x": 0, "y": 0, "theta": 0, "x'": u, "theta'": 0}, until=40)
    assert found.values[:-1] == pytest.approx(np.zeros(4), abs=0.15)
    assert found.values[-1] == pytest.approx(-u * m * a / (I + m * a**2), abs=0.1)


def test_chaos_is_found_by_two_neighbours_too() -> None:
    """The second method: two motions a hair apart, drawn together again after every second."""
    start = {"a": 2.0, "b": 2.5, "a'": 0.0, "b'": 0.0}
    largest = DOUBLE.stability.lyapunov_exponents(start, until=10, count=1, interval=0.5, tolerance=1e-13)
    names, hair = list(start), 1e-7
    # The same direction to begin with: `lyapunov` takes one of chance.
    here, apart = (
        np.array(list(start.values())),
        hair * np.linalg.qr(np.random.default_rng(5).normal(size=(4, 4)))[0][:, 0],
    )
    grown = 0.0
    for _ in range(20):
        ends = []
        for place in (here, here + apart):
            run = DOUBLE.simulate(dict(zip(names, map(float, place), strict=True)), times=[0, 0.5], tolerance=1e-13)
            ends.append(np.array([float(run[name][-1]) for name in names]))
        apart = ends[1] - ends[0]
        grown += math.log(np.linalg.norm(apart) / hair)
        here, apart = ends[0], apart * hair / np.linalg.norm(apart)
    assert largest.values[0] == pytest.approx(grown / 10, rel=1e-5)
    assert largest.values[0] > 1


def test_the_exponents_of_what_is_integrable_are_zero_to_the_accuracy_of_the_run() -> None:
    """Neighbours of a Chaplygin ball part in proportion to time, no faster, and its measure keeps their volume."""
    found = chaplygin_ball().stability.lyapunov_exponents(
        dict(ENTRIES["chaplygin-ball"].start), until=1600, interval=2.0
    )
    assert np.abs(found.rates).max() < 5e-5
    assert found.powers == pytest.approx([1, 1, 1, 1, -1, -1, -1, -1], abs=0.06)
    volume = found.history.sum(axis=1) * found.times
    assert np.abs(volume).max() < 0.3
    assert abs(volume[len(volume) // 2 :].mean() - volume[: len(volume) // 2].mean()) < 0.02
    assert np.abs(found.values).max() < 10 / 1600


def test_chaos_is_no_power_of_time() -> None:
    found = DOUBLE.stability.lyapunov_exponents({"a": 2.0, "b": 2.5, "a'": 0.0, "b'": 0.0}, until=60)
    assert found.rates[0] > 0.5


def test_the_largest_exponent_is_found_beside_what_does_not_know_of_it() -> None:
    """Two degrees of freedom without a bond: the first directions never see the second, which grows."""
    apart = ah.System(coordinates=["x", "y"], lagrangian="x'^2/2 + y'^2/2 - x^2/2 + 2*y^2")
    start = {"x": 1, "y": 0, "x'": 0, "y'": 0}
    assert apart.stability.lyapunov_exponents(start, until=60, count=1).values == pytest.approx([2], abs=0.05)
    assert apart.stability.lyapunov_exponents(start, until=60).rates == pytest.approx([2, 0, 0, -2], abs=0.01)


def test_powers_of_time_are_taken_apart() -> None:
    """A free particle: x + v t, and nothing else grows."""
    free = ah.System(coordinates=["x"], lagrangian="x'^2/2").stability.lyapunov_exponents({"x": 0, "x'": 1}, until=500)
    assert np.abs(free.rates).max() < 1e-4
    assert free.powers == pytest.approx([1, -1], abs=0.05)
    driven = ah.System(coordinates=["x"], lagrangian="x'^2/2 + x^2/2*(1 + 0*t)").stability.lyapunov_exponents(
        {"x": 0, "x'": 0, "t": 3.0}, until=20
    )
    assert driven.rates == pytest.approx([1, -1], abs=1e-6)


def test_exponents_are_drawn_and_kept() -> None:
    found = DOUBLE.stability.lyapunov_exponents({"a": 0.1, "b": 0.1, "a'": 0, "b'": 0}, until=20, count=2)
    assert found.data["exponent"].shape == (found.times.size, 2)
    assert len(found.plot().lines) == 3
    assert "Lyapunov exponents after t = 20" in str(found)


def test_a_section_is_met_from_one_side() -> None:
    run = DOUBLE.simulate({"a": 0.2, "b": 0.5, "a'": 0, "b'": 0.3}, until=30)
    both, up, down = (run.section("a = b", direction=each) for each in (0, 1, -1))
    assert len(both) == len(up) + len(down)
    assert abs(len(up) - len(down)) <= 1
    assert up["a"].values == pytest.approx(up["b"].values, abs=1e-13)
    assert (up["a'"].values > up["b'"].values).all()
    assert (down["a'"].values < down["b'"].values).all()
    assert np.diff(both["time"].values).min() > 0
    later = run.at(float(up["time"][2]))
    assert float(later["a"][0]) == pytest.approx(float(up["a"][2]), abs=1e-12)
    assert len(up.plot().lines) == 1


def test_a_section_that_is_not_met_is_empty() -> None:
    run = DOUBLE.simulate({"a": 0.1, "b": 0.1, "a'": 0, "b'": 0}, until=3)
    assert len(run.section("a = 3")) == 0


@pytest.mark.parametrize(
    ("ask", "names"),
    [
        (lambda s: s.stability.lyapunov_exponents({"a": 1, "b": 1, "a'": 0, "b'": 0}, until=-1), ()),
        (lambda s: s.stability.lyapunov_exponents({"a": 1, "b": 1, "a'": 0, "b'": 0}, until=1, count=9), ("1", "4")),
        (lambda s: s.simulate({"a": 1, "b": 1, "a'": 0, "b'": 0}, until=1).section("c = 0"), ("c",)),
        (
            lambda s: s.simulate({"a": 1, "b": 1, "a'": 0, "b'": 0}, until=1).section("a = 0", direction=2),
            ("1",),
        ),
    ],
)
def test_bad_questions_get_a_sentence(ask, names: tuple[str, ...]) -> None:
    with blames(ah.Error, *names):
        ask(DOUBLE)


def test_a_section_is_drawn_in_the_plane_of_a_coordinate_and_its_velocity() -> None:
    drawn = DOUBLE.simulate({"a": 1, "b": 1, "a'": 0, "b'": 0.3}, until=20).section("a = 0").plot()
    assert (drawn.get_xlabel(), drawn.get_ylabel()) == ("$b$", r"$\dot{b}$")
    assert drawn.get_title() == "where a = 0"
