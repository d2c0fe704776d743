r"""Formulas in LaTeX: what shows itself as one, and lines one below the other."""

from __future__ import annotations

import abc
from collections.abc import Iterable
from typing import final

from anholonomy.displays.shown import Shown

__all__ = ["Typeset", "aligned"]


def aligned(rows: Iterable[str]) -> str:
    r"""Lines one below the other, their marks ``&`` too.

    >>> print(aligned(["x &= 1", "y &= 2"]))
    \begin{aligned}
    x &= 1 \\
    y &= 2
    \end{aligned}
    """
    return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"


class Typeset(Shown, abc.ABC):
    """What a notebook shows as the formula that ``latex()`` says."""

    __slots__ = ()

    @abc.abstractmethod
    def latex(self) -> str:
        """The thing in LaTeX."""

    @final
    def _repr_latex_(self) -> str:
        return f"$${self.latex()}$$"
