r"""Exceptional families that are planes: the question asked on each set of zeros that motions do not leave."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import symengine

from anholonomy.analysis.reduced_motion import reduced_motion
from anholonomy.analysis.vakonomic.exceptional.families import Family
from anholonomy.analysis.vakonomic.exceptional.on_plane import OnPlane, equations_of, on_plane
from anholonomy.analysis.vakonomic.exceptional.planes import InvariantPlane, invariant_planes
from anholonomy.analysis.vakonomic.multiplier_equations import MultiplierEquations
from anholonomy.analysis.vakonomic.prolongation import prolonged
from anholonomy.refusals import GaveUp
from anholonomy.symbolic.expressions import Expr, Symbol, zero
from anholonomy.symbolic.normal_forms.canonical import NoNormalForm
from anholonomy.symbolic.patience import effort
from anholonomy.symbolic.zero import is_zero
from anholonomy.system.model import Model

__all__ = ["plane_families"]

_EACH, _ALL = 4.0, 15.0
"""Seconds of the processor for the formulas of one plane, and for everything."""
_MOST = 24
"""Families that are listed."""


def plane_families(model: Model, equations: MultiplierEquations | None, known: Sequence[Family]) -> Iterator[Family]:
    """Planes on which motions are vakonomic though others are not, and that are no part of families known already."""
    plain, found = model.independent, list[InvariantPlane]()
    try:
        with effort(_ALL):
            for plane in invariant_planes(model):
                if len(found) >= _MOST:
                    return
                if any(plane.lies_in(other) for other in found):
                    continue
                family = _asked(plain, plane, equations, known)
                if family is not None:
                    found.append(plane)
                if family is not None and family.equations:
                    yield family
    except GaveUp:
        return


def _asked(
    model: Model, plane: InvariantPlane, equations: MultiplierEquations | None, known: Sequence[Family]
) -> Family | None:
    """The family of a plane whose motions are vakonomic; without equations where it is known."""
    try:
        with effort(_EACH):
            there = on_plane(model, plane)
            if there is None:
                return None
            if any(_covers(family, there, equations) for family in known if family.verdict):
                return Family((), known[0].verdict, zero)
            found = prolonged(there.equations)
            verdict = found.verdict(there.equations.on)
            cut = equations_of(model, plane) if verdict else None
            return None if cut is None else Family(cut, verdict, zero, found, plane.pose)
    except (GaveUp, NoNormalForm, ZeroDivisionError, RuntimeError):
        return None


def _covers(family: Family, there: OnPlane, equations: MultiplierEquations | None) -> bool:
    """Whether a plane satisfies the equations of a family, which are in the speeds of the answer."""
    if equations is None or not family.equations:
        return False
    own = reduced_motion(equations.model).speeds_of_velocities
    steps: list[Mapping[Symbol, Expr]] = [own, equations.named, there.equations.model.named, there.put]
    for s, value in family.equations:
        e = s - value
        for step in steps:
            e = e.xreplace(dict(step))
        if e.has(symengine.zoo, symengine.nan) or not is_zero(e, there.equations.on):
            return False
    return True
