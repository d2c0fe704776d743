"""Distributions: admissible directions, how far their brackets reach, integrability, leaves, and how they bend in a metric."""
