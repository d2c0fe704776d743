"""Equations for unknown functions, differentiated until their rank stops growing: how many conserved quantities there can be."""
