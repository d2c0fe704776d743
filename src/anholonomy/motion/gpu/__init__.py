"""Motions on a GPU: one CUDA text a system, one thread a motion, and a launcher that needs nothing else of the package."""
