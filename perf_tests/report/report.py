#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

"""Makes tables of result files, and compares two of them.

  report.py tables --output FOLDER      the tables that docs/performance includes
  report.py readme [--check]            the table in README.md
  report.py pictures [--output FOLDER]  the pictures of docs/performance; needs matplotlib
  report.py compare BEFORE AFTER        files of Google Benchmark, or folders of them
"""

import argparse
import sys
from pathlib import Path

from compare import compare
from pages import write_pages
from readme import update_readme
from results import read_machines

ROOT = Path(__file__).resolve().parents[2]


def parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    results = argparse.ArgumentParser(add_help=False)
    results.add_argument("--results", type=Path, default=ROOT / "perf_tests" / "results", metavar="FOLDER",
                         help="a folder for each machine [perf_tests/results]")

    tables = commands.add_parser("tables", parents=[results], help="write what docs/performance includes")
    tables.add_argument("--output", type=Path, default=ROOT / "build" / "docs" / "performance", metavar="FOLDER",
                        help="[build/docs/performance]")

    readme = commands.add_parser("readme", parents=[results], help="write the table in README.md")
    readme.add_argument("--check", action="store_true", help="write nothing; status 1 if it is not up to date")
    readme.add_argument("--readme", type=Path, default=ROOT / "README.md", metavar="FILE")

    pictures = commands.add_parser("pictures", parents=[results], help="draw the pictures of docs/performance")
    pictures.add_argument("--output", type=Path, default=ROOT / "docs" / "pictures", metavar="FOLDER",
                          help="[docs/pictures]")

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
    if options.command == "compare":
        return 1 if compare(options.before, options.after, options.limit / 100, options.flagged) else 0
    machines = read_machines(options.results)
    if options.command == "tables":
        print(f"{write_pages(machines, ROOT / 'docs' / 'pictures', options.output)} files in {options.output}")
        return 0
    if options.command == "pictures":
        from pictures import draw_pictures  # matplotlib is needed here alone

        for picture in draw_pictures(machines, options.results, options.output):
            print(picture)
        return 0
    right = update_readme(options.readme, machines, options.check)
    if options.check and not right:
        print("README.md does not show what the result files say: run perf_tests/report/report.py readme",
              file=sys.stderr)
    return 0 if right or not options.check else 1


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        sys.exit(2)
