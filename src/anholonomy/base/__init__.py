"""What every package needs and no mathematics: errors, verdicts, time limits, files, notebook output."""
