r"""L4: Killing fields and conservation, slide 6 of Lewis.

.. math:: J_X(v) = g(X, v), \qquad X \in \mathcal D,\ \mathcal L_X g = 0 \ \Longrightarrow\ \frac{d}{dt} J_X(\dot c) = 0

Reproduced for free motions; with a potential it needs $X(V) = 0$ too. The slide also says that transformations respecting the
connection $\overset{g}{\nabla}$ and $\mathcal D$ are transformations of the constrained motions: respecting the connection is not
enough, it must be the metric (up to scale).
"""

from __future__ import annotations

import numpy as np
import pytest
import symengine

from anholonomy import System, catalogue
from anholonomy.algebra.calculus import along
from anholonomy.algebra.zero_test import verdict_of
from anholonomy.base.verdict import Verdict
from anholonomy.geometry import Frame
from anholonomy.geometry.distributions.distribution import Distribution
from anholonomy.geometry.metric import Metric, kinetic_metric
from anholonomy.geometry.symmetry.killing import killing_fields
from anholonomy.geometry.symmetry.preserved import off_distribution, preserves, preserves_distribution
from anholonomy.geometry.vector_fields import vector_field

SPACE = ["x", "y", "z"]


def particle(constraint: str, potential: str = "0") -> System:
    lagrangian = f"(x'^2 + y'^2 + z'^2)/2 - ({potential})"
    return System(name="particle", coordinates=SPACE, lagrangian=lagrangian, constraints=[constraint])


def turning_top() -> System:
    """A body on a vertical axle whose slider is driven by the turn; the inertia depends on the slider."""
    return System(
        name="slider",
        coordinates=["r", "phi", "s"],
        lagrangian="(r'^2 + r^2*phi'^2 + s'^2)/2",
        constraints=["s' = r*cos(s)*r'"],
    )


# A system, a start, how many Killing fields lie in D, and one Killing field outside D whose momentum changes.
SYSTEMS = {
    "Heisenberg": (
        particle("z' = y*x'"),
        {"x": 0.1, "y": 0.4, "z": -0.3, "x'": 0.7, "y'": 0.5},
        2,
        ["1", "0", "0"],
    ),
    "a wall that bends": (
        particle("z' = x*y*x'"),
        {"x": 0.6, "y": 0.4, "z": -0.3, "x'": 0.7, "y'": 0.5},
        1,
        ["1", "0", "0"],
    ),
    "a wavy wall": (
        particle("z' = sin(x)*y'"),
        {"x": 0.6, "y": 0.4, "z": -0.3, "x'": 0.7, "y'": 0.5},
        1,
        ["0", "1", "0"],
    ),
    "slider": (turning_top(), {"r": 1.2, "phi": 0.2, "s": 0.3, "r'": 0.4, "phi'": 0.9}, 1, ["0", "0", "1"]),
    "rolling disk": (
        catalogue.rolling_disk(),
        {"x": 0, "y": 0, "theta": 0, "phi": 0.3, "theta'": 2, "phi'": 0.5},
        1,
        ["1", "0", "0", "0"],
    ),
    "sleigh": (
        catalogue.chaplygin_sleigh(),
        {"x": 0, "y": 0, "theta": 0.2, "x'": 1, "theta'": 0.5},
        0,
        ["0", "1", "0"],
    ),
}


def momentum(system: System, X) -> symengine.Expr:
    n = range(system.geometry.frame.size)
    G = kinetic_metric(system)
    return sum(X[a] * G[a, b] * system.velocities[b] for a in n for b in n)


def rate(system: System, J: symengine.Expr, start: dict) -> float:
    """dJ/dt at the start, from the accelerations that the equations of motion give."""
    motion = system.simulate(start, times=[0.0, 1e-3])
    state = {q.name: float(motion[q.name][0]) for q in (*system.coordinates, *system.velocities)}
    a = system.derive("lagrange-dalembert").accelerations(state)
    rates = {q: state[w.name] for q, w in zip(system.coordinates, system.velocities, strict=True)}
    rates |= {w: a[w.name + "'"] for w in system.velocities}
    values = state | {name: value for name, value in system.parameters.items() if value is not None}
    return float(along(J, rates).subs({symengine.Symbol(name): value for name, value in values.items()}))


def along_motion(system: System, J: symengine.Expr, start: dict) -> np.ndarray:
    motion = system.simulate(start, times=list(np.linspace(0.0, 3.0, 13)))
    parameters = {symengine.Symbol(p): value for p, value in system.parameters.items() if value is not None}
    symbols = (*system.coordinates, *system.velocities)
    series = [np.asarray(motion[q.name]) for q in symbols]
    return np.array(
        [
            float(J.subs(parameters | dict(zip(symbols, map(float, row), strict=True))))
            for row in zip(*series, strict=True)
        ]
    )


@pytest.mark.parametrize(("system", "start", "count", "outside"), SYSTEMS.values(), ids=SYSTEMS.keys())
def test_L4_killing_fields_in_D_give_conserved_momenta(system, start, count, outside) -> None:
    D = Distribution.of(system)
    g = kinetic_metric(system)
    inside = killing_fields(g, in_distribution=D, angles=_angles(system))
    assert len(inside) == count
    for X in inside:
        J = momentum(system, X)
        assert abs(rate(system, J, start)) < 1e-13
        assert np.ptp(along_motion(system, J, start)) < 1e-12
    X = vector_field(system.geometry.frame, outside)
    assert preserves(X, g).verdict is Verdict.PROVEN
    assert verdict_of(off_distribution(X, D)) is Verdict.REFUTED
    J = momentum(system, X)
    assert abs(rate(system, J, start)) > 1e-3
    assert np.ptp(along_motion(system, J, start)) > 1e-2


def _angles(system: System) -> list[str]:
    return [
        q.name for q, kind in zip(system.coordinates, system.model.coordinate_kinds, strict=True) if kind == "angle"
    ]


def test_L4_both_momenta_of_the_heisenberg_particle_come_from_killing_fields_in_D() -> None:
    """∂_y, and ∂_x with the turn about the x-axis, ∂_x - z ∂_y + y ∂_z; no third one."""
    D = Distribution.from_constraints(["z' = y*x'"], SPACE)
    found = killing_fields(Metric(Frame(SPACE), ["1", "1", "1"]), in_distribution=D)
    assert found.is_complete
    assert {str(X) for X in found} == {"X^y = 1", "X^x = 1\nX^y = -z\nX^z = y"}


def test_L4_lying_in_D_is_sufficient_and_not_necessary() -> None:
    """Where D is geodesically invariant, as for z' = y x' - x y', every Killing field conserves its momentum."""
    _, start, _, _ = SYSTEMS["Heisenberg"]
    system = particle("z' = y*x' - x*y'")
    g, D = kinetic_metric(system), Distribution.of(system)
    assert len(killing_fields(g, in_distribution=D)) == 0
    assert len(killing_fields(g)) == 6
    for X in killing_fields(g):
        assert abs(rate(system, momentum(system, X), start)) < 1e-13


def test_L4_such_a_field_need_not_preserve_D() -> None:
    """The note under the slide: ∂_y conserves a momentum and is no transformation of D."""
    D = Distribution.from_constraints(["z' = y*x'"], SPACE)
    assert preserves_distribution(vector_field(Frame(SPACE), ["0", "1", "0"]), D).verdict is Verdict.REFUTED


def test_L4_a_potential_must_be_preserved_as_well() -> None:
    _, start, _, _ = SYSTEMS["Heisenberg"]
    X = vector_field(Frame(SPACE), ["0", "1", "0"])
    kept, spoiled = particle("z' = y*x'", "x^2 + sin(z)"), particle("z' = y*x'", "x^2 + y")
    assert abs(rate(kept, momentum(kept, X), start)) < 1e-13
    assert np.ptp(along_motion(kept, momentum(kept, X), start)) < 1e-12
    assert abs(rate(spoiled, momentum(spoiled, X), start)) > 1e-2
    D = Distribution.of(kept)
    assert len(killing_fields(kinetic_metric(kept), in_distribution=D, potential="x^2 + sin(z)")) == 1
    assert len(killing_fields(kinetic_metric(spoiled), in_distribution=D, potential="x^2 + y")) == 0


def _end(start: dict) -> np.ndarray:
    motion = particle("z' = y*x'").simulate(start, times=[0.0, 2.0])
    return np.array([float(motion[q][-1]) for q in SPACE])


def test_L4_transformations_of_metric_and_D_map_motions_to_motions() -> None:
    """The translations along x and z, the only Killing fields that preserve the contact distribution."""
    D = Distribution.from_constraints(["z' = y*x'"], SPACE)
    kept = killing_fields(Metric(Frame(SPACE), ["1", "1", "1"]), distribution=D)
    assert {str(X) for X in kept} == {"X^x = 1", "X^z = 1"}
    _, start, _, _ = SYSTEMS["Heisenberg"]
    for q, shift in (("x", [0.5, 0, 0]), ("z", [0, 0, 0.5])):
        moved = _end(start | {q: start[q] + 0.5})
        assert np.allclose(moved, _end(start) + shift, atol=1e-12)


def test_L4_respecting_the_connection_and_D_is_not_enough() -> None:
    """X = y ∂_y + z ∂_z is linear, so it preserves the flat connection, and it preserves D = ker(dz - y dx); its flow
    (x, y, z) → (x, by, bz) takes no motion with x' y' ≠ 0 to a motion, because it does not keep D's orthogonal complement."""
    D = Distribution.from_constraints(["z' = y*x'"], SPACE)
    X = vector_field(Frame(SPACE), ["0", "y", "z"])
    g = Metric(Frame(SPACE), ["1", "1", "1"])
    assert preserves_distribution(X, D).verdict is Verdict.PROVEN
    flat = Frame(SPACE).coordinates
    assert all(X[i].diff(a).diff(b) == 0 for i in range(3) for a in flat for b in flat)
    assert preserves(X, g).verdict is Verdict.REFUTED
    _, start, _, _ = SYSTEMS["Heisenberg"]
    b = 2.0
    stretched = start | {"y": b * start["y"], "z": b * start["z"], "y'": b * start["y'"]}
    assert np.max(np.abs(_end(stretched) - _end(start) * [1, b, b])) > 1e-2
