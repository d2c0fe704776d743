"""Figures of fields."""
