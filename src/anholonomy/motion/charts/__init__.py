"""The inside of `anholonomy.motion`: charts."""
