"""Functions found by their derivatives, and how they are written."""
