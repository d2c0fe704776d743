"""Abnormal paths: Martinet's line, those of a car with a trailer, and systems that have none."""

from __future__ import annotations

import pytest
import sympy as sp

import anholonomy as ah
from anholonomy.catalogue import chaplygin_sleigh, engel, generalized_heisenberg, heisenberg, martinet, skate
from tests.wording import blames

ORIGIN = {"x": 0, "y": 0, "z": 0}


def test_martinets_line_is_named() -> None:
    found = martinet().paths.abnormal()
    assert found.finding.is_refuted
    assert str(found.place) == "y"
    assert [str(each) for each in found.field] == ["1", "0", "(1/2)*y**2"]
    way = "abnormal paths go along (1, 0, y^2/2) where y = 0"
    assert str(found) == f"{way}; they are normal as well; small pieces of them are shortest"


def test_the_line_is_normal_as_well_and_shortest() -> None:
    line = martinet().paths.shortest(ORIGIN, {"x": 1, "y": 0, "z": 0})
    assert line.length == pytest.approx(1, abs=1e-12)
    finding = line.is_abnormal()
    assert finding.is_proven
    assert "z: 1" in str(finding)
    assert martinet().paths.shortest(ORIGIN, {"x": 0.3, "y": 0.4, "z": 0.01}).is_abnormal().is_refuted


@pytest.mark.parametrize("name", [heisenberg, generalized_heisenberg, chaplygin_sleigh, skate])
def test_contact_has_no_abnormal_paths(name) -> None:
    assert name().paths.abnormal().finding.is_proven


def test_a_disguised_surface_is_found() -> None:
    """Martinet's form in other coordinates: y is replaced by y + x² - 1, and the form multiplied."""
    system = ah.System(
        name="disguised",
        coordinates=["x", "y", "z"],
        lagrangian="(x'^2 + y'^2 + z'^2)/2",
        constraints=["(2 + sin(x))*z' = (2 + sin(x))*(y + x^2 - 1)^2*x'/2"],
    )
    found = system.paths.abnormal()
    assert found.finding.is_refuted
    x, y, z = sp.symbols("x y z")
    surface = sp.sympify(found.place)
    assert sp.simplify(surface.subs(y, 1 - x**2)) == 0
    way = [sp.sympify(entry) for entry in found.field]
    moved = sum(surface.diff(s) * v for s, v in zip((x, y, z), way, strict=True))
    assert sp.simplify(moved.subs(y, 1 - x**2)) == 0
    assert sp.simplify((way[2] - (y + x**2 - 1) ** 2 * way[0] / 2).subs(y, 1 - x**2)) == 0
    assert sp.simplify(way[0].subs(y, 1 - x**2)) != 0


@pytest.mark.exhaustive
def test_in_more_dimensions_they_lead_through_every_point() -> None:
    """Engel's: y' alone moves, the covector dw is carried along; a path that turns is none."""
    assert engel().paths.abnormal().finding.is_refuted
    place = {"x": 0.2, "y": -0.3, "z": 0.4, "w": 0.1}
    straight = engel().paths.shortest(place, {**place, "y": 0.5})
    assert straight.length == pytest.approx(0.8, abs=1e-10)
    assert straight.is_abnormal().is_proven
    other = engel().paths.extremal(place, {"x": 1, "y": 0.2, "z": 0.5, "w": -0.4}, until=1.5)
    assert other.is_abnormal().is_refuted


def test_the_verdict_along_a_path_does_not_depend_on_units() -> None:
    """Lengths in millimetres, the covector of the row in thousandths."""
    fine = ah.System(
        name="fine",
        coordinates=["x", "y", "z"],
        lagrangian="(x'^2 + y'^2 + z'^2)/2000000",
        constraints=["z'/1000 = y^2*x'/2000000000"],
    )
    assert fine.paths.extremal(ORIGIN, {"x": 1e-3, "y": 0, "z": 0}, until=1).is_abnormal().is_proven
    assert fine.paths.extremal(ORIGIN, {"x": 1e-3, "y": 1e-3, "z": 0}, until=1).is_abnormal().is_refuted


LIU_AND_SUSSMANN = [
    ("((1 + y)^2*x'^2 + y'^2 + z'^2)/2", "z' = y^2*x'/2", {"x": 1, "y": 0, "z": 0}, 1.0),
    ("(x'^2 + (y'^2 + z'^2)/((1 - x)^2 + x^4))/2", "x^2*y' = (1 - x)*z'", {"x": 0, "y": 0.5, "z": 0}, 0.5),
]
"""The line y = 0 with the metric (1 + y)² x'² + y'², and their own example: X1 = d/dx, X2 = (1 - x) d/dy + x² d/dz orthonormal."""


@pytest.mark.parametrize(
    "constraint", ["x*y' - y*x' + (1 + x^2 + y^2)*z' = 0", "z' = (y + y^3)*x'", "z' = x'/y", "y*z' = x'"]
)
def test_where_the_chosen_fields_vanish_no_path_becomes_abnormal(constraint: str) -> None:
    """These are contact forms: theta ^ dtheta vanishes nowhere, although fields that span the directions may."""
    found = flat(constraint).paths.abnormal()
    assert found.finding.is_proven
    assert found.finding.check().is_proven
    assert not found.field


def test_veselovas_constraint_is_a_contact_form_on_the_rotations() -> None:
    """Its form never vanishes and neither does theta ^ dtheta, though two components of the form may."""
    found = ah.catalogue.veselova().paths.abnormal()
    assert found.finding.is_proven
    assert not any(ah.catalogue.veselova().geometry.distribution.singular_points().values())


@pytest.mark.parametrize("constraint", ["z' = (y^3/3 - y)*x'", "z' = sin(y)*x'"])
def test_a_function_without_poles_that_changes_its_sign_has_zeros(constraint: str) -> None:
    found = flat(constraint).paths.abnormal().finding
    assert found.is_refuted
    assert found.check().is_refuted


@pytest.mark.parametrize(
    "constraint", ["sin(x)*z' = sin(x)*y*x'", "(exp(x) - 1)*z' = y*(exp(2*x) - 1)*x'", "z' = exp(-1/x)*y'"]
)
def test_where_the_form_itself_vanishes_nothing_is_said(constraint: str) -> None:
    """Elsewhere the directions are those of a contact form, and there every direction is admissible."""
    assert not flat(constraint).paths.abnormal().finding.is_refuted


def flat(constraint: str) -> ah.System:
    return ah.System(
        name="flat", coordinates=["x", "y", "z"], lagrangian="(x'^2 + y'^2 + z'^2)/2", constraints=[constraint]
    )


@pytest.mark.exhaustive
@pytest.mark.parametrize(("lagrangian", "constraint", "end", "length"), LIU_AND_SUSSMANN)
def test_a_strictly_abnormal_line_is_found_and_named(
    lagrangian: str, constraint: str, end: dict[str, float], length: float
) -> None:
    system = ah.System(
        name="Liu and Sussmann", coordinates=["x", "y", "z"], lagrangian=lagrangian, constraints=[constraint]
    )
    found = system.paths.abnormal()
    assert found.strict.is_proven
    assert found.regular.is_proven
    path = system.paths.shortest(ORIGIN, end, starts=3)
    assert path.report.abnormal
    assert path.length == pytest.approx(length, abs=1e-10)
    assert path.is_strictly_abnormal().is_proven
    line = {name: f"{value}*t" for name, value in end.items()}
    assert system.paths.variational("vakonomic").is_stationary(line).is_refuted  # exactly: no multiplier does
    with blames(ah.errors.NotSupportedError):
        path.conjugate_time()


def test_an_even_metric_makes_the_line_normal_as_well() -> None:
    system = ah.System(
        name="even",
        coordinates=["x", "y", "z"],
        lagrangian="((1 + y^2)^2*x'^2 + y'^2 + z'^2)/2",
        constraints=["z' = y^2*x'/2"],
    )
    assert system.paths.abnormal().strict.is_refuted
    assert system.paths.shortest(ORIGIN, {"x": 1, "y": 0, "z": 0}).is_strictly_abnormal().is_refuted


def test_a_flat_surface_leaves_legendres_condition_open() -> None:
    """theta([X1, X2]) = y² has no slope where it vanishes; the paths are those along y = 0 all the same."""
    system = ah.System(
        name="flat",
        coordinates=["x", "y", "z"],
        lagrangian="(x'^2 + y'^2 + z'^2)/2",
        constraints=["z' = y^3*x'/3"],
    )
    found = system.paths.abnormal()
    assert str(found.place) == "y"
    assert sp.sympify(found.field[0]).subs("y", 0) != 0
    assert found.regular.is_unknown


def test_affine_constraints_are_refused() -> None:
    belt = ah.System(name="belt", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2", constraints=["x' = y + 1"])
    with blames(ah.errors.NotSupportedError):
        belt.paths.abnormal()


def test_a_bent_surface_with_the_metric_bent_along_keeps_martinets_answers() -> None:
    """Martinet's flat metric with y replaced by y + x²: its line is a parabola, and normal as well."""
    system = ah.System(
        name="bent",
        coordinates=["x", "y", "z"],
        lagrangian="(x'^2 + (y' + 2*x*x')^2 + z'^2)/2",
        constraints=["z' = (y + x^2)^2*x'/2"],
    )
    found = system.paths.abnormal()
    assert found.strict.is_refuted
    assert found.regular.is_proven
