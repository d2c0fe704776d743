r"""J1 (integrability part): $D$ is integrable exactly when the canonical flip $\kappa$ maps $TD$ into $TD$ (Corollary 1.2).

In coordinates $\kappa(x, y, \delta x, \delta y) = (x, \delta x, y, \delta y)$. With $D = \ker\theta^\nu$, a vector $(x, y, \delta x, \delta y)$ is in $TD$ exactly if
$\theta^\nu_iy^i = 0$ and $\theta^\nu_i\,\delta y^i + \partial_j\theta^\nu_i\,y^i\,\delta x^j = 0$; its flip is in $TD$ if the same holds with $y$ and $\delta x$
exchanged.
"""

from __future__ import annotations

import pytest
import sympy as sp

from anholonomy.algebra.expressions import to_sympy
from anholonomy.geometry.distributions.distribution import Distribution

CASES = {
    "Heisenberg": (["z' = y*x'"], "xyz", False),
    "knife edge": (["x'*sin(theta) = y'*cos(theta)"], ["x", "y", "theta"], False),
    "rolling disk": (["x' = R*phi'*cos(theta)", "y' = R*phi'*sin(theta)"], ["x", "y", "theta", "phi"], False),
    "an exponential": (["exp(z)*(x' + y') = 0"], "xyz", True),
    "a pair, not closed": (["z' = w*x' + w*y'", "w' = z*x' + z*y'"], "xyzw", True),
    "a sphere": (["x*x' + y*y' + z*z' = 0"], "xyz", True),
}


@pytest.mark.parametrize(("rows", "q", "integrable"), CASES.values(), ids=CASES.keys())
def test_J1_integrable_exactly_when_the_flip_keeps_TD(rows: list[str], q: str, integrable: bool) -> None:
    D = Distribution.from_constraints(rows, list(q))
    names = [sp.Symbol(str(s)) for s in D.coordinates]
    theta = sp.Matrix([[to_sympy(entry) for entry in row] for row in D.forms_ni])
    X = sp.Matrix([[to_sympy(entry) for entry in row] for row in D.vectors_ai])
    u, v = sp.symbols(f"u:{D.rank}"), sp.symbols(f"v:{D.rank}")
    y, dx = X.T * sp.Matrix(u), X.T * sp.Matrix(v)
    # What theta(dy) must be for (x, y, dx, dy) to be in TD, and for its flip (x, dx, y, dy).
    turned = lambda y, dx: sp.Matrix(
        [
            -sum(form[i].diff(s) * y[i] * dx[j] for i in range(len(names)) for j, s in enumerate(names))
            for form in theta.tolist()
        ]
    )
    difference = (turned(y, dx) - turned(dx, y)).applyfunc(sp.simplify)
    assert (difference == sp.zeros(D.corank, 1)) is integrable
    assert bool(D.is_integrable()) is integrable
