// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/distributed/impl/TransportCalls.hpp>
#include <lamina/multigrid/impl/poisson/GridStrips.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace Lamina::Impl {
namespace {

std::vector<int> local_numbers(const GridSpan& lines, const GridSpan& of_field) {
  std::vector<int> numbers;
  for (int line = lines.begin; line < lines.end; ++line) numbers.push_back(line - of_field.begin);
  return numbers;
}

}  // namespace

GridStrips::GridStrips(const Transport& transport, const LocalRectangle& local, int ghosts)
    : count(local.whole.nx),
      owned(gather_values(transport, GridSpan{local.first, local.first + local.owned.nx})) {
  int end = 0;
  std::vector<GridSpan> by_line(owned);
  std::sort(by_line.begin(), by_line.end(), [](const GridSpan& a, const GridSpan& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  for (const GridSpan& lines : by_line) {
    if (lines.empty()) continue;
    LAMINA_REQUIRE(lines.begin == end, "PoissonMultigrid",
                   "local: expected strips of one rectangle, got none that begins with column " +
                       std::to_string(end));
    end = lines.end;
  }
  require_extent("PoissonMultigrid", "local", "columns of all ranks", count, end);
  fields.resize(owned.size());
  for (std::size_t rank = 0; rank < owned.size(); ++rank) {
    if (!owned[rank].empty()) fields[rank] = owned[rank].widened(ghosts, count);
  }
}

GridStrips GridStrips::coarser(Kind coarser_kind, bool halves, int ghosts) const {
  GridStrips strips;
  strips.kind = coarser_kind;
  strips.count = halves ? count / 2 : count;
  for (std::size_t rank = 0; rank < owned.size(); ++rank) {
    const GridSpan all{0, strips.count}, lines = owned[rank].coarse(halves);
    strips.owned.push_back(kind == Kind::shared ? lines : all);
    // A rank that has no line here may still interpolate from those around.
    const bool takes_part = !fields[rank].empty();
    strips.fields.push_back(coarser_kind != Kind::shared ? all
                            : takes_part                 ? lines.widened(ghosts, strips.count)
                                                         : GridSpan());
  }
  return strips;
}

GridSpan GridStrips::smoothed(int rank) const {
  return kind == Kind::shared ? owned[static_cast<std::size_t>(rank)] : GridSpan{0, count};
}

HaloPattern GridStrips::pattern(int rank) const {
  const auto here = static_cast<std::size_t>(rank);
  HaloPattern pattern;
  pattern.num_owned = pattern.num_local = fields[here].size();
  for (std::size_t other = 0; other < owned.size(); ++other) {
    if (other == here) continue;
    HaloPattern::Peer peer{
        .rank = static_cast<int>(other),
        .send = local_numbers(owned[here].within(fields[other]), fields[here]),
        .receive = local_numbers(owned[other].within(fields[here]), fields[here])};
    if (!peer.send.empty() || !peer.receive.empty()) pattern.peers.push_back(std::move(peer));
  }
  return pattern;
}

}  // namespace Lamina::Impl
