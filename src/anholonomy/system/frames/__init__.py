"""The frames in which a system's velocities are written.

The adapted frame of a system: chosen, of given speeds, orthonormal, or seen by somebody who moves.
"""
