r"""The motion linearised at a state or along a motion, with names: matrices, eigenvalues, verdict.

.. math:: \delta\dot z = A\,\delta z + B\,\delta\tau \ \text{at a state}, \qquad \delta\dot z = A(t)\,\delta z \ \text{along a motion}

in independent coordinates of the constraint; along a motion, which need not be steady, in coordinates that serve all the way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from anholonomy.algebra.expressions import Symbol, time
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import Error, NotSupportedError
from anholonomy.base.notebook import Shown
from anholonomy.base.verdict import Verdict
from anholonomy.motion.vector_field import VectorField, tangent, vector_field
from anholonomy.programs.backends.base import Array
from anholonomy.stability.affine_symmetries import Symmetry
from anholonomy.stability.first_approximation import FirstApproximation, first_approximation
from anholonomy.stability.linear_part import LinearPart, independent_rows, linear_part
from anholonomy.stability.regulator import Gain, regulator
from anholonomy.stability.states_by_name import parameter_places
from anholonomy.system.model import Model

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["GROWTH", "LinearAlong", "Linearization", "linear_along", "verdict_of"]

GROWTH = 1e-7
"""Real parts this small beside the largest eigenvalue are zero: a double eigenvalue is known to half the digits."""
_POOR = 1e8
"""A frame in which directions are so nearly dependent is exchanged."""


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
        if not np.isfinite(self.part.A).all():  # the equations kink there
            return np.full(len(self.part.A), np.nan + 0j), np.full(self.part.A.shape, np.nan + 0j)
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

    @cached_property
    def first_approximation(self) -> FirstApproximation | None:
        """What the linear part decides of a steady motion, in exact numbers; None if it is not steady."""
        if not self.steady:
            return None
        return first_approximation(self.field, self.symmetries, self.x, self.p, self.part)

    @property
    def verdict(self) -> str:
        """Stability by eigenvalues alone, decided in exact numbers if the motion is steady.

        ``"unstable"``, ``"stable"`` (everything decays but a family of steady motions that is there, or everything stays and the energy is
        least), ``"marginal"`` (eigenvalues do not decide), or ``"undecided"``: the equations kink there, or no steady motion is proven to be there.
        """
        first = self.first_approximation
        if first is None:
            return verdict_of(self.eigenvalues, self.part.A)
        if first.spectrum is None:
            return "undecided"
        if first.least:
            return "stable"
        return {Verdict.PROVEN: "stable", Verdict.REFUTED: "unstable", Verdict.UNKNOWN: "marginal"}[first.verdict]

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
            raise NotSupportedError(
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
            raise NotSupportedError(
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
        motions the state keeps to its member. What no input changes stays where it is not weighed and does not grow
        (``gain.staying``).

        >>> from anholonomy import System
        >>> cart = System(coordinates=["x"], lagrangian="x'^2/2", forces={"x": "F"}, inputs=["F"], name="cart")
        >>> gain = cart.linearize(at={"x": 0, "x'": 0}).lqr({"x": 1}, 1)
        >>> gain.matrix.round(6).tolist()
        [[1.0, 1.414214]]
        """
        if not self.inputs:
            own = self.field.model.inputs
            cure = "ask system.linearize(at=…), which knows them" if own else "declare some, as in inputs=['tau']"
            raise NotSupportedError(f"{self.system} has no inputs to feed back to here; {cure}.")
        if not self.steady or not all(each.keeps_inputs for each in self.symmetries):
            raise NotSupportedError(
                f"{self.system}: the motion through this state is not steady, or not what the inputs do along it, so that no constant gain "
                "belongs to it; linearise about another, and give the inputs that it needs with its state."
            )
        part, symmetries = (self._whole(), ()) if self._weighs_carried(Q) else (self.part, self.symmetries)
        labels = tuple(self.names[k] for k in part.places)
        matrix, values, staying = regulator(self.system, part.A, part.B, labels, self.inputs, Q, R, self.carried)
        places = parameter_places(self.field.model, self.inputs)
        inputs = dict(zip(self.inputs, map(float, self.p[places]), strict=True))
        paces = sum(
            (c * each.shift for c, each in zip(self.part.pace, self.symmetries, strict=True)), np.zeros(len(self.names))
        )
        moving = {name: float(paces[k]) if not symmetries else 0.0 for k, name in zip(part.places, labels, strict=True)}
        return Gain(self.system, matrix, labels, inputs, self.state, moving, values, self.carried, symmetries, staying)

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
            raise NotSupportedError(
                f"{self.system}: the steady motion turns {', '.join(self.carried)}, which then have no constant gain; weigh "
                f"{', '.join(self.labels)}."
            )
        return linear_part(self.field.jet(self.x[None], self.p, self.inputs), 0, self.x.size, ())

    def to_control(self) -> Any:
        """A ``control.StateSpace`` of python-control with the names of states and inputs; everything is an output."""
        try:
            import control
        except ImportError:
            raise Error("control is not installed; `pip install anholonomy[control]` brings it.") from None
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


@final
@dataclass(frozen=True, eq=False)
class LinearAlong(Shown):
    """A matrix for each time of a motion.

    Attributes
    ----------
    labels
        The independent coordinates and velocities that rows and columns belong to.
    matrices
        One for each time.
    condition
        How well these coordinates describe the others, for each time.
    """

    system: str
    times: Array
    labels: tuple[str, ...]
    matrices: Array
    condition: Array

    @cached_property
    def A(self) -> xr.DataArray:
        """The matrices, a row for the rate of each coordinate."""
        import xarray as xr

        names = list(self.labels)
        return xr.DataArray(
            self.matrices,
            dims=("time", "rate", "of"),
            coords={"time": self.times, "rate": names, "of": names},
            name="A",
            attrs={"system": self.system},
        )

    @property
    def eigenvalues(self) -> np.ndarray:
        """Of each matrix by itself; where it changes with time they do not decide stability."""
        return np.asarray(np.linalg.eigvals(self.matrices))

    def __str__(self) -> str:
        return (
            f"{self.system}: linear part along a motion, {len(self.times)} times from {self.times[0]:g} to {self.times[-1]:g}, in "
            f"{', '.join(self.labels)} (condition at most {self.condition.max():.3g})"
        )

    def __repr__(self) -> str:
        return f"LinearAlong({self.system!r}, {len(self.times)} times, {len(self.labels)} coordinates)"


def linear_along(model: Model, run: Any, places: Sequence[int] | None) -> LinearAlong:
    """The matrices at all times of a motion; ``places`` are coordinates and velocities to use."""
    model, data, times = model.independent, run.data, run.time.values
    values = dict(run.model.parameter_items)
    p = np.array([float(values[name] or 0.0) for name, _ in model.parameter_items])
    z = np.hstack([data["q"].values, data["velocity"].values])
    bases, rates = _all_slopes(model, z, p, np.asarray(times, dtype=float))
    rows = list(places) if places is not None else _serving(bases)
    inverses = [np.linalg.inv(H[rows]) for H in bases]
    names = [s.name for s in (*model.coordinates, *model.velocities)]
    return LinearAlong(
        model.name,
        np.asarray(times, dtype=float),
        tuple(names[k] for k in rows),
        np.array([R[rows] @ inverse for R, inverse in zip(rates, inverses, strict=True)]),
        np.array([float(np.linalg.cond(H @ inverse)) for H, inverse in zip(bases, inverses, strict=True)]),
    )


def _all_slopes(model: Model, z: Array, p: Array, times: Array) -> tuple[list[Array], list[Array]]:
    """Directions of the constraint as changes of coordinates and velocities, and what the rates make of them, in frames that serve."""
    bases, rates, names = list[Array](), list[Array](), (*model.coordinates, *model.velocities)
    while len(bases) < len(z):
        k = len(bases)
        point: dict[Symbol, float] = dict(zip(names, map(float, z[k]), strict=True)) | {time: float(times[k])}
        point |= dict(zip(model.parameter_symbols, map(float, p), strict=True))
        field = vector_field(model, point, timed=True)
        x, known = _states(field, z[k:], p, times[k:])
        x[0], known[0] = field.state(point), True
        slopes = field.jet(x, p, t=times[k:]).slopes
        for each, held, rate, is_known in zip(slopes.z, slopes.held, slopes.rate, known, strict=True):
            if len(bases) > k and not (is_known and np.isfinite(each).all()):
                break
            V = tangent(held)
            if len(bases) > k and np.linalg.cond(each @ V) > _POOR:
                break
            bases.append(each @ V)
            rates.append(rate @ V)
    return bases, rates


def _states(field: VectorField, z: Array, p: Array, times: Array) -> tuple[Array, np.ndarray]:
    """Coordinates and speeds of states, and for which of these they are right: velocities are affine in the speeds but for nonlinear constraints."""
    n, width = len(field.model.coordinates), len(field.equations.state)
    still = np.hstack([z[:, :n], np.zeros((len(z), width - n))])
    jet = field.jet(still, p, t=times)
    with np.errstate(all="ignore"):
        finite = np.asarray(np.isfinite(jet.slopes.z).all(axis=(1, 2)) & np.isfinite(jet.z).all(axis=1))
    W = np.where(finite[:, None, None], jet.slopes.z[:, n:, n:], 0.0)
    off = np.where(finite[:, None], z[:, n:] - jet.z[:, n:], 0.0)
    x = np.hstack([z[:, :n], np.einsum("kij,kj->ki", np.linalg.pinv(W), off)])
    return x, np.abs(field.at(x, p, times).z - z).max(axis=1) <= 1e-9 * (1 + np.abs(z).max(axis=1))


def _serving(bases: Sequence[Array]) -> list[int]:
    """Rows that are independent at all times: of the choices at a few of them, the one that is never worst."""
    some = bases[:: max(len(bases) // 12, 1)]
    choices: set[tuple[int, ...]] = {tuple(independent_rows(H, H.shape[1])) for H in some}
    orthonormal = [np.linalg.qr(H)[0] for H in bases]

    def worst(rows: tuple[int, ...]) -> float:
        return min(float(np.linalg.svd(Q[list(rows)], compute_uv=False)[-1]) for Q in orthonormal)

    best: tuple[int, ...] = max(sorted(choices), key=worst)
    return list(best)
