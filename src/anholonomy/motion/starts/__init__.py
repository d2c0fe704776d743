"""Starts: admissible states completed and verified in doubles, one or many at once."""
