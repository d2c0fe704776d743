"""What a report tells: everything asked of a system, as texts, formulas and numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, final

import numpy as np

from anholonomy.formulations.principles import PRINCIPLES
from anholonomy.formulations.verification.verify import KINDS, shown
from anholonomy.refusals import GaveUp, Refusal
from anholonomy.show.text.declaration import sections, start_text
from anholonomy.show.text.geometry import geometry_lines
from anholonomy.show.text.summary import summary

__all__ = ["Answer", "Contents", "Panel", "contents_of"]

_SAMPLES = 1201
"""Times of a curve; more are not seen."""
_CURVES = 8
"""Curves in one panel."""
_LAWS, _LABEL = 6, 60
"""Laws whose values are drawn, and letters of their names."""


@final
@dataclass(frozen=True)
class Answer:
    """What is said about one thing: a heading, a sentence, a verdict or nothing, a formula, and the evidence."""

    heading: str
    text: str
    verdict: str = ""
    formula: str = ""


@final
@dataclass(frozen=True)
class Panel:
    """Curves over the time of the motion."""

    title: str
    curves: Mapping[str, Sequence[float]]


@final
@dataclass
class Contents:
    """The sections of a report, in their order."""

    title: str
    declaration: dict[str, list[str]]
    equations: list[Answer] = field(default_factory=list)
    verification: Answer | None = None
    agreement: list[tuple[str, ...]] = field(default_factory=list)
    geometry: list[str] = field(default_factory=list)
    findings: list[Answer] = field(default_factory=list)
    start: list[str] = field(default_factory=list)
    times: Sequence[float] = ()
    panels: list[Panel] = field(default_factory=list)
    motion: list[tuple[str, str]] = field(default_factory=list)
    player: str = ""
    facts: Sequence[str] = ()
    references: Sequence[str] = ()
    seconds: dict[str, float] = field(default_factory=dict)
    laws: list[Any] = field(default_factory=list)


def contents_of(
    system: Any,
    start: Mapping[str, Any] | None,
    until: float | None,
    limit: float | None,
    facts: Sequence[str] = (),
    references: Sequence[str] = (),
) -> Contents:
    """Ask everything; what refuses says why in its place."""
    end = 10.0 if until is None else until
    # What a user asks for and cannot have is refused before anything else is asked.
    given = None if start is None else system.simulate(start, until=end)
    found = Contents(system.name, sections(system), facts=facts, references=references)
    _timed(found, "equations", lambda: _equations(found, system))
    _timed(found, "verification", lambda: _verified(found, system))
    _timed(found, "geometry", lambda: found.geometry.extend(geometry_lines(system)))
    _timed(found, "findings", lambda: _asked(found, system, limit))
    begin = start if start is not None else (dict(system.start) or None)
    if begin is not None:
        _timed(
            found,
            "motion",
            lambda: _moved(found, system, begin, system.simulate(begin, until=end) if given is None else given),
        )
    return found


def _timed(found: Contents, name: str, work: Callable[[], Any]) -> None:
    began = perf_counter()
    try:
        work()
    except (Refusal, GaveUp) as why:
        found.findings.append(Answer(name, str(why), "unknown"))
    found.seconds[name] = perf_counter() - began


def _equations(found: Contents, system: Any) -> None:
    for principle in PRINCIPLES:
        if principle.covers(system):
            equations = system.derive(principle.name)
            found.equations.append(Answer(principle.title, str(equations), formula=equations.latex()))


def _verified(found: Contents, system: Any) -> None:
    verification = system.verify()
    finding = verification.finding
    found.verification = Answer("agreement", f"{finding}", str(finding.verdict))
    found.agreement = [(row.left, *(shown(getattr(row, kind)) for kind in KINDS)) for row in verification.by_principle]


def _asked(found: Contents, system: Any, limit: float | None) -> None:
    page = system.analyse(limit=limit)
    for name in page:
        answer = page[name]
        if name == "conserved" and not isinstance(answer, str):
            found.laws = list(answer)[:_LAWS]
        if isinstance(answer, str):
            found.findings.append(Answer(name, answer))
            continue
        verdict = getattr(answer, "verdict", None) or getattr(getattr(answer, "finding", None), "verdict", "")
        found.findings.append(Answer(name, str(answer), str(verdict), _formula(answer)))


def _formula(answer: Any) -> str:
    try:
        return str(answer.latex())
    except Refusal:
        return ""


def _moved(found: Contents, system: Any, start: Mapping[str, Any], run: Any) -> None:
    found.start = start_text(start)
    found.motion = summary(run.data)
    step = max(1, -(-run.time.size // _SAMPLES))
    found.times = run.time.values[::step].tolist()
    coordinates = [q.name for q in system.coordinates]
    groups = {
        "coordinates": coordinates,
        "velocities": [w.name for w in system.velocities],
        "reactions": [f"reaction_{a}" for a in system.directions] if system.constraints else [],
    }
    for title, names in groups.items():
        for k in range(0, len(names), _CURVES):
            part = {name: run[name].values[::step].tolist() for name in names[k : k + _CURVES]}
            if part:
                found.panels.append(Panel(title if k == 0 else f"{title}, further", part))
    kept = _kept(run, step, found.laws)
    if kept:
        found.panels.append(Panel("what is conserved, less its value at the start", kept))
    try:
        found.player = run.animate()._repr_html_()
    except Refusal as why:
        found.motion.append(("film", str(why)))


def _kept(run: Any, step: int, laws: Sequence[Any]) -> dict[str, list[float]]:
    """The laws that were found, less what they were; the energy where none was."""
    curves: dict[str, list[float]] = {}
    for law in laws:
        values = law.along(run).values[::step]
        text, _, kind = str(law).partition(" is constant")
        if text.startswith("[") and kind.startswith(" ("):
            text = kind[2:].split(")")[0]  # a formula too long to be shown has a kind to be called by
        curves[text if len(text) <= _LABEL else f"{text[:_LABEL]}…"] = (values - values[0]).tolist()
    if not curves and "energy" in run.data:
        energy = run.data["energy"].values[::step]
        curves["energy"] = (energy - energy[0]).tolist()
    residual = run.data["residual"].values if "residual" in run.data else np.zeros((0, 0))
    if residual.size:
        curves["largest residual of a constraint"] = np.abs(residual).max(axis=1)[::step].tolist()
    return curves
