"""The two dynamics compared, variational problems and shortest paths."""
