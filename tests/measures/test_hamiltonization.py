"""Chaplygin's multiplier against closed forms, integrated motions and systems built to have one."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
import sympy as sp

from anholonomy import Error, System, Verdict, catalogue
from anholonomy.errors import ArgumentError, NotSupportedError, UnknownNameError
from tests.wording import blames, pinned


def start_of(system: System, base: Any, rng: random.Random) -> dict[str, float]:
    """A random start over the base; the fibre begins where nothing matters."""
    places = {q.name: rng.uniform(0.2, 0.7) for q in system.coordinates}
    return places | {w.name: rng.uniform(0.3, 0.9) for w in base.velocities}


KNOWN = {
    "free_particle": "1/sqrt(1 + x**2)",
    "knife_edge": "cos(phi)",
    "rolling_disk": "1",
    "carriage": "sin(phi)",
    "heisenberg": "1",
}


@pytest.mark.parametrize("name", KNOWN)
def test_multipliers_of_the_literature(name: str) -> None:
    """Chaplygin's, Fernandez and Bloch's: up to a constant factor."""
    h = getattr(catalogue, name)().hamiltonize()
    assert h.verdict is Verdict.PROVEN
    ratio = sp.sympify(str(h.multiplier)) / sp.sympify(KNOWN[name])
    assert all(sp.simplify(ratio.diff(s)) == 0 for s in ratio.free_symbols)
    assert h.conditionally_variational == (KNOWN[name] == "1")


@pytest.mark.parametrize("name", KNOWN)
def test_hamiltons_equations_in_the_new_time_are_the_motion(name: str) -> None:
    """Written in the test from the Hamiltonian alone, integrated by SciPy at the times tau(t)."""
    from scipy.integrate import solve_ivp

    system = getattr(catalogue, name)()
    h = system.hamiltonize()
    start = start_of(system, h.base, random.Random(3))
    run = system.simulate(start, times=np.linspace(0, 0.8, 9))
    values = {k: v for k, v in system.parameters.items() if v is not None}
    H = sp.sympify(str(h.hamiltonian), locals={n: sp.Symbol(n) for n in ("I", "E")}).subs(values)
    q = [sp.Symbol(s.name) for s in h.base.coordinates]
    p = [sp.Symbol(name) for name in h.momenta]
    rates = sp.lambdify([*q, *p], [*(H.diff(s) for s in p), *(-H.diff(s) for s in q)])
    begin = [start[s.name] for s in q] + [float(run[str(_text(value))][0]) for value in h.momenta.values()]
    tau = h.time(run).values
    found = solve_ivp(lambda _, y: rates(*y), (0, tau[-1]), begin, "DOP853", tau, rtol=1e-13, atol=1e-14)
    for k, s in enumerate(q):
        np.testing.assert_allclose(found.y[k], run[s.name].values, atol=1e-11)
    assert h.check(run)


def _text(value: Any) -> str:
    from anholonomy.language import to_text

    return to_text(value)


def test_the_new_time_and_the_value_at_a_state() -> None:
    """d tau = f dt: tau of the free particle is asinh(x)/x'."""
    system = catalogue.free_particle()
    h = system.hamiltonize()
    run = system.simulate({"x": 0, "y": 0, "z": 0, "x'": 0.8, "y'": 1.3}, until=3.0)
    np.testing.assert_allclose(h.time(run).values, np.arcsinh(0.8 * run.time.values) / 0.8, atol=1e-13)
    assert h({"x": 2.0}) == pytest.approx(5**-0.5, abs=1e-15)
    assert h({"x": "sqrt(3)", "y": 1, "z": 0}) == pytest.approx(0.5, abs=1e-15)


def test_a_multiplier_without_closed_form_is_integrated() -> None:
    r"""$\psi_x = -x/(\cosh x + x^2)$: its integral, the new time and the motion in it are numbers."""
    from scipy.integrate import quad

    system = System(
        name="uneven",
        coordinates=["x", "y", "z"],
        lagrangian="(x'^2 + cosh(x)*y'^2 + z'^2)/2",
        constraints=["z' = x*y'"],
    )
    h = system.hamiltonize()
    assert h.verdict is Verdict.PROVEN
    assert h.multiplier is None
    assert h.lagrangian is None
    expected = np.exp(quad(lambda x: -x / (np.cosh(x) + x * x), 0, 0.7, epsabs=1e-14)[0])
    assert h({"x": 0.7, "y": 0.4}) == pytest.approx(expected, abs=1e-13)
    run = system.simulate({"x": 0.2, "y": 0.1, "z": 0, "x'": 0.5, "y'": 0.4}, until=2.0)
    assert h.check(run)
    assert "d(ln f) along x" in str(h)


def test_a_wrong_multiplier_is_noticed_along_a_motion() -> None:
    """The check can fail: the motion of another system is none of this one in its new time."""
    system, other = catalogue.free_particle(), catalogue.heisenberg()
    h = system.hamiltonize()
    run = other.simulate({"x": 0.3, "y": 0, "z": 0, "x'": 0.8, "y'": 1.3}, until=3.0)
    assert h.check(run).is_refuted


class TestRefuted:
    """The failing equation is named, with a point."""

    def test_the_sleigh_with_offset_mass(self) -> None:
        h = catalogue.chaplygin_sleigh(m=None, I=None, a=None).hamiltonize()
        assert h.verdict is Verdict.REFUTED
        assert "d(d ln f)(y, theta)" in str(h)
        assert "it holds only where" in str(h)
        assert "a = 0" in str(h)
        assert h.finding.check() is Verdict.REFUTED
        assert catalogue.chaplygin_sleigh(a=0.0).hamiltonize().verdict is Verdict.PROVEN

    @pytest.mark.parametrize("name", ["snakeboard", "leaning_disc", "chaplygin_ball"])
    def test_surplus_over_a_base_of_dimension_three(self, name: str) -> None:
        """For the ball: not Hamiltonizable over SO(3), as Ehlers, Koiller, Montgomery and Rios found."""
        h = getattr(catalogue, name)().hamiltonize(fibre=["x", "y"])
        assert h.verdict is Verdict.REFUTED
        assert "the surplus of the equation of" in str(h)

    def test_closedness_over_a_base_of_dimension_three(self) -> None:
        r"""$\dot z_i = x\,\dot r_i$ with the mass $M(y)$: every equation is solved by $\psi = -Mx\,dx/(1 + Mx^2)$, not closed."""
        words: dict[str, Any] = {
            "coordinates": ["x", "y", "s", "z1", "z2", "z3"],
            "constraints": ["z1' = x*x'", "z2' = x*y'", "z3' = x*s'"],
        }
        fibre = ["z1", "z2", "z3"]
        even = System(lagrangian="(x'^2 + y'^2 + s'^2 + 2*(z1'^2 + z2'^2 + z3'^2))/2", **words).hamiltonize(fibre)
        assert str(even.multiplier) == "(1 + 2*x**2)**(-1/2)"
        uneven = System(lagrangian="(x'^2 + y'^2 + s'^2 + (1 + y^2)*(z1'^2 + z2'^2 + z3'^2))/2", **words)
        assert "d(d ln f)(x, y)" in str(uneven.hamiltonize(fibre))

    def test_forces(self) -> None:
        """Over a base of dimension two: drag that is not proportional to the inertia."""
        system = System(
            name="dragged", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2", parameters=["c", "k"],
            forces={"x": "-c*x'", "y": "-k*y'"},
        )  # fmt: skip
        h = system.hamiltonize()
        assert "the surplus of the drag of x'" in str(h)
        assert "it holds only where c = k" in str(h)
        swirl = System(name="swirl", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2", forces={"x": "-y", "y": "x"})
        assert "the curl of the force at rest(x, y) = 2" in str(swirl.hamiltonize())


def test_forces_with_a_potential_and_magnetic_ones() -> None:
    system = System(
        name="charged", coordinates=["x", "y", "z"], lagrangian="(x'^2 + y'^2 + z'^2)/2", constraints=["z' = x*y'"],
        forces={"x": "B*x*y' - k*x", "y": "-B*x*x'"}, parameters={"B": 0.7, "k": 2.0},
    )  # fmt: skip
    h = system.hamiltonize()
    assert h.verdict is Verdict.PROVEN
    assert h.gyroscopic
    run = system.simulate({"x": 0.3, "y": 0, "z": 0, "x'": 0.8, "y'": 1.3}, until=3.0)
    assert h.check(run)


def test_a_magnetic_field_that_the_multiplier_spoils() -> None:
    r"""$d\beta = 0$ but $d(f\beta) \ne 0$: over three dimensions the new Lagrangian would need a field with sources."""
    words: dict[str, Any] = {
        "coordinates": ["x", "y1", "y2", "z1", "z2"],
        "lagrangian": "(x'^2 + y1'^2 + y2'^2 + z1'^2 + z2'^2)/2",
        "constraints": ["z1' = x*y1'", "z2' = x*y2'"],
    }
    free = System(name="free", **words)
    assert free.hamiltonize().verdict is Verdict.PROVEN
    held = System(name="held", **words, forces={"y1": "y2'", "y2": "-y1'"})
    assert "d(f beta)" in str(held.hamiltonize())
    # One that is not closed by itself, and is with the multiplier.
    mended = System(name="mended", **words, forces={"y1": "sqrt(1 + x^2)*y2'", "y2": "-sqrt(1 + x^2)*y1'"})
    h = mended.hamiltonize()
    assert h.verdict is Verdict.PROVEN, str(h)
    start = {"x": 0.3, "y1": 0, "y2": 0.1, "z1": 0, "z2": 0, "x'": 0.4, "y1'": 0.5, "y2'": -0.3}
    assert h.check(mended.simulate(start, until=1.5))


def test_groups_as_fibre() -> None:
    """Over SE(2) and SO(3), checked along motions; with and without closedness."""
    for group, rows in (
        ("SE2", ["v1 = r*s'", "v2 = 0", "w = s'"]),
        ("SO3", ["w1 = sin(r)*s'", "w2 = 0", "w3 = s'"]),
    ):
        speeds = ["v1", "v2", "w"] if group == "SE2" else ["w1", "w2", "w3"]
        kinetic = "+".join(f"{k + 1}*{u}^2/2" for k, u in enumerate(speeds))
        system = System(
            name=group, group=group, coordinates=["r", "s"], lagrangian=f"(r'^2 + s'^2)/2 + {kinetic}", constraints=rows
        )
        h = system.hamiltonize()
        assert h.verdict is Verdict.PROVEN, str(h)
        origin = dict.fromkeys((q.name for q in system.coordinates), 0.0) | ({"q0": 1.0} if group == "SO3" else {})
        run = system.simulate({**origin, "r": 0.3, "s": 0.1, "r'": 0.5, "s'": 0.8}, until=2.0)
        assert h.check(run)


def test_a_multiplier_on_a_cover_is_warned_of() -> None:
    system = System(
        name="spiral", coordinates={"theta": "angle", "y": "length", "z": "length"},
        lagrangian="(theta'^2 + y'^2 + z'^2)/2", constraints=["z' = theta*y'"],
    )  # fmt: skip
    assert system.hamiltonize().warnings == (
        "f has another value when theta has turned once: it is a function on a cover only",
    )
    half = System(
        name="half", coordinates={"theta": "angle", "y": "length", "z": "length"},
        lagrangian="(theta'^2 + y'^2 + z'^2)/2", constraints=["z'*cos(theta/2) = sin(theta/2)*y'"],
    )  # fmt: skip
    pinned(half.hamiltonize().warnings[0])
    assert catalogue.knife_edge().hamiltonize().warnings == ()


def test_impatience_is_answered_with_unknown() -> None:
    h = catalogue.chaplygin_ball().hamiltonize(time_limit=1e-6)
    assert h.verdict is Verdict.UNKNOWN
    assert "gave up" in str(h)


def test_bad_questions_get_a_sentence() -> None:
    h = catalogue.free_particle().hamiltonize()
    with blames(UnknownNameError):
        h({"xx": 1.0})
    with blames(Error, "x"):
        h({"y": 1.0})
    with blames(ArgumentError):
        h(3)  # type: ignore[arg-type]
    with blames(NotSupportedError):
        catalogue.chaplygin_sleigh().hamiltonize().time(None)
    with blames(ArgumentError):
        catalogue.free_particle().hamiltonize(time_limit=-1)
    pushed = System(name="pushed", coordinates=["x"], momenta={"x": "x'"}, forces={"x": "-x"})
    with blames(NotSupportedError):
        pushed.hamiltonize()
    with blames(NotSupportedError):
        System(name="cubic", coordinates=["x"], lagrangian="x'^2/2", forces={"x": "-x'^3"}).hamiltonize()
