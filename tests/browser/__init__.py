"""Pages as people see them: driven in Chromium."""
