"""Figures of many motions: members over time, how values are spread, charts over two parameters."""
