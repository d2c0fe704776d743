"""An angle of 90: people think in degrees, and angles are in radians."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import symengine

from anholonomy.language import to_text
from anholonomy.symbolic.expressions import Symbol, symbol
from anholonomy.symbolic.numbers.balls import Ball
from anholonomy.system.model import Model
from anholonomy.system.warnings.angles import angles_of, spoken, turning_nodes
from anholonomy.system.warnings.user_line import Doubt, unless, warn_the_user

__all__ = [
    "AngleInDegrees",
    "doubt_angle",
    "warn_of_degrees",
    "warn_of_parameters_in_degrees",
    "warn_of_sines_of_degrees",
]


class AngleInDegrees(Doubt):
    """An angle such as 90 looks like degrees."""


def warn_of_degrees(model: Model, values: Mapping[Symbol, Ball | float]) -> None:
    """Say so where an angle among ``values`` is a multiple of 30 or 45."""
    round_ones = {s: number for s, value in values.items() if _is_round(number := float(value))}
    for s in sorted(round_ones.keys() & angles_of(model), key=str) if round_ones else ():
        doubt_angle(f"{model.name}: {s.name} = {round_ones[s]:g}", round_ones[s])


def doubt_angle(said: str, value: float) -> None:
    """Say of one angle that it looks like degrees, if it does; ``said`` is how the user wrote it."""
    if _is_round(value):
        warn_the_user(
            f"{said} looks like degrees, and angles are in radians; give '{_in_radians(value)}' "
            f"{unless('radians are meant', AngleInDegrees)}.",
            AngleInDegrees,
        )


def warn_of_sines_of_degrees(model: Model) -> None:
    """The same for numbers in sines, alone or beside an angle."""
    for node in sorted(turning_nodes(spoken(model)), key=str):
        for term in symengine.Add.make_args(node.args[0]):
            if isinstance(term, symengine.Number):
                doubt_angle(f"{model.name}: {float(term):g} in {to_text(node)}", float(term))


def warn_of_parameters_in_degrees(model: Model) -> None:
    """The same for the values of parameters."""
    warn_of_degrees(model, {symbol(name): value for name, value in model.parameter_items if value is not None})


def _is_round(value: float) -> bool:
    return bool(value) and 0 in (value % 30, value % 45)


def _in_radians(degrees: float) -> str:
    """A fraction of pi.

    >>> _in_radians(90), _in_radians(-45), _in_radians(270), _in_radians(360)
    ('pi/2', '-pi/4', '3*pi/2', '2*pi')
    """
    part = Fraction(int(degrees), 180)
    times = {1: "", -1: "-"}.get(part.numerator, f"{part.numerator}*")
    return f"{times}pi" + ("" if part.denominator == 1 else f"/{part.denominator}")
