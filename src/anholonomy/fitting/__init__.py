"""Motions as functions of their parameters and starts: their derivatives, and values that fit measured data."""
