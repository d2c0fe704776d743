r"""D5: the first-variation functional of a fundamental one-form (Delphenich, section 3.1), for one parameter.

.. math::
   \delta S = \int (F\,\delta x + \Pi\,\delta\dot x)\,dt = \int (F - \dot\Pi)\,\delta x\,dt + [\Pi\,\delta x], \qquad
   D^*\phi = F - \dot\Pi
"""

from __future__ import annotations

import mpmath
import pytest
import sympy as sp

import anholonomy as ah
from anholonomy.algebra.expressions import to_sympy

t, x, y = sp.symbols("t x y")
dx, dy, ddx, ddy = sp.symbols("x' y' x'' y''")

FORMS = {
    "exact": ({"x": (1 + y**2) * dx, "y": dy + x}, {"x": dy - x * y, "y": y * dx**2 - x**2 / 2}),
    "friction and time": ({"x": dx * sp.exp(t), "y": dy}, {"x": -dx + t * y, "y": sp.sin(x) * dy}),
    "skew mass": ({"x": 2 * dx + dy + x * y, "y": dy - dx + t * x}, {"x": -y * dx, "y": x * dy**2}),
}
PATH = {x: sp.sin(t) + t**2 / 3, y: sp.cos(2 * t) - t / 5}
VARIATION = {x: sp.exp(t) * sp.cos(3 * t), y: 1 + t**3}
"""No motion of any of the forms, and a variation that does not vanish at the ends."""
ENDS = (0, sp.Rational(6, 5))


def system(name: str) -> ah.System:
    momenta, forces = FORMS[name]
    return ah.System(name=name, coordinates=["x", "y"], momenta=momenta, forces=forces)


def on_path(f: sp.Expr) -> sp.Expr:
    values = dict(PATH)
    values |= {sp.Symbol(f"{s.name}'"): p.diff(t) for s, p in PATH.items()}
    values |= {sp.Symbol(f"{s.name}''"): p.diff(t, 2) for s, p in PATH.items()}
    return f.subs(values, simultaneous=True)


def integral(f: sp.Expr) -> mpmath.mpf:
    return mpmath.quad(sp.lambdify(t, f, "mpmath"), [mpmath.mpf(0), mpmath.mpf(6) / 5])


def functional(name: str, delta: dict) -> mpmath.mpf:
    """(3.8): the definition."""
    momenta, forces = FORMS[name]
    terms = [on_path(forces[s.name]) * delta[s] + on_path(momenta[s.name]) * delta[s].diff(t) for s in (x, y)]
    return integral(sum(terms))


def extremal(name: str) -> sp.Matrix:
    """D*φ as the software has it: the equations are K q'' = r, and r - K q'' is F - dΠ/dt."""
    K, right, unknowns = system(name).derive("first-variation").sympy()
    assert [u.name for u in unknowns] == ["x''", "y''"]
    return right - K * sp.Matrix([ddx, ddy])


def boundary(name: str, delta: dict) -> mpmath.mpf:
    momenta = FORMS[name][0]
    total = sum(on_path(momenta[s.name]) * delta[s] for s in (x, y))
    ends = [sp.lambdify(t, total, "mpmath")(mpmath.mpf(int(e.p)) / int(e.q)) for e in map(sp.Rational, ENDS)]
    return ends[1] - ends[0]


@pytest.mark.parametrize("name", FORMS)
def test_D5_the_first_variation_and_its_boundary_term(name: str) -> None:
    """(3.9) along a path that is no motion, at 30 digits."""
    with mpmath.workdps(30):
        inside = extremal(name).applyfunc(on_path)
        bulk = integral(sum(e * VARIATION[s] for e, s in zip(inside, (x, y), strict=True)))
        left, edge = functional(name, VARIATION), boundary(name, VARIATION)
        assert abs(left - bulk - edge) < mpmath.mpf(10) ** -25
        assert min(abs(bulk), abs(edge)) > 1e-2


@pytest.mark.parametrize("name", FORMS)
def test_D5_fixed_and_transversal_boundaries(name: str) -> None:
    """The boundary term vanishes for fixed ends, and for ends along Π·δx = 0; not for others."""
    momenta = FORMS[name][0]
    fixed = {s: d * t * (ENDS[1] - t) for s, d in VARIATION.items()}
    transversal = {x: on_path(momenta["y"]) * (1 + t), y: -on_path(momenta["x"]) * (1 + t)}
    with mpmath.workdps(30):
        inside = extremal(name).applyfunc(on_path)
        for delta in (fixed, transversal):
            assert abs(boundary(name, delta)) < mpmath.mpf(10) ** -25
            bulk = integral(sum(e * delta[s] for e, s in zip(inside, (x, y), strict=True)))
            assert abs(functional(name, delta) - bulk) < mpmath.mpf(10) ** -25
            assert abs(bulk) > 1e-3
        assert abs(boundary(name, VARIATION)) > 1e-2


def test_D5_for_an_exact_form_it_is_the_derivative_of_an_action() -> None:
    """(3.12): the Lagrangian the software finds, its action along neighbouring paths, a difference quotient."""
    found = system("exact").find_lagrangian()
    assert found.is_exact
    L = to_sympy(found.lagrangian)
    s = sp.Symbol("s")
    moved = {q: p + s * VARIATION[q] for q, p in PATH.items()}
    values = moved | {sp.Symbol(f"{q.name}'"): p.diff(t) for q, p in moved.items()}
    with mpmath.workdps(40):

        def action(step: str) -> mpmath.mpf:
            return integral(L.subs(values, simultaneous=True).subs(s, sp.Float(step, 40)))

        h = mpmath.mpf("1e-6")
        quotient = (action("1e-6") - action("-1e-6")) / (2 * h)
        assert abs(quotient - functional("exact", VARIATION)) < 1e-9


@pytest.mark.parametrize("name", ["friction and time", "skew mass"])
def test_D5_other_forms_are_not_exact(name: str) -> None:
    found = system(name).find_lagrangian()
    assert found.is_exact.is_refuted
    assert found.finding.check().is_refuted


@pytest.mark.parametrize("name", FORMS)
def test_D5_extremals_are_where_it_vanishes(name: str) -> None:
    """Along a computed motion δS is the boundary term alone: [Π·δx], for any variation."""
    import numpy as np

    nodes, weights = np.polynomial.legendre.leggauss(30)
    times = (nodes + 1) * 0.6
    run = system(name).simulate(
        {"x": 0.3, "y": 0.5, "x'": 0.4, "y'": -0.2}, times=[0.0, *times, 1.2], by="first-variation"
    )
    momenta, forces = FORMS[name]
    arguments = [t, x, y, dx, dy]
    terms = [forces[s.name] * VARIATION[s] + momenta[s.name] * VARIATION[s].diff(t) for s in (x, y)]
    edge = sp.lambdify(arguments, sum(momenta[s.name] * VARIATION[s] for s in (x, y)))
    v = run.data["velocity"].values
    columns = [run.data["time"].values, run["x"].values, run["y"].values, v[:, 0], v[:, 1]]
    inner = sp.lambdify(arguments, sum(terms))(*(c[1:-1] for c in columns))
    ends = edge(*(c[[0, -1]] for c in columns))
    assert 0.6 * float(weights @ inner) == pytest.approx(float(ends[1] - ends[0]), abs=1e-11)


def test_D5_a_form_that_is_not_exact_may_still_have_an_action() -> None:
    """The print says "when and only when". The force (y', -x') with momenta (x', y') is not exact; between fixed ends its
    first variation is that of the action of (x'² + y'²)/2 + x y', whose momenta are others."""
    force_alone = ah.System(
        name="gyroscope",
        coordinates=["x", "y"],
        momenta={"x": "x'", "y": "y'"},
        forces={"x": "y'", "y": "-x'"},
    )
    assert not force_alone.find_lagrangian()
    action = ah.System(name="gyroscope", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2 + x*y'")
    state = {"x": 0.2, "y": 0.4, "x'": 1.0, "y'": 3.0}
    assert force_alone.derive("first-variation").accelerations(state) == pytest.approx({"x''": 3.0, "y''": -1.0})
    assert action.derive("hamel").accelerations(state) == pytest.approx({"x''": 3.0, "y''": -1.0})
    # The first variations of the two differ by a boundary term, which fixed ends do not see.
    F = {x: dy, y: -dx}
    one = sum(on_path(F[s]) * VARIATION[s] for s in (x, y))
    other = on_path(dy) * VARIATION[x] + on_path(x) * VARIATION[y].diff(t)
    with mpmath.workdps(30):
        edge = sp.lambdify(t, on_path(x) * VARIATION[y], "mpmath")
        gap = integral(other - one) - (edge(mpmath.mpf(6) / 5) - edge(mpmath.mpf(0)))
        assert abs(gap) < mpmath.mpf(10) ** -25


def test_D5_the_parts_of_an_exact_form_need_not_be_exact() -> None:
    """Section 5 wants force and momentum exact each on its own; already (1 + x²)x'²/2 has neither."""
    system = ah.System(name="curved", coordinates=["x"], momenta={"x": "(1 + x^2)*x'"}, forces={"x": "x*x'^2"})
    assert system.find_lagrangian().is_exact
    F, momentum = x * dx**2, (1 + x**2) * dx
    assert F.diff(dx) != 0  # d(F dx) = F_x' dx' ∧ dx
    assert momentum.diff(x) != 0  # d(Π dx') = Π_x dx ∧ dx'
    assert sp.expand(F.diff(dx) - momentum.diff(x)) == 0
