"""A mechanical system as data, its declaration, its frames and the states it admits. Knows frames, no principle."""
