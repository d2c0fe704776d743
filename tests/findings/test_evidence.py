"""Evidence that is wrong does not stand when it is gone through again."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import mpmath
import pytest
import symengine

import anholonomy as ah
from anholonomy.base.verdict import Verdict
from anholonomy.findings import Bound, Finding, Identity, Quantity, Reason, Undecided, Witness, vanishing
from tests.wording import pinned

x, y = symengine.symbols("x y")


def test_what_is_no_identity_does_not_stand():
    assert Identity("f", (symengine.sin(2 * x) - 2 * symengine.sin(x) * symengine.cos(x),)).check().is_proven
    assert Identity("f", (symengine.sin(2 * x) - symengine.sin(x) * symengine.cos(x),)).check().is_refuted


def test_a_point_where_a_quantity_vanishes_is_no_witness():
    assert Witness("f", x - y, ((x, Fraction(1)), (y, Fraction(2)))).check().is_proven
    assert Witness("f", x - y, ((x, Fraction(1)), (y, Fraction(1)))).check().is_unknown


def test_the_value_at_a_witness_is_a_ball():
    value = Witness("f", symengine.exp(x), ((x, Fraction(1, 2)),)).value(30)
    with mpmath.workdps(50):
        assert abs(mpmath.mpf(value.mid().str(45, radius=False)) - mpmath.sqrt(mpmath.e)) < 1e-29
    assert float(value.rad()) < 1e-29


@pytest.mark.parametrize(("least", "most", "stands"), [("0", "1e-9", True), ("1e-3", "1", True), ("0", "1", False)])
def test_a_bound_stands_where_it_decides(least, most, stands):
    assert bool(Bound("gap", Decimal(least), Decimal(most), Decimal("1e-6")).check()) is stands


def test_words_are_not_checked():
    assert Finding("it is so", Verdict.PROVEN, (Reason("I say so."),)).check().is_unknown
    assert Finding("it is so", Verdict.PROVEN).check().is_unknown


def test_unknown_functions_have_their_names_in_a_witness():
    D = ah.geometry.Distribution.from_constraints(["x' = a(t)*y'"], ["x", "y"], functions=["a"])
    found = D.is_integrable()
    assert "not zero at D(a(t), t) = " in str(found)
    assert found.scope.functions == ("a",)
    assert found.check().is_refuted


def test_what_holds_for_all_functions_says_so():
    h = ah.geometry.Form.function(ah.geometry.Frame(["x", "y"]), "h(x, y)", functions=["h"])
    assert str(h.d().is_closed()).startswith("the form is closed: proven")
    unknown = symengine.Function("f")(x)
    found = vanishing(
        "nothing is left", "f - f", [Quantity("f - f", (unknown + x) ** 2 - unknown**2 - 2 * x * unknown - x**2)]
    )
    pinned(str(found), "nothing", "f", "0")


def test_a_finding_names_its_group_and_the_values_it_needs():
    row = ah.System(name="row", group="SO3", kinetic=[1, 2, 3], constraints=["R32*w1 = R31*w2"])
    assert "proven on the group of q0, q1, q2, q3" in str(row.geometry.distribution.is_integrable())
    words = {"coordinates": ["x", "y", "z"], "lagrangian": "x'^2 + y'^2 + z'^2", "constraints": ["z' = y*x' + k*x*y'"]}
    found = ah.System(**words, parameters={"k": 1}).geometry.distribution.is_integrable()
    assert [(str(name), value) for name, value in found.scope.values] == [("k", 1)]


def test_later_quantities_are_not_asked_for_once_one_refutes():
    def quantities():
        yield Quantity("first", x)
        raise AssertionError("asked for more than was needed")

    assert vanishing("x is zero", "x", quantities()).is_refuted


def test_the_undecided_are_counted():
    hard = symengine.atan(x) + symengine.atan(1 / x) - 1
    assert str(Undecided((Quantity("f", hard), Quantity("g", hard)))).endswith("is zero, and 1 more")


def test_words_in_formulas_are_escaped():
    assert Reason("50% of x_1 & {y}").latex() == r"\text{50\% of x\_1 \& \{y\}}"
