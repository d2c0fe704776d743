"""The process that computes for the page: it reads declarations, computes motions, answers questions and writes files, one task at a time."""
