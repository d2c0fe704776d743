"""Expressions as text, such that reading it again gives the same expression, in full or as much as a person reads.

Terms with velocities come first, then by degree, then by alphabet; the order depends on nothing else.
Factors of negative power gather below one fraction bar. An expression of pages is counted, a list of pages is cut, a ``repr`` is a
paragraph; whoever wants all of it asks for the whole.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import NamedTuple, final

import symengine

from anholonomy.algebra.arithmetic import FUNCTIONS, function_name
from anholonomy.algebra.expressions import Expr, as_expression
from anholonomy.base.errors import ExpressionError
from anholonomy.language import limits
from anholonomy.language.names import is_written_symbol

__all__ = ["PAGE", "PARAGRAPH", "brief", "brief_parts", "brief_vector", "leaves_out", "page", "to_text"]


_SUM, _PRODUCT, _POWER, _ATOM = range(4)
"""How tightly a text binds; a looser one needs parentheses inside a tighter one."""
_MANY_ZEROS = 20
"""From how many on nobody counts zeros by eye."""


@final
class _Piece(NamedTuple):
    """A written node: its text, how tightly it binds, and what orders it among its siblings."""

    text: str
    binds: int
    rates: float = 0
    """Degree in symbols with primes."""
    degree: float = 0
    under: _Piece | None = None
    """For one over something: the something, so that a product can gather it below its bar."""

    @property
    def negative(self) -> bool:
        return self.text.startswith("-")

    def place_in_sum(self) -> tuple[float, float, bool, bool, str]:
        pure_number = not any(character.isalpha() for character in self.text)
        return -self.rates, -self.degree, pure_number, self.negative, self.text

    def inside(self, level: int) -> str:
        return self.text if self.binds >= level else f"({self.text})"


def to_text(expression: Expr) -> str:
    """Write an expression in the language; `parse_expression` reads it back unchanged.

    A `symengine.RealDouble` is written with the shortest decimal that denotes it, and reading makes
    decimals exact: the double 0.1 comes back as the rational 1/10, whose nearest double is 0.1.
    Forms that SymEngine holds but would itself simplify if built again (``sqrt(1/x)``) come back simplified.
    Raises `ExpressionError` for what the language does not have (complex numbers, infinities, other
    functions, symbols that are not names).

    Functions nobody specified and their partial derivatives are written for people, ``f(x, y)`` and
    ``D(f(x, y), x)``, with ``at`` where the place is not a variable; the derivatives are not read back.

    >>> from anholonomy.language import parse_expression
    >>> to_text(parse_expression("-m*g*z + 1/2*m*x'^2"))
    "m*x'^2/2 - g*m*z"
    >>> to_text(parse_expression("exp(-x)/(2*sqrt(y))"))
    'exp(-x)/(2*sqrt(y))'
    >>> to_text(parse_expression("f(x, y)", functions=["f"]).diff(symengine.Symbol("x")))
    'D(f(x, y), x)'
    """
    written: dict[Expr, _Piece] = {}
    stack: list[tuple[Expr, bool]] = [(as_expression(expression), False)]
    root = stack[0][0]
    # An explicit stack: derived expressions can be deeper than Python's own.
    while stack:
        node, ready = stack.pop()
        if node in written:
            continue
        needed = () if isinstance(node, symengine.Number) else node.args
        if ready or not needed:
            written[node] = _write(node, [written[part] for part in needed])
        else:
            stack.append((node, True))
            stack.extend((part, False) for part in needed)
    return written[root].text


def _write(node: Expr, parts: Sequence[_Piece]) -> _Piece:
    match node:
        case symengine.Number():
            return _number(node)
        case symengine.Symbol():
            return _name(node)
        case symengine.Add():
            return _sum(parts)
        case symengine.Mul():
            return _product(node, parts)
        case symengine.Pow():
            return _power(node, *parts)
        case symengine.FunctionSymbol() if node.get_name() == "if":
            return _choice(node, parts)
        case symengine.FunctionSymbol():
            return _called(node.get_name(), parts)
        case symengine.Derivative():
            return _called("D", parts)
        case symengine.Subs():
            return _derivative_at(node, parts)
    if node == symengine.pi:
        return _Piece("pi", _ATOM)
    if node == symengine.E:
        return _Piece("exp(1)", _ATOM)
    name = function_name(node)
    if name not in FUNCTIONS or not parts:
        raise ExpressionError(f"`{node!s:.80}` cannot be written: the language has no `{name}`.")
    return _called(name, parts)


def _called(name: str, parts: Sequence[_Piece]) -> _Piece:
    return _Piece(f"{name}({', '.join(part.text for part in parts)})", _ATOM)


def _choice(node: Expr, parts: Sequence[_Piece]) -> _Piece:
    """``if(y > x, a, b)``: what is subtracted in the condition stands on its other side."""
    excess = node.args[0]
    terms = excess.args if isinstance(excess, symengine.Add) else (excess,)
    below = [-term for term in terms if to_text(term).startswith("-")]
    above = [term for term in terms if -term not in below]
    if all(isinstance(term, symengine.Number) for term in above):
        condition = f"{_total(below)} < {_total(above)}"
    else:
        condition = f"{_total(above)} > {_total(below)}"
    return _called("if", [_Piece(condition, _SUM), *parts[1:]])


def _total(terms: Sequence[Expr]) -> str:
    return to_text(symengine.Add(*terms))


def _derivative_at(node: Expr, parts: Sequence[_Piece]) -> _Piece:
    """A partial derivative at a place that is not a variable: ``D(f(s, y), s) at s = 2*x``, in parentheses."""
    derivative, *others = parts
    count = len(node.variables)
    places = ", ".join(f"{s.text} = {p.text}" for s, p in zip(others[:count], others[count:], strict=True))
    return _Piece(f"({derivative.text} at {places})", _ATOM)


def _number(node: Expr) -> _Piece:
    if isinstance(node, symengine.RealDouble) and math.isfinite(float(node)):
        text = repr(float(node))
    elif isinstance(node, symengine.Rational):
        text = "/".join(map(_digits, str(node).split("/")))
    else:
        raise ExpressionError(f"`{node}` cannot be written: the language has only real, finite numbers.")
    return _Piece(text, _SUM if text.startswith("-") else _PRODUCT if "/" in text else _ATOM)


def _digits(whole: str) -> str:
    """A whole number, a long row of zeros at its end counted: ``1e400``."""
    zeros = min(len(whole) - len(whole.rstrip("0")), limits.EXPONENT)
    return whole if zeros < _MANY_ZEROS else f"{whole[:-zeros]}e{zeros}"


def _name(node: Expr) -> _Piece:
    if not is_written_symbol(node.name):
        raise ExpressionError(f"the symbol {node.name!r} cannot be written: it is no name of the language.")
    return _Piece(node.name, _ATOM, rates=node.name.count("'"), degree=1)


def _sum(terms: Sequence[_Piece]) -> _Piece:
    ordered = sorted(terms, key=_Piece.place_in_sum)
    # A sum begins with a minus only if all its terms have one: 1 - exp(t), not -exp(t) + 1.
    lead = next((place for place, term in enumerate(ordered) if not term.negative), 0)
    first, others = ordered[lead], [*ordered[:lead], *ordered[lead + 1 :]]
    text = first.text + "".join(f" - {term.text[1:]}" if term.negative else f" + {term.text}" for term in others)
    return _Piece(text, _SUM, first.rates, max(term.degree for term in terms))


def _power(node: Expr, base: _Piece, exponent: _Piece) -> _Piece:
    """A power; where its exponent is a negative number, it stands under a bar."""
    if node.args[0] == symengine.E:
        return _Piece(f"exp({exponent.text})", _ATOM)
    number = node.args[1]
    if not isinstance(number, symengine.Number):
        return _Piece(f"{base.inside(_ATOM)}^{exponent.inside(_ATOM)}", _POWER, degree=base.degree)
    if not number.is_negative:
        return _positive_power(base, number)
    under = _positive_power(base, -number)
    return _Piece(f"1/{under.inside(_POWER)}", _PRODUCT, -under.rates, -under.degree, under)


def _positive_power(base: _Piece, exponent: Expr) -> _Piece:
    size = float(exponent)
    rates, degree = base.rates * size, base.degree * size
    if exponent == 1:
        return base
    if exponent == symengine.Rational(1, 2):
        return _Piece(f"sqrt({base.text})", _ATOM, rates, degree)
    return _Piece(f"{base.inside(_ATOM)}^{_number(exponent).inside(_ATOM)}", _POWER, rates, degree)


def _product(node: Expr, parts: Sequence[_Piece]) -> _Piece:
    above: list[_Piece] = []
    below: list[_Piece] = []
    sign = ""
    for factor, piece in zip(node.args, parts, strict=True):
        if isinstance(factor, symengine.Number):
            sign = "-" if piece.negative else ""
            top, _, bottom = piece.text.removeprefix("-").partition("/")
            above += [_Piece(top, _ATOM)] if top != "1" else []
            below += [_Piece(bottom, _ATOM)] if bottom else []
        elif piece.under is not None:
            below.append(piece.under)
        else:
            above.append(piece)
    return _fraction(sign, above, below)


def _fraction(sign: str, above: Sequence[_Piece], below: Sequence[_Piece]) -> _Piece:
    # Numbers, then names, then functions and sums, then what carries rates: 2*m*cos(theta)*x'.
    def place(piece: _Piece) -> tuple[bool, bool, bool, str]:
        is_number = piece.text[0].isdigit() and piece.binds >= _POWER
        return not is_number, piece.rates != 0, piece.degree == 0, piece.text

    above, below = sorted(above, key=place), sorted(below, key=place)
    text = sign + ("*".join(factor.inside(_POWER) for factor in above) or "1")
    if len(below) == 1:
        text += "/" + below[0].inside(_POWER)
    elif below:
        text += "/(" + "*".join(factor.inside(_POWER) for factor in below) + ")"
    rates = sum(f.rates for f in above) - sum(f.rates for f in below)
    degree = sum(f.degree for f in above) - sum(f.degree for f in below)
    return _Piece(text, _SUM if sign else _PRODUCT, rates, degree)


# Texts as long as they are read: where an expression is longer than a paragraph, the count of its operations stands in its place.


PARAGRAPH = 1000
"""Characters of an expression that is still read."""
WORD = 60
"""Characters of a component that stays in a vector that is too long as a whole."""
PAGE = 100
"""Lines of a list that is still read."""

_OMISSION = re.compile(r"\[[\d,]+ operations\]|… and [\d,]+ more")


def brief(expression: symengine.Basic, whole: bool = False, longest: int = PARAGRAPH) -> str:
    """The text of an expression, or the count of its operations where the text is longer; all of it if ``whole``.

    >>> x = symengine.Symbol("x")
    >>> brief(x**2 + 1, longest=3), brief(x**2 + 1, whole=True, longest=3)
    ('[2 operations]', 'x^2 + 1')
    """
    operations = int(symengine.count_ops(expression))
    # Every operation takes a character or more, but for signs; what is far too long is not even written.
    if not whole and operations > 4 * longest:
        return f"[{operations:,} operations]"
    text = to_text(expression)
    return text if whole or len(text) <= longest else f"[{operations:,} operations]"


def brief_vector(row: Sequence[symengine.Basic], whole: bool = False) -> str:
    """The components in brackets; where they are too long together, the long ones are counted.

    >>> brief_vector(symengine.symbols("x y"))
    '(x, y)'
    """
    return f"({', '.join(brief_parts(row, whole))})"


def brief_parts(parts: Sequence[symengine.Basic], whole: bool = False) -> list[str]:
    """The texts of expressions that are read together; where they are too long together, the long ones are counted."""
    texts = [brief(each, whole) for each in parts]
    if whole or (sum(map(len, texts)) <= PARAGRAPH and not any(map(leaves_out, texts))):
        return texts
    return [brief(each, longest=WORD) for each in parts]


def page(lines: Sequence[str], whole: bool = False) -> list[str]:
    """The lines, or those of a page and the count of the others.

    >>> page(["a"] * 102)[-2:]
    ['a', '… and 2 more']
    """
    if whole or len(lines) <= PAGE:
        return list(lines)
    return [*lines[:PAGE], f"… and {len(lines) - PAGE:,} more"]


def leaves_out(text: str) -> bool:
    """Whether something is counted in a text instead of written.

    >>> leaves_out("x = [12,345 operations]"), leaves_out("x = y")
    (True, False)
    """
    return _OMISSION.search(text) is not None
