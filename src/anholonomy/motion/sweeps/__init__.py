"""Sweeps: blocks of members that are integrated, reduced, and written whole or not at all; and charts of what came out."""
