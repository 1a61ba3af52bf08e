// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/grids/LocalRectangle.hpp>
#include <lamina/grids/impl/LineRun.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <utility>

namespace Lamina {
namespace Impl {

LineRun LineRun::of(const char* function, const Partition& partition, int num_lines, int rank,
                    bool periodic) {
  require_extent(function, "partition", "items", num_lines, partition.num_items());
  LineRun run;
  run.count = run.shortest = static_cast<int>(partition.num_items(rank));
  // All ranks look at all lines: a partition is refused on all of them, or on none.
  for (int line = 0, begin = 0; line < num_lines; ++line) {
    const int owner = partition.owner(line);
    if (line + 1 < num_lines && partition.owner(line + 1) == owner) continue;
    const int length = line + 1 - begin;
    LAMINA_REQUIRE(length == partition.num_items(owner), function,
                   "partition: expected consecutive lines on each rank, got others on rank " +
                       std::to_string(owner));
    if (owner == rank) run.first = begin;
    if (run.shortest == 0 || length < run.shortest) run.shortest = length;
    begin = line + 1;
  }
  if (run.count == 0) return run;
  const int last = run.first + run.count - 1;
  if (periodic || run.first > 0)
    run.before = partition.owner((run.first + num_lines - 1) % num_lines);
  if (periodic || last + 1 < num_lines) run.behind = partition.owner((last + 1) % num_lines);
  return run;
}

std::vector<HaloPattern::Peer> LineRun::peers(int first_line, int last_line, int line_before,
                                              int line_behind) const {
  std::map<int, HaloPattern::Peer> by_rank;
  const auto peer = [&](int rank) -> HaloPattern::Peer& {
    by_rank[rank].rank = rank;
    return by_rank[rank];
  };
  // What is before a peer's lines is the last one of this rank: it comes first there.
  if (before != none) peer(before).receive.push_back(line_before);
  if (behind != none) {
    peer(behind).receive.push_back(line_behind);
    peer(behind).send.push_back(last_line);
  }
  if (before != none) peer(before).send.push_back(first_line);
  std::vector<HaloPattern::Peer> peers;
  for (auto& entry : by_rank) peers.push_back(std::move(entry.second));
  return peers;
}

}  // namespace Impl

LocalRectangle local_rectangle(const Rectangle& whole, const Partition& columns, int rank) {
  Impl::require_cells("local_rectangle", whole);
  const auto run = Impl::LineRun::of("local_rectangle", columns, whole.nx, rank, false);
  LocalRectangle local;
  local.whole = whole;
  local.owned = {run.count, whole.ny};
  local.first = run.first;
  HaloPattern& halo = local.halo;
  halo.num_owned = halo.halo_begin = halo.num_local = run.count;
  if (run.before != Impl::LineRun::none) local.before = halo.num_local++;
  if (run.behind != Impl::LineRun::none) local.behind = halo.num_local++;
  halo.peers = run.peers(0, run.count - 1, local.before, local.behind);
  return local;
}

}  // namespace Lamina
