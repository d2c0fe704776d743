r"""V1: affine, time-dependent constraints are nonholonomic or not by the extended distribution on $Q\times\mathbb R$.

Example 2.1: $\dot x = a(x,y,t)\,\dot y + b(x,y,t)$ is nonholonomic if $\alpha = dx - a\,dy - b\,dt$ is contact,

.. math:: \alpha\wedge d\alpha = \bigl(\partial_ta - \partial_yb + b\,\partial_xa - a\,\partial_xb\bigr)\,dx\wedge dy\wedge dt \ne 0 .
"""

from __future__ import annotations

import pytest
import sympy as sp

from anholonomy.algebra.expressions import to_sympy
from anholonomy.algebra.zero_test import is_zero
from anholonomy.base.verdict import Verdict
from anholonomy.geometry.distributions.distribution import Distribution
from anholonomy.geometry.forms import Form

x, y, t = sp.symbols("x y t")


def contact(a: sp.Expr, b: sp.Expr) -> sp.Expr:
    """The printed coefficient."""
    return a.diff(t) - b.diff(y) + b * a.diff(x) - a * b.diff(x)


def test_V1_the_contact_condition_for_arbitrary_functions() -> None:
    D = Distribution.from_constraints(["x' = a(x, y, t)*y' + b(x, y, t)"], ["x", "y"], functions=["a", "b"])
    assert [str(q) for q in D.coordinates] == ["x", "y", "t"]
    assert D.rank == 2
    alpha = Form.of(D.frame, 1, {(k,): entry for k, entry in enumerate(D.forms_ni[0])})
    a, b = (sp.Function(name)(x, y, t) for name in "ab")
    coefficient = to_sympy((alpha ^ alpha.d())[0, 1, 2])
    assert sp.simplify(coefficient - contact(a, b)) == 0
    assert D.is_integrable().verdict is Verdict.REFUTED  # not for all functions


CASES = {
    "a homogeneous, moving": ("cos(t)", "0", False),
    "homogeneous at rest": ("x*y", "0", True),
    "a belt": ("2", "cos(t)", True),
    "a gradient": ("x*t", "x*y", True),
    "shear": ("0", "y", False),
    "moves with x": ("x", "x*t", True),
    "cancels": ("y + t", "y", True),
}


@pytest.mark.parametrize(("a", "b", "holonomic"), CASES.values(), ids=CASES.keys())
def test_V1_nonholonomic_exactly_when_the_condition_says_so(a: str, b: str, holonomic: bool) -> None:
    D = Distribution.from_constraints([f"x' = ({a})*y' + {b}"], ["x", "y", "t"])
    assert (sp.simplify(contact(sp.sympify(a), sp.sympify(b))) == 0) is holonomic
    assert bool(D.is_integrable()) is holonomic
    leaves = D.leaves()
    assert leaves.complete is holonomic
    for F in leaves.functions:
        # Constant along every admissible motion: dF/dt with the constraint put in.
        rate = [F.diff(q) for q in D.coordinates]
        assert all(is_zero(sum(u * v for u, v in zip(X, rate, strict=True))) for X in D.vectors_ai)


def test_V1_homogeneous_and_integrable_at_each_time_is_still_nonholonomic() -> None:
    moving = Distribution.from_constraints(["x' = t*x*y'"], ["x", "y"])
    assert moving.on_spacetime
    assert not moving.is_integrable()
    assert moving.growth_vector() == (2, 3)
    assert Distribution.from_constraints(["x' = c*x*y'"], ["x", "y"]).is_integrable()


def test_V1_a_curve_is_admissible_exactly_when_its_lift_lies_in_the_extended_distribution() -> None:
    D = Distribution.from_constraints(["x' = t*y' + y"], ["x", "y"])
    # Along y = t^2 the constraint says x' = 2 t^2 + t^2, so x = t^3.
    assert D.contains(["3*t^2", "2*t", "1"]).verdict is Verdict.REFUTED  # off the curve the vector is not admissible
    value = sum(to_sympy(e) * v for e, v in zip(D.forms_ni[0], (3 * t**2, 2 * t, 1), strict=True))
    assert sp.simplify(value.subs({x: t**3, y: t**2})) == 0
