"""A motion in a few lines: where it ends, how well it was computed, and by what."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from anholonomy.show.labels import unit_in

if TYPE_CHECKING:
    from anholonomy.show.style import DrawnMotion

__all__ = ["summary"]


def summary(motion: DrawnMotion) -> list[tuple[str, str]]:
    """Rows of name and text: the final state, energy, residual, events, integrator, outcome.

    A change of the energy is called a drift only where the energy must be conserved.
    """
    data = motion.data
    times = data["time"].values
    unit = f" {unit_in(motion.model, 't')}".rstrip()
    rows = [("time", f"{times[0]:.10g} to {times[-1]:.10g}{unit}, {times.size} samples")]
    rows += _final(motion, "q", "coordinate") + _final(motion, "velocity", "direction")
    names = str(data.attrs.get("costates", "")).split()
    rows += [
        (f"final {n}", f"{v:.10g}") for n, v in zip(names, data["costate"].values[-1] if names else (), strict=True)
    ]
    rows += _energy(data["energy"].values, motion._keeps_energy) if "energy" in data else []
    if "residual" in data:
        rows.append(("constraint residual", f"{float(np.abs(data['residual'].values).max()):.2g}"))
    if "event_time" in data:
        moments = zip(data["event"].values, data["event_time"].values, strict=True)
        rows += [(f"event {name}", f"t = {moment:.10g}") for name, moment in moments]
    said = {key: str(data.attrs.get(key, "")) for key in ("principle", "integrator", "integrator_reason", "outcome")}
    rows.append(("equations", f"by {said['principle']}"))
    rows.append(("integrator", f"{said['integrator']} ({said['integrator_reason']})"))
    fixed = (
        f"of {data.attrs['step']:.6g}" if "step" in data.attrs else f"at tolerance {data.attrs.get('tolerance'):.2g}"
    )
    rows.append(("steps", f"{data.attrs.get('steps')} {fixed}"))
    return [*rows, ("outcome", said["outcome"])]


def _energy(energy: np.ndarray, kept: bool) -> list[tuple[str, str]]:
    drift, start = float(np.abs(energy - energy[0]).max()), abs(float(energy[0]))
    if not kept:
        return [("energy changed by", f"at most {drift:.4g}, from {energy[0]:.4g} to {energy[-1]:.4g}")]
    return [("relative energy drift", f"{drift / start:.2g}") if start else ("energy drift", f"{drift:.2g}")]


def _final(motion: DrawnMotion, variable: str, dimension: str) -> list[tuple[str, str]]:
    names = (str(name) for name in motion.data[dimension].values)
    return [
        (f"final {n}", f"{value:.10g} {unit_in(motion.model, n)}".strip())
        for n, value in zip(names, motion.data[variable].values[-1], strict=True)
    ]
