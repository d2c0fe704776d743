r"""Quantities of equations of motion as compiled functions of time, a state and parameters; and their Jacobians.

Two kinds of input serve all principles alike. The *state* $(q, u)$ is what the principle integrates; the *motion*
$(q, w)$ is coordinates and velocities in the system's own words, from which the speeds follow:

.. math:: w = W(q, u, t), \quad J = \partial W/\partial u
   \quad\Longrightarrow\quad J u + e = w - W(q, 0, t), \quad J^{\mathsf T} e = 0 .

A Jacobian $\partial y_i/\partial s_j$ is a function whose result is a matrix. Coordinates that an invariant ties together (the entries of a
quaternion) are varied one by one all the same: the derivative along a motion is the matrix times a velocity that keeps the invariant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
import symengine
from numpy.typing import ArrayLike

from anholonomy.algebra.expressions import Expr, Symbol, Vector, free_symbols, replaced, symbol, time, zero
from anholonomy.algebra.numbers.balls import ball, precision
from anholonomy.algebra.steps.definitions import Assign, Solve, Step
from anholonomy.base.caching import cached_property
from anholonomy.base.errors import ArgumentError, Error, NotSupportedError, UnknownNameError, quoted
from anholonomy.base.notebook import Shown
from anholonomy.equations.equations_of_motion import EquationsOfMotion
from anholonomy.language.arguments import expect_list
from anholonomy.language.suggestions import did_you_mean, same_name
from anholonomy.programs.backends import BACKENDS
from anholonomy.programs.backends.base import AbstractBackend, Array, Function, Unsupported
from anholonomy.programs.backends.casadi import casadi_function
from anholonomy.programs.backends.jax import jax_function
from anholonomy.programs.derivatives import jacobian
from anholonomy.programs.program import Program, lower
from anholonomy.system.declaration.unspecified_functions import refuse_unspecified

__all__ = ["QUANTITIES", "Export", "ExportedFunction", "Quantity", "Jacobian", "jacobian_of"]


QUANTITIES = ("rates", "velocities", "state", "accelerations", "reactions", "multipliers", "energy")
"""What can be exported; the first two are functions of the state, the others of the motion."""
SOLVING: dict[str, AbstractBackend] = {name: each for name, each in BACKENDS.items() if each.handles_solves}
"""Those that solve linear systems with pivots of their own choice, so that every state is as good as any other."""

_TIDY = 300
"""Up to this many operations, definitions included, it takes a fraction of a second to tidy equations."""


@final
@dataclass(frozen=True)
class Quantity:
    """One function: its program and the user's names for what goes in and comes out, in order."""

    name: str
    program: Program
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


@final
@dataclass(frozen=True, repr=False)
class ExportedFunction(Shown):
    """A compiled quantity, called as ``f(t, x, p)``; without ``p`` the declared values of the parameters count.

    ``inputs``, ``parameters`` and ``outputs`` name the entries of ``x``, ``p`` and the result. A second axis of ``x``
    (and of ``p``, or an axis of ``t``) is a batch. The last entries of ``p`` are the inputs of the system, in their order; they may be
    given by themselves as ``u``.
    """

    quantity: Quantity
    parameters: tuple[tuple[str, float | None], ...]
    compiled: Function
    equations: EquationsOfMotion

    def __repr__(self) -> str:
        x, p = (f"[{', '.join(names)}]" for names in (self.inputs, [name for name, _ in self.parameters]))
        said = (
            f"t, {x}, {p}"
            if len(x) + len(p) < 120
            else f"t, {len(self.inputs)} values, {len(self.parameters)} parameters"
        )
        return f"ExportedFunction({self.quantity.name!r} of {self.equations.model.name!r}: {said})"

    @property
    def inputs(self) -> tuple[str, ...]:
        return self.quantity.inputs

    @property
    def outputs(self) -> tuple[str, ...]:
        return self.quantity.outputs

    def __call__(self, t: ArrayLike, x: ArrayLike, p: ArrayLike | None = None, u: ArrayLike | None = None) -> Array:
        return self.compiled(*self._arguments(t, x, p, u))

    @property
    def pushing(self) -> tuple[str, ...]:
        """The inputs of the system: the entries of ``u``."""
        return self.equations.model.inputs

    def singular(self, t: ArrayLike, x: ArrayLike, p: ArrayLike | None = None) -> tuple[str, ...]:
        """What vanishes at one state that the equations divide by, so that the function is not to be trusted there.

        Numbers count as rounded: what cannot be told from zero vanishes. Empty where the equations are regular.
        """
        times, states, values = self._arguments(t, x, p)
        if times.ndim or states.ndim != 1:
            raise ArgumentError(f"{self.quantity.name}: `singular` looks at one state; give one `t` and one `x`.")
        model = self.equations.model
        names = (time, *model.coordinates, *model.parameter_symbols)
        with precision(20):
            numbers = (float(times), *states[: len(model.coordinates)], *values)
            return self.equations.divisors.vanishing({s: ball(float(v)) for s, v in zip(names, numbers, strict=True)})

    def _arguments(
        self, t: ArrayLike, x: ArrayLike, p: ArrayLike | None, u: ArrayLike | None = None
    ) -> tuple[Array, Array, Array]:
        times, states = self._numbers(t, "t"), self._numbers(x, "x")
        own = self.parameters if u is None else self.parameters[: -len(self.pushing) or None]
        values = default_values(own, self.pushing) if p is None else self._numbers(p, "p")
        values = values if u is None else _joined(values, self._numbers(u, "u"))
        for given, names, what in ((states, self.inputs, "x"), (values, [name for name, _ in self.parameters], "p")):
            rows = given.shape[0] if given.ndim else -1
            if rows != len(names):
                raise ArgumentError(
                    f"{self.quantity.name}: `{what}` has the shape {given.shape}; give {len(names)} values, in the order "
                    f"({', '.join(names)})."
                )
        return times, states, values

    def _numbers(self, given: ArrayLike, what: str) -> Array:
        try:
            return np.asarray(given, dtype=float)
        except (TypeError, ValueError, OverflowError):
            raise ArgumentError(f"{self.quantity.name}: `{what}` is {quoted(given)}; give numbers.") from None


def _joined(values: Array, pushing: Array) -> Array:
    """Parameters, then inputs; where only one of them is a batch, the other is the same for all of it."""
    batch = np.broadcast_shapes(values.shape[1:], pushing.shape[1:])
    parts = [
        part.reshape(*part.shape, *(1,) * (1 + len(batch) - part.ndim)) for part in (values, np.atleast_1d(pushing))
    ]
    return np.concatenate([np.broadcast_to(part, (len(part), *batch)) for part in parts])


def default_values(parameters: tuple[tuple[str, float | None], ...], inputs: tuple[str, ...] = ()) -> Array:
    """The declared values; refused where one was left free."""
    if free := [name for name, value in parameters if value is None]:
        if free[0] in inputs:
            raise ArgumentError(
                f"the input {free[0]} has no value; give it in `u`, or as one of the last entries of `p`."
            )
        raise ArgumentError(f"the parameter {free[0]} has no value; give `p`, or declare one.")
    return np.array([value for _, value in parameters], dtype=float)


@final
@dataclass(frozen=True)
class Export:
    """Equations of motion as functions for other programs."""

    equations: EquationsOfMotion

    def __post_init__(self) -> None:
        refuse_unspecified(self.equations.model, "an export")

    @cached_property
    def _form(self) -> EquationsOfMotion:
        """The equations as they are or tidied, whichever makes the shorter program without loss of digits."""
        e = self.equations
        written = e.operation_count + int(symengine.count_ops(*(step.value for step in e.definitions)))
        if written > _TIDY:
            return e
        return min((e, e.compact), key=lambda form: self._quantity(form, "rates").program.operations)

    @property
    def parameters(self) -> tuple[tuple[str, float | None], ...]:
        return self.equations.model.parameter_items

    def quantity(self, of: str) -> Quantity:
        """The quantity of that name."""
        if not isinstance(of, str) or of not in QUANTITIES:
            guess = did_you_mean(of, QUANTITIES)
            raise UnknownNameError(
                f"there is no quantity {quoted(of)} to export; {guess}choose from {', '.join(QUANTITIES)}."
            )
        if of == "energy" and not self.equations.observables.energy:
            raise NotSupportedError(f"{self._title} has no Lagrangian, and so no energy to export.")
        return self._quantity(self._form, of)

    def _quantity(self, e: EquationsOfMotion, of: str) -> Quantity:
        model, q, w = e.model, e.model.coordinates, e.model.velocities
        if of in ("rates", "velocities"):
            outputs = (*e.coordinate_rates, *e.rates) if of == "rates" else w
            program = lower(e.state, model.parameter_symbols, e.unknown_steps, outputs)
            return Quantity(of, program, _names(e.state), _names(e.state, "'") if of == "rates" else _names(w))
        seen = e.observables
        outputs, labels = {
            "state": (e.state, _names(e.state)),
            "accelerations": (seen.accelerations, _names(w, "'")),
            "reactions": (seen.reactions, _names(w)),
            "multipliers": (e.multipliers or seen.multipliers, tuple(c.label for c in model.constraints)),
            "energy": (seen.energy, ("energy",) * len(seen.energy)),
        }[of]
        given = tuple(symbol(f"$v{i}") for i in range(len(w)))
        steps = (*speeds_from(e, given), *seen.steps)
        program = lower((*q, *given, *e.costates), model.parameter_symbols, steps, outputs)
        return Quantity(of, program, _names((*q, *w, *e.costates)), labels)

    def function(self, backend: str, of: str) -> ExportedFunction:
        """A quantity compiled by the backend of that name."""
        return self.compiled(self.quantity(of), backend)

    def compiled(self, quantity: Quantity, backend: str) -> ExportedFunction:
        """A quantity as a function, by the backend of that name."""
        chosen = _backend(backend)
        try:
            return ExportedFunction(quantity, self.parameters, chosen.compile(quantity.program), self.equations)
        except Unsupported as problem:
            raise NotSupportedError(
                f"{self._title}: {problem}; take backend='numpy' or 'jax', or redundant='drop'."
            ) from None
        except ImportError:
            raise missing(backend) from None

    def casadi(self, of: str, name: str) -> Any:
        """The quantity as a ``casadi.Function`` of ``t``, ``x`` and ``p``."""
        program = self.regular(of).program
        try:
            return casadi_function(program, name, "dx" if of == "rates" else of)
        except ImportError:
            raise missing("casadi") from None

    def jax(self, of: str) -> Callable[..., Any]:
        """The quantity as a pure function of JAX arrays."""
        quantity, parameters = self.quantity(of), self.parameters
        try:
            function = jax_function(quantity.program)
        except ImportError:
            raise missing("jax") from None

        inputs = self.equations.model.inputs

        def exported(t: Any, x: Any, p: Any = None) -> Any:
            return function(t, x, default_values(parameters, inputs) if p is None else p)

        exported.__doc__ = f"({', '.join(quantity.outputs)}) from t, ({', '.join(quantity.inputs)}) and parameters."
        return exported

    def regular(self, of: str) -> Quantity:
        """The quantity, refused where its linear systems may be dependent."""
        quantity = self.quantity(of)
        if quantity.program.has_least_squares:
            raise NotSupportedError(
                f"{self._title} by {self.equations.principle}: dependent equations are solved by least squares, which "
                "only the backends numpy and jax do; declare it with redundant='drop'."
            )
        return quantity

    @property
    def _title(self) -> str:
        return self.equations.model.name


def speeds_from(e: EquationsOfMotion, given: Vector) -> list[Step]:
    """The steps from coordinates and velocities, these called ``given``, to the speeds of the equations."""
    velocities = e.model.velocities
    place = dict(zip(velocities, given, strict=True))
    wanted = tuple(u for u in e.speeds if u not in e.costates)
    if all(u in place for u in wanted):
        return [Assign(u, place[u]) for u in wanted]
    if e.speed_values and e.frame is not None:
        steps, meant = _renamed(e.frame.definitions, place)
        return [*steps, *(Assign(u, value.xreplace(meant)) for u, value in zip(e.speeds, e.speed_values, strict=True))]
    columns = [tuple(row[e.speeds.index(u)] for row in e.acceleration_matrix) for u in wanted]
    _refuse_unless_affine(e, columns, wanted)
    # The definitions once more, under other names and at rest in the speeds, for W(q, 0, t) and J.
    steps, rest = _renamed(e.definitions, dict.fromkeys(wanted, zero))
    J = [tuple(entry.xreplace(rest) for entry in column) for column in columns]
    gap = tuple(v - w.xreplace(rest) for w, v in place.items())
    # As the saddle-point system of least squares, because the normal equations square the condition of J.
    excess = tuple(symbol(f"$e{i}") for i in range(len(gap)))
    unit = [tuple(symengine.Integer(int(i == k)) for k in range(len(gap))) for i in range(len(gap))]
    above = [(*row, *(column[i] for column in J)) for i, row in enumerate(unit)]
    below = [(*column, *(zero,) * len(J)) for column in J]
    return [*steps, Solve((*excess, *wanted), (*above, *below), (*gap, *(zero,) * len(J)))]


def _renamed(definitions: Sequence[Assign], known: Mapping[Symbol, Expr]) -> tuple[list[Step], dict[Symbol, Expr]]:
    """The definitions under other names, with some symbols ``known``; and what every symbol then stands for."""
    meant, steps = dict(known), list[Step]()
    for step in definitions:
        value = replaced(step.value, meant)
        if value.args:
            steps.append(Assign(symbol(f"$0{step.target.name}"), value))
            value = steps[-1].targets[0]
        meant[step.target] = value
    return steps, meant


def _refuse_unless_affine(e: EquationsOfMotion, columns: list[Vector], wanted: tuple[Symbol, ...]) -> None:
    used = free_symbols(entry for column in columns for entry in column)
    for step in reversed(e.definitions):
        if step.target in used:
            used |= step.value.free_symbols
    if used & set(wanted):
        raise NotSupportedError(
            f"{e.model.name}: the velocities are not linear in the speeds of {e.principle}; export its rates, or derive "
            "by 'lagrange-dalembert'."
        )


def _backend(name: str) -> AbstractBackend:
    if known := same_name(name, SOLVING):
        return SOLVING[known]
    raise UnknownNameError(
        f"there is no backend {quoted(name)}; {did_you_mean(name, SOLVING)}choose from {', '.join(SOLVING)}."
    )


def _names(symbols: Iterable[Symbol], primes: str = "") -> tuple[str, ...]:
    return tuple(s.name + primes for s in symbols)


def missing(package: str) -> Error:
    """The sentence for a package that is not installed."""
    return Error(f"{package} is not installed; `pip install anholonomy[{package}]` brings it.")


@final
@dataclass(frozen=True)
class Jacobian(Shown):
    """A compiled matrix of derivatives, called as ``J(t, x, p)``: ``rows`` by ``columns``, and a batch as the last axis.

    What ``x`` and ``p`` hold, and when ``p`` may be left out, is as in the function that is differentiated.
    """

    function: ExportedFunction
    rows: tuple[str, ...]
    columns: tuple[str, ...]

    @property
    def inputs(self) -> tuple[str, ...]:
        """The entries of ``x``."""
        return self.function.inputs

    def __call__(self, t: ArrayLike, x: ArrayLike, p: ArrayLike | None = None, u: ArrayLike | None = None) -> Array:
        values = self.function(t, x, p, u)
        return values.reshape(len(self.rows), len(self.columns), *values.shape[1:])


def jacobian_of(export: Export, by: Any, of: str, backend: str) -> Jacobian:
    """The derivatives of a quantity by the ``"state"``, the ``"parameters"``, the ``"inputs"``, or what a list names."""
    quantity = export.quantity(of)
    program = quantity.program
    parameters = tuple(name for name, _ in export.parameters)
    known = dict(zip(quantity.inputs, program.states, strict=True)) | dict(
        zip(parameters, program.parameters, strict=True)
    )
    columns = _columns(
        by,
        {"state": quantity.inputs, "parameters": parameters, "inputs": export.equations.model.inputs},
        known | {time.name: time},
    )
    symbols = [time if name == time.name else known[name] for name in columns]
    names = tuple(f"d({row})/d({column})" for row in quantity.outputs for column in columns)
    derived = Quantity(f"the Jacobian of {of}", jacobian(program, symbols), quantity.inputs, names)
    return Jacobian(export.compiled(derived, backend), quantity.outputs, columns)


def _columns(by: Any, sets: Mapping[str, tuple[str, ...]], known: Mapping[str, Symbol]) -> tuple[str, ...]:
    """The names by which to differentiate."""
    if isinstance(by, str) and by in sets:
        return sets[by]
    expect_list(
        by,
        "`by`",
        "'state', 'parameters', 'inputs', or a list of their names and 't'",
        verb="is",
        refusal=ArgumentError,
    )
    names = tuple(dict.fromkeys(map(str, by)))
    for name in names:
        if name not in known:
            raise UnknownNameError(
                f"there is no {quoted(name)} to differentiate by; {did_you_mean(name, known)}there are {', '.join(known)}."
            )
    return names
