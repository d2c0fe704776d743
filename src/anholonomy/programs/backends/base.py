"""The base class of a backend, a `Program` in and a function of numbers out, and that function.

The shapes are settled here, once. A kernel always works on a batch; `Function` adds the batch axis
where the caller gave none and takes it away again.
"""

from __future__ import annotations

import abc
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar, TypeAlias, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from anholonomy.base.errors import ArgumentError
from anholonomy.programs.program import Program

__all__ = ["AbstractBackend", "Array", "Function", "Kernel", "Unsupported"]

Array: TypeAlias = NDArray[np.float64]
Kernel: TypeAlias = Callable[[Array, Array, Array], Array]
"""``(t, x, p) -> out`` with shapes (batch,), (states, batch), (parameters, batch), (outputs, batch).

The batch of ``t`` and ``p`` may be 1 where that of ``x`` is larger: what all members share is not copied for each.
"""


class Unsupported(Exception):
    """A backend cannot express a program; the caller is expected to take another one."""


@final
@dataclass(frozen=True)
class Function:
    """A compiled program, called as ``f(t, x, p)``.

    ``x`` has shape (states,) or (states, batch), ``p`` (parameters,) or (parameters, batch), ``t`` is a
    number or (batch,). The result has shape (outputs,), or (outputs, batch) if any argument has a batch.
    """

    program: Program
    backend: AbstractBackend
    kernel: Kernel = field(compare=False, repr=False)

    def __reduce__(self) -> tuple[Callable[[Program], Function], tuple[Program]]:
        """Machine code does not travel; the program does, and is compiled where it arrives."""
        return self.backend.compile, (self.program,)

    def __call__(self, t: ArrayLike, x: ArrayLike, p: ArrayLike = ()) -> Array:
        times, states, parameters = (np.asarray(a, dtype=float) for a in (t, x, p))
        single = times.ndim == 0 and states.ndim == 1 and parameters.ndim == 1
        batch = _batch(times, states, parameters)
        columns = self._columns(states, len(self.program.states))
        out = self.kernel(
            _own(times.reshape(-1)),
            _own(columns if columns.shape[1] == batch else np.broadcast_to(columns, (len(columns), batch))),
            _own(self._columns(parameters, len(self.program.parameters))),
        )
        return out[:, 0] if single else out

    @staticmethod
    def _columns(values: Array, rows: int) -> Array:
        if values.shape[0] != rows:
            raise ValueError(f"{rows} rows were expected and {values.shape[0]} given")
        return values if values.ndim > 1 else values[:, None]


def _batch(times: Array, states: Array, parameters: Array) -> int:
    """How many members the arguments have; each has that many, or one for all."""
    if times.ndim > 1 or not 1 <= states.ndim <= 2 or not 1 <= parameters.ndim <= 2:
        raise ArgumentError(
            f"t, x and p have the shapes {times.shape}, {states.shape} and {parameters.shape}; give a number or a list of "
            "them for t, and one or two axes for x and p: values first, then members of a batch."
        )
    sizes = [a.shape[-1] if a.ndim == n else 1 for a, n in ((times, 1), (states, 2), (parameters, 2))]
    if len(set(sizes) - {1}) > 1 or 0 in sizes:
        raise ArgumentError(
            f"t, x and p have batches of {', '.join(map(str, sizes))} members; give each the same number, or one for all."
        )
    return max(sizes)


def _own(values: Array) -> Array:
    """Contiguous and writable, which is what machine code is compiled for; copied only if need be."""
    fits = values.flags.c_contiguous and values.flags.writeable
    return values if fits else np.require(values, requirements=["C", "W"])


class AbstractBackend(abc.ABC):
    """One way to turn a program into a function."""

    name: ClassVar[str]
    handles_solves: ClassVar[bool]
    """Whether `Solve` steps are understood; otherwise the caller unrolls them first."""
    handles_least_squares: ClassVar[bool] = False
    """Whether those are that ask for least squares."""

    @final
    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    @final
    def __hash__(self) -> int:
        return hash(type(self))

    @final
    def __repr__(self) -> str:
        return f"{type(self).__name__}()"

    @final
    def compile(self, program: Program) -> Function:
        """The program as a function of numbers; raises `Unsupported` where this backend has no way."""
        if not (self.handles_solves or program.is_straight):
            raise Unsupported(f"{self.name} needs a program without linear systems; unroll it first")
        if program.has_least_squares and not self.handles_least_squares:
            raise Unsupported(f"{self.name} has no least squares; the numpy backend has")
        return Function(program, self, self._compile(program))

    @abc.abstractmethod
    def _compile(self, program: Program) -> Kernel:
        """The program as a function on batches."""
