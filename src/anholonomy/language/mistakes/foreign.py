r"""Notations of other languages, and what to write here: ``theta_dot``, ``dx/dt``, ``np.sin``, ``30°``, ``\dot{x}``."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from anholonomy.language.names import LETTER, PI
from anholonomy.symbolic.arithmetic import FUNCTIONS

__all__ = ["OTHER_NAMES", "about_command", "about_degrees", "about_part", "rate_meant"]

OTHER_NAMES = {
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

_NAME = rf"[{LETTER}][{LETTER}0-9]*"
_ACCENT = re.compile(rf"\\(d{{1,2}})ot\s*\{{?\s*\\?({_NAME})")
_COMMAND = re.compile(r"\\([A-Za-z]+)")
_PART = re.compile(rf"\.({_NAME})")
_SCALAR = re.compile(r"(?:float|u?int)\d*")
_DEGREES = re.compile(r"([0-9.]+)\s*$")
_LATEX = {"frac": "(...)/(...)", "left": "(", "right": ")", "cdot": "*", "times": "*", "tfrac": "(...)/(...)"}


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


def about_part(text: str, at: int, before: str) -> str | None:
    """A point after a name: the function of a module, or a method that differentiates.

    >>> about_part("np.sin(x)", 2, "np")
    'functions stand by themselves; write `sin(...)` instead of `np.sin(...)`.'
    """
    owner, part = re.search(rf"{_NAME}$", before[-40:]), _PART.match(text, at)
    if owner is None or part is None:
        return None
    whole, name = f"{owner.group()}{part.group()}", OTHER_NAMES.get(part.group(1), part.group(1))
    if _SCALAR.fullmatch(name):
        return f"`{whole}(...)` is how NumPy shows a number; write the number alone, as `float(...)` gives it."
    if name in PI:
        return f"the number π stands by itself; write `pi` instead of `{whole}`."
    if name in ("diff", "dot", "dt"):
        return f"the time derivative of {owner.group()} is written `{owner.group()}'`, not `{whole}`."
    if name in FUNCTIONS:
        return f"functions stand by themselves; write `{name}(...)` instead of `{whole}(...)`."
    return None


def about_degrees(before: str) -> str:
    """Degrees, which are no unit here.

    >>> about_degrees("cos(30")
    'angles are in radians; write `30*pi/180`.'
    """
    number = _DEGREES.search(before[-40:])
    return f"angles are in radians; write `{number.group(1) if number else '(...)'}*pi/180`."


def about_command(text: str, at: int) -> str:
    r"""A command of LaTeX.

    >>> about_command(r"\ddot{\theta}", 0)
    "LaTeX commands are not part of the language; write `theta''`."
    >>> about_command(r"\sin(x)", 0)
    'LaTeX commands are not part of the language; write `sin`.'
    """
    accent, command = _ACCENT.match(text, at), _COMMAND.match(text, at)
    if accent:
        cure = accent.group(2) + "'" * len(accent.group(1))
    elif command:
        cure = _LATEX.get(command.group(1), OTHER_NAMES.get(command.group(1), command.group(1)))
    else:
        return r"LaTeX commands are not part of the language; remove the `\`."
    return f"LaTeX commands are not part of the language; write `{cure}`."
