"""What every package needs and no mathematics: errors, verdicts, tolerances, time limits, caches, files, notebook output, and the registry of plural packages."""
