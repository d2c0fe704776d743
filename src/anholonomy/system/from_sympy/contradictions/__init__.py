"""What a SymPy model says twice and differently, or would lose in silence."""
