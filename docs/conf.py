"""How Sphinx builds the documentation: `make docs`."""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

import pigevo

logging.getLogger("pigevo").setLevel(logging.WARNING)  # pictures of a page do runs

project = "pigevo"
author = "The pigevo developers"
project_copyright = author
version = release = pigevo.__version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "picture",
    "generated",
    "study_figures",
    "html_output",
]
exclude_patterns = ["_build", "examples", "**/.ipynb_checkpoints"]
myst_enable_extensions = ["dollarmath", "colon_fence", "deflist"]
myst_heading_anchors = 3
nb_execution_mode = "auto"  # a notebook without output is run, and what it shows is shown
nb_execution_timeout = 600
nb_execution_raise_on_error = False  # a warning, so that the rest is built; make docs makes it an error
nb_execution_in_temp = True

copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True

html_theme = "furo"
html_baseurl = os.environ.get("DOCS_URL", "")  # where it is published: the canonical address of each page
html_title = f"pigevo {release}"
html_math_renderer = "mathml"  # browsers draw MathML themselves: no script, no network
html_show_sphinx = False
html_copy_source = False
html_static_path = ["_static"]
html_css_files = ["pigevo.css"]

default_role = "code"  # docstrings write `name` for code
autodoc_typehints = "description"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_rtype = False
