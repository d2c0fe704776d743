"""Surfaces of bodies, and the supports that they touch."""
