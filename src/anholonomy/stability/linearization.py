r"""A linearised motion with its words: $\delta\dot z = A\,\delta z + B\,\delta\tau$ in independent coordinates of the constraint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from anholonomy.compile.backends.base import Array
from anholonomy.displays.shown import Shown
from anholonomy.lazy import cached_property
from anholonomy.refusals import NotCovered, Refusal
from anholonomy.stability.linear_part import LinearPart, linear_part
from anholonomy.stability.symmetries import Symmetry
from anholonomy.stability.vector_field import VectorField

if TYPE_CHECKING:
    import xarray as xr

    from anholonomy.stability.regulation.gain import Gain

__all__ = ["GROWTH", "Linearization", "verdict_of"]

GROWTH = 1e-7
"""Real parts this small beside the largest eigenvalue are zero: a double eigenvalue is known to half the digits."""


@final
@dataclass(frozen=True, eq=False)
class Linearization(Shown):
    """What is linear about a motion at a state.

    Attributes
    ----------
    symmetries
        What carries a steady motion along.
    part
        The matrices, by places.
    """

    field: VectorField
    x: Array
    p: Array
    part: LinearPart
    symmetries: tuple[Symmetry, ...]
    inputs: tuple[str, ...] = ()

    @classmethod
    def at(
        cls,
        field: VectorField,
        x: Array,
        p: Array,
        symmetries: tuple[Symmetry, ...],
        inputs: tuple[str, ...] = (),
        places: tuple[int, ...] | None = None,
    ) -> Linearization:
        """At a state of the field; ``places`` are those of the coordinates to use."""
        part = linear_part(field.jet(x[None], p, inputs), 0, x.size, symmetries, places)
        return cls(field, x, p, part, symmetries, inputs)

    @property
    def system(self) -> str:
        """The system's name."""
        return self.field.model.name

    @property
    def names(self) -> tuple[str, ...]:
        return self.field.names

    @cached_property
    def state(self) -> dict[str, float]:
        """Coordinates and velocities, by name."""
        return dict(zip(self.names, map(float, self.field.at(self.x[None], self.p).z[0]), strict=True))

    @property
    def labels(self) -> tuple[str, ...]:
        """The independent coordinates and velocities that rows and columns belong to."""
        return tuple(self.names[k] for k in self.part.places)

    @property
    def carried(self) -> tuple[str, ...]:
        """The coordinates that the symmetries only carry along."""
        return tuple(self.names[k] for k in self.part.carried)

    @property
    def steady(self) -> bool:
        """Whether the motion through the state is carried by symmetries, so that the matrices are constant."""
        return self.part.steady

    @cached_property
    def A(self) -> xr.DataArray:
        """The matrix, a row for the rate of each coordinate."""
        return _labelled(self.part.A, "A", rate=self.labels, of=self.labels)

    @cached_property
    def B(self) -> xr.DataArray:
        """The same for inputs."""
        return _labelled(self.part.B, "B", rate=self.labels, input=self.inputs)

    @cached_property
    def _spectrum(self) -> tuple[np.ndarray, np.ndarray]:
        values, vectors = np.linalg.eig(self.part.A)
        order = np.lexsort((values.imag.round(12), -values.real.round(12)))
        return values[order], vectors[:, order]

    @property
    def eigenvalues(self) -> np.ndarray:
        """From the one that grows fastest on, without those of the symmetries."""
        return self._spectrum[0]

    @cached_property
    def modes(self) -> xr.DataArray:
        """The eigenvectors, a column each, their largest entry 1."""
        vectors = self._spectrum[1]
        largest = vectors[np.abs(vectors).argmax(axis=0), np.arange(vectors.shape[1])]
        return _labelled(vectors / largest, "mode", of=self.labels, eigenvalue=self.eigenvalues)

    @property
    def symmetry_eigenvalues(self) -> np.ndarray:
        """Those of the directions of the symmetries: zeros, and the turning rate in pairs where they do not commute."""
        return np.asarray(np.linalg.eigvals(self.part.of_symmetries))

    @property
    def verdict(self) -> str:
        """``"unstable"``, ``"stable"`` (everything decays but families of steady motions) or ``"marginal"``: by eigenvalues alone."""
        return verdict_of(self.eigenvalues, self.part.A)

    def second_order(self) -> tuple[xr.DataArray, xr.DataArray, xr.DataArray]:
        r"""$M$, $C$ and $K$ of $M\,\delta\ddot q + C\,\delta\dot q + K\,\delta q = 0$, where velocities are the rates of coordinates.

        A velocity without its coordinate, such as the forward speed of a wheel, is left out where nothing depends on it.
        """
        labels, A = list(self.labels), self.part.A
        positions = [k for k, name in enumerate(labels) if f"{name}'" in labels]
        rates = [labels.index(f"{labels[k]}'") for k in positions]
        rest = [k for k in range(len(labels)) if k not in (*positions, *rates)]
        scale = max(float(np.abs(A).max(initial=0.0)), 1.0)
        coupled = np.abs(A[np.ix_([*positions, *rates], rest)]).max(initial=0.0) > 1e-10 * scale
        slips = np.abs(A[np.ix_(positions, positions)]).max(initial=0.0) > 1e-10 * scale
        turned = np.abs(A[np.ix_(positions, rates)] - np.eye(len(positions))).max(initial=0.0) > 1e-10
        if not positions or coupled or slips or turned:
            raise NotCovered(
                f"{self.system}: linearised in {', '.join(labels)} it is no system of second order in some of its coordinates; "
                "use `A`, or linearise about another state."
            )
        M = self._mass([labels[k] for k in rates], [labels[k] for k in rest if labels[k].endswith("'")])
        C, K = -M @ A[np.ix_(rates, rates)], -M @ A[np.ix_(rates, positions)]
        own = [labels[k] for k in positions]
        return tuple(_labelled(each, name, of=own, by=own) for name, each in zip("MCK", (M, C, K), strict=True))  # type: ignore[return-value]

    def _mass(self, rates: list[str], others: list[str]) -> Array:
        r"""$\partial^2E/\partial v\,\partial v$ in independent velocities, some of which stay as they are; from $\partial E/\partial u = m\,u$."""
        n = len(self.field.model.coordinates)
        speeds = self.x.size - n
        once, twice = ((k * np.eye(speeds)) for k in (1.0, 2.0))
        states = np.hstack([np.repeat(self.x[None, :n], 2 * speeds, axis=0), np.vstack([once, twice])])
        slopes = self.field.jet(states, self.p).slopes
        m, double = np.split(slopes.energy[:, 0, n:], 2)
        if np.abs(double - 2 * m).max() > 1e-10 * np.abs(m).max():
            raise NotCovered(
                f"{self.system}: its energy is not quadratic in the velocities, so there is no mass matrix; use `A`."
            )
        chosen = [self.names.index(name) for name in (*rates, *others)]
        inverse = np.linalg.inv(slopes.z[0][chosen, n:])
        count = len(rates)
        return np.asarray((inverse.T @ m @ inverse)[:count, :count])

    def lqr(self, Q: Any, R: Any) -> Gain:
        r"""The feedback of the inputs that makes $\int\delta z^{\mathsf T}Q\,\delta z + \delta\tau^{\mathsf T}R\,\delta\tau\;dt$ least.

        ``Q`` and ``R`` are matrices by `labels` and `inputs`, dicts of weights by these names (0 where not said), or numbers. What
        symmetries carry along is regulated where it is weighed, as a place that moves with the steady motion. Of a family of steady
        motions the state keeps to its member.

        >>> from anholonomy import System
        >>> cart = System(coordinates=["x"], lagrangian="x'^2/2", forces={"x": "F"}, inputs=["F"], name="cart")
        >>> gain = cart.linearize(at={"x": 0, "x'": 0}).lqr({"x": 1}, 1)
        >>> gain.matrix.round(6).tolist()
        [[1.0, 1.414214]]
        """
        from anholonomy.stability.regulation.gain import Gain
        from anholonomy.stability.regulation.lqr import regulator

        if not self.inputs:
            own = self.field.model.inputs
            cure = "ask system.linearize(at=…), which knows them" if own else "declare some, as in inputs=['tau']"
            raise NotCovered(f"{self.system} has no inputs to feed back to here; {cure}.")
        if not self.steady or not all(each.keeps_inputs for each in self.symmetries):
            raise NotCovered(
                f"{self.system}: the motion through this state is not steady, or not what the inputs do along it, so that no constant gain "
                "belongs to it; linearise about another, and give the inputs that it needs with its state."
            )
        part, symmetries = (self._whole(), ()) if self._weighs_carried(Q) else (self.part, self.symmetries)
        labels = tuple(self.names[k] for k in part.places)
        matrix, values = regulator(self.system, part.A, part.B, labels, self.inputs, Q, R)
        symbols = [s.name for s in self.field.model.parameter_symbols]
        inputs = {u: float(self.p[symbols.index(u)]) for u in self.inputs}
        paces = sum(
            (c * each.shift for c, each in zip(self.part.pace, self.symmetries, strict=True)), np.zeros(len(self.names))
        )
        moving = {name: float(paces[k]) if not symmetries else 0.0 for k, name in zip(part.places, labels, strict=True)}
        return Gain(self.system, matrix, labels, inputs, self.state, moving, values, self.carried, symmetries)

    def _weighs_carried(self, Q: Any) -> bool:
        """Whether a cost is about coordinates that symmetries carry along, too."""
        if not self.carried:
            return False
        if isinstance(Q, Mapping):
            return not set(self.carried).isdisjoint(Q)
        return len(np.shape(Q)) > 0 and np.shape(Q)[0] == len(self.labels) + len(self.carried)

    def _whole(self) -> LinearPart:
        """The linear part with what symmetries carry along, where they only shift it."""
        turning = [
            each
            for c, each in zip(self.part.pace, self.symmetries, strict=True)
            if abs(c) > 1e-12 and each.matrix.any()
        ]
        if turning:
            raise NotCovered(
                f"{self.system}: the steady motion turns {', '.join(self.carried)}, which then have no constant gain; weigh "
                f"{', '.join(self.labels)}."
            )
        return linear_part(self.field.jet(self.x[None], self.p, self.inputs), 0, self.x.size, ())

    def to_control(self) -> Any:
        """A ``control.StateSpace`` of python-control with the names of states and inputs; everything is an output."""
        try:
            import control
        except ImportError:
            raise Refusal("control is not installed; `pip install anholonomy[control]` brings it.") from None
        size, names = len(self.labels), list(self.labels)
        B = self.part.B if self.inputs else np.zeros((size, 0))
        return control.StateSpace(
            self.part.A,
            B,
            np.eye(size),
            np.zeros((size, len(self.inputs))),
            states=names,
            inputs=list(self.inputs),
            outputs=names,
            name=self.system.replace(".", "_"),
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything in plain numbers and words."""
        return {
            "system": self.system,
            "state": self.state,
            "labels": list(self.labels),
            "A": self.part.A.tolist(),
            **({"inputs": list(self.inputs), "B": self.part.B.tolist()} if self.inputs else {}),
            "eigenvalues": [[float(v.real), float(v.imag)] for v in self.eigenvalues],
            "steady": self.steady,
            "verdict": self.verdict,
            "carried": list(self.carried),
            "condition": self.part.condition,
        }

    def __str__(self) -> str:
        head = f"{self.system}: linear part in {', '.join(self.labels)}"
        carried = [f"  carried along: {', '.join(self.carried)}"] if self.carried else []
        kind = f"  steady, {self.verdict}" if self.steady else "  at a state of a motion that is not steady"
        tiny = 1e-13 * float(np.abs(self.eigenvalues).max(initial=0.0))
        rows = [f"  {_number(v) if abs(v) > tiny else ' 0'}" for v in self.eigenvalues]
        return "\n".join([head, *carried, kind, "  eigenvalues", *(f"  {row}" for row in rows)])

    def __repr__(self) -> str:
        return f"Linearization({self.system!r}, {len(self.labels)} coordinates, {self.verdict})"


def verdict_of(eigenvalues: np.ndarray, matrix: Array | None = None) -> str:
    """By real parts; zeros are allowed for families of steady motions as long as each has a direction of its own in the matrix."""
    threshold = GROWTH * max(float(np.abs(eigenvalues).max(initial=0.0)), 1e-300)
    growing = eigenvalues.real > threshold
    idle = np.abs(eigenvalues) <= threshold
    if growing.any():
        return "unstable"
    if matrix is not None and idle.sum() > 1:
        sizes = np.linalg.svd(matrix, compute_uv=False)
        if (sizes <= GROWTH * max(float(sizes.max(initial=0.0)), 1e-300)).sum() < idle.sum():
            return "marginal"  # what drifts along grows, if only with time
    return "stable" if (eigenvalues.real[~idle] < -threshold).all() else "marginal"


def _number(value: complex) -> str:
    real, imaginary = float(np.real(value)), float(np.imag(value))
    return f"{real: .12g}" + (f" {'-' if imaginary < 0 else '+'} {abs(imaginary):.12g}i" if imaginary else "")


def _labelled(values: np.ndarray, name: str, **dimensions: Any) -> xr.DataArray:
    import xarray as xr

    return xr.DataArray(values, dims=tuple(dimensions), coords={k: list(v) for k, v in dimensions.items()}, name=name)
