"""Redundant coordinates of a group: its points, its parametrisation, and the functions that vanish on it."""

from __future__ import annotations

from anholonomy.algebra.redundant_coordinates.block import Block, cayley
from anholonomy.algebra.redundant_coordinates.orbit import Orbit, orbit_of
from anholonomy.algebra.redundant_coordinates.squares import square_in, without_square

__all__ = ["Block", "Orbit", "cayley", "orbit_of", "square_in", "without_square"]
