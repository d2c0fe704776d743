"""Files made of a project: the declaration, the report, films, the motion as numbers, and code."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from anholonomy.base.errors import UnknownNameError, quoted
from anholonomy.base.files import write_whole
from anholonomy.public.system import System
from anholonomy.show.animation.movie import find_ffmpeg
from anholonomy.show.text.equations import latex_document
from anholonomy.studio.worker.declarations import compact, held, inputs_in, valued, with_values
from anholonomy.studio.worker.motions import END, played

__all__ = ["KINDS", "exported", "kinds"]

_PYTHON = '''"""{name}: the declaration, and the motion that the studio showed."""

from pathlib import Path

import anholonomy as ah

DECLARATION = """\\
{declaration}"""

path = Path(__file__).with_suffix(".toml")
path.write_text(DECLARATION, encoding="utf-8")
system = ah.load(path)
print(system.derive())
run = system.simulate(until={until!r}{held})
print(run)
run.plot(ax=Path(__file__).with_suffix(".png"))
'''


def _python(system: System, until: float, inputs: Mapping[str, float]) -> str:
    """A script; the inputs stay in the declaration, with the forces that they are in, and are held where it simulates."""
    declaration = compact(system.to_toml()).replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    title = re.sub(r"[\\\"\n\r]", " ", system.name)
    held = f", inputs={dict(inputs)!r}" if inputs else ""
    return _PYTHON.format(name=title, declaration=declaration, until=until, held=held)


def _text(make: Callable[[System, float], str]) -> Callable[[System, float, Path, Any], None]:
    return lambda system, until, path, more: write_whole(path, make(system, until))


def _report(system: System, until: float, path: Path, more: Callable[[Any], None]) -> None:
    more({"said": "writing the report: equations, verification, findings, motion"})
    system.report(path, dict(system.start), until, time_limit=10.0)


def _film(system: System, until: float, path: Path, more: Callable[[Any], None]) -> None:
    more({"said": "drawing"})
    played(system, {}, _numbers(system), until).animate(path)


def _motion(system: System, until: float, path: Path, more: Callable[[Any], None]) -> None:
    played(system, {}, _numbers(system), until).save(path)


def _numbers(system: System) -> dict[str, float]:
    return {str(name): float(value) for name, value in system.start.items()}


KINDS: dict[str, tuple[str, str, Callable[[System, float, Path, Any], None]]] = {
    "toml": (".toml", "the declaration, a TOML file", _text(lambda system, until: compact(system.to_toml()))),
    "report": (".html", "the report, one page for any browser", _report),
    "page": (".film.html", "the film, a page that can be turned", _film),
    "gif": (".gif", "the film, a moving picture (GIF)", _film),
    "mp4": (".mp4", "the film, a video (MP4)", _film),
    "csv": (".csv", "the motion, a table (CSV)", _motion),
    "nc": (".nc", "the motion with all it knows (netCDF)", _motion),
    "python": (".py", "code: a Python script", _text(lambda system, until: _python(system, until, {}))),
    "c": (".c", "code: C", _text(lambda system, until: system.derive().c_source())),
    "modelica": (".mo", "code: Modelica", _text(lambda system, until: system.derive().modelica())),
    "cuda": (".cu", "code: a CUDA kernel", _text(lambda system, until: system.derive("kane").kernel().source)),
    "latex": (
        ".tex",
        "the equations, LaTeX",
        _text(lambda system, until: latex_document(system.model, [system.derive().data])),
    ),
}
"""What can be made: the ending of the file, what it is, and how."""
_OPEN = ("toml", "python", "c", "modelica", "latex")
"""What keeps inputs as inputs; in all else they are held at the values that were dragged."""


def kinds() -> dict[str, str]:
    """What can be made on this machine."""
    return {kind: title for kind, (_, title, _) in KINDS.items() if kind != "mp4" or find_ffmpeg() is not None}


def exported(words: Mapping[str, Any], more: Callable[[Any], None]) -> dict[str, Any]:
    """Make a file in the folder that the server names; its name is that of the system, in plain letters."""
    if words["kind"] not in KINDS:
        raise UnknownNameError(
            f"there is nothing to make by the name {quoted(words['kind'])}; make {', '.join(KINDS)}."
        )
    system, parameters, start = with_values(words)
    ending, _, make = KINDS[words["kind"]]
    system = (valued if words["kind"] in _OPEN else held)(system, parameters).with_start(start)
    plain = re.sub(r"[^a-z0-9]+", "-", system.name.lower()).strip("-")[:60] or "system"
    path = Path(words["folder"]) / f"{plain}{ending}"
    until = float(words["until"] or END)
    if words["kind"] == "python":
        write_whole(path, _python(system, until, inputs_in(system, parameters)))
    else:
        make(system, until, path, more)
    return {"file": path.name, "bytes": path.stat().st_size}
