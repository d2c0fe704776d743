"""Expressions, exact and certified arithmetic, and the small things that every room needs; no mechanics.

Expressions: what they are, their calculus, and what can be decided about them. Knows SymEngine, FLINT and refusals, no mechanics.
"""
