"""Long computations as lists of steps: shared parts, one operation each, and their derivatives."""
