"""Shortest paths against closed forms: circles that enclose an area, elliptic functions of a car, straight lines, great circles."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ellipeinc, ellipj

import anholonomy as ah
from tests.wording import blames

ORIGIN = {"x": 0, "y": 0, "z": 0}


@pytest.fixture(scope="module")
def heisenberg() -> ah.System:
    return ah.System(
        name="Heisenberg",
        coordinates=["x", "y", "z"],
        lagrangian="(x'^2 + y'^2 + z'^2/7)/2",
        constraints=["z' = (x*y' - y*x')/2"],
    )


def arc(angle: float, p: float, t: float) -> tuple[float, float, float]:
    """The unit-speed extremal of the Heisenberg group with its metric (x'² + y'²)/2 from the origin."""
    if p == 0:
        return t * np.cos(angle), t * np.sin(angle), 0.0
    across, up = np.sin(p * t) / p, (1 - np.cos(p * t)) / p
    x, y = np.cos(angle) * across - np.sin(angle) * up, np.sin(angle) * across + np.cos(angle) * up
    return x, y, (p * t - np.sin(p * t)) / (2 * p**2)


@pytest.fixture(scope="module")
def flat() -> ah.System:
    """With no inertia across the constraint the metric is that of the plane."""
    return ah.System(
        name="Heisenberg",
        coordinates=["x", "y", "z"],
        lagrangian="(x'^2 + y'^2)/2",
        constraints=["z' = (x*y' - y*x')/2"],
    )


pytestmark = pytest.mark.filterwarnings("ignore::anholonomy.errors.SubstitutedConstraintWarning")


@pytest.mark.parametrize(("angle", "p", "t"), [(0.3, 1.3, 2.0), (1.1, 0.0, 3.0), (2.5, -2.0, 2.9)])
def test_heisenberg_geodesics_are_arcs_up_to_the_cut_time(flat: ah.System, angle: float, p: float, t: float) -> None:
    assert abs(p) * t < 2 * np.pi
    end = dict(zip("xyz", arc(angle, p, t), strict=True))
    path = flat.paths.shortest(ORIGIN, end)
    assert path.report.converged
    assert path.length == pytest.approx(t, abs=1e-10)
    assert path.cost == pytest.approx(t / 2, abs=1e-10)
    found = path.covector
    assert [found["x"], found["y"], found["z"]] == pytest.approx([np.cos(angle), np.sin(angle), p], abs=1e-9)
    expected = np.array([arc(angle, p, float(s)) for s in path.data["time"].values])
    assert np.abs(path.data["q"].values - expected).max() < 1e-10
    assert (
        np.abs(path.run.data["q"].values - expected).max() < 1e-10
    )  # by the simulator, from velocities and multiplier
    assert path.multiplier["mu1"] == pytest.approx(p, abs=1e-9)


@pytest.mark.exhaustive
def test_the_first_conjugate_time_of_heisenberg_is_its_cut_time(flat: ah.System) -> None:
    p = -1.3
    covector = {"x": np.cos(0.4), "y": np.sin(0.4), "z": p}
    cut = 2 * np.pi / abs(p)
    path = flat.paths.extremal(ORIGIN, covector, until=1.05 * cut)
    assert path.conjugate_time() == pytest.approx(cut, abs=1e-10)
    assert path.is_shortest().is_refuted
    before = flat.paths.extremal(ORIGIN, covector, until=0.95 * cut)
    assert before.conjugate_time() is None
    assert before.is_shortest().is_unknown


def test_beyond_the_cut_time_another_path_is_shorter(flat: ah.System) -> None:
    """Straight up, a whole circle: its length is 2 sqrt(pi z)."""
    path = flat.paths.shortest(ORIGIN, {"x": 0, "y": 0, "z": 2})
    assert path.length == pytest.approx(2 * np.sqrt(np.pi * 2), abs=1e-10)


def turning(angle: float, rho: float, u0: float, t: np.ndarray) -> np.ndarray:
    r"""Extremals of the car (x', y', theta') = (v cos, v sin, w) with v² + w² = 1: $\theta = \beta - \pi/2 + \mathrm{am}(u_0 + t)$.

    Momenta $p_x + ip_y = \rho e^{i\beta}$ and $\psi = \theta - \beta + \pi/2$ give $\dot\psi^2 = 1 - \rho^2\sin^2\psi$.
    """
    m = rho**2

    def along(u: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        _, _, dn, am = ellipj(u, m)
        return (u - ellipeinc(am, m)) / rho, dn / rho, am

    (a, b, psi), (a0, b0, _) = along(u0 + t), along(np.array(u0))
    forward, left = a - a0, b - b0
    x, y = np.cos(angle) * forward - np.sin(angle) * left, np.sin(angle) * forward + np.cos(angle) * left
    return np.stack([x, y, angle - np.pi / 2 + psi], axis=-1)


@pytest.fixture(scope="module")
def car() -> ah.System:
    return ah.System(
        name="car",
        coordinates={"x": "length", "y": "length", "theta": "angle"},
        lagrangian="(x'^2 + y'^2 + theta'^2)/2",
        constraints=["x'*sin(theta) = y'*cos(theta)"],
    )


@pytest.mark.parametrize(("angle", "rho", "u0", "t"), [(0.4, 0.6, 0.3, 2.5), (-1.0, 0.95, -0.8, 1.8)])
def test_geodesics_of_the_plane_motions_are_elliptic(
    car: ah.System, angle: float, rho: float, u0: float, t: float
) -> None:
    points = turning(angle, rho, u0, np.linspace(0, t, 201))
    first, last = (dict(zip(("x", "y", "theta"), row, strict=True)) for row in points[[0, -1]])
    path = car.paths.shortest(first, last)
    assert path.length == pytest.approx(t, abs=1e-10)
    assert np.abs(path.data["q"].values - points).max() < 1e-9
    assert [path.covector["x"], path.covector["y"]] == pytest.approx(
        [rho * np.cos(angle), rho * np.sin(angle)], abs=1e-9
    )
    direct = car.paths.extremal(first, path.covector, until=t)
    assert np.abs(direct.data["q"].values - points).max() < 1e-9


def test_a_metric_across_the_constraint_counts_nothing(heisenberg: ah.System, flat: ah.System) -> None:
    """z'^2/7 adds to the inertia along D: the same path is longer, and the Hamiltonian knows."""
    path = heisenberg.paths.extremal(ORIGIN, {"x": 1, "y": 0.5, "z": 0.8}, until=2)
    q, w = path.data["q"].values, path.data["velocity"].values
    assert np.abs(w[:, 2] - (q[:, 0] * w[:, 1] - q[:, 1] * w[:, 0]) / 2).max() < 1e-12
    energy = (w[:, 0] ** 2 + w[:, 1] ** 2 + w[:, 2] ** 2 / 7) / 2
    assert np.ptp(energy) < 1e-11
    assert path.length == pytest.approx(2 * np.sqrt(2 * energy[0]), abs=1e-11)


def test_on_a_group_with_redundant_coordinates_turns_are_great_circles() -> None:
    """SO(3) with a bi-invariant metric and no constraint: the shortest turn by 2 about an axis has length 2."""
    body = ah.System(name="body", group="SO3", kinetic=["1", "1", "1"])
    axis = np.array([2.0, -1.0, 2.0]) / 3
    half = 1.0
    q = [np.cos(half), *(np.sin(half) * axis)]
    path = body.paths.shortest(
        dict(zip(("q0", "q1", "q2", "q3"), (1, 0, 0, 0), strict=True)), {f"q{k}": v for k, v in enumerate(q)}
    )
    assert path.length == pytest.approx(2.0, abs=1e-10)
    assert list(path.covector.values()) == pytest.approx(list(axis), abs=1e-9)


def test_least_action_in_a_given_time() -> None:
    """A thrown stone: the parabola that leads there in time; the action by hand."""
    stone = ah.System(name="stone", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2 - 9*y")
    path = stone.paths.least_action({"x": 0, "y": 0}, {"x": 2, "y": 0}, duration=1)
    t = path.data["time"].values
    assert np.abs(path.data["q"].values - np.stack([2 * t, 4.5 * t - 4.5 * t**2], axis=1)).max() < 1e-11
    # (x'^2 + y'^2)/2 - 9 y with y = 4.5 t (1 - t)
    assert path.cost == pytest.approx(2 + 4.5**2 / 6 - 9 * 4.5 / 6, abs=1e-11)


def test_affine_constraints_have_paths_of_least_action_too() -> None:
    """x' = 1 + v with cost v²/2: among all ways to be at 3 after 2 the steady one."""
    belt = ah.System(name="belt", coordinates=["x", "s"], lagrangian="s'^2/2", constraints=["x' = s' + 1"])
    path = belt.paths.least_action({"x": 0, "s": 0}, {"x": 3, "s": 1}, duration=2)
    assert path.cost == pytest.approx(0.25, abs=1e-12)
    with blames(ah.errors.NotSupportedError):
        belt.paths.least_action({"x": 0, "s": 0}, {"x": 3, "s": 2}, duration=2)
