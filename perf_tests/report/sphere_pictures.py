# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of fields on the cells of a sphere: a level, seen from two opposite sides."""

import sys

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import PolyCollection


def directions(longitude, latitude):
    """Unit vectors from degrees."""
    longitude, latitude = np.radians(longitude), np.radians(latitude)
    return np.stack([np.cos(latitude) * np.cos(longitude), np.cos(latitude) * np.sin(longitude),
                     np.sin(latitude)], axis=-1)


def view(longitude, latitude):
    """Vectors to the right, upwards and towards the eye above a place."""
    eye = directions(longitude, latitude)
    right = np.cross([0, 0, 1], eye)
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(eye, right), eye])


def polygons_of(data):
    """The corners of each face, (face, corner, 3); behind the last one it is repeated."""
    nodes = directions(data["node_longitude"][:].data, data["node_latitude"][:].data)
    corners = data["face_nodes"][:]
    corners = np.asarray(corners.filled(-1) if np.ma.isMaskedArray(corners) else corners)
    count = (corners >= 0).sum(axis=1)
    last = corners[np.arange(len(corners)), count - 1]
    return nodes[np.where(corners >= 0, corners, last[:, None])]


def draw_side(axis, polygons, values, limits, longitude, latitude, edges):
    seen = polygons @ view(longitude, latitude).T
    front = (seen[..., 2] > 0).all(axis=1)
    colours = plt.get_cmap("viridis").copy()
    colours.set_bad("0.75")  # land
    cells = PolyCollection(seen[front, :, :2], array=values[front], cmap=colours, rasterized=True,
                           edgecolors="white" if edges else "face", linewidths=0.15)
    cells.set_clim(*limits)
    axis.add_collection(cells)
    axis.set(xlim=(-1.02, 1.02), ylim=(-1.02, 1.02), aspect="equal",
             title=f"from {longitude}° E, {latitude}° N")
    axis.axis("off")
    return cells


def plot_sphere(path, picture, variable, level):
    import netCDF4

    with netCDF4.Dataset(path) as data:
        if "face_nodes" not in data.variables or "node_longitude" not in data.variables:
            sys.exit(f"{path}: not written by `lamina helmholtz --grid --output` on a sphere")
        num_levels = len(data["level"])
        level = num_levels // 2 if level is None else level
        if not 0 <= level < num_levels:
            sys.exit(f"--level: expected 0 to {num_levels - 1}, got {level}")
        values = np.ma.masked_invalid(data[variable][:, level])
        if values.count() == 0:
            sys.exit(f"--level: expected one with wet cells, got {level}")
        title = f"{data[variable].long_name}, level {level} of {num_levels}"
        polygons = polygons_of(data)
    limits = values.min(), values.max()
    figure, axes = plt.subplots(1, 2, figsize=(10, 5), layout="constrained")
    for axis, longitude, latitude in zip(axes, (30, 210), (20, -20)):
        cells = draw_side(axis, polygons, values, limits, longitude, latitude, len(values) < 20000)
    figure.colorbar(cells, ax=axes, shrink=0.8)
    figure.suptitle(f"{title}; {len(values)} columns", fontsize=11)
    figure.savefig(picture, dpi=80)
