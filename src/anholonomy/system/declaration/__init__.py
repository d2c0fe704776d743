"""From a user's words or a file to a `Model`, and back to a file."""
