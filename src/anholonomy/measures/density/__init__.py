"""The inside of `anholonomy.measures`: density."""
