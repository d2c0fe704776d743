"""The inside of `anholonomy.laws`: ansatz."""
