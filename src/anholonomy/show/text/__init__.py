"""Systems and motions in words."""
