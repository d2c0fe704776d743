"""What follows from the equations: one question a file, each answered with its proof."""
