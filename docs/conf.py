# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Sphinx pages of Lamina: ./quickstart docs builds them."""

import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(root / "docs" / "_ext"))

project = "Lamina"
author = "Contributors to the Lamina project"
copyright = author
version = release = re.search(r"VERSION (\d+\.\d+\.\d+)", (root / "CMakeLists.txt").read_text())[1]

extensions = ["option_table", "public_headers", "breathe", "myst_parser", "sphinx.ext.mathjax", "sphinx_copybutton"]
exclude_patterns = ["_ext"]
myst_enable_extensions = ["colon_fence", "dollarmath", "deflist"]
myst_heading_anchors = 3

breathe_projects = {"lamina": str(root / "build" / "docs" / "xml")}
breathe_default_project = "lamina"
breathe_show_include = False
primary_domain = "cpp"
highlight_language = "text"

html_theme = "sphinx_rtd_theme"
html_title = f"Lamina {release}"
html_copy_source = False
