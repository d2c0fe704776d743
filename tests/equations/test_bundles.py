"""Groups as fibres: agreement with multipliers, the base as a system, the way back, and the phase of a loop."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import anholonomy as ah
from anholonomy.algebra.numbers.balls import precision
from anholonomy.algebra.zero_test import is_zero
from anholonomy.equations.evaluation import evaluate_equations
from anholonomy.equations.principles import chaplygin, lagrange_dalembert
from anholonomy.equations.verification import verify
from anholonomy.geometry.groups import as_group
from anholonomy.system.states.random_states import admissible_points
from tests.properties.random_systems import functions
from tests.wording import blames

BRIEF = settings(max_examples=4, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
GROUPS = ("SO3", "SE2", "SL2R", "Heisenberg", "R(a, b)", "SE2 * S1(psi)")


@st.composite
def over_a_base(draw: st.DrawFn, name: str) -> ah.System:
    """Two base coordinates under a group: affine, moving constraints in body velocities, forces, gyroscopic terms."""
    group = as_group(name)
    r, xi = ["r", "s"], [w.name for w in group.speeds]
    speeds, places = [*xi, "r'", "s'"], ["r", "s", "t"]
    f = lambda: f"({draw(functions(places))})"
    squares = [
        f"(1 + {f()}^2)*({' + '.join([v, *(f'{f()}*{other}' for other in speeds[max(0, k - 2) : k])])})^2/2"
        for k, v in enumerate(speeds)
    ]
    return ah.System(
        name="random",
        group=name,
        coordinates=r,
        lagrangian=" + ".join([*squares, *(f"{f()}*{v}" for v in speeds)]) + f" - {f()}",
        constraints=[f"(2 + {f()}^2)*{v} + {f()}*r' + {f()}*s' = {f()}" for v in xi],
        forces={xi[0].removesuffix("'"): f"{f()} - {xi[-1]}", "r": f"{f()} - s'"},
    )


def gap_below(system: ah.System, base: ah.System) -> float:
    """How far the accelerations of the base are from those of the constrained system, at a random state."""
    with precision(45):
        point = next(admissible_points(system.model, 40, seed=3))
        above = evaluate_equations(system.derive("lagrange-dalembert").data, point).accelerations
        below = evaluate_equations(base.derive("hamel").data, point).accelerations
        expected = dict(zip(system.velocities, above, strict=True))
        scale = 1 + max(float(abs(a).abs_upper()) for a in above)
        gaps = [abs(a - expected[w]) for w, a in zip(base.velocities, below, strict=True)]
        return max(float(gap.abs_upper()) for gap in gaps) / scale


@pytest.mark.exhaustive_for("R(a, b)")
@pytest.mark.parametrize("name", GROUPS)
def test_the_base_moves_like_the_whole(name: str) -> None:
    @BRIEF
    @given(over_a_base(name))
    def check(system: ah.System) -> None:
        reduced = system.reduced()
        assert not reduced.base.constraints
        assert [q.name for q in reduced.base.coordinates] == ["r", "s"]
        assert gap_below(system, reduced.base) < 1e-30
        pair = [lagrange_dalembert.LagrangeDAlembert(), chaplygin.Chaplygin()]
        verification = verify(system, states=1, principles=pair)
        assert len(verification.principles) == 2
        assert verification.agree

    check()


def rolling_ball() -> ah.System:
    """A body with unequal inertia whose centre is in the middle, rolling on a plane: the base is SO(3)."""
    return ah.System(
        name="ball", group="SO3", coordinates=["x", "y"], kinetic=["I1", "I2", "I3", "m", "m"], potential="k*R33",
        constraints=["x' = r*(R21*w1 + R22*w2 + R23*w3)", "y' = -r*(R11*w1 + R12*w2 + R13*w3)"],
        parameters={"I1": 1.0, "I2": 2.0, "I3": 2.5, "m": 1.0, "r": 0.5, "k": 0.2},
    )  # fmt: skip


def test_a_group_may_be_the_base(tmp_path) -> None:
    ball = rolling_ball()
    reduced = ball.reduced()
    assert reduced.fibre == ("x", "y")
    assert reduced.base.model.group == as_group("SO3")
    assert gap_below(ball, reduced.base) < 1e-30
    assert reduced.base.verify(states=2).agree
    reduced.base.save(tmp_path / "base.toml")
    assert ah.load(tmp_path / "base.toml").derive().accelerations(
        state := {"q0": 0.6, "q1": 0.8, "q2": 0, "q3": 0, "w1": 0.1, "w2": 0.3, "w3": 0.4}
    ) == pytest.approx(reduced.base.derive().accelerations(state), abs=1e-14)


def skater(**words) -> ah.System:
    """A body in the plane whose velocity obeys a shape of two angles."""
    given = {
        "name": "skater", "group": "SE2", "coordinates": ["r", "s"],
        "lagrangian": "m*(v1^2 + v2^2)/2 + (I + r^2)*w^2/2 + (r'^2 + s'^2)/2 + r*w*s' - cos(s)",
        "constraints": ["v1 = a*cos(s)*r' + t*s'", "v2 = r*s' + 0.2*t", "w = sin(s)*r' + r^2*s' + 0.1*t"],
        "forces": {"v1": "-v1", "r": "-r'"}, "parameters": {"m": 1.2, "I": 0.7, "a": 0.4},
    }  # fmt: skip
    return ah.System(**given | words)


def test_base_and_reconstruction_are_the_motion() -> None:
    system, start = skater(), {"r": 0.3, "s": -0.2, "r'": 0.5, "s'": 0.4}
    reduced = system.reduced()
    below = reduced.base.simulate(start, until=3)
    whole = system.simulate({"x": 0, "y": 0, "theta": 0, **start}, until=3, by="lagrange-dalembert")
    above = reduced.reconstruct(below)
    for name in ("x", "y", "theta", "r", "s"):
        assert float(abs(above[name] - whole[name]).max()) < 1e-11
    # Nothing depends on where the group begins: another start is the same motion, moved by the group.
    group, first = ah.groups.SE2(), np.array([1.0, 2.0, 0.7])
    other = reduced.reconstruct(below, dict(zip(("x", "y", "theta"), first, strict=True)))
    ends = [np.array([float(run[q][-1]) for q in ("x", "y", "theta")]) for run in (above, other)]
    assert group.multiply(first, ends[0]) == pytest.approx(ends[1], abs=1e-11)


def sphere(**words) -> ah.System:
    """A unit sphere that rolls on itself: the velocity of the body is that of the shape, turned by a right angle."""
    given = {
        "name": "sphere", "group": "SO3", "coordinates": ["x", "y"], "kinetic": [1, 2, 3, 1, 1],
        "constraints": ["w1 = -y'", "w2 = x'", "w3 = 0"],
    }  # fmt: skip
    return ah.System(**given | words)


@pytest.mark.parametrize("rho", [0.3, 1.0, 2.5])
def test_the_phase_of_a_circle_on_the_sphere(rho: float) -> None:
    r"""Along $\rho(\cos t, \sin t)$ the velocity turns with $t$, so $g = \exp t(\xi_0 + E_3)\,\exp(-tE_3)$."""
    found = sphere().reduced().phase({"x": f"{rho}*cos(t)", "y": f"{rho}*sin(t)"}, 2 * np.pi)
    group, turn = ah.groups.SO3(), 2 * np.pi
    xi = np.array([-rho, 0.0, 1.0])
    expected = group.multiply(group.exp(turn * xi), group.exp(np.array([0, 0, -turn])))
    assert np.array([found[q] for q in ("q0", "q1", "q2", "q3")]) == pytest.approx(expected, abs=1e-11)


def test_the_phase_of_a_circle_in_the_plane() -> None:
    r"""On SE(2) with $\xi = (\dot r, \dot s, w\text{ at the loop's rate})$ the same closed form holds."""
    system = skater(constraints=["v1 = r'", "v2 = s'", "w = 2*(r*s' - s*r')"], forces={})
    found = system.reduced().phase({"r": "0.5*cos(t)", "s": "0.5*sin(t)"}, 2 * np.pi)
    group, turn, lag = ah.groups.SE2(), 2 * np.pi, np.array([0.0, 0.0, 1.0])
    xi = np.array([0.0, 0.5, 2 * 0.25]) + lag
    expected = group.multiply(group.exp(turn * xi), group.exp(-turn * lag))
    assert [found["x"], found["y"]] == pytest.approx(expected[:2], abs=1e-11)
    assert (found["theta"] - expected[2]) / (2 * np.pi) == pytest.approx(
        round((found["theta"] - expected[2]) / (2 * np.pi))
    )


def test_a_small_loop_measures_the_curvature() -> None:
    """log g is the area times [h_1, h_2], structure constants included; the error falls with the size."""
    system = sphere(constraints=["w1 = -cos(x)*y' + 0.5*x'", "w2 = x' + y*y'", "w3 = x*y*x' + sin(x)*y'"])
    reduced, gaps = system.reduced(), []
    for size in (0.02, 0.01):
        loop = {"x": f"0.4 + {size}*cos(t)", "y": f"0.3 + {size}*sin(t)"}
        found = reduced.phase(loop, 2 * np.pi)
        xi = ah.groups.SO3().log(np.array([found[q] for q in ("q0", "q1", "q2", "q3")]))
        x, y = 0.4, 0.3
        a1, a2 = np.array([0.5, 1.0, x * y]), np.array([-np.cos(x), y, np.sin(x)])
        bracket = np.array([np.sin(x), 0, np.cos(x) - x]) + np.cross(a1, a2)
        gaps.append(np.linalg.norm(xi / (np.pi * size**2) - bracket))
    assert gaps[0] < 0.05
    assert gaps[1] < 0.7 * gaps[0]


def test_the_gyroscopic_force_by_degree() -> None:
    reduced = skater().reduced()
    for name, whole in reduced.gyroscopic.items():
        assert is_zero(whole - sum(reduced.gyroscopic_parts[degree][name] for degree in (2, 1, 0)))
    assert any(value != 0 for value in reduced.gyroscopic_parts[0].values())
    still = skater(constraints=["v1 = a*cos(s)*r'", "v2 = r*s'", "w = sin(s)*r' + r^2*s'"]).reduced()
    assert all(value == 0 for degree in (1, 0) for value in still.gyroscopic_parts[degree].values())
    work = sum(still.gyroscopic[w.name] * w for w in still.base.velocities)
    assert any(value != 0 for value in still.gyroscopic.values())
    assert is_zero(work)


@pytest.mark.parametrize(
    ("lagrangian", "degrees"),
    [
        ("(x'^2 + y'^2 + z'^2)/(1 + x')", None),
        ("(x'^2 + y'^2 + z'^2)^(3/2)", None),
        ("log(x') + y'^2*z'^2 + z'^2", None),
        ("-sqrt(1 - x'^2 - y'^2 - z'^2)", None),
        ("sqrt(x'^2 + y'^2 + z'^2) + x'^2 + y'^2 + z'^2", {2, 1}),
        ("(x'^2 + y'^2 + z'^2)^2/(x'^2 + y'^2 + z'^2)", {2}),
    ],
)
def test_lagrangians_that_are_no_polynomials(lagrangian: str, degrees: set[int] | None) -> None:
    """Parts of a degree that add up to the force, or a sentence where there are none."""
    reduced = ah.System(name="n", coordinates=list("xyz"), lagrangian=lagrangian, constraints=["z' = y*x'"]).reduced()
    if degrees is None:
        with blames(ah.errors.NotSupportedError):
            reduced.gyroscopic_parts
        return
    parts = reduced.gyroscopic_parts
    for name, whole in reduced.gyroscopic.items():
        assert is_zero(whole - sum(parts[degree][name] for degree in (2, 1, 0)))
    assert {degree for degree, values in parts.items() if any(value != 0 for value in values.values())} == degrees


@pytest.mark.parametrize(
    ("group", "row", "base"),
    [
        (ah.groups.Circle("phi") * ah.groups.SO3(), "z' = R21*w1 + phi'", ["phi'", "w1", "w2", "w3"]),
        (ah.groups.Rn("z", "phi") * ah.groups.SO3(), "z' = R21*w1 + phi'", ["phi'", "w1", "w2", "w3"]),
        (
            ah.groups.Circle("z", "phi", "psi") * ah.groups.SO3(),
            "z' = R21*w1 + phi'",
            ["phi'", "psi'", "w1", "w2", "w3"],
        ),
        (ah.groups.Rn("z", "phi"), "z' = phi*phi'", ["phi'"]),
    ],
)
def test_bases_of_products_survive_a_file(group, row, base, tmp_path) -> None:
    """The order of the velocities is that of the factors, also where only some translations of one are left."""
    own = [] if any(q.name == "z" for q in group.coordinates) else ["z"]
    size = group.dimension + len(own)
    turning = "w1" in [w.name for w in group.speeds]
    system = ah.System(
        name="s", group=group, coordinates=own, kinetic=[k + 1.5 for k in range(size)], constraints=[row],
        potential="sin(phi) + R33" if turning else "sin(phi)", forces={"phi": "-phi'"} | ({"w2": "-w2"} if turning else {}),
    )  # fmt: skip
    reduced = system.reduced(fibre=["z"])
    assert [w.name for w in reduced.base.velocities] == base
    for k, each in enumerate((system, reduced.base)):
        each.save(tmp_path / f"{k}.toml")
        assert ah.load(tmp_path / f"{k}.toml") == each
    assert gap_below(system, reduced.base) < 1e-25


REFUSED = {
    "depends": ({"potential": "R33"}, None, ("q0", "q1", "q2", "q3")),
    "part": ({"constraints": ["w1 = x'"], "potential": "x*y"}, None, ()),
    "forced": ({"forces": {"w1": "R11"}}, None, ("w1", "q0")),
    "solved": ({"constraints": ["w1 = R11*x'", "w2 = x'", "w3 = y'"]}, None, ()),
    "named": ({"constraints": ["w1 = x'"]}, ["w1"], ("1", "3")),
}


@pytest.mark.parametrize(("words", "fibre", "names"), REFUSED.values(), ids=REFUSED.keys())
def test_refusals(words, fibre, names) -> None:
    with blames(ah.Error, *names):
        sphere(**words).reduced(fibre)


def test_a_loop_closes() -> None:
    reduced = sphere().reduced()
    with blames(ah.errors.ArgumentError, "y", "0", "1"):
        reduced.phase({"x": "0", "y": "t"}, 1.0)
    with blames(ah.errors.ArgumentError, "x", "y"):
        reduced.phase({"x": "0"}, 1.0)


HALF = {"q0": "cos(t)", "q1": "0", "q2": "0", "q3": "sin(t)"}
TURN = {"g11": "cos(t)", "g12": "-sin(t)", "g21": "sin(t)", "g22": "cos(t)"}
LOOPS = {
    "SO3": ("SO3", HALF, np.pi),
    "SU2": (ah.groups.SU2(), HALF, 2 * np.pi),
    "SL2R": ("SL2R", TURN, 2 * np.pi),
    "Matrices": (ah.groups.MatrixGroup([[[0, -1], [1, 0]]]), TURN, 2 * np.pi),
    "SE2": ("SE2", {"x": "sin(t)", "y": "0", "theta": "t"}, 2 * np.pi),
}


@pytest.mark.parametrize(("group", "loop", "period"), LOOPS.values(), ids=LOOPS)
def test_a_loop_in_a_group_ends_at_the_element_where_it_began(group, loop, period) -> None:
    """A quaternion and its negative are one rotation; of other groups a sign makes another element."""
    speeds = as_group(group).speeds
    system = ah.System(
        name="over",
        group=group,
        coordinates=["z"],
        kinetic=[1] * (len(speeds) + 1),
        constraints=[f"z' = {speeds[-1].name}"],
    )
    reduced = system.reduced(["z"])
    assert "z" in reduced.phase(loop, period)
    for part in (period / 2, period / 4):
        with blames(ah.errors.ArgumentError):
            reduced.phase(loop, part)


def test_each_quaternion_flips_by_itself() -> None:
    system = ah.System(
        name="two",
        group=ah.groups.SO3("a_") * ah.groups.SO3("b_"),
        coordinates=["z"],
        kinetic=[1] * 7,
        constraints=["z' = a_w3 + b_w3"],
    )
    loop = {f"{p}_{q}": v for p, rate in (("a", "t"), ("b", "2*t")) for q, v in
            {"q0": f"cos({rate})", "q1": "0", "q2": "0", "q3": f"sin({rate})"}.items()}  # fmt: skip
    assert system.reduced(["z"]).phase(loop, np.pi)["z"] == pytest.approx(6 * np.pi)


def test_what_a_loop_is_given_is_checked() -> None:
    system = ah.System(
        name="b", coordinates=["x", "y", "z"], lagrangian="(x'^2 + y'^2 + z'^2)/2", constraints=["z' = k*y*x'"],
        parameters={"k": 1.0},
    )  # fmt: skip
    reduced, circle = system.reduced(), {"x": "cos(t)", "y": "sin(t)"}
    assert reduced.phase(circle, 2 * np.pi, parameters={"k": 2})["z"] == pytest.approx(-2 * np.pi)
    for words, names in (
        ({"parameters": {"K": 2.0}}, ("K",)),
        ({"parameters": {"k": "2"}}, ("k", "2")),
        ({"parameters": 3}, ("parameters", 3)),
        ({"tolerance": -1}, ("tolerance", -1)),
    ):
        with blames(ah.Error, *names):
            reduced.phase(circle, 2 * np.pi, **words)
    with blames(ah.errors.ArgumentError, "a", "x", "y"):
        reduced.phase(["a"], 1)
    with blames(ah.errors.ArgumentError, "m"):
        reduced.phase({"x": "m*cos(t)", "y": "sin(t)"}, 2 * np.pi)


def test_only_motions_of_the_base_are_lifted(tmp_path) -> None:
    words = {"coordinates": ["x", "y", "z"], "constraints": ["z' = k*y*x'"], "parameters": {"k": 1.0}}
    reduced = ah.System(name="b", lagrangian="(x'^2 + y'^2 + z'^2)/2", **words).reduced()
    start = {"x": 0, "y": 0, "x'": 1, "y'": 1}
    for nothing in (3, reduced.full, None):
        with blames(ah.Error):
            reduced.reconstruct(nothing)
    other = ah.System(name="o", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2")
    with blames(ah.Error, "x", "y", "o"):
        reduced.reconstruct(other.simulate(start, until=1))
    reduced.base.save(tmp_path / "base.toml")
    again = ah.load(tmp_path / "base.toml").simulate(start, until=1, parameters={"k": 2.0})
    assert float(reduced.reconstruct(again)["z"][-1]) != 0


def test_the_attitude_may_cancel() -> None:
    """Written in space components and turned back, nothing depends on the attitude."""
    disguised = sphere(kinetic=["q0^2 + q1^2 + q2^2 + q3^2", 2, 3, 1, 1]).reduced()
    assert is_zero(disguised.base.lagrangian - sphere().reduced().base.lagrangian)
