"""The method of lines: grids, boundary conditions, fields that evolve and fields at rest."""
