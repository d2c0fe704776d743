r"""LaTeX as MathML, which browsers draw by themselves."""

from __future__ import annotations

import html
import re

__all__ = ["is_convertible", "mathml"]

_ALIGNED = re.compile(r"\\begin\{(aligned|align\*?|split)\}(.*?)\\end\{\1\}", re.DOTALL)
_LONGEST = 12_000
"""Letters of LaTeX that a browser still lays out at once; longer formulas are shown as text."""


def is_convertible(text: str) -> bool:
    """Whether a formula is short enough to be laid out."""
    return len(text) <= _LONGEST


def mathml(text: str, otherwise: str = "", block: bool = True) -> str:
    r"""One formula; alignment becomes a table of two columns. What is too long, or foreign to the converter, is shown as the text ``otherwise``.

    >>> mathml("x^2", block=False).startswith("<math")
    True
    """
    from latex2mathml.converter import convert

    if is_convertible(text):
        plain = _ALIGNED.sub(lambda found: rf"\begin{{array}}{{rl}}{found[2]}\end{{array}}", text)
        try:
            made = str(convert(plain.replace(r"\nonumber", ""), display="block" if block else "inline"))
        except Exception:  # the converter has no class of its own for what it does not know
            made = ""
        if _is_mathml(made):
            # Browsers go by the style alone.
            return re.sub(
                r'columnalign="(left|right)"', r'columnalign="\1" style="text-align:\1;text-align:-webkit-\1"', made
            )
    return f"<pre>{html.escape(otherwise or text)}</pre>"


def _is_mathml(text: str) -> bool:
    """Whether a text is MathML and nothing else: the converter passes on what stands in words of a formula.

    >>> _is_mathml("<math><mi>x</mi></math>"), _is_mathml("<math><mtext><script>1</script></mtext></math>")
    (True, False)
    """
    from xml.etree import ElementTree

    try:
        nodes = list(ElementTree.fromstring(text).iter())
    except ElementTree.ParseError:
        return False
    tags = {str(node.tag).rpartition("}")[2] for node in nodes}
    return all(re.fullmatch(r"m[a-z]+", tag) for tag in tags) and not any(
        word.lower().startswith("on") or word.lower().endswith("href") for node in nodes for word in node.attrib
    )
