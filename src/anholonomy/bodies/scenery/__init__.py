"""What bodies and joints look like, where nobody says."""
