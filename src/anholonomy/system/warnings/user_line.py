"""Warnings that point at the user's line: the first one outside the package, however deep the doubt arose."""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path

__all__ = ["Doubt", "unless", "warn_the_user"]

_PACKAGE = str(Path(str(sys.modules[__name__.partition(".")[0]].__file__)).parent) + os.sep


class Doubt(UserWarning):
    """Something can be declared as it is and is probably not meant so: the base of all warnings of this package."""


def unless(meant: str, category: type[Doubt]) -> str:
    """How to silence a warning, for the end of its sentence."""
    return f"(if {meant}: warnings.simplefilter('ignore', anholonomy.{category.__name__}))"


def warn_the_user(message: str, category: type[Warning]) -> None:
    """Warn as if from the line that called into the package."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
