# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of the Poisson equation: solution and error, and the times of its memories over sizes."""

import sys

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.ticker import NullLocator

from paper_pictures import BLACK, COLOURS, chosen_columns, legend_beside, place, precisions_of, read

LINES = {"cg": "--", "fused-cg": "-"}
MARKERS = "osD^v"


# --- Solution and error ---

def draw_surface(axis, points, values, title):
    """With the boundary, where solution and error are zero."""
    points = np.concatenate(([0], points, [1]))
    x, y = np.meshgrid(points, points, indexing="ij")
    axis.plot_surface(x, y, np.pad(values, 1), cmap="viridis", rcount=65, ccount=65, linewidth=0,
                      antialiased=False)
    axis.set(xlabel="x", ylabel="y", title=title)
    axis.ticklabel_format(axis="z", style="sci", scilimits=(-2, 2))
    axis.view_init(elev=28, azim=-130)
    axis.set_box_aspect(None, zoom=0.92)


def plot_square(path, picture):
    import netCDF4

    with netCDF4.Dataset(path) as data:
        if "error" not in data.variables:
            sys.exit(f"{path}: not written by `lamina poisson`")
        points, solution = data["x"][:].data, data["solution"][:].data
        error = np.abs(data["error"][:].data)
    size = len(points)
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.9), layout="constrained",
                                subplot_kw={"projection": "3d"})
    draw_surface(axes[0], points, solution, f"$u_h$, {size} x {size} points")
    draw_surface(axes[1], points, error, f"$|u - u_h|$, at most {error.max():.4e}")
    figure.savefig(picture, dpi=100)


# --- Memories over sizes ---

def seconds_of_solve(point):
    return point["solve"]["minimum"]


def seconds_of_iteration(point):
    return point["iteration"]["seconds"]["minimum"]


def paper_solve(solve):
    return solve["seconds"]


def paper_iteration(solve):
    return solve["seconds"] / solve["iterations"]


FIGURES = (("time of a solve [s]", seconds_of_solve, paper_solve, 1),
           ("time per iteration [ms]", seconds_of_iteration, paper_iteration, 1e3))


def draw_ways(axis, points, seconds, scale):
    memories = list(dict.fromkeys(point["memory"] for point in points))
    for solver, line in LINES.items():
        for n, memory in enumerate(memories):
            curve = [point for point in points if (point["solver"], point["memory"]) == (solver, memory)
                     and point["status"] in ("converged", "completed")]
            axis.plot([point["n"] for point in curve], [scale * seconds(point) for point in curve], line,
                      marker=MARKERS[n % len(MARKERS)], markersize=4, color=COLOURS[n % len(COLOURS)],
                      label=f"{solver}, {memory}")


def draw_copy_bound(axis, points, copy):
    """What the fused iteration counts, at copy speed."""
    bounds = {point["n"]: 1e3 * point["iteration"]["bytes"] / copy for point in points
              if point["solver"] == "fused-cg"}
    axis.plot(list(bounds), list(bounds.values()), ":", color=BLACK, linewidth=1,
              label="fused-cg: its bytes at copy speed")


def measured_points(column):
    return [point for point in column["points"] if "skipped" not in point]


def draw_panel(axis, figure, report, column, precision):
    title, seconds, of_paper, scale = figure
    points = [point for point in measured_points(column) if point["precision"] == precision]
    draw_ways(axis, points, seconds, scale)
    if seconds is seconds_of_iteration:
        draw_copy_bound(axis, points, column["copy_gb_per_s"] * 1e9)
    if precision == "double":
        largest = max(point["n"] for point in points)
        solves = [solve for solve in report["published"]["solves"] if solve["n"] <= largest]
        axis.plot([solve["n"] for solve in solves], [scale * of_paper(solve) for solve in solves], "x",
                  color=BLACK, label="paper, C2070: cg, global")
    axis.set(xscale="log", yscale="log", xlabel="N", ylabel=title,
             title=f'{column["name"]}, {precision} precision')
    sizes = sorted({point["n"] for point in points})
    sizes = [n for n in sizes if n & (n - 1) == 0] or sizes  # labels of the others would run into theirs
    axis.set_xticks(sizes, sizes, fontsize=8)
    axis.xaxis.set_minor_locator(NullLocator())
    axis.grid(which="both", linewidth=0.3, color="0.85")


def plot_memories(path, picture, names):
    report = read(path)
    columns = [column for column in chosen_columns(report, names, lambda c: True) if measured_points(column)]
    if not columns:
        sys.exit(f"{path}: no solves in it")
    figures = FIGURES if report["iterations"] == 0 else FIGURES[1:]
    panels = [(column, precision) for column in columns
              for precision in precisions_of(measured_points(column))]
    figure, axes = plt.subplots(len(figures), len(panels), squeeze=False, layout="constrained",
                                figsize=(4.2 * len(panels) + 2.6, 3.8 * len(figures)))
    for row, drawn in zip(axes, figures):
        for axis, (column, precision) in zip(row, panels):
            draw_panel(axis, drawn, report, column, precision)
        entries = {label: line for axis in row for line, label in zip(*axis.get_legend_handles_labels())}
        legend_beside(row[-1], handles=list(entries.values()))
    figure.suptitle(", ".join(place(column) for column in columns), fontsize=11)
    figure.savefig(picture, dpi=120)
