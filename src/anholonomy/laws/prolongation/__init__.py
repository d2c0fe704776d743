"""The inside of `anholonomy.laws`: prolongation."""
