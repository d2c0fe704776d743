"""Distributions: admissible directions and how far they reach.

Distributions: admissible directions, their flags, integrability, leaves, and how they bend in a metric.
"""
