"""Declared values decide; of free parameters the values are told for which a decision changes."""

from __future__ import annotations

import pytest
import symengine

import anholonomy as ah
from anholonomy.findings.special_values import special_values
from anholonomy.geometry.frame import Frame
from anholonomy.language import parse_expression


def system(k: float | None, constraint: str = "z' = y*x' + k*x*y'", **more: float | None) -> ah.System:
    return ah.System(
        coordinates=["x", "y", "z"],
        lagrangian="(x'^2 + (1 + k*x^2)*y'^2 + z'^2)/2",
        constraints=[constraint],
        parameters={"k": k} | more,
    )


@pytest.mark.parametrize(("k", "integrable", "growth"), [(1, True, (2,)), (2, False, (2, 3)), (None, False, (2, 3))])
def test_a_total_differential_for_one_value_of_a_parameter(k, integrable, growth):
    """y dx + k x dy is closed exactly for k = 1, where it is d(xy)."""
    asked = system(k)
    assert bool(asked.geometry.distribution.is_integrable()) is integrable
    assert asked.geometry.distribution.growth_vector() == growth
    assert bool(asked.geometry.ehresmann(["x", "y"]).is_flat()) is integrable


def test_the_leaves_that_a_value_makes():
    (F,) = system(1).geometry.distribution.leaves().functions
    x, y, z = symengine.symbols("x y z")
    slopes = [symengine.expand(F.diff(q) * 1) for q in (x, y, z)]
    assert [symengine.expand(s / slopes[2]) for s in slopes] == [-y, -x, 1]
    assert "for k = 1" in str(system(1).geometry.distribution.is_integrable())


def test_the_witness_has_the_declared_value():
    witness = dict(system(2).geometry.distribution.is_integrable().evidence[0].witness.point)
    assert witness[symengine.Symbol("k")] == 2


def test_free_parameters_get_their_exceptions():
    found = system(None).geometry.distribution.is_integrable()
    assert str(found).endswith("it holds only where k = 1")
    assert str(system(None).geometry.distribution.growth_vector().special) == "k = 1"
    assert str(system(None).geometry.ehresmann(["x", "y"]).is_flat()).endswith("holds only where k = 1")
    # a declared value leaves the condition on the other
    both = "z' = (k - a)*y*x' + (k + a)*x*y'"
    assert str(system(None, both, a=None).geometry.distribution.is_integrable()).endswith("it holds only where a = 0")
    assert not system(1, both, a=3).geometry.distribution.is_integrable().scope.special


@pytest.mark.parametrize(
    ("functions", "says"),
    [
        (["(k - 1)*x", "(k^2 - 1)*sin(y)"], "k = 1"),
        (["k*x + a*y"], "a = 0 and k = 0"),
        (["k*(a - 2)*x"], "a = 2, or k = 0"),
        (["(k^2 + 1)*x"], ""),
        (["k^2*x - a^2*x"], "a = k, or a = -k"),
        (["k*x + 1"], ""),
    ],
)
def test_common_zeros_of_the_coefficients(functions, says):
    chart = Frame(["x", "y"])
    found = special_values([parse_expression(f) for f in functions], chart.coordinates)
    said = {frozenset(each.split(" and ")) for each in str(found).split(", or ")}
    assert said == {frozenset(each.split(" and ")) for each in says.split(", or ")}


def test_no_claim_where_a_value_makes_functions_dependent():
    """exp(k*x) - 1 vanishes for k = 0, which no coefficient tells."""
    assert special_values([parse_expression("exp(k*x) - 1")], Frame(["x"]).coordinates) is None


@pytest.mark.parametrize(("k", "fields"), [(0, 6), (1, 2)])
def test_symmetries_and_flatness_of_the_declared_metric(k, fields):
    """1 + k x^2 = 1 is Euclidean space, with six Killing fields; otherwise the translations along y and z remain."""
    metric = system(k).geometry.metric
    found = ah.geometry.killing_fields(metric)
    assert (len(found), bool(found.is_complete)) == (fields, True)
    assert bool(ah.connections.levi_civita(metric).is_flat()) is (k == 0)
    assert str(ah.connections.levi_civita(system(None).geometry.metric).is_flat()).endswith("it holds only where k = 0")


@pytest.mark.parametrize(("k", "exact"), [(1, True), (2, False)])
def test_forces_with_a_potential_for_one_value(k, exact):
    pulled = ah.System(
        coordinates=["x", "y"],
        lagrangian="(x'^2 + y'^2)/2",
        forces={"x": "k*y", "y": "x"},
        parameters={"k": k},
    )
    found = pulled.find_lagrangian()
    assert bool(found) is exact
    if exact:
        x, y = symengine.symbols("x y")
        assert [symengine.expand(found.lagrangian.diff(q)) for q in (x, y)] == [y, x]
