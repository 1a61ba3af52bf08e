// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/io/NetcdfFile.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace Lamina {

/// Where the points of a vector are.
struct PointPlaces {
  std::vector<std::array<double, 3>> coordinates;  ///< empty: unknown
  std::vector<std::int64_t> tags;  ///< of the nodes of a mesh file; empty: there is none
};

/// Writes a block vector over points as NetCDF-4 with CF-1.8 conventions.
///
/// Dimensions `point`, `component`; `solution(point, component)`; where they are known, the
/// coordinates `x(point)`, `y(point)`, `z(point)`, and `node_tag(point)`.
///
/// The file appears when complete; until then an existing one stays, see `PendingFile`.
/// \param solution  num_components values of point 0, then of point 1, ...
/// \throws FileError where it cannot be written.
/// \throws InvalidArgument for numbers of values that do not fit each other.
void write_point_file(const std::filesystem::path& path,
                      const std::vector<FileAttribute>& attributes, const PointPlaces& places,
                      int num_components, const std::vector<double>& solution);

}  // namespace Lamina
