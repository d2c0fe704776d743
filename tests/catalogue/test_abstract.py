"""Particles on the classical distributions, and Bilimović's body: their facts, against closed forms and quadratures."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ellipk, ellipkinc

from anholonomy import Error, System, catalogue
from anholonomy.catalogue import ENTRIES
from anholonomy.public.system import Motion
from tests.catalogue.checks import Checks, constant, motion, registers, stated, values
from tests.wording import blames

CHECKS: Checks = {}
fact = registers(CHECKS)
CLAIMED: Checks = {}
claimed = registers(CLAIMED)

KEYS = [
    "heisenberg",
    "generalized-heisenberg",
    "martinet",
    "engel",
    "contact-particle",
    "nonholonomic-oscillator",
    "bilimovic",
]


def test_every_fact_of_these_entries_has_its_check() -> None:
    assert set(CHECKS) == stated(KEYS)


def without_constraints(system: System) -> System:
    """The same kinetic and potential energy, and nothing else."""
    from anholonomy.language import to_text

    names = [str(q) for q in system.coordinates]
    text = to_text(system.lagrangian)
    return System(name="free", coordinates=names, lagrangian=text, parameters=system.parameters)


def strays(key: str, system: System | None = None, until: float = 8.0) -> float:
    """How far the motion is from that of the system without its constraints, from the same start."""
    constrained = system or ENTRIES[key].make()
    run = constrained.simulate(ENTRIES[key].start, until=until)
    names = [name for q in run.data["coordinate"].values for name in (str(q), f"{q}'")]
    free = without_constraints(constrained).simulate(
        {name: float(run[name][0]) for name in names}, times=run.time.values
    )
    return float(np.abs(run.data["q"].values - free.data["q"].values).max())


# Heisenberg.


@fact("heisenberg", "motions are straight lines, run through at constant speed, as without the constraint")
def _() -> None:
    run = motion("heisenberg")
    height = -0.5 * 0.4 - 1.0 * 0.7
    for name, first, speed in (("x", 1.0, 0.4), ("y", -0.5, 0.7), ("z", 0.0, height)):
        np.testing.assert_allclose(run[name], first + speed * run.time.values, atol=1e-13)
    assert strays("heisenberg") < 1e-12
    assert np.abs(run.data["reaction"].values).max() < 1e-14


@fact("heisenberg", "the growth vector is (2, 3) everywhere, with [e1, e2] = -2 d/dz")
def _() -> None:
    D = catalogue.heisenberg().geometry.distribution
    assert [str(component) for component in D.bracket(0, 1)] == ["0", "0", "-2"]
    assert D.growth_vector() == (2, 3)
    assert not any((D.singular_points() or {1: ("?",)}).values())


@fact("heisenberg", "vakonomic motions with the multiplier mu have circles of radius m v / (2 |mu|) as shadows")
def _() -> None:
    mu, m, speed = -0.6, 1.7, np.hypot(0.4, 0.7)
    start = {**ENTRIES["heisenberg"].start, "z'": -0.5 * 0.4 - 1.0 * 0.7, "mu1": mu}
    run = catalogue.heisenberg(m=m).simulate(start, until=12.0, by="vakonomic")
    # m x'' = 2 mu y', m y'' = -2 mu x': the centre is to the right of the velocity for mu > 0.
    x0, y0 = 1.0 + m * 0.7 / (2 * mu), -0.5 - m * 0.4 / (2 * mu)
    np.testing.assert_allclose(np.hypot(run["x"] - x0, run["y"] - y0), m * speed / (2 * abs(mu)), rtol=1e-11)


def test_J11_the_printed_function_has_the_other_orientation() -> None:
    """Remark 4.5 writes z' - x y' + y x' for what Example 4.4 calls z' - y x' + x y'; on e1, e2 only the latter vanishes."""
    D = catalogue.heisenberg().geometry.distribution
    for x, y in ((0.3, -0.8), (1.2, 0.4)):
        for dx, dy, dz in ([float(e.subs({"x": x, "y": y})) for e in row] for row in D.vectors_ai):
            assert dz - y * dx + x * dy == pytest.approx(0)
            assert abs(dz - x * dy + y * dx) > 0.1


def test_J11_an_integrable_constraint_is_vakonomic_and_not_free() -> None:
    """Proposition 4.6 needs a distribution without leaves: on z' = 0 both problems agree, and the weight is held up."""
    shelf = System(
        name="shelf", coordinates=["x", "y", "z"], lagrangian="(x'^2 + y'^2 + z'^2)/2 - z", constraints=["z' = 0"]
    )
    start = {"x": 0.0, "y": 0.0, "z": 0.0, "x'": 1.0, "y'": 0.5}
    held = shelf.simulate(start, until=2.0)
    same = shelf.simulate({**start, "z'": 0.0, "mu1": 0.3}, times=held.time.values, by="vakonomic")
    assert np.abs(held.data["q"].values - same.data["q"].values).max() < 1e-13
    free = without_constraints(shelf).simulate({**start, "z'": 0.0}, until=2.0)
    assert float(free["z"][-1]) == pytest.approx(-2.0)
    assert shelf.geometry.distribution.rank == 2


# The generalized Heisenberg system.


@fact("generalized-heisenberg", "every motion is one of the system without the constraint")
def _() -> None:
    assert strays("generalized-heisenberg") < 1e-10
    wild = catalogue.generalized_heisenberg(
        "2 + sin(x)", "x*y/4", "2 + cos(y)", "exp(z/5 + x)", "x^4/4 + cosh(y)*k", {"k": 0.5}
    )
    assert strays("generalized-heisenberg", wild, until=4.0) < 1e-10


@fact(
    "generalized-heisenberg",
    "the shadow moves as a particle on a surface, and the height changes by minus twice the area that it sweeps",
)
def _() -> None:
    run = motion("generalized-heisenberg")
    surface = System(
        name="surface",
        coordinates=["x", "y"],
        lagrangian="((m + a*x^2)*x'^2 + a*x*y*x'*y' + (m + a*y^2)*y'^2)/2 - k/2*(x^2 + y^2)",
        parameters={"m": 1.0, "a": 0.5, "k": 2.0},
    ).simulate({"x": 1.0, "y": 0.0, "x'": 0.3, "y'": 0.9}, times=run.time.values)
    for name in ("x", "y"):
        np.testing.assert_allclose(run[name], surface[name], atol=1e-11)
    nodes, weights = np.polynomial.legendre.leggauss(60)
    swept = catalogue.generalized_heisenberg().simulate(
        ENTRIES["generalized-heisenberg"].start, times=[0.0, *(1.5 * (1 + nodes)), 3.0]
    )
    x, y, dx, dy = (q[1:-1] for q in values(swept, "x", "y", "x'", "y'"))
    area = 1.5 * weights @ (x * dy - y * dx) / 2
    assert float(swept["z"][-1]) == pytest.approx(-2 * area, rel=1e-11)


@fact("generalized-heisenberg", "as an isotropic oscillator it loses in each turn twice the area of an ellipse")
def _() -> None:
    system = catalogue.generalized_heisenberg("m", "0", "m", "m", "k/2*(x^2 + y^2)", {"m": 1.0, "k": 4.0})
    run = system.simulate({"x": 1.0, "y": 0.0, "z": 0.0, "x'": 0.0, "y'": 1.4}, until=3 * np.pi)
    assert float(run["z"][-1]) == pytest.approx(-2 * 3 * np.pi * 1.0 * 0.7, rel=1e-12)


@fact("generalized-heisenberg", "a potential that depends on the height needs a reaction")
def _() -> None:
    heavy = catalogue.generalized_heisenberg("m", "0", "m", "m", "m*g*z", {"m": 1.0, "g": 1.0})
    assert strays("generalized-heisenberg", heavy, until=2.0) > 0.1


# Martinet and Engel.


@fact("martinet", "the growth vector is (2, 3), but (2, 2, 3) on the plane y = 0")
def _() -> None:
    D = catalogue.martinet().geometry.distribution
    assert D.growth_vector() == (2, 3)
    assert D.growth_vector(at={"y": 0}) == (2, 2, 3)
    assert {step: [str(e) for e in where] for step, where in (D.singular_points() or {}).items()} == {1: [], 2: ["y"]}


@claimed("martinet", "y' and sqrt(1 + y^4/4) x' are constant")
def _() -> None:
    y, dx, dy = values(motion("martinet"), "y", "x'", "y'")
    assert constant(dy)
    assert constant(np.sqrt(1 + y**4 / 4) * dx)
    assert y[0] < 0 < y[-1]  # through the plane


def _elliptic(y: np.ndarray) -> np.ndarray:
    return ellipkinc(2 * np.arctan(y / np.sqrt(2)), 0.5) / np.sqrt(2)


@fact("martinet", "x = (x'(0) / (sqrt(2) y'(0))) F(2 atan(y / sqrt(2)) | 1/2) for a start at the origin")
def _() -> None:
    x, y = values(motion("martinet", y=0.0), "x", "y")
    np.testing.assert_allclose(x, 0.6 / 0.5 * _elliptic(y), atol=1e-12)


@fact(
    "martinet",
    "from end to end x changes by 2 sqrt(2) K(1/2) times the slope x'/y' at y = 0, while y and z run away",
)
def _() -> None:
    x, y, z = values(motion("martinet", y=-500.0, until=2000.0, x_=0.6 / np.sqrt(1 + 500.0**4 / 4)), "x", "y", "z")
    # What is missing beyond y = 500 on either side is 2/y.
    assert np.ptp(x) == pytest.approx(1.2 * (2 * np.sqrt(2) * ellipk(0.5) - 4 / 500), rel=1e-7)
    assert y[-1] == pytest.approx(500)
    assert np.ptp(z) > 500


@fact("engel", "the growth vector is (2, 3, 4) everywhere")
def _() -> None:
    D = catalogue.engel().geometry.distribution
    assert D.growth_vector() == (2, 3, 4)
    assert not any((D.singular_points() or {1: ("?",)}).values())


@claimed("engel", "y' and sqrt(1 + y^2 + z^2) x' are constant")
def _() -> None:
    y, z, dx, dy = values(motion("engel"), "y", "z", "x'", "y'")
    assert constant(dy)
    assert constant(np.sqrt(1 + y**2 + z**2) * dx)
    assert not constant(dx, 0.1)


@fact("engel", "with y' = 0 the path is the parabola z = z0 + y x, w = z0 x + y x^2 / 2")
def _() -> None:
    x, z, w = values(motion("engel", y_=0.0), "x", "z", "w")
    np.testing.assert_allclose(z, 0.5 - 1.5 * x, atol=1e-12)
    np.testing.assert_allclose(w, 0.5 * x - 0.75 * x**2, atol=1e-12)


# The contact particle.


@fact("contact-particle", "the growth vector is (2 n, 2 n + 1) everywhere, and theta([X_a, X_b]) is a regular matrix")
def _() -> None:
    for n in (1, 2, 3):
        D = catalogue.contact_particle(n).geometry.distribution
        assert D.growth_vector() == (2 * n, 2 * n + 1)
        assert not any((D.singular_points() or {1: ("?",)}).values())
        # The brackets are multiples of d/dz here, on which theta is 1.
        form = np.array([[float(D.bracket(a, b)[-1]) for b in range(2 * n)] for a in range(2 * n)])
        assert abs(np.linalg.det(form)) == pytest.approx(1.0)


def _contact(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Along a motion in 2 n + 1 dimensions: y, x', y' with a row for each pair, and z'."""
    rng = np.random.default_rng(n)
    start = {f"{q}{i}{prime}": rng.uniform(-1, 1) for q in "xy" for i in range(1, n + 1) for prime in ("", "'")}
    run = catalogue.contact_particle(n).simulate({**start, "z": 0.0}, until=10.0)
    pairs = range(1, n + 1)
    y, dx, dy = (np.array(values(run, *(name.format(i) for i in pairs))) for name in ("y{}", "x{}'", "y{}'"))
    return y, dx, dy, run["z'"].values


@claimed("contact-particle", "y1', …, yn' and sqrt(1 + |y|^2) (y1' x1' + … + yn' xn') are constant")
def _() -> None:
    for n in (1, 2, 3):
        y, dx, dy, _ = _contact(n)
        assert all(map(constant, dy))
        assert constant(np.sqrt(1 + (y**2).sum(0)) * (dx * dy).sum(0))
        assert not constant((dx * dy).sum(0), 0.1)


@claimed("contact-particle", "yi' (xj' + yj z') - yj' (xi' + yi z') is constant")
def _() -> None:
    y, dx, dy, dz = _contact(3)
    momentum = dx + y * dz
    for i, j in ((0, 1), (0, 2), (1, 2)):
        assert constant(dy[i] * momentum[j] - dy[j] * momentum[i])
        assert not constant(momentum[i], 0.01)


@fact("contact-particle", "for n = 1 it is the nonholonomic free particle")
def _() -> None:
    known = motion("free-particle", x=-1.0)
    start = {"x1": 0.0, "y1": -1.0, "z": 0.0, "x1'": 1.3, "y1'": 0.7}
    run = catalogue.contact_particle(1).simulate(start, times=known.time.values)
    for name, other, sign in (("x1", "y", 1), ("y1", "x", 1), ("z", "z", -1)):
        np.testing.assert_allclose(run[name], sign * known[other], atol=1e-12)


@pytest.mark.parametrize("n", [0, -1, 2.0, True, "3"])
def test_no_number_of_pairs_is_refused_in_a_sentence(n: object) -> None:
    with blames(Error):
        catalogue.contact_particle(n)  # type: ignore[arg-type]


# The nonholonomic oscillator.


@claimed("nonholonomic-oscillator", "m y'^2 + ky y^2 and m (1 + y^2) x'^2 + kx x^2 are constant")
def _() -> None:
    x, y, dx, dy = values(motion("nonholonomic-oscillator"), "x", "y", "x'", "y'")
    assert constant(dy**2 + 2 * y**2)
    assert constant((1 + y**2) * dx**2 + x**2)


def _clock(t: np.ndarray, amplitude: float, rate: float) -> np.ndarray:
    """The integral of dt / sqrt(1 + A^2 sin^2(rate t))."""
    return ellipkinc(rate * t, -(amplitude**2)) / rate


@fact("nonholonomic-oscillator", "x oscillates harmonically in the time tau, with dtau = dt / sqrt(1 + y^2)")
def _() -> None:
    m, kx, ky = 1.3, 0.9, 2.2
    run = catalogue.nonholonomic_oscillator(m, kx, ky).simulate(ENTRIES["nonholonomic-oscillator"].start, until=20.0)
    rate, slow = np.sqrt(ky / m), np.sqrt(kx / m)
    tau = _clock(run.time.values, 1.6 / rate, rate)
    np.testing.assert_allclose(run["x"], 0.5 * np.cos(slow * tau) + 0.9 / slow * np.sin(slow * tau), atol=1e-11)


@fact(
    "nonholonomic-oscillator",
    "without kx, x drifts at the mean rate (2/pi) K(-A^2) sqrt(1 + y^2) x' for the amplitude A of y, and z is periodic",
)
def _() -> None:
    rate = np.sqrt(2.0)
    turn = 2 * np.pi / rate
    run = catalogue.nonholonomic_oscillator(kx=0.0).simulate(
        ENTRIES["nonholonomic-oscillator"].start, times=[0.0, turn / 4, turn, 2 * turn]
    )
    drift = 2 / np.pi * ellipk(-(1.6**2) / 2) * 0.9
    np.testing.assert_allclose(run["x"].values[2:], 0.5 + drift * turn * np.array([1, 2]), rtol=1e-12)
    np.testing.assert_allclose(run["z"].values[2:], 0.0, atol=1e-12)
    assert abs(float(run["z"][1])) > 0.1


# Bilimović's body.

INERTIA = np.array([3.0, 1.0, 2.0])


def _rates(run: Motion) -> np.ndarray:
    return np.array(values(run, "w1", "w2", "w3"))


@claimed("bilimovic", "the energy is constant although the constraint moves")
def _() -> None:
    for f in ("k*sin(nu*t)", "k*t*exp(-nu*t) + 1"):
        run = catalogue.bilimovic(f).simulate(ENTRIES["bilimovic"].start, until=10.0)
        energy = (INERTIA[:, None] * _rates(run) ** 2).sum(0) / 2
        assert constant(energy)
        assert np.ptp(run["w2"].values / run["w1"].values) > 0.1


def _closed(kappa: np.ndarray, f: np.ndarray, energy: float) -> np.ndarray:
    I1, I2, I3 = INERTIA
    w1 = np.sqrt(2 * energy / (I1 + I2 * f**2)) / np.cosh(kappa)
    return np.array([w1, f * w1, np.sqrt(2 * energy / I3) * np.tanh(kappa)])


@fact(
    "bilimovic",
    "w3 = sqrt(2 E / I3) tanh(kappa), w1 = sqrt(2 E / (I1 + I2 f^2)) / cosh(kappa), "
    "kappa' = sqrt(2 E / I3) (I1 - I2) f / (I1 + I2 f^2)",
)
def _() -> None:
    I1, I2, I3 = INERTIA
    energy = (I1 * 1.2**2 + I3 * 0.3**2) / 2
    push, first = np.sqrt(2 * energy / I3) * (I1 - I2), np.arctanh(0.3 / np.sqrt(2 * energy / I3))
    run = motion("bilimovic")
    t, k, nu = run.time.values, 1.5, 0.7
    A, B = np.sqrt(I1 + I2 * k**2), np.sqrt(I2) * k
    kappa = first + push * k / (nu * A * B) * (np.arctanh(B / A) - np.arctanh(B / A * np.cos(nu * t)))
    np.testing.assert_allclose(_rates(run), _closed(kappa, k * np.sin(nu * t), energy), atol=1e-12)
    run = catalogue.bilimovic("k*t", {"k": 0.8}).simulate(ENTRIES["bilimovic"].start, until=5.0)
    t = run.time.values
    kappa = first + push * np.log1p(I2 / I1 * (0.8 * t) ** 2) / (2 * I2 * 0.8)
    np.testing.assert_allclose(_rates(run), _closed(kappa, 0.8 * t, energy), atol=1e-12)


@fact("bilimovic", "with f = k sin(nu t) the rates have the period 2 pi / nu")
def _() -> None:
    turn = 2 * np.pi / 0.7
    run = catalogue.bilimovic().simulate(
        ENTRIES["bilimovic"].start, times=[0.0, 1.0, turn / 2, turn, 1.0 + turn, 1.5 * turn]
    )
    np.testing.assert_allclose(_rates(run)[:, 3:], _rates(run)[:, :3], atol=1e-12)
    assert np.ptp(_rates(run)[2]) > 0.1


@fact("bilimovic", "with a constant f it tends to a rotation about the third axis")
def _() -> None:
    for f0, way in ((0.8, 1), (-0.8, -1)):
        run = catalogue.bilimovic("f0", {"f0": f0}).simulate(ENTRIES["bilimovic"].start, until=40.0)
        last = np.sqrt((3.0 * (1.2**2) + (f0 * 1.2) ** 2 + 2.0 * 0.3**2) / 2.0)
        np.testing.assert_allclose(_rates(run)[:, -1], [0, 0, way * last], atol=1e-9)


@pytest.mark.parametrize(("key", "text"), CHECKS | CLAIMED, ids=lambda value: str(value)[:40])
def test_the_fact_holds(key: str, text: str) -> None:
    (CHECKS | CLAIMED)[key, text]()
