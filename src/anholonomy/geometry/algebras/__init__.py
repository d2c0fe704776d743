"""Lie algebras.

The inside of `anholonomy.geometry.algebras.lie_algebra`: exact tables, subspaces, names, gradings, and reading what users give.
"""
