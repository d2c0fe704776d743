"""Exact linear algebra over functions: rank, kernel, solution, relations; symbolic, modulo a prime, or at a random point."""
