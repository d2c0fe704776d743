"""The search for an extremal between two configurations: guesses on a coarse grid, and shooting that makes them exact."""
