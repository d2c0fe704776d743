"""What is said of one motion and its neighbours: exponents, closed orbits, sections."""
