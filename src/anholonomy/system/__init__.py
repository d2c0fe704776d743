"""A mechanical system as data, and the states it admits. Knows frames, no principle."""
