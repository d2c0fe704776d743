"""A motion in pieces: one frame after the other, one mode after the other, stopped at events."""
