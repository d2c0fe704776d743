"""Invariant measures against the literature, against flows, and on systems built to have one."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
import sympy as sp

from anholonomy import System, Verdict, catalogue
from anholonomy.algebra.zero_test import is_zero
from anholonomy.errors import ArgumentError, NotSupportedError, StateError, UnknownNameError
from anholonomy.language import parse_expression, to_text
from tests.wording import blames, pinned

KEPT = ["free_particle", "knife_edge", "rolling_disk", "snakeboard", "leaning_disc", "carriage", "heisenberg"]
LOST = ["chaplygin_sleigh", "roller_racer", "suslov", "rattleback"]


@pytest.mark.parametrize("name", KEPT)
def test_kept(name: str) -> None:
    system = getattr(catalogue, name)()
    mu = system.invariant_measure()
    assert mu.verdict is Verdict.PROVEN
    assert mu.finding.check() is Verdict.PROVEN


@pytest.mark.exhaustive_for("roller_racer")
@pytest.mark.parametrize("name", LOST)
def test_lost(name: str) -> None:
    """A bracket contradicts every density of the configuration, and the contradiction can be gone through again."""
    mu = getattr(catalogue, name)().invariant_measure()
    assert mu.verdict is Verdict.REFUTED
    assert mu.finding.check() is Verdict.REFUTED
    assert mu.density is None
    free = "nor any that is smooth and positive near rest" in mu.theorem
    assert free == (name != "rattleback")  # gravity acts on that one


def divergence(system: System, mu: Any, rng: random.Random) -> float:
    """The divergence of (N q', N u') at a random state of a system on a chart, by central differences of its equations."""
    motion = mu.known_divergence.motion
    names, speeds = [q.name for q in system.coordinates], [u.name for u in motion.speeds]
    x = np.array([rng.uniform(0.3, 0.9) for _ in (*names, *speeds)])
    equations = system.derive("hamel")
    assert [u.name for u in equations.speeds] == speeds
    function = equations.function()
    N = sp.lambdify([sp.Symbol(n) for n in names], _plain(mu, system))

    def field(y: np.ndarray) -> np.ndarray:
        return N(*y[: len(names)]) * np.asarray(function(0.0, y))

    step = 1e-5
    return float(sum((field(x + e) - field(x - e))[k] / (2 * step) for k, e in enumerate(step * np.eye(len(x)))))


def _plain(mu: Any, system: System) -> sp.Expr:
    values = {sp.Symbol(k): v for k, v in system.parameters.items() if v is not None}
    names = {s.name: sp.Symbol(s.name) for s in mu.density.free_symbols}
    return sp.sympify(to_text(mu.density).replace("^", "**"), locals=names).subs(values)


@pytest.mark.parametrize("name", ["free_particle", "snakeboard"])
def test_the_density_is_divergence_free_by_differences(name: str) -> None:
    system = getattr(catalogue, name)()
    mu = system.invariant_measure()
    assert abs(divergence(system, mu, random.Random(1))) < 1e-8


def test_chaplygins_ball() -> None:
    r"""Chaplygin 1903: $\sqrt{1 - D\,\gamma\cdot(I + D)^{-1}\gamma}$ of $dw\,d\gamma$, up to a constant."""
    system = catalogue.chaplygin_ball()
    mu = system.invariant_measure()
    rng, ratios = np.random.default_rng(0), []
    I, D = np.array([0.3, 0.5, 0.6]), 1.0
    for _ in range(4):
        q = rng.normal(size=4)
        q /= np.linalg.norm(q)
        gamma = np.array(
            [2 * (q[1] * q[3] - q[0] * q[2]), 2 * (q[2] * q[3] + q[0] * q[1]), 1 - 2 * (q[1] ** 2 + q[2] ** 2)]
        )
        expected = np.sqrt(1 - D * gamma @ (gamma / (I + D)))
        ratios.append(mu({f"q{k}": float(v) for k, v in enumerate(q)}) / expected)
    np.testing.assert_allclose(ratios, ratios[0], rtol=1e-13)
    assert "R31" in str(mu)
    start = {"q0": 0.8, "q1": 0.0, "q2": 0.6, "q3": 0.0, "x": 0.0, "y": 0.0, "w1": 0.3, "w2": 2.0, "w3": 0.4}
    assert mu.check(system.simulate(start, until=2.0))


def test_veselova() -> None:
    r"""Veselov and Veselova: $\sqrt{\gamma\cdot I^{-1}\gamma}$ of $dw\,d\gamma$ on $w\cdot\gamma = 0$, which is $dw_1\,dw_3/|\gamma_2|$."""
    mu = catalogue.veselova().invariant_measure()
    ratios = []
    for q in ((0.8, 0.1, 0.2), (0.3, 0.5, -0.4), (-0.1, 0.6, 0.3)):
        full = np.array([np.sqrt(1 - np.dot(q, q)), *q])
        q0, q1, q2, q3 = full
        gamma = np.array([2 * (q1 * q3 - q0 * q2), 2 * (q2 * q3 + q0 * q1), 1 - 2 * (q1**2 + q2**2)])
        expected = np.sqrt(gamma @ (gamma / np.array([1.0, 2.0, 2.5]))) / gamma[1]
        ratios.append(mu({f"q{k}": float(v) for k, v in enumerate(full)}) / expected)
    np.testing.assert_allclose(ratios, ratios[0], rtol=1e-12)


def test_suslov_has_a_measure_exactly_when_its_axis_is_principal() -> None:
    """Kozlov 1988; the condition on the moments is found."""
    free = dict.fromkeys(("I11", "I22", "I33", "I12", "I13", "I23"))
    mu = catalogue.suslov(**free).invariant_measure()
    assert mu.verdict is Verdict.REFUTED
    assert "it holds only where" in str(mu)
    principal = catalogue.suslov(I13=0.0, I23=0.0).invariant_measure()
    assert principal.verdict is Verdict.PROVEN
    for I13, I23 in ((0.1, 0.0), (0.0, 0.1)):
        assert catalogue.suslov(I13=I13, I23=I23).invariant_measure().verdict is Verdict.REFUTED


def test_the_sleigh_and_its_condition() -> None:
    mu = catalogue.chaplygin_sleigh(m=None, I=None, a=None).invariant_measure()
    assert "it holds only where" in str(mu)
    assert "a = 0" in str(mu)
    assert catalogue.chaplygin_sleigh(a=0.0).invariant_measure().verdict is Verdict.PROVEN


@pytest.mark.parametrize(
    ("group", "constraint", "kept"),
    [("SE2", "v2 = 0", True), ("SE2", "w = v1", False), ("Heisenberg", "w3 = 0", True), ("SO3", "w1 + w2 = 0", False)],
)
def test_euler_poincare_suslov_systems(group: str, constraint: str, kept: bool) -> None:
    r"""Jovanović's criterion written out: $\theta_b = -c_{ba}{}^a + \operatorname{tr}_D P\,\mathrm{ad}_b$ vanishes on D, on unimodular algebras that
    are their own brackets, or extends to a character of the algebra."""
    from anholonomy.geometry.groups import as_group

    g = as_group(group)
    weights = [1.0, 2.0, 3.5]
    system = System(
        name="eps", group=group, lagrangian="+".join(f"{m}*{w.name}^2/2" for m, w in zip(weights, g.speeds, strict=True)),
        constraints=[constraint],
    )  # fmt: skip
    mu = system.invariant_measure()
    c = np.array([[[float(e) for e in row] for row in plane] for plane in g.frame.structure_abd])
    row = np.array([float(e) for e in system.model.matrix_na[0]])
    G = np.diag(weights)
    D = np.linalg.svd(row[None, :])[2][1:]
    P = D.T @ np.linalg.solve(D @ G @ D.T, D @ G)  # the projector onto D
    theta = [float(np.trace(P @ np.einsum("a,abd->db", X, c)) - np.einsum("a,abb", X, c)) for X in D]
    # θ must vanish on brackets: extend by least squares to a covector that kills [g, g], and see whether it fits on D.
    killed = np.array([c[a, b] for a in range(3) for b in range(a)])
    extended = np.vstack([D, killed])
    right = np.array([*theta, *np.zeros(len(killed))])
    solution, *_ = np.linalg.lstsq(extended, right, rcond=None)
    fits = bool(np.abs(extended @ solution - right).max() < 1e-12)
    assert fits == kept
    assert (mu.verdict is Verdict.PROVEN) == kept


def test_a_group_that_is_not_unimodular() -> None:
    r"""The line's affine group, $\dot a = a\,w_1$, $\dot b = a\,w_2$: without constraints Liouville's measure is $da\,db\,d\pi$, not $dg\,d\pi$.

    With the left-invariant volume $dg = da\,db/a^2$ and $\pi_a = p_ia^{\phantom a i}$, $dp_a\,dp_b = d\pi_1d\pi_2/a^2$: the density of $dg\,d\pi$ is 1.
    """
    from anholonomy.geometry.frame import Frame

    frame = Frame(["a", "b"], [["a", "0"], ["0", "a"]])
    assert [float(e) for e in frame.structure_abd[0][1]] == [0.0, 1.0]
    free = System(name="affine", coordinates=["a", "b"], lagrangian="(a'^2 + b'^2)/(2*a^2)")
    moved = free.model.replaced(
        frame=Frame.with_structure(
            free.coordinates,
            frame.anchor_ai,
            frame.structure_abd,
            ("1", "2"),
            (1 + 0 * free.coordinates[0], 0 * free.coordinates[0]),
        ),
        lagrangian=sum(w**2 for w in free.velocities) / 2,
        group="",
    )
    mu = System._of(moved).invariant_measure()
    assert mu.verdict is Verdict.PROVEN
    assert mu.logarithm == 0


def test_of_a_chaplygin_system_it_is_the_power_of_the_multiplier() -> None:
    r"""$N = f^{n-1}$ with respect to $dq\,d\pi$ in the speeds of the base, over two and three dimensions."""
    for count in (1, 2):
        ys, zs = [f"y{k}" for k in range(count)], [f"z{k}" for k in range(count)]
        system = System(
            name="chaplygin", coordinates=["x", *ys, *zs],
            lagrangian="(x'^2 + " + " + ".join(f"{s}'^2" for s in (*ys, *zs)) + ")/2",
            constraints=[f"{z}' = sin(x)*{y}'" for y, z in zip(ys, zs, strict=True)],
            speeds=["x'", *(f"{y}'" for y in ys)],
        )  # fmt: skip
        mu, h = system.invariant_measure(), system.hamiltonize(fibre=zs)
        ratio = [mu({"x": at}) / ((1 + np.sin(at) ** 2) ** count * h({"x": at}) ** count) for at in (0.1, 0.7, 1.3)]
        np.testing.assert_allclose(ratio, ratio[0], rtol=1e-13)


def test_drag_and_time() -> None:
    drag = System(name="drag", coordinates=["x"], lagrangian="x'^2/2", forces={"x": "-k*x'"}, parameters={"k": 0.3})
    mu = drag.invariant_measure()
    assert mu.verdict is Verdict.REFUTED
    pinned(mu.theorem)
    spring = System(
        name="spring", coordinates=["x"], lagrangian="x'^2/2 - x^2/2", forces={"x": "-k*x'"}, parameters={"k": 0.3}
    )
    pinned(spring.invariant_measure().theorem)
    driven = System(name="driven", coordinates=["x"], lagrangian="x'^2/2 + x*cos(t)", forces={"x": "-sin(t)*x'"})
    mu = driven.invariant_measure()
    assert mu.verdict is Verdict.PROVEN
    assert mu.check(driven.simulate({"x": 0.2, "x'": 0.4}, until=3.0))


def test_affine_constraints() -> None:
    system = catalogue.ball_on_turntable()
    assert system.invariant_measure().verdict is Verdict.PROVEN
    blown = System(name="blown", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2", constraints=["y' = x*x' + y"])
    # By hand: X = d/dx + x d/dy, the drift y d/dy spreads by 1/(1 + x^2), and X(ln N) = 0 makes the drift of ln N 2 y/(1 + x^2)^2.
    assert blown.invariant_measure().verdict is Verdict.REFUTED


def disguised(rng: random.Random, kept: bool) -> System:
    r"""$\dot z = g(x)\,\dot y$ with a mass, which is constant, so that $\theta$ is closed, or depends on y."""
    u, v = sp.symbols("u v")
    a, b = sp.Rational(rng.randint(1, 5), 4), sp.Rational(rng.randint(1, 4), 5)
    x, y = u + a * v**2 / 5, v + b * sp.sin(u)
    g = rng.choice([lambda s: s, sp.sin, lambda s: 1 + s**2])(x)
    mass = rng.randint(1, 4) + (0 if kept else y * (1 + x))
    rates = {u: sp.Symbol("u'"), v: sp.Symbol("v'")}

    def dot(f: sp.Expr) -> sp.Expr:
        return sp.Add(*(f.diff(s) * rate for s, rate in rates.items()))

    L = (dot(x) ** 2 + dot(y) ** 2 + mass * sp.Symbol("z'") ** 2) / 2
    row = str(sp.Symbol("z'") - g * dot(y)).replace("**", "^")
    return System(name="disguised", coordinates=["u", "v", "z"], lagrangian=L, constraints=[f"{row} = 0"])


@pytest.mark.parametrize("seed", range(3))
def test_a_disguised_system_is_recognised_and_another_refuted(seed: int) -> None:
    system = disguised(random.Random(seed), kept=True)
    mu = system.invariant_measure()
    assert mu.verdict is Verdict.PROVEN, str(mu)
    assert mu.density is not None
    assert disguised(random.Random(seed), kept=False).invariant_measure().verdict is Verdict.REFUTED


def test_brackets_as_functions_fit_exactly_where_a_density_exists() -> None:
    """In oblique coordinates, where every field has a value: by the zero test, and not by a point alone."""
    from anholonomy.algebra.zero_test import zero_test
    from anholonomy.laws.divergence import Divergence
    from anholonomy.laws.prolongation.bracket_closure import BracketClosure
    from anholonomy.laws.reduced_motion import reduced_motion

    for mass, kept in (("2", True), ("(1 + y^2)", False)):
        system = System(
            name="oblique", coordinates=["x", "y", "z"], constraints=["z' = sin(x + y)*(y' - x')"],
            lagrangian=f"((x' + y')^2 + (y' - x')^2 + {mass}*z'^2)/2",
        )  # fmt: skip
        motion = reduced_motion(system.model)
        closure = BracketClosure(system.geometry.frame, Divergence(motion).fields, motion.on)
        assert len(closure.basis) == 3
        misfits = [zero_test(each.value) for each in closure.mismatches()]
        assert misfits
        assert all(verdict.is_proven for verdict in misfits) == kept
        assert (system.invariant_measure().verdict is Verdict.PROVEN) == kept


def test_a_density_may_exist_without_a_closed_form() -> None:
    r"""$\theta_x = -Mx/(1 + Mx^2)$ with $M = \cosh x$: closed, since it depends on x alone, and no elementary function's slope."""
    system = System(
        name="uneven",
        coordinates=["x", "y", "z"],
        lagrangian="(x'^2 + y'^2 + cosh(x)*z'^2)/2",
        constraints=["z' = x*y'"],
    )
    mu = system.invariant_measure()
    assert mu.verdict is Verdict.PROVEN
    assert mu.density is None
    assert "(ln N) =" in str(mu)


def test_impatience_and_bad_questions() -> None:
    assert catalogue.rubber_ball().invariant_measure(time_limit=1e-6).verdict is Verdict.UNKNOWN
    mu = catalogue.free_particle().invariant_measure()
    with blames(UnknownNameError):
        mu({"xx": 1.0})
    with blames(StateError):
        mu({"y": 1.0})
    with blames(ArgumentError):
        mu(3)
    with blames(ArgumentError):
        catalogue.free_particle().invariant_measure(time_limit=0)
    with blames(NotSupportedError):
        catalogue.suslov().invariant_measure()({"q0": 1})
    with blames(NotSupportedError):
        catalogue.appell_hamel().invariant_measure()
    with blames(StateError):
        catalogue.veselova().invariant_measure()({"q0": 1, "q1": 0, "q2": 0, "q3": 0})


def test_brackets_whose_terms_cancel_contradict_too() -> None:
    """Definitions that several entries share must be known although their sum does not mention them."""
    system = System(
        name="n",
        coordinates=["a", "b", "c", "s"],
        lagrangian="(a'^2 + b'^2 + c'^2 + s'^2)/2",
        constraints=["s' = a*b' + b*c'"],
    )
    mu = system.invariant_measure()
    assert mu.verdict is Verdict.REFUTED
    assert mu.finding.check() is Verdict.REFUTED


def test_a_density_for_the_declared_values_and_none_in_closed_form() -> None:
    sleigh = catalogue.chaplygin_sleigh(m=2.0, I=3.0, a=0.0)
    assert sleigh.invariant_measure()({"theta": 1.0}) == pytest.approx(6.0)
    system = System(
        name="chap",
        coordinates=["a", "b", "s"],
        lagrangian="(a'^2 + (2 + cos(a))*b'^2 + s'^2)/2",
        constraints=["s' = sin(a)*b'"],
    )
    mu = system.invariant_measure()
    assert mu({"a": 0.0, "b": 2.0, "s": 1.0}) == pytest.approx(3.0, rel=1e-13)
    assert mu({"a": 0.0}) == pytest.approx(3.0, rel=1e-13)
    with blames(StateError):
        mu({"b": 0.0})


@pytest.mark.parametrize(
    ("forces", "density"),
    [
        ({"x": "-k*x'^2"}, "exp(2*k*x)"),
        ({"x": "-k*x'*y'", "y": "x*x'*y'"}, "exp(k*y - x^2/2)"),
        ({"x": "-k*y'^3", "y": "x'^2"}, "1"),
        ({"x": "-k*y*x'^2"}, None),
        ({"x": "-k*x'^3"}, None),
        ({"x": "-k*x'*abs(x')"}, None),
        ({"x": "-k*x'*sqrt(x'^2)"}, None),
        ({"x": "-k*x'*sqrt(x'^2 + y'^2)", "y": "-k*y'*sqrt(x'^2 + y'^2)"}, None),
    ],
)
def test_forces_of_any_degree_in_the_velocities(forces: dict[str, str], density: str | None) -> None:
    """The divergence is that of the forces, and a function of the configuration changes at a rate that is linear in the velocities."""
    plane = System(
        name="plane", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2", forces=forces, parameters={"k": 0.3}
    )
    mu = plane.invariant_measure()
    if density is None:
        assert mu.verdict is Verdict.REFUTED
        return
    assert mu
    assert is_zero(mu.density - parse_expression(density))
    assert mu.check(plane.simulate({"x": 0.2, "y": 0.1, "x'": 0.5, "y'": -0.4}, until=2))


def test_no_theorem_about_rest_where_forces_are_cubic() -> None:
    cubic = System(name="cubic", coordinates=["x"], lagrangian="x'^2/2", forces={"x": "-x'^3"})
    pinned(cubic.invariant_measure().theorem)


def test_a_density_of_time_and_place_in_closed_form() -> None:
    driven = System(name="driven", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2", forces={"x": "-x'^2 - t*x'"})
    assert is_zero(driven.invariant_measure().density - parse_expression("exp(2*x + t^2/2)"))
