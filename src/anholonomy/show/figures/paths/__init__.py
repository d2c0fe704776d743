"""Figures of paths: two dynamics from one state, and where all extremals from one start lead."""
