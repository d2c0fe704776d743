"""Draw the rooms of the package and the way data go through them: ``docs/_static/architecture.svg``, from the layers that import-linter checks."""

from __future__ import annotations

import sys
import tomllib
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WIDE, HIGH, GAP = 900, 30, 9
ACCENT = {"system": "System", "formulations": "Equations", "compile": "Program", "simulate": "Motion"}
"""The rooms in which the four nouns are made."""


def rows() -> list[list[str]]:
    """The layers from top to bottom, the rooms of one layer side by side."""
    rules = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    layers = next(rule["layers"] for rule in rules if rule["type"] == "layers")
    return [[name.strip().removeprefix("anholonomy.") for name in layer.split("|")] for layer in layers]


def drawing() -> str:
    layers = rows()
    height = len(layers) * (HIGH + GAP) + 60
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {height}" role="img" font-family="sans-serif" font-size="13">',
        "<title>The rooms of anholonomy: imports go downwards only</title>",
        f'<rect width="{WIDE}" height="{height}" fill="#ffffff"/>',
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0L8 4L0 8z" fill="#333333"/></marker></defs>',
        '<text x="20" y="26" fill="#333333">imports go downwards only; the four nouns are made in the framed rooms</text>',
        f'<path d="M{WIDE - 18} 44V{height - 22}" stroke="#333333" stroke-width="1.5" marker-end="url(#tip)"/>',
    ]
    for k, layer in enumerate(layers):
        y, width = 44 + k * (HIGH + GAP), (WIDE - 60 - GAP * (len(layer) - 1)) / len(layer)
        for i, room in enumerate(layer):
            x, noun = 20 + i * (width + GAP), ACCENT.get(room)
            fill, edge, bold = ("#dcecf7", "#0072b2", 2) if noun else ("#f3f3f3", "#999999", 1)
            label = escape(room) + (f' <tspan font-weight="bold" fill="#0b4f79">→ {noun}</tspan>' if noun else "")
            parts.append(
                f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{HIGH}" rx="4" fill="{fill}" stroke="{edge}" stroke-width="{bold}"/>'
                f'<text x="{x + width / 2:.1f}" y="{y + 20}" text-anchor="middle" fill="#222222">{label}</text>'
            )
    return "\n".join([*parts, "</svg>", ""])


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs/_static"
    (folder / "architecture.svg").write_text(drawing(), encoding="utf-8")
