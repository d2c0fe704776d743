"""One page of answers, at the command line too; time limits, and questions that make no sense."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from anholonomy import System, catalogue
from anholonomy.base.errors import ArgumentError, Error, UnknownNameError
from anholonomy.catalogue import ENTRIES
from anholonomy.cli.main import app
from anholonomy.reports.analysis import QUESTIONS
from tests.wording import blames


def test_a_page_prints_and_is_data(tmp_path: Path) -> None:
    out = tmp_path / "answers.json"
    result = CliRunner().invoke(app, ["analyse", "skate", "--only", "conserved", "--json", str(out)])
    assert result.exit_code == 0
    assert "I*theta' is constant (momentum of a symmetry, 1 along theta)" in result.output
    laws = json.loads(out.read_text(encoding="utf-8"))["answers"]["conserved"]["laws"]
    assert {law["verdict"] for law in laws} == {"proven"}


def test_every_question_is_a_verb_of_a_system() -> None:
    assert all(callable(getattr(System, name)) for name in QUESTIONS)


def test_what_does_not_apply_is_a_sentence_on_the_page() -> None:
    accelerated = System(name="a", coordinates=["x", "y"], lagrangian="(x'^2 + y'^2)/2", constraints=["x'' = -x"])
    page = accelerated.analyse(only=["conserved"])
    assert "accelerations" in page["conserved"]
    assert "accelerations" in page.latex()


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ({"degree": -1}, ArgumentError),
        ({"degree": 2.5}, ArgumentError),
        ({"functions": ["q"]}, UnknownNameError),
        ({"functions": "x"}, Error),
        ({"time_limit": 0}, ArgumentError),
    ],
)
def test_bad_questions_get_a_sentence(words: dict[str, object], kind: type[Exception]) -> None:
    with pytest.raises(kind):
        ENTRIES["skate"].make().conserved(**words)


def test_unknown_questions_get_a_sentence() -> None:
    with blames(UnknownNameError):
        ENTRIES["skate"].make().analyse(only=["conservd"])


def test_a_short_limit_says_how_far_it_came() -> None:
    laws = ENTRIES["rattleback"].make().conserved(time_limit=0.05)
    assert "gave up" in laws.gave_up
    assert "gave up" in str(laws)


def test_functions_of_a_user_are_the_class() -> None:
    particle = ENTRIES["free-particle"].make()
    assert len(particle.conserved(degree=1, functions=["1"])) == 1
    laws = particle.conserved(degree=1, functions=["1", "sqrt(1 + x^2)"])
    assert "1, sqrt(x^2 + 1)" in str(laws)
    assert len(laws) == 2
    assert laws.finding.is_proven
    assert r"\sqrt" in laws.latex()


def test_a_moving_system_has_laws_with_time() -> None:
    """Free fall: x' + g*t and x - x'*t - g*t^2/2 are constant, in a field that grows with time they are others."""
    falling = System(name="falling", coordinates=["x"], lagrangian="x'^2/2 - g*t*x", parameters=["g"])
    laws = falling.conserved(degree=1)
    assert {str(law).split(" is ")[0] for law in laws} == {"g*t^2 + 2*x'", "g*t^3 + 3*(t*x' - x)"} or len(laws) == 2
    run = System(name="f", coordinates=["x"], lagrangian="x'^2/2 - g*t*x", parameters={"g": 2.0}).simulate(
        {"x": 0.1, "x'": 0.3}, until=2.0
    )
    for law in laws:
        values = law.along(run)
        assert float(abs(values - values[0]).max()) < 1e-12


def test_laws_of_special_values_say_so() -> None:
    """Suslov's body with equal moments about its axes keeps both speeds, and the law says for which values."""
    body = System(
        name="plate",
        coordinates=["x", "y"],
        lagrangian="(x'^2 + y'^2 - a*x^2 - b*y^2)/2",
        parameters={"a": 2.0, "b": 2.0},
    )
    laws = body.conserved()
    turning = [law for law in (*laws, *laws.consequences) if law.finding.scope.values]
    assert turning
    assert "for a = b" in str(turning[0])


@pytest.mark.parametrize("given", [3, None, "run.nc", {"x": 1.0}])
def test_what_is_no_motion_is_refused(given: object) -> None:
    system = catalogue.knife_edge()
    h, mu = system.hamiltonize(), system.invariant_measure()
    for ask in (h.time, h.check, mu.check, system.conserved(degree=1)[0].along, system.moving_energy().along):
        with blames(ArgumentError):
            ask(given)


def test_a_motion_of_another_system_is_refused() -> None:
    other = catalogue.free_particle().simulate({"x": 0.3, "y": 0, "z": 0, "x'": 0.5, "y'": 0.7}, until=1)
    system = catalogue.knife_edge()
    for ask in (system.hamiltonize().check, system.invariant_measure().check, system.conserved(degree=1)[0].along):
        with blames(UnknownNameError, "phi"):
            ask(other)
