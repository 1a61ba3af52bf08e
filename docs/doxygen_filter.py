# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Prints a header as Doxygen is to read it. Lines keep their numbers.

Comments of the headers are written for people who read the source: an indented paragraph is a
formula or a table, <r, z> is a scalar product, and quotation marks span lines. "Refuses all other
types." marks deleted functions that only improve the messages of the compiler. Breathe cannot
parse designated initialisers.
"""

import re
import sys


def escape(text):
    """Less-than signs begin no tag and quotation marks no word, but in `code`."""

    def escape_words(part):
        part = re.sub(r'"(?=\w)', "\u201c", part.replace("<", r"\<"))
        return part.replace('"', "\u201d")

    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else escape_words(part) for part in parts)


def convert(block):
    """The lines of a comment, without the slashes."""
    result = []
    in_formula = False
    before = "?"
    for line in block:
        indented = line.startswith("  ")
        if in_formula and line and not indented:
            in_formula = False
            result[-1] += r" \endverbatim"
        elif indented and not in_formula and (not before or before.endswith(":")):
            in_formula = True
            result[-1] += r" \verbatim"
        result.append(line[2:] if in_formula else escape(line))
        before = line
    if in_formula:
        result[-1] += r" \endverbatim"
    return result


with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
text = re.sub(
    r"[ \t]*/// Refuses all other types\.\n.*?= delete;",
    lambda match: "\n" * match.group().count("\n"),
    text,
    flags=re.S,
)
text = re.sub(r"= \{\..*?\};", lambda match: match.group().replace("{.", "{").replace(", .", ", "), text)
block = []
for line in text.splitlines() + [""]:
    comment = re.match(r" *///(?!<) ?(.*)", line)
    if comment:
        block.append(comment.group(1))
        continue
    if block:
        print("/** " + "\n".join(convert(block)) + " */")
        block = []
    print(re.sub(r"///<(.*)", lambda match: "///<" + escape(match.group(1)), line))
