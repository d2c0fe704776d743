"""Geometry in moving frames: frames, brackets, forms, connections, groups, distributions and symmetries; no mechanics.

The public names and where they live are in the stub beside this file.
"""

from anholonomy.base.registry import open_lazily

__getattr__, __dir__, __all__ = open_lazily(__name__)
