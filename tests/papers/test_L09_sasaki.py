r"""L9: the Gibbs function from the Sasaki metric (Lewis, slide 14).

.. math::
   g^{TQ} = g_{ij}\,dq^i dq^j + g_{ij}\,\delta v^i\delta v^j, \quad \delta v^i = dv^i + \Gamma^i_{jk}v^k dq^j, \qquad
   G_L = \tfrac12 g^{TQ}(w, w) - \tfrac12 g(v, v) \text{ on } \mathrm{Fix}(I) = \{w = (q, v, v, a)\}
"""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import anholonomy as ah
from anholonomy.algebra.expressions import to_sympy

SHAPES = (sp.sin, sp.cos, lambda s: s, lambda s: s**2, lambda s: sp.exp(-(s**2)))


def random_metric(seed: int, n: int) -> tuple[list[sp.Symbol], sp.Matrix]:
    """Positive by construction: triangular times diagonal times triangular transposed, with functions of position."""
    rng = np.random.default_rng(seed)
    q = list(sp.symbols(f"q0:{n}"))

    def function() -> sp.Expr:
        shape = SHAPES[rng.integers(len(SHAPES))]
        return sp.Rational(int(rng.integers(1, 9)), 7) * shape(q[rng.integers(n)])

    lower = sp.Matrix(n, n, lambda i, j: function() if i > j else int(i == j))
    return q, lower * sp.diag(*(1 + function() ** 2 for _ in q)) * lower.T


def sasaki(q: list[sp.Symbol], v: list[sp.Symbol], g: sp.Matrix, at: dict) -> sp.Matrix:
    """The metric of TQ in the coordinates (q, v), a matrix of twice the size, in numbers."""
    n, places = len(q), range(len(q))
    slopes = [_numbers(g.diff(s), at) for s in q]
    first = [
        [[(slopes[k][i, j] + slopes[j][i, k] - slopes[i][j, k]) / 2 for k in places] for j in places] for i in places
    ]
    value = _numbers(g, at)
    lowered = sp.Matrix(n, n, lambda i, j: sum(first[i][j][k] * at[v[k]] for k in places))
    # Rows of E: dq^i, then δv^i, in terms of (dq, dv).
    E = sp.Matrix(sp.BlockMatrix([[sp.eye(n), sp.zeros(n, n)], [value.LUsolve(lowered), sp.eye(n)]]))
    return E.T * sp.diag(value, value) * E


@pytest.mark.parametrize(("seed", "n"), [(1, 2), (2, 2), (3, 3), (4, 3)])
def test_L9_the_sasaki_kinetic_energy_is_a_gibbs_function(seed: int, n: int) -> None:
    q, g = random_metric(seed, n)
    v, a = (list(sp.symbols(" ".join(f"{s.name}{dots}" for s in q))) for dots in ("'", "''"))
    system = ah.System(name="geodesic", coordinates=q, lagrangian=(sp.Matrix(v).T * g * sp.Matrix(v))[0] / 2)
    rng = np.random.default_rng(seed)
    at = {s: sp.Rational(int(rng.integers(-20, 20)), 23) for s in (*q, *v)}
    metric = sasaki(q, v, g, at)
    w = sp.Matrix([*(at[s] for s in v), *a])
    energy = (w.T * metric * w)[0] / 2
    kinetic = _numbers((sp.Matrix(v).T * g * sp.Matrix(v)) / 2, at)[0]

    # The printed identity: L^TQ - L = ½ M (xi - a)(xi - a), xi from the geodesic equations that Euler and Lagrange give.
    L = (sp.Matrix(v).T * g * sp.Matrix(v))[0] / 2
    p = sp.Matrix([L.diff(s) for s in v])
    h = p.jacobian(q) * sp.Matrix(v) - sp.Matrix([L.diff(s) for s in q])
    M = _numbers(g, at)
    gap = M.LUsolve(-_numbers(h, at)) - sp.Matrix(a)
    printed = (gap.T * M * gap)[0] / 2
    assert _largest(energy - kinetic - printed, a) < 1e-20

    # The software's function has the same gradient in the accelerations; the rest has none.
    ours = to_sympy(ah.principles.gibbs_function(system)).subs({s: sp.Float(value, 40) for s, value in at.items()})
    rest = sp.Poly(sp.expand(energy - ours), *a)
    assert max((abs(c) for m, c in rest.terms() if any(m)), default=0) < 1e-20
    assert abs(rest.coeff_monomial(1)) > 1e-3


def _numbers(matrix: sp.Matrix, at: dict) -> sp.Matrix:
    return matrix.subs({s: sp.Float(value, 40) for s, value in at.items()}).evalf(35)


def _largest(expression: sp.Expr, a: list[sp.Symbol]) -> float:
    return max(abs(c) for c in sp.Poly(sp.expand(expression), *a).coeffs())


def test_L9_a_potential_adds_its_differential() -> None:
    r"""Beyond the slide: with a potential, $g^{TQ}(w, w)/2 + dV(a)$ is a Gibbs function, and $g^{TQ}(w, w)/2$ is none."""
    q, g = random_metric(5, 2)
    v, a = (list(sp.symbols(" ".join(f"{s.name}{dots}" for s in q))) for dots in ("'", "''"))
    V = sp.cos(q[0]) * q[1]
    system = ah.System(name="natural", coordinates=q, lagrangian=(sp.Matrix(v).T * g * sp.Matrix(v))[0] / 2 - V)
    at = {s: sp.Rational(k + 2, 11) for k, s in enumerate((*q, *v))}
    w = sp.Matrix([*(at[s] for s in v), *a])
    energy = (w.T * sasaki(q, v, g, at) * w)[0] / 2
    ours = to_sympy(ah.principles.gibbs_function(system)).subs({s: sp.Float(value, 40) for s, value in at.items()})
    pull = _numbers(sp.Matrix([[V.diff(s) for s in q]]), at) * sp.Matrix(a)
    rest = sp.Poly(sp.expand(energy + pull[0] - ours), *a)
    assert max((abs(c) for m, c in rest.terms() if any(m)), default=0) < 1e-20
    assert max(abs(c) for m, c in sp.Poly(sp.expand(energy - ours), *a).terms() if any(m)) > 1e-2
