"""Directions that nothing depends on: bundles, reduced systems, momentum maps."""
