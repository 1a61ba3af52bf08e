// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/io/MeshCells.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace Lamina {

/// Where the points of a block vector are.
struct PointPlaces {
  std::vector<std::array<double, 3>> coordinates;  ///< empty: unknown
  std::vector<std::int64_t> tags;  ///< of the nodes of a mesh file; empty: there is none
  MeshCells cells = {};            ///< between the points; empty: they are a cloud
};

namespace Impl {

/// \throws InvalidArgument unless `num_values` are `num_components` for each of the points.
void require_point_values(const char* function, const PointPlaces& places, int num_components,
                          std::size_t num_values);

}  // namespace Impl
}  // namespace Lamina
