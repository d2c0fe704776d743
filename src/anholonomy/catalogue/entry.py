"""What the catalogue knows about a system besides its declaration."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import final

from anholonomy.public import System

__all__ = ["Entry"]


@final
@dataclass(frozen=True)
class Entry:
    """A classical system: how to make it, a start worth watching, and what textbooks say about it.

    Attributes
    ----------
    make
        The function that declares it; every argument has a default.
    start, until
        An interesting motion.
    facts
        Statements that the tests check.
    references
        Where they come from.
    """

    make: Callable[..., System]
    start: Mapping[str, float]
    until: float
    facts: tuple[str, ...]
    references: tuple[str, ...]

    @property
    def key(self) -> str:
        """The name at the command line."""
        return self.make.__name__.replace("_", "-")
