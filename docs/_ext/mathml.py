r"""Mathematics as MathML, which browsers draw by themselves: the pages need no script from elsewhere."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

_ALIGNED = re.compile(r"\\begin\{(aligned|align\*?|split)\}(.*?)\\end\{\1\}", re.DOTALL)


def mathml(text: str, display: str) -> str:
    r"""One formula; alignment becomes a table of two columns, which the converter knows.

    >>> "<mfrac>" in mathml(r"\frac12", "inline")
    True
    """
    text = _ALIGNED.sub(lambda found: rf"\begin{{array}}{{rl}}{found[2]}\end{{array}}", text)
    return str(convert(text.replace(r"\nonumber", ""), display=display))


def inline(self: HTML5Translator, node: nodes.math) -> None:
    self.body.append(mathml(node.astext(), "inline"))
    raise nodes.SkipNode


def block(self: HTML5Translator, node: nodes.math_block) -> None:
    number = f'<span class="eqno">({node["number"]})</span>' if node.get("number") else ""
    self.body.append(self.starttag(node, "div", CLASS="math"))
    self.body.append(f"{number}{mathml(node.astext(), 'block')}</div>")
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True}
