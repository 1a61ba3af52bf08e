// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/Colouring.hpp>

#include <cstddef>
#include <vector>

namespace LaminaTest {

/// Rows with their neighbours.
inline std::vector<std::vector<int>> lists_of(const Lamina::BlockGraph& graph) {
  std::vector<std::vector<int>> lists;
  lists.reserve(static_cast<std::size_t>(graph.num_rows()));
  for (int row = 0; row < graph.num_rows(); ++row) {
    lists.emplace_back(graph.columns.begin() + graph.offsets[static_cast<std::size_t>(row)],
                       graph.columns.begin() + graph.offsets[static_cast<std::size_t>(row) + 1]);
  }
  return lists;
}

/// Rows of each colour.
inline std::vector<int> sizes_of(const Lamina::ColourOrdering& ordering) {
  std::vector<int> sizes;
  sizes.reserve(static_cast<std::size_t>(ordering.num_colours()));
  for (int k = 0; k < ordering.num_colours(); ++k) {
    sizes.push_back(ordering.offsets()[static_cast<std::size_t>(k) + 1] -
                    ordering.offsets()[static_cast<std::size_t>(k)]);
  }
  return sizes;
}

}  // namespace LaminaTest
