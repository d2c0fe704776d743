r"""Forms and vector fields as a person writes them: ``x*dy∧dz - dx∧dy`` in, ``x dy∧dz - dx∧dy`` out.

In an anholonomic frame the basis of forms prints as $\theta^a$ with the labels of the frame, on a chart as $dq^i$. A notebook
shows fields as aligned equations, $e_1 = \cos\theta\,\partial_x + \sin\theta\,\partial_y$.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import symengine

from anholonomy.algebra.expressions import Expr, Matrix, Symbol, symbol, unused, zero
from anholonomy.algebra.latex import aligned, latex, latex_name
from anholonomy.algebra.unknown_functions import unknown_functions
from anholonomy.base.errors import DeclarationError, UnknownNameError, quoted
from anholonomy.language import parse_expression
from anholonomy.language.answers import EQUALS, Components, Mark, Row, Sum
from anholonomy.language.arguments import expression
from anholonomy.language.names import LETTER, PRIME
from anholonomy.language.writing import brief_parts, leaves_out

if TYPE_CHECKING:
    from anholonomy.geometry.frame import Frame
    from anholonomy.geometry.tensor import Index

__all__ = [
    "along_coordinates",
    "along_directions",
    "field_rows",
    "fields_latex",
    "form_row",
    "read_component",
    "read_index",
    "read_terms",
]


def read_index(key: Any, labels: Sequence[str]) -> Index:
    """The indices that a key names: labels in one text, or numbers counted from 0.

    >>> read_index("y z", ["x", "y", "z"]), read_index((0, 2), ["x", "y", "z"]), read_index("", ["x"])
    ((1, 2), (0, 2), ())
    """
    if isinstance(key, str):
        names = key.replace("∧", " ").split()
        if unknown := [name for name in names if name not in labels]:
            raise UnknownNameError(
                f"the frame has no direction {unknown[0]!r}; its directions are {', '.join(labels)}."
            )
        return tuple(list(labels).index(name) for name in names)
    index = tuple(key) if isinstance(key, tuple) else (key,)
    if not all(isinstance(i, int) and 0 <= i < len(labels) for i in index):
        raise DeclarationError(f"{key!r} is no index of the form; use labels or numbers from 0 to {len(labels) - 1}.")
    return index


def read_component(value: Any, what: str, functions: Sequence[str] = ()) -> Expr:
    """A component from text, SymPy or a number; an expression that was computed may hold unspecified functions."""
    if isinstance(value, symengine.Basic) and unknown_functions(value):
        return value
    return expression(value, what, functions)


def read_terms(text: str, coordinates: Sequence[str], functions: Sequence[str] = ()) -> dict[Index, Expr]:
    """The coefficients of products of differentials in a text.

    A ``d`` before the name of a coordinate is its differential, unless that is the name of a coordinate itself.

    >>> read_terms("x*(dy∧dz - dx^dy)", ["x", "y", "z"])
    {(1, 2): x, (0, 1): -x}
    """
    names = [name for name in coordinates if "d" + name not in coordinates]
    one = rf"d(?:{'|'.join(sorted(map(re.escape, names), key=len, reverse=True))})(?![{LETTER}0-9{PRIME}(])"
    chains: dict[str, Symbol] = {}
    free = unused("d_", text.__contains__).name

    def stand_in(match: re.Match[str]) -> str:
        chain = "∧".join(re.split(r"\s*[∧^]\s*", match[0]))
        name = f"{free}{len(chains)}"
        return str(chains.setdefault(chain, symbol(name)).name)

    replaced = re.sub(rf"(?<![{LETTER}0-9]){one}(?:\s*[∧^]\s*{one})*", stand_in, text) if names else text
    whole = parse_expression(replaced, what="the form", functions=functions)
    if not chains:
        return {(): whole}
    terms: dict[Index, Expr] = {}
    for chain, mark in chains.items():
        index = tuple(coordinates.index(each[1:]) for each in chain.split("∧"))
        terms[index] = terms.get(index, zero) + whole.diff(mark)
    left = symengine.expand(whole.subs(dict.fromkeys(chains.values(), zero)))
    if left != 0 or any(value.free_symbols & set(chains.values()) for value in terms.values()):
        raise DeclarationError(f"the form {quoted(text)} is not a sum of functions times products of differentials.")
    return terms


def form_row(frame: Frame, items: Sequence[tuple[Index, Expr]]) -> Row:
    """The sum of the components times their products of basis forms."""
    mark = "d" if frame.is_chart else "θ^"
    basis = (
        Mark("∧".join(mark + frame.labels[i] for i in index), r"\wedge".join(_basis_latex(frame, i) for i in index))
        for index, _ in items
    )
    return Row(Sum(tuple((value, element) for (_, value), element in zip(items, basis, strict=True))))


def _basis_latex(frame: Frame, i: int) -> str:
    name = frame.labels[i]
    shown = name if name.isdigit() else latex_name(symbol(name))
    return rf"\mathrm{{d}}{shown}" if frame.is_chart else rf"\theta^{{{shown}}}"


def along_coordinates(coordinates: Sequence[Symbol]) -> list[str]:
    r"""$\partial_q$ for each coordinate."""
    return [rf"\partial_{{{latex(q)}}}" for q in coordinates]


def along_directions(labels: Sequence[str]) -> list[str]:
    """$e_a$ for each direction of a frame."""
    return [rf"e_{{{latex(symbol(label)) if label.isidentifier() else label}}}" for label in labels]


def field_rows(names: Sequence[str], rows: Matrix, basis: Sequence[str]) -> list[Row]:
    """A row for each field: its components, in LaTeX the sum along a basis."""
    along = tuple(basis)
    components = (Components(tuple(entries), along) for entries in rows)
    return [Row(Mark(name, name), EQUALS, each, depth=1) for name, each in zip(names, components, strict=True)]


def fields_latex(names: Sequence[str], rows: Matrix, basis: Sequence[str]) -> str | None:
    r"""The fields as aligned equations between dollars; None, which notebooks take for a no, if an entry is too long to be read.

    >>> from anholonomy.algebra.expressions import symbol
    >>> x, y = symbol("x"), symbol("y")
    >>> print(fields_latex(["X_1"], [[y, -x]], along_coordinates([x, y])))
    $$\begin{aligned}
    X_1 &= y\,\partial_{x} - x\,\partial_{y}
    \end{aligned}$$
    """
    if any(map(leaves_out, brief_parts([entry for row in rows for entry in row]))):
        return None
    return f"$${aligned(row.aligned(1) for row in field_rows(names, rows, basis))}$$"
