"""How fast, how exact, beside what one would use instead: ``python -m benchmarks``, or one question by its name."""
