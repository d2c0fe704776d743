"""Motions on a GPU: one CUDA text, one thread a motion.

Programs as kernels: one CUDA text a system, integrated by one thread a motion, with a launcher that needs nothing else of the package.
"""
