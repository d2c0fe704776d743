"""Equations of motion, whichever principle made them: data, numbers to the digits promised, and text as in a book."""
