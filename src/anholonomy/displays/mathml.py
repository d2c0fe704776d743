r"""LaTeX as MathML, which browsers draw by themselves."""

from __future__ import annotations

import html
import re

__all__ = ["is_convertible", "mathml"]

_ALIGNED = re.compile(r"\\begin\{(aligned|align\*?|split)\}(.*?)\\end\{\1\}", re.DOTALL)
_WORDS = re.compile(r"\\text\{((?:\\text[a-z]+\{\}|\\.|[^{}\\])*)\}")
_FONTS = "'Cambria Math','STIX Two Math','Latin Modern Math','DejaVu Math TeX Gyre',math"
"""Fonts with a table of mathematics, by name: the family ``math`` alone is a font without one on most machines, and its brackets are far too tall."""
_UNBROKEN = "width:max-content;min-width:100%;white-space:nowrap;overflow-wrap:normal"
"""A formula in a narrow place keeps its width and is scrolled; squeezed, its sides would lie on one another."""
_NAMED = re.compile(r"<mi>(sin|cos|tan|cot|sec|csc|arcsin|arccos|arctan|sinh|cosh|tanh|exp|log|ln)</mi>")
"""Names of functions, which stand apart from the factor before them as operators do."""
_SIGNS = {r"\textbackslash{}": r"\\", r"\textasciicircum{}": "^", r"\textasciitilde{}": "~"}
_LONGEST = 12_000
"""Letters of LaTeX that a browser still lays out at once; longer formulas are shown as text."""
_BROADEST = 60
"""Signs of a left side beside which the others may still stand at the right: below a longer one nobody would see them without scrolling."""


def is_convertible(text: str) -> bool:
    """Whether a formula is short enough to be laid out."""
    return len(text) <= _LONGEST


def mathml(text: str, otherwise: str = "", block: bool = True) -> str:
    r"""One formula; alignment becomes a table of two columns, or of one where a left side is broad. What is too long, or foreign to the converter, is shown as the text ``otherwise``.

    >>> mathml("x^2", block=False).startswith("<math")
    True
    """
    from latex2mathml.converter import convert

    if is_convertible(text):
        said: list[str] = []

        def put_by(found: re.Match[str]) -> str:
            said.append(_unescaped(found[1]))
            return rf"\text{{@{len(said) - 1}@}}"  # words are none of the converter's business

        plain = _ALIGNED.sub(lambda found: _table(found[2]), _WORDS.sub(put_by, text))
        try:
            made = str(convert(plain.replace(r"\nonumber", ""), display="block" if block else "inline"))
        except Exception:  # the converter has no class of its own for what it does not know
            made = ""
        made = re.sub(r"@(\d+)@", lambda found: html.escape(said[int(found[1])]), made)
        if _is_mathml(made):
            # Browsers go by the style alone.
            made = re.sub(
                r'columnalign="(left|right)"', r'columnalign="\1" style="text-align:\1;text-align:-webkit-\1"', made
            )
            made = _NAMED.sub(r'<mo lspace="0.17em" rspace="0em">\1</mo>', made)
            style = f"font-family:{_FONTS}{f';{_UNBROKEN}' if block else ''}"
            return made.replace("<math", f'<math style="{style}"', 1)
    return f"<pre>{html.escape(otherwise or text)}</pre>"


def _unescaped(words: str) -> str:
    r"""Words of LaTeX as they are read; blanks at their ends stay.

    >>> _unescaped(r" c\_1 \& 50\%"), _unescaped(r"a\textbackslash{}b")
    ('\xa0c_1 & 50%', 'a\\b')
    """
    for command, sign in _SIGNS.items():
        words = words.replace(command, sign)
    return re.sub(r"^ | $", "\u00a0", re.sub(r"\\([^A-Za-z])", r"\1", words))


def _table(rows: str) -> str:
    r"""Aligned rows as an array.

    >>> _table(r"a &= b"), _table("a + " * 40 + r"z &= b")[:16]
    ('\\begin{array}{rl}a &= b\\end{array}', '\\begin{array}{l}')
    """
    lefts = [row.partition("&")[0] for row in rows.split(r"\\") if "&" in row]
    broad = max((len(re.findall(r"\\[A-Za-z]+|[^\s{}^_&\\]", left)) for left in lefts), default=0) > _BROADEST
    if broad:
        return rf"\begin{{array}}{{l}}{rows.replace('&', '')}\end{{array}}"
    return rf"\begin{{array}}{{rl}}{rows}\end{{array}}"


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
