"""What is too long to read is counted: texts end, and the whole is there on request."""

from __future__ import annotations

import pytest
import symengine
from typer.testing import CliRunner

import anholonomy as ah
from anholonomy.catalogue import whipple_bicycle
from anholonomy.cli.main import app
from anholonomy.language import to_text
from tests.wording import pinned

LONG = " + ".join(f"{k}*x^{k}*y" for k in range(1, 140))
XYZ = ["x", "y", "z"]


@pytest.fixture(scope="module")
def steep() -> ah.geometry.Distribution:
    """A contact distribution with a slope of pages."""
    return ah.geometry.Distribution.from_constraints([f"z' = ({LONG})*x'"], XYZ)


@pytest.fixture(scope="module")
def steep_metric() -> ah.geometry.Metric:
    return ah.geometry.Metric(ah.geometry.Frame(XYZ), ["1", f"1 + {LONG}", "1"])


def test_a_certificate_is_read_and_its_whole_is_there(steep: ah.geometry.Distribution) -> None:
    found = steep.is_integrable()
    assert "operations]" in str(found)
    assert len(str(found)) < 1500
    assert to_text(found.evidence[0].component) in found.text(whole=True)
    assert to_text(steep.vectors_ai[0][2]) in steep.text(whole=True)
    assert to_text(steep.vectors_ai[0][2]) not in str(steep)


@pytest.mark.exhaustive
def test_texts_and_reprs_fit_on_a_screen(steep: ah.geometry.Distribution, steep_metric: ah.geometry.Metric) -> None:
    nabla = ah.connections.levi_civita(steep_metric)
    things = [
        *(steep, steep.is_integrable(), steep.leaves(), steep_metric, steep_metric.tensor),
        *(nabla, nabla.coefficients, nabla.curvature, nabla.is_flat(), nabla.geodesic_equations()),
        *(ah.connections.nonholonomic(steep_metric, steep), ah.geometry.Form(ah.geometry.Frame(XYZ), f"({LONG})*dx")),
        ah.geometry.killing_fields(steep_metric, basis=["1"]),
    ]
    for thing in things:
        assert len(repr(thing)) < 1500, type(thing)
        assert len(str(thing)) < 5000, type(thing)


def test_what_is_short_is_written_out() -> None:
    sphere = ah.connections.levi_civita(ah.geometry.Metric(ah.geometry.Frame(["theta", "phi"]), ["1", "sin(theta)^2"]))
    assert sphere.curvature.text(whole=True) == str(sphere.curvature)
    pinned(repr(sphere), "LeviCivitaConnection", "2", "theta", "phi")


def test_a_tensor_of_many_components_ends() -> None:
    frame = ah.geometry.Frame([f"q{k}" for k in range(12)])
    T = ah.geometry.Tensor.build(frame, "dd", lambda a, b: symengine.Symbol("x") ** (a + 1) * (b + 1))
    assert str(T).splitlines()[-1] == "… and 44 more"
    assert len(T.lines(whole=True)) == 144


def test_the_bicycle_shows_itself_in_a_few_lines() -> None:
    bicycle = whipple_bicycle()
    D = bicycle.geometry.distribution
    g = ah.geometry.Metric(D.frame, [1] * D.frame.size)
    for thing in (g, g.frame, D, ah.connections.levi_civita(g), ah.connections.nonholonomic(g, D)):
        assert len(repr(thing)) < 1500, type(thing)
    assert len(str(D)) < 3000


@pytest.mark.exhaustive
def test_the_command_counts_unless_asked_for_all(tmp_path) -> None:
    file = tmp_path / "steep.toml"
    ah.System(
        name="steep", coordinates=XYZ, lagrangian="(x'^2 + y'^2 + z'^2)/2", constraints=[f"z' = ({LONG})*x'"]
    ).save(file)
    short = CliRunner().invoke(app, ["geometry", str(file)]).output
    whole = CliRunner().invoke(app, ["geometry", str(file), "--all"]).output
    assert len(short) < 4000
    assert "--all" in short
    assert "operations]" not in whole
    assert "left out" not in whole
    assert "139*x" in whole
