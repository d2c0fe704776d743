"""Expressions: what they are, their calculus, and what can be decided about them. Knows SymEngine, FLINT and refusals, no mechanics."""
