// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/io/NetcdfFile.hpp>
#include <lamina/io/PointPlaces.hpp>

#include <filesystem>
#include <vector>

namespace Lamina {

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
