"""A system in two times: the form that the multiplier closes, momenta, the way back to the old time, and the picture."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy as sp

import anholonomy as ah
from anholonomy import System, catalogue
from anholonomy.algebra.expressions import to_sympy
from anholonomy.errors import IntegrationError
from anholonomy.language import to_text
from tests.wording import blames

THREE = System(
    name="three", coordinates=["x", "y", "u", "z1", "z2"], lagrangian="(x'^2 + y'^2 + u'^2 + z1'^2 + z2'^2)/2 - x^2*y",
    constraints=["z1' = x*y'", "z2' = x*u'"],
)  # fmt: skip
CHARGED = System(
    name="charged", coordinates=["x", "y", "z"], lagrangian="(x'^2 + y'^2 + z'^2)/2 + x*y*y'", constraints=["z' = x*y'"],
    forces={"x": "3*x*y' - x", "y": "-3*x*x'"},
)  # fmt: skip
FORMS = {
    "free particle": catalogue.free_particle(),
    "knife edge": catalogue.knife_edge(),
    "Heisenberg": catalogue.heisenberg(),
    "Appell's machine": catalogue.appell_machine(),
    "base of dimension three": THREE,
    "with a magnetic force": CHARGED,
}


def inertia(h: Any, w: list[sp.Symbol]) -> sp.Matrix:
    L = to_sympy(h.base.lagrangian)
    return sp.Matrix([[L.diff(a).diff(b) for b in w] for a in w])


@pytest.mark.parametrize("name", FORMS)
def test_the_form_and_the_energy_give_the_motion(name: str) -> None:
    r"""$i_X\Omega = dh$ with $X$ from accelerations of multipliers, and $d(f\Omega) = 0$ by components, both in numbers of the test."""
    h = FORMS[name].hamiltonize()
    base, form = h.base, h.form
    q = [sp.Symbol(s.name) for s in base.coordinates]
    w = [sp.Symbol(s.name) for s in base.velocities]
    n, values = len(q), {sp.Symbol(k): v for k, v in base.parameters.items()}
    pi = [sp.Symbol(s.name) for s in form.frame.coordinates[n:]]
    G = inertia(h, w)
    L = to_sympy(base.lagrangian)
    V = -L.subs(dict.fromkeys(w, 0))
    if name == "with a magnetic force":
        V += sp.Symbol("x") ** 2 / 2
    energy = (sp.Matrix(pi).T * G.inv() * sp.Matrix(pi))[0] / 2 + V
    rng = np.random.default_rng(4)
    state = {s.name: rng.uniform(0.2, 0.9) for s in (*base.coordinates, *base.velocities)}
    at = {**values, **{sp.Symbol(k): v for k, v in state.items()}}
    rates = (
        FORMS[name]
        .derive("lagrange-dalembert")
        .accelerations({**{s.name: 0.1 for s in FORMS[name].coordinates}, **state})
    )
    momenta = G * sp.Matrix(w)
    at |= {p: float(value.subs(at)) for p, value in zip(pi, momenta, strict=True)}
    acceleration = dict(zip(w, (rates[f"{s}'"] for s in w), strict=True))
    push = [
        sum(m.diff(s) * v for s, v in zip(q, w, strict=True)) + sum(m.diff(v) * a for v, a in acceleration.items())
        for m in momenta
    ]
    X = np.array([float(sp.sympify(value).subs(at)) for value in (*w, *push)])
    omega = np.zeros((2 * n, 2 * n))
    for (i, j), value in form.components.items():
        omega[i, j] = float(to_sympy(value).subs(at))
    omega -= omega.T
    slopes = [float(energy.diff(s).subs(at)) for s in (*q, *pi)]
    np.testing.assert_allclose(X @ omega, slopes, atol=1e-12)
    f, both = to_sympy(h.multiplier), [*q, *pi]
    table = {k: to_sympy(v) for k, v in form.components.items()}

    def part(i: int, j: int) -> sp.Expr:
        return f * (table.get((i, j), 0) if i < j else -table.get((j, i), 0))

    for i in range(2 * n):
        for j in range(i):
            for k in range(j):
                total = part(j, k).diff(both[i]) + part(k, i).diff(both[j]) + part(i, j).diff(both[k])
                assert abs(float(sp.sympify(total).subs(at))) < 1e-12
    assert (h.multiplier * form).is_closed()
    assert bool(form.is_closed()) == h.conditionally_variational


def test_on_a_group_and_where_time_enters() -> None:
    suslov = System(
        name="top", group="SO3", coordinates=["r"], lagrangian="(w1^2 + 2*w2^2 + 3*w3^2 + r'^2)/2", constraints=[]
    )
    form = suslov.hamiltonize().form
    assert form is not None
    assert form.is_closed()
    assert form.components[0, 1] != 0  # Euler's equations come from it
    assert catalogue.disc_on_circle().hamiltonize().form is None
    assert catalogue.chaplygin_sleigh().hamiltonize().form is None


def test_momenta_are_the_slopes_of_the_new_lagrangian() -> None:
    for system in (catalogue.free_particle(), catalogue.knife_edge(), catalogue.disc_on_circle(), CHARGED):
        h = system.hamiltonize()
        L = to_sympy(h.lagrangian)
        for w, (name, value) in zip(h.base.velocities, h.momenta_in_tau.items(), strict=True):
            assert sp.simplify(to_sympy(value) - L.diff(sp.Symbol(w.name))) == 0, (system.name, name)


def test_the_old_time_from_the_new_one() -> None:
    r"""Fernandez and Bloch 5.2: $t = \sinh(\alpha\tau)/\alpha$; 5.3: $\tau = \sin(\omega t)/\omega$."""
    particle, edge = catalogue.free_particle(), catalogue.knife_edge()
    run = particle.simulate({"x": 0, "y": 0, "z": 0, "x'": 0.8, "y'": 1.3}, until=3.0)
    tau = np.linspace(0, 1.9, 7)
    np.testing.assert_allclose(particle.hamiltonize().old_time(run, tau), np.sinh(0.8 * tau) / 0.8, atol=1e-12)
    run = edge.simulate({"x": 0, "y": 0, "phi": 0, "x'": 0.1, "phi'": 0.9}, times=[0, 0.4, 1.5])
    h = edge.hamiltonize()
    found = h.old_time(run, [0.3, 0.9])
    np.testing.assert_allclose(found, np.arcsin(0.9 * found["tau"]) / 0.9, atol=1e-12)
    with blames(IntegrationError, "tau"):
        h.old_time(run, 2.0)
    with blames(IntegrationError):
        h.old_time(run, "soon")
    uneven = System(  # a multiplier that is known by its differential alone
        name="uneven",
        coordinates=["x", "y", "z"],
        lagrangian="(x'^2 + cosh(x)*y'^2 + z'^2)/2",
        constraints=["z' = x*y'"],
    )
    run = uneven.simulate({"x": 0.2, "y": 0.1, "z": 0, "x'": 0.5, "y'": 0.4}, times=np.linspace(0, 2, 9))
    h_uneven = uneven.hamiltonize()
    few = h_uneven.time(run.at([0, 0.61, 1.17, 2])).values
    np.testing.assert_allclose(h_uneven.old_time(run, few), [0, 0.61, 1.17, 2], atol=1e-12)
    turned = edge.simulate({"x": 0, "y": 0, "phi": 0, "x'": 0.1, "phi'": 0.9}, until=4.0)
    with blames(IntegrationError):
        h.old_time(turned, 0.1)


@pytest.mark.parametrize(("slope", "several"), [("1/4", True), ("sin(theta)/3", False)])
def test_a_multiplier_known_by_its_differential_is_followed_round_the_circle(slope: str, several: bool) -> None:
    r"""$\psi_\theta = -gg'/(e + g^2)$ with an inertia that hides the primitive; $g = e^{\theta/4}$ grows in a turn, $e^{\sin\theta}$ does not."""
    g = "exp(theta/4)" if several else "exp(sin(theta)/3)"
    system = System(
        name="winding", coordinates={"theta": "angle", "y": "length", "z": "length"},
        lagrangian="(theta'^2 + cosh(sin(theta))*y'^2 + z'^2)/2", constraints=[f"z' = {g}*y'"],
    )  # fmt: skip
    h = system.hamiltonize()
    assert h.multiplier is None
    assert [("function on a cover" in each) for each in h.warnings] == [True] * several


def test_the_picture_has_both_times(tmp_path: Any) -> None:
    system = catalogue.free_particle()
    h = system.hamiltonize()
    run = system.simulate({"x": 0, "y": 0, "z": 0, "x'": 0.8, "y'": 1.3}, until=3.0)
    axes = h.plot(run)
    tau = h.time(run).values
    (left, right), (below, inverse) = axes
    for ax, clock in ((left, run.time.values), (right, tau)):
        assert [line.get_label() for line in ax.get_lines()] == ["$x$", "$y$"]  # z is no coordinate of the base
        for line, name in zip(ax.get_lines(), "xy", strict=True):
            np.testing.assert_array_equal(line.get_xdata(), clock)
            np.testing.assert_array_equal(line.get_ydata(), run[name].values)
    np.testing.assert_array_equal(below.get_lines()[1].get_ydata(), tau)
    np.testing.assert_array_equal(inverse.get_lines()[1].get_xdata(), tau)
    h.plot(run, tmp_path / "both.png")
    assert (tmp_path / "both.png").read_bytes().startswith(b"\x89PNG")
    with blames(ah.errors.NotSupportedError):
        h.plot(run, 3)
    with blames(ah.errors.NotSupportedError):
        catalogue.chaplygin_sleigh().hamiltonize().plot(run)
    assert to_text(h.multiplier) == "1/sqrt(x^2 + 1)"
