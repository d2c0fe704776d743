"""Feedback about steady motions: linear-quadratic regulators, their gains as signals, and the way to python-control."""
