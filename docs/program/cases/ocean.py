#!/usr/bin/env python3
# SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Input of `lamina helmholtz` for a synthetic ocean: continents, ridges, stratification, a free surface.

  ocean.py GRID.nc OCEAN.nc LEVELS.txt

GRID.nc is any output of `lamina helmholtz --grid`: it has the centres of columns. Needs netCDF4 and numpy.
"""

import sys

import netCDF4
import numpy as np

RADIUS = 6.371e6  # of the planet, in metres: lengths of the files are in radii
DEPTH = 5000.0
LEVELS = 30


def ocean_depth(longitude, latitude):
    """In metres; negative on land."""
    x, y, z = (np.cos(latitude) * np.cos(longitude), np.cos(latitude) * np.sin(longitude), np.sin(latitude))
    continents = np.sin(2.2 * x + 1.0) * np.cos(2.7 * y - 0.4) + 0.5 * np.sin(3.1 * z + 1.3 * x)
    ridges = 0.12 * np.sin(14 * x + 6 * z) * np.cos(11 * y)
    return np.minimum(DEPTH, 4200 * (0.75 - 1.6 * continents + ridges))


def main():
    grid_path, ocean_path, levels_path = sys.argv[1:]
    with netCDF4.Dataset(grid_path) as grid:
        longitude, latitude = np.radians(grid["longitude"][:]), np.radians(grid["latitude"][:])
    # Interfaces from the surface down, thicker towards the bottom.
    heights = -DEPTH * (np.arange(LEVELS + 1) / LEVELS) ** 1.6
    np.savetxt(levels_path, heights / RADIUS)

    # f^2 / N^2 over its largest value: weak stratification below couples levels more.
    sine = np.sin(latitude)
    coriolis2 = np.maximum(sine**2, 0.02)
    stratification = 0.02 + 0.98 * np.exp(heights[::-1] / 800)  # interfaces of files are from the bottom up
    vertical = 0.02 * coriolis2[:, None] / stratification[None, :]
    with netCDF4.Dataset(ocean_path, "w") as ocean:
        ocean.createDimension("face", len(longitude))
        ocean.createDimension("interface", LEVELS + 1)
        for name, dimensions, values in (
            ("depth", ("face",), np.maximum(ocean_depth(longitude, latitude), 0) / RADIUS),
            ("vertical", ("face", "interface"), vertical),
            ("surface", ("face",), np.full(len(longitude), DEPTH / RADIUS)),
        ):
            ocean.createVariable(name, "f8", dimensions)[:] = values


if __name__ == "__main__":
    main()
