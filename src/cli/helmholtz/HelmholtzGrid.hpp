// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/CellPolygons.hpp>
#include <lamina/grids/ColumnMesh.hpp>
#include <lamina/grids/GridQuality.hpp>
#include <lamina/grids/VerticalGrid.hpp>

#include <memory>
#include <string>
#include <vector>

namespace Lamina::Cli {

class CommandLine;

/// A horizontal grid other than a panel.
struct HelmholtzGrid {
  std::string name;           ///< as on the command line, without folders: "sphere 64"
  std::string convention;     ///< of a file; empty: generated
  double radius = 1;          ///< of the sphere in the file
  ColumnGraph graph;          ///< columns are along a Hilbert curve
  std::vector<int> original;  ///< the number of each column in the file, or of the generator
  CellPolygons polygons;      ///< in the order of these numbers; none where the file has none
  GridQuality quality;
  int max_neighbours = 0, min_neighbours = 0;
  int num_left_out = 0;  ///< edges without a flux, of a file of FESOM

  bool on_sphere() const { return graph.centres.surface == ColumnCentres::Surface::sphere; }
  VerticalMetric metric() const {
    return on_sphere() ? VerticalMetric::shell : VerticalMetric::flat;
  }
  /// Of all columns.
  double area() const;
  /// Whether fluxes between two columns miss what they should by more than the width of cells
  /// explains.
  bool is_skew() const;
};

/// `--grid`, and `--levels` that belongs to it.
void declare_grid(CommandLine& line);

/// Generates the grid that was asked for, or reads it in a child process: before Kokkos starts. None
/// for the panel.
/// \throws InputError
std::shared_ptr<const HelmholtzGrid> read_grid(const CommandLine& line);

}  // namespace Lamina::Cli
