"""The inside of `anholonomy.motion`: starts."""
