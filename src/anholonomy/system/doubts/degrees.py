"""An angle of 90: people think in degrees, and angles are in radians."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from anholonomy.symbolic.balls import Ball
from anholonomy.symbolic.expressions import Symbol, symbol
from anholonomy.system.doubts.turning import angles_of
from anholonomy.system.model import Model
from anholonomy.system.warning import Doubt, unless, warn_the_user

__all__ = ["AngleInDegrees", "warn_of_degrees", "warn_of_parameters_in_degrees"]


class AngleInDegrees(Doubt):
    """An angle such as 90 looks like degrees."""


def warn_of_degrees(model: Model, values: Mapping[Symbol, Ball | float]) -> None:
    """Say so where an angle among ``values`` is a multiple of 30 or 45."""
    numbers = {s: float(value) for s, value in values.items()}
    round_ones = {s: number for s, number in numbers.items() if number and 0 in (number % 30, number % 45)}
    for s in sorted(round_ones.keys() & angles_of(model), key=str) if round_ones else ():
        warn_the_user(
            f"{model.name}: {s.name} = {round_ones[s]:g} looks like degrees, and angles are in radians; give "
            f"'{_in_radians(round_ones[s])}' {unless('radians are meant', AngleInDegrees)}.",
            AngleInDegrees,
        )


def warn_of_parameters_in_degrees(model: Model) -> None:
    """The same for the values of parameters."""
    warn_of_degrees(model, {symbol(name): value for name, value in model.parameter_items if value is not None})


def _in_radians(degrees: float) -> str:
    """A fraction of pi.

    >>> _in_radians(90), _in_radians(-45), _in_radians(270), _in_radians(360)
    ('pi/2', '-pi/4', '3*pi/2', '2*pi')
    """
    part = Fraction(int(degrees), 180)
    times = {1: "", -1: "-"}.get(part.numerator, f"{part.numerator}*")
    return f"{times}pi" + ("" if part.denominator == 1 else f"/{part.denominator}")
