"""Exceptional families of initial data: found in factors, or among sets of zeros that motions do not leave."""
