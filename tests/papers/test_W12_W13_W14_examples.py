r"""W12, W13, W14: the three examples of Fernandez & Bloch, section 5, as motions.

The time $\tau$ with $d\tau = f\,dt$ rides along as a coordinate with the affine constraint $\dot\tau = f(q)$: its virtual displacement is
zero, so it does not touch the motion.
"""

from __future__ import annotations

import numpy as np
import pytest

from anholonomy import System, Verdict, catalogue
from anholonomy.public.system import Motion

TIMES = np.linspace(0.0, 5.0, 101)


def close(left: object, right: object, tolerance: float = 1e-12) -> None:
    np.testing.assert_allclose(np.asarray(left), np.asarray(right), rtol=tolerance, atol=tolerance)


class TestVerticalDisk:
    """5.1, with m = I = J = R = 1."""

    @pytest.fixture
    def run(self) -> Motion:
        start = {"x": 0, "y": 0, "theta": 0, "phi": 0.2, "theta'": 1.5, "phi'": 0.7}
        return catalogue.rolling_disk(1, 1, 1, 1).simulate(start, times=TIMES)

    def test_W12_both_rates_are_conserved(self, run: Motion) -> None:
        close(run["theta'"], np.full_like(TIMES, 1.5))
        close(run["phi'"], np.full_like(TIMES, 0.7))

    def test_W12_the_multipliers_do_no_work_but_do_not_vanish(self, run: Motion) -> None:
        power = (run.reactions * run.data["velocity"]).sum("direction")
        close(power, np.zeros_like(TIMES))
        assert np.abs(run.multipliers.values).max() > 0.5

    def test_W12_the_constrained_lagrangian_counts_the_rolling_twice(self, run: Motion) -> None:
        r"""Printed: $\frac12 f^2(\theta'^2 + \varphi'^2)$. With all constants 1 the centre's motion adds another $\frac12\theta'^2$."""
        roll, turn = run["theta'"].values, run["phi'"].values
        close(run.energy, roll**2 + turn**2 / 2)
        assert np.abs(run.energy.values - (roll**2 + turn**2) / 2).min() > 1.0


class TestFreeParticle:
    """5.2."""

    alpha_x, alpha_y = 0.8, 1.3

    @pytest.fixture
    def run(self) -> Motion:
        timed = System(
            name="nonholonomic free particle with its own time",
            coordinates=["x", "y", "z", "tau"],
            lagrangian="(x'^2 + y'^2 + z'^2 + tau'^2)/2",
            constraints=["z' + x*y' = 0", "tau' = 1/sqrt(1 + x^2)"],
        )
        start = {"x": 0, "y": 0, "z": 0, "tau": 0, "x'": self.alpha_x, "y'": self.alpha_y}
        return timed.simulate(start, times=TIMES)

    def test_W13_both_momenta_are_conserved(self, run: Motion) -> None:
        close(run["x'"], np.full_like(TIMES, self.alpha_x))
        close(np.sqrt(1 + run["x"] ** 2) * run["y'"], np.full_like(TIMES, self.alpha_y))

    def test_W13_the_motion_in_closed_form(self, run: Motion) -> None:
        x = self.alpha_x * TIMES
        close(run["x"], x)
        close(run["y"], self.alpha_y / self.alpha_x * np.log(x + np.sqrt(1 + x**2)))

    def test_W13_the_closed_form_is_found_from_the_system_alone(self) -> None:
        r"""$x = \alpha_xt$, $y = (\alpha_y/\alpha_x)\ln(x + \sqrt{1 + x^2})$ from the origin, by quadratures."""
        particle = catalogue.free_particle()
        found = particle.closed_form()
        assert found.verdict is Verdict.PROVEN
        start = {"x": 0, "y": 0, "z": 0, "x'": self.alpha_x, "y'": self.alpha_y}
        there, x = found(start, TIMES), self.alpha_x * TIMES
        close(there["x"], x)
        close(there["y"], self.alpha_y / self.alpha_x * np.log(x + np.sqrt(1 + x**2)))
        assert found.check(particle.simulate(start, times=TIMES))

    def test_W13_the_new_time_and_its_inverse(self, run: Motion) -> None:
        x, tau = run["x"].values, run["tau"].values
        close(tau, np.log(x + np.sqrt(1 + x**2)) / self.alpha_x)
        close(TIMES, np.sinh(self.alpha_x * tau) / self.alpha_x)
        close(x, np.sinh(self.alpha_x * tau))
        close(run["y"], self.alpha_y * tau)

    def test_W13_in_the_new_time_the_motion_is_lagrangian(self, run: Motion) -> None:
        r"""$L_c^\tau = \frac12 f^2(x'^2 + (1 + x^2)y'^2)$, $f = (1 + x^2)^{-1/2}$, started with $q' = \dot q/f$."""
        hamiltonized = System(name="in tau", coordinates=["x", "y"], lagrangian="(x'^2/(1 + x^2) + y'^2)/2").simulate(
            {"x": 0, "y": 0, "x'": self.alpha_x, "y'": self.alpha_y}, times=run["tau"].values
        )
        close(hamiltonized["x"], run["x"])
        close(hamiltonized["y"], run["y"])

    def test_W13_the_conservation_laws_hold_from_any_start(self) -> None:
        start = {"x": -1.2, "y": 0.4, "z": 2.0, "x'": 0.9, "y'": -0.6}
        run = catalogue.free_particle().simulate(start, times=TIMES)
        momentum = np.sqrt(1 + run["x"].values ** 2) * run["y'"].values
        close(momentum, np.full_like(TIMES, momentum[0]))


class TestKnifeEdge:
    """5.3, with mass, moment of inertia and gravity 1."""

    slope, omega, kappa = 0.4, 0.9, 0.6

    @pytest.fixture
    def run(self) -> Motion:
        """The constraint regular at every heading; the new time stops growing where cos(phi) = 0, so stay below."""
        timed = System(
            name="knife edge with its own time",
            coordinates=["x", "y", "phi", "tau"],
            lagrangian="(x'^2 + y'^2 + phi'^2 + tau'^2)/2 + x*sin(alpha)",
            constraints=["sin(phi)*x' = cos(phi)*y'", "tau' = cos(phi)"],
            parameters={"alpha": self.slope},
        )
        start = {"x": 0.3, "y": 0, "phi": 0, "tau": 0, "x'": self.kappa, "phi'": self.omega}
        return timed.simulate(start, times=np.linspace(0, 1.6, 81))

    def test_W14_the_motion_in_closed_form(self, run: Motion) -> None:
        phi = self.omega * run.time.values
        close(run["phi"], phi)
        expected = (
            np.sin(self.slope) / (2 * self.omega**2) * np.sin(phi) ** 2 + self.kappa / self.omega * np.sin(phi) + 0.3
        )
        close(run["x"], expected)

    def test_W14_the_closed_form_passes_the_headings_where_the_tangent_is_infinite(self) -> None:
        start = {"x": 0.3, "y": 0, "phi": 0, "x'": self.kappa, "phi'": self.omega}
        run = catalogue.knife_edge(1, 1, 1, self.slope).simulate(start, times=np.linspace(0, 20, 201))
        phi = self.omega * run.time.values
        expected = (
            np.sin(self.slope) / (2 * self.omega**2) * np.sin(phi) ** 2 + self.kappa / self.omega * np.sin(phi) + 0.3
        )
        close(run["x"], expected)

    @pytest.mark.exhaustive
    def test_W14_the_closed_form_is_found_from_the_system_alone(self) -> None:
        """At every heading, and for every slope."""
        knife = catalogue.knife_edge(1, 1, 1, self.slope)
        found = knife.closed_form()
        assert found.verdict is Verdict.PROVEN
        start = {"x": 0.3, "y": 0, "phi": 0, "x'": self.kappa, "phi'": self.omega}
        times = np.linspace(0, 20, 201)
        phi = self.omega * times
        expected = (
            np.sin(self.slope) / (2 * self.omega**2) * np.sin(phi) ** 2 + self.kappa / self.omega * np.sin(phi) + 0.3
        )
        close(found(start, times)["x"], expected)
        assert found.check(knife.simulate(start, times=times))

    def test_W14_the_reduced_equation(self, run: Motion) -> None:
        """(5.3.5)."""
        x1, x2, phi, phi1 = (run[name].values for name in ("x'", "x''", "phi", "phi'"))
        close(x2 + np.tan(phi) * phi1 * x1, np.sin(self.slope) * np.cos(phi) ** 2)
        close(run["phi''"], np.zeros_like(phi))

    def test_W14_the_new_time_and_the_first_integrals(self, run: Motion) -> None:
        """(5.3.4) and (5.3.6)."""
        phi, tau = run["phi"].values, run["tau"].values
        close(tau, np.sin(phi) / self.omega)
        close(run["x'"], (np.sin(self.slope) * tau + self.kappa) * np.cos(phi))

    def test_W14_in_the_new_time_the_motion_is_lagrangian(self, run: Motion) -> None:
        r"""$L_c^\tau = \frac12 f^2(\sec^2\!\varphi\,x'^2 + \varphi'^2) + x\sin\alpha$ with $f = \cos\varphi$ and primes for $d/d\tau$."""
        hamiltonized = System(
            name="in tau",
            coordinates=["x", "phi"],
            lagrangian="(x'^2 + cos(phi)^2*phi'^2)/2 + x*sin(alpha)",
            parameters={"alpha": self.slope},
        ).simulate({"x": 0.3, "phi": 0, "x'": self.kappa, "phi'": self.omega}, times=run["tau"].values)
        close(hamiltonized["x"], run["x"])
        # phi(tau) steepens towards cos(phi) = 0, where a rounding of tau is worth more in phi.
        close(hamiltonized["phi"], run["phi"], 1e-9)
