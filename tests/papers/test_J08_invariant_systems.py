r"""J8: invariant systems on SO(3) and SO(2,1) with any constraint of one dimension (Example 4.1).

$d^\perp$ is spanned by the metric's normal $n$, and $g(a, [a, n]) = 0$, so nonholonomic motions are free ones. The argument
needs $\mathfrak g = d \oplus d^\perp$; for the Lorentzian metric that excludes the planes that touch the light cone.
"""

from __future__ import annotations

import numpy as np
import pytest

import anholonomy as ah
from tests.wording import blames

pytestmark = pytest.mark.filterwarnings("ignore::anholonomy.errors.ImplausibleMassWarning")  # metrics, of no solid

METRIC = {"SO3": (1, 1, 1), "SO21": (1, 1, -1)}
PLANES = [(1, 2, -1), (0.3, -1, 2), (0, 0, 1), (1, 0, 0)]
IDENTITY = {
    "SO3": {"q0": 1, "q1": 0, "q2": 0, "q3": 0},
    "SO21": {f"g{i}{j}": int(i == j) for i in (1, 2, 3) for j in (1, 2, 3)},
}


def system(name: str, normal: tuple[float, ...] | None = None, metric=None) -> ah.System:
    rows = [] if normal is None else ["{}*w1 + {}*w2 + {}*w3 = 0".format(*normal)]
    return ah.System(name=name, group=name, kinetic=list(metric or METRIC[name]), constraints=rows)


def test_J8_the_commutation_rules() -> None:
    c = ah.groups.SO21().algebra.constants_abd
    assert (c[0][1][2], c[1][2][0], c[2][0][1]) == (-1, 1, 1)


@pytest.mark.parametrize("name", METRIC)
def test_J8_the_free_motion_is_a_subgroup(name: str) -> None:
    """The metric is bi-invariant, so body velocities are constant; one with other inertia turns."""
    state = IDENTITY[name] | {"w1": 0.3, "w2": -0.4, "w3": 0.5}
    assert max(map(abs, system(name).derive().accelerations(state).values())) < 1e-14
    assert max(map(abs, system(name, metric=(1, 2, 4)).derive().accelerations(state).values())) > 1e-2


@pytest.mark.parametrize("name", METRIC)
@pytest.mark.parametrize("normal", PLANES)
def test_J8_nonholonomic_motions_are_free_ones(name: str, normal) -> None:
    made = system(name, normal)
    a = np.cross(normal, [0.7, 0.2, 0.4])
    state = IDENTITY[name] | dict(zip(("w1", "w2", "w3"), a.tolist(), strict=True))
    equations = made.derive("hamel")
    assert max(map(abs, equations.accelerations(state).values())) < 1e-13
    assert max(map(abs, equations.reactions(state).values())) < 1e-13
    assert made.verify(states=2).agree


def test_J8_the_motion_is_the_exponential() -> None:
    group = ah.groups.SO21()
    a = np.cross((0.3, -1, 2), [0.3, 0.2, 0.1])
    run = system("SO21", (0.3, -1, 2)).simulate(
        IDENTITY["SO21"] | dict(zip(("w1", "w2", "w3"), a.tolist(), strict=True)), until=2
    )
    found = np.array([float(run[q.name][-1]) for q in group.coordinates])
    assert found == pytest.approx(group.exp(2 * a), abs=1e-11)


def test_J8_a_light_like_plane_has_no_complement() -> None:
    """d = {w1 = w3}: its normal (1, 0, 1) lies in it, g restricted to d is singular, and the motion is not determined."""
    normal = np.array([1.0, 0.0, -1.0])
    perpendicular = normal / np.array(METRIC["SO21"])
    assert normal @ perpendicular == 0
    with blames(ah.Error):
        system("SO21", (1, 0, -1)).simulate(IDENTITY["SO21"] | {"w1": 0.2, "w2": 0.1, "w3": 0.2}, until=1)


@pytest.mark.parametrize(("name", "metric"), [("SO3", (1, 2, 4)), ("SO21", (1, 2, 4)), ("SO21", (1, 2, -4))])
def test_J8_euler_poincare_suslov_in_closed_form(name: str, metric) -> None:
    r"""$w_3 = 0$ for an inertia with $I_{13}, I_{23}$: $\dot p_a = c_{ba}{}^dw^bp_d$, $a = 1, 2$, written by hand."""
    e = 1.0 if name == "SO3" else -1.0
    K = np.diag(np.array(metric, dtype=float))
    K[0, 2] = K[2, 0] = 0.3
    K[1, 2] = K[2, 1] = -0.2
    made = ah.System(name="Suslov", group=name, kinetic=K.tolist(), constraints=["w3 = 0"])
    w = np.array([0.6, -0.7, 0.0])
    p = K @ w
    # [E1, E2] = e E3, so c_21^3 = -e and c_12^3 = e; with w3 = 0 nothing else is left.
    expected = np.linalg.solve(K[:2, :2], [-e * w[1] * p[2], e * w[0] * p[2]])
    found = made.derive("hamel").accelerations(IDENTITY[name] | {"w1": 0.6, "w2": -0.7})
    assert [found["w1'"], found["w2'"]] == pytest.approx(expected.tolist(), abs=1e-13)
    assert abs(expected).max() > 0.01


@pytest.mark.parametrize("name", ["SO3", "SE2", "SO21", "SE3", "Heisenberg"])
def test_the_momentum_map_is_constant_for_a_free_invariant_system(name: str) -> None:
    from anholonomy.equations.reduction.momentum_map import momentum_map
    from anholonomy.geometry.groups import as_group

    group = as_group(name)
    n = group.dimension
    K = np.eye(n) * np.arange(2, n + 2) + 0.3
    made = ah.System(name="free", group=name, kinetic=K.tolist())
    w = dict(zip((s.name for s in group.speeds), np.linspace(0.5, -0.4, n).tolist(), strict=True))
    place = dict(zip((q.name for q in group.coordinates), group.identity.tolist(), strict=True))
    run = made.simulate(place | w, until=2)
    values = []
    for k in (0, 400, 1000):
        point = {s: float(run[s.name][k]) for s in (*group.coordinates, *group.speeds)}
        J = [float(entry.xreplace(point).n(real=True)) for entry in momentum_map(made.model).values()]
        g = np.array([point[q] for q in group.coordinates])
        xi = np.array([point[s] for s in group.speeds])
        assert pytest.approx((group.coadjoint(g) @ (K @ xi)).tolist(), abs=1e-12) == J
        values.append(J)
    assert np.ptp(np.array(values), axis=0).max() < 1e-10
    body = np.array([[float(run[s.name][k]) for s in group.speeds] for k in (0, 1000)])
    assert np.ptp(body, axis=0).max() > 1e-2


def test_the_rate_of_the_momentum_map_is_the_torque() -> None:
    """A heavy top with a force and a constraint: finite differences of J against potential, force and reaction."""
    from anholonomy.algebra.calculus import along
    from anholonomy.algebra.expressions import symbol
    from anholonomy.equations.reduction.momentum_map import momentum_map, to_space

    top = ah.System(
        name="top", group="SO3", kinetic=[1, 2, 3], potential="2*R33 + R12", forces={"w1": "0.3*w2"},
        constraints=["w1 + 2*w2 = 0.4*w3"],
    )  # fmt: skip
    start = {"q0": 1, "q1": 0, "q2": 0, "q3": 0, "w1": 0.5, "w2": 0.2}
    run = top.simulate(start, times=[0, 0.5 - 1e-3, 0.5, 0.5 + 1e-3])
    reactions = tuple(symbol(f"R_{k}") for k in range(3))
    model = top.model
    pushed = [along(model.lagrangian, E) + Q for E, Q in zip(model.frame.fields, model.forces_a, strict=True)]
    at = lambda k: (
        {s: float(run[s.name][k]) for s in (*top.coordinates, *top.velocities)}
        | {R: float(run.reactions[k, a]) for a, R in enumerate(reactions)}
    )
    number = lambda entry, k: float(entry.xreplace(at(k)).n(real=True))
    for J, torque, reaction in zip(
        momentum_map(model).values(),
        to_space(model, tuple(pushed)).values(),
        to_space(model, reactions).values(),
        strict=True,
    ):
        slope = (number(J, 3) - number(J, 1)) / 2e-3
        assert slope == pytest.approx(number(torque, 2) + number(reaction, 2), abs=1e-5)
        assert abs(slope) > 1e-2


@pytest.mark.parametrize("name", METRIC)
@pytest.mark.parametrize("normal", PLANES)
def test_J8_every_motion_is_vakonomic_as_a_free_one(name: str, normal) -> None:
    answer = system(name, normal).compare_vakonomic()
    assert answer.verdict is ah.Verdict.PROVEN
    assert answer.conditions["reactions"].is_proven
    assert list(answer.multiplier.values()) == [0]


@pytest.mark.parametrize("name", METRIC)
def test_J8_another_metric_is_another_answer(name: str) -> None:
    answer = system(name, (1, 2, -1), metric=(1, 2, 4)).compare_vakonomic()
    assert answer.verdict is ah.Verdict.REFUTED
    assert answer.explanation == "one constraint"
