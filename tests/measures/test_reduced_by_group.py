"""Systems modulo their symmetries, against the books' equations and against the motions of the full systems."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from typer.testing import CliRunner

from anholonomy import Error, System, Verdict, catalogue
from anholonomy.cli.main import app
from anholonomy.errors import FileError, NotSupportedError, StateError, UnknownNameError
from tests.measures.classical import NotAboutTheVertical, Rolling, rotation
from tests.wording import blames

I = np.diag([0.3, 0.5, 0.6])
SKEW = np.array([[2e-4, -2e-5, 0], [-2e-5, 1.6e-3, 0], [0, 0, 1.7e-3]])
AXES = np.array([0.2, 0.03, 0.02])


def ellipsoid(gamma: np.ndarray) -> np.ndarray:
    return np.array([0, 0, 0.01]) - AXES**2 * gamma / np.sqrt(AXES**2 @ gamma**2)


BODIES: dict[str, Rolling | NotAboutTheVertical] = {
    "chaplygin_ball": Rolling(I, 1.0, 0.0, lambda gamma: -gamma),
    "routh_sphere": Rolling(np.diag([0.35, 0.35, 0.4]), 1.0, 9.81, lambda gamma: -gamma - np.array([0, 0, 0.2])),
    "rattleback": Rolling(SKEW, 1.0, 9.81, ellipsoid),
    "veselova": NotAboutTheVertical(np.diag([1.0, 2.0, 2.5])),
    "rubber_ball": NotAboutTheVertical(I + np.eye(3)),
}


def admissible(body: Any, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    gamma, w = rng.normal(size=3), rng.normal(size=3)
    gamma /= np.linalg.norm(gamma)
    return gamma, (w - (w @ gamma) * gamma if isinstance(body, NotAboutTheVertical) else w)


def names(gamma: np.ndarray, w: np.ndarray) -> dict[str, float]:
    return {f"gamma{k}": float(v) for k, v in enumerate(gamma, 1)} | {f"w{k}": float(v) for k, v in enumerate(w, 1)}


@pytest.mark.exhaustive_for("rattleback", "routh_sphere")
@pytest.mark.parametrize("name", BODIES)
def test_the_books_equations(name: str) -> None:
    reduced, body, rng = getattr(catalogue, name)().reduced_by_group(), BODIES[name], np.random.default_rng(2)
    assert [str(q) for q in reduced.base.coordinates] == ["gamma1", "gamma2", "gamma3"]
    for _ in range(2):
        gamma, w = admissible(body, rng)
        found = reduced.equations.accelerations(names(gamma, w))
        expected = body.rates(gamma, w)[1]
        assert [found[f"w{k}'"] for k in (1, 2, 3)] == pytest.approx(expected.tolist(), rel=1e-6, abs=1e-7)


def test_suslovs_equations() -> None:
    """J w' = (b.w)(-w2, w1), whatever the attitude: nothing of it is left."""
    reduced = catalogue.suslov().reduced_by_group()
    assert reduced.invariants == {}
    assert len(reduced.symmetries) == 3
    w, b, J = np.array([0.7, -1.3]), np.array([0.3, -0.2]), np.diag([1.0, 1.5])
    found = reduced.equations.accelerations({"w1": w[0], "w2": w[1]})
    expected = np.linalg.solve(J, (b @ w) * np.array([-w[1], w[0]]))
    assert [found["w1'"], found["w2'"]] == pytest.approx(expected.tolist(), rel=1e-12)


def test_it_prints_as_in_the_books() -> None:
    ball = str(catalogue.chaplygin_ball().reduced_by_group())
    assert ball.endswith("  M' = M × w\n  gamma' = gamma × w")
    rubber = catalogue.rubber_ball().reduced_by_group()
    assert str(rubber).endswith("  M' = M × w + lambda1*gamma\n  gamma' = gamma × w\n  gamma · w = 0")
    assert r"\dot{M} &= M \times w + \lambda_{1} \gamma" in rubber.latex()
    assert r"\dot{\gamma} &= \gamma \times w" in rubber.latex()
    sphere = str(catalogue.routh_sphere().reduced_by_group())
    assert "gamma' = gamma × w" in sphere
    assert "M1' = " in sphere
    assert "M' =" not in sphere


@pytest.mark.exhaustive_for("chaplygin_ball")
@pytest.mark.parametrize("name", ["chaplygin_ball", "rubber_ball", "routh_sphere", "suslov", "chaplygin_sleigh"])
def test_down_and_up_again(name: str) -> None:
    """A motion, the reduced one from below its start, and the one above that, from where it was and from anywhere."""
    entry = next(each for each in catalogue.ENTRIES.values() if each.make.__name__ == name)
    system = entry.make()
    reduced = system.reduced_by_group()
    run = system.simulate(entry.start, until=2)
    below = reduced.simulate(entry.start, times=run.time.values.tolist())
    for key, function in reduced.invariants.items():
        assert abs(run[str(function)] - below[key]).max() < 1e-12
    above = reduced.reconstruct(below, {q.name: entry.start[q.name] for q in system.coordinates})
    assert max(float(abs(above[q.name] - run[q.name]).max()) for q in system.coordinates) < 1e-12
    elsewhere = reduced.reconstruct(below)
    assert (
        max([float(abs(elsewhere[str(f)] - run[str(f)]).max()) for f in reduced.invariants.values()] or [0.0]) < 1e-12
    )


def test_a_motion_of_the_reduced_ball_is_scipys() -> None:
    body, start = BODIES["chaplygin_ball"], names(np.array([0.6, 0.0, 0.8]), np.array([0.3, 2.0, 0.4]))
    run = catalogue.chaplygin_ball().reduced_by_group().simulate(start, times=[0, 1, 2])

    def rate(t: float, x: np.ndarray) -> np.ndarray:
        return np.concatenate(body.rates(x[:3], x[3:]))

    other = solve_ivp(rate, (0, 2), list(start.values()), rtol=1e-11, atol=1e-12).y[:, -1]
    assert [float(run[key][-1]) for key in start] == pytest.approx(other.tolist(), abs=1e-8)


def values_of(form: Any, system: System, x: np.ndarray) -> np.ndarray:
    """The matrix of a bracket at (gamma, momenta), in doubles."""
    at = dict(zip(form.variables, map(float, x), strict=True)) | {s: float(v) for s, v in system.model.values.items()}
    return np.array([[float(e.xreplace(at)) for e in row] for row in form.matrix_xy])


def jacobiator(form: Any, system: System, x: np.ndarray, factor: Any = lambda x: 1.0) -> float:
    """The largest sum of J_il d_l J_jk over cyclic orders, by central differences, for a multiple of a bracket."""
    n, h = len(x), 1e-5
    J = factor(x) * values_of(form, system, x)
    slopes = []
    for e in np.eye(n):
        ahead, behind = x + h * e, x - h * e
        up, down = (factor(y) * values_of(form, system, y) for y in (ahead, behind))
        slopes.append((up - down) / (2 * h))
    once = np.einsum("il,ljk->ijk", J, np.array(slopes))
    return float(abs(once + once.transpose(2, 0, 1) + once.transpose(1, 2, 0)).max())


def test_the_bracket_gives_the_motion_and_its_jacobiator() -> None:
    ball = catalogue.chaplygin_ball()
    reduced, body = ball.reduced_by_group(), BODIES["chaplygin_ball"]
    form, (gamma, w) = reduced.bracket, admissible(None, np.random.default_rng(5))
    M, h = body.momentum(gamma, w), 1e-5
    x = np.concatenate([gamma, M])

    def energy(y: np.ndarray) -> float:
        at = dict(zip(form.variables, map(float, y), strict=True)) | {s: float(v) for s, v in ball.model.values.items()}
        return float(form.hamiltonian.xreplace(at))

    slopes = np.array([(energy(x + h * e) - energy(x - h * e)) / (2 * h) for e in np.eye(6)])
    expected = np.concatenate([np.cross(gamma, w), np.cross(M, w)])
    assert (values_of(form, ball, x) @ slopes).tolist() == pytest.approx(expected.tolist(), abs=1e-8)
    found = form.jacobiator("M1", "M2", "M3").xreplace(
        dict(zip(form.variables, map(float, x), strict=True)) | {s: float(v) for s, v in ball.model.values.items()}
    )
    J = values_of(form, ball, x)
    by_differences = 0.0
    for i, j, k in ((3, 4, 5), (4, 5, 3), (5, 3, 4)):
        slope = np.array(
            [(values_of(form, ball, x + h * e) - values_of(form, ball, x - h * e))[i, j] / (2 * h) for e in np.eye(6)]
        )
        by_differences += float(slope @ J[:, k])
    assert float(found) == pytest.approx(by_differences, abs=1e-7)
    assert abs(by_differences) > 1e-2


@pytest.mark.exhaustive
def test_chaplygins_ball_is_hamiltonian_in_a_new_time() -> None:
    """Borisov's and Mamaev's bracket: {M1, M2} = -M3 + D (gamma.w) gamma3, over f = (1 - D gamma.(I + D)^-1 gamma)^(-1/2)."""
    ball = catalogue.chaplygin_ball()
    h = ball.reduced_by_group().hamiltonize()
    assert h.verdict is Verdict.PROVEN
    assert h.finding.check() is Verdict.PROVEN
    gamma, w = admissible(None, np.random.default_rng(7))
    D, J, M = 1.0, np.diag(I) + 1.0, BODIES["chaplygin_ball"].momentum(gamma, w)
    x = np.concatenate([gamma, M])
    assert values_of(h.form, ball, x)[3, 4] == pytest.approx(-M[2] + D * (gamma @ w) * gamma[2], abs=1e-10)
    assert h(names(gamma, w)) / h(names(np.array([0, 0, 1.0]), w)) == pytest.approx(
        np.sqrt((1 - D / J[2]) / (1 - D * gamma @ (gamma / J))), rel=1e-10
    )

    def factor(y: np.ndarray) -> float:
        return 1 / h(names(y[:3], w))

    assert jacobiator(h.form, ball, x, factor) < 1e-6
    assert jacobiator(h.form, ball, x) > 1e-2


@pytest.mark.parametrize("name", ["veselova", "suslov", "chaplygin_sleigh"])
def test_other_multipliers(name: str) -> None:
    assert getattr(catalogue, name)().reduced_by_group().hamiltonize().verdict is Verdict.PROVEN


@pytest.mark.exhaustive
def test_integrals_in_momenta_and_directions() -> None:
    ball = catalogue.chaplygin_ball().reduced_by_group()
    laws = ball.conserved()
    assert [str(law).split(" is")[0] for law in laws] == [
        "(M1*w1 + M2*w2 + M3*w3)/2",
        "M1*gamma1 + M2*gamma2 + M3*gamma3",
        "M1^2 + M2^2 + M3^2",
    ]
    run = ball.simulate(names(np.array([0.6, 0.0, 0.8]), np.array([0.3, 2.0, 0.4])), until=5)
    assert all(float(abs(law.along(run) - law.along(run)[0]).max()) < 1e-12 for law in laws)
    body = catalogue.veselova().reduced_by_group().conserved()
    assert "(M1*gamma1 + M2*gamma2 + M3*gamma3)^2" in str(body[1])


def test_the_measure_below_is_the_one_above() -> None:
    ball = catalogue.chaplygin_ball()
    reduced = ball.reduced_by_group()
    mu, above = reduced.invariant_measure(), ball.invariant_measure()
    gamma = np.array([0.36, 0.48, 0.8])
    q = dict(zip(("q0", "q1", "q2", "q3"), map(float, rotation(gamma, 0.4)), strict=True))
    assert mu(names(gamma, np.zeros(3))) == pytest.approx(above(q), rel=1e-10)
    run = reduced.simulate(names(gamma, np.array([0.3, 2.0, 0.4])), until=1)
    assert mu.check(run).verdict is Verdict.PROVEN
    assert catalogue.suslov().reduced_by_group().invariant_measure().verdict is Verdict.REFUTED


def random_body(seed: int) -> tuple[System, int]:
    """A turning body with two masses on it: inertia that depends on these, constraints in the body, and gravity or none."""
    rng = np.random.default_rng(seed)
    a, b, c, d = (round(float(v), 2) for v in rng.uniform(0.2, 1, 4))
    gravity = f" - {a}*(x*R31 + y*R32 + {b}*R33)" if seed % 2 else ""
    lagrangian = f"(w1^2 + 2*w2^2 + (3 + x^2)*w3^2)/2 + (x'^2 + 2*y'^2)/2 + {c}*w1*x' + {d}*x*w2*y' - cos(y)" + gravity
    constraint = {"x": f"x' = {b}*w3 + {c}*y*w1"} if seed % 3 else {"w": f"w3 = {a}*w1 + {d}*y'"}
    system = System(
        name=f"body {seed}", group="SO3", coordinates=["x", "y"], lagrangian=lagrangian, constraints=constraint
    )
    return system, 1 if seed % 2 else 3


@pytest.mark.parametrize("seed", range(4))
def test_random_bodies(seed: int) -> None:
    """The rates of speeds and invariants are those of the full system, by another principle, at any attitude."""
    system, dimension = random_body(seed)
    reduced, rng = system.reduced_by_group(), np.random.default_rng(seed)
    assert len(reduced.symmetries) == dimension
    assert set(reduced.invariants) == ({"x", "y"} if dimension == 3 else {"x", "y", "gamma1", "gamma2", "gamma3"})
    gamma = rng.normal(size=3)
    q = rotation(gamma / np.linalg.norm(gamma), float(rng.uniform(-2, 2)))
    state = dict(zip(("q0", "q1", "q2", "q3"), map(float, q), strict=True)) | {"x": 0.3, "y": -0.7}
    state |= {"w1": 0.4, "w2": -1.1, "y'": 0.8} | ({"w3": 0.6} if seed % 3 else {"x'": 0.5})
    expected = system.derive("gauss").accelerations(state)
    found = reduced.equations.accelerations(reduced.below(state))
    assert found
    assert all(expected[key] == pytest.approx(value, abs=1e-10) for key, value in found.items())


def test_bodies_with_names_of_ones_own() -> None:
    reduced = catalogue.veselova().reduced_by_group(names=["a", "b", "c"])
    assert list(reduced.invariants) == ["a", "b", "c"]
    assert "a' = b*w3 - c*w2" in str(reduced)


@pytest.mark.exhaustive
def test_refusals(tmp_path: Path) -> None:
    ball = catalogue.chaplygin_ball()
    lopsided = System(name="lopsided", coordinates=["x"], lagrangian="x'^2/2 - x^3", constraints=[])
    with blames(NotSupportedError):
        lopsided.reduced_by_group()
    with blames(UnknownNameError, "by", "reduced_by_group"):
        ball.reduced(by="group")
    for given, culprits in (
        (["a", "b"], (3, 2)), (["a", "b", "m"], ("m",)), (["a", "b", "b"], ("b",)), ("abc", ("abc",)), (["a", "b", "1c"], ("1c",)),
    ):  # fmt: skip
        with blames(Error, *culprits):
            ball.reduced_by_group(names=given)
    with blames(NotSupportedError, "reduced_by_group"):
        catalogue.veselova().reduced()
    reduced = catalogue.suslov().reduced_by_group()
    run = reduced.simulate({"w1": 1, "w2": 0.5}, until=1)
    with blames(UnknownNameError, "w1"):
        reduced.reconstruct(run, {"w1": 1})
    with blames(Error):
        reduced.reconstruct(3)
    with blames(FileError):
        reduced.base.save(tmp_path / "base.toml")
    body = catalogue.veselova().reduced_by_group()
    moved = body.simulate(names(np.array([0, 0, 1.0]), np.array([1.0, 0.5, 0])), until=0.5)
    with blames(StateError):
        body.reconstruct(moved, {"q0": 0.0, "q1": 1.0, "q2": 0.0, "q3": 0.0})


def test_the_command_line() -> None:
    shown = CliRunner().invoke(app, ["reduce", "veselova"])
    assert shown.exit_code == 0
    assert "M' = M × w + lambda1*gamma" in shown.output
    other = CliRunner().invoke(app, ["reduce", "chaplygin-sleigh", "--group"])
    assert other.exit_code == 0
    assert "M1' = a*m*omega^2" in other.output


def test_a_function_with_a_pole_is_no_polynomial_of_invariants() -> None:
    """It is infinite at a point where it is compared; that ended in an `OverflowError`."""
    system = System(
        coordinates=["x", "y", "z"],
        lagrangian="(x'^2 + y'^2 + z'^2)/2",
        constraints=["z' = x'/(3*x) + 2*if(x > 0, x^2, 0)*y'"],
    )
    with blames(NotSupportedError):
        system.reduced_by_group(time_limit=30)
