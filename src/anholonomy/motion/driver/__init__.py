"""The drivers: one motion piece by piece, many motions block by block.

A motion in pieces: one frame after the other, one mode after the other, stopped at events.
"""
