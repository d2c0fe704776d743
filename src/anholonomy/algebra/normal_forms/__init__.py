"""Normal forms: quotients of polynomials in independent generators, and division among them."""
