"""The search for a plan: guesses, one watched solution, refinement, pace."""
