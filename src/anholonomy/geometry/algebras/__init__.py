"""Lie algebras: structure constants, subspaces, names and gradings."""
