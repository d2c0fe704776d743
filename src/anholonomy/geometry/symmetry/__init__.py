"""Symmetries: Killing fields of a metric and of what else must be preserved, with bounds on their number."""
