"""Sentences for texts that do not parse and names that are nearly right."""
