r"""V8: Voronec's coefficients (5.3), (5.4) are the curvature of the EhresmannConnection connection on $Q\times\mathbb R$; Theorem 5.1.

Derivatives in (5.3) and (5.4) are by positions, as in `test_V7_…`. In 5.2 the print has $\omega^\nu = dq^{n+\nu} - \dots$; the index
is $m + \nu$.
"""

from __future__ import annotations

import pytest
import sympy as sp
from hypothesis import HealthCheck, given, settings

from anholonomy import System, catalogue
from anholonomy.algebra.expressions import to_sympy
from anholonomy.algebra.zero_test import is_zero
from anholonomy.catalogue import ENTRIES
from anholonomy.equations.principles import voronec
from anholonomy.geometry.connections.ehresmann import EhresmannConnection
from anholonomy.geometry.distributions.distribution import Distribution
from tests.papers.motions import vanishes_on_motions
from tests.properties.random_systems import systems

# Written out, the bicycle takes a minute; tests/reference/test_whipple.py has its numbers.
COVERED = [key for key, entry in ENTRIES.items() if key != "whipple-bicycle" and voronec.Voronec().covers(entry.make())]
CASES = {
    "Heisenberg": (["z' = y*x'"], ["x", "y"], list("xyz")),
    "example 2.1": (["x' = (x*y + t^2)*y' + y*sin(t) + x^2"], ["y"], ["y", "x"]),
    "two rows, affine, with time": (["x' = t*u'*x + v + y", "y' = u*v' + t*x*u' + x*u*t"], ["u", "v"], list("uvxy")),
    "rolling disk": (
        ["x' = R*phi'*cos(theta)", "y' = R*phi'*sin(theta)"],
        ["theta", "phi"],
        ["theta", "phi", "x", "y"],
    ),
    "on a turning plate": (
        ["x' = R*phi'*cos(theta) - Omega*y", "y' = R*phi'*sin(theta) + Omega*x"],
        ["theta", "phi"],
        ["theta", "phi", "x", "y"],
    ),
}
every_case = pytest.mark.parametrize(("rows", "base", "q"), CASES.values(), ids=CASES.keys())


class Coefficients:
    """The coefficients as printed, derivatives by positions."""

    def __init__(self, E: EhresmannConnection) -> None:
        self.base = [sp.Symbol(str(s)) for s in E.base if str(s) != "t"]
        self.fibre = [sp.Symbol(str(s)) for s in E.fibre]
        self.t = sp.Symbol("t")
        on_time = "t" in map(str, E.base)
        rows = [[to_sympy(entry) for entry in row] for row in E.slopes_ni]
        self.a = [row[:-1] if on_time else row for row in rows]
        self.a0 = [row[-1] if on_time else sp.Integer(0) for row in rows]

    def A_ij(self, nu: int, i: int, j: int) -> sp.Expr:
        """(5.3)."""
        part = lambda i, j: (
            self.a[nu][i].diff(self.base[j])
            + sum(self.a[mu][j] * self.a[nu][i].diff(s) for mu, s in enumerate(self.fibre))
        )
        return part(i, j) - part(j, i)

    def A_i(self, nu: int, i: int) -> sp.Expr:
        """(5.4)."""
        first = self.a[nu][i].diff(self.t) + sum(self.a0[mu] * self.a[nu][i].diff(s) for mu, s in enumerate(self.fibre))
        second = self.a0[nu].diff(self.base[i]) + sum(
            self.a[mu][i] * self.a0[nu].diff(s) for mu, s in enumerate(self.fibre)
        )
        return first - second


@every_case
def test_V8_voronecs_coefficients_are_the_curvature(rows: list[str], base: list[str], q: list[str]) -> None:
    E = EhresmannConnection.from_constraints(rows, base, q)
    V = Coefficients(E)
    for nu, s in enumerate(V.fibre):
        for i, a in enumerate(V.base):
            for j, b in enumerate(V.base):
                assert sp.simplify(to_sympy(E.B(s, a, b)) - V.A_ij(nu, i, j)) == 0
            if "t" in map(str, E.coordinates):
                assert sp.simplify(to_sympy(E.B(s, a, "t")) - V.A_i(nu, i)) == 0
                assert sp.simplify(to_sympy(E.B(s, "t", a)) + V.A_i(nu, i)) == 0
    assert any(value != 0 for _, value in E.curvature.items)


@every_case
def test_V8_the_other_components_vanish(rows: list[str], base: list[str], q: list[str]) -> None:
    E = EhresmannConnection.from_constraints(rows, base, q)
    place = {s: k for k, s in enumerate(E.coordinates)}
    vertical = {place[s] for s in E.fibre}
    assert all(nu in vertical and not {i, j} & vertical for (nu, i, j), _ in E.curvature.items)


@every_case
def test_V8_the_extended_distribution_is_horizontal(rows: list[str], base: list[str], q: list[str]) -> None:
    E = EhresmannConnection.from_constraints(rows, base, q)
    D = Distribution.from_constraints(rows, q)
    assert all(D.contains([*lift]) for lift in E.lifts_ij)
    assert bool(D.is_integrable()) is bool(E.is_flat())


def test_V8_example_5_1() -> None:
    E = EhresmannConnection.from_constraints(
        ["x' = a(x, y, t)*y' + b(x, y, t)"], ["y"], ["x", "y"], functions=["a", "b"]
    )
    x, y, t = sp.symbols("x y t")
    a, b = (sp.Function(name)(x, y, t) for name in "ab")
    expected = a.diff(t) - b.diff(y) + b * a.diff(x) - a * b.diff(x)
    assert sp.simplify(to_sympy(E.B("x", "y", "t")) - expected) == 0
    assert sp.simplify(to_sympy(E.B("x", "t", "y")) + expected) == 0


def test_V8_homogeneous_constraints_have_time_components_when_they_move() -> None:
    r"""Remark 5.3: with $a_\nu = 0$ what is left of (5.4) is $\partial_ta_{\nu i}$."""
    E = EhresmannConnection.from_constraints(["x' = t*y'"], ["y"], ["x", "y"])
    assert E.B("x", "y", "t") == 1
    still = EhresmannConnection.from_constraints(["t*x' = t*y*z'"], ["y", "z"], ["x", "y", "z", "t"])
    assert still.B("x", "y", "t") == still.B("x", "z", "t") == 0  # explicit time that cancels does not count
    assert still.B("x", "z", "y") == 1


def test_V8_of_a_system_with_moving_constraints() -> None:
    system = catalogue.disc_on_circle()
    D = Distribution.of(system)
    E = EhresmannConnection.of(system, base=[str(system.coordinates[0])])
    assert bool(E.is_flat()) is bool(D.is_integrable())


def over_its_base(model: System) -> EhresmannConnection:
    """The connection over the coordinates whose velocities our formulation takes as independent."""
    speeds = voronec.Voronec().frame(model).speeds
    return EhresmannConnection.of(model, [str(model.coordinates[model.velocities.index(u)]) for u in speeds])


@pytest.mark.parametrize("key", COVERED)
def test_V8_theorem_5_1_on_the_catalogue(key: str) -> None:
    """(5.9) vanishes on motions, and only there: with the curvature of the connection, which Voronec's equations do not use."""
    model = ENTRIES[key].make()
    residuals = voronec.voronec_residuals(model, over_its_base(model))
    assert len(residuals) == len(model.coordinates) - len(model.constraints)
    assert vanishes_on_motions(model, residuals)


@pytest.mark.exhaustive
@settings(max_examples=8, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(systems(kinds=("affine time-dependent", "affine", "linear")).filter(lambda s: len(s.coordinates) <= 4))
def test_V8_theorem_5_1_on_random_systems(model: System) -> None:
    assert vanishes_on_motions(model, voronec.voronec_residuals(model, over_its_base(model)))


DRIVEN = System(
    name="driven",
    coordinates=["x", "y", "z", "w"],
    lagrangian="(1 + x^2)*x'^2/2 + (y' + sin(z)*x')^2/2 + z'^2 + w'^2 + x*y*z' + w*x' - x*cos(y) - t*z*w",
    constraints=["z' = (x*w + t)*x' + sin(z)*y*y' + t*w", "w' = y*z*t*x' + (x + w)*y' + x*z"],
    forces={"x": "-x' + y", "w": "t - w'"},
)


@pytest.mark.exhaustive_for("w-z")
@pytest.mark.parametrize("base", [["x", "y"], ["x", "w"], ["z", "y"], ["w", "z"]], ids="-".join)
def test_V8_theorem_5_1_over_every_base(base: list[str]) -> None:
    assert vanishes_on_motions(DRIVEN, voronec.voronec_residuals(DRIVEN, EhresmannConnection.of(DRIVEN, base)))


def test_V8_without_the_curvature_the_equations_are_others() -> None:
    """What a Lagrangian with the constraints put in gives by itself: right exactly where the connection is flat."""
    flat = System(
        name="flat",
        coordinates=["x", "y", "z"],
        lagrangian="x'^2 + y'^2 + z'^2 + x*y",
        constraints=["z' = y*x' + x*y'"],
    )
    for model, base, is_flat in ((DRIVEN, ["x", "y"], False), (flat, ["x", "y"], True)):
        E = EhresmannConnection.of(model, base)
        object.__setattr__(E, "curvature", type(E.curvature).of(E.chart, "udd", {}, "B"))
        assert vanishes_on_motions(model, voronec.voronec_residuals(model, E)) is is_flat


AFFINE = EhresmannConnection.of(DRIVEN, ["x", "y"])


def admissible(vector: list) -> bool:
    """Whether a vector of $Q$ satisfies the constraints, inhomogeneous part included."""
    rows = zip(DRIVEN.model.matrix_na, DRIVEN.model.offset_n, strict=True)
    return all(is_zero(sum(e * u for e, u in zip(row, vector, strict=True)) + offset) for row, offset in rows)


def test_V8_the_affine_projection() -> None:
    r"""Lemma 5.1: $\mathrm{pr}_t\eta = (\eta + \partial_t)^h - \partial_t$ lands in $\mathcal A_t$, and does not move what is there."""
    for vector in ([1, 2, 3, 4], [0, 0, 0, 0]):
        *once, one = AFFINE.horizontal([*map(str, vector), "1"])
        assert one == 1
        assert admissible(once)
        assert all(is_zero(a - b) for a, b in zip(once, AFFINE.horizontal([*once, "1"])[:-1], strict=True))


def test_V8_the_printed_field_theta_has_the_other_sign() -> None:
    r"""$\theta_t = (\partial_t)^v$ is $-a_\nu\partial_\nu$; what shifts $\mathcal D_t$ to $\mathcal A_t$ is $(\partial_t)^h - \partial_t = +a_\nu\partial_\nu$."""
    *printed, _ = AFFINE.vertical(["0", "0", "0", "0", "1"])
    *virtual, _ = AFFINE.horizontal(["1", "2", "0", "0", "0"])
    assert not admissible([d + theta for d, theta in zip(virtual, printed, strict=True)])
    assert admissible([d - theta for d, theta in zip(virtual, printed, strict=True)])
