"""The frames in which a system's velocities are written: chosen, of given speeds, orthonormal, moving or in space."""
