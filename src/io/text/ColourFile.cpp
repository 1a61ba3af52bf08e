// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/io/ColourFile.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "TextLines.hpp"

namespace Lamina {
namespace {

void require_places(const std::vector<int>& places, std::size_t count) {
  if (places.empty()) return;
  std::vector<bool> taken(count, false);
  const auto take = [&](int place) {
    const auto n = static_cast<std::size_t>(place);
    if (place < 0 || n >= count || taken[n]) return false;
    taken[n] = true;
    return true;
  };
  LAMINA_REQUIRE(places.size() == count && std::all_of(places.begin(), places.end(), take),
                 "read_colours",
                 "argument places: expected each from 0 to " + std::to_string(count) +
                     " less one once, got others");
}

}  // namespace

std::vector<int> read_colours(const std::filesystem::path& file, const BlockGraph& graph,
                              const std::vector<int>& places) {
  const auto count = static_cast<std::size_t>(graph.num_rows());
  require_places(places, count);
  Impl::TextLines lines(file);
  const std::vector<int> in_file =
      Impl::read_one_a_line(lines, graph.num_rows(), graph.num_rows(), {"row", "a colour"});
  const auto place = [&](std::size_t row) {
    return places.empty() ? row : static_cast<std::size_t>(places[row]);
  };
  std::vector<int> colours(count);
  for (std::size_t row = 0; row < count; ++row) colours[row] = in_file[place(row)];
  for (std::size_t row = 0; row < count; ++row) {
    for (auto k = graph.offsets[row]; k < graph.offsets[row + 1]; ++k) {
      const auto other = static_cast<std::size_t>(graph.columns[static_cast<std::size_t>(k)]);
      if (colours[other] != colours[row]) continue;
      const auto [first, last] = std::minmax({place(row), place(other)});
      lines.fail_at(static_cast<std::int64_t>(last) + 1,
                    "expected another colour than on line " + std::to_string(first + 1) +
                        ", as the rows are coupled, got " + std::to_string(colours[row]));
    }
  }
  return colours;
}

}  // namespace Lamina
