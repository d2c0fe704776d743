"""The principles, in the order of tables. A new one is one new file and one new line here."""

from __future__ import annotations

from functools import lru_cache

from anholonomy.equations.principles.base import AbstractPrinciple
from anholonomy.equations.principles.lagrange_dalembert import *
from anholonomy.equations.principles.maggi import *
from anholonomy.equations.principles.kane import *
from anholonomy.equations.principles.hamel import *
from anholonomy.equations.principles.voronec import *
from anholonomy.equations.principles.chaplygin import *
from anholonomy.equations.principles.gibbs_appell import *
from anholonomy.equations.principles.gauss import *
from anholonomy.equations.principles.udwadia_kalaba import *
from anholonomy.equations.principles.connection import *
from anholonomy.equations.principles.hamiltonian import *
from anholonomy.equations.principles.first_variation import *
from anholonomy.equations.principles.vakonomic import *
from anholonomy.language.suggestions import did_you_mean, same_name
from anholonomy.base.registry import listed, publish
from anholonomy.base.errors import UnknownNameError, quoted
from anholonomy.system.constraints import Kind
from anholonomy.system.model import Model

PRINCIPLES: tuple[AbstractPrinciple, ...] = tuple(kind() for kind in listed(globals(), AbstractPrinciple))
"""Every principle, in the order of tables."""


def formulation(by: str | AbstractPrinciple) -> AbstractPrinciple:
    """The principle of that name, whatever its case and hyphens; a principle itself is returned as it is.

    >>> formulation("Lagrange_dAlembert").name
    'lagrange-dalembert'
    """
    if isinstance(by, AbstractPrinciple):
        return by
    principles = {f.name: f for f in PRINCIPLES}
    if isinstance(by, str) and by in principles:
        return principles[by]
    if name := same_name(by, principles):
        return principles[name]
    if isinstance(by, type) and issubclass(by, AbstractPrinciple):
        raise UnknownNameError(f"the principle is the class {by.__name__}; call it, {by.__name__}(), to make one.")
    raise UnknownNameError(
        f"there is no principle {quoted(by)}; {did_you_mean(by, principles)}choose from {', '.join(principles)}."
    )


@lru_cache(maxsize=256)
def suited(model: Model) -> AbstractPrinciple:
    """The principle for those who name none: reduced equations where there are any, since these cannot leave the constraints."""
    return next(f for f in map(formulation, ("hamel", "lagrange-dalembert", "gauss")) if f.covers(model))


def coverage() -> str:
    """Markdown table: which principle covers which kind of constraint.

    >>> print(coverage().splitlines()[0])
    | principle | linear | affine | time-dependent | nonlinear | position | acceleration | redundant | force-momentum | needs |
    """
    rows = [["principle", *(kind.label for kind in Kind), "needs"], ["---"] * (2 + len(Kind))]
    for f in PRINCIPLES:
        marks = ("✓" if kind in f.handles else "" for kind in Kind)
        rows.append([f.name, *marks, ", ".join(need.label for need in f.needs)])
    return "\n".join("| " + " | ".join(cells) + " |" for cells in rows)


publish(globals())
