"""Which coordinates of a motion share a panel: those of one kind and of similar size.

A wheel turns by hundreds while the frame that it carries leans by a tenth: on one scale the lean would be a flat line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from anholonomy.show.coordinate_kinds import coordinate_kinds
from anholonomy.show.units import unit_of, with_unit

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["panels"]

FLAT = 8.0
"""A curve that varies so many times less than another looks flat beside it."""
_MOST = 4
"""Panels of one figure."""
_LABELS = {"length": "lengths", "angle": "angles (rad)", "": "coordinates"}


def panels(data: xr.Dataset) -> list[tuple[str, list[str]]]:
    """The label of each panel and the coordinates in it, kinds in the order of the declaration, large before small."""
    kinds, spread = coordinate_kinds(data), np.ptp(data["q"].values, axis=0)
    sizes = dict(zip((str(name) for name in data["coordinate"].values), spread.tolist(), strict=True))
    found: list[tuple[str, list[str]]] = []
    for kind in dict.fromkeys(kinds.values()):
        names = sorted((name for name in sizes if kinds[name] == kind), key=lambda name: -sizes[name])
        found += [(_labelled(data, kind, group), group) for group in _alike(names, sizes)]
    while len(found) > _MOST:
        _join(found)
    order = list(sizes)
    return [(label, sorted(names, key=order.index)) for label, names in found]


def _labelled(data: xr.Dataset, kind: str, names: list[str]) -> str:
    """What a panel shows, with the unit where its curves have one and the same."""
    units = {unit_of(data, name) for name in names}
    return with_unit(_LABELS[kind], units.pop()) if kind != "angle" and len(units) == 1 else _LABELS[kind]


def _alike(names: list[str], sizes: dict[str, float]) -> list[list[str]]:
    """Names from large to small, cut where the next would look flat; what does not vary joins the last."""
    groups: list[list[str]] = []
    for name in names:
        if groups and (not sizes[name] or sizes[groups[-1][0]] <= FLAT * sizes[name]):
            groups[-1].append(name)
        else:
            groups.append([name])
    return groups


def _join(found: list[tuple[str, list[str]]]) -> None:
    """Make one of the last two neighbours of one kind, or of the last two."""
    pairs = [k for k in range(1, len(found)) if found[k - 1][0] == found[k][0]]
    k = pairs[-1] if pairs else len(found) - 1
    label = found[k][0] if pairs else _LABELS[""]
    found[k - 1 : k + 1] = [(label, found[k - 1][1] + found[k][1])]
