"""Stability proven, refuted and left open, where textbooks know the answer."""

from __future__ import annotations

import math

import pytest

import anholonomy as ah
from anholonomy.catalogue import chaplygin_sleigh, leaning_disc, routh_sphere
from anholonomy.stability.stability_proof import Definite
from tests.wording import blames

PROVEN, REFUTED, UNKNOWN = "proven", "refuted", "unknown"


def planet(power: float) -> ah.answers.SteadyMotion:
    """The circle in an attraction of so many powers of 1/r: stable for less than 2 (Bertrand)."""
    system = ah.System(
        name="planet", coordinates=["r", "phi"], lagrangian=f"(r'^2 + r^2*phi'^2)/2 + r^(-({power}))/({power})"
    )
    return system.stability.steady_motion(fixed={"r": 1}, near={"phi'": 1})


@pytest.mark.parametrize(("power", "verdict"), [(1, PROVEN), (1.9, PROVEN), (2.1, REFUTED), (3, REFUTED)])
def test_circles_of_planets(power: float, verdict: str) -> None:
    answer = planet(power).is_stable()
    assert str(answer.verdict) == verdict
    assert answer.check() is answer.verdict


def test_the_least_energy_has_the_second_variation_of_the_hand() -> None:
    """Of a pendulum with its bob twice as heavy: 1/2 D²V is the energy itself."""
    hanging = ah.System(
        coordinates=["a", "b"], lagrangian="a'^2 + b'^2/2 - 3*a^2 - 5*b^2/2 - a^4"
    ).stability.steady_motion()
    (evidence,) = hanging.is_stable().evidence
    assert isinstance(evidence, Definite)
    found = evidence.eigenvalues
    assert (found > 0).all()
    assert len(found) == 4


def test_a_saddle_held_by_gyroscopic_forces_is_left_open() -> None:
    """Spectrally stable, the energy indefinite, and nothing else conserved: no proof either way."""
    held = ah.System(
        coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2 + 2*(x*y' - y*x') + x^2/2 + y^2/4 + x^4*y + x^3*y^2"
    ).stability.steady_motion()
    assert held.verdict == "marginal"
    assert str(held.is_stable(time_limit=5).verdict) == UNKNOWN


def test_a_spring_without_its_linear_term_has_its_least_energy() -> None:
    soft = ah.System(coordinates=["x"], lagrangian="x'^2/2 - x^4").stability.steady_motion()
    assert soft.verdict == "marginal"
    assert str(soft.is_stable().verdict) == PROVEN


def test_a_drift_is_not_called_stable_by_its_zeros() -> None:
    """Two zeros with one direction: x'' = 4x^3 runs away."""
    top = ah.System(coordinates=["x"], lagrangian="x'^2/2 + x^4").stability.steady_motion()
    assert top.verdict == "marginal"
    assert str(top.is_stable().verdict) == REFUTED


def test_the_sleigh_by_its_family() -> None:
    """All but the speed decays, and there is one steady motion for every speed (Lyapunov and Malkin)."""
    forward, backward = (chaplygin_sleigh().stability.steady_motion(fixed={"x'": v}).is_stable() for v in (1.0, -1.0))
    assert (str(forward.verdict), str(backward.verdict)) == (PROVEN, REFUTED)
    assert "those of the family of steady motions, 1 in number" in str(forward)


def test_a_zero_without_a_family_is_decided_by_the_centre_manifold() -> None:
    """x'' = -x - x', y'' = -y^3 - y': no family explains the zero eigenvalue, and s' = -s^3 along it."""
    slow = ah.System(
        coordinates=["x", "y"], lagrangian="x'^2/2 + y'^2/2 - x^2/2 - y^4/4", forces={"x": "-x'", "y": "-y'"}
    )
    answer = slow.stability.steady_motion().is_stable()
    assert str(answer.verdict) == PROVEN
    assert "centre manifold" in str(answer)
    assert answer.check() is answer.verdict


def test_a_particle_circling_in_a_bowl_with_a_redundant_height() -> None:
    bowl = ah.System(
        name="bowl",
        coordinates=["x", "y", "z"],
        lagrangian="(x'^2 + y'^2 + z'^2)/2 - z",
        constraints=["z = (x^2 + y^2)/2"],
    )
    assert bowl.stability.steady_motion(fixed={"x": 0.8}, near={"x": 0.8, "y'": 0.8}).is_stable()


def test_what_is_least_is_called_so() -> None:
    charge = ah.System(
        coordinates=["x", "y", "z"], lagrangian="(x'^2 + y'^2 + z'^2)/2 + x*y' - y*x' - z^2/2"
    ).stability.steady_motion(near={"z": 0})
    answer = charge.is_stable()
    assert answer
    assert "the energy, which is conserved, is least" in str(answer)
    assert (answer.evidence[0].eigenvalues > 0).all()


@pytest.mark.exhaustive_for("0.5", "0.9")
@pytest.mark.parametrize("I", [0.5, 0.9])
def test_a_rolling_disc_is_stable_from_a_speed_on(I: float) -> None:
    """By the energy and the two integrals of Appell and Korteweg: upright where I (I + m R^2) w^2 > J m g R."""
    disc, J = leaning_disc(I=I), 0.25
    critical = math.sqrt(J * 9.81 / (I * (I + 1)))
    for share, verdict in ((0.97, REFUTED), (1.03, PROVEN), (3.0, PROVEN)):
        answer = disc.stability.steady_motion(fixed={"theta": 0.0, "psi'": 0.0, "phi'": share * critical}).is_stable()
        assert str(answer.verdict) == verdict
    assert "the energy - " in str(answer)
    assert "integral 1" in str(answer)


def test_a_disc_that_leans_on_a_circle_is_proven_stable_too() -> None:
    leaning = leaning_disc().stability.steady_motion(fixed={"theta": 0.3, "phi'": 4.0})
    assert leaning.is_stable()


@pytest.mark.parametrize(
    ("moments", "axis", "verdict"),
    [((1, 2, 3), "w1", PROVEN), ((1, 2, 3), "w2", REFUTED), ((3, 1, 2), "w1", PROVEN), ((3, 1, 2), "w3", REFUTED)],
)
def test_a_free_body_spins_about_its_longest_and_shortest_axis(moments, axis: str, verdict: str) -> None:
    """Euler: by the energy and the momentum in space, modulo the rotations about the momentum."""
    body = ah.System(name="body", group="SO3", kinetic=list(moments))
    answer = body.stability.steady_motion(fixed={axis: 1.0}, near={axis: 1.0}).is_stable(time_limit=200)
    assert str(answer.verdict) == verdict
    assert answer.check() is answer.verdict


def test_circles_about_a_centre_in_space_are_stable_modulo_rotations() -> None:
    space = ah.System(
        name="planet", coordinates=["x", "y", "z"], lagrangian="(x'^2 + y'^2 + z'^2)/2 + 1/sqrt(x^2 + y^2 + z^2)"
    )
    assert space.stability.steady_motion(fixed={"x": 1}, near={"x": 1, "y'": 1}).is_stable(time_limit=200)


def test_forces_that_fade_have_no_rest() -> None:
    """exp(y) is nowhere zero, however small it is far away."""
    for potential in ("exp(y)", "x^2 + exp(-y)"):
        fading = ah.System(coordinates=["x", "y"], lagrangian=f"x'^2/2 + y'^2/2 - ({potential})")
        with blames(ah.Error):
            fading.stability.steady_motion(near={"x": 0.5})
    assert (
        ah.System(coordinates=["x"], lagrangian="x'^2/2 - x^6").stability.steady_motion(near={"x": 0.7}).residual < 1e-9
    )


def test_an_energy_with_a_logarithm_is_conserved_too() -> None:
    well = ah.System(coordinates=["x"], lagrangian="x'^2/2 - log(1 + x^2)")
    assert well.stability.steady_motion().is_stable()
    damped = ah.System(coordinates=["x"], lagrangian="x'^2/2 - log(1 + x^2)", forces={"x": "-x'"})
    assert not any(law for law in damped.conserved())


def test_what_is_asked_again_from_the_evidence() -> None:
    flat = Definite("V", (), ((1.0, 0.0), (0.0, 1e-9)))
    saddle = Definite("V", (), ((1.0, 0.0), (0.0, -1.0)))
    assert not flat.check().is_proven
    assert not saddle.check().is_proven
    assert Definite("V", (), ((-1.0, 0.0), (0.0, -2.0))).check().is_proven
    assert "greatest" in str(Definite("V", (), ((-1.0, 0.0), (0.0, -2.0))))


@pytest.mark.exhaustive
def test_rouths_sphere_sleeps_when_it_spins_fast() -> None:
    sphere = routh_sphere()
    fast = sphere.stability.steady_motion(fixed={"w3": 30.0}).is_stable(time_limit=60)
    assert fast
    assert len(fast.evidence[0].held) == 3
    assert str(sphere.stability.steady_motion(fixed={"w3": 0.1}).is_stable(time_limit=60).verdict) == REFUTED
