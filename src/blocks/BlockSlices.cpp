// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/blocks/impl/slices/BlockSlices.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace Lamina::Impl {
namespace {

/// Slices of a window, within which rows may change places. Rows further apart share few entries of
/// x.
constexpr int slices_of_window = 32;

}  // namespace

SliceLayout::SliceLayout(const std::vector<std::int64_t>& row_offsets,
                         const std::vector<int>& first_rows, const SliceShape& shape)
    : offsets{0} {
  const auto length = [&](int row) {
    const auto at = static_cast<std::size_t>(row);
    return row_offsets[at + 1] - row_offsets[at];
  };
  const int window = slices_of_window * shape.rows();
  std::vector<int> sorted;
  for (std::size_t colour = 0; colour + 1 < first_rows.size(); ++colour) {
    first_slices.push_back(static_cast<int>(offsets.size()) - 1);
    const int last = first_rows[colour + 1];
    for (int first = first_rows[colour]; first < last; first += window) {
      sorted.resize(static_cast<std::size_t>(std::min(window, last - first)));
      std::iota(sorted.begin(), sorted.end(), first);
      std::stable_sort(sorted.begin(), sorted.end(),
                       [&](int a, int b) { return length(a) > length(b); });
      for (std::size_t n = 0; n < sorted.size(); n += static_cast<std::size_t>(shape.rows())) {
        offsets.push_back(offsets.back() + length(sorted[n]));
      }
      rows.insert(rows.end(), sorted.begin(), sorted.end());
      rows.resize((offsets.size() - 1) * static_cast<std::size_t>(shape.rows()), -1);
    }
  }
  first_slices.push_back(static_cast<int>(offsets.size()) - 1);
}

}  // namespace Lamina::Impl
