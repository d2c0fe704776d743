"""Bodies that can be declared and nearly always are mistakes."""
