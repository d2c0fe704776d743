"""The report as one HTML file: nothing is fetched, whatever a user named is escaped, and what is long is folded."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from math import isfinite
from pathlib import Path
from typing import Any

from anholonomy._version import __version__
from anholonomy.base.errors import FileError
from anholonomy.base.files import place_for, write_whole
from anholonomy.base.notebook import is_convertible, is_wordy, mathml
from anholonomy.equations.evaluation import KINDS
from anholonomy.reports.contents import Answer, Contents, contents_of
from anholonomy.show.animation.page import embeddable, filled, player_module, player_style

__all__ = ["page", "plots_module", "web_file", "write_report"]


def write_report(
    system: Any,
    path: str | Path,
    start: Mapping[str, Any] | None,
    until: float | None,
    time_limit: float | None,
    facts: Sequence[str] = (),
    references: Sequence[str] = (),
    description: str = "",
) -> Path:
    """Ask, and write; the place is looked at first."""
    place_for(path)
    if Path(path).suffix.lower() not in (".html", ".htm"):
        raise FileError(f"{path} is no page; give a name that ends in .html.")
    write_whole(path, page(contents_of(system, start, until, time_limit, facts, references, description)))
    return Path(path)


def page(found: Contents) -> str:
    """The file as a text."""
    sections = _sections(found)
    parts = {
        "title": html.escape(found.title),
        "about": f'<p class="about">{html.escape(found.description)}</p>' if found.description else "",
        "style": web_file("report.css") + player_style(),
        "contents": "".join(f'<li><a href="#{key}">{key.capitalize()}</a></li>' for key in sections),
        "body": "\n".join(sections.values()),
        "numbers": embeddable(_numbers(found)),
        "program": "\n".join([player_module(), plots_module(), web_file("report.js")]),
    }
    return filled(web_file("report.html"), parts)


def plots_module() -> str:
    """The linked plots as the text of an ES module, which exports ``plotsOn``."""
    return web_file("plots.js")


def _numbers(found: Contents) -> dict[str, Any]:
    panels = [
        {"title": p.title, "curves": {name: _drawn(c) for name, c in p.curves.items()}}
        | ({"units": dict(p.units)} if any(p.units.values()) else {})
        | ({"least": _short(p.least)} if p.least else {})
        for p in found.panels
    ]
    return {"time": found.clock, "times": [_short(t) for t in found.times], "panels": panels, "film": found.film}


def _drawn(values: Sequence[float]) -> list[float | None]:
    """Values with gaps where they are not finite."""
    return [_short(value) if isfinite(value) else None for value in values]


def _short(value: float) -> float:
    """A number with the digits that a plot shows, however close one looks."""
    return float(f"{value:.12g}")


def web_file(name: str) -> str:
    """The text of a file of `reports/web`."""
    return (files("anholonomy.reports") / "web" / name).read_text(encoding="utf-8")


# The sections.


_VERDICTS = {"proven": "✓", "refuted": "¬", "unknown": "?"}
"""A refuted claim is an answer like the others: the sign says no, and not that something failed."""
_LISTS = ("coordinates", "parameters", "inputs")
"""What is declared one beside the other; anything else stands on lines of its own."""
_BROAD = 125
"""Letters of both sides of equations, one below the other, that still fit on paper as formulas."""
_PARAGRAPH = 600
"""Letters that are shown at once; more are folded."""


def _sections(found: Contents) -> dict[str, str]:
    """The sections that have something to say, by their names."""
    made = {
        "motion": _motion(found),
        "declaration": _declaration(found),
        "equations": _equations(found.equations),
        "verification": _verification(found),
        "geometry": "".join(map(_item, found.geometry)),
        "findings": _held(found, "Asked") + "".join(map(_finding, found.findings)),
        "literature": _bullets([_sentence(fact) for fact in found.facts]) + _bullets(found.references),
        "computation": _computation(found),
    }
    for key, why in found.refused.items():
        made[key] += f"<p>{html.escape(why)}</p>"
    return {
        key: f'<section id="{key}" aria-labelledby="h-{key}"><h2 id="h-{key}">{key.capitalize()}</h2>{body}</section>'
        for key, body in made.items()
        if body
    }


def _motion(found: Contents) -> str:
    if not found.motion:
        return ""
    start = ", ".join(f"<code>{html.escape(line)}</code>" for line in found.start)
    stage = '<div id="player"></div>' if found.film else ""
    hint = (
        '<p class="hint">Drag across a plot to look closer in all of them, double-click (or press Escape) to see everything; click to go '
        "there in the picture. With a plot in focus the arrow keys move the cursor, plus looks closer, Enter goes there.</p>"
    )
    plots = f'<div id="plots"></div>{hint}' if found.panels else ""
    told = _table(("", "value"), found.motion, "How the motion went")
    chosen = (
        " No start is declared, so this one was chosen; give another, or declare <code>start</code>."
        if found.start_is_chosen
        else ""
    )
    return f"{stage}{f'<p>From {start}.{chosen}</p>' if start else ''}{_held(found, 'Moved')}{plots}{told}"


def _held(found: Contents, done: str) -> str:
    """At what the inputs were held."""
    each = ", ".join(f"<code>{html.escape(line)}</code>" for line in found.held)
    return f"<p>{done} with the input{'s' if len(found.held) > 1 else ''} held: {each}.</p>" if each else ""


def _declaration(found: Contents) -> str:
    lagrangian = " ".join(found.declaration.get("Lagrangian", ()))
    others = [line for heading in ("constraints", "forces") for line in found.declaration.get(heading, ())]
    text = "\n".join([*([f"L = {lagrangian}"] if lagrangian else []), *others])
    formula = _formula(found.formula, text) if found.formula else ""
    said = {"Lagrangian", "constraints", "forces"} if formula else set()
    rows = (
        f"<dt>{html.escape(heading)}</dt><dd>{_declared(heading, lines, heading in said)}</dd>"
        for heading, lines in found.declaration.items()
    )
    return f"{formula}<dl>{''.join(rows)}</dl>"


def _declared(heading: str, lines: Sequence[str], said: bool) -> str:
    if heading in _LISTS:
        return f'<p class="list">{" ".join(f"<code>{html.escape(line)}</code>" for line in lines)}</p>'
    text = "\n".join(lines)
    return _folded("as text", _pre(text), "again") if said else _unless_long(text)


def _equations(answers: Sequence[Answer]) -> str:
    tabs, panels = [], []
    for k, each in enumerate(answers):
        chosen, focus, hidden = ("true", 0, "") if k == 0 else ("false", -1, " hidden")
        tabs.append(
            f'<button role="tab" id="tab-{k}" aria-controls="by-{k}" aria-selected="{chosen}" tabindex="{focus}">'
            f"{html.escape(each.heading)}</button>"
        )
        panels.append(
            f'<div role="tabpanel" id="by-{k}" aria-labelledby="tab-{k}" tabindex="0"{hidden}>'
            f'<h3 class="paper">{html.escape(each.heading)}</h3>{_equation(each)}</div>'
        )
    return f'<div role="tablist" aria-label="Principles">{"".join(tabs)}</div>{"".join(panels)}' if tabs else ""


def _equation(each: Answer) -> str:
    """The formula with its text, or, where that is too long, the outline with its steps."""
    text = _folded("as text", _pre(each.text), "again")
    formula = _formula(each.formula, each.text)
    if not each.more:
        return formula + text
    outline = each.text.partition("\n")[2]
    steps = (
        _folded("step by step", _pre(each.more), "long") if "\n" in each.more else f"<p>{html.escape(each.more)}</p>"
    )
    return formula + text + steps if is_convertible(each.formula) else _pre(outline) + steps


def _verification(found: Contents) -> str:
    if found.verification is None:
        return ""
    head = ("principle, against any other", *KINDS)
    return f"<p>{_badge(found.verification.verdict)} {html.escape(found.verification.text)}</p>" + _table(
        head, found.agreement, "Largest disagreement with any other principle, each a proven bound"
    )


def _item(answer: Answer) -> str:
    """A sentence of the geometry, what belongs to it below."""
    return (
        f"<p>{_badge(answer.verdict)} {html.escape(answer.text)}</p>{_unless_long(answer.more) if answer.more else ''}"
    )


def _finding(answer: Answer) -> str:
    first, _, rest = answer.text.partition("\n")
    formula = _formula(answer.formula, answer.text) if answer.formula and not is_wordy(answer.formula) else ""
    opened = formula or _unless_long(answer.found)
    folded = _folded("certificate", _pre(rest)) if rest else ""
    heading = html.escape(answer.heading[:1].upper() + answer.heading[1:])
    return f"<article><h3>{heading} {_badge(answer.verdict)}</h3><p>{html.escape(first)}</p>{opened}{folded}</article>"


def _badge(verdict: str) -> str:
    word = next((each for each in _VERDICTS if each in verdict.lower()), "")
    return f'<span class="badge {word}">{_VERDICTS[word]} {word}</span>' if word else ""


def _computation(found: Contents) -> str:
    rows = [(name, f"{seconds:.2f} s") for name, seconds in found.seconds.items()]
    said = f"<p>anholonomy {__version__}; every number on this page was computed when it was written.</p>"
    return said + _table(("part", "took"), rows, "How long each part took")


def _formula(latex: str, text: str) -> str:
    """A formula that scrolls; where it is broader than paper, its text is printed."""
    broad = " broad" if _width(text) > _BROAD else ""
    return f'<div class="formula{broad}" tabindex="0" role="group" aria-label="formula">{mathml(latex, text)}</div>'


def _width(text: str) -> int:
    """Letters of equations side by side, and of what is constant; a name before a colon and sentences are no formula.

    >>> _width("a long name: equations of motion\\n  x = 1\\n  yy = 22"), _width("name: x + y is constant (energy)")
    (4, 5)
    """
    lines = [line.strip() for line in text.splitlines()]
    sides = [line.partition(" = ") for line in lines if " = " in line]
    kept = [line.partition(" is constant")[0].rpartition(": ")[2] for line in lines if " is constant" in line]
    left, right = (max((len(side[k]) for side in sides), default=0) for k in (0, 2))
    return max(left + right, *map(len, kept)) if kept else left + right


def _unless_long(text: str) -> str:
    """A text, folded where it is more than a paragraph."""
    if len(text) <= _PARAGRAPH:
        return _pre(text)
    lines = text.count("\n") + 1
    return _folded(f"{lines} line{'s' if lines != 1 else ''}, {len(text):,} letters", _pre(text))


def _folded(summary: str, body: str, kind: str = "") -> str:
    return f"<details{f' class={kind}' if kind else ''}><summary>{html.escape(summary)}</summary>{body}</details>"


def _pre(text: str) -> str:
    return f"<pre>{html.escape(text)}</pre>" if text else ""


def _bullets(lines: Sequence[str]) -> str:
    return "<ul>" + "".join(f"<li>{html.escape(line)}</li>" for line in lines) + "</ul>" if lines else ""


def _sentence(fact: str) -> str:
    """A fact with a capital and a full stop; what begins with a letter of a formula keeps it.

    >>> _sentence("energy is constant"), _sentence("u' = a omega^2")
    ('Energy is constant.', "u' = a omega^2.")
    """
    begun = fact[:1].upper() + fact[1:] if re.match(r"[a-z]{2,} [a-z]|a ", fact) else fact
    return begun if begun.endswith((".", "?", "!")) else f"{begun}."


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], caption: str) -> str:
    if not rows:
        return ""
    top = "".join(f'<th scope="col">{html.escape(cell)}</th>' if cell else "<td></td>" for cell in head)
    body = "".join(
        f'<tr><th scope="row">{html.escape(row[0])}</th>'
        + "".join(f"<td>{html.escape(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in rows
    )
    name = html.escape(caption)
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{name}"><table><caption>{name}</caption>'
        f"<thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>"
    )
