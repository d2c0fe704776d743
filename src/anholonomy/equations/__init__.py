"""Equations of motion: the principles, what they return, and whether they agree."""
