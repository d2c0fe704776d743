"""Which curves of a motion share a panel: in a figure coordinates of one kind and of similar size, on a page so many at a time.

A wheel turns by hundreds while the frame that it carries leans by a tenth: on one scale the lean would be a flat line.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from anholonomy.show.coordinate_kinds import coordinate_kinds, declared_kinds
from anholonomy.show.momenta import reaction_units
from anholonomy.show.units import shown_unit, unit_of, with_unit

if TYPE_CHECKING:
    import xarray as xr

    from anholonomy.system.model import Model

__all__ = ["page_panels", "panels"]

FLAT = 8.0
"""A curve that varies so many times less than another looks flat beside it."""
_MOST = 4
"""Panels of one figure."""
_CURVES = 8
"""Curves in one panel of a page."""
_TITLES = {
    "coordinates": {"length": "lengths", "angle": "angles"},
    "velocities": {"angle": "angular velocities"},
    "reactions": {"length": "reactions: forces", "angle": "reactions: moments"},
}
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


def page_panels(model: Model, reactions: bool = True) -> Iterator[tuple[str, dict[str, str]]]:
    """The panels of a page: a title, and the names of curves with their units, where there are any; kinds and units have panels of their own.

    >>> from anholonomy.catalogue import skate
    >>> [(title, list(names)) for title, names in page_panels(skate(), reactions=False)]
    [('lengths', ['x', 'y']), ('angles', ['theta']), ('velocities', ["x'", "y'"]), ('angular velocities', ["theta'"])]
    """
    units, kinds = reaction_units(model), declared_kinds(model)
    groups = {
        "coordinates": {q.name: q.name for q in model.coordinates},
        "velocities": {w.name: w.name for w in model.velocities},
        "reactions": {f"reaction_{a}": a for a in model.directions} if reactions and model.constraints else {},
    }
    for title, names in groups.items():
        said = {name: units.get(name) or shown_unit(model, name) for name in names}
        alike: dict[tuple[str, str], list[str]] = {}
        for name, own in names.items():
            alike.setdefault((said[name], kinds.get(own.rstrip("'"), "")), []).append(name)
        for (_, kind), members in alike.items():
            called = _TITLES[title].get(kind, title)
            for k in range(0, len(members), _CURVES):
                part = {name: said[name] for name in members[k : k + _CURVES]}
                yield f"{called}, further" if k else called, part


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
