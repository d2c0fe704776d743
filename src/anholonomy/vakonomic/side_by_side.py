r"""The two dynamics from one state: the motion of mechanics, and the vakonomic motion that stays with it for as many derivatives as it can.

.. math:: r(t) = \Pi\,(E + F^{\mathsf T}\mu) = \sum_j (c_j + S_j\mu_0)\,t^j \quad\text{along the motion of mechanics}

With $\mu_0 = 0$ both have the same accelerations at the start, whatever the constraints are. Of all multipliers that do not change these, $S_0\mu_0 = 0$,
those are taken that make $c_1 + S_1\mu_0$ least, of these those that make $c_2 + S_2\mu_0$ least, and so on; the smallest of what is
left. Where the motion of mechanics is vakonomic this is its multiplier, and both are one motion.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, final

import numpy as np

from anholonomy.base.caching import cached_property
from anholonomy.base.errors import NotSupportedError, StateError, quoted
from anholonomy.base.tolerances import HALF, NOTHING, ROUNDING, VANISHES
from anholonomy.equations.principles import formulation
from anholonomy.equations.principles.vakonomic import Vakonomic
from anholonomy.geometry.groups import SO3
from anholonomy.language.answers import Part, Readable
from anholonomy.language.arguments import expect_mapping, finite
from anholonomy.laws.evaluation import NODES, gauss
from anholonomy.programs.backends.base import Array
from anholonomy.show.labels import unit_in
from anholonomy.system.model import Model
from anholonomy.vakonomic.sampled_path import carried, course_of_motion

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["VakonomicPair", "side_by_side"]

_ORDERS = 4
"""Derivatives that are compared."""
_RANK = 1e-7
"""What is nothing beside the largest of how a multiplier counts."""
_SHORTER = 7
"""How often a step is quartered, which makes the first one 16,000 times shorter."""


def side_by_side(
    system: Any, start: Mapping[str, object] | None, multiplier: Any, words: Mapping[str, Any]
) -> VakonomicPair:
    """Both motions; ``words`` are those of `System.simulate`."""
    model: Model = system.model.independent
    formulation("vakonomic").refuse_unless_covered(model)
    if not model.constraints:
        raise NotSupportedError(f"{model.name} has no constraints, and so only one dynamics; simulate it.")
    begin = system.start if start is None else start
    expect_mapping(begin, f"{model.name}: the start", "a dict from names to numbers", verb="is", refusal=StateError)
    mechanical = system.simulate(begin, **words)
    names = [mu.name for mu in Vakonomic.costates(model)]
    chosen = _best(model, mechanical) if multiplier is None else _given(model, multiplier, names)
    given = dict(zip(names, chosen.tolist(), strict=True))
    extremal = system.simulate({**begin, **given}, by="vakonomic", **words)
    return VakonomicPair(mechanical, extremal, given, multiplier is None)


def _given(model: Model, given: Any, names: list[str]) -> Array:
    """Multipliers as a user gives them: by name, in a list, or a single number."""
    values = (
        list(given.values()) if isinstance(given, Mapping) else given if isinstance(given, list | tuple) else [given]
    )
    strange = isinstance(given, Mapping) and sorted(map(str, given)) != sorted(names)
    numbers = [finite(value) for value in values]
    if strange or len(numbers) != len(names) or any(value is None for value in numbers):
        raise StateError(f"{model.name}: multiplier={quoted(given)} will not do; give numbers for {', '.join(names)}.")
    if isinstance(given, Mapping):
        by_name = dict(zip(map(str, given), numbers, strict=True))
        numbers = [by_name[name] for name in names]
    return np.array(numbers, dtype=float)


def _best(model: Model, run: Any) -> Array:
    """The multipliers at the start by steps that become shorter, until two in a row agree: then their polynomials are Taylor's."""
    tried = [_by_derivatives(model, run, 1.0)]
    changes: list[float] = []
    while len(changes) < _SHORTER and (not changes or changes[-1] > HALF):
        tried.append(_by_derivatives(model, run, 0.25 ** len(tried)))
        changes.append(float(np.linalg.norm(tried[-1] - tried[-2]) / (1.0 + np.linalg.norm(tried[-1]))))
    return tried[1 + int(np.argmin(changes))]


def _by_derivatives(model: Model, run: Any, share: float) -> Array:
    """The multipliers, one derivative after the other, by a polynomial through a share of the first step."""
    found = carried(model, course_of_motion(run, model, first=share))
    S, c = (
        _coefficients(values[:NODES]) for values in (found.residual_slopes, found.residual(np.zeros(len(found.A[0]))))
    )
    mu, free = np.zeros(S.shape[2]), np.eye(S.shape[2])
    size = np.linalg.norm(S[0]) or np.linalg.norm(S)
    for order, (slope, offset) in enumerate(zip(S, c, strict=True)):
        U, values, rows = np.linalg.svd(slope @ free)
        kept = int((values > max(_RANK * share**order, VANISHES) * size).sum())
        shift = rows[:kept].T @ ((U[:, :kept].T @ -(offset + slope @ mu)) / values[:kept])
        mu, free = mu + free @ shift, free @ rows[kept:].T
        if not free.shape[1]:
            break
    return np.where(np.abs(mu) <= NOTHING * max(1.0, float(np.abs(mu).max(initial=0.0))), 0.0, mu)


def _coefficients(values: Array) -> Array:
    """The first coefficients of the polynomial of time through values at the nodes of the first step."""
    nodes, _, _ = gauss(NODES)
    every = np.linalg.solve(np.vander(nodes, increasing=True), values.reshape(NODES, -1))
    return np.asarray(every.reshape(values.shape)[:_ORDERS])


@final
@dataclass(frozen=True, repr=False, eq=False)
class VakonomicPair(Readable):
    """A motion of mechanics and one of the vakonomic principle from the same state.

    Attributes
    ----------
    nonholonomic, vakonomic
        The two motions.
    multiplier
        The multipliers at the start, by name.
    chosen
        Whether they are those with which the motions part as late as they can; otherwise they were given.
    """

    nonholonomic: Any
    vakonomic: Any
    multiplier: Mapping[str, float]
    chosen: bool = True

    @cached_property
    def difference(self) -> xr.DataArray:
        """Coordinates of the vakonomic motion minus those of the other, at the times that both have."""
        one, other = _at_common_times(self.vakonomic.data["q"], self.nonholonomic.data["q"])
        found: xr.DataArray = (one - other).rename("difference")
        return found

    @cached_property
    def angle(self) -> xr.DataArray | None:
        """The angle of the turn between the two attitudes of a body over time; None where there is none."""
        group = self.nonholonomic.model.group
        if not isinstance(group, SO3):
            return None
        import xarray as xr

        runs = (self.vakonomic.data["q"], self.nonholonomic.data["q"])
        one, other = _at_common_times(*(q.sel(coordinate=[s.name for s in group.coordinates]) for q in runs))
        p, q = one.values.T, other.values.T
        # The vector of the turn from one to the other; an arc cosine would lose half the digits of small angles.
        aside = p[0] * q[1:] - q[0] * p[1:] + np.cross(p[1:].T, q[1:].T).T
        turned = 2 * np.arctan2(np.linalg.norm(aside, axis=0), np.abs((p * q).sum(axis=0)))
        return xr.DataArray(turned, coords={"time": one["time"]}, dims=("time",), name="angle")

    def plot(self, ax: Any = None) -> Any:
        """Both paths, and what is between them over time; into two axes, or a file such as ``"both.png"``.

        A body that only turns is drawn by one of its axes, seen from above; of two attitudes the angle between them is drawn, not that of
        their quaternions.
        """
        from anholonomy.show.figures.two_dynamics import plot_both

        return plot_both(self.nonholonomic, self.vakonomic, self._between, ax=ax, axis=self._axis)

    @property
    def _between(self) -> xr.DataArray:
        """The differences of coordinates that are not redundant, and the angle between attitudes."""
        import xarray as xr

        if self.angle is None:
            return self.difference
        tied = {q.name for q in self.nonholonomic.model.redundant_coordinates}
        kept = [name for name in self.difference["coordinate"].values.tolist() if name not in tied]
        turned = self.angle.expand_dims(coordinate=["angle"], axis=1)
        return xr.concat([self.difference.sel(coordinate=kept), turned], "coordinate") if kept else turned

    @property
    def _axis(self) -> xr.Dataset | None:
        """The horizontal entries of the axis of a body that goes farthest, for both motions; None where something else moves."""
        import xarray as xr

        model = self.nonholonomic.model
        if not isinstance(model.group, SO3) or set(model.coordinates) - set(model.group.coordinates):
            return None
        runs = (self.nonholonomic, self.vakonomic)
        names = [(f"{model.group.prefix}R1{k}", f"{model.group.prefix}R2{k}") for k in (1, 2, 3)]
        best = max(names, key=lambda pair: sum(float(np.ptp(run[name].values)) for name in pair for run in runs))
        count = min(len(run.time) for run in runs)
        return xr.Dataset({name: (("motion", "time"), [run[name].values[:count] for run in runs]) for name in best})

    def animate(self, path: str | Path | None = None, **words: Any) -> Any:
        """Both motions in one scene, the vakonomic one in lighter colours; words are those of `Motion.animate`."""
        from anholonomy.show.animation.animate import animate_both

        film = animate_both(self.nonholonomic, self.vakonomic, **words)
        if path is not None:
            film.save(path)
        return film

    def as_rows(self) -> Iterable[Part]:
        start = ", ".join(f"{name} = {value:.6g}" for name, value in self.multiplier.items())
        start += ", with which they part as late as they can," if self.chosen else ""
        gap = abs(self.difference)
        name = str(gap.max("time").idxmax("coordinate").item())
        most = gap.sel(coordinate=name)
        unit = unit_in(self.nonholonomic.model, name)
        where = f"in {name}, at t = {float(most.idxmax('time')):.4g}"
        return [
            f"{self.nonholonomic.model.name}: with {start} the motions come {float(most.max()):.3g}{f' {unit}' if unit else ''} apart, {where}"
        ]


def _at_common_times(one: xr.DataArray, other: xr.DataArray) -> tuple[xr.DataArray, xr.DataArray]:
    """Both at the times that they share; an event that stops both is located in each for itself, and so but for rounding at one time."""
    import xarray as xr

    own, theirs = one["time"].values, other["time"].values
    nearest = own[np.abs(own[:, None] - theirs).argmin(axis=0)]
    is_shared = np.abs(nearest - theirs) <= ROUNDING * np.abs(own).max()
    found: tuple[xr.DataArray, xr.DataArray] = xr.align(
        one, other.assign_coords(time=np.where(is_shared, nearest, theirs)), join="inner"
    )
    return found
