"""Motions of mechanics beside those of the vakonomic principle: the multiplier's equations, their decision, and named reasons."""
