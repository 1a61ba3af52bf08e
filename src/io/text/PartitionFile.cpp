// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/io/PartitionFile.hpp>

#include "TextLines.hpp"

namespace Lamina {

std::vector<int> read_owners(const std::filesystem::path& file, int num_columns, int num_ranks) {
  Impl::TextLines lines(file);
  return Impl::read_one_a_line(lines, num_columns, num_ranks, {"column", "a rank"});
}

}  // namespace Lamina
