"""Expressions in numbers: balls, intervals, doubles, power series.

Expressions in numbers: balls with proven bounds, intervals, residues modulo a prime, and whether a form keeps its digits.
"""
