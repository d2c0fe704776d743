r"""The constraints of a field as an exterior system: does it have leaves, and what does it demand of maps?

.. math:: \theta_i u^i_a = 0 \;\Longrightarrow\; D_b(\theta_i u^i_a) - D_a(\theta_i u^i_b) = d\theta(u_b, u_a) = 0
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, final

from anholonomy.displays.shown import Shown
from anholonomy.findings import Finding
from anholonomy.geometry.distributions.distribution import Distribution
from anholonomy.geometry.distributions.leaves import Leaves
from anholonomy.geometry.frames.frame import Frame
from anholonomy.lazy import cached_property
from anholonomy.refusals import NotCovered
from anholonomy.symbolic.calculus import partial
from anholonomy.symbolic.display.simplify import simplify
from anholonomy.symbolic.expressions import Expr, Vector, zero

if TYPE_CHECKING:
    from anholonomy.fields.field import Field

__all__ = ["FieldConstraints"]


@final
@dataclass(frozen=True)
class FieldConstraints(Shown):
    """What the constraints of a field say together."""

    field: Field

    @cached_property
    def distribution(self) -> Distribution:
        """The admissible directions of the target, where constraints depend on fields alone."""
        field, jets = self.field, self.field.jets
        if not field.constraints:
            raise NotCovered(f"{field.name} has no constraints; every direction is admissible.")
        used = set().union(*(entry.free_symbols for c in field.constraints for entry in c.row))
        if any(c.offset != 0 for c in field.constraints) or not used.isdisjoint(jets.parameters):
            raise NotCovered(
                f"{field.name}: its constraints depend on parameters; directions of the target need forms that do not."
            )
        return Distribution(Frame.chart(jets.fields), tuple(c.row for c in field.constraints))

    def is_integrable(self) -> Finding:
        """Whether the admissible directions of the target have leaves: Frobenius, with the proof or the bracket that leaves them."""
        return self.distribution.is_integrable()

    def leaves(self) -> Leaves:
        """The functions of the fields that stay constant, where there are leaves."""
        return self.distribution.leaves()

    @cached_property
    def compatibility(self) -> Vector:
        r"""What two directions demand of first derivatives besides the constraints, $d\theta(u_a, u_b) = 0$: Spencer's operator on them.

        Empty where each constraint speaks of one direction; zero where there are leaves.
        """
        jets, found = self.field.jets, list[Expr]()
        for c in self.field.constraints:
            for a, b in combinations(c.directions, 2):
                first, second = jets.first(a), jets.first(b)
                value = zero
                for i, j in combinations(range(len(jets.fields)), 2):
                    curl = partial(c.row[j], jets.fields[i]) - partial(c.row[i], jets.fields[j])
                    value += curl * (first[i] * second[j] - first[j] * second[i])
                value += sum((partial(A, jets.parameters[a]) * u for A, u in zip(c.row, second, strict=True)), zero)
                value -= sum((partial(A, jets.parameters[b]) * u for A, u in zip(c.row, first, strict=True)), zero)
                found.append(simplify(value))
        return tuple(found)
