"""Frames: velocities from quasi-velocities, how directions fail to commute, and frames adapted to constraints."""
