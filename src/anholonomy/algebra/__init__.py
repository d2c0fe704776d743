"""Expressions, exact and certified arithmetic, and what can be decided about functions; no mechanics."""
