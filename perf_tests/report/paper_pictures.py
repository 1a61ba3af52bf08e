# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of what `lamina_paper_tables --json` writes: roofline, and time over problem sizes."""

import json
import sys

import matplotlib.pyplot as plt
from matplotlib.lines import Line2D

# Okabe and Ito: told apart with any kind of colour vision.
BLACK, ORANGE, SKY, GREEN, BLUE, RED, PURPLE = ("#000000", "#E69F00", "#56B4E9", "#009E73", "#0072B2",
                                                "#D55E00", "#CC79A7")
COLOURS = (BLUE, ORANGE, GREEN, PURPLE, SKY, RED)
SOLVERS = {"matrix-explicit": "Pcg, CsrHelmholtz", "matrix-free": "Pcg",
           "interleaved": "FusedPcgStored", "recomputed": "FusedPcg"}
SOLVER_COLOURS = {"matrix-explicit": GREEN, "matrix-free": PURPLE, "interleaved": ORANGE, "recomputed": BLUE}
MARKERS = {"SpMV": "o", "preconditioner": "s", "measure": "^", "iteration": "D"}
PAPER_UNKNOWNS = 256 * 256 * 128  # of its tables
KERNELS = {"SpMV": "A x, advance", "preconditioner": "line solve", "measure": "<z, A z>",
           "iteration": "whole iteration"}


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def place(column):
    """What a column is of: the device says more than the space, where it is known."""
    device = column.get("device", "")
    return f'{column["name"]}: {device}' if device else column["name"]


def is_of_paper(column):
    return column["name"].startswith("paper")


def chosen_columns(report, names, default):
    """The columns of these names, or all that `default` takes."""
    known = [column["name"] for column in report["columns"]]
    for name in names or []:
        if name not in known:
            sys.exit(f"--column: expected one of {', '.join(known)}, got {name}")
    return [column for column in report["columns"]
            if (column["name"] in names if names else default(column))]


def legend_beside(axis, **options):
    axis.legend(loc="center left", bbox_to_anchor=(1.02, 0.5), fontsize=8, **options)


def precisions_of(rows):
    return sorted({row["precision"] for row in rows})  # double, single


# --- Roofline ---

def points_of(row):
    """(part, flops per byte, GFLOP/s) of the kernels and the iteration."""
    parts = [(kernel["name"], kernel) for kernel in row["kernels"]] + [("iteration", row["iteration"])]
    for name, part in parts:
        if part["bytes"] > 0 and part["gflop_per_s"] > 0:
            yield name, part["flops"] / part["bytes"], part["gflop_per_s"]


def draw_roof(axis, copy, intensities):
    """Copy bandwidth and half of it; the first is named above its end, the other below its start."""
    ends = [min(intensities) / 1.6, max(intensities) * 1.6]
    for fraction, style, text, at, shift, sides in (
            (1, "-", f"copy: {copy:.0f} GB/s", 1, (-6, 2), ("right", "center")),
            (0.5, ":", "half of it", 0, (6, -2), ("left", "center"))):
        axis.plot(ends, [fraction * copy * x for x in ends], style, color=BLACK, linewidth=1.2, zorder=1)
        axis.annotate(text, (ends[at], fraction * copy * ends[at]), xytext=shift, ha=sides[0], va=sides[1],
                      textcoords="offset points", fontsize=8)


def draw_points(axis, column):
    intensities = []
    for row in column["rows"]:
        colour = SOLVER_COLOURS[row["implementation"]]
        for name, intensity, speed in points_of(row):
            face = colour if row["precision"] == "double" else "white"
            size = 60 if name == "iteration" else 36
            axis.scatter(intensity, speed, size, marker=MARKERS[name], facecolor=face, edgecolor=colour,
                         linewidth=1.4, zorder=3)
            intensities.append(intensity)
    return intensities


def roofline_legend(axis):
    def entry(label, **style):
        return Line2D([], [], linestyle="", label=label, **style)

    entries = [entry(SOLVERS[name], marker="o", color=colour) for name, colour in SOLVER_COLOURS.items()]
    entries += [entry(KERNELS[name], marker=marker, color="grey") for name, marker in MARKERS.items()]
    entries += [entry("double", marker="o", color="grey"),
                entry("single", marker="o", color="grey", markerfacecolor="white")]
    legend_beside(axis, handles=entries)


def plot_roofline(path, picture, names):
    report = read(path)
    columns = [column for column in
               chosen_columns(report, names, lambda c: not is_of_paper(c) and c["name"] != "C here")
               if column["copy_gb_per_s"] > 0 and column["rows"]]
    if not columns:
        sys.exit(f"{path}: no column with a copy bandwidth in it")
    figure, axes = plt.subplots(1, len(columns), figsize=(4.8 * len(columns) + 1.8, 4.4), squeeze=False,
                                layout="constrained")
    for axis, column in zip(axes[0], columns):
        intensities = draw_points(axis, column)
        draw_roof(axis, column["copy_gb_per_s"], intensities)
        axis.set(xscale="log", yscale="log", title=place(column), xlabel="flops per byte, as counted")
        axis.grid(which="both", linewidth=0.3, color="0.85")
    axes[0][0].set_ylabel("GFLOP/s, as counted")
    roofline_legend(axes[0][-1])
    size = " x ".join(str(extent) for extent in report["size"])
    figure.suptitle(f"Kernels against copy bandwidth, {size}", fontsize=11)
    figure.savefig(picture, dpi=150)


# --- Sizes ---

def draw_size_curve(axis, points, copy, colour, label):
    points = [point for point in points if point["ns_per_unknown"] > 0]
    unknowns = [point["unknowns"] for point in points]
    axis.plot(unknowns, [point["ns_per_unknown"] for point in points], "o-", color=colour, markersize=4,
              label=label)
    if copy > 0:
        bounds = [point["iteration"]["bytes"] / copy / point["unknowns"] for point in points]
        axis.plot(unknowns, bounds, "--", color=colour, linewidth=1)


def draw_paper(axis, report, precision):
    """The band that the text gives for figure 6, and the one time in table 6."""
    text = report["paper_figures"]
    slow, fast = (text["flops_per_cell"] / speed for speed in text["gflop_per_s"][precision])
    axis.fill_between(text["unknowns"], fast, slow, color="0.8", linewidth=0,
                      label="paper, M2090: range told for its figure 6")
    for row in next(column for column in report["columns"] if column["name"] == "paper CUDA")["rows"]:
        if (row["precision"], row["implementation"]) == (precision, "interleaved"):
            nanoseconds = 1e9 * row["iteration"]["seconds"]["minimum"] / PAPER_UNKNOWNS
            axis.plot(PAPER_UNKNOWNS, nanoseconds, "x", color=BLACK, label="paper, M2090: table 6")


def plot_sizes(path, picture, names):
    report = read(path)
    columns = [column for column in chosen_columns(report, names, lambda c: True) if column["sizes"]]
    if not columns:
        sys.exit(f"{path}: no sizes in it")
    measured = [point for column in columns for point in column["sizes"] if "skipped" not in point]
    precisions = precisions_of(measured)
    figure, axes = plt.subplots(1, len(precisions), figsize=(4.4 * len(precisions) + 2.4, 4.4),
                                squeeze=False, layout="constrained", sharey=True)
    curves = [(column, form) for column in columns for form in ("recomputed", "interleaved")]
    for axis, precision in zip(axes[0], precisions):
        for (column, form), colour in zip(curves, COLOURS):
            points = [point for point in column["sizes"] if "skipped" not in point
                      and point["precision"] == precision and point["implementation"] == form]
            draw_size_curve(axis, points, column["copy_gb_per_s"], colour,
                            f'{SOLVERS[form]}, {column["name"]}')
        draw_paper(axis, report, precision)
        axis.plot([], [], "--", color="grey", linewidth=1, label="its bytes at copy speed")
        axis.set(xscale="log", yscale="log", title=f"{precision} precision", xlabel="unknowns")
        axis.grid(which="both", linewidth=0.3, color="0.85")
    axes[0][0].set_ylabel("time per unknown and iteration [ns]")
    legend_beside(axes[0][-1])
    figure.suptitle(", ".join(place(column) for column in columns), fontsize=11)
    figure.savefig(picture, dpi=150)
