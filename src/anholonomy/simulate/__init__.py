"""From equations of motion to a motion. Knows programs, and equations only through their derivation."""
