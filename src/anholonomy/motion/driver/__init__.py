"""The drivers: one motion piece by piece, many motions block by block."""
