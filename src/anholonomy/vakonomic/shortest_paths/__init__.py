"""Paths between two configurations, and from one in every direction: shortest, or of least action, among those that obey the constraints."""
