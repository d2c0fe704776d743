"""A page for every system of the catalogue, made at every build: a moving picture, the motion, equations, findings, literature.

Beside a moving picture there is one that stands still: for whoever asks the browser for less motion, and for the button that stops them all.

What is computed for a system is kept beside its page and used again as long as the package and this file are the same.
"""

from __future__ import annotations

import hashlib
import html
import json
import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

    from anholonomy.catalogue import Entry

LIMIT = 2.0
"""Seconds that a question may take."""
LONGEST = 300
"""Letters of an expression that is written out."""
FRAMES, SECONDS, SIZE, DOTS = 40, 5.0, (3.2, 2.4), 100
FAMILIES = {
    "vehicles": "Skates, sleighs and vehicles",
    "discs": "Discs that roll without slipping",
    "balls": "Balls and stones that roll without slipping",
    "tops": "Tops",
    "particles": "Particles and textbook constraints",
}
_PICTURES = (".png", ".webp", "-still.webp")
_VERDICTS = ("proven", "refuted", "unknown")


def family(entry: Entry) -> str:
    return entry.make.__module__.split(".")[2]


def digest(source: Path) -> str:
    """What everything here depends on: the package and this file."""
    found = hashlib.sha256(Path(__file__).read_bytes())
    for path in sorted(source.rglob("*.py")):
        found.update(path.relative_to(source).as_posix().encode() + path.read_bytes())
    return found.hexdigest()


def computed(key: str, folder: Path, time_limit: float = LIMIT) -> dict[str, Any]:
    """Draw a system's pictures into ``folder`` and ask it everything; texts for its page."""
    import anholonomy as ah

    entry = ah.catalogue.ENTRIES[key]
    system = entry.make()
    run = system.simulate(entry.start, until=entry.until)
    run.plot(str(folder / f"{key}.png"))
    thumbnail(run, folder / f"{key}.webp")
    equations = system.derive()
    page = system.analyse(time_limit=time_limit)
    return {
        "title": system.name,
        "equations": str(equations),
        "latex": _short_latex(equations),
        "principle": equations.principle,
        "findings": [[str(name), *_answer(page[name])] for name in page],
    }


def thumbnail(run: Any, path: Path) -> None:
    """The motion as a small moving picture that stops after a few rounds."""
    import numpy as np
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from PIL import Image

    from anholonomy.show.animation.movie import draw_frame, fitting_camera

    film = run.animate(frames=10 * FRAMES).film  # the trail is as fine as the film
    figure = Figure(figsize=SIZE, dpi=DOTS)
    ax = figure.add_axes((0, 0, 1, 1))
    ax.set_axis_off()
    camera, half = fitting_camera(film, SIZE[0] / SIZE[1])
    ax.set(xlim=(-half * SIZE[0] / SIZE[1], half * SIZE[0] / SIZE[1]), ylim=(-half, half))
    canvas, pictures = FigureCanvasAgg(figure), []
    for frame in range(0, len(film.times), 10):
        draw_frame(ax, film, camera, frame)
        canvas.draw()
        pictures.append(Image.fromarray(np.asarray(canvas.buffer_rgba()).copy()).convert("RGB"))
    lasting = round(1000 * SECONDS / len(pictures))
    pictures[0].save(path, save_all=True, append_images=pictures[1:], duration=lasting, loop=4, quality=60, method=2)
    pictures[-1].save(still(path), quality=60, method=2)  # the end, with the whole trail


def still(path: Path) -> Path:
    """Where the picture is that stands still."""
    return path.with_name(f"{path.stem}-still.webp")


def film(key: str, words: str, kind: str) -> str:
    """A moving picture as HTML; ``gallery.js`` stops and starts it."""
    place = f"../../_images/{key}"
    return (
        f'<picture class="{kind}" data-moving="{place}.webp" data-still="{place}-still.webp">'
        f'<source media="(prefers-reduced-motion: reduce)" srcset="{place}-still.webp">'
        f'<img src="{place}.webp" alt="{html.escape(words, quote=True)}" loading="lazy" width="320" height="240"></picture>'
    )


def _short_latex(equations: Any) -> str:
    """Equations as mathematics, unless they are too long to be read."""
    from anholonomy.language.writing import leaves_out

    if leaves_out(str(equations)) or len(str(equations)) > 2500:
        return ""
    return str(equations.latex())


def _answer(answer: Any) -> tuple[str, str]:
    """A verdict and the text."""
    if isinstance(answer, str):
        return "", answer
    verdict = getattr(answer, "verdict", None) or getattr(getattr(answer, "finding", None), "verdict", "")
    return str(verdict), str(answer)


def system_page(entry: Entry, found: Mapping[str, Any]) -> str:
    """One system as a page."""
    from living_tables import _kinds, _literal, brief

    system, key = entry.make(), entry.key
    said = [f"- Lagrangian: {_declared(key, brief(system.lagrangian))}"]
    said += [
        f"- constraint {c.label} ({_kinds(c.kind)}): {_declared(key, f'{brief(c.declared)} = 0')}"
        for c in system.constraints
    ]
    values = ", ".join(f"{p} = {v}" for p, v in system.parameters.items())
    said += [f"- parameters: `{values}`"] if values else []
    written = f"$$\n{found['latex']}\n$$" if found["latex"] else f"```text\n{found['equations']}\n```"
    start = ", ".join(f"{name} = {value:g}" for name, value in entry.start.items())
    blocks = [
        f"# {found['title']}",
        f"```{{raw}} html\n{film(key, found['title'] + ' in motion', 'gallery-film')}\n```",
        f"```{{eval-rst}}\n.. automodule:: {entry.make.__module__}\n   :no-members:\n   :no-index:\n```",
        f"In Python {{func}}`anholonomy.catalogue.{entry.make.__name__}`, at the command line `{key}`: "
        f"`anholonomy report {key} -o {key}.html` writes everything about it as one page, with a player.",
        "## As declared\n\n" + "\n".join(said),
        f"## Equations of motion\n\nBy the principle `{found['principle']}` (see [the principles](../../theory/index.md)).\n\n{written}",
        f"## Motion\n\nFrom `{start}` to t = {entry.until:g}.\n\n```{{image}} {key}.png\n:alt: Path, coordinates over time and errors of {found['title']}\n```",
        f"## What follows from the equations\n\nAsked when these pages were built, {LIMIT:g} s a question; *unknown* may mean that it needs longer.",
        "\n\n".join(_finding(*each) for each in found["findings"]),
        "## Facts from the literature\n\n" + "\n".join(f"- {_literal(fact)}" for fact in entry.facts),
        "## Literature\n\n" + "\n".join(f"- {_literal(reference)}" for reference in entry.references),
    ]
    return "\n\n".join(blocks) + "\n"


def _declared(key: str, text: str) -> str:
    """An expression, unless it is too long to be read."""
    return f"`{text}`" if len(text) <= LONGEST else f"{len(text)} letters, which `anholonomy show {key} --all` prints"


def _finding(name: str, verdict: str, text: str) -> str:
    mark = f": {verdict}" if verdict in _VERDICTS else ""
    from anholonomy.reports.analysis import QUESTIONS

    asked = QUESTIONS.get(name, name.replace("_", " "))
    lines = [wrapped for line in text.splitlines() for wrapped in _wrapped(line)]
    return "\n".join([f"### {asked[0].upper()}{asked[1:]}{mark}", "", "```text", *lines, "```"])


def _wrapped(line: str) -> list[str]:
    """A line of an answer over as many as it takes on a page, those after the first further in."""
    inner = " " * (len(line) - len(line.lstrip()) + 4)
    return textwrap.wrap(line, 88, subsequent_indent=inner, break_long_words=False, break_on_hyphens=False) or [""]


def index_page(entries: Iterable[Entry], found: Mapping[str, Mapping[str, Any]]) -> str:
    """The thumbnails, family by family."""
    lines = [
        "# Gallery",
        "Every system of the catalogue, moving. A picture leads to equations, findings and literature.",
        "",
    ]
    entries = list(entries)
    for name, title in FAMILIES.items():
        cards = [
            f'<a class="gallery-card" href="{e.key}.html">{film(e.key, "", "gallery-thumbnail")}'
            f"<span>{html.escape(found[e.key]['title'])}</span></a>"
            for e in entries
            if family(e) == name
        ]
        lines += [f"## {title}", "", "```{raw} html", '<div class="gallery">', *cards, "</div>", "```", ""]
    return "\n".join([*lines, "```{toctree}", ":hidden:", "", *(e.key for e in entries), "```", ""])


def write_gallery(app: Sphinx) -> None:
    import anholonomy as ah

    folder = Path(app.srcdir) / "generated" / "gallery"
    folder.mkdir(parents=True, exist_ok=True)
    chosen = [key for key in str(app.config.gallery_systems).split(",") if key] or list(ah.catalogue.ENTRIES)
    entries = {key: ah.catalogue.ENTRIES[key] for key in chosen}
    now = digest(Path(str(ah.__file__)).parent)
    found = {key: _kept(folder, key, now) for key in entries}
    missing = [key for key, kept in found.items() if kept is None]
    if missing:
        with ProcessPoolExecutor(os.cpu_count() or 1, mp_context=get_context("spawn"), initializer=_quietly) as pool:
            for key, made in zip(missing, pool.map(computed, missing, [folder] * len(missing)), strict=True):
                found[key] = made
                _write(folder / f"{key}.json", json.dumps({"digest": now, **made}, indent=1))
    for key, entry in entries.items():
        _write(folder / f"{key}.md", system_page(entry, found[key] or {}))
    _write(folder / "index.md", index_page(entries.values(), found))  # type: ignore[arg-type]


def copy_films(app: Sphinx, error: Exception | None) -> None:
    """Put the moving pictures beside the others: Sphinx does not see them inside HTML."""
    place = Path(app.outdir) / "_images"
    if error is None and app.builder.format == "html":
        place.mkdir(exist_ok=True)
        for path in (Path(app.srcdir) / "generated" / "gallery").glob("*.webp"):
            shutil.copyfile(path, place / path.name)


def _quietly() -> None:
    """One thread a worker: as many workers as cores are enough."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]


def _kept(folder: Path, key: str, now: str) -> dict[str, Any] | None:
    try:
        kept = json.loads((folder / f"{key}.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    whole = kept.get("digest") == now and all((folder / f"{key}{end}").exists() for end in _PICTURES)
    return kept if whole else None


def _write(path: Path, text: str) -> None:
    # An unchanged file keeps its date, so that Sphinx need not read it again.
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_config_value("gallery_systems", "", "env", str)  # keys between commas; all of them by default
    app.connect("builder-inited", write_gallery)
    app.connect("build-finished", copy_films)
    return {"parallel_read_safe": True}
