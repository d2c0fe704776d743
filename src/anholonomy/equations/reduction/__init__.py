"""Systems reduced by directions that nothing depends on, and by symmetries.

Directions that nothing depends on: bundles, reduced systems, momentum maps.
"""
