"""The linear problem for conserved quantities: unknown constants before products of functions and speeds, solved modulo a prime and lifted."""
