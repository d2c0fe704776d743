"""The datasets that motions leave: their schemas, and their files."""
