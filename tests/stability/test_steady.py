"""Steady motions, their linear parts and their families, against closed forms, the bicycle benchmark and finite differences."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import anholonomy as ah
from anholonomy.catalogue import (
    ENTRIES,
    chaplygin_ball,
    chaplygin_sleigh,
    heisenberg,
    leaning_disc,
    rattleback,
    skate,
    suslov,
    whipple_bicycle,
)
from tests.wording import blames

M = np.array([[80.81722, 2.31941332208709], [2.31941332208709, 0.29784188199686]])
K0 = np.array([[-80.95, -2.59951685249872], [-2.59951685249872, -0.80329488458618]])
K2 = np.array([[0, 76.59734589573222], [0, 2.65431523794604]])
C1 = np.array([[0, 33.86641391492494], [-0.85035641456978, 1.68540397397560]])
"""The benchmark bicycle of Meijaard, Papadopoulos, Ruina and Schwab, for roll and steer."""


@pytest.fixture(scope="module")
def bicycle() -> ah.System:
    return whipple_bicycle()


@pytest.mark.exhaustive
def test_the_bicycle_has_the_matrices_of_the_benchmark(bicycle: ah.System) -> None:
    v, g = 5.0, 9.81
    steady = bicycle.stability.steady_motion(fixed={"x'": v})
    assert steady.linearization.labels == ("roll", "steer", "x'", "roll'", "steer'")
    assert steady.linearization.carried == ("x", "y", "theta", "rear_turn", "front_turn")
    mass, damping, stiffness = steady.linearization.second_order()
    signs = np.outer([1, 1], [1, 1])
    assert mass.values == pytest.approx(M * signs, rel=1e-12)
    assert damping.values == pytest.approx(v * C1, rel=1e-12, abs=1e-11)
    assert stiffness.values == pytest.approx(g * K0 + v**2 * K2, rel=1e-12)


@pytest.mark.parametrize("size", [1e-13, 1e-11])
def test_simulate_takes_the_state_of_a_steady_motion_whatever_residual_its_search_left(
    bicycle: ah.System, size: float
) -> None:
    steady = bicycle.stability.steady_motion(fixed={"x'": 4})
    for k in range(len(steady.x)):
        moved = steady.unknowns.copy()
        moved[k] += size
        state = replace(steady, unknowns=moved).state
        assert bicycle.simulate(state, until=0.01)["x'"][-1] == pytest.approx(4, rel=1e-9)
        assert state == pytest.approx(steady.state, abs=10 * size)


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", ENTRIES)
def test_simulate_takes_the_state_of_every_steady_motion(name: str) -> None:
    entry = ENTRIES[name]
    system = entry.make()
    for fixed in ({}, *({w.name: 0.7} for w in system.model.velocities)):
        try:
            steady = system.stability.steady_motion(fixed=fixed, near=entry.start)
        except ah.Error:  # there is none
            continue
        system.simulate(steady.state, until=0.01)


@pytest.mark.exhaustive
def test_the_bicycle_weaves_and_capsizes_where_the_benchmark_says(bicycle: ah.System) -> None:
    branch = bicycle.stability.steady_motion(fixed={"x'": 5.0}).follow("x'", 0, 10, points=21)
    weave, capsize = branch.critical
    assert (weave.kind, weave.before, weave.after) == ("Hopf", "unstable", "stable")
    assert (capsize.kind, capsize.before, capsize.after) == ("real", "stable", "unstable")
    assert weave.value == pytest.approx(4.29238253634111, rel=1e-13)
    assert capsize.value == pytest.approx(6.02426201538837, rel=1e-13)
    for v, found in zip(branch.values, branch.eigenvalues, strict=True):
        A = np.block(
            [[np.zeros((2, 2)), np.eye(2)], [-np.linalg.solve(M, 9.81 * K0 + v**2 * K2), -np.linalg.solve(M, v * C1)]]
        )
        truth = np.append(np.linalg.eigvals(A), 0.0)
        assert np.sort_complex(found.round(11)) == pytest.approx(np.sort_complex(truth.round(11)), abs=1e-9)


def test_an_upright_disc_is_stable_from_the_speed_of_the_closed_form_on() -> None:
    m, I, J, R, g = 1.3, 0.4, 0.2, 0.7, 9.81
    disc = leaning_disc(m=m, I=I, J=J, R=R, g=g)
    branch = disc.stability.steady_motion(fixed={"phi'": 3.0}).follow("phi'", 0.5, 9, points=30)
    (threshold,) = branch.critical
    assert threshold.value == pytest.approx(math.sqrt(m * g * R * J / (I * (I + m * R**2))), rel=1e-13)
    assert (threshold.kind, threshold.before, threshold.after) == ("real", "unstable", "marginal")


@pytest.mark.parametrize("lean", [0.1, -0.4])
def test_a_disc_that_leans_rolls_in_a_circle_for_ever(lean: float) -> None:
    disc = leaning_disc()
    steady = disc.stability.steady_motion(fixed={"theta": lean, "phi'": 3.0})
    assert steady.residual < 1e-12
    run = disc.simulate(steady.state, until=20)
    for name in ("theta", "phi'", "psi'"):
        assert run[name].values == pytest.approx(steady.state[name], abs=1e-10)
    assert float(abs(run["y"]).max()) > 0.1


def test_symmetries_are_found() -> None:
    def found(system: ah.System, start: dict[str, float]) -> list[str]:
        return [str(each) for each in system.stability.steady_motion(near=start).symmetries]

    plane = ["d/dx", "d/dy", "-y d/dx + x d/dy + d/dtheta"]
    assert found(skate(), {}) == plane
    assert found(heisenberg(), {}) == ["d/dx - y d/dz", "d/dy + x d/dz", "d/dz", "y d/dx - x d/dy"]
    assert len(found(suslov(), {})) == 3
    assert found(chaplygin_ball(), {})[:2] == ["d/dx", "d/dy"]
    assert len(found(chaplygin_ball(), {})) == 3
    spring = ah.System(coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2 - x^2/2 - y^2")
    assert found(spring, {}) == []


def test_the_sleigh_goes_straight_with_its_mass_in_front() -> None:
    branch = chaplygin_sleigh().stability.steady_motion(fixed={"x'": 1.0}).follow("a", -0.5, 0.5, points=11)
    assert branch.verdicts[0] == "unstable"
    assert branch.verdicts[-1] == "stable"
    (change,) = branch.critical
    assert abs(change.value) < 1e-12
    m, I, a = 1.0, chaplygin_sleigh().parameters["I"], 0.5
    ends = chaplygin_sleigh(m=m, a=a).stability.steady_motion(fixed={"x'": 2.0}).linearization.eigenvalues
    assert ends.real.min() == pytest.approx(-2.0 * m * a / (I + m * a**2), rel=1e-13)


def test_a_rattleback_turns_back_from_one_side_only() -> None:
    growth = [
        float(rattleback().stability.steady_motion(fixed={"w3": w}).linearization.eigenvalues.real.max())
        for w in (5, -5)
    ]
    stone = rattleback()
    for w, rate in zip((5, -5), growth, strict=True):
        steady = stone.stability.steady_motion(fixed={"w3": w})
        assert steady.linearization.verdict == "unstable"
        assert rate > 0
    assert growth[0] != pytest.approx(growth[1], rel=0.1)


def random_system(seed: int) -> ah.System:
    """A particle with a curved metric, a potential with its minimum at 0, damping and a constraint."""
    rng = np.random.default_rng(seed)
    a, b, c, d = rng.uniform(0.2, 0.9, 4)
    return ah.System(
        name="random",
        coordinates=["x", "y", "z"],
        lagrangian=f"((1 + {a:.3f}*y^2)*x'^2 + (1 + {b:.3f}*x)*y'^2 + z'^2 + {c:.3f}*x'*y')/2 - x^2 - {d:.3f}*y^2 - z^2/2 - x*z/3",
        constraints=[f"z' = (y + {a:.3f})*x' + {b:.3f}*sin(x)*y'"],
        forces={"x": f"-{c:.3f}*x'", "y": f"-{d:.3f}*y' + x*z'"},
    )


@pytest.mark.parametrize("seed", range(4))
def test_the_linear_part_is_that_of_finite_differences(seed: int) -> None:
    system = random_system(seed)
    rng = np.random.default_rng(seed)
    names = ("x", "y", "z", "x'", "y'")
    z0 = dict(zip(names, rng.uniform(-0.3, 0.3, 5), strict=True))
    lin = system.linearize(z0, coordinates=names)
    assert not lin.steady
    equations = system.derive("lagrange-dalembert")

    def rates(state: np.ndarray) -> np.ndarray:
        full = dict(zip(names, state, strict=True))
        rows = system.model.matrix_na[0]
        place = {q: full[q.name] for q in system.coordinates}
        full["z'"] = -sum(float(a.subs(place)) * full[w] for a, w in zip(rows, ("x'", "y'"), strict=False)) / float(
            rows[2]
        )
        fast = equations.accelerations(full)
        return np.array([full["x'"], full["y'"], full["z'"], fast["x''"], fast["y''"]])

    base, step = np.array(list(z0.values())), 1e-5
    columns = [(rates(base + step * e) - rates(base - step * e)) / (2 * step) for e in np.eye(5)]
    assert pytest.approx(np.array(columns).T, abs=1e-8) == lin.part.A


@pytest.mark.parametrize("seed", range(4))
def test_what_is_near_a_rest_moves_by_the_exponential_of_the_linear_part(seed: int) -> None:
    from scipy.linalg import expm

    system = random_system(seed)
    rest = system.stability.steady_motion()
    assert rest.residual < 1e-12
    lin, small = rest.linearization, 1e-6
    kick = small * np.random.default_rng(seed).normal(size=len(lin.labels))
    start = {name: rest.state[name] + value for name, value in zip(lin.labels, kick, strict=True)}
    run = system.simulate({**{q: rest.state[q] for q in ("x", "y", "z")}, **start}, until=3)
    moved = [float(run[name][-1]) - rest.state[name] for name in lin.labels]
    assert moved == pytest.approx(expm(3 * lin.part.A) @ kick, abs=30 * small**2)


def test_inputs_are_parameters_by_which_to_differentiate() -> None:
    arm = ah.System(
        coordinates=["a"], lagrangian="I*a'^2/2 + k*cos(a)", forces={"a": "tau - c*a'"},
        parameters={"I": 2.0, "k": 3.0, "c": 0.5, "tau": 0.0},
    )  # fmt: skip
    lin = arm.linearize({"a": 0, "a'": 0}, inputs=["tau"])
    assert lin.A.values.tolist() == [[0, 1], [-1.5, -0.25]]
    assert lin.B.sel(rate="a'", input="tau") == 0.5


def test_coupled_pendulums_have_their_mass_and_stiffness() -> None:
    double = ah.System(
        coordinates=["a", "b"], parameters={"g": 9.81},
        lagrangian="a'^2 + b'^2/2 + a'*b'*cos(a - b) + 2*g*cos(a) + g*cos(b)",
    )  # fmt: skip
    mass, damping, stiffness = double.stability.steady_motion().linearization.second_order()
    assert mass.values == pytest.approx(np.array([[2, 1], [1, 1]]))
    assert damping.values == pytest.approx(np.zeros((2, 2)))
    assert stiffness.values == pytest.approx(np.diag([2 * 9.81, 9.81]))


def test_a_heavy_particle_in_a_bowl_circles_at_any_height() -> None:
    bowl = ah.System(
        coordinates=["x", "y", "z"], lagrangian="(x'^2 + y'^2 + z'^2)/2 - 9.81*z", constraints=["z = (x^2 + y^2)/2"]
    )
    steady = bowl.stability.steady_motion(fixed={"x": 0.8}, near={"x": 0.8, "y": 0.1, "y'": 2.0})
    speed = math.hypot(steady.state["x'"], steady.state["y'"])
    radius = math.hypot(steady.state["x"], steady.state["y"])
    assert speed == pytest.approx(math.sqrt(9.81) * radius, rel=1e-12) or speed == pytest.approx(0, abs=1e-12)
    # A paraboloid: the radius oscillates with twice the root of g/(1 + r^2), as the closed form of small oscillations says.
    frequency = abs(steady.linearization.eigenvalues.imag).max()
    assert frequency == pytest.approx(2 * math.sqrt(9.81 / (1 + radius**2)), rel=1e-11)


@pytest.mark.parametrize(
    ("ask", "names"),
    [
        (lambda s: s.stability.steady_motion(fixed={"w": 1}), ("given", "w")),
        (lambda s: s.stability.steady_motion(fixed={"x'": "fast"}), ()),
        (lambda s: s.stability.steady_motion(fixed={"theta'": 1.0}), ("theta'", "1")),
        (lambda s: s.stability.steady_motion().follow("w", 0, 1), ("w",)),
        (lambda s: s.linearize({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0}, coordinates=["x"]), ("5",)),
        (lambda s: s.linearize({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0}, inputs=["tau"]), ()),
        (lambda s: s.linearize({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0}, inputs=4), ("inputs", "4")),
        (lambda s: s.linearize(3), ("at", "3")),
        (lambda s: s.linearize(leaning_disc().stability.steady_motion()), ()),
        (lambda s: s.stability.steady_motion("x"), ("given", "x")),
        (lambda s: s.stability.steady_motion(near=[1]), ("near", "1")),
        (lambda s: s.stability.steady_motion().follow("x'", 0, "fast"), ("fast", "0")),
        (lambda s: s.stability.steady_motion().follow("x'", 1, 1), ()),
        (lambda s: s.stability.steady_motion().follow("x'", 0, float("nan")), ()),
        (lambda s: s.stability.steady_motion().follow("x'", 0, 1, points=1), ("points", "1")),
        (lambda s: s.simulate({"x": 0, "y": 0, "theta": 0, "x'": 1, "theta'": 0}, until=0.1).section(3), ()),
    ],
)  # fmt: skip
def test_bad_questions_get_a_sentence(ask, names: tuple[str, ...]) -> None:
    with blames(ah.Error, *names):
        ask(chaplygin_sleigh())


def test_what_depends_on_time_has_no_steady_motion() -> None:
    pushed = ah.System(coordinates=["x"], lagrangian="x'^2/2", forces={"x": "cos(t)"})
    with blames(ah.Error):
        pushed.stability.steady_motion()
