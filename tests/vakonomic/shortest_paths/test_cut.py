"""Cut times against closed forms: Heisenberg's group, the motions of the plane (Sachkov, ESAIM: COCV 16 (2010) and 17 (2011)), Engel's group.

The last is that of Ardentov and Sachkov, Sb. Math. 202 (2011).
"""

from __future__ import annotations

import math

import pytest
from scipy.optimize import brentq
from scipy.special import ellipeinc, ellipj, ellipk

import anholonomy as ah
from anholonomy.catalogue import heisenberg
from tests.wording import blames

ORIGIN = {"x": 0, "y": 0, "z": 0}
HERE = {"x": 0, "y": 0, "theta": 0}


@pytest.fixture(scope="module")
def car() -> ah.System:
    return ah.System(
        name="car",
        coordinates={"x": "length", "y": "length", "theta": "angle"},
        lagrangian="(x'^2 + y'^2 + theta'^2)/2",
        constraints=["x'*sin(theta) = y'*cos(theta)"],
    )


def sachkov(size: float) -> float:
    r"""$2K(k)$ with $k = |p|$ below 1; above $2kp$ with $k = 1/|p|$ and the first root of $\mathrm{cn}(p)(E(p) - p) = \mathrm{dn}(p)\,\mathrm{sn}(p)$ beyond K."""
    if size < 1:
        return 2 * float(ellipk(size**2))
    m = 1 / size**2
    K = float(ellipk(m))

    def f(p: float) -> float:
        sn, cn, dn, angle = ellipj(p, m)
        return float(cn * (ellipeinc(angle, m) - p) - dn * sn)

    return 2 / size * float(brentq(f, K, 2 * K - 1e-9))


def test_heisenbergs_is_the_conjugate_time() -> None:
    arc = heisenberg().paths.extremal(ORIGIN, {"x": 0.6, "y": 0.8, "z": -0.7}, until=6)
    found = arc.cut(starts=4)
    assert found.time == pytest.approx(2 * math.pi / (2 * 0.7), abs=1e-8)
    assert not found.competitor


@pytest.mark.exhaustive
def test_it_is_none_where_nothing_shorter_is_found() -> None:
    assert heisenberg().paths.extremal(ORIGIN, {"x": 0.6, "y": 0.8, "z": -0.7}, until=4).cut_time() is None


@pytest.mark.exhaustive
@pytest.mark.parametrize("px_py", [(0.6, 0.3), (0.8, 1.1)])
def test_a_car_is_overtaken_where_sachkov_says(car: ah.System, px_py: tuple[float, float]) -> None:
    """Beyond |p| = 1 the other extremal begins nearby: the conjugate time comes 0.05 percent later."""
    covector = {"x": px_py[0], "y": px_py[1], "theta": math.sqrt(1 - px_py[0] ** 2)}
    found = car.paths.extremal(HERE, covector, until=8).cut(modulo="theta")
    assert found.time == pytest.approx(sachkov(math.hypot(*px_py)), abs=1e-8)
    other = car.paths.extremal(HERE, found.competitor, until=found.time).end
    mine = car.paths.extremal(HERE, covector, until=found.time).end
    assert math.cos(other["theta"] - mine["theta"]) == pytest.approx(1, abs=1e-12)
    assert (other["x"], other["y"]) == pytest.approx((mine["x"], mine["y"]), abs=1e-9)


@pytest.mark.exhaustive
def test_a_half_turn_may_go_either_way() -> None:
    """Rotations about axes in a plane: a turn by 180 degrees is one to the other side, if an attitude and not a quaternion counts."""
    ball = ah.System(name="ball", group="SO3", kinetic=["1", "1", "1"], constraints=["w3 = 0"])
    unit = {"q0": 1, "q1": 0, "q2": 0, "q3": 0}
    assert ball.paths.extremal(unit, {"w1": 1, "w2": 0, "w3": 0}, until=5).cut_time(modulo="q0") == pytest.approx(
        math.pi, abs=1e-9
    )
    angle = 5.0
    end = {"q0": math.cos(angle / 2), "q1": math.sin(angle / 2), "q2": 0, "q3": 0}
    assert ball.paths.shortest(unit, end).length == pytest.approx(angle, abs=1e-10)
    other = ball.paths.shortest(unit, end, modulo="q0")
    assert other.length == pytest.approx(2 * math.pi - angle, abs=1e-10)
    assert "opposite quaternion" in str(other.report)


def engels(angle: float, turning: float, pull: float) -> float:
    r"""$\min(2p, 4K)/\sqrt{v}$ of a pendulum that swings: $k^2 = (E + v)/2v$, and p the first root of $\mathrm{dn}\,\mathrm{sn} + (p - 2E(p))\,\mathrm{cn}$."""
    m = (turning**2 / 2 - pull * math.cos(angle) + pull) / (2 * pull)
    assert m < 1
    K = float(ellipk(m))

    def f(p: float) -> float:
        sn, cn, dn, amplitude = ellipj(p, m)
        return float(dn * sn + (p - 2 * ellipeinc(amplitude, m)) * cn)

    return min(2 * float(brentq(f, K, 3 * K, xtol=1e-14)), 4 * K) / math.sqrt(pull)


@pytest.mark.parametrize(
    ("angle", "turning", "pull", "until"),
    [
        (0.0, 1.9, 1.0, 12.0),
        pytest.param(0.0, 1.9, 1.0, 9.0, marks=pytest.mark.exhaustive),
        pytest.param(0.7, 1.2, 1.0, 9.0, marks=pytest.mark.exhaustive),
        pytest.param(-1.5, 0.4, 2.0, 8.0, marks=pytest.mark.exhaustive),
        pytest.param(0.3, -2.4, 1.7, 7.0, marks=pytest.mark.exhaustive),
        pytest.param(1.0, 0.5, 0.5, 14.0, marks=pytest.mark.exhaustive),
    ],
)
def test_in_engels_group_a_mirror_image_arrives_first(angle: float, turning: float, pull: float, until: float) -> None:
    """However far it is looked for: from a point far beyond, no shorter path leads back to this meeting."""
    with pytest.warns(ah.errors.SubstitutedConstraintWarning):
        group = ah.System(
            name="Engel's group",
            coordinates=["x", "y", "z", "v"],
            lagrangian="(x'^2 + y'^2)/2",
            constraints=["z' = (x*y' - y*x')/2", "v' = (x^2 + y^2)*y'/2"],
        )
    momenta = {"x": -math.sin(angle), "y": math.cos(angle), "z": turning, "v": pull}
    path = group.paths.extremal(dict.fromkeys("xyzv", 0), momenta, until=until)
    found = path.cut(starts=4)
    assert found.time == pytest.approx(engels(angle, turning, pull), abs=1e-8)
    if found.competitor:
        ends = [
            group.paths.extremal(dict.fromkeys("xyzv", 0), each, until=found.time).end
            for each in (momenta, found.competitor)
        ]
        assert ends[0] == pytest.approx(ends[1], abs=1e-8)


def test_angles_may_end_full_turns_on(car: ah.System) -> None:
    path = car.paths.shortest({"x": 0, "y": 0, "theta": 3}, {"x": 0, "y": 0, "theta": -3}, modulo="theta", starts=4)
    assert path.length == pytest.approx(2 * math.pi - 6, abs=1e-9)
    assert path.report.turns == "theta ends +1 full turns on"
    with blames(ah.Error, "modulo", "thet", "theta"):
        car.paths.shortest(HERE, {"x": 0, "y": 1, "theta": 0}, modulo=["thet"])


def test_a_path_without_length_has_no_cut_time() -> None:
    stone = ah.System(name="stone", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2 - 9*y")
    with blames(ah.errors.NotSupportedError):
        stone.paths.extremal({"x": 0, "y": 0}, {"x": 1, "y": 0}, until=1).cut_time()
