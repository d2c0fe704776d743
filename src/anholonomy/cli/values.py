"""Numbers and assignments as they are typed: ``m=2``, ``theta'=pi/4``, ``0,1,2.5``."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from anholonomy.base.errors import ExpressionError, quoted

if TYPE_CHECKING:
    from anholonomy.algebra.expressions import Expr
    from anholonomy.public.system import System

__all__ = [
    "assignments",
    "bounds_of",
    "levels_of",
    "named_texts",
    "number",
    "numbers",
    "parts",
    "ranges_of",
    "speeds_of",
    "starts",
]


def assignments(texts: Sequence[str], option: str, *, time: bool = False) -> dict[str, Any]:
    """The values of a repeatable option, numbers or texts with units; only a start may give the time ``t`` a value.

    >>> assignments(["m = 2", "theta'=1/4"], "--start")
    {'m': 2.0, "theta'": 0.25}
    >>> assignments(["m = 12 kg"], "--set")
    {'m': '12 kg'}
    >>> assignments(["m=abc"], "--set")
    Traceback (most recent call last):
    anholonomy.base.errors.ExpressionError: --set m=abc: 'abc' is not a number; write one, such as m=2 or m=pi/4.
    """
    from anholonomy.language import parse_assignment, parse_expression
    from anholonomy.system.units.quantities import is_quantity

    found: dict[str, Any] = {}
    for text in texts:
        left, _, right = (part.strip() for part in text.partition("="))
        what, spoken = f"{option} {text}", is_quantity(right)
        text = f"{left}=0" if spoken else text  # so that its name is looked at
        if time and left == "t":
            name, value = left, parse_expression("0" if spoken else right, what=what)
        else:
            name, value = parse_assignment(text, what=what)
        if name in found:
            raise ExpressionError(f"{option} gives {name} twice; keep one of them.")
        cure = f"write one, such as {name}=2 or {name}=pi/4"
        found[name] = right if spoken else _float(value, f"{what}: {right!r} is not a number; {cure}.")
    return found


def starts(texts: Sequence[str], option: str = "--start") -> dict[str, str]:
    """The values of ``--start`` as they were typed, because a text is exact; each is a number.

    >>> starts(["theta=pi/2", "t = 1"])
    {'theta': 'pi/2', 't': '1'}
    """
    texts = parts(texts)
    names = assignments(texts, option, time=True)
    return {name: text.partition("=")[2].strip() for name, text in zip(names, texts, strict=True)}


def named_texts(texts: Sequence[str], option: str) -> dict[str, str]:
    """The values of a repeatable option as they were typed, by name.

    >>> named_texts(["upright = theta", "far=x - 2"], "--event")
    {'upright': 'theta', 'far': 'x - 2'}
    """
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not (name and equals and value):
            raise ExpressionError(f"{option} {text}: write a name and an expression, such as name=theta.")
        if name in found:
            raise ExpressionError(f"{option} gives {name} twice; keep one of them.")
        found[name] = value
    return found


def parts(texts: Sequence[str]) -> list[str]:
    """What stands between commas, those inside parentheses excepted.

    >>> parts(["x=0,y=atan2(1, 2)", "z=1"])
    ['x=0', 'y=atan2(1, 2)', 'z=1']
    """
    found: list[str] = []
    for text in texts:
        open_ = 0
        for part in text.split(","):
            if open_ > 0:
                found[-1] += f",{part}"
            else:
                found.append(part.strip())
            open_ += part.count("(") - part.count(")")
    return found


def bounds_of(texts: Sequence[str]) -> dict[str, tuple[str | None, str | None]]:
    """The pairs of ``--bound``, as they were typed; an end that is left out is open.

    >>> bounds_of(["u1=-1,1", "phi=-pi/4,"])
    {'u1': ('-1', '1'), 'phi': ('-pi/4', None)}
    """
    found: dict[str, tuple[str | None, str | None]] = {}
    for name, text in named_texts(texts, "--bound").items():
        ends = [end.strip() or None for end in parts([text])]
        if len(ends) != 2:
            raise ExpressionError(
                f"--bound {name}={text}: write the least and the greatest value, such as {name}=-1,1."
            )
        found[name] = (ends[0], ends[1])
    return found


def levels_of(texts: Sequence[str], option: str) -> dict[str, str]:
    """The levels of a repeatable option, equations of a quantity and its value.

    >>> levels_of(["energy = 0"], "--level")
    {'energy': '0'}
    """
    found: dict[str, str] = {}
    for text in texts:
        quantity, equals, value = (part.strip() for part in text.partition("="))
        if not (quantity and equals and value):
            raise ExpressionError(
                f'{option} {quoted(text)} is not an equation; write quantity = value, such as "energy = 0".'
            )
        if quantity in found:
            raise ExpressionError(f"{option} gives {quantity} twice; keep one of them.")
        found[quantity] = value
    return found


def ranges_of(system: System, texts: Sequence[str], option: str, *, counted: bool = True) -> dict[str, list[float]]:
    """Values by name: ``0:1:500``, or ``0,1,2.5``, with units or without; ``0:1`` if they are not ``counted``."""
    return {name: _range(system, name, text, option, counted) for name, text in named_texts(texts, option).items()}


def _range(system: System, name: str, text: str, option: str, counted: bool) -> list[float]:
    import numpy as np

    from anholonomy.motion.memory import refuse_unless_free

    parts = text.split(":")
    if len(parts) == 1:
        return [_quantity(system, name, part, option) for part in text.split(",")]
    ends = [_quantity(system, name, part, option) for part in parts[:2]]
    if not counted and len(parts) == 2:
        return ends
    if len(parts) != 3 or not counted or not parts[2].strip().isdigit() or not int(parts[2]):
        cure = f"{name}=0:1:500" if counted else f"{name}=0:1"
        raise ExpressionError(f"{option} {name}={text}: write {cure}, or values with commas.")
    count = int(parts[2])
    # A number, its place in a list and in the array that it comes from.
    refuse_unless_free(40.0 * count, f"{option} {name}={text}: {count:,d} values", "give fewer")
    return [float(value) for value in np.linspace(ends[0], ends[1], count)]


def _quantity(system: System, name: str, text: str, option: str) -> float:
    """A number, or a quantity of the dimension that the name has."""
    from anholonomy.system.units.quantities import is_quantity
    from anholonomy.system.units.to_si import in_si

    if is_quantity(text.strip()):
        return float(in_si(system.model, {name: [text.strip()]})[name][0])
    return number(text, f"{option} {name}")


def speeds_of(texts: Sequence[str] | None) -> dict[str, str] | list[str] | None:
    """The speeds of a repeatable option: velocities, or definitions by name.

    >>> speeds_of(["x'", "theta'"]), speeds_of(["v=x' + y'", "theta'"])
    (["x'", "theta'"], {'v': "x' + y'", "theta'": "theta'"})
    """
    if not texts:
        return None
    if all("=" not in text for text in texts):
        return [text.strip() for text in texts]
    return named_texts([text if "=" in text else f"{text}={text}" for text in texts], "--speed")


def number(text: str, option: str) -> float:
    """One number, or a time with its unit.

    >>> number("5/2", "--until"), number("2 min", "--until")
    (2.5, 120.0)
    """
    from anholonomy.language import parse_expression
    from anholonomy.system.units.quantities import is_quantity
    from anholonomy.system.units.to_si import time_in_si

    if is_quantity(text):
        return float(time_in_si(text, option))

    text = text.strip()
    otherwise = f"{option}: {text!r} is not a number; write one, such as 20 or 1e-9."
    try:
        return _float(parse_expression(text), otherwise)
    except ExpressionError:
        # What the language says about expressions helps nobody who wanted to type a number.
        raise ExpressionError(otherwise) from None


def numbers(text: str, option: str) -> list[float]:
    """Numbers between commas.

    >>> numbers("0, 1, 5/2", "--times")
    [0.0, 1.0, 2.5]
    """
    return [number(part, option) for part in text.split(",")]


def _float(value: Expr, otherwise: str) -> float:
    """The number that an expression is, correctly rounded where it is rational; a refusal where it is none."""
    if value.free_symbols:
        raise ExpressionError(otherwise)
    try:
        number = float(Fraction(str(value))) if value.is_Rational else float(value.n(64, real=True))
    except (OverflowError, ValueError, RuntimeError, TypeError):
        raise ExpressionError(otherwise) from None
    if not math.isfinite(number):
        raise ExpressionError(otherwise)
    return number
