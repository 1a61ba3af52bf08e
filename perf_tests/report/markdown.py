# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Tables and numbers as Markdown."""

import math
from dataclasses import dataclass, field


def number(value, digits: int = 3) -> str:
    """With so many significant digits, and never in fewer than its whole digits; empty: unknown."""
    if value is None or not math.isfinite(value):
        return ""
    if value == 0:
        return "0"
    places = max(digits - 1 - math.floor(math.log10(abs(value))), 0)
    rounded = round(value, places)  # may be the next power of ten
    places = max(digits - 1 - math.floor(math.log10(abs(rounded))), 0)
    return f"{rounded:.{places}f}"


def fraction(value) -> str:
    return "" if value is None or not math.isfinite(value) else f"{value:.2f}"


def power(value: float, digits: int = 2) -> str:
    """4.65e-05 as 4.65·10⁻⁵."""
    mantissa, exponent = f"{value:.{digits}e}".split("e")
    raised = str(int(exponent)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{mantissa}·10{raised}"


@dataclass
class Table:
    """Cells are text. Rows without a value beyond the first `keys` cells are left out."""

    caption: str
    columns: list[str]
    rows: list[list[str]] = field(default_factory=list)
    keys: int = 1
    note: str = ""

    def filled_rows(self) -> list[list[str]]:
        return [row for row in self.rows if any(cell for cell in row[self.keys:])]

    def __bool__(self) -> bool:
        return bool(self.filled_rows())

    def text(self) -> str:
        """Columns without any value are left out."""
        rows = self.filled_rows()
        kept = [n for n in range(len(self.columns)) if n < self.keys or any(row[n] for row in rows)]
        lines = [[self.columns[n] for n in kept], ["---"] * len(kept)]
        lines += [[row[n] for n in kept] for row in rows]
        text = "\n".join("| " + " | ".join(line) + " |" for line in lines)
        return "\n\n".join(part for part in (self.caption, text, self.note) if part) + "\n"
