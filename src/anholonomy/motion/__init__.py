"""Motions from equations of motion: one, many, on the CPU or on a GPU; and methods of discrete mechanics."""
