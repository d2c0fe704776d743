"""The report as one HTML text: nothing is fetched, and whatever a user named is escaped."""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from importlib.resources import files
from itertools import count
from math import isfinite

from anholonomy._version import __version__
from anholonomy.displays.mathml import mathml
from anholonomy.formulations.verification.verify import KINDS
from anholonomy.reports.contents import Answer, Contents

__all__ = ["page"]

_VERDICTS = {"proven": "✓", "refuted": "✗", "unknown": "?"}


def page(found: Contents) -> str:
    """All sections."""
    panels = [{"title": p.title, "curves": {name: _drawn(c) for name, c in p.curves.items()}} for p in found.panels]
    numbers = json.dumps({"times": list(found.times), "panels": panels}, separators=(",", ":"), allow_nan=False)
    for character in "<>&":
        numbers = numbers.replace(character, f"\\u{ord(character):04x}")
    parts = {
        "@title@": html.escape(found.title),
        "@style@": _resource("report.css"),
        "@contents@": _contents(found),
        "@body@": "\n".join(_sections(found).values()),
        "@numbers@": numbers,
        "@program@": _resource("report.js"),
    }
    text = _resource("report.html")
    for mark in sorted(parts, key=text.rindex, reverse=True):
        text = parts[mark].join(text.split(mark)) if mark == "@title@" else _put(text, mark, parts[mark])
    return text


def _drawn(values: Sequence[float]) -> list[float | None]:
    """Values with gaps where they are not finite."""
    return [float(value) if isfinite(value) else None for value in values]


def _put(text: str, mark: str, part: str) -> str:
    before, _, after = text.rpartition(mark)
    return before + part + after


def _resource(name: str) -> str:
    return (files("anholonomy.reports") / "web" / name).read_text(encoding="utf-8")


def _contents(found: Contents) -> str:
    return "".join(f'<li><a href="#{key}">{key.capitalize()}</a></li>' for key in _sections(found))


def _sections(found: Contents) -> dict[str, str]:
    made = {
        "motion": _motion(found),
        "declaration": _declaration(found),
        "equations": _equations(found),
        "verification": _verification(found),
        "geometry": _lines(found.geometry),
        "findings": "".join(map(_finding, found.findings)),
        "literature": _bullets(found.facts) + _bullets(found.references),
        "computation": _computation(found),
    }
    return {
        key: f'<section id="{key}" aria-labelledby="h-{key}"><h2 id="h-{key}">{key.capitalize()}</h2>{body}</section>'
        for key, body in made.items()
        if body
    }


def _motion(found: Contents) -> str:
    if not found.motion:
        return ""
    start = ", ".join(f"<code>{html.escape(line)}</code>" for line in found.start)
    parts = [found.player, f"<p>From {start}.</p>" if start else "", '<div id="plots"></div>']
    parts.append(
        '<p class="hint">Drag across a plot to look closer in all of them, double-click (or press Escape) to see everything; '
        "with a plot in focus the arrow keys move the cursor.</p>"
    )
    return "".join(parts) + _table(("", "value"), found.motion, "How the motion went")


def _declaration(found: Contents) -> str:
    rows = [(heading, "\n".join(lines)) for heading, lines in found.declaration.items()]
    return "<dl>" + "".join(f"<dt>{html.escape(a)}</dt><dd>{_lines(b.splitlines())}</dd>" for a, b in rows) + "</dl>"


def _equations(found: Contents) -> str:
    if not found.equations:
        return ""
    number = count()
    tabs, panels = [], []
    for each in found.equations:
        k = next(number)
        chosen = "true" if k == 0 else "false"
        tabs.append(
            f'<button role="tab" id="tab-{k}" aria-controls="by-{k}" aria-selected="{chosen}" tabindex="{0 if k == 0 else -1}">'
            f"{html.escape(each.heading)}</button>"
        )
        hidden = "" if k == 0 else " hidden"
        panels.append(
            f'<div role="tabpanel" id="by-{k}" aria-labelledby="tab-{k}" tabindex="0"{hidden}>'
            f'<div class="formula">{mathml(each.formula, each.text)}</div>'
            f"<details><summary>as text</summary><pre>{html.escape(each.text)}</pre></details></div>"
        )
    return f'<div role="tablist" aria-label="Principles">{"".join(tabs)}</div>{"".join(panels)}'


def _verification(found: Contents) -> str:
    if found.verification is None:
        return ""
    head = ("principle, against any other", *KINDS)
    return f"<p>{_badge(found.verification.verdict)} {html.escape(found.verification.text)}</p>" + _table(
        head, found.agreement, "Largest disagreement with any other principle, each a proven bound"
    )


def _finding(answer: Answer) -> str:
    first, _, rest = answer.text.partition("\n")
    formula = f'<div class="formula">{mathml(answer.formula, answer.text)}</div>' if answer.formula else ""
    more = f"<pre>{html.escape(rest)}</pre>" if rest else ""
    folded = f"<details><summary>certificate</summary>{more}{formula}</details>" if more or formula else ""
    return f"<article><h3>{_badge(answer.verdict)} {html.escape(answer.heading.replace('_', ' '))}</h3><p>{html.escape(first)}</p>{folded}</article>"


def _badge(verdict: str) -> str:
    word = next((each for each in _VERDICTS if each in verdict.lower()), "")
    return (
        f'<span class="badge {word}" title="{word}">{_VERDICTS[word]}<span class="hidden"> {word}</span></span>'
        if word
        else ""
    )


def _computation(found: Contents) -> str:
    rows = [(name, f"{seconds:.2f} s") for name, seconds in found.seconds.items()]
    return f"<p>anholonomy {__version__}; every number on this page was computed when it was written.</p>" + _table(
        ("part", "took"), rows, "How long each part took"
    )


def _lines(lines: Sequence[str]) -> str:
    return f"<pre>{html.escape(chr(10).join(lines))}</pre>" if lines else ""


def _bullets(lines: Sequence[str]) -> str:
    return "<ul>" + "".join(f"<li>{html.escape(line)}</li>" for line in lines) + "</ul>" if lines else ""


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], caption: str) -> str:
    if not rows:
        return ""
    top = "".join(f'<th scope="col">{html.escape(cell)}</th>' for cell in head)
    body = "".join(
        f'<tr><th scope="row">{html.escape(row[0])}</th>'
        + "".join(f"<td>{html.escape(cell)}</td>" for cell in row[1:])
        + "</tr>"
        for row in rows
    )
    return f'<div class="wide" tabindex="0" role="region" aria-label="{html.escape(caption)}"><table><caption>{html.escape(caption)}</caption><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table></div>'
