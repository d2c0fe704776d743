r"""The linear-quadratic regulator about a steady motion: the feedback that costs least, as numbers, as text and as a signal.

.. math::
   \delta\tau = -K\,\delta z, \qquad K = R^{-1}B^{\mathsf T}P, \qquad A^{\mathsf T}P + PA - PBR^{-1}B^{\mathsf T}P + Q = 0

What no input can change and what does not change by itself, $w^{\mathsf T}(A, B) = 0$, leads from one steady motion of a family to
another, such as the speed of a bicycle that coasts. The gain then acts on the distance from the member of the family that the state
belongs to, $\delta z - v\,w^{\mathsf T}\delta z$ with $Av = 0$ and $w^{\mathsf T}v = 1$.

In general what no input changes and what does not decay, $W^{\mathsf T}A = NW^{\mathsf T}$ with $W^{\mathsf T}B = 0$, is left alone as long as it does not grow
and is not weighed: the gain acts on $\delta z - VW^{\mathsf T}\delta z$ with $AV = VN$. So is what symmetries carry along and what
is not weighed.

Where the steady motion moves, the coordinates that symmetries carry along are no part of $z$. If the symmetries change others too, the
state is first carried back to where the steady motion was linearised, $z \mapsto e^{s^k\Xi_k}z$.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from anholonomy.algebra.numbers.doubles import kernel, split
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import NotSupportedError, UnknownNameError, quoted
from anholonomy.base.notebook import Shown
from anholonomy.base.tolerances import APART, NOTHING, VANISHES
from anholonomy.language.arguments import finite
from anholonomy.language.suggestions import did_you_mean
from anholonomy.motion.signals.reading import Linear
from anholonomy.programs.backends.base import Array
from anholonomy.stability.affine_symmetries import Symmetry
from anholonomy.stability.linear_part import independent_rows

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["Gain", "regulator"]

_SPLIT = 1e-7
"""Rounding moves the eigenvalues of a double zero by so much beside the largest entry."""


def regulator(
    system: str,
    A: Array,
    B: Array,
    labels: Sequence[str],
    inputs: Sequence[str],
    Q: Any,
    R: Any,
    carried: Sequence[str] = (),
) -> tuple[Array, np.ndarray, tuple[str, ...]]:
    """The gain $K$, the eigenvalues of the closed loop without those of what stays, and where that shows, but for families.

    What symmetries have ``carried`` along may be left unweighed.
    """
    Q, R = _weights(system, "Q", Q, labels, False), _weights(system, "R", R, inputs, True)
    Q = (Q + Q.T) / 2
    try:
        T, project = _within_families(system, A, B, labels, inputs)
        _refuse_out_of_reach(system, T.T @ A @ T, T.T @ B, T, labels, inputs)
        return (*_cheapest(system, A, B, labels, Q, R, T, project), ())
    except NotSupportedError:
        staying = _staying(system, A, B, labels, inputs, Q, carried)
        if staying is None:
            raise
    T, project, stays = staying
    return (*_cheapest(system, A, B, labels, Q, R, T, project), stays)


def _cheapest(
    system: str, A: Array, B: Array, labels: Sequence[str], Q: Array, R: Array, T: Array, project: Array
) -> tuple[Array, np.ndarray]:
    """The gain on the directions ``T`` to which ``project`` leads."""
    a, b, q = T.T @ A @ T, T.T @ B, T.T @ Q @ T
    if not a.size:
        raise NotSupportedError(
            f"{system}: no input changes anything at first order about this motion, so there is nothing to regulate."
        )
    from scipy.linalg import solve_continuous_are

    try:
        P = solve_continuous_are(a, b, (q + q.T) / 2, R)
    except (np.linalg.LinAlgError, ValueError):
        P = None
    k = None if P is None else np.linalg.solve(R, b.T @ P)
    values = np.empty(0) if k is None else np.linalg.eigvals(a - b @ k)
    if k is None or values.real.max() > -NOTHING * np.abs(values).max():
        raise NotSupportedError(
            f"{system}: with this `Q` no feedback is the cheapest, because it leaves something unweighed that does not decay by itself; "
            f"weigh more of {', '.join(labels)}."
        )
    order = np.lexsort((values.imag, -values.real))
    found = np.asarray(k @ T.T @ project, dtype=float)
    found[np.abs(found) <= VANISHES * np.abs(found).max()] = 0.0
    return found, values[order]


def _staying(
    system: str, A: Array, B: Array, labels: Sequence[str], inputs: Sequence[str], Q: Array, carried: Sequence[str]
) -> tuple[Array, Array, tuple[str, ...]] | None:
    """A basis of what is regulated, the projection onto it along what stays, and where that shows; None where nothing stays."""
    scale = max(float(np.abs(A).max(initial=0.0)), 1e-300)
    slack = _SPLIT * scale
    beyond = _complement(_reached(A, B))
    still, own = _ordered((beyond.T @ A @ beyond).T, lambda value: value.real >= -slack)
    W = beyond @ still
    for value in own:
        if value.real > slack:
            raise NotSupportedError(_unreachable(system, value, labels[int(np.abs(W).max(axis=1).argmax())], inputs))
    T, N = _complement(W), W.T @ A @ W
    a = T.T @ A @ T
    # A V = V N for V = W + T X: the part of each state that stays, with what it brings about elsewhere.
    sylvester = np.kron(a, np.eye(len(N))) - np.kron(np.eye(len(a)), N.T)
    X = np.linalg.lstsq(sylvester, -(T.T @ A @ W).ravel(), rcond=NOTHING)[0].reshape(len(a), len(N))
    V = W + T @ X
    weighed = np.abs(Q @ V).max(axis=1, initial=0.0)
    if weighed.max(initial=0.0) > APART * np.abs(Q).max() * np.abs(V).max(initial=1.0):
        raise NotSupportedError(
            f"{system}: `Q` weighs {labels[int(weighed.argmax())]}, of which a part is changed by no input and does not decay; do not weigh it, or "
            "add an input that acts on it."
        )
    free = _complement(_reached(a.T, T.T @ Q @ T))
    idle, _ = _ordered(free.T @ a @ free, lambda value: abs(value.real) <= slack)
    others = [k for k, name in enumerate(labels) if name not in carried]
    if np.abs((T @ free @ idle)[others]).max(initial=0.0) > APART:
        idle = idle[:, :0]
    if not W.size and not idle.size:
        return None
    left = T @ free @ idle
    kept = T @ _complement(free @ idle)
    shown = np.abs(np.hstack([V, left])).max(axis=1)
    stays = tuple(name for name, size in zip(labels, shown, strict=True) if size > APART * shown.max())
    return kept, np.eye(len(A)) - V @ W.T, stays


def _reached(A: Array, B: Array) -> Array:
    """An orthonormal basis of the least subspace with the columns of B that A keeps."""
    found = np.empty((len(A), 0))
    new, size = B, float(np.abs(B).max(initial=0.0))
    while new.size:
        U, sizes, _ = np.linalg.svd(new - found @ (found.T @ new), full_matrices=False)
        new = U[:, sizes > NOTHING * size]
        found = np.linalg.qr(np.hstack([found, new]))[0]
        new, size = A @ found[:, found.shape[1] - new.shape[1] :], float(np.abs(A).max(initial=0.0))
    return found


def _complement(basis: Array) -> Array:
    """An orthonormal basis of what is orthogonal to orthonormal columns."""
    return np.linalg.qr(np.hstack([basis, np.eye(len(basis))]))[0][:, basis.shape[1] : len(basis)]


def _ordered(matrix: Array, chosen: Callable[[complex], bool]) -> tuple[Array, Array]:
    """An orthonormal basis of the invariant subspace of some eigenvalues, and these."""
    if not matrix.size:
        return np.empty((len(matrix), 0)), np.empty(0)
    from scipy.linalg import schur

    _, Z, count = schur(matrix, sort=lambda *parts: chosen(complex(*parts)))
    basis = Z[:, :count]
    return basis, np.linalg.eigvals(basis.T @ matrix @ basis)


def _within_families(
    system: str, A: Array, B: Array, labels: Sequence[str], inputs: Sequence[str]
) -> tuple[Array, Array]:
    """An orthonormal basis of what keeps to one member of each family, and the projection onto it along the families."""
    n = len(A)
    T, W = split(np.hstack([A, B]))
    if not W.size:
        return np.eye(n), np.eye(n)
    still, one = kernel(A), np.eye(W.shape[1])
    V = still @ np.linalg.lstsq(W.T @ still, one, rcond=None)[0]
    if np.abs(W.T @ V - one).max() > 1e-6:
        culprit = labels[int(np.abs(W).max(axis=1).argmax())]
        raise NotSupportedError(_unreachable(system, 0.0, culprit, inputs))
    return T, np.eye(n) - V @ W.T


def _refuse_out_of_reach(
    system: str, a: Array, b: Array, T: Array, labels: Sequence[str], inputs: Sequence[str]
) -> None:
    """By Popov, Belevitch and Hautus: what does not decay must be moved by some input."""
    values = np.linalg.eigvals(a)
    scale = max(float(np.abs(a).max(initial=0.0)), float(np.abs(b).max(initial=0.0)), 1e-300)
    for value in values[values.real >= -NOTHING * scale]:
        u, sizes, _ = np.linalg.svd(np.hstack([a - value * np.eye(len(a)), b.astype(complex)]))
        if sizes[-1] <= NOTHING * scale:
            culprit = labels[int(np.abs(T @ u[:, -1]).argmax())]
            raise NotSupportedError(_unreachable(system, value, culprit, inputs))


def _unreachable(system: str, value: complex, culprit: str, inputs: Sequence[str]) -> str:
    said = f"{value.real:.4g}" + (f" ± {abs(value.imag):.4g}i" if abs(np.imag(value)) > 1e-12 else "")
    return (
        f"{system} cannot be made stable here by {', '.join(inputs)}: the eigenvalue {said} of a mode that shows most in {culprit} "
        "stays whatever they do; add an input that acts on it."
    )


def _weights(system: str, word: str, given: Any, names: Sequence[str], positive: bool) -> Array:
    """A symmetric matrix with a row for each name that is positive, or not negative."""
    found = _matrix(system, word, given, names)
    size = len(names)
    if found.shape != (size, size) or not np.isfinite(found).all():
        raise NotSupportedError(
            f"{system}: `{word}` has the shape {found.shape}; give {size} rows of {size} finite numbers, for {', '.join(names)}, a dict "
            "by these names, or a number."
        )
    largest = float(np.abs(found).max(initial=0.0))
    if np.abs(found - found.T).max(initial=0.0) > 1e-12 * largest:
        raise NotSupportedError(
            f"{system}: `{word}` is not symmetric; give the same weight on both sides of its diagonal."
        )
    least = float(np.linalg.eigvalsh(found).min(initial=np.inf))
    if least < -1e-12 * largest or (positive and not least > 0):
        wanted = "positive" if positive else "not negative"
        raise NotSupportedError(
            f"{system}: `{word}` weighs some direction by {least:.3g}; make all its weights {wanted}."
        )
    return found


def _matrix(system: str, word: str, given: Any, names: Sequence[str]) -> Array:
    if isinstance(given, Mapping):
        for name, value in given.items():
            if name not in names:
                raise UnknownNameError(
                    f"{system}: `{word}` weighs {quoted(str(name))}; {did_you_mean(str(name), names)}the names are {', '.join(names)}."
                )
            if finite(value) is None:
                raise NotSupportedError(f"{system}: `{word}` weighs {name} by {quoted(value)}; give a finite number.")
        return np.diag([float(given.get(name, 0.0)) for name in names])
    try:
        values = np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        raise NotSupportedError(
            f"{system}: `{word}` is {quoted(given)}; give a matrix, a dict by name, or a number."
        ) from None
    if values.ndim == 0:
        return float(values) * np.eye(len(names))
    return np.diag(values) if values.ndim == 1 and values.size == len(names) else values


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
    staying
        Labels in which that shows which no input changes, or which is not weighed, and which neither decays nor grows.
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
    staying: tuple[str, ...] = ()

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
            raise NotSupportedError(
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
        stays = [f"what stays shows in {', '.join(self.staying)}"] * bool(self.staying)
        return "\n".join([f"{self.system}: gain, slowest eigenvalue of the closed loop {slowest}", head, *rows, *stays])

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
