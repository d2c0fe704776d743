"""Equations for the coefficients of integrals, prolonged at a generic point: how many integrals there can be at most."""
