"""The routes to conserved quantities, one a file; `laws/conserved.py` lists them in their order."""
