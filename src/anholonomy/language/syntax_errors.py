"""Sentences for texts that do not parse: the place of the mistake, what was expected there, and what to write instead.

The parser knows only that a piece of text is unwelcome at a place. The character there and the text before it tell the rest: a
notation of another language, a condition, an operand that is missing.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Sequence

from anholonomy.algebra.arithmetic import FUNCTIONS
from anholonomy.base.errors import ExpressionError
from anholonomy.language.names import LETTER, PI, PRIME, TIME

__all__ = ["Trouble", "advise_call", "explain", "located", "rate_meant"]


WINDOW = 78
"""Characters of a long line that are shown around the culprit."""


class Trouble(Exception):
    """What is wrong and at which character; `located` makes it a `ExpressionError`."""

    def __init__(self, at: int, sentence: str) -> None:
        super().__init__(sentence)
        self.at, self.sentence = at, sentence


def located(trouble: Trouble, text: str, what: str) -> ExpressionError:
    """The refusal that a user reads.

    >>> print(located(Trouble(1, "`2x` is not a product; write `2*x`."), "2x", "the Lagrangian"))
    the Lagrangian: `2x` is not a product; write `2*x`.
        2x
         ^
    """
    at = min(trouble.at, len(text))
    begin = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    line = text[begin : end if end >= 0 else len(text)]
    column = at - begin
    if len(line) > WINDOW:
        left = max(0, min(column - WINDOW // 2, len(line) - WINDOW))
        right = left + WINDOW
        before, after = "…" if left else "", "…" if right < len(line) else ""
        line, column = before + line[left:right] + after, column - left + len(before)
    # Control characters would move the caret away from its culprit.
    shown = "".join(c if c.isprintable() else " " for c in line)
    return ExpressionError(f"{what}: {trouble.sentence}\n    {shown}\n    {' ' * column}^")


_LOOKALIKES = {
    **{
        sign: plain
        for plain, signs in (("-", "−–—"), ("*", "·×⋅∙"), ("/", "÷∕"), ("(", "[{"), (")", "]}"))
        for sign in signs
    },
    **{sign: plain for plain, signs in (("<=", "≤⩽"), (">=", "≥⩾"), ("''", "”″“")) for sign in signs},
    "²": "^2",
    "³": "^3",
    "√": "sqrt(...)",
    "½": "1/2",
    "¼": "1/4",
    "\N{MICRO SIGN}": "μ",
    "\N{OHM SIGN}": "Ω",
    "ẋ": "x'",
    "ẏ": "y'",
    "ż": "z'",
    "\N{COMBINING DOT ABOVE}": "'",
    "\N{COMBINING DIAERESIS}": "''",
}
"""Signs of typography, and what is written for them here."""
_STRAY = {
    '"': "quotes are not part of the language; a second derivative is written with two primes, `x''`",
    ".": "a point belongs inside a number, and names have no parts; remove it",
    "<": "a comparison stands only as a condition, as in `if(x < 0, a, b)`",
    ">": "a comparison stands only as a condition, as in `if(x > 0, a, b)`",
    "!": "factorials and `!=` are not part of the language; remove it",
    ":": "a colon is not part of the language; write a single `=` in an equation",
    "|": "bars are not part of the language; write `abs(...)`",
    "%": "the remainder is not part of the language; remove it",
    "@": "`@` is not part of the language; write `*` for a product",
    ";": "a semicolon is not part of the language; give each equation a text of its own",
}
_SHOWN = 40
"""Characters of an operand that a sentence repeats."""
_OPERATOR = re.compile(r"\*\*|[-+*/^]")
_LAST_NAME = re.compile(rf"[{LETTER}][{LETTER}0-9]*[{PRIME}]*$")
_LAST_NUMBER = re.compile(rf"(?<![{LETTER}0-9.])(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$")
_OPERAND = re.compile(rf"[{LETTER}][{LETTER}0-9]*[{PRIME}]*|[0-9.]+|\(")
_DEGREES = re.compile(r"deg(rees?)?\b")


def explain(text: str, at: int) -> Trouble:
    """The trouble with a text that the grammar refuses at character ``at``.

    >>> explain("x + ", 4).sentence
    'the text ends after `+`; an operand is missing.'
    """
    before = text[:at].rstrip()
    if at >= len(text.rstrip()):
        return _at_the_end(text, before)
    here = text[at]
    if said := _about_condition(text, at):
        return Trouble(at, said)
    if here == "=":
        return Trouble(at, _about_equals(before, text[at + 1 :]))
    if here == ")":
        return Trouble(at, _about_closing(before))
    if here == ",":
        return Trouble(at, _about_comma(before))
    if operator := _OPERATOR.match(text, at):
        return Trouble(at, _about_operator(operator.group(), before))
    if _OPERAND.match(here) and not (here == "." and not text[at + 1 : at + 2].isdigit()):
        return Trouble(at, _about_juxtaposition(text, at, before))
    return Trouble(at, _about_stray(text, at, before))


def _at_the_end(text: str, before: str) -> Trouble:
    end = len(before)
    if not before:
        return Trouble(0, "the text is empty; write an expression such as `m*x'^2/2`.")
    open_at = _unclosed(text)
    if before[-1] in "+-*/^":
        operator = "**" if before.endswith("**") else before[-1]
        return Trouble(end, f"the text ends after `{operator}`; an operand is missing.")
    if before[-1] == "=":
        return Trouble(end, "nothing stands to the right of `=`; write `0` if that is meant.")
    if open_at is not None:
        return Trouble(open_at, "this parenthesis is never closed; add `)`.")
    return Trouble(end, "a constraint is an equation, and here is no `=`; write `... = 0`.")


def _last_name(before: str) -> str | None:
    # Only the tail is searched: the pattern would try every start of a long text.
    found = _LAST_NAME.search(before[-_SHOWN:])
    return found.group() if found else None


def _about_equals(before: str, after: str) -> str:
    if before.endswith("=") or after.startswith("="):
        return "`==` is not part of the language; write a single `=`."
    if not before:
        return "nothing stands to the left of `=`."
    if before[-1] in "!:":
        return "`!=` and `:=` are not part of the language; write a single `=`, or a condition in `if(x > 0, a, b)`."
    if before[-1] in "+-*/^(,":
        return f"an operand is missing between `{before[-1]}` and `=`."
    if _unclosed(before) is not None:
        return "`=` stands inside parentheses; close them before it."
    if "=" in before:
        return "there is more than one `=`; give each equation a text of its own."
    return "an `=` makes an equation, but an expression is wanted here; write one side, or the difference of both."


def _about_closing(before: str) -> str:
    if not before:
        return "this parenthesis closes nothing; remove it or add `(`."
    if before[-1] == "(":
        if name := _last_name(before[:-1].rstrip()):
            return f"`{name}()` has no argument; write `{name}(...)`."
        return "these parentheses are empty; put an expression between them."
    if before[-1] in "+-*/^,=":
        return f"an operand is missing between `{before[-1]}` and `)`."
    return "this parenthesis closes nothing; remove it or add `(`."


def _about_comma(before: str) -> str:
    if not before or before[-1] in "+-*/^(,=":
        return "an expression is missing before this comma."
    return "a comma only separates the arguments of a function, as in `atan2(y, x)`; decimals are written with a point."


def _about_operator(operator: str, before: str) -> str:
    if not before:
        return f"the text begins with `{operator}`; an operand is missing before it."
    last = "**" if before.endswith("**") else before[-1]
    return f"an operand is missing between `{last}` and `{operator}`."


def _about_juxtaposition(text: str, at: int, before: str) -> str:
    """Two operands without an operator: a product, a call without parentheses, or a broken number."""
    # Only the tail is searched: the pattern would try every start of a long text.
    number = _LAST_NUMBER.search(before[-_SHOWN:])
    name = None if number else _last_name(before)
    if name and name in FUNCTIONS:
        return f"`{name}` needs its argument in parentheses; write `{name}(...)`."
    if number and text[at] in ".0123456789":
        return "two numbers stand side by side; write one number, or `*` between them."
    if number and _DEGREES.match(text, at):
        return _about_degrees(before)
    operand = _OPERAND.match(text, at)
    left = number.group() if number else name or before[-1:]
    right = operand.group()[:_SHOWN] if operand else text[at]
    product = f"{left}*{right}".replace(")*", "(...)*").replace("*(", "*(...)")
    return f"side by side is not a product; write `*` between them: `{product}`."


def _about_stray(text: str, at: int, before: str) -> str:
    here = text[at]
    if here in PRIME:
        if before and _last_name(before):
            return "a prime must touch its name; write `x'` without a space."
        return "a prime belongs directly after a name, as in `x'`; quotes are not part of the language."
    if here in _LOOKALIKES:
        return f"`{here}` is not part of the language; write `{_LOOKALIKES[here]}`."
    if here == "°":
        return _about_degrees(before)
    if here == "\\":
        return _about_command(text, at)
    if here == "." and (said := _about_part(text, at, before)):
        return said
    if here in _STRAY:
        return f"{_STRAY[here]}."
    if not here.isprintable():
        return f"the invisible character U+{ord(here):04X} stands here; remove it."
    return f"the character `{here}` is not part of the language; remove it."


# Calls of functions that are not there, and notations of other languages: ``arcsin``, ``theta_dot``, ``dx/dt``, ``np.sin``, ``30°``, ``\dot{x}``.


_OTHER_NAMES = {
    **{f"arc{name}": f"a{name}" for name in ("sin", "cos", "tan", "tan2", "sinh", "cosh", "tanh")},
    **{f"ar{name}": f"a{name}" for name in ("sinh", "cosh", "tanh")},
    "ln": "log",
    "tg": "tan",
    "fabs": "abs",
    "root": "sqrt",
    "sgn": "sign",
    "signum": "sign",
    "Abs": "abs",
    "step": "heaviside",
    "Heaviside": "heaviside",
    "maximum": "max",
    "Max": "max",
    "minimum": "min",
    "Min": "min",
}
"""Functions that have another name here."""

_REWRITTEN = {
    "cot": "1/tan(...)",
    "sec": "1/cos(...)",
    "csc": "1/sin(...)",
    "cbrt": "(...)^(1/3)",
    "pow": "a^b",
    **dict.fromkeys(("piecewise", "Piecewise", "where", "select", "ifelse", "if_else", "cases"), "if(x > 0, a, b)"),
    "erfc": "1 - erf(...)",
    "clip": "min(max(x, low), high)",
}
_DERIVATIVES = {"Derivative": 1, "derivative": 1, "Diff": 1, "diff": 1, "dot": 1, "ddot": 2, "ddt": 1}
"""What others call to differentiate by time, and how many times it does."""
_NAME = rf"[{LETTER}][{LETTER}0-9]*"
_ACCENT = re.compile(rf"\\(d{{1,2}})ot\s*\{{?\s*\\?({_NAME})")
_COMMAND = re.compile(r"\\([A-Za-z]+)")
_PART = re.compile(rf"\.({_NAME})")
_SCALAR = re.compile(r"(?:float|u?int)\d*")
_NUMBER_AT_THE_END = re.compile(r"([0-9.]+)\s*$")
_LATEX = {"frac": "(...)/(...)", "left": "(", "right": ")", "cdot": "*", "times": "*", "tfrac": "(...)/(...)"}


def advise_call(name: str, arguments: Sequence[str] = ()) -> str:
    """What to do about a call of something that is not a function; an argument that is no name is given as "".

    >>> advise_call("arcsin")
    'there is no function `arcsin`; write `asin(...)`.'
    >>> advise_call("sine")
    'there is no function `sine`; did you mean `sin`?'
    >>> advise_call("Derivative", ["x", "t"])
    "there is no function `Derivative`; the time derivative of x is written `x'`."
    """
    if name.rstrip(PRIME) in FUNCTIONS:
        return f"a function has no primes; write the derivative of `{name.rstrip(PRIME)}` out."
    if name in _OTHER_NAMES:
        return f"there is no function `{name}`; write `{_OTHER_NAMES[name]}(...)`."
    if name in _REWRITTEN:
        return f"there is no function `{name}`; write `{_REWRITTEN[name]}`."
    if name in _DERIVATIVES:
        of, primes = next(filter(None, arguments), "x"), "'" * _DERIVATIVES[name]
        return f"there is no function `{name}`; the time derivative of {of} is written `{of}{primes}`."
    if list(arguments) == [TIME]:
        velocity = "" if name.endswith(tuple(PRIME)) else f", and its velocity `{name}'`"
        return f"`{name}(t)` is not a product; {'a coordinate' if velocity else 'the velocity'} is written `{name}`{velocity}."
    close = difflib.get_close_matches(name.lower(), FUNCTIONS, n=1, cutoff=0.7)
    if close and len(name) > 2:
        return f"there is no function `{name}`; did you mean `{close[0]}`?"
    return f"`{name}` is not a function; for a product write `{name}*(...)`. Functions: {', '.join(FUNCTIONS)}, and what `functions` declares."


def rate_meant(names: Iterable[str], coordinates: Collection[str]) -> tuple[str, str] | None:
    """One of the names that means the rate of a coordinate, as it was written and as it is written here.

    >>> rate_meant(["theta_dot"], ["theta"]), rate_meant(["dt", "dx"], ["x"]), rate_meant(["xddot"], ["x"])
    (('theta_dot', "theta'"), ('dx/dt', "x'"), ('xddot', "x''"))
    """
    names = list(names)
    for q in sorted(coordinates, key=len, reverse=True):
        for name in names:
            if name == f"d{q}" and "dt" in names:
                return f"{name}/dt", f"{q}'"
            if name in (f"{q}dot", f"{q}_dot", f"dot_{q}", f"d{q}dt", f"d{q}_dt"):
                return name, f"{q}'"
            if name in (f"{q}ddot", f"{q}_ddot", f"{q}dotdot", f"{q}_dot_dot"):
                return name, f"{q}''"
    return None


def _about_part(text: str, at: int, before: str) -> str | None:
    """A point after a name: the function of a module, or a method that differentiates.

    >>> _about_part("np.sin(x)", 2, "np")
    'functions stand by themselves; write `sin(...)` instead of `np.sin(...)`.'
    """
    owner, part = re.search(rf"{_NAME}$", before[-40:]), _PART.match(text, at)
    if owner is None or part is None:
        return None
    whole, name = f"{owner.group()}{part.group()}", _OTHER_NAMES.get(part.group(1), part.group(1))
    if _SCALAR.fullmatch(name):
        return f"`{whole}(...)` is how NumPy shows a number; write the number alone, as `float(...)` gives it."
    if name in PI:
        return f"the number π stands by itself; write `pi` instead of `{whole}`."
    if name in ("diff", "dot", "dt"):
        return f"the time derivative of {owner.group()} is written `{owner.group()}'`, not `{whole}`."
    if name in FUNCTIONS:
        return f"functions stand by themselves; write `{name}(...)` instead of `{whole}(...)`."
    return None


def _about_degrees(before: str) -> str:
    """Degrees, which are no unit here.

    >>> _about_degrees("cos(30")
    'angles are in radians; write `30*pi/180`.'
    """
    number = _NUMBER_AT_THE_END.search(before[-40:])
    return f"angles are in radians; write `{number.group(1) if number else '(...)'}*pi/180`."


def _about_command(text: str, at: int) -> str:
    r"""A command of LaTeX.

    >>> _about_command(r"\ddot{\theta}", 0)
    "LaTeX commands are not part of the language; write `theta''`."
    >>> _about_command(r"\sin(x)", 0)
    'LaTeX commands are not part of the language; write `sin`.'
    """
    accent, command = _ACCENT.match(text, at), _COMMAND.match(text, at)
    if accent:
        cure = accent.group(2) + "'" * len(accent.group(1))
    elif command:
        cure = _LATEX.get(command.group(1), _OTHER_NAMES.get(command.group(1), command.group(1)))
    else:
        return r"LaTeX commands are not part of the language; remove the `\`."
    return f"LaTeX commands are not part of the language; write `{cure}`."


# What does not parse as a condition: equality, two comparisons at once, words and signs that join them.


_JOINED = re.compile(r"(?:and|or|not)\b|&|\|\|")
_COMPARED = re.compile(r"[<>][^,(]*$")
_NESTED = "`if(x > 0, if(x < 1, a, b), b)`"


def _unclosed(text: str) -> int | None:
    """The place of the innermost parenthesis that is still open.

    >>> _unclosed("if(x > (0)"), _unclosed("(x)")
    (2, None)
    """
    opened: list[int] = []
    for at, character in enumerate(text):
        if character == "(":
            opened.append(at)
        elif character == ")" and opened:
            opened.pop()
    return opened[-1] if opened else None


def _about_condition(text: str, at: int) -> str | None:
    """What is wrong with a condition at a place; None elsewhere, and where it is something else.

    >>> _about_condition("if(x == 0, 1, 2)", 5)
    'equality is no condition; compare by `<`, `<=`, `>` or `>=`.'
    """
    if at and _JOINED.match(text, at):
        return f"conditions are not joined; put one `if` inside another, {_NESTED}."
    before = text[:at]
    place = _unclosed(before)
    if place is None or not before[:place].rstrip().endswith("if"):
        return None
    if text[at] in "=!≠":
        return "equality is no condition; compare by `<`, `<=`, `>` or `>=`."
    if text[at] in "<>" and _COMPARED.search(before):
        return f"a condition is one comparison; put one `if` inside another, {_NESTED}."
    return "commas separate a condition and its values, `if(x > 0, a, b)`." if text[at] == ";" else None
