"""What a multiplier must obey, and the system in the new time."""
