#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Makes tables of result files, and compares two of them.

  report.py compare BEFORE AFTER        files of Google Benchmark, or folders of them
"""

import argparse
import sys
from pathlib import Path

from compare import compare


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    comparing = commands.add_parser(
        "compare", help="print how much each benchmark changed; status 1 if one is slower",
        description="Prints medians over repetitions, their change, and the spread of the"
        " repetitions (slowest less fastest over the median, the larger of before and after)."
        " Files of one folder count as repetitions of each other.")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    comparing.add_argument("--limit", type=float, default=1, metavar="PERCENT",
                           help="flag larger changes; twice that where the spread is larger [1]")
    comparing.add_argument("--flagged", action="store_true", help="print flagged benchmarks alone")
    return parser.parse_args(arguments)


def main(arguments: list[str]) -> int:
    options = parse(arguments)
    return 1 if compare(options.before, options.after, options.limit / 100, options.flagged) else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        sys.exit(2)
