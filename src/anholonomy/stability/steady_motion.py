r"""Steady motions, and whether they are stable: by eigenvalues, or by conserved quantities with a definite second variation.

Steady motions: equilibria, and motions that symmetries carry along.

.. math:: f(z) = c^k\,\Xi_k(z), \qquad g(q) = 0, \qquad z_i = \text{given}

They are found by Gauss and Newton's method with exact derivatives, from a state near by and by the shortest steps, since symmetries and
families leave directions open.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, final

import numpy as np
import symengine

from anholonomy.algebra.calculus import partial
from anholonomy.algebra.expressions import Expr, free_symbols, time
from anholonomy.algebra.latex import in_words
from anholonomy.algebra.numbers.doubles import kernel, split
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import IntegrationProblem, Refusal, UnknownName
from anholonomy.base.notebook import Shown
from anholonomy.base.tolerances import CLEAR, HALF, NOTHING, ROUNDING, VANISHES
from anholonomy.base.verdict import Verdict
from anholonomy.findings import Finding
from anholonomy.findings.evidence import AbstractEvidence, Reason
from anholonomy.language.suggestions import did_you_mean
from anholonomy.language.writing import to_text
from anholonomy.laws.conserved import conserved
from anholonomy.motion.vector_field import VectorField
from anholonomy.programs.backends import fast_function
from anholonomy.programs.backends.base import Array
from anholonomy.programs.derivatives import against_covector, along_direction
from anholonomy.programs.of_equations import Compiled
from anholonomy.stability.affine_symmetries import Symmetry
from anholonomy.stability.linear_part import independent_rows, velocities_of_symmetries
from anholonomy.stability.linearization import Linearization
from anholonomy.system.states.complete_state import finite_number

if TYPE_CHECKING:
    from anholonomy.stability.steady_family import Branch

__all__ = ["SteadyMotion", "Steadiness", "Definite", "definite_combination", "Spectrum", "stability_of"]


_STEPS = 40
"""Newton's steps after which a start is given up."""
_LEADS = 0.01
"""A step this long beside what it changes leads away: at a double or triple zero it is shorter, at one that is infinitely far it is not."""


@final
@dataclass(frozen=True, eq=False)
class Steadiness:
    r"""The equations of steady motions, for many states at once: unknown are $(q, u, c, \tau)$, given some entries of $z$.

    Attributes
    ----------
    given
        Places in $z$.
    inputs
        Names of inputs that are solved for: constants that the steady motion needs.
    """

    field: VectorField
    symmetries: tuple[Symmetry, ...]
    given: tuple[int, ...]
    inputs: tuple[str, ...] = ()

    @property
    def width(self) -> int:
        """How many of the unknowns are those of the state."""
        return len(self.field.program.states)

    def start(self, x: Array, p: Array) -> Array:
        """Unknowns from states, a row each."""
        jet = self.field.at(x, p)
        pace = [velocities_of_symmetries(z, rate, self.symmetries)[0] for z, rate in zip(jet.z, jet.rate, strict=True)]
        return np.hstack(
            [x, np.array(pace).reshape(len(x), -1), np.broadcast_to(p, (len(x), p.shape[-1]))[:, self._places]]
        )

    @property
    def _places(self) -> list[int]:
        names = [s.name for s in self.field.model.parameter_symbols]
        return [names.index(name) for name in self.inputs]

    def parameters(self, y: Array, p: Array) -> Array:
        """Those with the inputs that are among the unknowns, a row for each state."""
        if not self.inputs:
            return p
        p = np.repeat(p[None], len(y), axis=0) if p.ndim == 1 else p.copy()
        p[:, self._places] = y[:, y.shape[1] - len(self.inputs) :]
        return p

    def equations(self, y: Array, p: Array, values: Array) -> tuple[Array, Array, Array]:
        """What must vanish, a row for each state, its derivatives, and the size of its terms."""
        width = self.width
        jet = self.field.jet(y[:, :width], self.parameters(y, p), self.inputs)
        slopes, rate, turned = jet.slopes, jet.rate.copy(), jet.slopes.rate.copy()
        columns = []
        for k, each in enumerate(self.symmetries):
            c, along = y[:, width + k], each.at(jet.z)
            rate -= c[:, None] * along
            turned -= c[:, None, None] * (each.matrix @ slopes.z)
            columns.append(-along)
        more = np.stack(columns, axis=2) if columns else np.empty((*rate.shape, 0))
        given = jet.z[:, self.given] - values
        still = np.zeros((len(y), jet.held.shape[1] + len(self.given), len(self.symmetries)))
        below = np.concatenate([slopes.held, slopes.z[:, self.given]], axis=1)
        J = np.concatenate(
            [
                np.concatenate([turned[:, :, :width], more, turned[:, :, width:]], axis=2),
                np.concatenate([below[:, :, :width], still, below[:, :, width:]], axis=2),
            ],
            axis=1,
        )
        size = 1.0 + np.abs(jet.rate).max(axis=1)
        return np.concatenate([rate, jet.held, given], axis=1), J, size

    def solve(self, y: Array, p: Array, values: Array) -> tuple[Array, Array]:
        """The nearest unknowns that satisfy the equations, and what is left of these beside their terms; states that do not get there keep their best."""
        y = y.copy()
        F, J, size = self.equations(y, p, values)
        left = np.abs(F).max(axis=1) / size
        for _ in range(_STEPS):
            open_ = np.flatnonzero((left > VANISHES) & np.isfinite(left) & np.isfinite(J).all(axis=(1, 2)))
            if not open_.size:
                break
            step = -np.einsum("kij,kj->ki", np.linalg.pinv(J[open_], rcond=1e-9), F[open_])
            better = self._searched(y, p, values, open_, step, left)
            if better is None:
                break
            y[better[0]], moved = better[1], better[0]
            F[moved], J[moved], size[moved] = self.equations(y[moved], _rows(p, moved), values[moved])
            left[moved] = np.abs(F[moved]).max(axis=1) / size[moved]
        return y, left

    def found(self, y: Array, p: Array, values: Array, left: Array) -> bool:
        """Whether a state is steady to rounding, or so nearly that a further step leads nowhere: forces that fade far away have no zero."""
        if left[0] <= VANISHES or left[0] > NOTHING:
            return bool(left[0] <= VANISHES)
        F, J, _ = self.equations(y, p, values)
        step = np.linalg.lstsq(J[0], F[0], rcond=ROUNDING)[0]
        return bool((np.abs(step) <= _LEADS * (1 + np.abs(y[0]))).all())

    def _searched(
        self, y: Array, p: Array, values: Array, places: np.ndarray, step: Array, left: Array
    ) -> tuple[np.ndarray, Array] | None:
        """Those of the states that a part of the step makes better, and where it leads."""
        factor = 1.0
        found: dict[int, Array] = {}
        for _ in range(8):
            waiting = [k for k, place in enumerate(places) if int(place) not in found]
            if not waiting:
                break
            trial = y[places[waiting]] + factor * step[waiting]
            F, _, size = self.equations(trial, _rows(p, places[waiting]), values[places[waiting]])
            now = np.abs(F).max(axis=1) / size
            for k, value, row in zip(waiting, now, trial, strict=True):
                if value < left[places[k]]:
                    found[int(places[k])] = row
            factor /= 3
        return (np.array(list(found)), np.array(list(found.values()))) if found else None


def _rows(p: Array, places: np.ndarray) -> Array:
    return p if p.ndim == 1 else p[places]


@final
@dataclass(frozen=True, eq=False)
class SteadyMotion(Shown):
    """A motion that symmetries carry along; an equilibrium where there are none or they rest.

    Attributes
    ----------
    given
        What was held, by name.
    residual
        What is left of the equations beside their terms.
    """

    equations: Steadiness
    unknowns: Array
    p: Array
    given: dict[str, float]
    residual: float

    @classmethod
    def near(
        cls,
        field: VectorField,
        symmetries: tuple[Symmetry, ...],
        x: Array,
        p: Array,
        given: Mapping[str, float],
        inputs: tuple[str, ...] = (),
    ) -> SteadyMotion:
        """The steady motion nearest to a state, with the inputs that it needs; refused with what is left where there is none."""
        z = field.at(x[None], p).z[0]
        moved = _moved(symmetries, z, field)
        resting = {field.names[k]: float(z[k]) for k in moved}
        for whole in ({**resting, **given}, dict(given)):
            equations = Steadiness(field, symmetries, tuple(field.names.index(name) for name in whole), inputs)
            values = np.array([list(whole.values())]).reshape(1, -1)
            y, left = equations.solve(equations.start(x[None], p), p, values)
            # Where fewer coordinates are moved, as at the centre of a rotation, they could not all stay.
            there = _moved(symmetries, field.at(y[:, : x.size], p).z[0], field)
            if equations.found(y, p, values, left) and (whole.keys() >= resting.keys() or len(there) < len(moved)):
                found = equations.parameters(y, p)
                return cls(equations, y[0], found[0] if found.ndim > 1 else found, whole, float(left[0]))
        raise IntegrationProblem(_none(equations, y, p, values, given))

    @property
    def field(self) -> VectorField:
        return self.equations.field

    @property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """The fields that may carry the motion."""
        return self.equations.symmetries

    @property
    def x(self) -> Array:
        return self.unknowns[: self.equations.width]

    @property
    def moving(self) -> Array:
        """The state and how fast symmetries carry it, without inputs."""
        return self.unknowns[: self.equations.width + len(self.symmetries)]

    @property
    def inputs(self) -> dict[str, float]:
        """The constant inputs of the motion: those that it was solved for, and the others as they were given, or 0."""
        names = [s.name for s in self.field.model.parameter_symbols]
        return {name: float(self.p[names.index(name)]) for name in self.field.model.inputs}

    @cached_property
    def state(self) -> dict[str, float]:
        """Coordinates and velocities, by name: a start for `simulate`."""
        return dict(zip(self.field.names, map(float, self.field.at(self.x[None], self.p).z[0]), strict=True))

    @property
    def pace(self) -> dict[str, float]:
        """How fast each symmetry carries it."""
        rates = self.moving[self.x.size :]
        return {str(each): float(c) for each, c in zip(self.symmetries, rates, strict=True)}

    @cached_property
    def linearization(self) -> Linearization:
        """Its linear part."""
        return Linearization.at(self.field, self.x, self.p, self.symmetries)

    @property
    def verdict(self) -> str:
        """Its stability by eigenvalues: ``"stable"``, ``"marginal"`` or ``"unstable"``."""
        return self.linearization.verdict

    def is_stable(self, limit: float | None = 20.0) -> Finding:
        """Whether it is stable in Lyapunov's sense, modulo its symmetries: by eigenvalues where they decide, otherwise by what is conserved.

        The conserved quantities are those that ``conserved`` proves within ``limit`` seconds.

        >>> from anholonomy import System
        >>> hanging = System(name="pendulum", coordinates=["a"], lagrangian="a'^2/2 + cos(a)").steady_motions()
        >>> print(hanging.is_stable())
        the steady motion of pendulum is stable modulo its symmetries: proven, a'^2/2 - cos(a), which is conserved, is least (second variation from 1 to 1)
        """

        return stability_of(self, limit)

    def at(self, unknowns: Array, given: Mapping[str, float], residual: float, p: Array) -> SteadyMotion:
        """Another one of the same family."""
        return replace(self, unknowns=unknowns, given=dict(given), residual=residual, p=p)

    def follow(self, name: str, start: float, stop: float, points: int = 200) -> Branch:
        """The family over values of a coordinate, a velocity or a parameter; what else was given stays as it is.

        >>> from anholonomy.catalogue import leaning_disc
        >>> branch = leaning_disc().steady_motions(given={"phi'": 3.0}).follow("phi'", 1, 9)
        >>> print(branch.critical[0].kind, branch.verdicts[0], branch.verdicts[-1])
        real unstable marginal
        """
        from anholonomy.stability.steady_family import follow

        names = (*self.field.names, *(s.name for s in self.field.model.parameter_symbols))
        if name not in names:
            raise UnknownName(
                f"{self.field.model.name}: there is no {name!r:.60} to follow; {did_you_mean(str(name), names)}there are {', '.join(names)}."
            )
        if name in self.equations.inputs:
            raise UnknownName(
                f"{self.field.model.name}: {name} is what this steady motion was solved for; follow what was given, or give {name} a value instead."
            )
        origin = self
        if name in self.field.names and name not in self.given:
            held = {**self.given, name: self.state[name]}
            origin = replace(
                self, given=held, equations=replace(self.equations, given=tuple(map(self.field.names.index, held)))
            )
        low, high = finite_number(start), finite_number(stop)
        if low is None or high is None or low == high:
            raise IntegrationProblem(
                f"{self.field.model.name}: {name} cannot be followed from {start!r:.40} to {stop!r:.40}; give two different finite numbers."
            )
        if not (isinstance(points, int) and points >= 2):
            raise IntegrationProblem(f"{self.field.model.name}: points={points!r:.40} make no family; give 2 or more.")
        return follow(origin, name, float(low.mid()), float(high.mid()), points)

    def __repr__(self) -> str:
        return f"<{', '.join(line.strip() for line in str(self).splitlines())}>"

    def __str__(self) -> str:
        moving = [f"{c:.6g} ({each})" for each, c in self.pace.items() if abs(c) > 1e-12]
        state = ", ".join(f"{name} = {value:.6g}" for name, value in self.state.items() if abs(value) > 1e-12)
        kind = "carried by " + ", ".join(moving) if moving else "at rest"
        needs = ", ".join(
            f"{name} = {value:.6g}" for name, value in self.inputs.items() if value or name in self.equations.inputs
        )
        rows = [
            f"{self.field.model.name}: steady motion, {kind}",
            f"  {state or 'all zero'}",
            *([f"  with {needs}"] if needs else []),
        ]
        return "\n".join([*rows, f"  {self.verdict}"])


def _moved(symmetries: tuple[Symmetry, ...], z: Array, field: VectorField) -> list[int]:
    """Coordinates that symmetries move, one for each: they may stay where they are, whatever the steady motion is."""
    if not symmetries:
        return []
    S = np.stack([each.at(z) for each in symmetries], axis=1)[: len(field.model.coordinates)]
    return independent_rows(S, int(np.linalg.matrix_rank(S, tol=1e-10)))


def _none(equations: Steadiness, y: Array, p: Array, values: Array, given: Mapping[str, float]) -> str:
    field = equations.field
    F, _, _ = equations.equations(y, p, values)
    names = [f"{name}'" for name in field.names] + [c.label for c in field.model.on_positions] + list(given)
    worst = int(np.argmax(np.abs(F[0])))
    held = f" with {', '.join(f'{name} = {value:g}' for name, value in given.items())}" if given else ""
    driven = [name for name in field.model.inputs if name not in equations.inputs]
    cure = f", or solve for an input, as in inputs=[{driven[0]!r}]" if driven else ""
    return (
        f"{field.model.name}: no steady motion was found{held}; the nearest approach leaves {names[worst]} off by "
        f"{abs(F[0, worst]):.3g}, so give other values, or a state `near` one{cure}."
    )


# Stability by what is conserved: a critical point of a combination that is definite where the others are held.
#
# .. math:: dV = 0, \quad V = \mu^i C_i + \nu^j g_j, \qquad D^2V|_W > 0, \quad W = \ker dC \cap \ker dg \,/\, \mathfrak g'
#
# Then $V$ with a multiple of the squares of the other $C_i - C_i(z_0)$ is a function of Lyapunov's on the motions modulo the symmetries
# $\mathfrak g'$ that keep all of the $C_i$. Only quantities that are proven to be conserved are used: on constraints, momenta need not be.


_NEAR = 0.2
"""How far from the steady motion symmetries are tried on the quantities: far beyond rounding, and where all is finite."""


@final
@dataclass(frozen=True, repr=False)
class Definite(AbstractEvidence):
    """A conserved combination whose second variation is definite: its words and the rows of its matrix."""

    combination: str
    held: tuple[str, ...]
    rows: tuple[tuple[float, ...], ...]

    @property
    def matrix(self) -> Array:
        """The second variation."""
        return np.array(self.rows, dtype=float).reshape(len(self.rows), len(self.rows))

    @property
    def eigenvalues(self) -> Array:
        """Of the second variation, of one sign; none where nothing is left to vary."""
        return np.asarray(np.linalg.eigvalsh(self.matrix))

    def check(self) -> Verdict:
        return Verdict.PROVEN if is_definite(self.matrix) else Verdict.UNKNOWN

    def lines(self, whole: bool = False) -> list[str]:
        """What is least or greatest, and where."""
        where = (
            f" among motions with the same {' and '.join(name.removeprefix('the ') for name in self.held)}"
            if self.held
            else ""
        )
        if not self.matrix.size:
            return [f"what is conserved leaves it no neighbours but those that symmetries carry it to{where}"]
        low, high = np.abs(self.eigenvalues).min(), np.abs(self.eigenvalues).max()
        extreme = "least" if self.eigenvalues[0] > 0 else "greatest"
        return [
            f"{self.combination}, which is conserved, is {extreme}{where} (second variation from {low:.3g} to {high:.3g})"
        ]

    def latex(self) -> str:
        return in_words(self.text())


def is_definite(matrix: Array) -> bool:
    """Whether all eigenvalues have one sign, far from rounding."""
    if not matrix.size:
        return True
    found = np.linalg.eigvalsh(matrix)
    return bool((found > 0).all() or (found < 0).all()) and float(np.abs(found).min() / np.abs(found).max()) > CLEAR


def definite_combination(steady: SteadyMotion, laws: Sequence[tuple[str, Expr]]) -> Definite | None:
    """A combination of conserved quantities that is definite at a steady motion; None where there is none."""
    if not laws:
        return None
    function = _Conserved(steady, [each for _, each in laws])
    x = steady.x
    G = function.slopes(x)
    size = np.linalg.norm(G, axis=1)
    varies = size > NOTHING * max(1.0, float(size.max()))
    size = np.where(varies, size, 1.0)
    scaled = np.where(varies[:, None], G / size[:, None], 0.0)
    critical = kernel(scaled.T, 1.0).T / size
    if not len(critical):
        return None
    W = kernel(scaled, 1.0)
    B = _away_from(W, _kept(steady, function, critical[:, : len(laws)]))
    forms = [B.T @ function.bend(x, row) @ B for row in critical]
    best = _most_definite(forms)
    if best is None:
        return None
    weights = (best[0] @ critical)[: len(laws)]
    used = [k for k in range(len(laws)) if abs(weights[k]) > 1e-9 * np.abs(weights).max()]
    moving = [laws[k][0] for k in range(len(laws)) if varies[k]]
    held = tuple(name for name in moving if len(used) > 1 or name != laws[used[0]][0])
    return Definite(
        _said([(weights[k] / weights[used[0]], laws[k][0]) for k in used]),
        held,
        tuple(map(tuple, (best[1] / weights[used[0]]).tolist())),
    )


@final
class _Conserved:
    """Conserved quantities, then what holds positions, as functions of $x$."""

    def __init__(self, steady: SteadyMotion, laws: Sequence[Expr]) -> None:
        field = steady.field
        program = Compiled(field.equations).values_of((*laws, *field.equations.observables.positions))
        pulled = against_covector(program)
        self.count, self.width, self.p = len(program.outputs), len(program.states), steady.p
        self._values, self._slopes = fast_function(program), fast_function(pulled)
        self._bend = fast_function(along_direction(pulled, pulled.states[: self.width]))

    def values(self, states: Array) -> Array:
        """A row for each state."""
        return np.asarray(self._values(0.0, states.T, np.repeat(self.p[:, None], len(states), axis=1)).T)

    def slopes(self, x: Array) -> Array:
        """A row for each."""
        inputs = np.hstack([np.tile(x, (self.count, 1)), np.eye(self.count)])
        return np.asarray(self._slopes(0.0, inputs.T, np.repeat(self.p[:, None], self.count, axis=1)).T)

    def bend(self, x: Array, weights: Array) -> Array:
        """The second derivatives of a combination."""
        n = self.width
        inputs = np.hstack([np.tile(np.concatenate([x, weights]), (n, 1)), np.eye(n)])
        out = self._bend(0.0, inputs.T, np.repeat(self.p[:, None], n, axis=1))[n:]
        return np.asarray((out + out.T) / 2)


def _kept(steady: SteadyMotion, function: _Conserved, critical: Array) -> Array:
    r"""The directions at the steady motion of symmetries that keep what is critical, and only turn how far the quantities are from there.

    .. math:: \Xi(F) = A\,(F - F_0), \qquad A^{\mathsf T} = -A, \qquad w A = 0 \quad\text{for}\quad V = w\cdot F

    Then $V$ and $|F - F_0|^2$ are the same all along the orbit of the symmetry, and so is a proof: of the rotations of a free
    body, which turn its momentum, those about the momentum remain.
    """
    field, found, count = steady.field, steady.symmetries, critical.shape[1]
    if not found:
        return np.empty((steady.x.size, 0))
    rng = np.random.default_rng(7)
    planes = [(i, j) for i in range(count) for j in range(i)]
    states = field.on_positions(steady.x + _NEAR * rng.normal(size=(8 + len(planes), steady.x.size)), steady.p)
    jet, rows = field.jet(states, steady.p), []
    away = function.values(states)[:, :count] - function.values(steady.x[None])[:, :count]
    for k, state in enumerate(states):
        fields = np.stack([each.at(jet.z[k]) for each in found], axis=1)
        v = np.linalg.lstsq(jet.slopes.z[k], fields, rcond=None)[0]
        G = function.slopes(state)[:count]
        turned = np.zeros((count, len(planes)))
        for column, (i, j) in enumerate(planes):
            turned[i, column], turned[j, column] = -away[k, j], away[k, i]
        rows.append(np.hstack([G @ v, turned]) / np.maximum(np.linalg.norm(G, axis=1), 1e-300)[:, None])
    for w in critical:  # w A, a row for each of its entries
        idle = np.zeros((count, len(found) + len(planes)))
        for column, (i, j) in enumerate(planes, len(found)):
            idle[j, column], idle[i, column] = w[i], -w[j]
        rows.append(idle / max(float(np.linalg.norm(w)), 1e-300))
    combined = kernel(np.vstack(rows), 1.0)[: len(found)]
    here = field.jet(steady.x[None], steady.p)
    fields = np.stack([each.at(here.z[0]) for each in found], axis=1) @ combined
    return np.asarray(np.linalg.lstsq(here.slopes.z[0], fields, rcond=None)[0])


def _away_from(W: Array, S: Array) -> Array:
    """A basis of what is left of a space beside some of its directions."""
    inside = W.T @ S
    if not inside.size:
        return W
    return np.asarray(W @ split(inside, 1.0)[1])


def _most_definite(forms: Sequence[Array]) -> tuple[Array, Array] | None:
    """A combination of quadratic forms that is definite, looked for by the least eigenvalue, which is concave."""
    from scipy.optimize import minimize

    for k, form in enumerate(forms):
        if is_definite(form):
            return np.eye(len(forms))[k], form
    if len(forms) < 2 or not forms[0].size:
        return None
    size = max(float(np.abs(form).max()) for form in forms)

    def least(c: Array) -> float:
        whole = sum(a * form for a, form in zip(c, forms, strict=True))
        return -float(np.linalg.eigvalsh(whole)[0]) / (size * max(float(np.linalg.norm(c)), 1e-12))

    for start in (*np.eye(len(forms)), *-np.eye(len(forms)), *np.random.default_rng(2).normal(size=(6, len(forms)))):
        c = np.asarray(minimize(least, start, method="Nelder-Mead").x)
        whole = np.asarray(sum(a * form for a, form in zip(c, forms, strict=True)))
        if is_definite(whole):
            return c, whole
    return None


def _said(terms: Sequence[tuple[float, str]]) -> str:
    """A sum with its coefficients, names that are sums in brackets."""
    parts = []
    for c, name in terms:
        whole = f"({name})" if len(terms) > 1 and (" + " in name or " - " in name or name[0].isdigit()) else name
        size = "" if abs(abs(c) - 1) < 1e-12 else f"{abs(c):.6g} "
        parts.append(f"{'-' if c < 0 else '+'} {size}{whole}")
    return " ".join(parts).removeprefix("+ ")


# Whether a steady motion is stable, modulo its symmetries, in Lyapunov's sense: proven, refuted or unknown.
#
# .. math:: \mathrm{Re}\,\lambda > 0 \ \text{(refuted)}, \qquad D^2V > 0 \ \text{or}\ \mathrm{Re}\,\lambda < 0 \ \text{but for a family (proven)}
#
# Eigenvalues on the imaginary axis prove nothing. Zeros are harmless where they are as many as the family of steady motions has dimensions and
# everything else decays (Lyapunov and Malkin); what oscillates needs a conserved quantity that is least or greatest.


_CLEAR = 1e-5
"""Real parts that prove something, beside the largest eigenvalue."""
_STATES = 3
"""States at which it is seen what symmetries do to a law."""
_STEP, _PULL = 0.1, 0.2
"""How far neighbours in a family are looked for, and how far from there they may be, beside it."""


@final
@dataclass(frozen=True, repr=False)
class Spectrum(AbstractEvidence):
    """The rows of the linear part, and the dimension of the family of steady motions through the one in question."""

    rows: tuple[tuple[float, ...], ...]
    family: int

    def check(self) -> Verdict:
        return Verdict.PROVEN if self.grows or self.decays else Verdict.UNKNOWN

    @property
    def eigenvalues(self) -> np.ndarray:
        """From the one that grows fastest on."""
        found = np.linalg.eigvals(np.array(self.rows).reshape(len(self.rows), -1))
        return np.asarray(found[np.argsort(-found.real)])

    @property
    def _clear(self) -> float:
        return _CLEAR * max(float(np.abs(self.eigenvalues).max(initial=0.0)), 1e-300)

    @property
    def grows(self) -> bool:
        """Whether an eigenvalue has a positive real part, far from rounding."""
        return bool((self.eigenvalues.real > self._clear).any())

    @property
    def decays(self) -> bool:
        """Whether all decay but as many zeros as the family has dimensions."""
        found = self.eigenvalues
        idle = np.abs(found) <= self._clear
        return bool((found[~idle].real < -self._clear).all() and idle.sum() == self.family and (~idle).any())

    def lines(self, whole: bool = False) -> list[str]:
        """What decides."""
        found = self.eigenvalues
        if self.grows:
            swings = f" ± {abs(found[0].imag):.6g}i" if abs(found[0].imag) > self._clear else ""
            return [f"the linear part has the eigenvalue {found[0].real:.6g}{swings}"]
        if self.decays:
            slowest = found[np.abs(found) > self._clear][0].real
            zeros = f" but those of the family of steady motions, {self.family} in number," if self.family else ""
            return [f"all eigenvalues{zeros} decay, the slowest at {slowest:.6g}"]
        return ["the linear part neither grows nor decays"]

    def latex(self) -> str:
        return in_words(self.text())


def stability_of(steady: SteadyMotion, limit: float | None) -> Finding:
    """By eigenvalues where they decide, and by what is conserved otherwise."""
    claim = f"the steady motion of {steady.field.model.name} is stable modulo its symmetries"
    spectrum = Spectrum(tuple(map(tuple, steady.linearization.part.A.tolist())), family_dimension(steady))
    if spectrum.grows:
        return Finding(claim, Verdict.REFUTED, (spectrum,))
    if spectrum.decays:
        return Finding(claim, Verdict.PROVEN, (spectrum,))
    laws, why = _laws(steady, limit)
    # A law that the symmetries change, as the axis of an ellipse, says nothing modulo these, and may stand in the way of others.
    still = [each for each in laws if _is_left_alone(each[1], steady)]
    found = definite_combination(steady, laws)
    if found is None and len(still) < len(laws):
        found = definite_combination(steady, still)
    if found is not None:
        return Finding(claim, Verdict.PROVEN, (found,))
    names = ", ".join(name for name, _ in laws)
    tried = f"no combination of {names} is definite there" if laws else "nothing is known to be conserved"
    return Finding(claim, Verdict.UNKNOWN, (spectrum, Reason(f"{tried}{why}")))


def _laws(steady: SteadyMotion, limit: float | None) -> tuple[list[tuple[str, Expr]], str]:
    """What is proven to be conserved, by short names."""
    model = steady.field.model
    try:
        found = conserved(model, limit=limit)
    except Refusal as trouble:
        return [], f" ({trouble})"
    laws = [law for law in found if law and time not in free_symbols([law.expression])]
    energies, others = [law for law in laws if law.kind == "energy"], [law for law in laws if law.kind != "energy"]
    named = [("the energy", law.expression) for law in energies]
    # Laws whose coefficients solve the same equations have the same quantities near a state.
    values = {each: "" if law.coefficients else to_text(law.named) for law in others for each in law.near(steady.state)}
    named += [
        (text if 0 < len(text) < 40 else f"integral {k}", each) for k, (each, text) in enumerate(values.items(), 1)
    ]
    return named, f" ({found.gave_up})" if found.gave_up else ""


def _is_left_alone(F: Expr, steady: SteadyMotion) -> bool:
    """Whether the symmetries do not change a law, as doubles see it at some states."""
    names, rng = {s.name: s for s in F.free_symbols}, np.random.default_rng(1)
    for each in steady.symmetries:
        for z in rng.uniform(0.5, 1.5, (_STATES, len(each.names))):
            at = {s: symengine.RealDouble(rng.uniform(0.5, 1.5)) for s in F.free_symbols}
            at |= {names[n]: symengine.RealDouble(value) for n, value in zip(each.names, z, strict=True) if n in names}
            moved = [(c, names[n]) for n, c in zip(each.names, each.at(z), strict=True) if n in names and c]
            slopes = [c * complex(partial(F, s).xreplace(at)) for c, s in moved]
            if abs(sum(slopes)) > HALF * (1 + sum(map(abs, slopes))):
                return False
    return True


def family_dimension(steady: SteadyMotion) -> int:
    """How many dimensions the steady motions near by have modulo the symmetries; -1 where that changes from one to the next."""
    equations = Steadiness(steady.field, steady.symmetries, ())
    dimension, tangent = _dimension(equations, steady.moving, steady.p)
    # A zero of the linear part that is none of the family, as of y^3, pulls the neighbours back.
    for way in (*tangent.T, *-tangent.T):
        near = steady.moving + _STEP * way
        y, left = equations.solve(near[None], steady.p, np.empty((1, 0)))
        pulled = float(np.linalg.norm(y[0] - near))
        if left[0] > 1e-11 or pulled > _PULL * _STEP or _dimension(equations, y[0], steady.p)[0] != dimension:
            return -1
    return dimension


def _dimension(equations: Steadiness, y: Array, p: Array) -> tuple[int, Array]:
    width = equations.width
    _, J, _ = equations.equations(y[None], p, np.empty((1, 0)))
    null = kernel(J[0], tolerance=HALF)
    z = equations.field.at(y[None, :width], p).z[0]
    carried = (
        np.stack([each.at(z) for each in equations.symmetries], axis=1)
        if equations.symmetries
        else np.zeros((z.size, 0))
    )
    moved = equations.field.jet(y[None, :width], p).slopes.z[0] @ null[:width]
    rank = np.linalg.matrix_rank(np.hstack([moved, carried]), tol=1e-7) - (
        np.linalg.matrix_rank(carried, tol=1e-9) if carried.size else 0
    )
    return int(rank), np.asarray(null)
