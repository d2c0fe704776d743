"""Collocation: curves in pieces, the nonlinear programme that they solve, and how far they are from solving the equations."""
