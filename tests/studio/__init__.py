"""The studio: its guard, its projects, its workers."""
