"""Machine code for members that go side by side: sines, steps of DOP853, and the loop that hands members to lanes."""
