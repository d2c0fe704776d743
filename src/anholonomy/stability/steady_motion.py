r"""Steady motions: equilibria, and motions that symmetries carry along.

.. math:: f(z) = c^k\,\Xi_k(z), \qquad g(q) = 0, \qquad z_i = \text{given}

They are found by Gauss and Newton's method with exact derivatives, from a state near by and by the shortest steps, since symmetries and
families leave directions open. Their stability is proven in `stability_proof`, and families of them are followed in `steady_family`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from anholonomy.algebra.expressions import Symbol
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import IntegrationError, UnknownNameError, quoted
from anholonomy.base.notebook import Shown
from anholonomy.base.tolerances import NOTHING, ROUNDING, VANISHES
from anholonomy.findings import Finding
from anholonomy.language.suggestions import did_you_mean
from anholonomy.motion.problem.one_motion import start_point
from anholonomy.motion.vector_field import VectorField, field_at
from anholonomy.programs.backends.base import Array
from anholonomy.stability.affine_symmetries import Symmetry, symmetries
from anholonomy.stability.exact_symmetries import proven_symmetries
from anholonomy.stability.linear_part import independent_rows, velocities_of_symmetries
from anholonomy.stability.linearization import Linearization
from anholonomy.stability.stability_proof import stability_of
from anholonomy.stability.states_by_name import (
    admissible_state,
    input_names,
    numbers_by_name,
    parameter_places,
    refuse_nameless,
    refuse_unknown,
)
from anholonomy.stability.steady_family import SteadyFamily, follow
from anholonomy.system.model import Model
from anholonomy.system.states.complete_state import finite_number

__all__ = ["SteadyMotion", "steady_motion"]

_STEPS = 40
"""Newton's steps after which a start is given up."""
_LEADS = 0.01
"""A step this long beside what it changes leads away: at a double or triple zero it is shorter, at one that is infinitely far it is not."""


def steady_motion(
    model: Model, given: Mapping[str, object], near: Mapping[str, object] | None, inputs: Sequence[str]
) -> SteadyMotion:
    """The steady motion nearest to a state, with the inputs that it needs."""
    for word, said in (("given", given), *((("near", near),) if near is not None else ())):
        refuse_nameless(model, word, said)
    inputs = input_names(model, inputs)
    values = numbers_by_name(model, given, model.inputs)
    for name in inputs:
        refuse_unknown(model, name, model.inputs, "inputs", "input")
        if name in values:
            raise UnknownNameError(
                f"{model.name}: {name} is given and solved for; leave it out of `given`, or of `inputs`."
            )
    point = _near(model, {**(near if near is not None else model.start or {}), **values})
    field, x, p = field_at(model, point)
    places = tuple(parameter_places(model, inputs))
    found = proven_symmetries(field, symmetries(field, x, p, inputs=places), x, p, places)
    held = {name: value for name, value in values.items() if name not in model.inputs}
    return SteadyMotion.near(field, found, x, p, held, inputs)


def _near(model: Model, values: Mapping[str, object]) -> dict[Symbol, float]:
    """A state from what is known of it: what is not is zero, or the identity of a group; then it is put on the constraints."""
    rest = {
        q.name: float(value)
        for q, value in zip(model.coordinates, model.frame.origin or [0.0] * len(model.coordinates), strict=True)
    }
    still = {w.name: 0.0 for w in model.velocities}
    idle = dict.fromkeys(model.inputs, 0.0)
    return start_point(model.independent, (), {**rest, **still, **idle, **values}, True)


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
        raise IntegrationError(_none(equations, y, p, values, given))

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
        names = self.field.model.inputs
        return dict(zip(names, map(float, self.p[parameter_places(self.field.model, names)]), strict=True))

    @cached_property
    def state(self) -> dict[str, float]:
        """Coordinates and velocities, by name: a start for `simulate`, so on the constraints to the last digit."""
        return admissible_state(self.field, self.field.at(self.x[None], self.p).z[0], self.p)

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

    def is_stable(self, time_limit: float | None = 20.0) -> Finding:
        """Whether it is stable in Lyapunov's sense, modulo its symmetries: by eigenvalues where they decide, otherwise by what is conserved.

        The conserved quantities are those that ``conserved`` proves within ``time_limit`` seconds.

        >>> from anholonomy import System
        >>> hanging = System(name="pendulum", coordinates=["a"], lagrangian="a'^2/2 + cos(a)").stability.steady_motion()
        >>> print(hanging.is_stable())
        the steady motion of pendulum is stable modulo its symmetries: proven, the energy, which is conserved, is least (second variation from 1 to 1)
        """
        return stability_of(self, time_limit)

    def at(self, unknowns: Array, given: Mapping[str, float], residual: float, p: Array) -> SteadyMotion:
        """Another one of the same family."""
        return replace(self, unknowns=unknowns, given=dict(given), residual=residual, p=p)

    def follow(self, name: str, start: float, stop: float, points: int = 200) -> SteadyFamily:
        """The family over values of a coordinate, a velocity or a parameter; what else was given stays as it is.

        >>> from anholonomy.catalogue import leaning_disc
        >>> branch = leaning_disc().stability.steady_motion(fixed={"phi'": 3.0}).follow("phi'", 1, 9)
        >>> print(branch.critical[0].kind, branch.verdicts[0], branch.verdicts[-1])
        real unstable marginal
        """
        names = (*self.field.names, *(s.name for s in self.field.model.parameter_symbols))
        if name not in names:
            raise UnknownNameError(
                f"{self.field.model.name}: there is no {quoted(name)} to follow; {did_you_mean(str(name), names)}there are {', '.join(names)}."
            )
        if name in self.equations.inputs:
            raise UnknownNameError(
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
            raise IntegrationError(
                f"{self.field.model.name}: {name} cannot be followed from {quoted(start)} to {quoted(stop)}; give two different finite numbers."
            )
        if not (isinstance(points, int) and points >= 2):
            raise IntegrationError(f"{self.field.model.name}: points={quoted(points)} make no family; give 2 or more.")
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
        return parameter_places(self.field.model, self.inputs)

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
        if not (np.isfinite(F).all() and np.isfinite(J).all()):
            return False
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
