"""Expressions for people: short forms that are provably equal, and LaTeX. Nothing here is needed to compute."""
