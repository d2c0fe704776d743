"""Attributes that are computed when they are first asked for and kept, and the fields of a data class that are pickled."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import fields
from typing import TYPE_CHECKING, Any, final

__all__ = ["cached_property", "fields_only"]

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property
else:

    @final
    class cached_property(functools.cached_property):
        """That of Python 3.12: until then one lock served all instances, and two threads could wait for each other.

        A value asked for by two threads at once may be computed twice; values are immutable, so it does not matter which
        is kept.
        """

        def __init__(self, function: Callable[[Any], Any]) -> None:
            super().__init__(function)
            self.lock = nullcontext()


def fields_only(data: Any) -> dict[str, Any]:
    """What of a data class travels to a copy or another process: its fields, not what was computed from them."""
    return {each.name: getattr(data, each.name) for each in fields(data)}
