"""What the catalogue knows about a system besides its declaration."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import final

from anholonomy.catalogue.claims import Claims
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
        Statements about its motions that the tests check.
    claims
        What literature says about integrals, measures and multipliers; what is true is what the system's questions answer.
    references
        Where they come from.
    """

    make: Callable[..., System]
    start: Mapping[str, float]
    until: float
    facts: tuple[str, ...]
    claims: Claims
    references: tuple[str, ...]

    def compared(self, limit: float | None = None) -> dict[str, bool | None]:
        """By what literature claims, whether the questions of the system find it unaided, each in so many seconds; None where that is not known.

        >>> from anholonomy.catalogue import ENTRIES
        >>> ENTRIES["free-particle"].compared()
        {"x'": True, "sqrt(1 + x^2)*y'": True, 'measure': True, 'multiplier': True}
        """
        from anholonomy.catalogue.agreement import agreement

        system = self.make()
        page = system.analyse(only=["conserved", "invariant_measure", "hamiltonize"], limit=limit)
        answers = (None if isinstance(page[name], str) else page[name] for name in page)
        return agreement(system, self.claims, *answers)

    @property
    def said(self) -> str:
        """What it is, in a sentence.

        >>> from anholonomy.catalogue import ENTRIES
        >>> ENTRIES["chaplygin-sleigh"].said
        'A body that slides on a blade and two free points.'
        """
        first = (sys.modules[self.make.__module__].__doc__ or "").partition("\n")[0]
        said = re.sub(r"[$`]", "", first.partition(": ")[2] or first)  # marks of mathematics and of code
        return said[:1].upper() + said[1:]

    @property
    def key(self) -> str:
        """The name at the command line."""
        return self.make.__name__.replace("_", "-")
