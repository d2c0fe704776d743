"""Nonholonomic mechanics in moving frames: declare a system once; derive, prove, simulate and draw it.

The public names and where they live are in the stub beside this file; a room is opened when one of its names is used.
"""

from anholonomy._version import __version__ as __version__
from anholonomy.base.registry import open_lazily

__getattr__, __dir__, __all__ = open_lazily(__name__)
