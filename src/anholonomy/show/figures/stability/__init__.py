"""Figures of steady motions and of what is near a motion: eigenvalues, exponents, sections."""
