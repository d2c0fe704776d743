r"""Derivatives of what equations of motion export, $\partial y_i/\partial s_j$, as functions whose result is a matrix.

Coordinates that an invariant ties together (the entries of a quaternion) are varied one by one all the same: the derivative along a
motion is the matrix times a velocity that keeps the invariant.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

from numpy.typing import ArrayLike

from anholonomy.compile.backends.base import Array
from anholonomy.compile.derivatives import jacobian
from anholonomy.compile.export import Export, ExportedFunction, Quantity
from anholonomy.displays.shown import Shown
from anholonomy.language.given import is_list
from anholonomy.language.mistakes.nearest import did_you_mean
from anholonomy.refusals import IllPosedSystem, UnknownName
from anholonomy.symbolic.expressions import Symbol, time

__all__ = ["Jacobian", "jacobian_of"]


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
    if not is_list(by):
        raise IllPosedSystem(
            f"`by` is {by!r:.60}; give 'state', 'parameters', 'inputs', or a list of their names and 't'."
        )
    names = tuple(dict.fromkeys(map(str, by)))
    for name in names:
        if name not in known:
            raise UnknownName(
                f"there is no {name!r:.60} to differentiate by; {did_you_mean(name, known)}there are {', '.join(known)}."
            )
    return names
