// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/io/PointPlaces.hpp>

#include <filesystem>
#include <vector>

namespace Lamina {

/// Writes a block vector over points as an unstructured grid of VTK (`.vtu`), which ParaView opens:
/// the points, the cells, or one vertex a point where there are none, and as data of the points
/// `solution` of num_components values, and `node_tag` where there are tags. Numbers are binary, in
/// the byte order of this machine.
///
/// The file appears when complete; until then an existing one stays, see `PendingFile`.
/// Source: VTK File Formats, "XML file formats", appended raw data.
/// \param solution  num_components values of point 0, then of point 1, ...
/// \throws FileError where it cannot be written.
/// \throws InvalidArgument for numbers of values that do not fit each other, and for points without
///   coordinates.
void write_vtu_file(const std::filesystem::path& path, const PointPlaces& places,
                    int num_components, const std::vector<double>& solution);

}  // namespace Lamina
