"""Which curves of a motion share a panel, and momenta and reactions as curves.

In a figure coordinates of one kind and of similar size share a panel; on a page curves of one kind and unit, so many at a time. A
wheel turns by hundreds while the frame that it carries leans by a tenth: on one scale the lean would be a flat line.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from anholonomy.algebra.calculus import partial
from anholonomy.base.errors import NotSupportedError
from anholonomy.show.labels import coordinate_kinds, declared_kinds, shown_unit, unit_in, with_unit
from anholonomy.show.style import DrawnMotion
from anholonomy.system.units.checking import dimensions_of
from anholonomy.system.units.dimension import TIME, Dimension

if TYPE_CHECKING:
    import xarray as xr

    from anholonomy.system.model import Model

__all__ = ["FLAT", "page_panels", "panels", "momenta", "natural_force", "reactions", "without_rounding"]


# Panels of a figure, and of a page.


FLAT = 8.0
"""A curve that varies so many times less than another looks flat beside it."""
_MOST = 4
"""Panels of one figure."""
_LABELS = {"length": "lengths", "angle": "angles (rad)", "": "coordinates"}


def panels(motion: DrawnMotion) -> list[tuple[str, list[str]]]:
    """The label of each panel and the coordinates in it, kinds in the order of the declaration, large before small."""
    data, kinds = motion.data, coordinate_kinds(motion.model)
    spread = np.ptp(data["q"].values, axis=0)
    sizes = dict(zip((str(name) for name in data["coordinate"].values), spread.tolist(), strict=True))
    found: list[tuple[str, list[str]]] = []
    for kind in dict.fromkeys(kinds.values()):
        names = sorted((name for name in sizes if kinds[name] == kind), key=lambda name: -sizes[name])
        found += [(_labelled(motion.model, kind, group), group) for group in _alike(names, sizes)]
    while len(found) > _MOST:
        _join(found)
    order = list(sizes)
    return [(label, sorted(names, key=order.index)) for label, names in found]


def _labelled(model: Model, kind: str, names: list[str]) -> str:
    """What a panel shows, with the unit that its curves share."""
    units = {unit_in(model, name) for name in names}
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


_CURVES = 8
"""Curves in one panel of a page."""
_TITLES = {
    "coordinates": {"length": "lengths", "angle": "angles"},
    "velocities": {"angle": "angular velocities"},
    "reactions": {"length": "reactions: forces", "angle": "reactions: moments"},
}


def page_panels(model: Model, reactions: bool = True) -> Iterator[tuple[str, dict[str, str]]]:
    """The panels of a page: a title, and the names of curves with their units, where there are any; kinds and units have panels of their own.

    >>> from anholonomy.catalogue import skate
    >>> [(title, list(names)) for title, names in page_panels(skate().model, reactions=False)]
    [('lengths', ['x', 'y']), ('angles', ['theta']), ('velocities', ["x'", "y'"]), ('angular velocities', ["theta'"])]
    """
    units, kinds = {f"reaction_{a}": unit for a, unit in _along(model, TIME).items()}, declared_kinds(model)
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


# Momenta and reactions of a motion as curves with units.
#
# .. math:: p_a = \partial L/\partial w^a, \qquad R_a = \lambda_\nu\,\partial\varphi^\nu/\partial w^a


_NOTHING = 1e-13
"""The share of the largest reaction below which another is only rounding."""


def momenta(run: Any) -> tuple[dict[str, xr.DataArray], dict[str, str]]:
    """The momenta of the velocities by name, and their units."""
    model = run.model
    found = model.momenta_a or tuple(partial(model.lagrangian, w) for w in model.velocities)
    curves = {f"p_{a}": run[p] for a, p in zip(model.directions, found, strict=True)}
    return curves, {f"p_{a}": unit for a, unit in _along(model, Dimension()).items()}


def reactions(run: Any) -> tuple[dict[str, xr.DataArray], dict[str, str]]:
    """The reactions of the constraints by direction, and their units."""
    model = run.model
    if not model.constraints:
        raise NotSupportedError(
            f"{model.name} has no constraints, and so no reactions; run.plot('momenta') draws its momenta."
        )
    curves = {f"R_{a}": run[f"reaction_{a}"] for a in model.directions}
    return without_rounding(curves, natural_force(run)), {f"R_{a}": unit for a, unit in _along(model, TIME).items()}


def natural_force(run: Any) -> float:
    """The force that makes the largest momentum of a motion within its time; reactions are large or nothing relative to it."""
    largest = max((float(np.nanmax(np.abs(p.values), initial=0.0)) for p in momenta(run)[0].values()), default=0.0)
    times = run.time.values
    return largest / abs(float(times[-1] - times[0])) if times.size > 1 and times[-1] != times[0] else 0.0


def without_rounding(curves: dict[str, Any], least: float = 0.0) -> dict[str, Any]:
    """Curves, those that are only rounding relative to the largest of them, or to ``least``, as zeros."""
    sizes = {name: float(np.nanmax(np.abs(curve), initial=0.0)) for name, curve in curves.items()}
    largest = max([least, *sizes.values()])
    return {name: curve if sizes[name] > _NOTHING * largest else 0 * curve for name, curve in curves.items()}


def _along(model: Model, per: Dimension) -> dict[str, str]:
    """Units of covectors by direction: energy over velocity, and ``per`` once more."""
    if not model.units:
        return {}
    found = dimensions_of(model)
    energy = found["energy"]
    speeds = {a: found[w.name] for a, w in zip(model.directions, model.velocities, strict=True)}
    if energy is None:
        return {}
    units = {a: (energy / speed / per).symbol for a, speed in speeds.items() if speed is not None}
    return {a: "N m" if unit == "J" else unit for a, unit in units.items()}  # what turns is a moment and no energy
