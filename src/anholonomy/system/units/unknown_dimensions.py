r"""Dimensions that are partly unknown, and the linear equations between them.

With $X_j$ the dimension of a name, written as exponents, a product has $\sum_j c_jX_j + K$ with rational $c_j$ and a known $K$. Terms of one
sum have the same, which is a linear equation; elimination solves it for a name, or finds that nothing is left but a contradiction.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import final

from anholonomy.system.units.dimension import NUMBER, Dimension

__all__ = ["Elimination", "DimensionForm"]


@final
@dataclass(frozen=True)
class DimensionForm:
    """A dimension: a known part, and the powers of names whose own dimension is unknown."""

    known: Dimension = NUMBER
    unknown: Mapping[str, Fraction] = field(default_factory=dict)

    def __mul__(self, other: DimensionForm) -> DimensionForm:
        powers = {name: self.unknown.get(name, Fraction(0)) + p for name, p in other.unknown.items()}
        merged = {name: p for name, p in {**self.unknown, **powers}.items() if p}
        return DimensionForm(self.known * other.known, merged)

    def __pow__(self, power: int | Fraction) -> DimensionForm:
        return DimensionForm(self.known**power, {name: p * power for name, p in self.unknown.items()} if power else {})

    def __truediv__(self, other: DimensionForm) -> DimensionForm:
        return self * other**-1


@final
class Elimination:
    """What is known of the names so far."""

    def __init__(self, solved: Mapping[str, DimensionForm] | None = None) -> None:
        self._solved: dict[str, DimensionForm] = dict(solved or {})

    def copy(self) -> Elimination:
        return Elimination(self._solved)

    def reduced(self, form: DimensionForm) -> DimensionForm:
        """The form in names that are still unknown.

        >>> found = Elimination()
        >>> found.demand(DimensionForm(unknown={"m": Fraction(2)}), DimensionForm(Dimension.of({"kg": 2})))
        True
        >>> str(found.reduced(DimensionForm(unknown={"m": Fraction(1)})).known)
        'kg'
        """
        while hit := next((name for name in form.unknown if name in self._solved), None):
            power = form.unknown[hit]
            rest = DimensionForm(form.known, {name: p for name, p in form.unknown.items() if name != hit})
            form = rest * self._solved[hit] ** power
        return form

    def demand(self, one: DimensionForm, other: DimensionForm) -> bool:
        """Make two forms equal; False where they cannot be."""
        gap = self.reduced(one / other)
        if not gap.unknown:
            return gap.known == NUMBER
        name, power = next(iter(gap.unknown.items()))
        rest = DimensionForm(gap.known, {each: p for each, p in gap.unknown.items() if each != name})
        self._solved[name] = rest ** (-1 / power)
        return True
