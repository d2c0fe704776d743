r"""W11: Proposition 4 of Fernandez & Bloch: the multiplier in an orthonormal frame, (4.1.9), and its conservation laws."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

from anholonomy import System, Verdict, catalogue
from anholonomy.language import to_text


@pytest.mark.parametrize(
    ("name", "laws"), [("rolling_disk", 2), ("free_particle", 2), ("knife_edge", 1), ("heisenberg", 2)]
)
def test_W11_cyclic_speeds_are_constant_along_motions(name: str, laws: int) -> None:
    """5.1 and 5.2: both speeds, also the one that the Lagrangian in the new time did not show; 5.3: that which gravity spares."""
    system = getattr(catalogue, name)()
    found = system.hamiltonize().orthonormal
    assert found.verdict is Verdict.PROVEN
    assert len(found.laws) == laws
    start = {q.name: 0.2 for q in system.coordinates}
    base = system.hamiltonize().base
    run = system.simulate(start | {w.name: 0.3 + 0.2 * k for k, w in enumerate(base.velocities)}, until=1.0)
    for law in found.laws.values():
        values = run[to_text(law)].values
        np.testing.assert_allclose(values, values[0], rtol=1e-12)


def test_W11_the_printed_equations() -> None:
    r"""(4.1.9) written out for the free particle's base with a mass: $u_x = \partial_x$, $u_y = (1 + 3x^2)^{-1/2}\partial_y$ and f = const.

    The only brackets among the $u_\alpha$ and $\partial_z$ that enter are $\hat\Omega^y_{xy}$ with the projected vertical part, and they cancel.
    """
    system = System(
        name="heavy", coordinates=["x", "y", "z"], lagrangian="(x'^2 + y'^2 + 3*z'^2)/2", constraints=["z' = x*y'"]
    )
    found = system.hamiltonize().orthonormal
    x = sp.Symbol("x")
    X = [sp.Matrix([1, 0, 0]), sp.Matrix([0, 1, x]) / sp.sqrt(1 + 3 * x**2)]
    g = sp.diag(1, 1, 3)
    bracket = X[1].diff(x)  # [X_x, X_y], which depend on x alone
    projected = [sp.simplify((bracket.T * g * each)[0]) for each in X]
    assert projected == [0, 0]
    assert found.multiplier == 1
    assert found.equations.psi_i == (0, 0)


def test_W11_a_frame_that_needs_a_multiplier() -> None:
    r"""With the weight $1 + x^2$ on the fibre $\dot u_x = \tfrac12\partial_xg(X_y, X_y)\,u_y^2$ does not vanish, and f is not constant."""
    system = System(
        name="uneven", coordinates=["x", "y", "z"], lagrangian="(x'^2 + y'^2 + (1 + x^2)*z'^2)/2", constraints=["z' = x*y'"]
    )  # fmt: skip
    found = system.hamiltonize().orthonormal
    assert found.verdict is Verdict.PROVEN
    assert found.multiplier is None or found.multiplier.free_symbols
    x = sp.Symbol("x")
    slope = x**3 / (1 + x**2 * (1 + x**2))  # by hand: half of d/dx (1 + x^2) times x^2/(1 + x^2 (1 + x^2))
    value = sp.sympify(to_text(found.equations.psi_i[0]).replace("^", "**"))
    assert sp.simplify(value - slope) == 0


def test_W11_refuted_for_the_sleigh() -> None:
    found = catalogue.chaplygin_sleigh().hamiltonize().orthonormal
    assert found.verdict is Verdict.REFUTED
    assert not found.laws


def test_W11_independence_of_a_coordinate_is_not_enough() -> None:
    r"""Printed: a law for every $r^\alpha$ of which f and V are independent. With $G_{xy} = c$ the second field is $\propto \partial_y - c\,\partial_x$.

    $V = x^2/2$ does not depend on y, and $u_2$ is not constant: what must vanish is $u_\alpha(f)$ and $u_\alpha(V)$.
    """
    system = System(
        name="oblique", coordinates=["x", "y", "z"], lagrangian="(x'^2 + x'*y' + y'^2 + z'^2)/2 - x^2/2",
        constraints=["z' = 2*y'"],
    )  # fmt: skip
    h = system.hamiltonize(fibre=["z"])
    found = h.orthonormal
    assert found.multiplier == 1
    assert "y" not in {s.name for s in h.equations.parts.potential.free_symbols}
    assert found.laws == {}
    run = system.simulate({"x": 0.5, "y": 0.0, "z": 0.0, "x'": 0.1, "y'": 0.2}, until=3.0)
    values = run[to_text(found.speeds["u2"])].values
    assert np.ptp(values) > 0.1
