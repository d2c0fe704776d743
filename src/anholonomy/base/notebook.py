"""Results as HTML in a notebook: verdict, formula in MathML, table and picture.

A noun inherits `Shown`, or `Typeset` if its formula is what people read; a notebook then shows its verdict, its formula, its
picture and its words.
"""

from __future__ import annotations

import abc
import html
import io
import re
import sys
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from typing import Any

from anholonomy.base.errors import Error

__all__ = [
    "Shown", "Typeset", "badge", "figure_of", "folded", "formula_of", "framed", "is_convertible", "is_wordy", "mathml", "picture",
    "preformatted", "shown", "table", "verdict_of",
]  # fmt: skip

_MARKS = {"proven": ("✓", "#1b7043"), "refuted": ("¬", "#5b4a9e"), "unknown": ("?", "#7a5200")}
_CLAUSE = 30
"""Letters of words that still stand in a formula."""
_LONGEST_CELL = 400
"""Letters of a value in a table."""


class Shown:
    """What a notebook shows as HTML; its class says ``latex()``, ``plot()``, ``__str__`` or fields, and needs nothing else.

    >>> from anholonomy.system.bodies.shapes import Sphere
    >>> "radius" in Sphere("r")._repr_html_()
    True
    """

    __slots__ = ()

    def _repr_html_(self) -> str:
        return shown(self)

    def _details(self) -> Iterable[tuple[str, str]]:
        """Names and texts that say more than the line that is printed; by default the fields of a data class without words of its own."""
        kind: Any = type(self)
        if not is_dataclass(self) or kind.__str__ is not object.__str__ or not hasattr(kind.__repr__, "__wrapped__"):
            return ()
        told = ((each.name, getattr(self, each.name)) for each in fields(self) if each.repr)
        return [(name, _cut(value)) for name, value in told if value is not None]


class Typeset(Shown, abc.ABC):
    """What a notebook shows as the formula that ``latex()`` says."""

    __slots__ = ()

    @abc.abstractmethod
    def latex(self) -> str:
        """The thing in LaTeX."""

    def _repr_latex_(self) -> str | None:
        return f"$${self.latex()}$$"


def shown(thing: Any) -> str:
    """The verdict, the formula or the words, and the picture of a thing; words are folded under a formula."""
    rows = list(thing._details()) if isinstance(thing, Shown) else []
    words = f"<b>{html.escape(_name(thing))}</b>{table(rows)}" if rows else preformatted(str(thing))
    latex, drawn = formula_of(thing), picture(thing)
    formula = _formula(latex)
    if formula and is_wordy(latex):
        inner = words + folded("in formulas", formula)
    else:
        inner = formula + folded("as text", words) if formula else words
    return framed(badge(verdict_of(thing)), inner, drawn)


def verdict_of(thing: Any) -> str:
    """The verdict that a thing says of itself or by its finding; nothing for what has none."""
    return str(getattr(thing, "verdict", None) or getattr(getattr(thing, "finding", None), "verdict", ""))


def framed(*parts: str) -> str:
    """Parts of a display in one element."""
    return f'<div class="anholonomy">{"".join(parts)}</div>'


def badge(verdict: str) -> str:
    """Proven, refuted or unknown as a mark that is read aloud as a word; nothing for other texts.

    >>> badge("anything")
    ''
    """
    if verdict not in _MARKS:
        return ""
    mark, colour = _MARKS[verdict]
    style = f"border:1px solid {colour};border-radius:.3em;padding:0 .5em;background:#fff;color:{colour}"
    return f'<span style="{style}">{mark} {verdict}</span> '


def preformatted(text: str) -> str:
    """A text as it is, with lines that break where they must."""
    return f'<pre style="white-space:pre-wrap;overflow-wrap:anywhere">{html.escape(text)}</pre>'


def folded(summary: str, body: str) -> str:
    """Something that opens when it is asked for."""
    return f"<details><summary>{html.escape(summary)}</summary>{body}</details>"


def table(rows: Iterable[tuple[str, str]]) -> str:
    """Names and texts.

    >>> table([("a", "<1>")])
    '<table><tr><th style="...">a</th><td style="...">&lt;1&gt;</td></tr></table>'
    """
    left = ' style="text-align:left;vertical-align:top;white-space:pre-wrap"'
    cells = (f"<tr><th{left}>{html.escape(a)}</th><td{left}>{html.escape(b)}</td></tr>" for a, b in rows)
    return f"<table>{''.join(cells)}</table>"


def picture(thing: Any) -> str:
    """What its ``plot()`` draws, as an image; nothing where it draws nothing, or refuses."""
    import base64

    if not callable(getattr(thing, "plot", None)):
        return ""
    try:
        drawn = thing.plot()
    except (Error, TypeError):  # a picture that has to be told what it is of
        return ""
    figure = figure_of(drawn)
    if figure is None:
        return ""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=90)
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close(figure)  # or the notebook would show it once more
    name = html.escape(_name(thing), quote=True)
    return f'<img alt="{name}" style="max-width:100%" src="data:image/png;base64,{base64.b64encode(buffer.getvalue()).decode()}">'


def figure_of(drawn: Any) -> Any:
    """The figure of what was drawn: itself, or that of axes, one or several."""
    several = getattr(drawn, "flat", drawn if isinstance(drawn, list | tuple) else None)
    first = drawn if several is None else next(iter(several), None)
    return first if hasattr(first, "savefig") else getattr(first, "figure", None)


def is_wordy(latex: str) -> bool:
    r"""Whether a formula is a sentence, which breaks into lines as a text only.

    >>> is_wordy(r"x^2 \text{ for } x"), is_wordy(r"\text{the distribution is integrable: proven, } x = 0")
    (False, True)
    """
    return any(len(words) > _CLAUSE for words in re.findall(r"\\text\{([^}]*)", latex))


def formula_of(thing: Any) -> str:
    """The LaTeX of a thing without dollars; empty if it has no formulas."""
    write = getattr(thing, "_repr_latex_", None)
    try:
        text = (write() if write else None) or ""
    except Error:
        return ""
    return str(text).strip().strip("$")


def _formula(latex: str) -> str:
    """LaTeX as MathML, where it is short enough."""
    made = mathml(latex) if latex and is_convertible(latex) else ""
    # What may be wider than its cell is scrolled by keys, too.
    scrolled = '<div style="overflow-x:auto" tabindex="0" role="group" aria-label="formula">'
    return f"{scrolled}{made}</div>" if made.startswith("<math") else ""


def _cut(value: Any) -> str:
    text = str(value)
    return text if len(text) <= _LONGEST_CELL else f"{text[:_LONGEST_CELL]} …"


def _name(thing: Any) -> str:
    """The kind of a thing, and what it is called."""
    name = getattr(thing, "name", "")
    return f"{type(thing).__name__}: {name}" if isinstance(name, str) and name else type(thing).__name__


# LaTeX as MathML, which browsers draw by themselves.


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
