"""Arithmetic modulo a prime: values at random points, truncated series, ranks and kernels."""
