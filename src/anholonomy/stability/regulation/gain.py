r"""A gain: feedback about a steady motion, $\tau = \tau_0 - K\,(z - z_0)$, as numbers, as text and as a signal.

Where the steady motion moves, the coordinates that symmetries carry along are no part of $z$. If the symmetries change others too, the
state is first carried back to where the steady motion was linearised, $z \mapsto e^{s^k\Xi_k}z$.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.displays.shown import Shown
from anholonomy.lazy import cached_property
from anholonomy.refusals import NotCovered
from anholonomy.simulate.signals.given_signals import Linear
from anholonomy.stability.linear_part import independent_rows
from anholonomy.stability.symmetries import Symmetry

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["Gain"]


@final
@dataclass(frozen=True, eq=False)
class Gain(Shown):
    """What `Linearization.lqr` finds; ``simulate(…, inputs=gain)`` takes it.

    Attributes
    ----------
    matrix
        $K$, a row for each input and a column for each of ``labels``.
    eigenvalues
        Those of the closed loop, without those of symmetries and families of steady motions.
    state, inputs
        The steady motion's $z_0$ at $t = 0$, by name, and its inputs.
    moving
        How fast it carries what is fed back along.
    """

    system: str
    matrix: Array
    labels: tuple[str, ...]
    inputs: Mapping[str, float]
    state: Mapping[str, float]
    moving: Mapping[str, float]
    eigenvalues: np.ndarray
    carried: tuple[str, ...]
    symmetries: tuple[Symmetry, ...]

    @cached_property
    def K(self) -> xr.DataArray:
        """The gain with its names."""
        import xarray as xr

        coords = {"input": list(self.inputs), "of": list(self.labels)}
        return xr.DataArray(self.matrix, dims=("input", "of"), coords=coords, name="K")

    @cached_property
    def has_texts(self) -> bool:
        """Whether no symmetry changes what is fed back, so that the feedback is an expression of the state."""
        places = [list(self.state).index(name) for name, k in zip(self.labels, self.matrix.T, strict=True) if k.any()]
        return not any(
            np.abs(each.shift[places]).max(initial=0.0) + np.abs(each.matrix[places]).max(initial=0.0) > 1e-12
            for each in self.symmetries
        )

    @property
    def texts(self) -> dict[str, str]:
        """The feedback as texts by input; refused where a symmetry changes what is fed back."""
        if not self.has_texts:
            raise NotCovered(
                f"{self.system}: the steady motion carries {', '.join(self.labels)} along, so that its feedback is no expression of the "
                "state; give the gain itself as `inputs`."
            )
        return {u: signal.text for u, signal in self._linear.items()}

    @property
    def _linear(self) -> dict[str, Linear]:
        return {
            u: Linear(
                offset,
                tuple(
                    (name, -float(k), float(self.state[name]), float(self.moving[name]))
                    for name, k in zip(self.labels, row, strict=True)
                    if k
                ),
            )
            for (u, offset), row in zip(self.inputs.items(), self.matrix, strict=True)
        }

    def as_inputs(self) -> Any:
        """A signal for every input: expressions of the state, or one function for all that first carries the state back."""
        if self.has_texts:
            return self._linear
        back = _Back(tuple(self.state.values()), self.carried, tuple(self.state), self.symmetries)
        return _law(back, self)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.array(self.matrix, dtype=dtype)

    def __str__(self) -> str:
        width = max(map(len, (*self.labels, "-1.23456e+00"))) + 2
        first = max(map(len, self.inputs), default=0) + 2
        head = " " * first + "".join(name.rjust(width) for name in self.labels)
        rows = [
            u.ljust(first) + "".join(f"{k:.6g}".rjust(width) for k in row)
            for u, row in zip(self.inputs, self.matrix, strict=True)
        ]
        slowest = f"{self.eigenvalues.real.max():.4g}"
        return "\n".join([f"{self.system}: gain, slowest eigenvalue of the closed loop {slowest}", head, *rows])

    def __repr__(self) -> str:
        return f"Gain({self.system!r}, {', '.join(self.inputs)} from {', '.join(self.labels)})"


def _law(back: _Back, gain: Gain) -> Any:
    places = [list(gain.state).index(name) for name in gain.labels]
    reference = np.array(list(gain.state.values()))[places]
    offset = np.array(list(gain.inputs.values()))

    def feedback(t: float, state: Mapping[str, float]) -> dict[str, float]:
        values = offset - gain.matrix @ (back(state)[places] - reference)
        return dict(zip(gain.inputs, map(float, values), strict=True))

    return feedback


@final
class _Back:
    """States carried back by the symmetries until what they carry along is what it was; each time from where the last one was."""

    def __init__(
        self,
        reference: tuple[float, ...],
        carried: tuple[str, ...],
        names: tuple[str, ...],
        symmetries: tuple[Symmetry, ...],
    ) -> None:
        self.names, self.reference = names, np.array(reference)
        self.fixed = [names.index(name) for name in carried]
        fields = np.stack([each.at(self.reference) for each in symmetries], axis=1)[self.fixed]
        own = [symmetries[j] for j in independent_rows(fields.T, len(carried))]
        last = np.zeros((1, len(names) + 1))
        self.generators = np.array([np.vstack([np.column_stack([each.matrix, each.shift]), last]) for each in own])
        self.moved = np.eye(len(names) + 1)
        self.turns = bool(self.generators[:, :-1, :-1].any())

    def __call__(self, state: Mapping[str, float]) -> Array:
        z, wanted = np.append([state[name] for name in self.names], 1.0), self.reference[self.fixed]
        moved = self.moved
        for _ in range(50):
            here = moved @ z
            gap = wanted - here[self.fixed]
            if np.abs(gap).max(initial=0.0) < 1e-13 * max(1.0, float(np.abs(here).max())):
                break
            slopes = (self.generators @ here).T[self.fixed]
            step = np.linalg.lstsq(slopes, gap, rcond=None)[0]
            step *= min(1.0, 0.5 / max(float(np.abs(step).max()), 1e-300)) if self.turns else 1.0
            moved = _exponential(np.tensordot(step, self.generators, axes=1)) @ moved
        self.moved = moved
        return np.asarray((moved @ z)[:-1])


def _exponential(matrix: Array) -> Array:
    """By its series: a step of Newton's method is small, and what only shifts ends it."""
    found = term = np.eye(len(matrix))
    for k in range(1, 24):
        term = term @ matrix / k
        found = found + term
        if not np.abs(term).max() > 1e-17 * np.abs(found).max():
            break
    return found
