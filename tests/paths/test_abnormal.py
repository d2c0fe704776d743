"""Abnormal paths: Martinet's line, those of a car with a trailer, and systems that have none."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import anholonomy as ah
from anholonomy.catalogue import chaplygin_sleigh, engel, generalized_heisenberg, heisenberg, martinet, skate

ORIGIN = {"x": 0, "y": 0, "z": 0}


def test_martinets_line_is_named() -> None:
    found = martinet().abnormal()
    assert found.finding.is_refuted
    assert str(found.place) == "y"
    assert [str(each) for each in found.field] == ["1", "0", "(1/2)*y**2"]
    assert str(found) == "abnormal paths go along (1, 0, y^2/2) where y = 0"


def test_the_line_is_normal_as_well_and_shortest() -> None:
    line = martinet().geodesic(ORIGIN, {"x": 1, "y": 0, "z": 0})
    assert line.length == pytest.approx(1, abs=1e-12)
    finding = line.is_abnormal()
    assert finding.is_proven
    assert "z: 1" in str(finding)
    assert martinet().geodesic(ORIGIN, {"x": 0.3, "y": 0.4, "z": 0.01}).is_abnormal().is_refuted


@pytest.mark.parametrize("name", [heisenberg, generalized_heisenberg, chaplygin_sleigh, skate])
def test_contact_has_no_abnormal_paths(name) -> None:
    assert name().abnormal().finding.is_proven


def test_a_disguised_surface_is_found() -> None:
    """Martinet's form in other coordinates: y is replaced by y + x² - 1, and the form multiplied."""
    system = ah.System(
        name="disguised",
        coordinates=["x", "y", "z"],
        lagrangian="(x'^2 + y'^2 + z'^2)/2",
        constraints=["(2 + sin(x))*z' = (2 + sin(x))*(y + x^2 - 1)^2*x'/2"],
    )
    found = system.abnormal()
    assert found.finding.is_refuted
    x, y, z = sp.symbols("x y z")
    surface = sp.sympify(found.place)
    assert sp.simplify(surface.subs(y, 1 - x**2)) == 0
    way = [sp.sympify(entry) for entry in found.field]
    moved = sum(surface.diff(s) * v for s, v in zip((x, y, z), way, strict=True))
    assert sp.simplify(moved.subs(y, 1 - x**2)) == 0
    assert sp.simplify((way[2] - (y + x**2 - 1) ** 2 * way[0] / 2).subs(y, 1 - x**2)) == 0
    assert sp.simplify(way[0].subs(y, 1 - x**2)) != 0


def test_in_more_dimensions_they_lead_through_every_point() -> None:
    """Engel's: y' alone moves, the covector dw is carried along; a path that turns is none."""
    assert engel().abnormal().finding.is_refuted
    place = {"x": 0.2, "y": -0.3, "z": 0.4, "w": 0.1}
    straight = engel().geodesic(place, {**place, "y": 0.5})
    assert straight.length == pytest.approx(0.8, abs=1e-10)
    assert straight.is_abnormal().is_proven
    other = engel().exponential(place, {"x": 1, "y": 0.2, "z": 0.5, "w": -0.4}, until=1.5)
    assert other.is_abnormal().is_refuted


def test_the_verdict_along_a_path_does_not_depend_on_units() -> None:
    """Lengths in millimetres, the covector of the row in thousandths."""
    fine = ah.System(
        name="fine",
        coordinates=["x", "y", "z"],
        lagrangian="(x'^2 + y'^2 + z'^2)/2000000",
        constraints=["z'/1000 = y^2*x'/2000000000"],
    )
    assert fine.exponential(ORIGIN, {"x": 1e-3, "y": 0, "z": 0}, until=1).is_abnormal().is_proven
    assert fine.exponential(ORIGIN, {"x": 1e-3, "y": 1e-3, "z": 0}, until=1).is_abnormal().is_refuted


def test_a_strictly_abnormal_line_is_no_extremal_and_said_to_be_perhaps_abnormal() -> None:
    """The metric (1 + y)² x'² + y'² makes the line y = 0 abnormal only."""
    system = ah.System(
        name="Liu and Sussmann",
        coordinates=["x", "y", "z"],
        lagrangian="((1 + y)^2*x'^2 + y'^2 + z'^2)/2",
        constraints=["z' = y^2*x'/2"],
    )
    path = system.geodesic(ORIGIN, {"x": 1, "y": 0, "z": 0}, starts=3)
    assert not path.report.converged
    assert "or it is abnormal" in str(path.report)
    assert np.abs(path.data["q"].values[:, 1]).max() < 0.2


def test_affine_constraints_are_refused() -> None:
    belt = ah.System(name="belt", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2", constraints=["x' = y + 1"])
    with pytest.raises(ah.NotCovered, match="affine or moving"):
        belt.abnormal()
