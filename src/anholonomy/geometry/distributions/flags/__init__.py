"""Flags: how far brackets of admissible directions reach, at generic points and at places, and where they fall short."""
