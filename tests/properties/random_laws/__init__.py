"""Random systems with a known law, disguised, and generic ones without."""
