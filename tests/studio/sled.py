"""The declaration of a sled, as a user types it."""

from __future__ import annotations

SLED = """schema = "anholonomy-system-1"
name = "sled"
coordinates = ["x", "y", "theta"]
lagrangian = "m*(x'^2 + y'^2)/2 + I*theta'^2/2"
constraints = ["x'*sin(theta) = y'*cos(theta)"]
[parameters]
m = 1.0
I = 0.5
[start]
x = 0
"x'" = 1
"""
