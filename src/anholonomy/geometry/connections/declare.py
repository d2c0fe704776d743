"""The connections by name, declared as a user writes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from anholonomy.geometry.calculus.metric import Metric
from anholonomy.geometry.calculus.tensor import Index, Tensor
from anholonomy.geometry.connections.arbitrary import ArbitraryConnection
from anholonomy.geometry.connections.coordinate import CoordinateConnection
from anholonomy.geometry.connections.levi_civita import LeviCivita
from anholonomy.geometry.connections.nonholonomic import NonholonomicConnection
from anholonomy.geometry.connections.projected import EnergyPreservingConnection, LewisConnection
from anholonomy.geometry.connections.weitzenbock import Weitzenbock
from anholonomy.geometry.expected import expect
from anholonomy.geometry.frames.frame import Frame
from anholonomy.language.given import expression, is_list
from anholonomy.refusals import IllPosedSystem
from anholonomy.symbolic.patience import LIMIT, patience

__all__ = [
    "connection",
    "coordinate_connection",
    "energy_preserving_connection",
    "levi_civita",
    "lewis_connection",
    "nonholonomic_connection",
    "weitzenbock",
]


def connection(frame: Frame, coefficients: Mapping[Index, Any], functions: Sequence[str] = ()) -> ArbitraryConnection:
    r"""Any connection, from a dict with $\Gamma^a{}_{bc}$ at ``(a, b, c)``; what is missing is zero."""
    return ArbitraryConnection.from_text(frame, coefficients, functions)


def levi_civita(metric: Metric, limit: float | None = LIMIT) -> LeviCivita:
    """The connection of a metric, metric and free of torsion, in the metric's frame.

    Its coefficients are formed at once; refused with `GaveUp` where that takes longer than ``limit`` seconds.
    """
    expect(metric, "the metric", "Metric")
    found = LeviCivita(metric)
    with patience(limit):
        found.coefficients  # noqa: B018 (kept for whatever is asked of it)
    return found


def weitzenbock(frame: Frame) -> Weitzenbock:
    """The connection that makes a frame parallel."""
    expect(frame, "the parallel frame", "Frame")
    return Weitzenbock(frame)


def coordinate_connection(frame: Frame) -> CoordinateConnection:
    """The connection that makes the coordinate fields parallel, seen from a frame."""
    expect(frame, "the frame", "Frame")
    return CoordinateConnection(frame)


def nonholonomic_connection(
    metric: Metric, span: Sequence[Any], functions: Sequence[str] = ()
) -> NonholonomicConnection:
    """The connection whose geodesics from a distribution are the constrained motions; ``span`` in the metric's frame."""
    expect(metric, "the metric", "Metric")
    return NonholonomicConnection.of(metric, span, functions)


def lewis_connection(metric: Metric, span: Sequence[Any], A: Tensor | Sequence[Sequence[Any]]) -> LewisConnection:
    r"""The member of Lewis's family for an invertible tensor $A^a{}_b$, given as a tensor or by its rows.

    >>> g = Metric(Frame(["x", "y", "z"]), [1, 1, 1])
    >>> span = [["1", "0", "y"], ["0", "1", "0"]]
    >>> bent = lewis_connection(g, span, [["1", "0", "x"], ["0", "1", "0"], ["0", "0", "1"]])
    >>> bent.coefficients == nonholonomic_connection(g, span).coefficients
    False
    """
    expect(metric, "the metric", "Metric")
    base = NonholonomicConnection.of(metric, span)
    if isinstance(A, Tensor):
        return LewisConnection(base, A)
    n = metric.frame.size
    if not is_list(A) or len(A) != n or any(not is_list(row) or len(row) != n for row in A):
        raise IllPosedSystem(f"A needs {n} rows of {n} entries, one for each direction.")
    rows = [[metric.frame.in_coordinates(expression(entry, "an entry of A")) for entry in row] for row in A]
    return LewisConnection(base, Tensor.build(metric.frame, "ud", lambda a, b: rows[a][b], "A"))


def energy_preserving_connection(
    metric: Metric, span: Sequence[Any], functions: Sequence[str] = ()
) -> EnergyPreservingConnection:
    """The metric connection that agrees with the nonholonomic one along the distribution."""
    expect(metric, "the metric", "Metric")
    return EnergyPreservingConnection.of(metric, span, functions)
