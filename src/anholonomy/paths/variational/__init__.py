"""Variational problems: the action, the paths that are admitted, and the variations along them that count."""
