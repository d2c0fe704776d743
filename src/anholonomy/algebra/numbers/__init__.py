"""Expressions in numbers: balls with proven bounds, intervals, doubles, power series."""
