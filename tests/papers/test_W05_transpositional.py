r"""W5: the transpositional relation is the Weitzenböck torsion (Fernandez & Bloch, 2.1.3).

.. math:: d_t\Sigma^b - \delta\omega^b = T^b{}_{cd}\,\omega^c\Sigma^d = -[\omega, \Sigma]^b

for $\omega^a = E^a{}_i\,\partial_tw^i$ and $\Sigma^a = E^a{}_i\,\partial_\epsilon w^i$ of a variation $w(t, \epsilon)$. The general proof treats the
derivatives of $w$ as symbols, so that it holds for every variation; an explicit one follows.
"""

from __future__ import annotations

import pytest
import symengine
import sympy as sp

from anholonomy.algebra.expressions import from_sympy, symbol
from anholonomy.algebra.zero_test import is_zero
from anholonomy.geometry import Frame
from anholonomy.geometry.connections import levi_civita, weitzenbock
from anholonomy.geometry.metric import Metric

FRAMES = {
    "Heisenberg": (["x", "y", "z"], [["1", "0", "-y/2"], ["0", "1", "x/2"], ["0", "0", "1"]]),
    "plane": (
        ["x", "y", "theta"],
        [["cos(theta)", "sin(theta)", "0"], ["-sin(theta)", "cos(theta)", "0"], ["0", "0", "1"]],
    ),
    "no symmetry": (["x", "y", "z"], [["1", "0", "0"], ["x*z", "1 + z^2", "0"], ["sin(y)", "-x", "2"]]),
    "unspecified": (["x", "y", "z"], [["1", "0", "f(x, y)"], ["0", "1", "h(x, y, z)"], ["0", "0", "1"]]),
}
every_frame = pytest.mark.parametrize(
    "frame", [Frame(q, rows, functions=["f", "h"]) for q, rows in FRAMES.values()], ids=FRAMES.keys()
)
N = range(3)


def relation(frame, first, second, mixed):
    r"""$\omega$, $\Sigma$, $d_t\Sigma - \delta\omega$ from the derivatives of a variation by $t$, by $\epsilon$ and by both."""
    E = frame.inverse_ab  # row i, column a
    omega = [sum(first[i] * E[i][a] for i in N) for a in N]
    sigma = [sum(second[i] * E[i][a] for i in N) for a in N]
    q = frame.coordinates
    rate = lambda a, flow, carried: sum(
        sum(E[i][a].diff(q[j]) * flow[j] for j in N) * carried[i] + E[i][a] * mixed[i] for i in N
    )
    return omega, sigma, [rate(a, first, second) - rate(a, second, first) for a in N]


@every_frame
def test_W5_for_every_variation(frame):
    first, second, mixed = (tuple(symbol(f"{q.name}_{d}") for q in frame.coordinates) for d in ("t", "e", "te"))
    omega, sigma, difference = relation(frame, first, second, mixed)
    T = weitzenbock(frame).torsion
    for b in N:
        torsion = sum((value * omega[c] * sigma[d] for (a, c, d), value in T.items if a == b), symengine.Integer(0))
        assert is_zero(difference[b] - torsion)
        algebra = sum(frame.structure_abd[c][d][b] * omega[c] * sigma[d] for c in N for d in N)
        assert is_zero(difference[b] + algebra)
    assert not all(is_zero(each) for each in difference)  # the relation is not empty


def test_W5_with_an_explicit_variation():
    """w = q(t) + ε (1 − t²) η: fixed ends, Σ(±1) = 0, and the relation at ε = 0."""
    t, eps = sp.symbols("t epsilon")
    w = [sp.cos(t) + eps * (1 - t**2) * sp.sin(t), t**2 - eps * (1 - t**2) * t, sp.exp(t) + eps * (1 - t**2)]
    frame = Frame(*FRAMES["no symmetry"])
    derivative = lambda *by: [from_sympy(sp.diff(each, *by).subs(eps, 0)) for each in w]
    omega, sigma, difference = relation(frame, derivative(t), derivative(eps), derivative(t, eps))
    place = {q: from_sympy(each.subs(eps, 0)) for q, each in zip(frame.coordinates, w, strict=True)}
    T = weitzenbock(frame).torsion
    for b in N:
        torsion = sum(value * omega[c] * sigma[d] for (a, c, d), value in T.items if a == b)
        assert abs(complex((difference[b] - torsion).subs(place).subs({"t": 0.7}).n(53))) < 1e-12
    ends = [complex(s.subs(place).subs({"t": 1.0}).n(53)) for s in sigma]
    assert max(map(abs, ends)) < 1e-14


@every_frame
def test_W5_a_connection_without_torsion_has_no_transpositional_term(frame):
    """The parallelogram of (2.1.2) closes for Levi-Civita of any metric: the rotation terms make up for the anholonomy."""
    first, second, mixed = (tuple(symbol(f"{q.name}_{d}") for q in frame.coordinates) for d in ("t", "e", "te"))
    omega, sigma, difference = relation(frame, first, second, mixed)
    G = levi_civita(Metric(frame, ["1", "2", "3"])).coefficients
    for b in N:
        turning = sum(
            (v * (omega[c] * sigma[d] - sigma[c] * omega[d]) for (a, c, d), v in G.items if a == b),
            symengine.Integer(0),
        )
        assert is_zero(difference[b] + turning)
