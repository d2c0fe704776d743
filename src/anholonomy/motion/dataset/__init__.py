"""The datasets that motions leave, and their files.

What an integration leaves: an xarray dataset, its schema, files, and what one may ask of it.
"""
