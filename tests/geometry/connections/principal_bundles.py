"""Two algebras and the coefficients of a principal connection."""

from __future__ import annotations

SO3 = [[[(a - b) * (b - d) * (d - a) // 2 for d in range(3)] for b in range(3)] for a in range(3)]
# Forward, sideways, turn: [turn, forward] = sideways, [turn, sideways] = -forward.
SE2 = [
    [[0, 0, 0], [0, 0, 0], [0, -1, 0]],
    [[0, 0, 0], [0, 0, 0], [1, 0, 0]],
    [[0, 1, 0], [-1, 0, 0], [0, 0, 0]],
]
COEFFICIENTS = [["r*s", "sin(r)"], ["s^2", "r + s"], ["cos(s)", "r"]]
