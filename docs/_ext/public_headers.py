# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""`{header} lamina/core/Half.hpp`: all that a public header declares, in its order, by Breathe.

Warns of a public header that no page shows, and of a declaration without a comment.
"""

import pathlib
import xml.etree.ElementTree as ET

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective, switch_source_input
from sphinx.util.nodes import nested_parse_with_titles

logger = logging.getLogger(__name__)
folder = None  # of Doxygen's XML
classes = ("doxygenclass", "doxygenstruct")
headers = {}  # path: [(line, directive, name)]


def text_of(element):
    return "".join(element.itertext()).strip()


def add(element, directive, name):
    location = element.find("location")
    headers.setdefault(location.get("file"), []).append((int(location.get("line")), directive, name))
    if not text_of(element.find("briefdescription")) + text_of(element.find("detaileddescription")):
        logger.warning("%s has no comment in %s", name, location.get("file"))


def read_xml(app):
    global folder
    folder = pathlib.Path(app.config.breathe_projects[app.config.breathe_default_project])
    headers.clear()
    for entry in ET.parse(folder / "index.xml").getroot():
        kind, name = entry.get("kind"), entry.findtext("name")
        if kind not in ("class", "struct", "concept", "namespace", "file"):
            continue
        compound = ET.parse(folder / f"{entry.get('refid')}.xml").getroot()[0]
        if kind == "file":
            headers.setdefault(compound.find("location").get("file"), [])
            for member in compound.iter("memberdef"):
                if member.get("kind") == "define":
                    add(member, "doxygendefine", member.findtext("name"))
        elif kind == "namespace" and name == "Lamina":
            for member in compound.iter("memberdef"):
                kind, name = member.get("kind"), member.findtext("qualifiedname")
                if kind == "function":
                    name += member.findtext("argsstring")
                    if "->" in name:
                        continue  # a deduction guide
                add(member, f"doxygen{kind}", name)
        elif kind == "concept":
            add(compound, "doxygenconcept", name)
        elif name.startswith("Lamina::") and name.count("::") == 1:
            add(compound, f"doxygen{kind}", name)


class Header(SphinxDirective):
    required_arguments = 1

    def run(self):
        path = self.arguments[0]
        if path not in headers:
            raise self.error(f"there is no public header {path}")
        seen = getattr(self.env, "lamina_headers", {})
        seen[path] = self.env.docname
        self.env.lamina_headers = seen
        self.env.note_dependency(str(folder / "index.xml"))
        lines = []  # of MyST
        for _, directive, name in sorted(headers[path]):
            options = [":members:", ":undoc-members:"] if directive in classes else []
            lines += [f"```{{{directive}}} {name}", *options, "```"]
        section = nodes.section()
        section.document = self.state.document
        content = StringList(lines, source=path)
        with switch_source_input(self.state, content):
            nested_parse_with_titles(self.state, content, section)
        include = nodes.literal_block(text=f"#include <{path}>", language="cpp")
        return [include, *section.children]


def check(app, env):
    seen = getattr(env, "lamina_headers", {})
    for path in sorted(set(headers) - set(seen)):
        logger.warning("no page of docs/api shows the public header %s", path)


def setup(app):
    app.add_directive("header", Header)
    app.connect("builder-inited", read_xml, priority=900)
    app.connect("env-check-consistency", check)
    return {"parallel_read_safe": False}
