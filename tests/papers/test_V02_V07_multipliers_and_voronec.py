r"""V2, V7: d'Alembert's principle with forces and moving constraints, and Voronec's equations.

Jovanović, (2.6), $\frac{d}{dt}\frac{\partial L}{\partial\dot q^i} = \frac{\partial L}{\partial q^i} + F_i + \lambda_\nu a_{\nu i}$, its Hamiltonian form on $T^*Q\times\mathbb R$, and (5.2)–(5.4).
"""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp
from hypothesis import HealthCheck, given, settings

from anholonomy import System
from anholonomy.algebra.expressions import to_sympy
from anholonomy.catalogue import ENTRIES
from anholonomy.equations.principles.voronec import Voronec, voronec_principle
from anholonomy.system.frames.adapted import frame_of_speeds
from tests.papers.motions import vanishes_on_motions
from tests.properties.random_systems import systems

# Written out, the bicycle takes a minute; tests/reference/test_whipple.py has its numbers.
COVERED = [key for key, entry in ENTRIES.items() if key != "whipple-bicycle" and Voronec().covers(entry.make())]

t = sp.Symbol("t")
q = x, y, z, w = sp.symbols("x y z w")
v = dx, dy, dz, dw = sp.symbols("x' y' z' w'")
n = len(q)

L = (
    (1 + x**2) * dx**2 / 2 + dy**2 / 2 + (2 + sp.sin(t)) * dz**2 / 2 + dw**2 + dx * dz / 3
    + t * y * dx + w * dz - x * z - sp.cos(y + w) * t
)  # fmt: skip
F = {x: -dx * y, y: t * dz, z: t - dz, w: x * dw}
A = sp.Matrix([[sp.sin(t) * y, x + w], [z * y, t * sp.cos(x)]])
"""$a_{\\nu i}$ of the solved constraints $\\dot q^{m+\\nu} = a_{\\nu i}\\dot q^i + a_\\nu$; they depend on everything."""
B = sp.Matrix([sp.cos(t) + z, x * w * t])
SOLVED = {dz: A[0, 0] * dx + A[0, 1] * dy + B[0], dw: A[1, 0] * dx + A[1, 1] * dy + B[1]}


@pytest.fixture(scope="module")
def system() -> System:
    return System(
        name="driven",
        coordinates=list(q),
        lagrangian=L,
        forces=F,
        constraints=[sp.Eq(rate, value) for rate, value in SOLVED.items()],
    )


@pytest.fixture(scope="module", params=[0, 1, 2])
def motion(request, system):
    """State, accelerations and multipliers at an admissible state."""
    values = np.random.default_rng(request.param).uniform(-1, 1, 7)
    state = dict(zip(["t", "x", "y", "z", "w", "x'", "y'"], values, strict=True))
    at = {sp.Symbol(name): value for name, value in state.items()}
    state |= {rate.name: float(value.subs(at)) for rate, value in SOLVED.items()}
    seen = system.derive("lagrange-dalembert").at(state)
    a = {u.name + "'": float(value) for u, value in zip(v, seen.accelerations, strict=True)}
    return state, a, sp.Matrix([float(value) for value in seen.multipliers])


def rows() -> sp.Matrix:
    """The coefficients of the constraints as they were declared, rate minus value."""
    return sp.Matrix([rate - value for rate, value in SOLVED.items()]).jacobian(v)


def size(values: sp.Matrix) -> float:
    return float(max(abs(entry) for entry in values))


def test_V2_the_principles_agree(system) -> None:
    verification = system.verify(digits=30)
    assert verification.agree, str(verification)


def test_V2_euler_lagrange_with_multipliers_and_forces(motion, variation, numbers) -> None:
    state, a, multipliers = motion
    applied = sp.Matrix([F[s] for s in q])
    residual = numbers(variation(L, q) - applied, state, a) - numbers(rows(), state).T * multipliers
    assert size(residual) < 1e-13
    assert size(multipliers) > 1e-2


def test_V2_the_virtual_displacements_are_those_of_the_homogeneous_constraint(motion, variation, numbers) -> None:
    state, a, _ = motion
    applied = sp.Matrix([F[s] for s in q])
    virtual = sp.Matrix([[1, 0, A[0, 0], A[1, 0]], [0, 1, A[0, 1], A[1, 1]]])
    assert size(numbers(virtual * (variation(L, q) - applied), state, a)) < 1e-13


def test_V2_the_hamiltonian_form(motion, d_dt, numbers) -> None:
    r"""$\dot q = \partial H/\partial p$ and $\dot p = -\partial H/\partial q + F + \lambda a$."""
    state, a, multipliers = motion
    p = sp.Matrix(sp.symbols("p1:5"))
    momenta = sp.Matrix([L.diff(u) for u in v])
    mass, gyro = momenta.jacobian(v), momenta.subs(dict.fromkeys(v, 0))
    V = -L.subs(dict.fromkeys(v, 0))
    H = ((p - gyro).T * mass.LUsolve(p - gyro))[0] / 2 + V
    at_p = {s.name: value for s, value in zip(p, numbers(momenta, state), strict=True)}
    rates = numbers(sp.Matrix([H.diff(s) for s in p]), state, at_p)
    assert size(rates - sp.Matrix([state[u.name] for u in v])) < 1e-13
    forced = sp.Matrix([F[s] - H.diff(s) for s in q])
    p_dot = numbers(sp.Matrix([d_dt(m, q) for m in momenta]), state, a)
    assert size(p_dot - numbers(forced, state, at_p) - numbers(rows(), state).T * multipliers) < 1e-13


def voronec_residual(state, a, d_dt, numbers, *, places, fibre) -> sp.Matrix:
    r"""Left minus right of (5.2); ``places`` are what (5.3), (5.4) differentiate by, ``fibre`` what (5.2) does for $L_c$."""
    L_c = L.subs(SOLVED)
    K = [L.diff(u).subs(SOLVED) for u in v[2:]]
    residual = []
    for i in range(2):
        right = L_c.diff(q[i]) + F[q[i]]
        right += sum(A[k, i] * (L_c.diff(fibre[k]) + F[q[2 + k]]) for k in range(2))
        for nu in range(2):
            turned = sum(_curvature(nu, i, j, places) * v[j] for j in range(2)) + _curvature(nu, i, None, places)
            right += K[nu] * turned
        residual.append(d_dt(L_c.diff(v[i]), q) - right)
    return numbers(sp.Matrix(residual), state, a)


def _curvature(nu: int, i: int, j: int | None, places) -> sp.Expr:
    """(5.3) for two indices, (5.4) with time in the place of the second."""
    column = lambda k: B[:, 0] if k is None else A[:, k]
    base = lambda k: t if k is None else places[k]

    def lifted(f: sp.Expr, k: int | None) -> sp.Expr:
        return f.diff(base(k)) + sum(column(k)[mu] * f.diff(places[2 + mu]) for mu in range(2))

    return lifted(column(i)[nu], j) - lifted(column(j)[nu], i)


def test_V7_voronecs_equations_with_derivatives_by_positions(motion, d_dt, numbers) -> None:
    state, a, _ = motion
    assert size(voronec_residual(state, a, d_dt, numbers, places=q, fibre=q[2:])) < 1e-12


def test_V7_the_printed_dots_on_positions_lose_the_constraint_forces(motion, d_dt, numbers) -> None:
    """(5.2)–(5.4) print derivatives by velocities, which are all zero: what remains is not the motion."""
    state, a, _ = motion
    assert size(voronec_residual(state, a, d_dt, numbers, places=v, fibre=v[2:])) > 1e-2


def test_V7_our_voronec_equations(system, motion) -> None:
    """In every choice of independent velocities that the constraints allow, the paper's first two among them."""
    state, a, _ = motion
    for speeds in (["x'", "y'"], ["y'", "x'"], ["z'", "y'"], ["w'", "z'"]):
        found = system.derive("voronec", speeds=speeds).accelerations(state)
        assert max(abs(found[name] - a[name]) for name in a) < 1e-10 * (1 + max(map(abs, a.values())))


# Variations of the independent coordinates, as functions of time.
DELTA = {x: t**2 * (1 - t), y: sp.sin(sp.pi * t) * (1 + t)}


def principle(lagrangian: sp.Expr, d_dt) -> sp.Expr:
    r"""The integrand of (5.5) with $\partial\,\cdot/\partial q^i$ in the place of its first term, for a Lagrangian."""
    delta = {**DELTA, z: sum(A[0, i] * DELTA[q[i]] for i in range(2)), w: sum(A[1, i] * DELTA[q[i]] for i in range(2))}
    virtual = sum(
        (lagrangian.diff(s) - d_dt(lagrangian.diff(u), q) + F[s]) * delta[s] for s, u in zip(q, v, strict=True)
    )
    varied = {**delta, **{u: d_dt(DELTA[s], q) for s, u in zip(q[:2], v[:2], strict=True)}}
    transposed = [
        d_dt(delta[s], q) - sum(SOLVED[u].diff(known) * varied[known] for known in varied)
        for s, u in zip(q[2:], v[2:], strict=True)
    ]
    return virtual + sum(L.diff(u) * gap for u, gap in zip(v[2:], transposed, strict=True))


def test_V7_the_voronec_principle_holds_for_the_constrained_lagrangian(system, motion, d_dt, numbers) -> None:
    state, a, _ = motion
    printed = principle(L.subs(SOLVED), d_dt)
    assert size(numbers(sp.Matrix([printed]), state, a)) < 1e-12
    ours = to_sympy(
        voronec_principle(system, {"x": DELTA[x], "y": DELTA[y]}, frame_of_speeds(system.model, ["x'", "y'"]))
    )
    # The same function of states and accelerations, not only on motions.
    elsewhere = {name: value + 0.3 for name, value in a.items()}
    assert size(numbers(sp.Matrix([ours - printed]), state, elsewhere)) < 1e-12
    assert size(numbers(sp.Matrix([ours]), state, elsewhere)) > 1e-2


def test_V7_the_printed_principle_counts_the_reaction_twice(motion, d_dt, numbers) -> None:
    r"""(5.5) prints $L$ where $L_c$ is meant: with $L$ the first sum vanishes by itself, and the second does not."""
    state, a, _ = motion
    assert size(numbers(sp.Matrix([principle(L, d_dt)]), state, a)) > 1e-3
    literal = principle(L.subs(SOLVED), d_dt) + sum(
        (L.subs(SOLVED).diff(u) - L.subs(SOLVED).diff(s)) * DELTA[s] for s, u in zip(q[:2], v[:2], strict=True)
    )
    # Nor may the first term be the derivative by the velocity, as printed.
    assert size(numbers(sp.Matrix([literal]), state, a)) > 1e-3


def test_V7_the_integral_vanishes_along_a_motion(system, d_dt) -> None:
    r"""$\int(\delta L_c + F\,\delta q + K_\nu(\frac{d}{dt}\delta q^\nu - \delta\dot q^\nu))\,dt = 0$, without any acceleration."""
    nodes, weights = np.polynomial.legendre.leggauss(30)
    times = np.concatenate([[0.0], (1 + nodes) / 2])
    start = {"x": 0.2, "y": -0.1, "z": 0.3, "w": 0.1, "x'": 0.4, "y'": 0.2}
    run = system.simulate(start, times=times, by="lagrange-dalembert")
    L_c = L.subs(SOLVED)
    # By parts, with a variation that vanishes at both ends.
    parts = sum(L_c.diff(u) * DELTA[s] for s, u in zip(q[:2], v[:2], strict=True))
    density = principle(L_c, d_dt) + d_dt(parts, q)
    accelerations = [sp.Symbol(u.name + "'") for u in v]
    assert all(sp.expand(density.diff(s)) == 0 for s in accelerations)
    density = density.subs(dict.fromkeys(accelerations, 0))
    columns = [run[s.name].values[1:] for s in (*q, *v)]
    names = [sp.Symbol(f"s{k}") for k in range(2 * n)]
    function = sp.lambdify([t, *names], density.subs(dict(zip((*q, *v), names, strict=True))))
    values = function(times[1:], *columns)
    assert max(abs(values)) > 0.05
    assert abs(values @ weights / 2) < 1e-12


@pytest.mark.parametrize("key", COVERED)
def test_V7_the_principle_on_the_catalogue(key: str) -> None:
    model = ENTRIES[key].make()
    frame = Voronec().frame(model)
    for k, u in enumerate(frame.speeds):
        varied = {str(model.coordinates[model.velocities.index(u)]): f"t^2 + {model.coordinates[0]}"}
        assert vanishes_on_motions(model, [voronec_principle(model, varied, frame)]), k


@settings(max_examples=6, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(systems(kinds=("affine time-dependent",)))
def test_V7_the_principle_on_random_systems(model: System) -> None:
    frame = Voronec().frame(model)
    names = [str(model.coordinates[model.velocities.index(u)]) for u in frame.speeds]
    assert vanishes_on_motions(model, [voronec_principle(model, {s: f"t*{s} + 1" for s in names}, frame)])
