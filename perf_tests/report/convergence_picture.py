# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Residuals of solves over iterations and over time."""

import sys

import matplotlib.pyplot as plt

from paper_pictures import COLOURS, legend_beside, read

DASHES = {"double": "-", "mixed": "--", "single": ":"}


def histories_of(path):
    """(solver, precision, residuals over the first one, seconds of an iteration) of what a comparison wrote."""
    report = read(path)
    for solve in report if isinstance(report, list) else [report]:
        history = solve.get("residual_history", [])
        if len(history) < 2 or history[0] <= 0:
            continue
        yield (solve["problem"]["solver"], solve["precision"], [value / history[0] for value in history],
               solve["seconds"]["solve"] / (len(history) - 1))


def plot_convergence(path, picture):
    solves = list(histories_of(path))
    if not solves:
        sys.exit(f"{path}: no residuals in it")
    solvers = list(dict.fromkeys(solve[0] for solve in solves))
    figure, axes = plt.subplots(1, 2, figsize=(10.4, 3.9), layout="constrained", sharey=True)
    for solver, precision, residuals, seconds in solves:
        look = {"color": COLOURS[solvers.index(solver) % len(COLOURS)], "linestyle": DASHES[precision],
                "label": f"{solver}, {precision}"}
        marker = {"marker": "o", "markersize": 3} if len(residuals) < 20 else {}
        axes[0].semilogy(range(len(residuals)), residuals, **look, **marker)
        axes[1].loglog([1e3 * seconds * n for n in range(1, len(residuals))], residuals[1:], **look, **marker)
    axes[0].set(xlabel="iteration", ylabel="residual over that of the guess")
    axes[1].set(xlabel="time [ms]")
    for axis in axes:
        axis.grid(alpha=0.3)
    legend_beside(axes[1])
    figure.savefig(picture, dpi=130)
