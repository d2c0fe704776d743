"""Constraints that look nonholonomic and are not, or the other way round: all classified with a certificate or a leaf function."""

from __future__ import annotations

import pytest
import symengine
import sympy as sp

from anholonomy.algebra.expressions import symbol, to_sympy, zero
from anholonomy.base.errors import NotSupportedError
from anholonomy.base.verdict import Verdict
from anholonomy.geometry import potentials as factors
from anholonomy.geometry.distributions import growth as generic
from anholonomy.geometry.distributions.distribution import Distribution
from anholonomy.geometry.frame import Frame
from tests.wording import blames, pinned

HOLONOMIC = {
    "an exponential in front": (["exp(z)*(x' + y') = 0"], "xyz", ["x + y"]),
    "a quotient": (["y*x' = x*y'"], "xy", ["x/y"]),
    "a helicoid": (["y*x' - x*y' + (x^2 + y^2)*z' = 0"], "xyz", ["atan(x/y) + z"]),
    "a helicoid with a pitch": (["x*y' - y*x' = (x^2 + y^2)*a*z'"], "xyz", ["atan(y/x) - a*z"]),
    "a product": (["z' = y*x' + x*y'"], "xyz", ["z - x*y"]),
    "a linear factor": (["2*x*y*x' + y' = 0"], "xy", ["y*exp(x^2)"]),
    "powers": (["y*z*x' + 2*x*z*y' + 3*x*y*z' = 0"], "xyz", ["x*y^2*z^3"]),
    "not closed, all three mixed": (["z*x' + x*z*y' + exp(-y)*z' = 0"], "xyz", ["x*exp(y) + log(z)"]),
    "homogeneous": (["z*(x' + y') = (x + y)*z'"], "xyz", ["(x + y)/z"]),
    "trigonometric": (["cos(x)*y' = y*sin(x)*x'"], "xyz", ["y*cos(x)"]),
    "an arctangent": (["x' = (1 + x^2)*y'"], "xy", ["atan(x) - y"]),
    "a sphere": (["x*x' + y*y' + z*z' = 0"], "xyz", ["x^2 + y^2 + z^2"]),
    "a pair, the first row not closed": (["z' + w*x' = 0", "w' = 0"], "xyzw", ["w", "z + w*x"]),
    "a pair, one through the other": (["z' = y*x' + x*y'", "w' = z*x' + x*z'"], "xyzw", ["z - x*y", "w - x*z"]),
    "an oscillator in x": (["z' = w*x'", "w' = -z*x'"], "xzw", ["z^2 + w^2", "z*cos(x) - w*sin(x)"]),
    "a hyperbola in x": (["z' = w*x'", "w' = z*x'"], "xzw", ["z^2 - w^2", "(z + w)*exp(-x)"]),
    "a disc on a line": (["x' = R*phi'"], ["x", "phi"], ["x - R*phi"]),
    "a disc that only rolls straight": (["x' = R*phi'*cos(theta)", "y' = R*phi'*sin(theta)", "theta' = 0"],
        ["x", "y", "theta", "phi"], ["theta", "x - R*phi*cos(theta)", "y - R*phi*sin(theta)"]),
    "a moving belt": (["x' = y' + cos(t)"], "xy", ["x - y - sin(t)"]),
    "growth in time": (["x' = t*x"], "xy", ["x*exp(-t^2/2)"]),
    "a shrinking bead": (["t*x' + x = 0"], "xy", ["t*x"]),
    "a position": (["x^2 + y^2 = 1"], "xy", ["x^2 + y^2"]),
}  # fmt: skip

NONHOLONOMIC = {
    "Heisenberg": (["z' = y*x'"], "xyz"),
    "knife edge": (["x'*sin(theta) = y'*cos(theta)"], ["x", "y", "theta"]),
    "rolling disk": (["x' = R*phi'*cos(theta)", "y' = R*phi'*sin(theta)"], ["x", "y", "theta", "phi"]),
    "unicycle with wheel angle": (
        ["x'*sin(theta) = y'*cos(theta)", "x'*cos(theta) + y'*sin(theta) = R*phi'"],
        ["x", "y", "theta", "phi"],
    ),
    "homogeneous, integrable at each time": (["x' = cos(t)*y'"], "xy"),
    "disc on a circle that grows": (["(R0 + v*t)*phi' = r*psi'"], ["phi", "psi"]),
    "affine": (["x' = y*z' + 1"], "xyz"),
    "affine in the plane": (["x' = y + t*y'*x"], "xy"),
    "closed at a point only": (["x' = x*y' + z' - x*z*y'"], "xyz"),
    "one row is holonomic": (["w' = 0", "z' = y*x'"], "xyzw"),
    "turning plate": (["x' = -Omega*y", "z' = y*t*w'"], "xyzw"),
}


def leaf_residuals(D: Distribution, F: sp.Expr) -> list[sp.Expr]:
    """X_a(F) by SymPy alone."""
    names = [sp.Symbol(str(q)) for q in D.coordinates]
    rows = [[to_sympy(entry) for entry in row] for row in D.vectors_ai]
    return [sp.simplify(sum(x * F.diff(q) for x, q in zip(row, names, strict=True))) for row in rows]


@pytest.mark.parametrize(("rows", "q", "expected"), HOLONOMIC.values(), ids=HOLONOMIC.keys())
def test_a_holonomic_constraint_is_recognised_and_integrated(rows: list[str], q: str, expected: list[str]) -> None:
    D = Distribution.from_constraints(rows, list(q))
    finding = D.is_integrable()
    assert finding.verdict is Verdict.PROVEN, str(finding)
    leaves = D.leaves()
    assert leaves.complete, str(leaves)
    known = [sp.sympify(text.replace("^", "**")) for text in expected]
    for F in known + [to_sympy(F) for F in leaves.functions]:
        assert leaf_residuals(D, F) == [0] * D.rank
    # Constant along the same leaves: the found functions depend on the known ones and nothing else.
    names = [sp.Symbol(str(s)) for s in D.coordinates]
    both = sp.Matrix([[F.diff(s) for s in names] for F in known + [to_sympy(F) for F in leaves.functions]])
    assert (
        both.subs({s: sp.Rational(k + 3, 5 + k * k) for k, s in enumerate(names)}).rank() == len(expected) == D.corank
    )


@pytest.mark.parametrize(("rows", "q"), NONHOLONOMIC.values(), ids=NONHOLONOMIC.keys())
def test_a_nonholonomic_constraint_is_refuted_with_a_witness(rows: list[str], q: str) -> None:
    D = Distribution.from_constraints(rows, list(q))
    finding = D.is_integrable()
    assert finding.verdict is Verdict.REFUTED
    (obstruction,) = finding.evidence
    component = sum(a * b for a, b in zip(D.forms_ni[obstruction.form], obstruction.bracket, strict=True))
    # What the point does not name does not matter.
    at = {str(s): sp.Rational(1, 3) for s in component.free_symbols}
    at |= {str(s): sp.Rational(v) for s, v in obstruction.witness.point}
    assert abs(float(sp.N(to_sympy(component).subs(at)))) > 1e-12
    assert "is integrable: refuted" in str(finding)
    assert not D.leaves().complete


def test_integrable_at_each_time_and_yet_nonholonomic() -> None:
    row = "x' = cos(t)*y'"
    assert not Distribution.from_constraints([row], ["x", "y"]).is_integrable()
    frozen = Distribution.from_constraints(["x' = cos(c)*y'"], ["x", "y"])
    assert frozen.is_integrable()
    assert leaf_residuals(frozen, to_sympy(frozen.leaves()[0])) == [0]


def test_part_of_the_constraints_may_be_holonomic() -> None:
    leaves = Distribution.from_constraints(["w' = 0", "z' = y*x'"], list("xyzw")).leaves()
    assert leaves.functions == (symbol("w"),)
    assert leaves.integrable.is_refuted
    assert str(leaves).startswith("no leaves of full dimension")


def test_what_is_not_found_is_said_and_not_invented() -> None:
    D = Distribution.from_constraints(["x' = f(x)*g(y)*y'"], ["x", "y"], functions=["f", "g"])
    assert D.is_integrable()
    pinned(str(D.leaves()))
    assert not D.leaves()


def test_frobenius_is_the_wedge_and_not_closedness() -> None:
    r"""$\theta^1\wedge\theta^2\wedge d\theta^\nu = 0$ in a case where neither row is closed nor integrable by itself."""
    from anholonomy.geometry.forms import Form

    D = Distribution.from_constraints(["z' = w*x' + w*y'", "w' = z*x' + z*y'"], list("xyzw"))
    one, two = (Form.of(D.frame, 1, {(k,): entry for k, entry in enumerate(row)}) for row in D.forms_ni)
    assert one.is_closed().verdict is two.is_closed().verdict is Verdict.REFUTED
    assert (one ^ one.d()).is_zero().verdict is (two ^ two.d()).is_zero().verdict is Verdict.REFUTED
    assert (one ^ two ^ one.d()).is_zero().verdict is (one ^ two ^ two.d()).is_zero().verdict is Verdict.PROVEN
    assert D.is_integrable()
    assert D.leaves().complete


def test_a_block_that_no_proof_calls_singular_is_passed_over(monkeypatch):
    """A determinant may be too long to be proven zero; the block is singular all the same."""
    monkeypatch.setattr(factors, "determinant", lambda block: symengine.Symbol("undecided"))
    x, y, z = symengine.symbols("x y z")
    forms = ((y, x, zero), (zero, zero, symengine.Integer(1)))
    found = factors.integrals_of_forms(Frame(["x", "y", "z"]), forms)
    assert x * y in found
    assert z in found


@pytest.mark.parametrize("limit", ["MAX_OPERATIONS", "MAX_GIVEN"])
def test_a_flag_that_outgrows_exact_algebra_ends_with_what_is_certified(monkeypatch, limit):
    engel = [["1", "w", "y", "0"], ["0", "0", "0", "1"]]
    assert Distribution.from_vectors(engel, ["x", "y", "z", "w"]).growth_vector() == (2, 3, 4)
    monkeypatch.setattr(generic, limit, -1)
    D = Distribution.from_vectors(engel, ["x", "y", "z", "w"])
    growth = D.growth_vector()
    assert (tuple(growth), growth.evidence, growth.is_settled) == ((2, 3), "certified below", False)
    assert repr(growth) == "(2, 3) so far"
    assert not D.leaves().functions
    with blames(NotSupportedError):
        D.degree_of_nonholonomy()
