"""Systems on groups: Euler's and Suslov's equations, every principle, and redundant coordinates that stay where they belong."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pytest
import symengine

import anholonomy as ah
from anholonomy.algebra.expressions import symbol, zero
from anholonomy.algebra.zero_test import is_zero
from anholonomy.geometry.groups import AbstractGroup
from tests.wording import blames


def free_top() -> ah.System:
    return ah.System(
        name="free top", group=ah.groups.SO3(), kinetic=["I1", "I2", "I3"], parameters={"I1": 1.0, "I2": 2.0, "I3": 3.0}
    )


def mixed() -> ah.System:
    """A group beside coordinates, with constraints that depend on the attitude and on time, and forces on both."""
    return ah.System(
        name="mixed", group="SO3", coordinates=["x", "y"], kinetic=["I1", "I2", "I3", "m", "m"],
        potential="m*g*R33*x", constraints=["x' = r*(R12*w1 + R22*w2)", "y' = r*w3*R31 + t"],
        forces={"w1": "-w1", "x": "y"}, parameters={"I1": 1, "I2": 2, "I3": 1.5, "m": 1, "r": 0.5, "g": 3},
    )  # fmt: skip


def test_eulers_equations() -> None:
    assert str(free_top().derive()).splitlines()[1:] == [
        "  I1*w1' = (I2 - I3)*w2*w3",
        "  I2*w2' = (I3 - I1)*w1*w3",
        "  I3*w3' = (I1 - I2)*w1*w2",
    ]


@pytest.mark.parametrize("make", [free_top, mixed])
def test_every_principle_that_takes_a_frame_agrees(make) -> None:
    verification = make().verify(states=3)
    assert verification.agree, str(verification)
    assert len(verification.principles) >= 9


def test_a_tumbling_body_keeps_energy_momentum_and_the_sphere() -> None:
    run = free_top().simulate({"q0": 1, "q1": 0, "q2": 0, "q3": 0, "w1": 0.01, "w2": 2, "w3": 0.01}, until=100)
    assert abs(run.energy / run.energy[0] - 1).max() < 1e-13
    assert abs(run.data["position"]).max() < 1e-14
    q, w, group = run.data["q"].values, run.data["velocity"].values, ah.groups.SO3()
    momentum = np.array([group.adjoint(a) @ (b * [1, 2, 3]) for a, b in zip(q, w, strict=True)])
    assert np.ptp(momentum, axis=0).max() < 1e-12


def test_files_hold_the_group(tmp_path) -> None:
    mixed().save(tmp_path / "mixed.toml")
    assert ah.load(tmp_path / "mixed.toml") == mixed()


def test_an_attitude_off_the_sphere_is_refused_or_projected() -> None:
    start = {"q0": 1.1, "q1": 0, "q2": 0, "q3": 0, "w1": 1, "w2": 0, "w3": 0}
    with blames(ah.errors.StateError, "q0", "1"):
        free_top().simulate(start, until=1)
    run = free_top().simulate(start, until=1, project=True)
    assert abs(run["q0"].values[0] - 1) < 1e-15


@pytest.mark.parametrize(
    ("words", "forces", "same"),
    [
        ({"coordinates": ["phi"], "group": "SO3"}, {"phi'": "-phi'"}, {"phi": "-phi'"}),
        ({"coordinates": ["x", "phi"]}, {"phi'": "-x"}, {"phi": "-x"}),
        ({"group": "SE2"}, {"x": "F", "theta'": "2"}, {"v1": "F*cos(theta)", "v2": "-F*sin(theta)", "w": "2"}),
        ({"group": "SE2"}, {"y": "F", "v1": "x"}, {"v1": "F*sin(theta) + x", "v2": "F*cos(theta)"}),
    ],
)
def test_forces_by_rate_and_by_coordinate_of_a_group(words, forces, same) -> None:
    """A force F along x does the work F x', whatever the speeds are."""
    size = len(words.get("coordinates", ())) + 3 * ("group" in words)
    given = {"name": "a", "kinetic": [1] * size, "parameters": {"F": 2.0}} | words
    left, right = (ah.System(**given, forces=each).model.forces_a for each in (forces, same))
    assert all(is_zero(a - b) for a, b in zip(left, right, strict=True))


@pytest.mark.parametrize(
    ("forces", "names"),
    [
        ({"q0": "1"}, ("q0", "SO3", "w1", "w2")),
        ({"q0'": "1"}, ()),
        ({"phi": "1", "phi'": "1"}, ("phi",)),
        ({"w1'": "1"}, ("w1", "w2", "w3")),
        ({"psi'": "1"}, ()),
    ],
)
def test_a_force_needs_a_direction(forces, names) -> None:
    with blames(ah.errors.DeclarationError, *names):
        ah.System(name="a", group="SO3", coordinates=["phi"], kinetic=[1, 1, 1, 1], forces=forces)


def test_a_name_is_optional(tmp_path) -> None:
    """The product and the declaration as they are first written down; a file has the name that messages use."""
    car = ah.System(group=ah.groups.SE2() * ah.groups.Circle(), kinetic=[1, 1, 1, 1], constraints=["v2 = 0"])
    assert [q.name for q in car.coordinates] == ["x", "y", "theta", "phi"]
    assert (car.name, repr(car)) == ("system", "System('system', 4 coordinates, 1 constraint)")
    car.save(tmp_path / "car.toml")
    assert ah.load(tmp_path / "car.toml") == car
    with blames(ah.errors.DeclarationError):
        ah.System(lagrangian="1")
    with blames(ah.errors.DeclarationError):
        ah.System(name=None, coordinates=["x"], lagrangian="x'^2")


class Affine(AbstractGroup):
    r"""A group that the package has no name for: $y \mapsto e^s y + x$ of the line."""

    name, coordinates, speeds = "affine maps", (symbol("s"), symbol("x")), (symbol("v"), symbol("w"))
    algebra = ah.geometry.LieAlgebra({("e1", "e2"): "e2"}, labels=["e1", "e2"])
    invariants: ClassVar[dict] = {}
    named: ClassVar[dict] = {}
    anchor_ai = ((symengine.Integer(1), zero), (zero, symengine.exp(symbol("s"))))
    identity = np.zeros(2)
    adjoint_ab = ((symengine.Integer(1), zero), (-symbol("x"), symengine.exp(symbol("s"))))
    inverse_i = (-symbol("s"), -symbol("x") * symengine.exp(-symbol("s")))

    def signs(self, g):
        return {}

    def _multiply(self, g, h):
        return np.array([g[0] + h[0], g[1] + np.exp(g[0]) * h[1]])

    def _inverse(self, g):
        return np.array([-g[0], -g[1] * np.exp(-g[0])])

    def _exp(self, xi):
        return np.array([xi[0], xi[1] * np.expm1(xi[0]) / xi[0] if xi[0] else xi[1]])

    def _log(self, g):
        return np.array([g[0], g[1] * g[0] / np.expm1(g[0]) if g[0] else g[1]])

    def _adjoint(self, g):
        return np.array([[1.0, 0.0], [-g[1], np.exp(g[0])]])


def test_a_group_of_ones_own() -> None:
    """Geodesics of the hyperbolic plane: a model holds its group, so that nobody need read it from a name."""
    plane = ah.System(name="plane", group=Affine(), kinetic=[1, 1])
    assert str(plane.derive()).splitlines()[1:] == ["  v' = -w^2", "  w' = v*w"]
    assert plane.verify().agree
    run = plane.simulate({"s": 0, "x": 0, "v": 0, "w": 1}, until=1.5)
    t = run.time.values  # half a circle about x = 0: e^s = sech t, x = tanh t
    assert abs(np.exp(run["s"]) - 1 / np.cosh(t)).max() < 1e-14
    assert abs(run["x"] - np.tanh(t)).max() < 1e-14


def test_bad_declarations_are_refused() -> None:
    with blames(ah.errors.UnknownNameError, "SO4"):
        ah.System(name="a", group="SO4", kinetic=["1"])
    with blames(ah.errors.DeclarationError, "3"):
        ah.System(name="a", group="SO3", kinetic=["I"], parameters=["I"])
    with blames(ah.errors.DeclarationError, "R11", "SE2"):
        ah.System(name="a", group="SE2", kinetic=["R11", 1, 1], parameters=["R11"])
    with blames(ah.errors.UnknownNameError, "MatrixGroup"):
        ah.System(name="a", group=ah.geometry.LieAlgebra({("x", "y"): "z"}, labels=["x", "y", "z"]), kinetic=[1, 1, 1])
    with blames(ah.errors.DeclarationError, "w1", "SO3"):
        ah.System(name="a", group="SO3", kinetic=["w1", 1, 1], parameters=["w1"])
    with blames(ah.errors.DeclarationError, "R11"):
        ah.groups.SO3() * ah.groups.SO3()
    with blames(ah.errors.DeclarationError):
        ah.System(name="a", lagrangian="1")
