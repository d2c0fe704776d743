r"""J2: the first variation of the action for three kinds of variations, section 2 of Jóźwikowski & Respondek.

.. math::
   \langle dS_L(\gamma), \delta_\xi\gamma\rangle = \int\langle\delta L, \xi\rangle\,dt + \langle\lambda_L, \xi\rangle\Big|_{t_0}^{t_1},
   \qquad \delta L_j = \frac{\partial L}{\partial x^j} - \frac{d}{dt}\frac{\partial L}{\partial\dot x^j}

Free variations are $\kappa(\dot\xi)$ for any $\xi$; vakonomic ones are tangent to the constraints, $\delta_\xi\gamma \in T\mathcal C$; nonholonomic ones have a
vertical lift that is, $V_\gamma\xi \in T\mathcal C$.
"""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
import sympy as sp

import anholonomy as ah
from anholonomy.catalogue import ball_on_turntable, heisenberg, skate
from anholonomy.vakonomic.variational_problem import BreakingVariation

t, s = sp.symbols("t s")
x, y, z = q = sp.symbols("x y z")
dx, dy, dz = v = sp.symbols("x' y' z'")
CURVED = (1 + y**2) * dx**2 / 2 + dx * dy / 3 + dy**2 / 2 + (2 + x) * dz**2 / 2 + x * dz * t - x * y * z
PATH = {x: t**2, y: 1 - t / 2, z: t**3 / 3 + t}
XI = {x: t * (1 + t), y: 2 - t**2, z: sp.Rational(1, 3) + t}
CONTACT = [sp.Eq(dz, y * dx)]

pytestmark = pytest.mark.filterwarnings("ignore::anholonomy.errors.SubstitutedConstraintWarning")


def system(L: sp.Expr = CURVED, constraints: list[sp.Eq] = CONTACT) -> ah.System:
    return ah.System(name="particle", coordinates=list(q), lagrangian=L, constraints=constraints)


def text(curve: dict[sp.Symbol, sp.Expr]) -> dict[str, sp.Expr]:
    return {name.name: value for name, value in curve.items()}


def along(f: sp.Expr, curve: dict[sp.Symbol, sp.Expr]) -> sp.Expr:
    """A function of places and velocities on a curve."""
    return f.subs({w: curve[c].diff(t) for c, w in zip(q, v, strict=True)}).subs(curve)


def action(L: sp.Expr, curve: dict[sp.Symbol, sp.Expr], ends: tuple[int, int]) -> sp.Expr:
    return sp.integrate(sp.expand(along(L, curve)), (t, *ends))


def test_J2_the_first_variation_is_the_derivative_along_a_homotopy() -> None:
    moved = {c: PATH[c] + s * XI[c] for c in q}
    expected = action(CURVED, moved, (0, 2)).diff(s).subs(s, 0)
    found = system().paths.variational("free").first_variation(text(PATH), text(XI), interval=(0, 2))
    assert sp.simplify(found - expected) == 0
    assert expected != 0


def test_J2_it_is_the_pairing_with_the_variational_derivative_and_a_term_at_the_ends() -> None:
    """(2.1) with its boundary term; alone where the variation vanishes at the ends."""

    def paired(xi: dict[sp.Symbol, sp.Expr]) -> tuple[sp.Expr, sp.Expr]:
        p = {c: along(CURVED.diff(w), PATH) for c, w in zip(q, v, strict=True)}
        delta = {c: along(CURVED.diff(c), PATH) - p[c].diff(t) for c in q}
        inside = sp.integrate(sp.expand(sum(delta[c] * xi[c] for c in q)), (t, 0, 2))
        edge = sum(p[c] * xi[c] for c in q)
        return inside, edge.subs(t, 2) - edge.subs(t, 0)

    problem = system().paths.variational("free")
    inside, edge = paired(XI)
    assert sp.simplify(problem.first_variation(text(PATH), text(XI), interval=(0, 2)) - inside - edge) == 0
    fixed = {c: t * (2 - t) * XI[c] for c in q}
    inside, edge = paired(fixed)
    assert edge == 0
    assert sp.simplify(problem.first_variation(text(PATH), text(fixed), interval=(0, 2)) - inside) == 0


def test_J2_the_flip_in_a_frame_that_turns() -> None:
    """On SE(2) by body velocities, against the same homotopy in coordinates: the structure term has its sign."""
    body = ah.System(name="body", group="SE2", lagrangian="2*v1^2/2 + 3*v2^2/2 + w^2/2 + v1*w/5 - x*v2")
    X, Y, angle = t**2, t / 2, t
    place = {"x": X, "y": Y, "theta": angle}
    xi = (t, 1 - t, t**2)  # along the body's axes

    def lagrangian(X: sp.Expr, Y: sp.Expr, angle: sp.Expr) -> sp.Expr:
        c, sn = sp.cos(angle), sp.sin(angle)
        v1, v2, w = c * X.diff(t) + sn * Y.diff(t), -sn * X.diff(t) + c * Y.diff(t), angle.diff(t)
        return v1**2 + 3 * v2**2 / 2 + w**2 / 2 + v1 * w / 5 - X * v2

    moved = (
        X + s * (sp.cos(angle) * xi[0] - sp.sin(angle) * xi[1]),
        Y + s * (sp.sin(angle) * xi[0] + sp.cos(angle) * xi[1]),
        angle + s * xi[2],
    )
    rate = lagrangian(*moved).diff(s).subs(s, 0)
    expected = mpmath.quad(sp.lambdify(t, rate, "mpmath"), [0, 1])
    problem = body.paths.variational("free")
    found = problem.first_variation(place, dict(zip(("v1", "v2", "w"), xi, strict=True)), interval=(0, 1))
    assert abs(float(found) - expected) < 1e-13


HOMOTOPY = {x: t + s * t**2, y: t**2 - s * t, z: None}
"""Of admissible curves: z follows from z' = y x'."""


def test_J2_a_homotopy_of_admissible_paths_is_a_vakonomic_variation_and_no_nonholonomic_one() -> None:
    X, Y = HOMOTOPY[x], HOMOTOPY[y]
    Z = sp.integrate(sp.expand(Y * X.diff(t)), t)
    path = {"x": X.subs(s, 0), "y": Y.subs(s, 0), "z": Z.subs(s, 0)}
    xi = {name: value.diff(s).subs(s, 0) for name, value in (("x", X), ("y", Y), ("z", Z))}
    ask = {
        kind: system().paths.variational(kind).is_admissible(path, xi) for kind in ("free", "nonholonomic", "vakonomic")
    }
    assert ask["free"].is_proven
    assert ask["vakonomic"].is_proven
    assert ask["nonholonomic"].is_refuted
    along_d = {"x": t, "y": t**3, "z": path["y"] * t}  # in D, and its flip is not tangent to D
    assert system().paths.variational("nonholonomic").is_admissible(path, along_d).is_proven
    assert system().paths.variational("vakonomic").is_admissible(path, along_d).is_refuted


def test_J2_for_an_integrable_constraint_the_two_kinds_are_one() -> None:
    leaf = system(constraints=[sp.Eq(dz, y * dx + x * dy)])
    path = {"x": t, "y": t**2 + 1, "z": t**3 + t}
    xi = {"x": sp.sin(t), "y": t**2, "z": path["y"] * sp.sin(t) + path["x"] * t**2}
    for kind in ("nonholonomic", "vakonomic"):
        assert leaf.paths.variational(kind).is_admissible(path, xi).is_proven
        assert leaf.paths.variational(kind).is_admissible(path, {**xi, "z": t}).is_refuted


def test_J2_nonlinear_constraints_have_chetaevs_variations() -> None:
    steady = system(constraints=[sp.Eq(dx**2 + dy**2 + dz**2, 2)])
    path = {"x": sp.cos(t), "y": sp.sin(t), "z": t}
    across = {"x": sp.cos(t), "y": sp.sin(t)}  # orthogonal to the velocity (-sin, cos, 1)
    assert steady.paths.variational("nonholonomic").is_admissible(path, across).is_proven
    assert steady.paths.variational("vakonomic").is_admissible(path, across).is_refuted
    turned = {"x": -sp.sin(t), "y": sp.cos(t), "z": 1}  # a shift of time keeps the speed
    assert steady.paths.variational("vakonomic").is_admissible(path, turned).is_proven
    assert steady.paths.variational("nonholonomic").is_admissible(path, turned).is_refuted


def test_J2_what_vanishes_on_the_constraints_may_be_added_for_vakonomic_variations_only() -> None:
    """The step to (2.3)."""
    more = system(CURVED + (1 + t) * x * (dz - y * dx))
    X, Y = HOMOTOPY[x], HOMOTOPY[y]
    Z = sp.integrate(sp.expand(Y * X.diff(t)), t)
    path = {"x": X.subs(s, 0), "y": Y.subs(s, 0), "z": Z.subs(s, 0)}
    kept = {name: value.diff(s).subs(s, 0) for name, value in (("x", X), ("y", Y), ("z", Z))}
    crossing = {"x": t, "y": t**3, "z": path["y"] * t}
    one, other = system().paths.variational("vakonomic"), more.paths.variational("vakonomic")
    assert sp.simplify(one.first_variation(path, kept) - other.first_variation(path, kept)) == 0
    assert sp.simplify(one.first_variation(path, crossing) - other.first_variation(path, crossing)) != 0


CIRCLE = {"x": "sin(3*t)/3", "y": "(1 - cos(3*t))/3", "z": "(t - sin(3*t)/3)/6"}
LINE = {"x": "2*t", "y": "1 - t", "z": "-t"}
PARABOLA = {"x": "t", "y": "t^2", "z": "t^3/6"}


@pytest.mark.parametrize(
    ("path", "stationary"),
    [(CIRCLE, {"vakonomic"}), (LINE, {"free", "nonholonomic", "vakonomic"}), (PARABOLA, set())],
    ids=["circle", "line", "parabola"],
)
def test_J2_stationary_paths_are_decided_exactly(path, stationary) -> None:
    """Circles are extremals of the vakonomic problem, lines of all, a parabola of none."""
    plane = system((dx**2 + dy**2) / 2, [sp.Eq(dz, (x * dy - y * dx) / 2)])
    for kind in ("free", "nonholonomic", "vakonomic"):
        finding = plane.paths.variational(kind).is_stationary(path, interval=(0, 1))
        assert finding.is_proven if kind in stationary else finding.is_refuted, (kind, str(finding))


START = {"x": 0.1, "y": -0.3, "theta": 0.4, "x'": 0.9 * np.cos(0.4), "y'": 0.9 * np.sin(0.4), "theta'": 0.7}


@pytest.mark.parametrize("kind", ["free", "nonholonomic", "vakonomic"])
def test_J2_motions_are_stationary_for_their_own_variations_and_a_variation_breaks_the_others(kind: str) -> None:
    runs = {
        "nonholonomic": skate().simulate(START, until=3),
        "vakonomic": skate().simulate({**START, "mu1": 0.8}, until=3, by="vakonomic"),
    }
    problem = skate().paths.variational(kind)
    for name, run in runs.items():
        finding = problem.is_stationary(run)
        if name == kind:
            assert finding.is_proven, str(finding)
            continue
        assert finding.is_refuted, str(finding)
        witness = finding.evidence[-1]
        assert isinstance(witness, BreakingVariation)
        arrays = witness.at(run.time.values)
        assert problem.is_admissible(run, arrays).is_proven
        assert problem.first_variation(run, arrays) == pytest.approx(witness.change, rel=1e-6)
        assert witness.change < -1e-3
        for values in arrays.values():  # it vanishes at the ends
            assert np.abs(values[[0, -1]]).max() <= 1e-4 * np.abs(values).max()
        expected = _homotopy_change(run, arrays)
        assert expected == pytest.approx(witness.change, rel=1e-5)


def _homotopy_change(run, arrays) -> float:
    """The derivative of the action (m v² + I theta'²)/2 along q + s xi, by splines and differences of s."""
    from scipy.interpolate import CubicSpline

    times = run.time.values
    m, inertia = (run.model.parameters[name] for name in ("m", "I"))
    at = np.linspace(times[0], times[-1], 20001)

    def S(size: float) -> float:
        rates = [CubicSpline(times, run[c].values + size * arrays[c])(at, 1) for c in ("x", "y", "theta")]
        L = m * (rates[0] ** 2 + rates[1] ** 2) / 2 + inertia * rates[2] ** 2 / 2
        return float(np.trapezoid(L, at))

    return (S(1e-3) - S(-1e-3)) / 2e-3


@pytest.mark.exhaustive
def test_J2_affine_constraints_on_a_group() -> None:
    """The ball on a turntable: each dynamics is stationary for its own variations, and not for the others."""
    table = ball_on_turntable()
    start = {"q0": 1, "q1": 0, "q2": 0, "q3": 0, "x": 1, "y": 0, "w1": 2, "w2": 1, "w3": 0.5}
    run = table.simulate(start, until=2)
    assert table.paths.variational("nonholonomic").is_stationary(run).is_proven
    assert table.paths.variational("vakonomic").is_stationary(run).is_refuted
    other = table.simulate({**start, "mu1": 0.3, "mu2": -0.2}, until=2, by="vakonomic")
    assert table.paths.variational("vakonomic").is_stationary(other).is_proven
    assert table.paths.variational("nonholonomic").is_stationary(other).is_refuted


def test_J2_a_path_that_leaves_the_constraints_is_not_stationary() -> None:
    free = ah.System(name="skate", coordinates=["x", "y", "theta"], lagrangian="(x'^2 + y'^2 + theta'^2)/2")
    run = free.simulate({"x": 0, "y": 0, "theta": 0, "x'": 1, "y'": 0, "theta'": 1}, until=1)
    finding = skate().paths.variational("nonholonomic").is_stationary(run)
    assert finding.is_refuted
    assert "violates the constraint" in str(finding)


def test_J2_the_heisenberg_system_of_the_paper() -> None:
    """Its nonholonomic motions are straight lines, which are stationary for all variations."""
    run = heisenberg().simulate({"x": 1, "y": -0.5, "z": 0, "x'": 0.4, "y'": 0.7}, until=2)
    assert all(
        heisenberg().paths.variational(kind).is_stationary(run) for kind in ("free", "nonholonomic", "vakonomic")
    )


def test_J2_a_constraint_may_be_multiplied_by_any_function() -> None:
    """The multiplier then has a rate of its own along the path."""
    bent = ah.System(
        name="bent",
        coordinates=["x", "y", "z"],
        lagrangian="(x'^2 + y'^2 + z'^2)/2",
        constraints=["exp(x*z)*(z' - y*x') = 0"],
    )
    run = bent.simulate({"x": 0.1, "y": 0.3, "z": 0.2, "x'": 1, "y'": 0.5, "mu1": 0.8}, until=2, by="vakonomic")
    assert bent.paths.variational("vakonomic").is_stationary(run).is_proven
    assert bent.paths.variational("nonholonomic").is_stationary(run).is_refuted
