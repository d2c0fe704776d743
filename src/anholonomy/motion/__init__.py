"""From equations of motion to motions: one, many, on the CPU or on a GPU.

From equations of motion to a motion. Knows programs, and equations only through their derivation.
"""
