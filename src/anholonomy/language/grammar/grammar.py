r"""The grammar: sums of products of signed powers of atoms.

Chains are repetitions, not recursion, so that a sum of ten thousand terms is one list. A sign binds looser
than a power: ``-x^2`` is ``-(x^2)`` and ``2^-3^2`` is ``2^(-(3^2))``; powers associate to the right.
Side by side is never a product: ``2x`` and ``x(y)`` have no derivation or are refused when built.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from anholonomy.language.grammar.building import Builder
from anholonomy.language.grammar.descent import NUMBER
from anholonomy.language.names import LETTER, PRIME

if TYPE_CHECKING:
    import lark

__all__ = ["GRAMMAR", "parser"]

GRAMMAR = rf"""
expression: sum
equation: sum "=" sum
assignment: NAME "=" sum
inequality: sum COMPARISON sum

?sum: product (SIGN product)*
?product: signed (TIMES signed)*
?signed: power
    | SIGN+ power -> signed
?power: atom (POWER (SIGN* atom))*
?atom: NUMBER -> number
    | NAME -> name
    | NAME "(" argument ("," argument)* ")" -> call
    | "(" sum ")"
?argument: sum
    | sum COMPARISON sum -> condition

POWER.2: /\*\*|\^/
COMPARISON: /[<>]=?/
TIMES.1: /[*\/]/
SIGN: /[+-]/
NUMBER: /{NUMBER}/
NAME: /[{LETTER}][{LETTER}0-9]*[{PRIME}]*/
%ignore /[ \t\r\n\f\v]+/
"""


@cache
def parser(functions: tuple[str, ...] = ()) -> lark.Lark:
    """The LALR parser, built at first use; reductions build expressions directly, without a tree.

    ``functions`` may be called besides those of the language; they stay unspecified.

    >>> parser().parse("1 + 2*3", start="expression").expr
    7
    """
    import lark  # here, because most imports of the package never parse a text

    return lark.Lark(
        GRAMMAR,
        parser="lalr",
        lexer="basic",
        start=["expression", "equation", "assignment", "inequality"],
        transformer=Builder(functions),
    )
