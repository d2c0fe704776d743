"""``anholonomy studio``: a page on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["studio"]

Folder = Annotated[
    Path | None, typer.Option("--folder", metavar="DIR", help="Where projects are kept; it is made where needed.")
]
Port = Annotated[int, typer.Option("--port", metavar="NUMBER", help="The port; by default one that is free.")]
Browser = Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser at the page.")]


def studio(folder: Folder = None, port: Port = 0, browser: Browser = True) -> None:
    """Open a local page: pick or type a system, drag its parameters, watch it move, ask, export.

    The page is served to this machine only, and the address has a token. Projects are kept in a folder, by default that of the
    user's data (~/.local/share/anholonomy/studio), so that closing the page or killing the server loses nothing. Needs the extra studio.

    \b
    Examples:
      anholonomy studio
      anholonomy studio --folder my-systems --port 8000 --no-browser
    """
    from anholonomy.studio.projects import default_folder
    from anholonomy.studio.server import serve

    serve(folder or default_folder(), port, browser)
