"""Lie groups, one a file. A new one is one new file and one new line here."""

from __future__ import annotations

from anholonomy.geometry.groups.base import AbstractGroup, Product
from anholonomy.geometry.groups.reading import as_group
from anholonomy.geometry.groups.so3 import SO3
from anholonomy.geometry.groups.translations import Circle, Rn

__all__ = ["SO3", "AbstractGroup", "Circle", "Product", "Rn", "as_group"]
