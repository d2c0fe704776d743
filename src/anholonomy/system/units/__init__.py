"""Quantities with units, and dimensions that terms must share.

Quantities with units: read into coherent SI numbers, and dimensions that a declaration's terms must share.
"""
