"""Signals for the inputs of a system.

Signals for inputs: what users give, as parts of the compiled program with coefficients that change at breaks.
"""
