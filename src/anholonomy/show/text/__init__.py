"""A system, its geometry or its motion in words: declarations, reports, LaTeX documents."""
