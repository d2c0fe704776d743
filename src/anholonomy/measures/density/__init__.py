"""The routes to the density of an invariant measure, or to a proof that there is none; `invariant_measure.py` lists them in their order."""
