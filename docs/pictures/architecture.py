"""Draw the rooms of the package and the imports between them: ``docs/_static/architecture.svg``, from the source itself."""

from __future__ import annotations

import ast
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = "anholonomy"
SOURCE = ROOT / "src" / PACKAGE
SIDE, LEFT, TOP = 25, 292, 104
HOLDS = {
    "public": "System, Equations, Motion",
    "motion": "Trajectory",
    "programs": "Program",
    "equations": "EquationsOfMotion",
    "system": "Model",
}
"""The data and the classes that go from room to room, where they are made."""


def rooms() -> list[str]:
    """The rooms from the last to the first, in the order that import-linter checks."""
    rules = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    layers = next(rule["layers"] for rule in rules if rule["type"] == "layers")
    return [layer.removeprefix(f"{PACKAGE}.") for layer in layers]


def modules_of(node: ast.AST) -> Iterator[str]:
    """The modules that a statement imports."""
    if isinstance(node, ast.ImportFrom) and node.module:
        yield from (f"{node.module}.{alias.name}" for alias in node.names)
    elif isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)


def graph() -> tuple[Counter[str], Counter[tuple[str, str]]]:
    """The number of files of each room, and of those of its files that import from another room."""
    files: Counter[str] = Counter()
    imports: Counter[tuple[str, str]] = Counter()
    known = set(rooms())
    for path in sorted(SOURCE.rglob("*.py")):
        room = path.relative_to(SOURCE).parts[0]
        if room not in known:
            continue
        files[room] += 1
        found = (
            name.split(".")
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            for name in modules_of(node)
        )
        used = {parts[1] for parts in found if parts[0] == PACKAGE and len(parts) > 1}
        imports.update((room, other) for other in (used & known) - {room})
    return files, imports


def text(x: float, y: float, words: str, **style: str) -> str:
    attributes = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in style.items())
    return f'<text x="{x:g}" y="{y:g}"{attributes}>{escape(words)}</text>'


def drawing() -> str:
    """The table of imports: a row for each room, a column for each room that it may import from."""
    order, (files, imports) = rooms(), graph()
    size = len(order) * SIDE
    width, height = LEFT + size + 16, TOP + size + 34
    most = max(imports.values())
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" font-family="sans-serif" font-size="13">',
        f"<title>The {len(order)} rooms of {PACKAGE} and the imports between them, all in one direction</title>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        text(16, 22, "A number counts the files of the room", fill="#333333"),
        text(16, 39, "in its row that import from the room", fill="#333333"),
        text(16, 56, "in its column.", fill="#333333"),
        text(LEFT - 12, TOP - 8, "files", fill="#555555", text_anchor="end", font_size="11"),
    ]
    for k, room in enumerate(order):
        x, y = LEFT + k * SIDE, TOP + k * SIDE
        if k % 2 == 0:
            parts.append(f'<rect x="8" y="{y}" width="{LEFT + size - 8}" height="{SIDE}" fill="#f5f6f7"/>')
        parts.append(text(16, y + 17, room, fill="#111111", font_weight="bold"))
        if room in HOLDS:
            parts.append(text(102, y + 17, HOLDS[room], fill="#0b4f79", font_size="11"))
        parts.append(text(LEFT - 12, y + 17, str(files[room]), fill="#555555", text_anchor="end", font_size="11"))
        turned = f"rotate(-60 {x + 15} {TOP - 6})"
        parts.append(text(x + 15, TOP - 6, room, fill="#111111", font_size="12", transform=turned))
    for i, room in enumerate(order):
        y = TOP + i * SIDE
        parts.append(f'<rect x="{LEFT + i * SIDE}" y="{y}" width="{SIDE}" height="{SIDE}" fill="#555b61"/>')
        for k, other in enumerate(order):
            if not (count := imports[room, other]):
                continue
            x, shade = LEFT + k * SIDE, 0.12 + 0.5 * (count / most) ** 0.5
            fill = f'fill="#0072b2" fill-opacity="{shade:.2f}"'
            parts.append(f'<rect x="{x + 1}" y="{y + 1}" width="{SIDE - 2}" height="{SIDE - 2}" rx="3" {fill}/>')
            parts.append(text(x + SIDE / 2, y + 17, str(count), fill="#111111", text_anchor="middle", font_size="11"))
    note = "Below the dark diagonal the table is empty: a room imports only from rooms after it in this list."
    parts.append(text(16, TOP + size + 22, note, fill="#333333"))
    return "\n".join([*parts, "</svg>", ""])


if __name__ == "__main__":
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs/_static"
    (folder / "architecture.svg").write_text(drawing(), encoding="utf-8")
