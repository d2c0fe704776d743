"""Every question ``is_…`` is answered by a finding or a verdict, and tried where it is proven, refuted and unknown."""

from __future__ import annotations

import ast
import importlib.util
from collections.abc import Iterator
from pathlib import Path

import anholonomy

ROOT = Path(anholonomy.__file__).parent
ANSWERS = {"Finding", "Verdict"}

FACTS = {
    "Verdict.is_proven": "one of three",
    "Verdict.is_refuted": "one of three",
    "Verdict.is_unknown": "one of three",
    "Decided.is_proven": "its verdict",
    "Decided.is_refuted": "its verdict",
    "Decided.is_unknown": "its verdict",
    "Frame.is_chart": "how it was declared",
    "AdaptedFrame.is_given": "how it was declared",
    "RigidBody.is_centred": "how it was declared",
    "AbstractSurface.is_sphere": "how it was declared",
    "LieAlgebra.is_rational": "what its constants are written with",
    "GrowthVector.is_settled": "what its evidence is",
    "GrowthVector.is_certified": "what its evidence is",
    "EquationsOfMotion.is_definite": "which principle derived them",
    "EquationsOfMotion.is_solved": "what its steps are",
    "Program.is_straight": "what its steps are",
    "Solve.is_small": "how many unknowns it has",
    "Derivation.is_chosen": "how it was asked for",
    "Trail.is_full": "how many steps it holds",
    "Outcome.is_complete": "how an integration ended",
    "Run.is_complete": "how an integration ended",
    "Trajectory.is_complete": "how an integration ended",
    "Ensemble.is_complete": "how integrations ended",
}
"""What can be read off data and is never in doubt, with the reason why it needs no evidence."""


def questions() -> Iterator[tuple[str, str]]:
    """Class and name of every public ``is_…``, a method, property or field, with the type it is annotated with."""
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                yield from ((f"{node.name}.{name}", kind) for name, kind in _members(node) if name.startswith("is_"))


def _members(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for each in node.body:
        if isinstance(each, ast.FunctionDef):
            yield each.name, ast.unparse(each.returns) if each.returns else "nothing"
        elif isinstance(each, ast.AnnAssign):
            yield ast.unparse(each.target), ast.unparse(each.annotation)


def test_every_question_has_three_answers() -> None:
    found = dict(questions())
    wrong = {name: kind for name, kind in found.items() if kind not in ANSWERS and name not in FACTS}
    assert not wrong, f"{wrong}: return a Finding, or say in FACTS why there can be no doubt"
    assert set(FACTS) <= set(found), set(FACTS) - set(found)


def test_functions_of_the_package_are_questions_too() -> None:
    for name in anholonomy.__all__:
        if name.startswith("is_"):
            assert getattr(anholonomy, name).__annotations__["return"] in ANSWERS, name


def test_every_answer_is_tried_three_times() -> None:
    place = Path(__file__).parents[1] / "findings" / "claims.py"
    spec = importlib.util.spec_from_file_location("claims", place)
    assert spec is not None
    assert spec.loader is not None
    claims = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(claims)
    asked = {name for name, kind in questions() if kind == "Finding"}
    assert asked <= set(claims.CLAIMS), f"{sorted(asked - set(claims.CLAIMS))}: add what is proven, refuted and unknown"


LISTS = {"Laws", "Symmetries", "GrowthVector"}
"""Answers with members: true where there are any."""
OTHERS = {"Abnormal": "true would say that there are none", "SpecialSearch": "a search, which makes answers"}


def test_answers_are_safe_in_an_if() -> None:
    """What has a finding is true only where that is proven, unless it is a list."""
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and ("finding", "Finding") in _members(node):
                bases = {ast.unparse(base) for base in node.bases}
                assert (
                    node.name == "CarriesFinding" or node.name in LISTS | OTHERS.keys() or "CarriesFinding" in bases
                ), node.name
