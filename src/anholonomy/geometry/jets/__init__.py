"""Jets of maps, their sections, and the flip of the second tangent bundle."""
