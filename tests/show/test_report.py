"""The report and the LaTeX document hold what was declared and found."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from anholonomy import System, catalogue
from anholonomy.catalogue import ENTRIES
from anholonomy.equations.lagrangian import keeps_energy
from anholonomy.geometry.groups import GROUPS, as_group
from anholonomy.reports.markdown import report
from anholonomy.show.text.declaration import sections
from anholonomy.show.text.equations import latex_document, plain_latex
from anholonomy.show.text.groups import group_lines
from anholonomy.show.text.summary import summary

from .motions import changed, pendulum, sleigh


@pytest.fixture(scope="module")
def study():
    system = catalogue.chaplygin_sleigh()
    return system.model, [system.derive(by).data for by in ("hamel", "maggi")], system.verify(states=1)


def test_the_report_has_every_part(study):
    text = report(*study, {"x": 0.0}, sleigh(), facts=("it slides",), references=("Chaplygin 1911",))
    for part in ("# Chaplygin sleigh", "blade (linear)", "it slides", "Chaplygin 1911", "### Hamel's equations"):
        assert part in text
    for part in (
        study[1][1].latex(),
        f"{len(study[2].principles)} principles agree: proven",
        "| maggi |",
        "`x = 0`",
        "(motion.png)",
        "| steps |",
    ):
        assert part in text


def test_the_report_says_when_principles_disagree_or_do_not_cover(study):
    system, equations, verification = study
    wrong = replace(verification.comparisons[0], accelerations=Decimal(1), proven=Decimal(1))
    found = replace(verification, comparisons=(wrong,), not_covering=("hamel",))
    text = report(system, equations, found, {}, sleigh())
    assert f"{len(verification.principles)} principles agree: refuted" in text
    assert "Not covering this system: hamel." in text
    vague = replace(verification, comparisons=(replace(wrong, proven=Decimal(0)),))
    assert f"{len(verification.principles)} principles agree: unknown" in report(system, equations, vague, {}, sleigh())
    alone = replace(verification, comparisons=())
    assert "there are no two principles to compare" in report(system, equations, alone, {}, sleigh())


def test_the_document_is_balanced_and_escapes_names():
    system = System(name="50% & more_", coordinates=["x"], lagrangian="x'^2/2", constraints={"a_b#": "x' = t"})
    text = latex_document(system.model, [system.derive("hamel")])
    assert r"\title{50\% \& more\_}" in text
    assert r"\text{(a\_b\#)}" in text
    assert text.count(r"\begin") == text.count(r"\end")
    assert text.count("{") - text.count(r"\{") == text.count("}") - text.count(r"\}")


def test_plain_latex_prints_every_special_character():
    assert plain_latex("\\{~^") == r"\textbackslash{}\{\textasciitilde{}\textasciicircum{}"


def test_sections_leave_out_what_is_empty():
    free = System(name="p", coordinates={"x": "length", "y": ""}, lagrangian="m*(x'^2 + y'^2)/2", parameters=["m"])
    assert sections(free.model)["parameters"] == ["m = free"]
    assert sections(free.model)["coordinates"] == ["x (length)", "y"]
    assert set(sections(free.model)) == {"coordinates", "Lagrangian", "parameters"}
    forced = System(name="p", coordinates=["x"], lagrangian="x'^2/2", forces={"x": "-x'"})
    assert sections(forced.model)["forces"] == ["along x': -x'"]


def test_the_summary_tells_where_the_motion_ends():
    rows = dict(summary(sleigh()))
    assert rows["final theta'"] == f"{sleigh().data['velocity'].values[-1, 2]:.10g}"
    assert rows["outcome"] == "the motion was integrated to the end"
    assert "Taylor" in rows["integrator"]
    assert "constraint residual" not in dict(summary(pendulum()))
    at_rest = changed(sleigh(), energy=("time", [0.0, 0.0, 1e-3, 0.0, 0.0]))
    assert dict(summary(at_rest))["energy drift"] == "0.001"


@pytest.mark.parametrize("key", ["ball-on-turntable", "affine-particle", "constant-speed", "disc-on-circle"])
def test_an_energy_that_is_not_conserved_does_not_drift(key):
    entry = ENTRIES[key]
    run = entry.make().simulate(entry.start, until=1)
    rows, energy = dict(summary(run)), run.energy.values
    assert not [name for name in rows if "drift" in name]
    assert rows["energy changed by"].endswith(f"from {energy[0]:.4g} to {energy[-1]:.4g}")


CHANGING = {
    "forces": {"forces": {"x": "-x'"}},
    "time": {"lagrangian": "(x'^2 + y'^2)/2 - t*x"},
    "affine": {"constraints": ["x' = 1 + y'"]},
    "moving": {"constraints": ["x = y + t"]},
    "acceleration": {"constraints": ["x'' = -x"]},
    "nonlinear": {"constraints": ["x'^2 + y'^2 = 1"]},
}
KEEPING = {
    "free": {},
    "linear": {"constraints": ["x' = y*y'"]},
    "moves without work": {"constraints": ["x' = t*y'"]},
    "position": {"constraints": ["x^2 + y^2 = 1"]},
    "nonlinear, homogeneous": {"constraints": ["x'^2 = 4*y'^2"]},
}


@pytest.mark.parametrize(
    ("words", "kept"), [*((w, False) for w in CHANGING.values()), *((w, True) for w in KEEPING.values())]
)
def test_what_keeps_its_energy(words, kept):
    system = System(**{"name": "it", "coordinates": ["x", "y"], "lagrangian": "(x'^2 + y'^2)/2", **words})
    assert keeps_energy(system.model) is kept


def test_a_group_is_said_and_what_its_speeds_mean(study):
    suslov = catalogue.suslov()
    said = [
        "SO(3) by unit quaternions q0, q1, q2, q3",
        "w1, w2, w3: angular velocity along the body's axes (left-invariant)",
    ]
    assert sections(suslov.model)["group"] == said
    assert "group" not in sections(catalogue.skate().model)
    page, document = report(suslov.model, [], study[2], {}, sleigh()), latex_document(suslov.model, [])
    assert all(f"- `{line}`" in page and line in document for line in said)


@pytest.mark.parametrize(
    "name", [*(text for kind in GROUPS for text in kind.examples), "SO3:ball_ * R(x, y) * S1(phi)"]
)
def test_every_group_has_words_for_all_its_symbols(name):
    group, lines = as_group(name), " ".join(group_lines(name)).replace(":", ",").replace(" ", ",").split(",")
    plain = {s.name for s in group.speeds if not s.name.endswith("'")}
    assert {q.name for q in group.coordinates} | plain <= set(lines)


def test_what_only_pushes_is_called_one_sided():
    string = System(name="s", coordinates=["x", "z"], lagrangian="(x'^2 + z'^2)/2", constraints={"string": "x^2 + z^2 = 1"},
                    one_sided=["string"])  # fmt: skip
    assert sections(string.model)["constraints"][0].startswith("string (linear, position, one-sided): ")
    assert r"\text{(string, one-sided)}" in latex_document(string.model, [])
