"""Docstrings write mathematics between dollars; reStructuredText wants a role."""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

_DOLLARS = re.compile(r"(?<![\\$`])\$([^$`]+?)\$(?!\$)")


def rewrite(text: str) -> str:
    r"""Turn ``$x$`` into the math role, where it is no literal.

    >>> rewrite("the $q^i$ of ``$1``")
    'the :math:`q^i` of ``$1``'
    """
    parts = re.split(r"(``.*?``)", text)
    return "".join(part if k % 2 else _DOLLARS.sub(_role, part) for k, part in enumerate(parts))


def _role(found: re.Match[str]) -> str:
    return f":math:`{found.group(1).strip()}`"


def process(app: Sphinx, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    # Formulas may run over the end of a line.
    lines[:] = rewrite("\n".join(lines)).split("\n")


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("autodoc-process-docstring", process, priority=400)
    return {"parallel_read_safe": True}
