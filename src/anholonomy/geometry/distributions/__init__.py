"""Distributions: admissible directions, their flags, integrability, leaves, and how they bend in a metric."""
