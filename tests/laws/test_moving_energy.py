"""Moving energies: found where they exist, refuted in a class where they do not, along motions and disguised."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import anholonomy as ah
from anholonomy import System, Verdict
from anholonomy.algebra.expressions import to_sympy
from anholonomy.catalogue import ball_on_turntable, chaplygin_sleigh, constant_speed, disc_on_circle
from tests.wording import blames

MASS = "m*(x'^2 + y'^2)/2"
ROD = "-sin(w*t)*x' + cos(w*t)*y' = w*(x*cos(w*t) + y*sin(w*t))"


def _spread(values) -> float:
    return float(abs(values - values[0]).max() / max(1.0, float(abs(values).max())))


def test_a_rod_that_turns() -> None:
    """Time stands in the constraint; who turns along sees a straight groove at rest."""
    rod = ah.System(
        name="rod", coordinates=["x", "y"], lagrangian=MASS, constraints=[ROD], parameters={"m": 1.5, "w": 0.7}
    )
    found = rod.moving_energy()
    assert found.verdict is Verdict.PROVEN
    assert found.admissible
    m, w, x, y, u, v = sp.symbols("m w x y x' y'")
    assert sp.expand(to_sympy(found.expression) - m * (u**2 + v**2) / 2 + w * m * (x * v - y * u)) == 0
    assert {name: str(value) for name, value in found.field.items()} == {"x": "-w*y", "y": "w*x"}
    run = rod.simulate({"x": 1, "y": 0.2, "x'": 0.3}, until=3)
    assert _spread(found.along(run)) < 1e-13
    assert float(run.energy.max() - run.energy.min()) > 1  # while the energy is not constant
    assert found({"x": 1, "y": 0.2, "x'": 0.3}) == pytest.approx(float(found.along(run)[0]), rel=1e-14)


def test_a_ball_on_a_turntable() -> None:
    found = ball_on_turntable().moving_energy()
    run = ball_on_turntable().simulate(
        {"x": 1, "y": 0.5, "w1": 0.3, "w2": -0.2, "w3": 1, "q0": 1, "q1": 0, "q2": 0, "q3": 0}, until=5
    )
    assert found
    assert _spread(found.along(run)) < 1e-13
    assert float(run.energy.max() - run.energy.min()) > 1e-3
    assert "along x" in str(found)
    assert "langle p, Y" in found.latex()
    assert found.to_dict()["verdict"] == "proven"


def test_an_energy_that_survives_by_itself() -> None:
    found = chaplygin_sleigh().moving_energy()
    assert found
    assert found.law.kind == "energy"
    assert not any(value != 0 for value in found.field.values())


@pytest.mark.parametrize("make", [constant_speed, disc_on_circle])
def test_none_in_the_class(make) -> None:
    found = make().moving_energy()
    assert found.verdict is Verdict.REFUTED
    assert found.expression is None
    assert "products of at most 2 of" in str(found)
    with blames(ah.errors.NotSupportedError):
        found({"x": 0})


@pytest.mark.parametrize("pull", ["a*t", "a*t^2"])
def test_who_is_accelerated_sees_a_potential(pull: str) -> None:
    r"""A belt of speed $c(t)$: $J = E - cp_x + \dot cmx$ where $\dot c$ is constant; a jerk is felt as a force that changes."""
    belt = ah.System(
        name="belt", coordinates=["x", "y", "th"], lagrangian="m*(x'^2 + y'^2)/2 + th'^2/2",
        constraints=[f"(x' - {pull})*sin(th) = y'*cos(th)"], parameters={"m": 1.5, "a": 0.4},
    )  # fmt: skip
    found = belt.moving_energy()
    if pull == "a*t^2":
        assert found.verdict is Verdict.REFUTED
        assert "some function W" in str(found)
        return
    assert found.to_dict()["potential"] == "a*m*x"
    assert "+ W" in found.latex()
    run = belt.simulate({"x": 0.1, "y": 0.2, "th": 0.3, "y'": 0.4, "th'": 1.1}, until=3)
    assert _spread(found.along(run)) < 1e-13
    assert float(run.energy.max() - run.energy.min()) > 0.1


def test_no_potential_is_made_up_beside_drag() -> None:
    dragged = ah.System(name="dragged", coordinates=["x"], lagrangian="x'^2/2", forces={"x": "-x'"})
    assert dragged.moving_energy().verdict is Verdict.REFUTED


def test_the_class_may_be_given() -> None:
    system = ah.System(
        name="groove", coordinates=["x", "y"], lagrangian=MASS, parameters=["m", "w"],
        constraints=["x*y' - y*x' = w*(x^2 + y^2)"],
    )  # fmt: skip
    assert system.moving_energy(functions=["1"]).verdict is Verdict.REFUTED
    assert system.moving_energy(functions=["x", "y"]).verdict is Verdict.PROVEN


def test_time_over_is_unknown() -> None:
    found = ball_on_turntable().moving_energy(time_limit=1e-9)
    assert found.verdict is Verdict.UNKNOWN
    assert found.law is None


def test_bad_questions() -> None:
    free = ah.System(name="free", coordinates=["x"], momenta={"x": "x'"}, forces={"x": "-x"})
    with blames(ah.errors.NotSupportedError):
        free.moving_energy()
    with blames(ah.errors.UnknownNameError, "s"):
        ball_on_turntable().moving_energy(functions=["s"])


@pytest.mark.parametrize("seed", range(6))
def test_disguised(seed: int) -> None:
    """A system at rest seen from a random moving place: its energy is a moving energy there, and no other is constant."""
    rng = np.random.default_rng(seed)
    a, b, c, w, k = (f"{value:.2f}" for value in rng.uniform(0.3, 1.5, 5))
    rest = ah.System(
        name="rest", coordinates=["x", "y", "z"], lagrangian=f"(x'^2 + {a}*y'^2 + z'^2)/2 + {b}*x'*y' - {c}*z^2 - y^2*{k}/3",
        constraints=["z' = y*x'"],
    )  # fmt: skip
    places = [
        {"x": f"x + {w}*t", "y": "y", "z": "z"},
        {"x": "x", "y": "y", "z": f"z + x*{w}*t"},
        {"x": f"x + {k}*t", "y": f"y + {w}*t", "z": "z"},
    ]
    moving = rest.seen_from(rest.geometry.moving_observer(places[seed % 3]))
    found = moving.moving_energy()
    assert found, found
    assert found.law.kind == "moving energy"
    run = moving.simulate({"x": 0.2, "y": 0.3, "z": -0.1, "x'": 0.4, "y'": 0.1}, until=2)
    assert _spread(found.along(run)) < 1e-11


@pytest.mark.parametrize("seed", range(4))
def test_generic_systems_have_none(seed: int) -> None:
    rng = np.random.default_rng(100 + seed)
    a, b, c = (f"{value:.2f}" for value in rng.uniform(0.3, 1.5, 3))
    system = ah.System(
        name="generic", coordinates=["x", "y", "z"],
        lagrangian=f"(x'^2 + (1 + {a}*x^2)*y'^2 + z'^2)/2 - {b}*x*y*z - z^3 - x^4", constraints=[f"z' = y*x' + {c}*x^2 + y"],
    )  # fmt: skip
    assert system.moving_energy().verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    ("lagrangian", "coordinates", "parameters"),
    [
        ("x'^2/2 + a*t*x", ["x"], {"a": 0.4}),
        ("(x'^2 + y'^2)/2 - g*y + a*t*x", ["x", "y"], {"a": 0.4, "g": 2.0}),
        ("(x'^2 + y'^2)/2 + B*(x*y' - y*x')/2 + E*cos(w*t)*x", ["x", "y"], {"B": 0.6, "E": 0.4, "w": 2.0}),
        ("(x'^2 + y'^2 - 2*x^2 - 3*y^2)/2 + F*x*cos(t) + G*y*cos(t)", ["x", "y"], {"F": 0.3, "G": 1.0}),
    ],
)
def test_the_list_with_a_potential_has_independent_laws_and_is_called_complete_only_then(
    lagrangian, coordinates, parameters
) -> None:
    """A moving energy that needs a potential may be a function of linear laws."""
    system = System(name="pushed", coordinates=coordinates, lagrangian=lagrangian, parameters=parameters)
    laws = system.conserved()
    names = [s.name for s in (*system.coordinates, *system.velocities)] + ["t"]
    state = {name: 0.3 + 0.17 * k for k, name in enumerate(names)}
    slopes = [
        [(law(state | {name: state[name] + 1e-4}) - law(state | {name: state[name] - 1e-4})) / 2e-4 for name in names]
        for law in laws
    ]
    assert np.linalg.matrix_rank(slopes, tol=1e-6) == len(laws)
    assert laws.finding.claim != "every integral is a function of these" or len(laws) == len(names) - 1
