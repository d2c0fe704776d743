"""Points of the constraint submanifold modulo a prime: exact evaluation of a motion, many points at once; and on which level they lie."""
