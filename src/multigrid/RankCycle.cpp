// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/device/impl/HostTable.hpp>
#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/distributed/impl/TransportCalls.hpp>
#include <lamina/multigrid/impl/RankCycle.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace Lamina::Impl {
template <class Memory>
RankRows<Memory>::RankRows(const Transport& transport, const RestrictedRows& from, bool in_place,
                           std::size_t most_bytes_per_row)
    : num_rows(static_cast<int>(from.columns.size())),
      exchange(transport, from.exchange, most_bytes_per_row) {
  run_agreed(transport, [&] {
    // Sorted by column; those of a column stay in their order.
    std::vector<int> order;
    for (int row = 0; row < num_rows; ++row) {
      if (from.columns[static_cast<std::size_t>(row)] >= 0) order.push_back(row);
    }
    const auto column_of = [&](int row) { return from.columns[static_cast<std::size_t>(row)]; };
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return column_of(a) < column_of(b); });
    std::vector<int> sums, begins{0}, summands;
    for (auto first = order.begin(); first != order.end();) {
      const auto last = std::find_if(first, order.end(),
                                     [&](int row) { return column_of(row) != column_of(*first); });
      if (!in_place || last - first > 1) {
        sums.push_back(column_of(*first));
        summands.insert(summands.end(), first, last);
        begins.push_back(static_cast<int>(summands.size()));
      }
      first = last;
    }
    columns = list_of<Memory>("Lamina::MultigridPreconditioner::row_sums", sums);
    begin = list_of<Memory>("Lamina::MultigridPreconditioner::begin_rows", begins);
    rows = list_of<Memory>("Lamina::MultigridPreconditioner::rows_of_sums", summands);
  });
}

#define LAMINA_INSTANTIATE_ROWS(Memory) template struct RankRows<Memory>;
LAMINA_FOR_EACH_MEMORY(LAMINA_INSTANTIATE_ROWS)

}  // namespace Lamina::Impl
