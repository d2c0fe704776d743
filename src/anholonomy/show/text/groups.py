r"""The group that a system lives on, in words: by what its elements are given, and what its speeds mean.

The speeds of every group are left-invariant, $\dot g = g\,(w^aE_a)$: components of the velocity in axes that move along. What the
axes are is said for the groups that have a name of their own.
"""

from __future__ import annotations

from collections.abc import Sequence

from anholonomy.algebra.expressions import Symbol
from anholonomy.geometry.groups import AbstractGroup, Product, Semidirect, as_group

__all__ = ["group_lines"]

_LONG = 60
"""Letters of a group's name that are printed."""
_MANY = 9
"""Names up to which all are printed."""


def group_lines(name: str) -> list[str]:
    """Two lines for each factor of a group: its elements, and its speeds where these are not rates of coordinates.

    >>> group_lines("SO3")
    ['SO(3) by unit quaternions q0, q1, q2, q3', "w1, w2, w3: angular velocity along the body's axes (left-invariant)"]
    >>> group_lines("S1(phi) * R(x)")
    ['angles phi', 'translations x']
    """
    whole = as_group(name)
    factors = whole.factors if isinstance(whole, Product) else (whole,)
    return [line for factor in factors for line in _factor_lines(factor)]


def _factor_lines(group: AbstractGroup) -> list[str]:
    if isinstance(group, Semidirect):
        own, speeds = group.coordinates[-group.size :], group.speeds[-group.size :]
        acting = group_lines(group.group.name)
        moved = f"{_listed(speeds)}: their velocities along axes that it moves (left-invariant)"
        return [*acting, f"translations {_listed(own)}, on which {group.group.name:.{_LONG}} acts", moved]
    shown = group.name if len(group.name) <= _LONG else f"{group.name[: _LONG - 1]}…"
    moving = f"{_listed(group.speeds)}: {group.motion} (left-invariant)"
    return [f"{group.elements or f'{shown} by'} {_listed(group.coordinates)}", *([moving] if group.motion else [])]


def _listed(symbols: Sequence[Symbol]) -> str:
    names = [s.name for s in symbols]
    return ", ".join(names if len(names) <= _MANY else [*names[:3], "…", names[-1]])
