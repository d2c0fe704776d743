"""Figures, animations and texts, drawn from motions and systems that are handed in.

What a reader sees: figures of a motion, and the report of a study.
"""
