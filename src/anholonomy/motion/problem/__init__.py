"""The inside of `anholonomy.motion`: problem."""
