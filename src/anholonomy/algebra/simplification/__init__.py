"""Short forms of expressions, provably equal to what was given.

Expressions for people: short forms that are provably equal, and LaTeX. Nothing here is needed to compute.
"""
