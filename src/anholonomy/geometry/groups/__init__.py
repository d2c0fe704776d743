"""Lie groups, one a file. A new one is one new file and one new line here."""

from __future__ import annotations

from anholonomy.geometry.groups.base import AbstractGroup, Product
from anholonomy.geometry.groups.from_name import as_group
from anholonomy.geometry.groups.heisenberg import Heisenberg
from anholonomy.geometry.groups.matrix_group import MatrixGroup
from anholonomy.geometry.groups.se2 import SE2
from anholonomy.geometry.groups.se3 import SE3
from anholonomy.geometry.groups.semidirect import Semidirect
from anholonomy.geometry.groups.sl2r import SL2R
from anholonomy.geometry.groups.so3 import SO3, SU2
from anholonomy.geometry.groups.so21 import SO21
from anholonomy.geometry.groups.translations import SO2, Circle, Rn

__all__ = [
    "SE2", "SE3", "SL2R", "SO2", "SO3", "SO21", "SU2",
    "AbstractGroup", "Circle", "Heisenberg", "MatrixGroup", "Product", "Rn", "Semidirect", "as_group",
]  # fmt: skip
