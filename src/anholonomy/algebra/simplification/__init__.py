"""Expressions for people: short forms, provably equal to what was given. Nothing here is needed to compute."""
