r"""W3: the EhresmannConnection connection of constraints, and the sign between its curvature and the anholonomy.

Fernandez & Bloch take $\theta^C = ds^C + A^C_\alpha dr^\alpha$, $e_\alpha = \partial_\alpha - A^C_\alpha\partial_C$, $[e_a, e_b] = -\Omega^c_{ab}e_c$ (1.1.2)
and define the curvature by $B(X, Y) = -A([X^h, Y^h])$ (1.3.4). They then print, in 1.3 and in the footnote, $\Omega^C_{\alpha\beta} =
-B^C_{\alpha\beta}$, and in the appendix

.. math:: B^C_{\alpha\beta} = \partial_\beta A^C_\alpha - \partial_\alpha A^C_\beta + A^B_\alpha\partial_BA^C_\beta - A^B_\beta\partial_BA^C_\alpha \quad (8.0.15).

(1.3.4) and (8.0.15) are negatives of each other. With the definition, $\Omega = B$.
"""

from __future__ import annotations

import pytest
import sympy as sp

from anholonomy import catalogue
from anholonomy.algebra.expressions import to_sympy
from anholonomy.geometry.connections.ehresmann import EhresmannConnection
from anholonomy.geometry.distributions.distribution import Distribution

CASES = {
    "vertical disk (5.1)": (
        ["x' = theta'*cos(phi)", "y' = theta'*sin(phi)"],
        ["theta", "phi"],
        ["theta", "phi", "x", "y"],
    ),
    "Heisenberg": (["z' = y*x'"], ["x", "y"], ["x", "y", "z"]),
    "the fibre moves": (["z' = z*y*x' + sin(z)*y'"], ["x", "y"], ["x", "y", "z"]),
    "two fibres that mix": (["u' = v*y*x'", "v' = u*x*y' + x'"], ["x", "y"], ["x", "y", "u", "v"]),
}
every_case = pytest.mark.parametrize(("rows", "base", "q"), CASES.values(), ids=CASES.keys())


def appendix(E: EhresmannConnection, C: int, a: int, b: int) -> sp.Expr:
    """(8.0.15) as printed, with A = minus our slopes."""
    r, s = ([sp.Symbol(str(x)) for x in names] for names in (E.base, E.fibre))
    A = [[-to_sympy(entry) for entry in row] for row in E.slopes_ni]
    vertical = sum(A[B][a] * A[C][b].diff(s[B]) - A[B][b] * A[C][a].diff(s[B]) for B in range(len(s)))
    return A[C][a].diff(r[b]) - A[C][b].diff(r[a]) + vertical


@every_case
def test_W3_the_anholonomy_of_the_adapted_frame_is_the_curvature(
    rows: list[str], base: list[str], q: list[str]
) -> None:
    r"""$\Omega^C_{\alpha\beta} = +B^C_{\alpha\beta}$ from (1.1.2) and (1.3.4); the print's minus sign would fail."""
    E = EhresmannConnection.from_constraints(rows, base, q)
    frame, m = E.frame, len(E.base)
    curved = False
    for a in range(m):
        for b in range(m):
            Omega = [-entry for entry in frame.structure_abd[a][b]]
            assert all(entry == 0 for entry in Omega[:m])  # brackets of lifts are vertical
            for C, s in enumerate(E.fibre):
                B = to_sympy(E.B(s, E.base[a], E.base[b]))
                assert sp.simplify(to_sympy(Omega[m + C]) - B) == 0
                curved |= B != 0
    assert curved


@every_case
def test_W3_the_appendix_has_the_opposite_sign(rows: list[str], base: list[str], q: list[str]) -> None:
    E = EhresmannConnection.from_constraints(rows, base, q)
    for a in range(2):
        for b in range(2):
            for C, s in enumerate(E.fibre):
                B = to_sympy(E.B(s, E.base[a], E.base[b]))
                assert sp.simplify(appendix(E, C, a, b) + B) == 0


def test_W3_the_split_of_a_velocity() -> None:
    r"""(1.3.2) and (1.3.3): $v = v^\alpha e_\alpha + \omega^C\partial_C$ with $\omega^C = v^C + A^C_\alpha v^\alpha$."""
    E = EhresmannConnection.of(catalogue.rolling_disk(), base=["theta", "phi"])
    v = [f"v_{q}" for q in E.coordinates]
    h, w = E.horizontal(v), E.vertical(v)
    for k, q in enumerate(E.coordinates):
        assert sp.simplify(to_sympy(h[k] + w[k]) - sp.Symbol(f"v_{q}")) == 0
        assert q not in E.base or w[k] == 0
    assert all(entry == 0 for entry in E.vertical(h))


@pytest.mark.parametrize(
    ("rows", "flat"),
    [
        (["z' = y*x' + x*y'"], True),
        (["z' = y*x'"], False),
        (["z' = z*x' + z*y'"], True),
        (["z' = z*y*x' + sin(z)*y'"], False),
    ],
)
def test_W3_curvature_vanishes_exactly_when_integrable(rows: list[str], flat: bool) -> None:
    E = EhresmannConnection.from_constraints(rows, ["x", "y"], ["x", "y", "z"])
    assert bool(E.is_flat()) is bool(Distribution.from_constraints(rows, ["x", "y", "z"]).is_integrable()) is flat


def test_W3_a_flat_connection_need_not_have_a_holonomic_frame() -> None:
    r"""1.3 calls $B = 0$ equivalent to the frame (1.3.2) being holonomic. With $z' = z(x' + y')$ the curvature is zero and
    $[e_x, \partial_z] = -\partial_z$: only $\Omega^C_{\alpha\beta}$ vanishes, while $\Omega^C_{\alpha B} = -\partial_BA^C_\alpha$ stays."""
    E = EhresmannConnection.from_constraints(["z' = z*x' + z*y'"], ["x", "y"], ["x", "y", "z"])
    assert E.is_flat()
    c = E.frame.structure_abd
    assert c[0][1] == (0, 0, 0)
    assert c[0][2] == (0, 0, -1)
