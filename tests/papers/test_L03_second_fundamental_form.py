r"""L3: the second fundamental form of a distribution; geodesic invariance is skewness; no torsion implies leaves.

Lewis sets $S_D(X, Y) = (\nabla^g_XP)(Y)$ with $P$ the projector onto $D^\perp$ (slide 4) and calls $D$ geodesically invariant exactly
when $S_D$ is skew (slide 5). The superscript $g$ matters: with the constrained connection $\nabla$ in its place the form is zero for every $D$.
"""

from __future__ import annotations

import numpy as np
import pytest
import symengine
from scipy.integrate import solve_ivp

from anholonomy.algebra.expressions import dot
from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.verdict import Verdict
from anholonomy.geometry import Frame
from anholonomy.geometry.connections.levi_civita import LeviCivitaConnection
from anholonomy.geometry.connections.nonholonomic import NonholonomicConnection
from anholonomy.geometry.distributions.distribution import Distribution
from anholonomy.geometry.metric import Metric
from anholonomy.geometry.tensor import Tensor

FLAT = ["1", "1", "1"]
S3 = [["1", "0", "0"], ["0", "1", "cos(theta)"], ["0", "cos(theta)", "1"]]
"""The round metric of the rotation group in Euler angles (theta, phi, psi)."""
CASES = {
    # name: coordinates, metric, fields, integrable, geodesically invariant, totally geodesic
    "planes": ("xyz", FLAT, [["1", "0", "0"], ["0", "1", "0"]], True, True, True),
    "circles in the plane": (["r", "phi"], ["1", "r^2"], [["0", "1"]], True, False, False),
    "rays in the plane": (["r", "phi"], ["1", "r^2"], [["1", "0"]], True, True, True),
    "spheres": (["r", "theta", "phi"], ["1", "r^2", "r^2*sin(theta)^2"], [["0", "1", "0"], ["0", "0", "1"]],
        True, False, False),
    "Heisenberg, its invariant metric": ("xyz", [["1 + y^2", "0", "-y"], ["0", "1", "0"], ["-y", "0", "1"]],
        [["1", "0", "y"], ["0", "1", "0"]], False, True, False),
    "Heisenberg in flat space": ("xyz", FLAT, [["1", "0", "y"], ["0", "1", "0"]], False, False, False),
    "two axes of the rotations": (["theta", "phi", "psi"], S3, [["1", "0", "0"], ["0", "1", "-cos(theta)"]],
        False, True, False),
    "knife edge, balanced": (["x", "y", "theta"], FLAT, [["cos(theta)", "sin(theta)", "0"], ["0", "0", "1"]],
        False, False, False),
}  # fmt: skip
every_case = pytest.mark.parametrize(
    ("q", "g", "fields", "integrable", "invariant", "geodesic"), CASES.values(), ids=CASES
)


@every_case
def test_L3_skew_exactly_for_geodesic_invariance(q, g, fields, integrable, invariant, geodesic) -> None:
    D = Distribution.from_vectors(fields, list(q))
    S = D.second_fundamental_form(g)
    assert bool(D.is_integrable()) is integrable
    assert (S.skew.is_zero().verdict is Verdict.PROVEN) is integrable
    assert bool(S.is_geodesically_invariant()) is invariant
    assert bool(S.is_totally_geodesic()) is geodesic
    assert geodesic == (integrable and invariant)


@every_case
def test_L3_geodesics_stay_exactly_then(q, g, fields, integrable, invariant, geodesic) -> None:
    """The geodesic equation itself, integrated from directions of the distribution."""
    D = Distribution.from_vectors(fields, list(q))
    metric = Metric(D.frame, g)
    Gamma = LeviCivitaConnection(metric).coefficients.items
    n, names = D.frame.size, [str(s) for s in D.coordinates]
    number = lambda e, at: float(
        e.xreplace({symengine.Symbol(k): symengine.RealDouble(v) for k, v in zip(names, at, strict=True)})
    )

    def rate(_: float, state: np.ndarray) -> np.ndarray:
        v, a = state[n:], np.zeros(n)
        for (i, j, k), value in Gamma:
            a[i] -= number(value, state[:n]) * v[j] * v[k]
        return np.concatenate([v, a])

    start = np.array([0.7, 0.4, 0.3][:n])
    worst = 0.0
    weights = [(1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, -0.5)] if len(fields) == 2 else [(1.0,)]
    for chosen in weights:
        v = sum(w * np.array([number(e, start) for e in X]) for w, X in zip(chosen, D.vectors_ai, strict=True))
        run = solve_ivp(rate, (0, 0.5), np.concatenate([start, v]), rtol=1e-10, atol=1e-12)
        at, v = run.y[:n, -1], run.y[n:, -1]
        worst = max(worst, *(abs(sum(number(e, at) * u for e, u in zip(form, v, strict=True))) for form in D.forms_ni))
    assert bool(worst < 1e-8) is invariant


def test_L3_a_basis_is_not_enough() -> None:
    """Both basis fields have straight-line flows, their sum leaves: the quadratic condition must be polarised."""
    D = Distribution.from_vectors([["1", "0", "y"], ["0", "1", "0"]], ["x", "y", "z"])
    S = D.second_fundamental_form(FLAT)
    X, Y = D.vectors_ai
    assert S(X, X) == S(Y, Y) == (0, 0, 0)
    both = tuple(a + b for a, b in zip(X, Y, strict=True))
    assert S(both, both) != (0, 0, 0)
    assert not S.is_geodesically_invariant()


@every_case
def test_L3_it_is_the_normal_part_of_the_derivative_with_lewiss_sign(
    q, g, fields, integrable, invariant, geodesic
) -> None:
    r"""$(\nabla^g_XP)(Y) = -Q\nabla^g_XY$ for $Y \in D$, so Lewis's form is minus the classical one he generalises."""
    D = Distribution.from_vectors(fields, list(q))
    metric = Metric(D.frame, g)
    LC = LeviCivitaConnection(metric)
    _, Q = D.projectors(g)
    S = D.second_fundamental_form(g)
    n = range(D.frame.size)
    lewis = LC.covariant_derivative(Q)
    for X in D.vectors_ai:
        for Y in D.vectors_ai:
            field = Tensor.of(D.frame, "u", {(k,): e for k, e in enumerate(Y)})
            along = Tensor.of(D.frame, "u", {(k,): e for k, e in enumerate(X)})
            nabla = LC.covariant_derivative(field, along)
            found = S(X, Y)
            for c in n:
                assert is_zero(found[c] - dot([Q[c, k] for k in n], [nabla[k] for k in n]))
                printed = sum(X[b] * Y[a] * lewis[b, c, a] for a in n for b in n)
                assert is_zero(printed + found[c])


@every_case
def test_L3_without_the_superscript_the_form_is_zero(q, g, fields, integrable, invariant, geodesic) -> None:
    D = Distribution.from_vectors(fields, list(q))
    nabla = NonholonomicConnection.of(Metric(D.frame, g), fields)
    _, Q = D.projectors(g)
    derivative = nabla.covariant_derivative(Q)
    n = range(D.frame.size)
    for X in D.vectors_ai:
        for Y in D.vectors_ai:
            assert all(is_zero(sum(X[b] * Y[a] * derivative[b, c, a] for a in n for b in n)) for c in n)


@every_case
def test_L3_no_torsion_implies_leaves_and_more(q, g, fields, integrable, invariant, geodesic) -> None:
    """Slide 5 says integrable; a torsion-free constrained connection even has totally geodesic leaves, on both sides."""
    D = Distribution.from_vectors(fields, list(q))
    free = bool(NonholonomicConnection.of(Metric(D.frame, g), fields).is_torsion_free())
    normal = Distribution.from_vectors([[str(e).replace("**", "^") for e in row] for row in D.complement(g)], list(q))
    assert free is (geodesic and bool(normal.is_totally_geodesic(g)))
    if free:
        assert integrable


def test_L3_integrable_does_not_imply_no_torsion() -> None:
    D = Frame(["r", "phi"])
    circles = NonholonomicConnection.of(Metric(D, ["1", "r^2"]), [["0", "1"]])
    assert Distribution.from_vectors([["0", "1"]], ["r", "phi"]).is_integrable()
    assert not circles.is_torsion_free()
