"""The inside of `anholonomy.vakonomic`: shortest paths."""
