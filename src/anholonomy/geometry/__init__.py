"""Geometry in moving frames; no mechanics.

Geometry in moving frames. Knows expressions, the language and findings, no mechanics.
"""
