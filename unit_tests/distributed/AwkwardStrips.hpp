// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/distributed/Partition.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace LaminaTest {

struct NamedStrips {
  std::string name;
  Lamina::Partition lines;
};
/// Strips of so many lines of a rectangle on as many ranks, with and without empty ranks.
inline std::vector<NamedStrips> awkward_strips(int num_lines, int num_ranks) {
  std::vector<int> last(static_cast<std::size_t>(num_lines), num_ranks - 1), outer, uneven;
  for (int line = 0; line < num_lines; ++line) {
    outer.push_back(2 * line < num_lines ? 0 : num_ranks - 1);
    uneven.push_back(std::max(0, num_ranks - num_lines + line));  // one each, rank 0 the rest
  }
  using Lamina::Partition;
  return {{"equal", Partition::blocks(num_lines, num_ranks)},
          {"one line each but for the first", Partition::from_owners(uneven, num_ranks)},
          {"the middle is empty", Partition::from_owners(outer, num_ranks)},
          {"the last has all", Partition::from_owners(last, num_ranks)}};
}

}  // namespace LaminaTest
