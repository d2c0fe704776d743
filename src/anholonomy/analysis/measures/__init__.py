"""What a density must obey: the divergence of the motion, and what brackets say about it."""
