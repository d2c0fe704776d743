r"""What is conserved: all integrals that are polynomials in the speeds, over a space of functions of the configuration.

.. math:: F = \sum_{k,\alpha} c_{k\alpha}\,\varphi_k(q, t)\,\ell^\alpha, \qquad \dot F = 0

The space of functions grows in stages until there is no room for another integral, or the problem grows large, or the time is over
(`anholonomy.analysis.integrals.search`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from anholonomy.analysis.integrals.function_space import given_functions
from anholonomy.analysis.integrals.search import Search
from anholonomy.analysis.laws import Laws
from anholonomy.analysis.reduced_motion import reduced_motion
from anholonomy.geometry.expected import expect_list
from anholonomy.language.given import expression
from anholonomy.refusals import GaveUp, IllPosedSystem, UnknownName
from anholonomy.symbolic.expressions import Expr, time
from anholonomy.symbolic.patience import LIMIT, patience
from anholonomy.system.model import Model

__all__ = ["conserved", "read_functions"]


def conserved(
    model: Model, degree: int = 2, functions: Sequence[Any] | None = None, limit: float | None = LIMIT
) -> Laws:
    """The independent integrals of a system up to a degree in the speeds, with proofs and what is known about others."""
    if not isinstance(degree, int) or isinstance(degree, bool) or not 0 <= degree <= 6:
        raise IllPosedSystem(f"the degree is {degree!r:.40}; give a whole number from 0 to 6.")
    search = Search(reduced_motion(model), degree)
    try:
        with patience(limit):
            search.run(None if functions is None else given_functions(read_functions(model, functions)))
    except GaveUp as trouble:
        search.gave_up = str(trouble)
    except KeyboardInterrupt:
        search.gave_up = "it was interrupted."
    return search.answer()


def read_functions(model: Model, functions: Sequence[Any]) -> list[Expr]:
    """The functions of a user, in coordinates, time and parameters."""
    known = {*model.coordinates, *model.parameter_symbols, time}
    found = []
    for given in expect_list(functions, "the functions"):
        f = model.frame.in_coordinates(expression(given, "a function"))
        if strange := sorted(s.name for s in f.free_symbols - known):
            raise UnknownName(
                f"{model.name}: {strange[0]!r} in the function {given} is no coordinate and no parameter; there are "
                f"{', '.join(s.name for s in (*model.coordinates, *model.parameter_symbols))}."
            )
        found.append(f)
    return found
