r"""D2: complete integrability of the constraint sub-bundle, $c^\alpha_{ij} = 0$ (2.22), and the leaves.

Delphenich prints $[\mathbf X, \mathbf Y] = X^iY^j[\mathbf e_i, \mathbf e_j]$ (2.21). The derivatives of the components are missing; they lie in
$C(M)$, so that the conclusion (2.22) stands.
"""

from __future__ import annotations

import pytest
import symengine

from anholonomy import System
from anholonomy.algebra.expressions import dot
from anholonomy.algebra.zero_test import are_all_zero, is_zero
from anholonomy.base.verdict import Verdict
from anholonomy.geometry import Frame
from anholonomy.geometry.brackets import bracket
from anholonomy.geometry.distributions.distribution import Distribution

CASES = {
    "a vessel wall": (["x*x' + y*y' + z*z' = 0"], "xyz", True),
    "an exponential": (["exp(z)*(x' + y') = 0"], "xyz", True),
    "a pair": (["z' + w*x' = 0", "w' = 0"], "xyzw", True),
    "knife edge": (["x'*sin(theta) = y'*cos(theta)"], ["x", "y", "theta"], False),
    "rolling disc (section 4)": (
        ["x' = R*psi'*cos(theta)", "y' = R*psi'*sin(theta)"],
        ["x", "y", "theta", "psi"],
        False,
    ),
}
every_case = pytest.mark.parametrize(("rows", "q", "integrable"), CASES.values(), ids=CASES.keys())


@every_case
def test_D2_integrable_exactly_when_the_structure_functions_vanish(rows: list[str], q: str, integrable: bool) -> None:
    """(2.22) in an adapted frame: the constraint's fields completed by coordinate directions."""
    D = Distribution.from_constraints(rows, list(q))
    frame = adapted(D)
    N = D.rank
    normal = [frame.structure_abd[i][j][a] for i in range(N) for j in range(N) for a in range(N, frame.size)]
    assert are_all_zero(normal) is integrable
    assert bool(D.is_integrable()) is integrable
    assert D.is_integrable().verdict is (Verdict.PROVEN if integrable else Verdict.REFUTED)


def adapted(D: Distribution) -> Frame:
    """The distribution's fields and as many coordinate directions as make a frame."""
    from anholonomy.algebra.linear_algebra.symbolic import independent_rows

    units = Frame.chart(D.coordinates).anchor_ai
    rows = [*D.vectors_ai, *units]
    return Frame.chart(D.coordinates).change(tuple(rows[k] for k in independent_rows(rows)))


@every_case
def test_D2_leaves_are_found_with_their_proof(rows: list[str], q: str, integrable: bool) -> None:
    D = Distribution.from_constraints(rows, list(q))
    leaves = D.leaves()
    assert leaves.complete is integrable
    for F in leaves.functions:
        dF = [F.diff(s) for s in D.coordinates]
        assert all(is_zero(dot(X, dF)) for X in D.vectors_ai)


def test_D2_the_printed_bracket_of_sections_misses_derivatives() -> None:
    """With X = e_1 and Y = x e_1 in the plane the print gives 0 and the bracket is e_1; the difference stays in C(M)."""
    plane = Frame(["x", "y"])
    x, one, o = symengine.Symbol("x"), symengine.Integer(1), symengine.Integer(0)
    found = bracket(plane, (one, o), (x, o))
    assert found == (1, 0) != (0, 0)
    assert (
        Distribution.from_constraints(["y' = 0"], ["x", "y"]).contains([str(e) for e in found]).verdict
        is Verdict.PROVEN
    )


def test_D2_a_holonomic_frame_exists_where_the_given_one_is_not() -> None:
    """(2.23): polar directions on planes z = const do not commute, the sub-bundle is integrable all the same."""
    D = Distribution.from_vectors([["x", "y", "0"], ["-y + x*y", "x", "0"]], ["x", "y", "z"])
    assert D.bracket(0, 1) != (0, 0, 0)
    assert D.is_integrable()
    assert D.leaves().functions == (symengine.Symbol("z"),)


def test_D2_through_a_system() -> None:
    bead = System(name="bead", coordinates=["x", "y"], lagrangian="x'^2 + y'^2", constraints=["x*x' + y*y' = 0"])
    D = Distribution.of(bead)
    assert D.is_integrable()
    assert D.leaves().complete
