"""V5: natural systems ½K + Δ − V seen from a moving place, the equivalent forces, and the energies on both sides."""

from __future__ import annotations

import pytest
import sympy as sp

import anholonomy as ah
from anholonomy.algebra.expressions import to_sympy

X, Y, T = sp.symbols("x y t")
U, V = sp.symbols("x' y'")
K = sp.Matrix([[2 + X**2, sp.Rational(1, 3) * Y], [sp.Rational(1, 3) * Y, 3 + sp.sin(X)]])
DELTA = sp.Matrix([X * Y + T * Y, Y**2 - T * X**2])
POTENTIAL = X**2 / 2 + T * Y + X * Y
PLACE = sp.Matrix([X * sp.cos(T) - Y * sp.sin(T) + T, X * sp.sin(T) + Y * sp.cos(T)])


def _system(kinetic: sp.Matrix, linear: sp.Matrix, potential: sp.Expr, forces: dict | None = None) -> ah.System:
    w = sp.Matrix([U, V])
    L = sp.expand((w.T * kinetic * w)[0] / 2 + (linear.T * w)[0] - potential)
    return ah.System(
        name="natural", coordinates=["x", "y"], lagrangian=L, forces=forces, constraints=["y' = (1 + x^2)*x' + t*y"]
    )


STATE = {"x": 0.3, "y": -0.4, "x'": 0.7}


def test_V5_a_linear_term_is_a_gyroscopic_and_a_dissipative_force() -> None:
    r"""$F_i = (\partial_i\Delta_j - \partial_j\Delta_i)\dot q^j - \partial_t\Delta_i$, and the energy does not see $\Delta$."""
    curl = sp.diff(DELTA[1], X) - sp.diff(DELTA[0], Y)
    forces = {"x": curl * V - sp.diff(DELTA[0], T), "y": -curl * U - sp.diff(DELTA[1], T)}
    with_term, with_force = _system(K, DELTA, POTENTIAL), _system(K, sp.zeros(2, 1), POTENTIAL, forces)
    left, right = (s.simulate(STATE, until=1.5) for s in (with_term, with_force))
    for name in ("x", "y", "energy"):
        assert abs(left[name] - right[name]).max() < 1e-12, name
    wrong = _system(K, sp.zeros(2, 1), POTENTIAL, {k: -f for k, f in forces.items()}).simulate(STATE, until=1.5)
    assert abs(left["x"] - wrong["x"]).max() > 1e-2


def _parts(L: sp.Expr) -> tuple[sp.Matrix, sp.Matrix, sp.Expr]:
    w = [U, V]
    still = dict.fromkeys(w, 0)
    return sp.hessian(L, w), sp.Matrix([sp.diff(L, s).subs(still) for s in w]), -L.subs(still)


@pytest.fixture(scope="module")
def moving() -> tuple[ah.System, ah.System]:
    fixed = _system(K, DELTA, POTENTIAL)
    place = fixed.geometry.moving_observer({"x": PLACE[0], "y": PLACE[1]})
    return fixed, fixed.seen_from(place)


def test_V5_kinetic_energy_linear_term_and_potential_from_the_moving_place(moving) -> None:
    _, seen = moving
    kappa, delta, v = _parts(to_sympy(seen.lagrangian))
    there = dict(zip((X, Y), PLACE, strict=True))
    dg, omega = PLACE.jacobian([X, Y]), PLACE.diff(T)
    Kg, Dg = K.subs(there, simultaneous=True), DELTA.subs(there, simultaneous=True)
    Vg = POTENTIAL.subs(there, simultaneous=True)
    at = {X: sp.Rational(3, 10), Y: sp.Rational(-2, 5), T: sp.Rational(7, 10)}
    expected = (
        dg.T * Kg * dg,
        dg.T * (Dg + Kg * omega),
        sp.Matrix([Vg - (omega.T * Kg * omega)[0] / 2 - (Dg.T * omega)[0]]),
    )
    for found, wanted in zip((kappa, delta, sp.Matrix([v])), expected, strict=True):
        assert max(map(abs, (found - wanted).subs(at).evalf(40))) < 1e-35


def test_V5_the_energies_are_related_by_the_momentum_of_the_field(moving) -> None:
    r"""$E_L = E_l + \langle\mathbb Fl, \Omega_t\rangle$ at corresponding states."""
    fixed, seen = moving
    kappa, delta, v = _parts(to_sympy(seen.lagrangian))
    w = sp.Matrix([U, V])
    there = dict(zip((X, Y), PLACE, strict=True))
    dg, drift = PLACE.jacobian([X, Y]), PLACE.diff(T)
    q_rate = dg * w + drift
    E_L = (q_rate.T * K.subs(there, simultaneous=True) * q_rate)[0] / 2 + POTENTIAL.subs(there, simultaneous=True)
    E_l = (w.T * kappa * w)[0] / 2 + v
    momentum = kappa * w + delta
    at = {X: 0.3, Y: -0.4, T: 0.7, U: 1.1, V: 0.2}
    assert abs((E_L - E_l - (momentum.T * dg.inv() * drift)[0]).subs(at).evalf(30)) < 1e-13
    assert fixed.name == "natural"


def test_V5_a_moving_energy_is_found_where_a_distinguished_place_exists() -> None:
    """A groove at rest for who turns along: J = E - p(omega), unaided, and not where the turning is uneven."""
    words = {"coordinates": ["x", "y"], "lagrangian": "(x'^2 + y'^2)/2 - (x^2 + y^2)^2/4"}
    even = ah.System(name="even", constraints=["-sin(2*t)*x' + cos(2*t)*y' = 2*(x*cos(2*t) + y*sin(2*t))"], **words)
    found = even.moving_energy()
    J = to_sympy(found.expression)
    assert sp.expand(J - (U**2 + V**2) / 2 - (X**2 + Y**2) ** 2 / 4 + 2 * (X * V - Y * U)) == 0
    run = even.simulate({"x": 0.5, "y": 0.1, "x'": 0.2}, until=4)
    assert abs(found.along(run) - found.along(run)[0]).max() < 1e-12
    uneven = ah.System(
        name="uneven", constraints=["-sin(t^2)*x' + cos(t^2)*y' = 2*t*(x*cos(t^2) + y*sin(t^2))"], **words
    )
    assert not uneven.moving_energy()
