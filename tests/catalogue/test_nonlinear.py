"""Entries with constraints that are not linear in the velocities: their facts, against closed forms and Newton's law."""

from __future__ import annotations

import numpy as np
import pytest

from anholonomy import catalogue
from anholonomy.base.errors import StateError
from anholonomy.catalogue import ENTRIES
from anholonomy.errors import NotSupportedError
from anholonomy.public.system import Motion
from tests.catalogue.checks import NONLINEAR, Checks, constant, motion, registers, stated, values
from tests.wording import blames

CHECKS: Checks = {}
fact = registers(CHECKS)
CLAIMED: Checks = {}
claimed = registers(CLAIMED)

GRAVITY = 9.81


def test_every_fact_of_a_nonlinear_entry_has_its_check() -> None:
    assert set(NONLINEAR) == {"appell-hamel", "constant-speed", "benenti"}
    assert set(CHECKS) == stated(NONLINEAR)


@pytest.mark.parametrize("key", NONLINEAR)
def test_principles_for_linear_constraints_say_what_to_use_instead(key: str) -> None:
    with blames(NotSupportedError, "lagrange-dalembert"):
        ENTRIES[key].make().derive("hamel")


def _thrown(key: str) -> tuple[np.ndarray, float, np.ndarray]:
    """Direction and mass of a particle's throw, and how its constraint's gradient depends on the velocity."""
    rng = np.random.default_rng(sum(map(ord, key)))
    heading, mass = rng.uniform(-3, 3), rng.uniform(0.5, 2)
    return np.array([np.cos(heading), np.sin(heading)]), mass, rng.uniform(0.5, 3, 3)


def test_appell_hamel_obeys_newton_with_chetaevs_reaction() -> None:
    """m r'' - F must be along (x', y', -k^2 z'), and the velocity must stay on the cone."""
    direction, mass, (a, b, fall) = _thrown("appell-hamel")
    speed = np.array([*(direction * a / b * fall), -fall])
    system = catalogue.appell_hamel(m=mass, a=a, b=b)
    state = dict(zip(("x", "y", "z", "x'", "y'", "z'"), [0.3, -1, 2, *speed], strict=True))
    acceleration = np.array(list(system.derive("lagrange-dalembert").accelerations(state).values()))
    normal = speed * [1, 1, -((a / b) ** 2)]
    assert np.linalg.norm(np.cross(acceleration + np.array([0, 0, GRAVITY]), normal)) < 1e-12
    assert normal @ acceleration == pytest.approx(0, abs=1e-12)
    assert np.linalg.norm(acceleration) > 0.1


@fact("appell-hamel", "z'' = -g b^2 / (a^2 + b^2)")
def _() -> None:
    run = motion("appell-hamel")
    np.testing.assert_allclose(run["z''"], -GRAVITY * 0.25**2 / (0.5**2 + 0.25**2), rtol=1e-12)
    t = run.time.values
    np.testing.assert_allclose(run["z"], -0.5 * t - GRAVITY / 5 * t**2 / 2, rtol=1e-12, atol=1e-13)


@fact("appell-hamel", "the path is a straight line")
def _() -> None:
    x, y, z = values(motion("appell-hamel"), "x", "y", "z")
    np.testing.assert_allclose(x, -1.2 * z, atol=1e-12)
    np.testing.assert_allclose(y, -1.6 * z, atol=1e-12)


@fact("appell-hamel", "the constraint is singular where the particle is at rest")
def _() -> None:
    at_rest = dict.fromkeys(("x", "y", "z", "x'", "y'", "z'"), 0.0)
    with blames(StateError):
        catalogue.appell_hamel().derive("lagrange-dalembert").accelerations(at_rest)
    # Thrown upwards it comes to rest after 0.5 (1 + k^2) / g, and nothing says which way it falls.
    run = motion("appell-hamel", until=0.99 * 0.5 * 5 / GRAVITY, z_=0.5)
    for name, first in {"x'": 0.6, "y'": 0.8, "z'": 0.5}.items():
        assert run[name].values[-1] == pytest.approx(0.01 * first, rel=1e-9)


def _top(run: Motion) -> float:
    """When the particle of constant speed, thrown with z' = 3 at speed 7, is at the top."""
    return float(7 / GRAVITY * np.arctanh(3 / 7))


@fact("constant-speed", "z' = -c tanh(g (t - t0) / c)")
def _() -> None:
    run = motion("constant-speed")
    T = GRAVITY * (run.time.values - _top(run)) / 7
    np.testing.assert_allclose(run["z'"], -7 * np.tanh(T), atol=1e-12)
    np.testing.assert_allclose(run["z"], 49 / GRAVITY * np.log(np.cosh(T[0]) / np.cosh(T)), atol=1e-11)


@fact("constant-speed", "the horizontal speed is c / cosh(g (t - t0) / c)")
def _() -> None:
    run = motion("constant-speed")
    x, y = values(run, "x'", "y'")
    np.testing.assert_allclose(x, 3 * y, atol=1e-12)
    np.testing.assert_allclose(np.hypot(x, y), 7 / np.cosh(GRAVITY * (run.time.values - _top(run)) / 7), atol=1e-12)


@fact("constant-speed", "the path is z = (c^2 / g) ln cos(g h / c^2), between vertical lines pi c^2 / g apart")
def _() -> None:
    run, size = motion("constant-speed"), 49 / GRAVITY
    x, y, z = values(run, "x", "y", "z")
    top = np.arcsin(np.tanh(GRAVITY * _top(run) / 7))  # the horizontal distance of the top, in units of c^2/g
    angle = np.hypot(x, y) / size - top
    np.testing.assert_allclose(z, size * np.log(np.cos(angle) / np.cos(top)), atol=1e-10)
    assert 0.98 * np.pi / 2 < angle.max() < np.pi / 2


@claimed("constant-speed", "the constraint does work: the energy is not conserved")
def _() -> None:
    run = motion("constant-speed")
    np.testing.assert_allclose(np.diff(run.energy.values), GRAVITY * np.diff(run["z"].values), atol=1e-11)
    assert np.ptp(run.energy.values) > 100


TURNING = {"x1_": 3.0, "y1_": 6.0, "x2_": -1.0, "y2_": -2.0}
"""Opposite velocities at first: the rising particle stops at once and goes on backwards, both then fall."""


def _flights() -> list[Motion]:
    # The first particle passes through rest, which equations solved with pivots fixed at the start do not survive.
    return [motion("benenti"), motion("benenti", until=3.0, by="udwadia-kalaba", **TURNING)]


@claimed("benenti", "each particle keeps its own energy")
def _() -> None:
    for run in _flights():
        for i in "12":
            y, dx, dy = values(run, f"y{i}", f"x{i}'", f"y{i}'")
            assert constant((dx**2 + dy**2) / 2 + GRAVITY * y)
            assert np.ptp(dx) > 0.1  # it does not fall freely


@claimed("benenti", "m1 x1'^2 + m2 x2'^2 is constant")
def _() -> None:
    for run in _flights():
        first, second = values(run, "x1'", "x2'")
        assert constant(1.0 * first**2 + 2.0 * second**2)


@claimed("benenti", "the difference of the speeds along the common direction is constant")
def _() -> None:
    for run in _flights():
        x1, y1, x2, y2 = values(run, "x1'", "y1'", "x2'", "y2'")
        # The second particle never stops, so it keeps the direction.
        common = np.array([x2, y2]) / np.hypot(x2, y2)
        assert constant(common[0] * (x1 - x2) + common[1] * (y1 - y2), 1e-11)
    assert (np.sign(y1[[0, -1]]) == [1, -1]).all()  # the last one did turn


@fact("benenti", "without gravity both particles fly straight on")
def _() -> None:
    run = catalogue.benenti(g=0.0).simulate(ENTRIES["benenti"].start, until=2.0)
    for name in ("x1''", "y1''", "x2''", "y2''"):
        assert np.abs(run[name].values).max() < 1e-14


@pytest.mark.parametrize("seed", range(5))
def test_parallel_particles_obey_newton_with_chetaevs_reaction(seed: int) -> None:
    """(m_i r_i'' - F_i) must be along (y2', -x2', -y1', x1'), and the velocities must stay parallel."""
    rng = np.random.default_rng(seed)
    heading, (v1, v2), (m1, m2) = rng.uniform(-3, 3), rng.uniform(-3, 3, 2), rng.uniform(0.5, 2, 2)
    x1, y1, x2, y2 = np.outer([v1, v2], [np.cos(heading), np.sin(heading)]).ravel()
    system = catalogue.benenti(m1, m2)
    names = ("x1", "y1", "x2", "y2", "x1'", "y1'", "x2'", "y2'")
    state = dict(zip(names, [0, 1, 2, 3, x1, y1, x2, y2], strict=True))
    got = system.derive("lagrange-dalembert").accelerations(state)
    acceleration = np.array([got[f"{q}''"] for q in names[:4]])
    normal = np.array([y2, -x2, -y1, x1])
    reaction = np.array([m1, m1, m2, m2]) * (acceleration + GRAVITY * np.array([0, 1, 0, 1]))
    np.testing.assert_allclose(reaction, normal * (reaction @ normal) / (normal @ normal), atol=1e-12)
    assert normal @ acceleration == pytest.approx(0, abs=1e-11)


@pytest.mark.parametrize(("key", "text"), CHECKS | CLAIMED, ids=lambda value: str(value)[:40])
def test_the_fact_holds(key: str, text: str) -> None:
    (CHECKS | CLAIMED)[key, text]()
