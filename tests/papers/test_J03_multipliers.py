r"""J3: Euler–Lagrange (2.2), vakonomic (2.3) and Chetaev's equations (2.4) with multipliers, of Jóźwikowski & Respondek.

.. math::
   \frac{\partial L}{\partial x^j} - \frac{d}{dt}\frac{\partial L}{\partial\dot x^j} = \nu_a\frac{\partial\Phi^a}{\partial\dot x^j},
   \qquad \frac{\partial(L + \mu_a\Phi^a)}{\partial x^j} - \frac{d}{dt}\frac{\partial(L + \mu_a\Phi^a)}{\partial\dot x^j} = 0

Their Chetaev multiplier is the negative of ours, $\nu = -\lambda$; the vakonomic one is ours.
"""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

from anholonomy import System
from anholonomy.errors import SubstitutedConstraintWarning

pytestmark = pytest.mark.filterwarnings(
    "ignore::anholonomy.errors.MissingPrimeWarning"
)  # an affine row with y and cos(x) is meant

x, y, z = q = sp.symbols("x y z")
dx, dy, dz = v = sp.symbols("x' y' z'")

NATURAL = (dx**2 + dy**2 + dz**2) / 2 - z
CURVED = (1 + y**2) * dx**2 / 2 + dx * dy / 3 + dy**2 / 2 + (2 + sp.sin(x)) * dz**2 / 2 + x * dz - x * y * z

CASES = {
    "no constraint": (CURVED, [], {"x'": 0.3, "y'": -0.4, "z'": 0.7}),
    "linear": (CURVED, [dz - y * dx + x * dy], {"x'": 0.3, "y'": -0.4}),
    "affine": (CURVED, [dz - y * dx - sp.cos(x) * y], {"x'": 0.3, "y'": -0.4}),
    "constant speed": (NATURAL, [dx**2 + dy**2 + dz**2 - 2], {"x'": 0.3, "y'": -0.4, "z'": 1.3228756555322953}),
    "Appell and Hamel": (NATURAL, [dz**2 - 2 * (dx**2 + dy**2)], {"x'": 0.3, "y'": -0.4, "z'": 0.5 * 2**0.5}),
    "two, one of them nonlinear": (
        CURVED,
        [dx**2 + dy**2 - x * dz, dy - z * dx],
        {"x'": 0.5, "y'": 0.6, "z'": 1.525},
    ),
}


@pytest.mark.parametrize(("L", "constraints", "speeds"), CASES.values(), ids=CASES.keys())
def test_J3_chetaev_with_multipliers(L, constraints, speeds, variation, d_dt, numbers) -> None:
    rows = [sp.Eq(row, 0) for row in constraints]
    system = System(name="particle", coordinates=list(q), lagrangian=L, constraints=rows)
    state = {"x": 0.4, "y": -0.7, "z": 1.2, **speeds}
    equations = system.derive("lagrange-dalembert")
    values = equations.at(state, digits=30)
    a = {s.name + "''": float(value) for s, value in zip(q, values.accelerations, strict=True)}
    nu = sp.Matrix([-sp.Float(str(value.mid().str(25, radius=False)), 25) for value in values.multipliers])
    state |= {name: float(value) for name, value in _velocities(constraints, state).items()}

    left = -numbers(variation(L, q), state, a)
    gradient = sp.Matrix(constraints).jacobian(v).T if constraints else sp.zeros(3, 0)
    right = numbers(gradient, state) * nu if constraints else sp.zeros(3, 1)
    assert max(abs(entry) for entry in left - right) < 1e-13
    if constraints:
        assert max(abs(entry) for entry in nu) > 1e-2
        consistent = numbers(sp.Matrix([d_dt(row, q) for row in constraints]), state, a)
        assert max(abs(entry) for entry in consistent) < 1e-13


def _velocities(constraints: list[sp.Expr], state: dict[str, float]) -> dict[str, float]:
    """The velocities that a linear constraint determines and that the state leaves out."""
    missing = [w for w in v if w.name not in state]
    if not missing:
        return {}
    given = {sp.Symbol(name): value for name, value in state.items()}
    (solution,) = sp.solve([row.subs(given) for row in constraints], missing, dict=True)
    return {w.name: float(value) for w, value in solution.items()}


def test_J3_for_linear_constraints_chetaevs_variations_lie_in_the_distribution() -> None:
    """The reaction annihilates D, and it does not annihilate anything else."""
    L, (row,), speeds = CASES["linear"]
    system = System(name="particle", coordinates=list(q), lagrangian=L, constraints=[sp.Eq(row, 0)])
    state = {"x": 0.4, "y": -0.7, "z": 1.2, **speeds}
    R = list(system.derive("lagrange-dalembert").reactions(state).values())
    for direction in ((1, 0, -0.7), (0, 1, -0.4)):  # z' = y x' - x y'
        assert abs(sum(force * step for force, step in zip(R, direction, strict=True))) < 1e-14
    assert abs(R[2]) > 1e-2


t = sp.Symbol("t")
VAKONOMIC = {name: case[:2] for name, case in CASES.items() if case[1]} | {
    "moving": (CURVED + t * x * dy - sp.cos(t) * z, [(2 + sp.sin(t * y)) * dz - t * dx * y - sp.exp(-t) * x]),
    "moving, nonlinear": (CURVED, [dx**2 + t * dy**2 - 1 - t * x, dz - t * dx * dy]),
}


@pytest.mark.parametrize(("L", "constraints"), VAKONOMIC.values(), ids=VAKONOMIC.keys())
def test_J3_vakonomic_equations_are_those_of_the_extended_lagrangian(L, constraints, variation, d_dt) -> None:
    """Euler and Lagrange for L + mu*Phi on the space of (q, mu) by SymPy: the same linear functions of the rates."""
    mu = sp.symbols(f"mu1:{len(constraints) + 1}")
    extended = L + sum(m * row for m, row in zip(mu, constraints, strict=True))
    expected = variation(extended, [*q, *mu])
    assert sp.expand(sp.Matrix(expected[3:]) + sp.Matrix(constraints)) == sp.zeros(len(mu), 1)
    rows = sp.Matrix([*expected[:3], *(d_dt(row, q) for row in constraints)])

    system = System(
        name="particle", coordinates=list(q), lagrangian=L, constraints=[sp.Eq(row, 0) for row in constraints]
    )
    K, right, unknowns = system.derive("vakonomic").sympy()
    assert [u.name for u in unknowns] == ["x''", "y''", "z''", *(f"{m.name}'" for m in mu)]
    ours = K * sp.Matrix(unknowns) - right
    rng = np.random.default_rng(1)
    for _ in range(3):
        at = {s: sp.Float(str(rng.uniform(-1, 1)), 30) for s in (ours - rows).free_symbols | {*q, *v, *mu, *unknowns}}
        assert max(abs(entry.subs(at)) for entry in ours - rows) < 1e-25


def run_of(system: System, start: dict[str, float], until: float):
    run = system.simulate(start, until=until, by="vakonomic")
    values = {
        name: run[name].values
        for name in ("x", "y", "z", "x'", "y'", "z'")
        if name[0] in {s.name for s in system.coordinates}
    }
    values |= {f"mu{k + 1}": run["costate"].values[:, k] for k in range(run["costate"].shape[1])}
    return run, values


@pytest.mark.parametrize("name", ["linear", "affine", "constant speed", "two, one of them nonlinear"])
def test_J3_vakonomic_motions_keep_the_constraints_and_the_extended_energy(name: str) -> None:
    """The energy of L + mu*Phi; that of L alone only where the constraints are homogeneous."""
    L, constraints, speeds = CASES[name]
    mu = sp.symbols(f"mu1:{len(constraints) + 1}")
    system = System(
        name="particle", coordinates=list(q), lagrangian=L, constraints=[sp.Eq(row, 0) for row in constraints]
    )
    start = {"x": 0.4, "y": -0.7, "z": 1.2, **speeds} | {m.name: 0.3 - 0.1 * k for k, m in enumerate(mu)}
    run, values = run_of(system, start, 0.8)
    assert float(abs(run["residual"]).max()) < 1e-11
    extended = L + sum(m * row for m, row in zip(mu, constraints, strict=True))
    energy = sum(w * extended.diff(w) for w in v) - extended
    along = sp.lambdify([*q, *v, *mu], energy)(*(values[s.name] for s in (*q, *v, *mu)))
    assert np.abs(along - along[0]).max() < 1e-10
    if name in ("affine", "constant speed"):
        plain = run["energy"].values
        assert np.abs(plain - plain[0]).max() > 1e-3


def test_J3_the_sub_riemannian_heisenberg_geodesics() -> None:
    """Circles: x = sin(ct)/c, y = (1 - cos(ct))/c, z = (t - sin(ct)/c)/(2c), with mu = c constant."""
    c = 1.7
    with pytest.warns(SubstitutedConstraintWarning):
        system = System(
            name="Heisenberg",
            coordinates=["x", "y", "z"],
            lagrangian="(x'^2 + y'^2)/2",
            constraints=["z' = (x*y' - y*x')/2"],
        )
    run, values = run_of(system, {"x": 0, "y": 0, "z": 0, "x'": 1, "y'": 0, "mu1": c}, 5)
    time = run.data["time"].values
    np.testing.assert_allclose(values["x"], np.sin(c * time) / c, atol=1e-12)
    np.testing.assert_allclose(values["y"], (1 - np.cos(c * time)) / c, atol=1e-12)
    np.testing.assert_allclose(values["z"], (time - np.sin(c * time) / c) / (2 * c), atol=1e-12)
    np.testing.assert_allclose(values["mu1"], c, atol=1e-12)


def test_J3_the_skate_as_a_problem_of_optimal_control() -> None:
    """Pontryagin's equations for controls u and w with cost (m u² + I w²)/2, integrated by SciPy.

    H = (px cos + py sin)²/(2m) + p²/(2I), and px = m x' + mu sin, py = m y' - mu cos for Phi = x' sin - y' cos.
    """
    from scipy.integrate import solve_ivp

    m, inertia = 1.0, 0.5
    system = System(
        name="skate",
        coordinates=["x", "y", "theta"],
        lagrangian="m*(x'^2 + y'^2)/2 + I*theta'^2/2",
        constraints=["x'*sin(theta) = y'*cos(theta)"],
        parameters={"m": m, "I": inertia},
    )
    angle, speed, turning, mu = 0.3, 1.2, 0.8, 0.6
    start = {
        "x": 0,
        "y": 0,
        "theta": angle,
        "x'": speed * np.cos(angle),
        "y'": speed * np.sin(angle),
        "theta'": turning,
    }
    run = system.simulate(start | {"mu1": mu}, until=4, by="vakonomic")
    px = m * speed * np.cos(angle) + mu * np.sin(angle)
    py = m * speed * np.sin(angle) - mu * np.cos(angle)

    def rates(_: float, s: np.ndarray) -> list[float]:
        heading, p = s[2], s[3]
        u = (px * np.cos(heading) + py * np.sin(heading)) / m
        return [
            u * np.cos(heading),
            u * np.sin(heading),
            p / inertia,
            u * (px * np.sin(heading) - py * np.cos(heading)),
        ]

    found = solve_ivp(
        rates,
        (0, 4),
        [0, 0, angle, inertia * turning],
        t_eval=run.data["time"].values,
        rtol=1e-12,
        atol=1e-13,
        method="DOP853",
    ).y
    for k, name in enumerate(("x", "y", "theta")):
        np.testing.assert_allclose(run[name].values, found[k], atol=1e-9)
    across = px * np.sin(found[2]) - py * np.cos(found[2])
    np.testing.assert_allclose(run["costate"].values[:, 0], across, atol=1e-9)
    mechanical = system.simulate(start, until=4)
    assert float(abs(mechanical["x"] - run["x"]).max()) > 0.1


@pytest.mark.parametrize("factor", [sp.Integer(1), 2 + sp.sin(x) * y], ids=["closed", "with an integrating factor"])
def test_J3_for_an_integrable_constraint_any_multiplier_gives_dalemberts_motion(factor: sp.Expr) -> None:
    row = factor * (dz - y * dx - x * dy)
    system = System(name="leaf", coordinates=list(q), lagrangian=CURVED, constraints=[sp.Eq(row, 0)])
    state = {"x": 0.4, "y": -0.7, "z": 1.2, "x'": 0.3, "y'": -0.4}
    expected = system.derive("lagrange-dalembert").accelerations(state)
    for mu in (0.0, 0.5, -3.0):
        found = system.derive("vakonomic").accelerations(state | {"mu1": mu})
        assert found == pytest.approx(expected, rel=1e-12)
    twisted = System(name="contact", coordinates=list(q), lagrangian=CURVED, constraints=[sp.Eq(dz - y * dx, 0)])
    one, other = (twisted.derive("vakonomic").accelerations(state | {"mu1": mu}) for mu in (0.0, 0.5))
    assert one == pytest.approx(twisted.derive("lagrange-dalembert").accelerations(state), rel=1e-12)
    assert one != pytest.approx(other, rel=1e-3)


def test_J3_a_break_of_sign_would_be_noticed() -> None:
    """The momentum of a multiplier with the other sign turns the circles the other way."""
    with pytest.warns(SubstitutedConstraintWarning):
        system = System(
            name="Heisenberg",
            coordinates=["x", "y", "z"],
            lagrangian="(x'^2 + y'^2)/2",
            constraints=["z' = (x*y' - y*x')/2"],
        )
    state = {"x": 0.1, "y": 0.2, "z": 0, "x'": 1, "y'": 0.5}
    assert system.derive("vakonomic").accelerations(state | {"mu1": 2.0})["x''"] == pytest.approx(-1.0)
    assert system.derive("vakonomic").accelerations(state | {"mu1": -2.0})["x''"] == pytest.approx(1.0)
