"""The contents of a report: equations, verification, geometry, answers and a motion, as texts, formulas and numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from sys import float_info
from time import perf_counter
from typing import Any, final

import numpy as np
import symengine

from anholonomy.algebra.latex import shown
from anholonomy.algebra.numbers.balls import precision
from anholonomy.base.errors import Error, StateError
from anholonomy.base.notebook import formula_of, verdict_of
from anholonomy.base.tolerances import EXACT
from anholonomy.equations.evaluation import KINDS
from anholonomy.equations.principles import PRINCIPLES
from anholonomy.equations.textbook import step_lines
from anholonomy.language.writing import leaves_out
from anholonomy.reports.analysis import QUESTIONS
from anholonomy.show.animation.page import page_data
from anholonomy.show.labels import unit_in, with_unit
from anholonomy.show.panels import natural_force, page_panels, without_rounding
from anholonomy.show.text.declaration import sections, start_text
from anholonomy.show.text.equations import declaration_latex
from anholonomy.show.text.geometry import geometry_lines
from anholonomy.show.text.summary import summary
from anholonomy.system.states.random_states import admissible_points

__all__ = ["Answer", "Contents", "Panel", "chosen_motion", "contents_of"]


_SAMPLES = 1201
"""Times of a curve; more are not seen."""
_LONGEST_STEPS = 6_000
"""Operations of steps that are still written one below the other."""
_NUMBER = re.compile(r".* = [-+.\de]+")
"""A line of a start that is a number alone, without a unit of its own."""
_LAWS, _LABEL = 6, 60
"""Laws whose values are drawn, and letters of their names."""


@final
@dataclass(frozen=True)
class Answer:
    """What is said about one thing: a heading, a sentence, a verdict or nothing, a formula, what is found, and what is folded under it."""

    heading: str
    text: str
    verdict: str = ""
    formula: str = ""
    more: str = ""
    found: str = ""


@final
@dataclass(frozen=True)
class Panel:
    """Curves over the time of the motion, their units, and what their axis spans at least, lest rounding fill it."""

    title: str
    curves: Mapping[str, Sequence[float]]
    units: Mapping[str, str] = field(default_factory=dict)
    least: float = 0.0


@final
@dataclass
class Contents:
    """The sections of a report, in their order."""

    title: str
    declaration: dict[str, list[str]]
    formula: str = ""
    equations: list[Answer] = field(default_factory=list)
    verification: Answer | None = None
    agreement: list[tuple[str, ...]] = field(default_factory=list)
    geometry: list[Answer] = field(default_factory=list)
    findings: list[Answer] = field(default_factory=list)
    start: list[str] = field(default_factory=list)
    start_is_chosen: bool = False
    times: Sequence[float] = ()
    clock: str = "t"
    description: str = ""
    panels: list[Panel] = field(default_factory=list)
    motion: list[tuple[str, str]] = field(default_factory=list)
    film: dict[str, Any] | None = None
    facts: Sequence[str] = ()
    references: Sequence[str] = ()
    seconds: dict[str, float] = field(default_factory=dict)
    laws: list[Any] = field(default_factory=list)
    held: Sequence[str] = ()
    refused: dict[str, str] = field(default_factory=dict)


def contents_of(
    system: Any,
    start: Mapping[str, Any] | None,
    until: float | None,
    time_limit: float | None,
    facts: Sequence[str] = (),
    references: Sequence[str] = (),
    description: str = "",
) -> Contents:
    """Ask everything; what refuses says why in its place. Inputs are held at zero for what needs them known."""
    end = 10.0 if until is None else until
    held = system.with_inputs(**dict.fromkeys(system.inputs, 0)) if system.inputs else system
    # What a user asks for and cannot have is refused before anything else is asked.
    given = None if start is None else held.simulate(start, until=end)
    found = Contents(
        system.name, sections(system.model), declaration_latex(system.model), facts=facts, references=references
    )
    found.description = description
    found.held = [f"{name} = 0" for name in system.inputs]
    _timed(found, "equations", lambda: _equations(found, system))
    _timed(found, "verification", lambda: _verified(found, system))
    _timed(found, "geometry", lambda: found.geometry.extend(_items(list(geometry_lines(system.model))[1:])))
    _timed(found, "findings", lambda: _asked(found, held, time_limit))
    begin = start if start is not None else dict(system.start)
    found.start_is_chosen = not begin
    _timed(found, "motion", lambda: _moved(found, held, begin, _motion(held, begin, end) if given is None else given))
    return found


def _motion(system: Any, start: Mapping[str, Any], end: float) -> Any:
    return system.simulate(start, until=end) if start else chosen_motion(system, end)


def _timed(found: Contents, name: str, work: Callable[[], Any]) -> None:
    began = perf_counter()
    try:
        work()
    except Error as why:
        found.refused[name] = str(why)
    found.seconds[name] = perf_counter() - began


def _equations(found: Contents, system: Any) -> None:
    for principle in PRINCIPLES:
        if principle.covers(system.model):
            equations = system.derive(principle.name)
            text = str(equations)
            more = _steps(equations.data) if leaves_out(text) else ""
            found.equations.append(Answer(principle.title, text, formula=equations.latex(), more=more))


def _steps(equations: Any) -> str:
    """Equations that are too long to be written out, step by step; only counted where the steps are long, too."""
    values = [step.value for step in equations.definitions]
    operations = sum(int(symengine.count_ops(*row)) for row in (values, *equations.K, equations.rhs) if row)
    if operations > _LONGEST_STEPS:
        call = f"system.derive({equations.principle!r}).text(whole=True)"
        steps = f"{len(values):,} step{'s' if len(values) != 1 else ''} of " if values else ""
        return f"{steps}{operations:,} operations; {call} prints them."
    return "\n".join(step_lines(equations))


def _items(lines: Sequence[str]) -> list[Answer]:
    """What is said by indented lines: each line, with those below it that stand further in."""
    found: list[list[str]] = []
    for line in lines:
        if line.startswith("    ") and found:
            found[-1].append(line[4:])
        else:
            found.append([line.strip()])
    return [Answer("", head, _verdict_in(head), more="\n".join(rest)) for head, *rest in found]


def _verdict_in(sentence: str) -> str:
    """The verdict that a sentence says, such as ``the distribution is integrable: refuted, …``."""
    said = sentence.partition(": ")[2]
    return next((word for word in ("proven", "refuted", "unknown") if said.startswith(word)), "")


def _verified(found: Contents, system: Any) -> None:
    verification = system.verify()
    finding = verification.finding
    found.verification = Answer("agreement", f"{finding}", str(finding.verdict))
    found.agreement = [(row.left, *(shown(getattr(row, kind)) for kind in KINDS)) for row in verification.by_principle]


def _asked(found: Contents, system: Any, time_limit: float | None) -> None:
    page = system.analyse(time_limit=time_limit)
    for name in page:
        answer = page[name]
        if isinstance(answer, str):
            found.findings.append(Answer(QUESTIONS[name], answer))
            continue
        if name == "moving_energy" and answer.law is not None and answer.law.kind == "energy":
            said = f"{system.name}: the energy itself is constant, so that no moving energy is needed"
            found.findings.append(Answer(QUESTIONS[name], said, verdict_of(answer)))
            continue
        kept = ""
        if name == "conserved":
            # A law that ends where something jumps may have steps along the motion.
            found.laws = [law for law in answer if "while" not in law.finding.scope.points][:_LAWS]
            kept = "\n".join(str(law) for law in answer)
        found.findings.append(Answer(QUESTIONS[name], str(answer), verdict_of(answer), _formula(answer), found=kept))


def _formula(answer: Any) -> str:
    """The answer in LaTeX; none where its text leaves something out, which nobody would read in LaTeX either."""
    return "" if leaves_out(str(answer)) else formula_of(answer)


def chosen_motion(system: Any, end: float) -> Any:
    """A motion from everything at zero with all velocities one, or else from a random state; refused as the first one if neither begins."""
    reasons = []
    for start in _starts(system):
        try:
            return system.simulate(start, until=end, project=True)
        except Error as why:
            reasons.append(why)
    raise reasons[0]


def _starts(system: Any) -> Iterator[dict[str, float]]:
    still = {q.name: 0.0 for q in system.coordinates}
    if system.model.group is not None:
        still |= {
            q.name: float(x) for q, x in zip(system.model.group.coordinates, system.model.group.identity, strict=True)
        }
    yield still | {w.name: 1.0 for w in system.velocities}
    with suppress(Error), precision(float_info.dig):
        point = next(admissible_points(system.model, float_info.dig))
        yield {s.name: float(point[s].mid()) for s in (*system.coordinates, *system.velocities)}


def _moved(found: Contents, system: Any, start: Mapping[str, Any], run: Any) -> None:
    state = [s.name for s in (*system.coordinates, *system.velocities)]
    lines = start_text(start or {name: f"{float(run[name][0]):.4g}" for name in state})
    found.start = [
        f"{line} {unit}"
        if (unit := unit_in(system.model, line.partition(" = ")[0])) and _NUMBER.fullmatch(line)
        else line
        for line in lines
    ]
    found.motion = summary(run)
    step = max(1, -(-run.time.size // _SAMPLES))
    found.times = run.time.values[::step].tolist()
    for title, names in page_panels(system.model):
        curves = {name: run[name].values[::step] for name in names}
        least = natural_force(run) if title.startswith("reactions") else 0.0
        found.panels.append(Panel(title, {n: c.tolist() for n, c in without_rounding(curves, least).items()}, names))
    found.clock = with_unit("t", unit_in(system.model, "t"))
    found.panels += _checks(run, step, _kept(run, step, found.laws))
    try:
        found.film = page_data(run.animate().film)
    except Error as why:
        found.motion.append(("film", str(why)))


def _checks(run: Any, step: int, kept: dict[str, list[float]]) -> list[Panel]:
    """What is conserved and what is not, each under a title that says which, and how far the motion leaves its constraints."""
    energy = run.data["energy"].values[::step] if "energy" in run.data else np.zeros(0)
    size = max((float(np.nanmax(np.abs(run.data[v].values), initial=0.0)) for v in ("q", "velocity")), default=0.0)
    panels = []
    if not kept and energy.size and run._keeps_energy:
        kept = {"energy": (energy - energy[0]).tolist()}
    if kept:
        panels.append(Panel("what is conserved, less its value at the start", kept, {}, EXACT * size))
    if energy.size and not run._keeps_energy and "energy" not in kept:
        unit = {"energy": unit_in(run.model, "energy")}
        panels.append(Panel("energy, which need not be conserved here", {"energy": energy.tolist()}, unit))
    residual = run.data["residual"].values if "residual" in run.data else np.zeros((0, 0))
    if residual.size:
        largest = np.abs(residual).max(axis=1)[::step].tolist()
        panels.append(
            Panel("how far the motion leaves its constraints", {"largest residual": largest}, {}, EXACT * size)
        )
    return panels


def _kept(run: Any, step: int, laws: Sequence[Any]) -> dict[str, list[float]]:
    """The laws that were found, less what they were."""
    curves: dict[str, list[float]] = {}
    for law in laws:
        try:
            values = law.along(run).values[::step]
        except StateError:  # coefficients that are not known all along this motion
            continue
        text, _, kind = str(law).partition(" is constant")
        if (text.startswith("[") or len(text) > _LABEL) and kind.startswith(" ("):
            text = kind[2:].split(")")[0]  # a formula too long to be shown has a kind to be called by
        curves[text if len(text) <= _LABEL else f"{text[:_LABEL]}…"] = (values - values[0]).tolist()
    return curves
