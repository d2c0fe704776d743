r"""L11: the Lagrange–d'Alembert principle for nonlinear constraints; admissible variations (Lewis, slides 17–18).

.. math::
   \delta\int L\,dt = \int\Bigl(\frac{\partial L}{\partial q}\,\delta q + \frac{\partial L}{\partial\dot q}\,\delta\dot q\Bigr)dt = 0
   \quad\text{for}\quad \frac{\partial\varphi}{\partial\dot q}\,\delta q = 0, \quad \delta q(t_1) = \delta q(t_2) = 0
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
import sympy as sp

import anholonomy as ah

t = sp.Symbol("t")
x, y, z, x1, y1, x2, y2 = sp.symbols("x y z x1 y1 x2 y2")


def dot_of(s: sp.Symbol, times: int = 1) -> sp.Symbol:
    return sp.Symbol(s.name + "'" * times)


dx, dy, dz, dx1, dy1, dx2, dy2 = map(dot_of, (x, y, z, x1, y1, x2, y2))


class Machine(NamedTuple):
    q: tuple[sp.Symbol, ...]
    lagrangian: sp.Expr
    constraint: sp.Expr
    start: dict[str, float]

    @property
    def system(self) -> ah.System:
        return ah.System(
            name="machine",
            coordinates=list(self.q),
            lagrangian=self.lagrangian,
            constraints=[sp.Eq(self.constraint, 0)],
        )


MACHINES = {
    "Appell": Machine(
        (x, y, z),
        (dx**2 + dy**2 + dz**2) / 2 - z,
        dx**2 + dy**2 - 4 * dz**2,
        {"x": 0, "y": 0, "z": 0, "x'": 1.2, "y'": 1.6, "z'": -1.0},
    ),
    "constant speed": Machine(
        (x, z), (dx**2 + dz**2) / 2 - z, dx**2 + dz**2 - 4, {"x": 0, "z": 0, "x'": 1.2, "z'": 1.6}
    ),
    "Benenti": Machine(
        (x1, y1, x2, y2),
        (dx1**2 + dy1**2) / 2 + (dx2**2 + dy2**2) - y1 - 2 * y2 + x1 * x2 / 3,
        dx1 * dy2 - dx2 * dy1,
        {"x1": 0, "y1": 0, "x2": 1, "y2": 0, "x1'": 2.0, "y1'": 2.0, "x2'": 1.0, "y2'": 1.0},
    ),
}
END = 1.0
NODES, WEIGHTS = np.polynomial.legendre.leggauss(24)
TIMES = (NODES + 1) / 2 * END


def variations(machine: Machine) -> list[sp.Matrix]:
    """A basis of the kernel of the gradient: rotations of it, one for each pair with its first component."""
    A = [machine.constraint.diff(dot_of(s)) for s in machine.q]
    made = []
    for k in range(1, len(A)):
        made.append(sp.Matrix([A[k] if i == 0 else -A[0] if i == k else 0 for i in range(len(A))]))
    return made


def first_variation(machine: Machine, delta: sp.Matrix, path: dict[str, np.ndarray]) -> float:
    """The integral by Gauss's quadrature along a path given with its velocities and accelerations at the nodes."""
    v, a = [dot_of(s) for s in machine.q], [dot_of(s, 2) for s in machine.q]
    moving = list(zip((*machine.q, *v), (*v, *a), strict=True))
    rate = delta.applyfunc(lambda f: f.diff(t) + sum(f.diff(s) * w for s, w in moving))
    L = machine.lagrangian
    integrand = sum(L.diff(s) * d for s, d in zip(machine.q, delta, strict=True))
    integrand += sum(L.diff(w) * d for w, d in zip(v, rate, strict=True))
    arguments = [t, *machine.q, *v, *a]
    values = sp.lambdify(arguments, integrand)(TIMES, *(path[s.name] for s in arguments[1:]))
    return float(END / 2 * WEIGHTS @ (values * np.ones_like(TIMES)))


def motion(machine: Machine) -> dict[str, np.ndarray]:
    run = machine.system.simulate(machine.start, times=[0.0, *TIMES])
    found = {}
    for k, s in enumerate(machine.q):
        found[s.name] = run[s.name].values[1:]
        found[f"{s.name}'"] = run.data["velocity"].values[1:, k]
        found[f"{s.name}''"] = run.data["acceleration"].values[1:, k]
    return found


def bumps() -> list[sp.Expr]:
    """Functions of time that vanish at both ends."""
    return [t * (END - t), t**2 * (END - t), sp.sin(2 * sp.pi * t / END) * sp.exp(t)]


@pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES.keys())
def test_L11_the_action_is_stationary_for_admissible_variations(machine: Machine) -> None:
    path = motion(machine)
    for delta in variations(machine):
        for bump in bumps():
            assert abs(first_variation(machine, delta * bump, path)) < 1e-11


@pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES.keys())
def test_L11_and_for_no_others(machine: Machine) -> None:
    """Along the gradient of the constraint it is not: the reaction is at work."""
    path = motion(machine)
    gradient = sp.Matrix([machine.constraint.diff(dot_of(s)) for s in machine.q])
    assert abs(first_variation(machine, gradient * bumps()[0], path)) > 1e-2


@pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES.keys())
def test_L11_along_an_admissible_path_that_is_no_motion_it_is_not(machine: Machine) -> None:
    """Straight lines run through at a constant rate satisfy all three constraints, and gravity disagrees with them."""
    path = {}
    for s in machine.q:
        rate = machine.start[f"{s.name}'"]
        path[s.name] = machine.start[s.name] + rate * TIMES
        path[f"{s.name}'"] = np.full_like(TIMES, rate)
        path[f"{s.name}''"] = np.zeros_like(TIMES)
    values = [abs(first_variation(machine, d * b, path)) for d in variations(machine) for b in bumps()]
    assert max(values) > 1e-2


def test_L11_the_variational_equation_alone_does_not_know_the_constraint() -> None:
    """What the slide leaves unsaid: free fall is stationary for every variation and violates the constraint."""
    machine = MACHINES["constant speed"]
    path = {"x": 1.2 * TIMES, "x'": np.full_like(TIMES, 1.2), "x''": np.zeros_like(TIMES)}
    path |= {"z": 1.6 * TIMES - TIMES**2 / 2, "z'": 1.6 - TIMES, "z''": -np.ones_like(TIMES)}
    for delta in variations(machine):
        assert abs(first_variation(machine, delta * bumps()[1], path)) < 1e-12
    assert np.abs(path["x'"] ** 2 + path["z'"] ** 2 - 4).max() > 1


def test_L11_appells_particle_in_closed_form() -> None:
    r"""$\ddot z = -g/(1 + k^2)$ on a straight line."""
    run = MACHINES["Appell"].system.simulate(MACHINES["Appell"].start, until=1.5)
    time = run["z"]["time"]
    z_of_t = -time - time**2 / 10
    assert float(abs(run["z"] - z_of_t).max()) < 1e-12
    assert float(abs(run["x"] + 1.2 * z_of_t).max()) < 1e-12
    assert float(abs(run["y"] + 1.6 * z_of_t).max()) < 1e-12


def test_L11_a_heavy_particle_of_constant_speed_in_closed_form() -> None:
    r"""$\dot z = -c\tanh(g(t - t_0)/c)$, $\dot x = c/\cosh(g(t - t_0)/c)$."""
    machine = MACHINES["constant speed"]
    run = machine.system.simulate(machine.start, until=3)
    time, c = run["z"]["time"], 2.0
    t0 = c * np.arctanh(1.6 / c)
    phase = (time - t0) / c
    expected = -(c**2) * (np.log(np.cosh(phase)) - np.log(np.cosh(t0 / c)))
    assert float(abs(run["z"] - expected).max()) < 1e-11
    rates = run.data["velocity"].values
    np.testing.assert_allclose(rates[:, 0], c / np.cosh(phase), rtol=1e-11)


def test_L11_benentis_particles_in_closed_form() -> None:
    r"""Without gravity straight lines; with it $\dot v_1 = \dot v_2 = -g\sin\vartheta$ and the angle from its own equation, by SciPy."""
    from scipy.integrate import solve_ivp

    machine = MACHINES["Benenti"]
    heavy = machine._replace(lagrangian=(dx1**2 + dy1**2) / 2 + dx2**2 + dy2**2 - y1 - 2 * y2)
    run = heavy.system.simulate(machine.start, until=1.5)

    def rates(_: float, u: np.ndarray) -> list[float]:
        v1, v2, angle = u[:3]
        turning = -(v1 + 2 * v2) * np.cos(angle) / (v1**2 + 2 * v2**2)
        return [-np.sin(angle), -np.sin(angle), turning, *(v1 * np.array([np.cos(angle), np.sin(angle)]))]

    root = np.sqrt(2)
    times = run["x1"]["time"].values
    found = solve_ivp(rates, (0, 1.5), [2 * root, root, np.pi / 4, 0, 0], t_eval=times, rtol=1e-11, atol=1e-12).y
    np.testing.assert_allclose(run["x1"].values, found[3], atol=1e-8)
    np.testing.assert_allclose(run["y1"].values, found[4], atol=1e-8)
    light = machine._replace(lagrangian=(dx1**2 + dy1**2) / 2 + dx2**2 + dy2**2)
    straight = light.system.simulate(machine.start, until=1)
    assert float(abs(straight["x1"] - 2 * straight["x1"]["time"]).max()) < 1e-13


@pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES.keys())
def test_L11_every_principle_for_nonlinear_constraints_says_the_same(machine: Machine) -> None:
    verification = machine.system.verify(states=3)
    assert verification.agree
    assert {"lagrange-dalembert", "maggi", "gibbs-appell", "gauss", "udwadia-kalaba"} <= set(verification.principles)
