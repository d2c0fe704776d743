"""How Sphinx builds these pages: ``make docs``."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

from anholonomy import __version__

project = "anholonomy"
author = "The anholonomy developers"
copyright = author
version = release = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.viewcode",
    "numpydoc",
    "living_tables",
    "gallery",
    "dollar_math",
    "mathml",
]
myst_enable_extensions = ["amsmath", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
exclude_patterns = ["_build", "_ext", "generated/parts"]
default_role = "py:obj"

html_math_renderer = "mathml"
html_theme = "furo"
html_title = f"anholonomy {version}"
html_static_path = ["_static"]
html_css_files = ["math.css", "gallery.css"]
html_js_files = [("gallery.js", {"defer": "defer"}), ("pages.js", {"defer": "defer"})]
html_copy_source = False

autodoc_member_order = "bysource"
autodoc_typehints = "none"
numpydoc_show_class_members = False
