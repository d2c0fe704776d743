"""Random vehicles and their motion by multipliers, in long double and without the package."""
