"""Observables: what a motion has by name besides its state, and expressions of that."""
