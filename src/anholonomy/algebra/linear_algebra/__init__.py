"""Exact linear algebra: symbolic, rational, modulo a prime, or at a random point.

Exact linear algebra over functions: rank, kernel, solution, relations; symbolic, modulo a prime, or at a random point.
"""
