"""The inside of `anholonomy.geometry.lie_algebra`: exact tables, subspaces, names, gradings, and reading what users give."""
