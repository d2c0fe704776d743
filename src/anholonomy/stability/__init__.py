"""Steady motions, what is linear about them, and how they change with a speed or a parameter."""
