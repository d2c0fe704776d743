r"""Currents of symmetries: conserved on extremals, or what feeds them.

.. math::
   J^a = \Pi_i^a\,(\eta^i - \xi^b u^i_b) + L\,\xi^a, \qquad
   D_a J^a = -E_i\,(\eta^i - \xi^b u^i_b) + \bigl[\eta^i_{;a}\Pi_i^a + \eta^i F_i + \dots\bigr]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

from anholonomy.fields.parsing import Words
from anholonomy.findings import CarriesFinding, Finding, Quantity, vanishing
from anholonomy.language.brevity import Readable, brief
from anholonomy.refusals import NotCovered, UnknownName
from anholonomy.symbolic.display.simplify import simplify
from anholonomy.symbolic.expressions import Expr, Vector, dot, zero

if TYPE_CHECKING:
    from anholonomy.fields.field import Field

__all__ = ["Current", "current_of"]


@final
@dataclass(frozen=True, repr=False)
class Current(CarriesFinding, Readable):
    """A current, what its divergence is on extremals, and whether that vanishes."""

    field: Field
    components: Vector
    source: Expr
    finding: Finding

    def lines(self, whole: bool = False) -> list[str]:
        parts = zip(self.field.jets.parameters, self.components, strict=True)
        return [str(self.finding), *(f"  J_{a} = {brief(simplify(J), whole)}" for a, J in parts)]


def current_of(field: Field, generator: Mapping[str, Any]) -> Current:
    """The current of a generator; where parameters are moved a Lagrangian is needed."""
    jets = field.jets
    words = Words(field.name, jets, None)
    parameters, names = [p.name for p in jets.parameters], [u.name for u in jets.fields]
    if unknown := [each for each in generator if each not in (*parameters, *names)]:
        raise UnknownName(f"{field.name}: {unknown[0]!r} is neither a parameter nor a field of it.")
    moved = {each: words.read(value, f"the generator along {each}", 0) for each, value in generator.items()}
    xi = [moved.get(p, zero) for p in parameters]
    eta = [moved.get(u, zero) for u in names]
    if field.lagrangian is None and any(entry != 0 for entry in xi):
        raise NotCovered(f"{field.name}: a symmetry that moves parameters needs a Lagrangian; move fields alone.")
    if field.constraints:
        raise NotCovered(f"{field.name}: currents are given without constraints, whose reactions would feed them.")
    L = zero if field.lagrangian is None else field.lagrangian
    directions = range(len(parameters))
    # What a symmetry does at one place: the change of the field less what its transport brings.
    change = [e - sum((xi[b] * jets.first(b)[i] for b in directions), zero) for i, e in enumerate(eta)]
    components = tuple(dot([row[a] for row in field.momentum_ia], change) + L * xi[a] for a in directions)
    # On extremals D_a J^a + E_i Q^i has no second derivatives left: it is what the symmetry lacks.
    source = simplify(sum((jets.total(J, a) for a, J in enumerate(components)), dot(field.extremal_i, change)))
    shown = " + ".join(
        f"d/d{each}" if value == 1 else f"({value}) d/d{each}" for each, value in moved.items() if value != 0
    )
    claim = f"the current of {shown or 'nothing'} is conserved"
    finding = vanishing(claim, "div J", [Quantity("div J", source)])
    return Current(field, components, source, finding)
