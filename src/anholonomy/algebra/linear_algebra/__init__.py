"""Exact linear algebra over functions and rational numbers: rank, kernel, inverse, solution."""
