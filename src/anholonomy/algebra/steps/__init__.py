"""Long computations as lists of steps.

Straight-line lists of definitions: shared parts, one operation each, and their derivatives.
"""
