"""The grammar: from a text to an expression, each part with its place, its size and its value."""
