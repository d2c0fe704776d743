"""Whether inputs, or speeds, reach every state: accessibility and small-time controllability by brackets, kinematic reductions."""
