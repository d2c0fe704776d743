"""How long an extremal is a shortest path: conjugate times, cut times."""
