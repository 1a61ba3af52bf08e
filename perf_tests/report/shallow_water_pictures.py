# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of shallow water: height and vorticity at a time, with the flow."""

import sys

import matplotlib.pyplot as plt
import numpy as np

NUM_ARROWS = 24  # along x


def draw_field(figure, axis, places, values, symmetric, title):
    """Values at cell centres or corners, each on a square around its place."""
    largest = np.abs(values).max()
    limits = {"cmap": "RdBu_r", "vmin": -largest, "vmax": largest} if symmetric else {"cmap": "viridis"}
    drawn = axis.pcolormesh(*places, values, shading="nearest", rasterized=True, **limits)
    figure.colorbar(drawn, ax=axis, shrink=0.85)
    axis.set(xlabel="x", ylabel="y", title=title, aspect="equal", xlim=(0, 1),
             ylim=(0, len(places[1]) / len(places[0])))


def draw_flow(axis, centres, u, v):
    """Arrows of the velocity in the middle of cells."""
    step = max(1, len(centres[0]) // NUM_ARROWS)
    part = slice(step // 2, None, step)
    middle_u, middle_v = (u + np.roll(u, -1, axis=1)) / 2, (v + np.roll(v, -1, axis=0)) / 2
    if np.hypot(middle_u, middle_v).max() > 0:
        axis.quiver(centres[0][part], centres[1][part], middle_u[part, part], middle_v[part, part],
                    color="black", alpha=0.7, width=0.003)


def plot_flow(path, picture, record):
    import netCDF4

    with netCDF4.Dataset(path) as data:
        if "relative_vorticity" not in data.variables:
            sys.exit(f"{path}: not written by `lamina shallow-water --output`")
        num_records = len(data["time"])
        record = num_records - 1 if record is None else record
        if not 0 <= record < num_records:
            sys.exit(f"--record: expected 0 to {num_records - 1}, got {record}")
        time, height, u, v, vorticity = (
            data[name][record].data for name in ("time", "height", "u", "v", "relative_vorticity"))
        centres, corners = ((data[x][:].data, data[y][:].data) for x, y in (("x", "y"), ("x_u", "y_v")))
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.6), layout="constrained")
    draw_field(figure, left, centres, height, False, "height and flow")
    draw_flow(left, centres, u, v)
    draw_field(figure, right, corners, vorticity, True, "relative vorticity")
    figure.suptitle(f"t = {time:.4g}, {len(centres[0])} x {len(centres[1])} cells", fontsize=11)
    figure.savefig(picture, dpi=100)
