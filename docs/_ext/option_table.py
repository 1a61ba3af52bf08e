# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""`{options} poisson`: the options in help/poisson.txt, which is what `lamina poisson --help` prints."""

import pathlib
import re

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

header = ("option", "meaning [default]")


class Options(SphinxDirective):
    required_arguments = 1

    def run(self):
        page = pathlib.Path(self.env.doc2path(self.env.docname))
        file = page.parent / "help" / f"{self.arguments[0]}.txt"
        self.env.note_dependency(str(file))
        options = re.findall(r"^  (--\S.*?)  +(.*)$", file.read_text(encoding="utf-8"), re.M)
        if not options:
            raise self.error(f"{file} lists no options")
        group = nodes.tgroup(cols=2)
        group += [nodes.colspec(colwidth=30), nodes.colspec(colwidth=70)]
        group += nodes.thead("", self.row(*(nodes.Text(text) for text in header)))
        body = nodes.tbody()
        for option, meaning in options:
            body += self.row(nodes.literal(text=option), nodes.Text(meaning))
        group += body
        return [nodes.table("", group)]

    @staticmethod
    def row(*cells):
        return nodes.row("", *(nodes.entry("", nodes.paragraph("", "", cell)) for cell in cells))


def setup(app):
    app.add_directive("options", Options)
    return {"parallel_read_safe": True}
