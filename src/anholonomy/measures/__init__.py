"""Invariant measures, multipliers and brackets, and what is left after a reduction."""
