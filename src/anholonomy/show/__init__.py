"""What a reader sees: figures of a motion, and the report of a study."""
