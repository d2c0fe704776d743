"""Figures, animations and texts, drawn from motions and systems that are handed in."""
