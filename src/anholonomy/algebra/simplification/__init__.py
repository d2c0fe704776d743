"""Short forms of expressions, provably equal to what was given: for readers, and for programs that run faster so."""
