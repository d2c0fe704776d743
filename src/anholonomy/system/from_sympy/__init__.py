"""SymPy's mechanics as declarations: KanesMethod, LagrangesMethod and System objects, in the words of a system."""

from __future__ import annotations

from anholonomy.system.from_sympy.words import words_of

__all__ = ["words_of"]
