"""How conserved quantities are found: candidates from exact ranks, constants lifted to numbers and parameters, proofs."""
