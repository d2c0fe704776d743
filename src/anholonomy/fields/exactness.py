r"""Is there a Lagrangian behind forces and momenta of a field?

.. math:: F_i\,du^i + \Pi_i^a\,du^i_a = dL, \qquad \text{parameters } t^a \text{ held}
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from anholonomy.findings import Quantity, vanishing
from anholonomy.formulations.exactness import Exactness
from anholonomy.geometry.calculus.potentials import potential
from anholonomy.symbolic.calculus import partial
from anholonomy.symbolic.display.simplify import simplify
from anholonomy.symbolic.expressions import zero

if TYPE_CHECKING:
    from anholonomy.fields.field import Field

__all__ = ["find_lagrangian"]


def find_lagrangian(field: Field) -> Exactness:
    """Decide by mixed derivatives, then integrate; beside a Lagrangian only applied forces are left to integrate."""
    jets = field.jets
    directions = range(len(jets.parameters))
    places = [*jets.fields, *(u for a in directions for u in jets.first(a))]
    names = [f"force on {u}" for u in jets.fields]
    names += [f"momentum of {u} along {jets.parameters[a]}" for a in directions for u in jets.fields]
    form = [*field.force_i, *(row[a] for a in directions for row in field.momentum_ia)]
    gaps = (
        Quantity(
            f"d({names[i]})/d({places[j]}) - d({names[j]})/d({places[i]})",
            partial(form[i], places[j]) - partial(form[j], places[i]),
        )
        for i, j in combinations(range(len(places)), 2)
    )
    closed = vanishing("forces and momenta come from a Lagrangian", "every difference of mixed derivatives", gaps)
    if not closed:
        return Exactness(closed, None)
    own = zero if field.lagrangian is None else field.lagrangian
    rest = form if field.lagrangian is None else [*field.applied_i, *(zero for _ in form[len(jets.fields) :])]
    found = potential(places, tuple(rest))
    return Exactness(closed, None if found is None else simplify(own + found))
