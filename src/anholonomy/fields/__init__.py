"""Fields: maps of a region of several parameters, their first variation, their equations, constraints and motion."""
