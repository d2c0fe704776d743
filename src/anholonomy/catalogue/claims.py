"""What literature says of a system: integrals, invariant measures and multipliers, with its source.

These are claims, not facts: what is true of a system is what its questions answer (`conserved`, `invariant_measure`, `hamiltonize`), and
`anholonomy.catalogue.agreement` compares the two as functions. Texts are in the names of the system, ``R31`` and the like being entries of a
rotation matrix.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import final

__all__ = ["Claims"]


@final
@dataclass(frozen=True, kw_only=True)
class Claims:
    """What is claimed of one system.

    Attributes
    ----------
    source
        Where this is found.
    integrals
        Functions that are constant along every motion; the energy is the text ``"energy"``.
    broken
        Functions that are said not to be constant.
    measure
        The density of an invariant measure and its volume, or ``"none"``.
    multiplier
        The multiplier up to a constant factor, or ``"none"``.
    beyond
        Integrals that are no polynomials of degree one or two in the speeds: texts to be read, or words.
    """

    source: str
    integrals: tuple[str, ...] = ("energy",)
    broken: tuple[str, ...] = ()
    measure: tuple[str, str] | str | None = None
    multiplier: str | None = None
    beyond: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """The claims as sentences, and last their source.

        >>> print(*Claims(source="nobody", integrals=("x'",), measure=("1", "dx du"), multiplier="none").lines(), sep="; ")
        x' is constant; 1 is an invariant density of dx du; there is no multiplier; source: nobody
        """
        return [*self._sentences(), f"source: {self.source}"]

    def _sentences(self) -> Iterator[str]:
        yield from (f"{text} is constant" for text in self.integrals)
        yield from (text if " by " in text else f"{text} is constant" for text in self.beyond)
        yield from (f"{text} is not constant" for text in self.broken)
        if isinstance(self.measure, str):
            yield "there is no invariant measure"
        elif self.measure is not None:
            density, volume = self.measure
            yield f"{density} is an invariant density of {volume}"
        if self.multiplier is not None:
            yield "there is no multiplier" if self.multiplier == "none" else f"{self.multiplier} is a multiplier"
