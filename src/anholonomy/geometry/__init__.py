"""Geometry in moving frames. Knows expressions, the language and findings, no mechanics."""
