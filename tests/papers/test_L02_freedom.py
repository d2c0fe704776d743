r"""L2: the freedom in the connection, and the energy-preserving choice (Lewis, slides 2, 3 and 8).

Slide 3 (with Lewis's $P$, here $Q$, the projection onto $D^\perp$): $\nabla_XY = \nabla^g_XY + (\nabla^g_XQ)(Y)$ has the constrained motions among its
geodesics, and $Q$ may be replaced by $AQ$ with $A$ any invertible tensor. Taken literally, $\nabla^g_XY + (\nabla^g_X(AQ))(Y)$ has other geodesics from
$D$, and leaves $D$, as soon as $A \neq 1$ on $D^\perp$: differentiating $AQ\dot q = 0$ gives the multiplier $\lambda = -A^{-1}(\nabla^g(AQ))(\dot q)$, and it is

.. math:: \nabla^A_XY = \nabla^g_XY + A^{-1}\bigl(\nabla^g_X(AQ)\bigr)(Y)

that only changes geodesics which start outside $D$. Among these, $A = P - Q$ is metric: the energy-preserving choice of slide 8.
"""

from __future__ import annotations

import random

import numpy as np
import pytest
import symengine

from anholonomy import catalogue
from anholonomy.algebra.expressions import symbol
from anholonomy.algebra.numbers.balls import evaluate_balls
from anholonomy.base.verdict import Verdict
from anholonomy.geometry import Frame
from anholonomy.geometry.connections import (
    ArbitraryConnection,
    energy_preserving,
    levi_civita,
    lewis,
    nonholonomic,
)
from anholonomy.geometry.metric import kinetic_metric
from anholonomy.geometry.tensor import Tensor

SYSTEMS = {
    "particle": catalogue.free_particle(),
    "skate": catalogue.skate(),
    "sleigh": catalogue.chaplygin_sleigh(),
}
every_system = pytest.mark.parametrize("system", SYSTEMS.values(), ids=SYSTEMS.keys())
BENT = [["2", "0", "y"], ["x", "1", "0"], ["1", "0", "3 + x^2"]]
N = range(3)


def span(system):
    return [list(row) for row in system.model.span_ba]


def vanishes(tensor):
    return tensor.is_zero().verdict is Verdict.PROVEN


def bent(system):
    q = [s.name for s in system.coordinates]
    return [[entry.replace("x", q[0]).replace("y", q[1]) for entry in row] for row in BENT]


def on_distribution(connection, P):
    r"""$S^a{}_{bc}P^c{}_d$: what a connection does to vectors of the distribution."""
    return (connection.coefficients.table * P).trace(2, 3)


def literal(system, A):
    """Slide 3 with AQ in place of Q and nothing else changed."""
    g = kinetic_metric(system)
    Q = nonholonomic(g, span(system)).projectors[1]
    shift = levi_civita(g).covariant_derivative((A * Q).trace(1, 2)).permuted(1, 0, 2)
    return ArbitraryConnection.shifted(levi_civita(g), shift)


def admissible(system, rng, inside=True):
    place = {q: rng.uniform(0.4, 1.1) for q in system.coordinates}
    values = {symbol(name): value for name, value in system.parameters.items()}
    rows = np.array(
        [[float(each) for each in evaluate_balls(row, {**place, **values}, 30)] for row in system.model.span_ba]
    )
    velocity = np.array([0.7, -0.9]) @ rows if inside else np.array([0.7, -0.9, 0.4])
    return {q.name: v for q, v in place.items()} | dict(zip((w.name for w in system.velocities), velocity, strict=True))


def acceleration(connection, system, state):
    point = {symbol(name): value for name, value in (*state.items(), *system.parameters.items())}
    return np.array([float(a) for a in evaluate_balls(connection.geodesic_equations().accelerations, point, 30)])


@every_system
def test_L2_the_multiplier_is_the_derivative_of_the_projector(system):
    r"""Slide 2: $\lambda = -(\nabla^g_{\dot q}Q)(\dot q)$ is the reaction, its index raised by the metric."""
    g = kinetic_metric(system)
    Q = nonholonomic(g, span(system)).projectors[1]
    nabla = levi_civita(g).covariant_derivative(Q)
    w = [symbol(v.name) for v in system.velocities]
    force = [-sum((v * w[b] * w[c] for (b, d, c), v in nabla.items if d == a), symengine.Integer(0)) for a in N]
    lowered = [sum(g[a, b] * force[b] for b in N) for a in N]
    state = admissible(system, random.Random(0))
    point = {symbol(name): value for name, value in (*state.items(), *system.parameters.items())}
    found = [float(each) for each in evaluate_balls(lowered, point, 30)]
    expected = list(system.derive("lagrange-dalembert").reactions(state).values())
    np.testing.assert_allclose(found, expected, atol=1e-12)
    assert np.abs(found).max() > 1e-2


@every_system
def test_L2_every_member_has_the_constrained_motions(system):
    g = kinetic_metric(system)
    base, member = nonholonomic(g, span(system)), lewis(g, span(system), bent(system))
    P = base.projectors[0]
    assert vanishes(on_distribution(member, P) - on_distribution(base, P))
    assert not vanishes(member.coefficients.table - base.coefficients.table)
    state = admissible(system, random.Random(1))
    expected = list(system.derive("hamel").accelerations(state).values())
    np.testing.assert_allclose(acceleration(member, system, state), expected, atol=1e-12)
    outside = admissible(system, random.Random(1), inside=False)
    assert np.abs(acceleration(member, system, outside) - acceleration(base, system, outside)).max() > 1e-3


@every_system
def test_L2_a_member_by_its_definition(system):
    r"""$A\,(\nabla^A_XY - \nabla^g_XY) = (\nabla^g_X(AQ))(Y)$ for every $Y$, not only those of $D$."""
    g = kinetic_metric(system)
    member = lewis(g, span(system), bent(system))
    A, Q = member.A, member.base.projectors[1]
    difference = member.coefficients.table - levi_civita(g).coefficients.table
    turned = (A * difference).trace(1, 2)
    assert vanishes(turned - levi_civita(g).covariant_derivative((A * Q).trace(1, 2)).permuted(1, 0, 2))


@every_system
def test_L2_without_the_inverse_the_motions_are_lost(system):
    """A = 2 is enough: the literal reading sends the particle off its constraint."""
    doubled = Tensor.build(system.geometry.frame, "ud", lambda a, b: 2 * (a == b), "A")
    wrong = literal(system, doubled)
    state = admissible(system, random.Random(2))
    expected = list(system.derive("hamel").accelerations(state).values())
    assert np.abs(acceleration(wrong, system, state) - expected).max() > 1e-2
    g = kinetic_metric(system)
    right = lewis(g, span(system), doubled)
    np.testing.assert_allclose(acceleration(right, system, state), expected, atol=1e-12)
    assert right.coefficients == nonholonomic(g, span(system)).coefficients


@every_system
def test_L2_the_literal_family_works_where_A_is_the_identity_on_the_complement(system):
    g = kinetic_metric(system)
    base = nonholonomic(g, span(system))
    P, Q = base.projectors
    # A = 1 + (something) P: the identity on the complement.
    A = P + Q + 2 * symbol(system.coordinates[0].name) * P
    assert vanishes(on_distribution(literal(system, A), P) - on_distribution(base, P))


@every_system
def test_L2_the_energy_preserving_choice(system):
    """(I) the constrained motions, (II) energy along all geodesics; the plain connection has (I) only."""
    g = kinetic_metric(system)
    base, keeping = nonholonomic(g, span(system)), energy_preserving(g, span(system))
    P, Q = base.projectors
    assert vanishes(on_distribution(keeping, P) - on_distribution(base, P))
    assert keeping.preserves_energy(g)
    assert keeping.is_metric(g)
    assert base.preserves_energy(g).verdict is Verdict.REFUTED
    reflected = lewis(g, span(system), P - Q)
    assert vanishes(reflected.coefficients.table - keeping.coefficients.table)


@every_system
def test_L2_the_rate_of_energy_along_a_geodesic(system):
    r"""$\frac{d}{dt}\tfrac12g(v, v) = g(a, v) + \tfrac12v(g)(v, v)$ at a state outside the distribution, in numbers."""
    g = kinetic_metric(system)
    state = admissible(system, random.Random(3), inside=False)
    w = [symbol(v.name) for v in system.velocities]
    energy = sum(g[a, b] * w[a] * w[b] for a in N for b in N) / 2
    point = {symbol(name): value for name, value in (*state.items(), *system.parameters.items())}

    def rate(connection):
        motion = connection.geodesic_equations()
        change = sum(energy.diff(s) * value for s, value in motion.rates.items())
        return float(evaluate_balls([change], point, 30)[0])

    assert abs(rate(energy_preserving(g, span(system)))) < 1e-13
    assert abs(rate(nonholonomic(g, span(system)))) > 1e-3


def test_L2_transformations_of_metric_and_distribution_are_affine():
    """Slide 8: the skate's metric and distribution are left-invariant, and so are all coefficients, outside D too."""
    moving = Frame(
        ["x", "y", "theta"],
        [["cos(theta)", "sin(theta)", "0"], ["0", "0", "1"], ["-sin(theta)", "cos(theta)", "0"]],
    )
    system = catalogue.skate()
    g = kinetic_metric(system)
    for make in (energy_preserving, nonholonomic):
        coefficients = make(g, span(system)).in_frame(moving).coefficients
        assert not any(value.free_symbols & set(moving.coordinates) for _, value in coefficients.items)
