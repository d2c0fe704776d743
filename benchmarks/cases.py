"""The three systems on which both sides are compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from anholonomy import System, catalogue
from anholonomy.catalogue import ENTRIES
from benchmarks import sympy_kane, sympy_lagrange

__all__ = ["CASES", "Case"]


@dataclass(frozen=True)
class Case:
    """One system: ours, the same in SymPy, a start, and the velocities that may be chosen freely."""

    name: str
    make: Callable[[], System]
    kane: Callable[[], Any]
    lagrange: Callable[[], Any]
    start: Mapping[str, float]
    free: tuple[str, ...]


CASES = (
    Case(
        "sleigh",
        catalogue.chaplygin_sleigh,
        sympy_kane.sleigh,
        sympy_lagrange.sleigh,
        ENTRIES["chaplygin-sleigh"].start,
        ("x'", "theta'"),
    ),
    Case(
        "leaning disc",
        catalogue.leaning_disc,
        sympy_kane.disc,
        sympy_lagrange.disc,
        ENTRIES["leaning-disc"].start,
        ("psi'", "theta'", "phi'"),
    ),
    Case(
        "4-trailer",
        lambda: catalogue.n_trailer(4),
        lambda: sympy_kane.trailer(4),
        lambda: sympy_lagrange.trailer(4),
        {**ENTRIES["n-trailer"].start, "theta3": 0.6, "theta4": 0.2},
        ("x'", "theta0'"),
    ),
)
