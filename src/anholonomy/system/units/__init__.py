"""Quantities with units, read into coherent SI numbers, and dimensions that the terms of a declaration must share."""
