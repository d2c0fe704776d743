"""Sweeps over parameters and starts.

Sweeps: what is varied, what is reduced, blocks that are written whole or not at all, and charts of what came out.
"""
