"""Configuration of the documentation site: sphinx-build -W --keep-going -b dirhtml docs build/docs."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the extension lies in tests/docs/site

project = "Upcard"
author = "The Upcard developers"
copyright = author
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "tests.docs.site.extension"]
exclude_patterns = ["_static", "images"]
highlight_language = "text"
suppress_warnings = ["misc.highlighting_failure"]  # pages about errors show programs with errors

myst_heading_anchors = 4
myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist"]

default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 88
python_use_unqualified_type_names = True

html_theme = "furo"
html_title = "Upcard"
html_static_path = ["_static"]
html_css_files = ["upcard.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_theme_options = {"sidebar_hide_name": False, "navigation_with_keys": False}
