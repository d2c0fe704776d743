"""Admissible states: completed, checked against the constraints, drawn at random."""
