"""Names that coordinates and parameters may have: a letter followed by letters and digits; primes count time derivatives.

Letters are Latin, Greek and the underscore. ``t`` is time, ``pi`` (also ``π``) is the constant, and the
names of functions belong to the functions; nothing else is reserved, so ``I``, ``E``, ``S``, ``N``,
``beta`` and ``lambda`` are free for moments of inertia, energies and angles.
"""

from __future__ import annotations

import re

from anholonomy.algebra.arithmetic import FUNCTIONS
from anholonomy.base.errors import DeclarationError
from anholonomy.language.limits import NAME as MAX_NAME

__all__ = ["LETTER", "NAME", "PI", "PRIME", "RESERVED", "TIME", "check_name", "is_title", "is_written_symbol"]

LETTER = "A-Za-z_Α-Ωα-ωϑϕϖϱϵ"
"""The letters, as the inside of a character class."""
PRIME = "'’′"
"""Typographic primes arrive with text pasted from a word processor; they mean the same."""
NAME = re.compile(rf"[{LETTER}][{LETTER}0-9]*")
TIME = "t"
PI = ("pi", "π")
RESERVED: frozenset[str] = frozenset({TIME, *PI, *FUNCTIONS})
"""Names that a coordinate or parameter cannot have."""


def is_title(text: object) -> bool:
    """Whether it is a text that may stand in tables and files: not blank, without NUL and halves of characters.

    >>> is_title("rolling disc, r = 2"), is_title(" "), is_title("a\\ud800"), is_title("a\\0")
    (True, False, False, False)
    """
    return (
        isinstance(text, str) and bool(text.strip()) and not any(c == "\0" or "\ud800" <= c <= "\udfff" for c in text)
    )


def check_name(name: str, what: str) -> None:
    """Refuse a name that the language could not read back as a plain symbol.

    >>> check_name("theta_1", "the coordinate")
    >>> check_name("x'", "the coordinate")
    Traceback (most recent call last):
    anholonomy.base.errors.DeclarationError: the coordinate `x'` has a prime, ... name it `x`.
    """
    if not isinstance(name, str):
        raise DeclarationError(f"{what} {name!r} is not a text; a name is a text such as `theta_1`.")
    bare = name.rstrip(PRIME)
    if bare != name and NAME.fullmatch(bare):
        raise DeclarationError(f"{what} `{name}` has a prime, and primes stand for time derivatives; name it `{bare}`.")
    if not NAME.fullmatch(name):
        raise DeclarationError(
            f"{what} {name!r} is not a name; a name is a Latin or Greek letter or underscore "
            f"followed by letters, digits and underscores, such as `theta_1`."
        )
    if len(name) > MAX_NAME:
        raise DeclarationError(f"{what} `{name[:20]}…` has {len(name)} characters; a name has at most {MAX_NAME}.")
    if name in RESERVED:
        meaning = "time" if name == TIME else "the number π" if name in PI else "a function"
        raise DeclarationError(
            f"{what} `{name}` takes a reserved name, which means {meaning}; choose another, such as `{name}_1`."
        )


def is_written_symbol(name: str) -> bool:
    """Whether the language reads this text as one symbol: a free name with at most two primes, or time.

    >>> [is_written_symbol(name) for name in ("x''", "t", "x'''", "sin", "a b")]
    [True, True, False, False, False]
    """
    bare = name.rstrip("'")
    return name == TIME or (len(name) - len(bare) <= 2 and bool(NAME.fullmatch(bare)) and bare not in RESERVED)
