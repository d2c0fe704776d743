"""Functions that nobody specified: what is required of them, and which of them have the other answer."""
