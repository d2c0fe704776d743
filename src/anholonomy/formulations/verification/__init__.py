"""Do the principles agree? Proven bounds on their differences at random admissible states."""
