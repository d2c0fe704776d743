"""Signals for the inputs of a system: what users give, as parts of the program with coefficients that change at breaks."""
