"""Systems from SymPy's mechanics."""
