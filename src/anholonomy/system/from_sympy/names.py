r"""Names: SymPy's users write LaTeX in them, and give one name to several symbols.

.. math:: \texttt{I\_\{B\_bo\}} \to \texttt{I\_B\_bo}, \quad \texttt{\textbackslash mu} \to \texttt{mu}, \quad
    \texttt{q\_\{1,2\}} \to \texttt{q\_1\_2}

Backslashes and braces are left out, what is neither letter nor digit becomes an underscore, and a reserved word gets
``_1``. Every other name stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from anholonomy.language.given import name_of
from anholonomy.language.names import LETTER, NAME, RESERVED, TIME
from anholonomy.refusals import IllPosedSystem

__all__ = ["called", "plain", "refuse_clashes", "spelled"]


def plain(name: str) -> str:
    r"""The name in the letters of the language.

    >>> [plain(name) for name in (r"I_{B_bo}", r"q_{1,2}", r"\mu", "sin", "q1", "2a")]
    ['I_B_bo', 'q_1_2', 'mu', 'sin_1', 'q1', '_2a']
    """
    if not NAME.fullmatch(name):
        name = re.sub(rf"[^{LETTER}0-9]+", "_", re.sub(r"[\\{}]", "", name)).strip("_")
        name = name if NAME.match(name) else f"_{name}"
    return f"{name}_1" if name in RESERVED - {TIME} else name


def called(thing: object, what: str) -> str:
    """The plain name of a symbol, a function of time or its derivative."""
    name = name_of(thing, what)
    primes = "'" * len(thing.variables) if getattr(thing, "is_Derivative", False) else ""  # type: ignore[attr-defined]
    return plain(name.removesuffix(primes)) + primes


def spelled(value: Any) -> Any:
    """A SymPy expression with plain names in it."""
    import sympy
    from sympy.core.function import AppliedUndef

    odd: dict[Any, Any] = {s: sympy.Symbol(plain(s.name)) for s in value.free_symbols if plain(s.name) != s.name}
    for f in value.atoms(AppliedUndef):
        if plain(f.func.__name__) != f.func.__name__:
            odd[f] = sympy.Function(plain(f.func.__name__))(*f.args)
    return value.xreplace(odd) if odd else value


def refuse_clashes(name: str, things: Iterable[Any]) -> None:
    """Two names that are spelled alike would become one symbol."""
    first: dict[str, str] = {}
    for own in sorted({name_of(thing, "a symbol") for thing in things}):
        if first.setdefault(plain(own), own) != own:
            raise IllPosedSystem(
                f"{name}: {first[plain(own)]!r} and {own!r} would both be called {plain(own)}; rename one of them."
            )
