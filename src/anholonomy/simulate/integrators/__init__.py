"""Integrators, one a file; each says what it needs and what kind of program it wants."""
