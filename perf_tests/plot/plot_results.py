#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of results.

  plot_results.py solution RESULT.nc PICTURE      a level of the solution, and a vertical section
  plot_results.py iterations RESULT.json PICTURE  time per iteration by solver and space, with the
                                                  bound at copy speed

RESULT.nc is written by `lamina helmholtz --output`; RESULT.json by `lamina_paper_tables --json`,
`lamina compare helmholtz --json` or `lamina helmholtz --json`. The suffix of PICTURE chooses the format.
"""

import argparse
import json
import sys

import matplotlib
import numpy as np

matplotlib.use("Agg")  # no display needed
import matplotlib.pyplot as plt  # noqa: E402


def corners(bounds):
    """The corners of all cells, (num_x + 1, num_y + 1), from those of each cell, counter-clockwise."""
    num_x, num_y, _ = bounds.shape
    result = np.empty((num_x + 1, num_y + 1))
    result[:-1, :-1] = bounds[:, :, 0]
    result[-1, :-1] = bounds[-1, :, 1]
    result[-1, -1] = bounds[-1, -1, 2]
    result[:-1, -1] = bounds[:, -1, 3]
    return result


def plot_solution(path, picture, variable, level):
    import netCDF4

    with netCDF4.Dataset(path) as data:
        field = data[variable][:]
        longitude = corners(data["longitude_bounds"][:])
        latitude = corners(data["latitude_bounds"][:])
        bounds = data["level_bounds"][:]
        row = field.shape[1] // 2
        latitude_of_row = data["latitude"][field.shape[0] // 2, row]
        title = data[variable].long_name
    num_levels = field.shape[2]
    level = num_levels // 2 if level is None else level
    if not 0 <= level < num_levels:
        sys.exit(f"--level: expected 0 to {num_levels - 1}, got {level}")

    figure, (panel, section) = plt.subplots(1, 2, figsize=(11, 4.4), layout="constrained")
    colours = panel.pcolormesh(longitude, latitude, field[:, :, level])
    figure.colorbar(colours, ax=panel)
    panel.set(xlabel="longitude [degrees]", ylabel="latitude [degrees]", aspect="equal",
              title=f"{title}\nlevel {level} of {num_levels}")

    # Columns along x through the middle of the panel. Thin levels at the ground: heights on a linear
    # axis show the whole shell.
    heights = [1000 * (r - 1) for r in (*bounds[:, 0], bounds[-1, 1])]
    colours = section.pcolormesh(longitude[:, row], heights, field[:, row, :].T)
    figure.colorbar(colours, ax=section)
    section.set(xlabel="longitude [degrees]", ylabel="height [radius / 1000]",
                title=f"section along the middle, latitude {latitude_of_row:.1f}")
    figure.savefig(picture, dpi=150)


def rows_of_paper_tables(report, with_paper):
    """(precision, solver, where, seconds per iteration, seconds at copy speed or None)"""
    for column in report["columns"]:
        copy = column["copy_gb_per_s"] * 1e9
        if copy == 0 and column["name"].startswith("paper") and not with_paper:
            continue
        for row in column["rows"]:
            bound = row["iteration_bytes"] / copy if copy > 0 else None
            yield (row["precision"], row["implementation"], column["name"],
                   row["iteration_seconds"]["minimum"], bound)


def rows_of_solves(reports):
    for report in reports:
        seconds = report["seconds"]["solve"] / max(report["iterations"], 1)
        # The kernels were timed in a replay: the share that copying their bytes would have taken.
        counted = [kernel for kernel in report["kernels"] if kernel["bytes"] > 0]
        spent = sum(kernel["seconds"] for kernel in counted)
        copying = sum(kernel["bytes"] for kernel in counted) / (report["copy_gb_per_s"] * 1e9)
        bound = seconds * copying / spent if spent > 0 else None
        yield (report["precision"], report["problem"]["solver"],
               f'{report["space"]}, {report["layout"]}', seconds, bound)


def plot_iterations(path, picture, with_paper):
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    if isinstance(report, dict) and "columns" in report:
        rows = list(rows_of_paper_tables(report, with_paper))
    else:
        rows = list(rows_of_solves(report if isinstance(report, list) else [report]))
    rows = [row for row in rows if row[3] > 0]
    if not rows:
        sys.exit(f"{path}: no solves in it")
    precisions, solvers, places = (list(dict.fromkeys(row[n] for row in rows)) for n in range(3))

    figure, axes = plt.subplots(1, len(precisions), figsize=(5.5 * len(precisions), 4.4),
                                layout="constrained", sharey=True, squeeze=False)
    width = 0.8 / len(places)
    for axis, precision in zip(axes[0], precisions):
        for n, place in enumerate(places):
            bars = [row for row in rows if row[0] == precision and row[2] == place]
            at = [solvers.index(row[1]) + (n - (len(places) - 1) / 2) * width for row in bars]
            axis.bar(at, [1e3 * row[3] for row in bars], 0.9 * width, label=place)
            for x, row in zip(at, bars):
                axis.text(x, 1e3 * row[3], f"{1e3 * row[3]:.3g}", ha="center", va="bottom", fontsize=7)
                if row[4] is not None:
                    axis.hlines(1e3 * row[4], x - width / 2, x + width / 2, color="black", linewidth=1.5)
        axis.hlines([], 0, 1, color="black", linewidth=1.5, label="at copy speed")
        axis.set(title=f"{precision} precision", xticks=range(len(solvers)))
        axis.set_xticklabels(solvers)
        if with_paper:
            axis.set_yscale("log")
    axes[0][0].set_ylabel("time per iteration [ms]")
    axes[0][-1].legend(fontsize=8)
    figure.savefig(picture, dpi=150)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    solution = commands.add_parser("solution")
    solution.add_argument("--variable", default="solution")
    solution.add_argument("--level", type=int, help="default: the middle one")
    iterations = commands.add_parser("iterations")
    iterations.add_argument("--with-paper", action="store_true",
                            help="also the paper's own times, on a logarithmic axis")
    for command in (solution, iterations):
        command.add_argument("result")
        command.add_argument("picture")
    arguments = parser.parse_args()
    if arguments.command == "solution":
        plot_solution(arguments.result, arguments.picture, arguments.variable, arguments.level)
    else:
        plot_iterations(arguments.result, arguments.picture, arguments.with_paper)


if __name__ == "__main__":
    main()
