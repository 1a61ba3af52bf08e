#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of results.

  plot_results.py solution RESULT.nc PICTURE      a level of the solution, and a vertical section
  plot_results.py sphere RESULT.nc PICTURE        a level of the solution on the cells of a sphere
  plot_results.py iterations RESULT.json PICTURE  time per iteration by solver and space, with the
                                                  bound at copy speed
  plot_results.py convergence RESULT.json PICTURE residuals over iterations and over time
  plot_results.py roofline RESULT.json PICTURE    kernels between flops per byte and copy bandwidth
  plot_results.py sizes RESULT.json PICTURE       time per unknown and iteration over unknowns
  plot_results.py square RESULT.nc PICTURE        solution and error of the Poisson equation
  plot_results.py memories RESULT.json PICTURE    times of its solves and iterations over N
  plot_results.py flow RESULT.nc PICTURE          height and vorticity of shallow water, --record N of them

RESULT.nc is written by `lamina helmholtz --output`, for `sphere` with `--grid`, for `square` by `lamina poisson --output`,
for `flow` by `lamina shallow-water --output`;
RESULT.json by `lamina_paper_tables --json`, for `memories` by `lamina_paper_tables_poisson --json`. For
`iterations` it may also come from `lamina helmholtz --json`, `lamina poisson --json` or a comparison of
either, and --vendor adds what `lamina_vendor_helmholtz --json` writes; for `convergence` it comes from
`lamina compare helmholtz --json`. The suffix of PICTURE chooses the format.
"""

import argparse
import sys

import matplotlib
import numpy as np

matplotlib.use("Agg")  # no display needed
import matplotlib.pyplot as plt  # noqa: E402

import convergence_picture  # noqa: E402
import paper_pictures  # noqa: E402
import poisson_pictures  # noqa: E402
import shallow_water_pictures  # noqa: E402
import sphere_pictures  # noqa: E402
from paper_pictures import (COLOURS, SOLVERS, chosen_columns, is_of_paper, legend_beside,  # noqa: E402
                            place, read)


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


def rows_of_paper_tables(report, names, with_paper):
    """(precision, solver, where, seconds per iteration, seconds at copy speed or None)"""
    for column in chosen_columns(report, names, lambda c: with_paper or not is_of_paper(c)):
        copy = column["copy_gb_per_s"] * 1e9
        for row in column["rows"]:
            bound = row["iteration"]["bytes"] / copy if copy > 0 else None
            yield (row["precision"], row["implementation"], place(column),
                   row["iteration"]["seconds"]["minimum"], bound)


def rows_of_vendor(report):
    """The fastest of the vendor's variants."""
    for precision in report["precisions"]:
        if precision["fastest_vendor"] < 0:
            continue
        best = precision["vendor"][precision["fastest_vendor"]]
        yield (precision["precision"], "matrix-explicit", f'cuSPARSE, cuBLAS: {report["device"]}',
               best["iteration_seconds"], None)


def rows_of_solves(reports):
    for report in reports:
        seconds = report["seconds"]["solve"] / max(report["iterations"], 1)
        # The kernels were timed in a replay: the share that copying their bytes would have taken.
        counted = [kernel for kernel in report["kernels"] if kernel["bytes"] > 0]
        spent = sum(kernel["seconds"] for kernel in counted)
        copying = sum(kernel["bytes"] for kernel in counted) / (report["copy_gb_per_s"] * 1e9)
        bound = seconds * copying / spent if spent > 0 else None
        way = report["problem"].get("memory", report["layout"])
        yield (report["precision"], report["problem"]["solver"], f'{report["space"]}, {way}', seconds, bound)


def rows_of(path, vendor, names, with_paper):
    report = read(path)
    if isinstance(report, dict) and "columns" in report:
        rows = list(rows_of_paper_tables(report, names, with_paper))
    else:
        rows = list(rows_of_solves(report if isinstance(report, list) else [report]))
    if vendor:
        rows += rows_of_vendor(read(vendor))
    rows = [row for row in rows if row[3] > 0]
    if not rows:
        sys.exit(f"{path}: no solves in it")
    return rows


def draw_bars(axis, rows, solvers, colours):
    """Of each solver as many bars, side by side, as there are places that have it."""
    width = 0.8 / max(sum(row[1] == solver for row in rows) for solver in solvers)
    for group, solver in enumerate(solvers):
        bars = [row for row in rows if row[1] == solver]
        for n, (_, _, where, seconds, bound) in enumerate(bars):
            x = group + (n - (len(bars) - 1) / 2) * width
            axis.bar(x, 1e3 * seconds, 0.9 * width, color=colours[where])
            axis.text(x, 1e3 * seconds, f"{1e3 * seconds:.3g}", ha="center", va="bottom", fontsize=7)
            if bound is not None:
                axis.hlines(1e3 * bound, x - width / 2, x + width / 2, color="black", linewidth=1.5)


def plot_iterations(path, picture, vendor, names, with_paper):
    rows = rows_of(path, vendor, names, with_paper)
    precisions, solvers, places = (list(dict.fromkeys(row[n] for row in rows)) for n in range(3))
    colours = {where: COLOURS[n % len(COLOURS)] for n, where in enumerate(places)}
    seconds = [row[3] for row in rows]

    figure, axes = plt.subplots(1, len(precisions), figsize=(5.2 * len(precisions) + 2.8, 4.4),
                                layout="constrained", sharey=True, squeeze=False)
    for axis, precision in zip(axes[0], sorted(precisions)):
        draw_bars(axis, [row for row in rows if row[0] == precision], solvers, colours)
        axis.set(title=f"{precision} precision", xticks=range(len(solvers)))
        axis.set_xticklabels(f"{solver}\n{SOLVERS.get(solver, '')}" for solver in solvers)
        if max(seconds) > 30 * min(seconds):
            axis.set(yscale="log", ylim=(0.4 * 1e3 * min(seconds), 2 * 1e3 * max(seconds)))
    for where, colour in colours.items():
        axes[0][-1].bar([0], [0], color=colour, label=where)
    axes[0][-1].hlines([], 0, 1, color="black", linewidth=1.5, label="its bytes at copy speed")
    axes[0][0].set_ylabel("time per iteration [ms]")
    legend_beside(axes[0][-1])
    figure.savefig(picture, dpi=150)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    solution = commands.add_parser("solution")
    sphere = commands.add_parser("sphere")
    for command in (solution, sphere):
        command.add_argument("--variable", default="solution")
        command.add_argument("--level", type=int, help="default: the middle one")
    iterations = commands.add_parser("iterations")
    iterations.add_argument("--with-paper", action="store_true",
                            help="also the paper's own times")
    iterations.add_argument("--vendor", metavar="VENDOR.json", help="also the vendor's libraries")
    roofline = commands.add_parser("roofline")
    sizes = commands.add_parser("sizes")
    convergence = commands.add_parser("convergence")
    square = commands.add_parser("square")
    memories = commands.add_parser("memories")
    flow = commands.add_parser("flow")
    flow.add_argument("--record", type=int, help="default: the last one")
    for command in (iterations, roofline, sizes, memories):
        command.add_argument("--column", action="append", metavar="NAME",
                             help='such as "paper CUDA"; may be repeated; default: all measured')
    for command in (solution, sphere, iterations, convergence, roofline, sizes, square, memories, flow):
        command.add_argument("result")
        command.add_argument("picture")
    arguments = parser.parse_args()
    paths = arguments.result, arguments.picture
    if arguments.command == "solution":
        plot_solution(*paths, arguments.variable, arguments.level)
    elif arguments.command == "sphere":
        sphere_pictures.plot_sphere(*paths, arguments.variable, arguments.level)
    elif arguments.command == "iterations":
        plot_iterations(*paths, arguments.vendor, arguments.column, arguments.with_paper)
    elif arguments.command == "convergence":
        convergence_picture.plot_convergence(*paths)
    elif arguments.command == "roofline":
        paper_pictures.plot_roofline(*paths, arguments.column)
    elif arguments.command == "sizes":
        paper_pictures.plot_sizes(*paths, arguments.column)
    elif arguments.command == "square":
        poisson_pictures.plot_square(*paths)
    elif arguments.command == "flow":
        shallow_water_pictures.plot_flow(*paths, arguments.record)
    else:
        poisson_pictures.plot_memories(*paths, arguments.column)


if __name__ == "__main__":
    main()
