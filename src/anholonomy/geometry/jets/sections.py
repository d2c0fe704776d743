r"""Sections of jets, and how far they are from being derivatives of a map.

.. math:: s = (t^a,\ x^\mu(t),\ x^\mu_a(t)), \qquad
   Ds = (\partial_a x^\mu - x^\mu_a)\, dt^a \otimes \partial_\mu

The Spencer operator $D$ vanishes exactly on the integrable sections $s = j^1 x$; $Ds$ is also what the contact forms pull back to.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, final

import symengine

from anholonomy.findings import Finding, Quantity, vanishing
from anholonomy.language.brevity import Readable, brief
from anholonomy.lazy import cached_property
from anholonomy.symbolic.calculus import partial
from anholonomy.symbolic.expressions import Expr, Symbol

__all__ = ["JetSection"]

Index: TypeAlias = tuple[int, tuple[int, ...]]
r"""$(\mu, J)$ of a jet coordinate $x^\mu_J$."""


@final
@dataclass(frozen=True, repr=False)
class JetSection(Readable):
    r"""Functions of the parameters for every jet coordinate; made by `JetSpace.prolong` and `JetSpace.section`.

    Attributes
    ----------
    parameters
        The symbols $t^a$.
    items
        Index $(\mu, J)$, symbol $x^\mu_J$ and value of every jet coordinate.
    targets, order
        How many targets there are, and how many derivatives.
    """

    parameters: tuple[Symbol, ...]
    items: tuple[tuple[Index, Symbol, Expr], ...]
    targets: int
    order: int

    @cached_property
    def _values(self) -> dict[Index, Expr]:
        return {index: value for index, _, value in self.items}

    def __getitem__(self, index: Index) -> Expr:
        mu, J = index
        return self._values[mu, tuple(sorted(J))]

    @property
    def images(self) -> dict[Symbol, Expr]:
        """The value of every jet coordinate, for substitution and pullback."""
        return {q: value for _, q, value in self.items}

    def along(self, f: Expr) -> Expr:
        """A function on jets, pulled back to the parameters."""
        return f.xreplace(self.images)

    def spencer(self) -> dict[tuple[Index, int], Expr]:
        r"""$(Ds)^\mu_{Ja} = \partial_a x^\mu_J - x^\mu_{Ja}$ by index $(\mu, J)$ and parameter $a$, zeros included.

        >>> from anholonomy.geometry.jets.jets import JetSpace
        >>> section = JetSpace(["t"], ["x"]).section({"x": "t^2", "x'": "t"})
        >>> section.spencer()
        {((0, ()), 0): t}
        """
        return {
            ((mu, J), a): symengine.expand(partial(value, t) - self[mu, (*J, a)])
            for (mu, J), _, value in self.items
            if len(J) < self.order
            for a, t in enumerate(self.parameters)
        }

    def is_integrable(self) -> Finding:
        """Whether the section is the jet of its own targets: $Ds = 0$.

        >>> from anholonomy.geometry.jets.jets import JetSpace
        >>> print(JetSpace(["t"], ["x"]).section({"x": "t^2", "x'": "2*t"}).is_integrable())
        the section is the jet of a map: proven, Ds = 0
        """
        names = {index: str(q) for index, q, _ in self.items}
        defects = (
            Quantity(f"D({names[index]})_{self.parameters[a]}", value) for (index, a), value in self.spencer().items()
        )
        return vanishing("the section is the jet of a map", "Ds", defects, mark="Ds")

    def lines(self, whole: bool = False) -> list[str]:
        """One coordinate a line."""
        return [f"{q} = {brief(value, whole)}" for _, q, value in self.items]
