"""What is left of a system over a fibre or modulo a group, and the way back up."""
