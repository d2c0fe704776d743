r"""The volume that a density multiplies, in words: that of the coframe of the configurations, and of the speeds.

.. math:: \varepsilon^1\wedge\dots\wedge\varepsilon^n = \frac{dq^1\wedge\dots\wedge dq^n}{\det E_a{}^i}

On a group that is its left Haar measure ``dg``. Where the determinant is constant, as in a chart, the coordinates have the same.
"""

from __future__ import annotations

from collections.abc import Sequence

from anholonomy.formulations.reduction.bundle import factors, moved
from anholonomy.geometry.frames.frame import Frame
from anholonomy.symbolic.display.simplify import simplify
from anholonomy.symbolic.expressions import Symbol
from anholonomy.symbolic.matrices.linear import determinant

__all__ = ["volume_in_words"]


def volume_in_words(frame: Frame, speeds: Sequence[Symbol]) -> str:
    """Haar measures of groups, differentials of the other coordinates, and those of the speeds.

    >>> from anholonomy.geometry.groups import Rn, SO3
    >>> volume_in_words((SO3() * Rn("x")).frame, [])
    'dg(q0, q1, q2, q3) dx'
    """
    groups = _groups(frame)
    haar = [f"dg({', '.join(q.name for q in each)})" for each in groups]
    plain = [f"d{q.name}" for q in frame.coordinates if all(q not in each for each in groups)]
    return " ".join([*haar, *plain, *(f"d{u.name}" for u in speeds)])


def _groups(frame: Frame) -> list[tuple[Symbol, ...]]:
    """The coordinates of each factor of a frame whose coframe has another volume than they: those of groups that are redundant or stretch it."""
    redundant = () if frame.orbit is None else frame.orbit.tied
    found = []
    for block in factors(frame):
        own = moved(frame, block)
        rows = [[frame.anchor_ai[a][frame.coordinates.index(q)] for q in own] for a in block]
        stretches = len(own) == len(block) and not simplify(determinant(rows)).free_symbols.isdisjoint(own)
        if stretches or not set(own).isdisjoint(redundant):
            found.append(own)
    return found
