"""The inside of `anholonomy.programs`: exports."""
