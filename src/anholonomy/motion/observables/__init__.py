"""The inside of `anholonomy.motion`: observables."""
